"""Clips made of arrays: there and back through files, and input that makes no sense."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict

import numpy as np
import pytest

import dopesheet
from conftest import SAMPLES, angles, far
from dopesheet import Clip, rotations

NAMES = ["hips", "spine", "leg"]
PARENTS = [-1, 0, 0]
OFFSETS = np.array([[0, 1, 0], [0, 0.3, 0], [0.1, -0.2, 0]], dtype=np.float32)
FRAMES = 31

#: What each format may cost, in radians and metres. BVH writes six decimals of degrees and centimetres; VMD holds a
#: key on each frame of 30 a second, in units of 8 cm.
BOUNDS = {
    "glb": (1e-6, 1e-6),
    "gltf": (1e-6, 1e-6),
    "bvh": (2e-6, 1e-6),
    "playcanvas": (4e-6, 1e-6),
    # Keys are fitted within 0.1 mm, for points 3 cm from each joint.
    "vmd": (4e-3, 1e-4),
}


def motion() -> Dict[str, Any]:
    """A figure of three joints that walks on while it sways."""
    time = np.arange(FRAMES) / 30
    vectors = np.stack([np.sin(3 * time + phase) for phase in range(9)], axis=-1).reshape(FRAMES, 3, 3)
    walked = np.stack([0.1 * time, 1 + 0.05 * np.cos(time), time], axis=-1)
    return {
        "rotations": rotations.to_quaternions(vectors, "axis-angle"),
        "order": "xyzw",
        "names": NAMES,
        "parents": PARENTS,
        "offsets": OFFSETS,
        "axes": "gltf",
        "metres_per_unit": 1.0,
        "fps": 30,
        "root_positions": walked,
    }


def clip(**changes: Any) -> Clip:
    arguments = {**motion(), **changes}
    return Clip.from_arrays(arguments.pop("rotations"), **arguments)


def test_arrays_come_back_from_memory() -> None:
    made = motion()
    poses = clip(name="sway").poses()
    assert poses.name == "sway" and poses.joint_names == NAMES and poses.parents.tolist() == PARENTS
    assert angles(poses.rotations, made["rotations"]).max() <= 1e-6
    assert far(poses.root_positions, made["root_positions"]) <= 1e-7
    assert far(poses.positions[:, 1:], np.tile(OFFSETS[1:], (FRAMES, 1, 1))) == 0
    assert (poses.fps, poses.axes, poses.metres_per_unit) == (30, ("+x", "+y", "+z"), 1.0)
    assert np.array_equal(poses.offsets, OFFSETS)


@pytest.mark.parametrize("format", sorted(BOUNDS))
def test_arrays_come_back_from_files(format: str, tmp_path: Path) -> None:
    made = clip(name="sway")
    info = next(f for f in dopesheet.formats() if f.id == format)
    path = tmp_path / f"sway.{info.extensions[0]}"
    report = made.save(path, to=format, keep_constant=True)
    assert report.to == format and not [d for d in report.dropped if "rotation" in d.what]
    back = dopesheet.open(path).clips[0].poses(fps=30, axes="gltf")
    expected = made.poses()
    for joint, name in enumerate(NAMES):
        other = back.joint_names.index(name)
        radians, metres = BOUNDS[format]
        assert angles(back.rotations[:, other], expected.rotations[:, joint]).max() <= radians, name
        # A VMD holds how far a bone is from where it rests, and does not know where that is.
        rest = OFFSETS[joint] if format == "vmd" else 0
        assert far(back.positions[:, other] + rest, expected.positions[:, joint]) <= metres, name
    assert back.hierarchy_known == (format not in ("vmd", "playcanvas")), "motions alone name no parents"
    if back.hierarchy_known:
        order = [back.joint_names.index(name) for name in NAMES]
        assert far(back.global_positions()[:, order], expected.global_positions()) <= 1e-5


@pytest.mark.parametrize("name", ["jump.bvh", "wave.json", "door.json", "character.glb"])
def test_poses_of_files_become_clips(name: str) -> None:
    for source in dopesheet.open(SAMPLES / name).clips:
        poses = source.poses(fps=20)
        again = Clip.from_poses(poses).poses()
        assert angles(again.rotations, poses.rotations).max() <= 1e-6
        assert far(again.positions, poses.positions) <= 1e-6
        assert far(again.scales, poses.scales) <= 1e-6
        assert (again.axes, again.metres_per_unit) == (poses.axes, poses.metres_per_unit)
        assert again.joint_names == poses.joint_names and np.array_equal(again.parents, poses.parents)


@pytest.mark.parametrize("form", ["wxyz", "6d", "6d-rows", "axis-angle", "matrix", "ZXY"])
def test_rotations_may_have_any_form(form: str) -> None:
    numbers = rotations.from_quaternions(motion()["rotations"], form)
    assert angles(clip(rotations=numbers, order=form).rotations, motion()["rotations"]).max() <= 2e-6


def test_axes_and_units_are_converted() -> None:
    upright = clip().convert("bvh")
    # The same motion, stored with Z up and in centimetres: (x, y, z) is (x, -z, y) there.
    x, y, z, w = np.moveaxis(motion()["rotations"], -1, 0)
    lying = clip(
        rotations=np.stack([x, -z, y, w], axis=-1),
        offsets=100 * OFFSETS[:, [0, 2, 1]] * [1, -1, 1],
        root_positions=100 * motion()["root_positions"][:, [0, 2, 1]] * [1, -1, 1],
        axes=("+x", "+z", "-y"),
        metres_per_unit=0.01,
    )
    found = dopesheet.diff(dopesheet.open(upright.data, name="a.bvh"), dopesheet.open(lying.convert("bvh").data, name="b.bvh"))
    assert found.within_tolerance and found.tracks, found.worst
    assert lying.poses(axes="gltf").global_positions()[0, 0] == pytest.approx(clip().global_positions()[0, 0], abs=1e-6)


def test_float64_lists_and_strides_are_taken() -> None:
    made = motion()
    wide = made["rotations"].astype(np.float64)
    strided = np.repeat(made["rotations"], 2, axis=1)[:, ::2]
    assert not strided.flags.c_contiguous
    for rotations_ in [wide, wide.tolist(), strided, np.asfortranarray(wide)]:
        assert np.array_equal(clip(rotations=rotations_).rotations, clip().rotations)


def test_times_need_no_rate() -> None:
    times = np.sort(np.random.default_rng(3).uniform(0, 2, FRAMES))
    made = clip(fps=None, times=times)
    assert made.fps is None and made.duration == times[-1]
    assert angles(made.poses(times=times).rotations, motion()["rotations"]).max() <= 1e-6


def test_a_clip_in_memory_is_a_file_like_any_other() -> None:
    made = clip(name="sway")
    assert made.file.format == "memory" and made.file.info().clips[0].tracks == 3
    assert made.file.check().ok and made.sample(times=[0.5])["hips"]["rotation"].shape == (1, 4)
    assert made.tracks[0]["rotation"].curve.laws.tolist() == ["slerp"] * (FRAMES - 1)
    assert [c.property for c in made.tracks[1].channels] == ["rotation"], "what stays at rest has no keys"
    assert dopesheet.diff(made.file, made.file).within_tolerance
    with pytest.raises(dopesheet.WriteError):
        made.file.to_bytes()


def test_changed_poses_are_checked_again() -> None:
    poses = clip().poses()
    poses.rotations[3, 1, 0] = np.nan
    with pytest.raises(dopesheet.ArgumentError, match=r"rotations: expected finite numbers, found nan at \[3, 1, 0\]"):
        Clip.from_poses(poses)
    poses.rotations[3, 1] = [0, 0, 0, 2]
    with pytest.raises(dopesheet.ArgumentError, match=r'found one of length 2 at time 3, joint 1 \("spine"\)'):
        Clip.from_poses(poses)
    poses.rotations = poses.rotations[:, :2]
    with pytest.raises(dopesheet.ArgumentError, match=r"rotations: expected the shape \(31, 3, 4\), found \(31, 2, 4\)"):
        Clip.from_poses(poses)


NAN = np.full((FRAMES, 3), np.nan)


@pytest.mark.parametrize(
    ("changes", "argument", "expected", "found"),
    [
        ({"rotations": np.zeros((FRAMES, 3, 3))}, "rotations", "the shape (F, J, 4)", "(31, 3, 3)"),
        ({"rotations": np.zeros((3, 4))}, "rotations", "the shape (F, J, 4)", "(3, 4)"),
        ({"rotations": np.zeros((FRAMES, 3, 4), dtype=np.int32)}, "rotations", "an array of float32 or float64", "one of int32"),
        ({"rotations": np.zeros((FRAMES, 3, 4), dtype=complex)}, "rotations", "an array of float32 or float64", "one of complex128"),
        ({"rotations": "x"}, "rotations", "an array of float32 or float64", "one of <U1"),
        ({"root_positions": NAN}, "root_positions", "finite numbers", "nan at [0, 0]"),
        ({"root_positions": np.ma.masked_invalid(NAN)}, "root_positions", "numbers without a mask", "93 masked"),
        ({"rotations": np.ma.masked_equal(np.zeros((FRAMES, 3, 4)), 0.0)}, "rotations", "numbers without a mask", "372 masked"),
        ({"root_positions": np.zeros((5, 3))}, "root_positions", "the shape (31, 3)", "(5, 3)"),
        ({"positions": np.zeros((FRAMES, 2, 3)), "root_positions": None}, "positions", "the shape (31, 3, 3)", "(31, 2, 3)"),
        ({"positions": np.zeros((FRAMES, 3, 3))}, "positions", "either positions or root_positions", "both"),
        ({"offsets": OFFSETS[:2]}, "offsets", "the shape (3, 3)", "(2, 3)"),
        ({"offsets": OFFSETS + np.float32(np.inf)}, "offsets", "finite numbers", "inf at [0, 0]"),
        ({"names": ["a", "b"]}, "names", "3 names, as many as rotations have joints", "2"),
        ({"names": "abc"}, "names", "a list of names", "'abc'"),
        ({"names": [1, 2, 3]}, "names", "a list of names", "[1, 2, 3]"),
        ({"parents": [-1, 0]}, "parents", "the shape (3,), as many as rotations have joints", "(2,)"),
        ({"parents": [-1, 2, 0]}, "parents", "-1 or the number of a joint before joint 1", "2"),
        ({"parents": [-1, -2, 0]}, "parents", "-1 or the number of a joint before joint 1", "-2"),
        ({"parents": [-1.0, 0.0, 0.0]}, "parents", "an array of whole numbers", "one of float64"),
        ({"parents": [-1, -1, 0]}, "root_positions", "one joint that hangs on none", "2"),
        ({"fps": None}, "fps", "either fps or times", "neither"),
        ({"times": np.arange(FRAMES)}, "fps", "either fps or times", "both"),
        ({"fps": 0}, "fps", "a rate from 0.001 to 1,000,000", "0"),
        ({"fps": "30"}, "fps", "a rate from 0.001 to 1,000,000", "'30'"),
        ({"fps": float("nan")}, "fps", "a rate from 0.001 to 1,000,000", "nan"),
        ({"fps": None, "times": [0.0, 1.0]}, "times", "the shape (31,)", "(2,)"),
        ({"axes": "unity"}, "axes", None, '"unity"'),
        ({"axes": ("+x", "-x", "+y")}, "axes", None, '["+x", "-x", "+y"]'),
        ({"axes": ("left", "up", "front")}, "axes", None, '["left", "up", "front"]'),
        ({"scales": np.ones((FRAMES, 3))}, "scales", "the shape (31, 3, 3)", "(31, 3)"),
        ({"rest_rotations": np.ones((2, 4))}, "rest_rotations", "the shape (3, 4)", "(2, 4)"),
    ],
)
def test_bad_input_is_named(changes: Dict[str, Any], argument: str, expected: Any, found: str) -> None:
    with np.errstate(invalid="ignore"), pytest.raises(dopesheet.ArgumentError) as caught:
        clip(**changes)
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.argument, error.found) == (argument, found)
    assert error.expected and expected in (None, error.expected)
    assert str(error) == f"{argument}: expected {error.expected}, found {found}"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"order": "zyxw"}, 'expected a form of rotations .* found "zyxw"'),
        ({"rotations": np.ones((FRAMES, 3, 4))}, "expected unit quaternions, found one of length 2.0+ as rotation 0"),
        ({"metres_per_unit": -1.0}, "expected a length above 0 metres, found -1"),
        ({"metres_per_unit": float("nan")}, "expected a length above 0 metres, found NaN"),
        ({"fps": None, "times": np.arange(FRAMES)[::-1] / 30}, "expected ascending times, found .* after 1"),
    ],
)
def test_what_the_library_refuses_is_an_argument_error(changes: Dict[str, Any], message: str) -> None:
    made = {"rotations": np.zeros((FRAMES, 3, 3))} if changes.get("order") == "zyxw" else {}
    with pytest.raises(dopesheet.ArgumentError, match=message):
        clip(**{**made, **changes})


def test_no_joints_are_no_clip() -> None:
    with pytest.raises(dopesheet.ArgumentError, match="expected at least one joint, found none"):
        clip(rotations=np.zeros((2, 0, 4)), names=[], parents=np.zeros(0, dtype=int), offsets=np.zeros((0, 3)), root_positions=None)


def test_what_a_format_cannot_hold_is_said() -> None:
    with pytest.raises(dopesheet.ConvertError) as caught:
        clip(names=["a", "b", "c"]).convert("vrma")
    assert (caught.value.format, caught.value.kind) == ("vrma", "unsupported")
    with pytest.raises(dopesheet.ConvertError) as caught:
        clip(names=["\N{GRINNING FACE}", "b", "c"]).convert("vmd")
    assert caught.value.kind == "unencodable"
    with pytest.raises(dopesheet.ConvertError, match="read only"):
        clip().convert("pmx")


@pytest.mark.parametrize("joints", [22, 24, 52, 55])
def test_a_body_of_smpl_stands_where_its_numbers_say(joints: int) -> None:
    rng = np.random.default_rng(joints)
    poses = rng.normal(scale=0.4, size=(7, joints, 3))
    offsets = rng.normal(scale=0.2, size=(joints, 3))
    gone = rng.normal(size=(7, 3))
    upright = Clip.from_smpl(poses, offsets=offsets, fps=30, up="y", translation=gone)
    flat = Clip.from_smpl(poses.reshape(7, -1).astype(np.float32), offsets=offsets, fps=30, up="y", translation=gone)
    found = upright.poses()
    assert angles(found.rotations, rotations.to_quaternions(poses, "axis-angle")).max() <= 2e-6
    assert far(found.positions[:, 0], offsets[0] + gone) <= 1e-6
    assert far(found.positions[:, 5], np.tile(offsets[5], (7, 1))) <= 1e-6
    assert angles(flat.rotations, upright.rotations).max() <= 2e-6
    assert found.joint_names[:4] == ["pelvis", "left_hip", "right_hip", "spine1"]
    elbow = found.joint_names.index("left_elbow")
    assert found.joint_names[found.parents[elbow]] == "left_shoulder"
    # With Z up the same numbers lie on their side: (x, y, z) there is (x, z, -y) in the axes of glTF.
    lying = Clip.from_smpl(poses, offsets=offsets, fps=30, up="z", translation=gone)
    assert far(lying.global_positions(), upright.global_positions()) <= 1e-5
    expected = upright.global_positions()[..., [0, 2, 1]] * [1, 1, -1]
    assert far(lying.poses(axes="gltf").global_positions(), expected) <= 1e-5


def test_points_stay_where_they_were_said_to_be(tmp_path: Path) -> None:
    points = np.random.default_rng(1).normal(size=(9, 4, 3))
    made = Clip.from_joints(points, names=list("abcd"), parents=[-1, 0, 1, 1], fps=20)
    assert far(made.global_positions(), points) <= 1e-6
    made.save(tmp_path / "points.glb", raw=True)
    back = dopesheet.open(tmp_path / "points.glb").clips[0].poses(fps=20)
    order = [back.joint_names.index(n) for n in "abcd"]
    assert far(back.global_positions()[:, order], points) <= 2e-6


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Clip.from_smpl(np.zeros((2, 23, 3)), offsets=np.zeros((23, 3)), fps=30, up="y"), r"poses: expected the shape .* 22, 24, 52 or 55 joints, found \(2, 23, 3\)"),
        (lambda: Clip.from_smpl(np.zeros((2, 24, 4)), offsets=np.zeros((24, 3)), fps=30, up="y"), r"poses: expected the shape \(F, J, 3\), found \(2, 24, 4\)"),
        (lambda: Clip.from_smpl(np.zeros((2, 24, 3)), offsets=np.zeros((24, 3)), fps=30, up="x"), "up: expected \"y\" or \"z\", found 'x'"),
        (lambda: Clip.from_smpl(np.zeros((2, 24, 3)), offsets=np.zeros((24, 3)), fps=0, up="y"), "fps: expected frames per second from 0.001 .* found 0"),
        (lambda: Clip.from_smpl(np.zeros((2, 24, 3)), offsets=np.zeros((23, 3)), fps=30, up="y"), r"offsets: expected the shape \(24, 3\), found \(23, 3\)"),
        (lambda: Clip.from_smpl(np.full((2, 72), np.nan), fps=30, up="y"), r"poses: expected finite numbers, found nan at \[0, 0\]"),
        (lambda: Clip.from_smpl(np.zeros((2, 72), dtype=int), fps=30, up="y"), "poses: expected an array of float32 or float64"),
        (lambda: Clip.from_smpl(np.zeros((0, 72)), fps=30, up="y"), "poses: expected at least one frame"),
        (lambda: Clip.from_joints(np.zeros((2, 1, 3)), names=["a"], parents=[-1], fps=30, axes="up"), "axes: expected yup, zup, or"),
        (lambda: Clip.from_joints(np.zeros((2, 3, 3)), names=["a"], parents=[-1, 0, 0], fps=30), "names: expected 3 names"),
        (lambda: Clip.from_joints(np.zeros((2, 3)), names=["a"], parents=[-1], fps=30), r"positions: expected the shape \(F, J, 3\)"),
    ],
)
def test_bad_bodies_and_points_are_named(call: Any, message: str) -> None:
    with pytest.raises(dopesheet.ArgumentError, match=message):
        call()
