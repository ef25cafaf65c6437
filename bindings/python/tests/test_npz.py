"""Files of NumPy: written by NumPy and read here, written here and read by NumPy."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, Callable, Dict

import numpy as np
import pytest
from conftest import angles, far
from numpy.typing import NDArray

import dopesheet
from dopesheet import rotations

Arrays = Dict[str, NDArray[Any]]


def saved(save: Callable[..., None] = np.savez, **arrays: Any) -> bytes:
    data = io.BytesIO()
    save(data, **arrays)
    return data.getvalue()


def loaded(data: bytes) -> Arrays:
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def amass(joints: int, frames: int = 12, rate: str = "mocap_framerate") -> Arrays:
    rng = np.random.default_rng(joints)
    return {
        "poses": rng.normal(scale=0.3, size=(frames, 3 * joints)),
        "trans": rng.normal(scale=0.5, size=(frames, 3)),
        "betas": rng.normal(size=16),
        "gender": np.array("female"),
        rate: np.array(60.0),
    }


DTYPES = ["<f4", ">f4", "<f8", ">f8", "<f2", "<i4", ">i8", "|u1", "|b1", "<U5", ">U3", "|S4", "<c8", "<M8[s]", "|V6"]


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", ["C", "F"])
def test_what_numpy_writes_is_written_back(save: Callable[..., None], dtype: str, order: Any) -> None:
    arrays = {
        f"a{len(shape)}": np.zeros(shape, dtype="<i8").astype(dtype, order=order) if dtype != "|V6" else np.zeros(shape, dtype)
        for shape in [(), (0,), (5,), (2, 3), (2, 3, 4)]
    }
    data = saved(save, **arrays, 歩=np.asarray([1.0]))
    assert dopesheet.open(data, format="npz").to_bytes() == data


def test_one_array_is_written_back() -> None:
    for version in [(1, 0), (2, 0), (3, 0)]:
        data = io.BytesIO()
        np.lib.format.write_array(data, np.asfortranarray(np.ones((3, 4))), version=version)
        assert dopesheet.open(data.getvalue()).to_bytes() == data.getvalue()


def test_files_written_without_going_back_are_written_back(tmp_path: Path) -> None:
    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.data = b""

        def writable(self) -> bool:
            return True

        def write(self, data: Any) -> int:
            self.data += bytes(data)
            return len(data)

    pipe = Pipe()
    np.savez_compressed(pipe, a=np.arange(1000.0), b=np.arange(3))
    assert dopesheet.open(pipe.data, format="npz").to_bytes() == pipe.data


def test_a_pickle_is_kept_and_never_run() -> None:
    fatal = np.array([{"a": 1}], dtype=object)
    data = saved(**amass(52), markers=fatal)
    file = dopesheet.open(data)
    assert file.to_bytes() == data
    assert "npz-object-array" in [finding.code for finding in file.check().findings]
    assert file.clips[0].rotations.shape == (12, 52, 4)
    with pytest.raises(dopesheet.ParseError, match="npz: .* \\(poses\\): expected numbers, found elements of the type '|O'"):
        dopesheet.open(saved(poses=np.zeros((2, 156), dtype=object), mocap_framerate=60.0))


@pytest.mark.parametrize(("joints", "variant"), [(24, "smpl"), (52, "smplh"), (55, "smplx")])
def test_bodies_come_back_through_a_scene(joints: int, variant: str) -> None:
    arrays = amass(joints)
    file = dopesheet.open(saved(**arrays))
    made = file.convert(f"npz@{variant}", bake=60.0, tolerance=None)
    back = loaded(made.data)
    assert back["poses"].shape == (12, 3 * joints)
    assert back["poses"].dtype == np.float64 and back["poses"].flags.c_contiguous
    bones = [j for j in range(joints) if joints != 24 or j < 22]
    expected, found = [
        rotations.to_quaternions(a["poses"].reshape(12, joints, 3)[:, bones], "axis-angle") for a in (arrays, back)
    ]
    assert angles(found, expected).max() <= 2e-5
    assert far(back["trans"], arrays["trans"]) <= 1e-5
    assert str(back["gender"]) == "female" and far(back["betas"], arrays["betas"]) == 0
    rate = "mocap_frame_rate" if joints == 55 else "mocap_framerate"
    assert back[rate] == 60.0


def test_parts_of_a_body_are_put_together() -> None:
    whole = amass(55, rate="mocap_frame_rate")
    poses = whole.pop("poses")
    parts = {"root_orient": poses[:, :3], "pose_body": poses[:, 3:66], "pose_jaw": poses[:, 66:69], "pose_eye": poses[:, 69:75], "pose_hand": poses[:, 75:]}
    found = dopesheet.open(saved(**whole, **parts)).clips[0]
    assert angles(found.rotations, rotations.to_quaternions(poses.reshape(12, 55, 3), "axis-angle")).max() <= 2e-6


def figure(frames: int = 30) -> NDArray[np.float32]:
    """Places of the 22 joints of a body that bends and turns: bones of constant length."""
    rng = np.random.default_rng(7)
    way = np.cumsum(rng.normal(scale=0.02, size=(frames, 66)), axis=0)
    clip = dopesheet.Clip.from_smpl(way, fps=20, up="y", translation=np.linspace([0, 1, 0], [1, 1, 2], frames))
    return clip.global_positions()


def test_joints_of_humanml3d_turn_and_come_back() -> None:
    places = figure()
    data = io.BytesIO()
    np.save(data, places)
    file = dopesheet.open(data.getvalue(), name="000001.npy")
    assert file.clips[0].fps == 20
    assert "npz-layout-by-shape" in [finding.code for finding in file.check().findings]
    assert far(file.clips[0].global_positions(), places) <= 1e-6
    bvh = file.convert("bvh")
    fitted = [loss for loss in bvh.report.approximated if loss.what.startswith("places of 22 joints")]
    assert fitted[0].max_error.unit == "m" and fitted[0].max_error.value <= 1e-3
    walked = dopesheet.open(bvh.data).clips[0].poses(axes="gltf", fps=20)
    order = [walked.joint_names.index(name) for name in file.clips[0].joint_names]
    assert far(walked.global_positions()[:, order], places) <= 1e-3
    back = np.load(io.BytesIO(file.convert("npz@humanml3d,npy", bake=20.0).data))
    assert back.shape == (30, 22, 3) and back.dtype == np.float32
    assert far(back, places) <= 2e-3


def features(places: NDArray[np.float32], turns: NDArray[Any]) -> NDArray[np.float64]:
    """What HumanML3D would make of places, as far as they are read: half-angle turns, way, height, and places."""
    frames = len(places)
    out = np.zeros((frames, 263))
    sin, cos = np.sin(2 * turns), np.cos(2 * turns)

    def seen(x: Any, z: Any, frame: Any) -> Any:
        return cos[frame] * x + sin[frame] * z, -sin[frame] * x + cos[frame] * z

    out[:-1, 0] = np.diff(turns)
    out[:, 3] = places[:, 0, 1]
    for frame in range(frames):
        if frame + 1 < frames:
            gone = places[frame + 1, 0] - places[frame, 0]
            out[frame, 1:3] = seen(gone[0], gone[2], frame + 1)
        local = places[frame, 1:] - [places[frame, 0, 0], 0, places[frame, 0, 2]]
        x, z = seen(local[:, 0], local[:, 2], frame)
        out[frame, 4:67] = np.stack([x, local[:, 1], z], axis=1).reshape(-1)
    return out


def test_features_of_humanml3d_are_places() -> None:
    places = figure()
    places -= places[0, 0] * [1, 0, 1]
    data = io.BytesIO()
    np.save(data, features(places, np.linspace(0, 1.5, len(places))))
    clip = dopesheet.open(data.getvalue(), name="a.npy").clips[0]
    assert far(clip.global_positions(), places) <= 1e-5


@pytest.mark.parametrize("dtype", [np.float32, np.float64, ">f4"])
@pytest.mark.parametrize("order", ["xyzw", "wxyz"])
@pytest.mark.parametrize("layout", ["C", "F"])
def test_rotations_come_back(dtype: Any, order: str, layout: Any) -> None:
    rng = np.random.default_rng(3)
    turns = rng.normal(size=(9, 3, 4))
    turns /= np.linalg.norm(turns, axis=-1, keepdims=True)
    stored = turns if order == "xyzw" else np.roll(turns, 1, axis=-1)
    arrays = {
        "rotations": stored.astype(dtype, order=layout),
        "order": np.array(order),
        "joint_names": np.array(["hip", "knee", "foot"]),
        "parents": np.array([-1, 0, 1]),
        "offsets": np.array([[0, 1, 0], [0, -0.5, 0], [0, -0.5, 0.0]]),
        "root_positions": rng.normal(size=(9, 3)),
        "fps": np.array(24),
        "axes": np.array(["+x", "+z", "-y"]),
        "metres_per_unit": np.array(0.01),
    }
    clip = dopesheet.open(saved(**arrays)).clips[0]
    assert clip.rotations.shape == (9, 3, 4) and clip.rotations.flags.c_contiguous
    assert angles(clip.rotations, turns.astype(np.float32)).max() <= 2e-6
    assert clip.poses().axes == ("+x", "+z", "-y") and clip.poses().metres_per_unit == 0.01
    back = loaded(clip.convert("npz@clip", bake=24.0).data)
    again = dopesheet.open(saved(**back)).clips[0]
    expected = clip.poses(axes="gltf")
    assert angles(back["rotations"], expected.rotations).max() <= 2e-6
    assert far(again.global_positions(), expected.global_positions()) <= 1e-6
    assert back["rotations"].dtype == np.float32 and str(back["order"]) == "xyzw"
    assert list(back["joint_names"]) == ["hip", "knee", "foot"] and list(back["parents"]) == [-1, 0, 1]
    places = loaded(clip.convert("npz@positions", bake=24.0).data)
    assert far(places["positions"], expected.global_positions()) <= 1e-6


def test_what_is_not_said_is_asked_for() -> None:
    turns = np.tile(np.float32([0, 0, 0, 1]), (4, 2, 1))
    data = io.BytesIO()
    np.save(data, turns)
    file = dopesheet.open(data.getvalue(), name="a.npy")
    codes = {finding.code for finding in file.check().findings}
    assert {"npz-rate-unknown", "npz-axes-unknown", "npz-order-unknown", "npz-hierarchy-unknown", "npz-unit-unknown"} <= codes
    with pytest.raises(dopesheet.ConvertError, match=r'assume=\{"rate": …, '):
        file.convert("glb")
    facts = {"rate": 30, "axes": "zup", "order": "xyzw", "unit": 0.01}
    clip = dopesheet.open(data.getvalue(), name="a.npy", assume=facts).clips[0]
    assert clip.fps == 30 and clip.convert("glb").data[:4] == b"glTF"
    with pytest.raises(dopesheet.ConvertError, match="\"zyx\" is no value of order .*xyzw or wxyz"):
        dopesheet.open(data.getvalue(), name="a.npy", assume={"order": "zyx"})
    with pytest.raises(dopesheet.ConvertError, match="leaves nothing open"):
        dopesheet.open("samples/bow.vmd", assume={"rate": 30})


@pytest.mark.parametrize("variant", ["bvh", "glb", "vrma", "vmd"])
def test_bodies_become_everything_else(variant: str) -> None:
    model = "standard" if variant == "vmd" else None
    made = dopesheet.open(saved(**amass(52))).convert(variant, model=model)
    assert len(made.data) > 500
    assert "npz-rest-assumed" in [finding.code for finding in made.report.findings]


@pytest.mark.parametrize(
    ("arrays", "code", "path"),
    [
        ({"poses": np.zeros((3, 157)), "mocap_framerate": 60.0}, "npz-shape", "poses"),
        ({"poses": np.zeros((3, 156)), "mocap_framerate": -1.0}, "npz-rate", "mocap_framerate"),
        ({"poses": np.zeros((3, 156)), "trans": np.zeros((4, 3)), "mocap_framerate": 60.0}, "npz-frame-count", "trans"),
        ({"poses": np.full((3, 156), np.inf), "mocap_framerate": 60.0}, "npz-nonfinite", "poses[0, 0]"),
        ({"poses": np.zeros((3, 156), dtype="<U3"), "mocap_framerate": 60.0}, "npz-type", "poses"),
    ],
)
def test_a_wrong_array_is_refused_where_it_is_opened(arrays: Arrays, code: str, path: str, tmp_path: Path) -> None:
    data = saved(**arrays)
    (tmp_path / "wrong.npz").write_bytes(data)
    for source in (data, tmp_path / "wrong.npz"):
        with pytest.raises(dopesheet.ParseError) as caught:
            dopesheet.open(source)
        assert (caught.value.code, caught.value.path) == (code, path)
        assert caught.value.offset is not None and caught.value.offset > 30
    found = dopesheet.open(data, lenient=True).check().errors
    assert [(f.code, f.path) for f in found] == [(code, path)]
