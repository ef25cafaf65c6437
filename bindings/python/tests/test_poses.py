"""Poses as arrays, compared with values that the library samples in double precision."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import dopesheet
from conftest import SAMPLES, angles, far

MOVING = ["bow.vmd", "walk.vmd", "door.json", "wave.json", "jump.bvh", "character.glb"]


@pytest.mark.parametrize("name", MOVING)
@pytest.mark.parametrize("axes", ["native", "gltf"])
def test_poses_are_what_is_sampled(name: str, axes: str) -> None:
    file = dopesheet.open(SAMPLES / name)
    times = [-0.5, 0.0, 0.31, 1.0, 99.0]
    compared = 0
    for clip in file.clips:
        poses = clip.poses(times=times, axes=axes)  # type: ignore[arg-type]
        sampled = clip.sample(times=times, axes=axes)  # type: ignore[arg-type]
        number = {index: joint for joint, index in enumerate(poses.indices)}
        for track in sampled:
            if track.kind != "joint" or clip.on_top_of_rest and axes == "native" and "rest" in file.info().facts:
                continue
            joint = number.get(track.index) if name != "walk.vmd" else None
            joint = poses.joint_names.index(track.target) if joint is None else joint
            if "rotation" in track.channels:
                assert angles(poses.rotations[:, joint], track["rotation"]).max() <= 2e-6
                compared += 1
            if "translation" in track.channels:
                assert far(poses.positions[:, joint], track["translation"]) <= 2e-6
                compared += 1
    assert compared or not file.clips, "nothing was compared"


def test_arrays_are_contiguous_and_the_callers_own(jump: dopesheet.File) -> None:
    poses = jump.clips[0].poses()
    frames, joints = len(poses.times), len(poses.joint_names)
    for array, shape, dtype in [
        (poses.rotations, (frames, joints, 4), np.float32),
        (poses.positions, (frames, joints, 3), np.float32),
        (poses.scales, (frames, joints, 3), np.float32),
        (poses.times, (frames,), np.float64),
        (poses.parents, (joints,), np.int32),
        (poses.offsets, (joints, 3), np.float32),
        (poses.rest_rotations, (joints, 4), np.float32),
    ]:
        assert array.shape == shape and array.dtype == dtype
        assert array.flags.c_contiguous and array.flags.writeable
    assert not poses.rotations.flags.owndata, "a view of the library's own memory"
    assert np.shares_memory(poses.root_positions, poses.positions)
    poses.rotations[:] = 0
    assert jump.clips[0].poses().rotations.any(), "other poses are their own"


def test_a_clip_at_its_own_rate_is_made_once(jump: dopesheet.File) -> None:
    clip = jump.clips[0]
    assert clip.rotations is clip.rotations and clip.fps is not None
    assert np.allclose(clip.times, np.arange(len(clip.times)) / clip.fps)
    assert clip.times[-1] == pytest.approx(clip.duration)
    assert clip.parents[0] == -1 and (clip.parents[1:] < np.arange(1, len(clip.parents))).all()
    assert clip.joint_names[0] == "Hips" or clip.joint_names


def test_positions_in_the_model_are_those_of_the_chain(jump: dopesheet.File) -> None:
    poses = jump.clips[0].poses(fps=10)
    sampled = jump.clips[0].sample(fps=10, space="model")
    found = poses.global_positions()
    assert found.dtype == np.float32 and found.shape == poses.positions.shape
    for joint, track in enumerate(sampled):
        assert far(found[:, joint], track["translation"]) <= 4e-6
        assert angles(poses.global_rotations()[:, joint], track["rotation"]).max() <= 4e-6
    chain = poses.matrices().astype(np.float64)
    child = next(j for j in range(len(poses.parents)) if poses.parents[j] == 0)
    by_hand = poses.positions[:, 0] + np.einsum("fij,fj->fi", chain[:, 0], poses.positions[:, child])
    assert far(found[:, child], by_hand) <= 1e-5


def test_a_model_moves_by_its_rig() -> None:
    alone = dopesheet.open(SAMPLES / "walk.vmd").clips[0]
    on_model = dopesheet.open(SAMPLES / "walk.vmd", model="standard").clips[0]
    times = np.linspace(0, 1, 7)
    poses = on_model.poses(times=times)
    sampled = on_model.sample(times=times, space="model")
    assert len(poses.joint_names) == len(sampled.tracks) > len(alone.joint_names)
    for joint, track in enumerate(sampled):
        assert far(poses.global_positions()[:, joint], track["translation"]) <= 1e-5, track.target
    knee = poses.joint_names.index("左ひざ")
    assert angles(poses.rotations[:, knee], [0, 0, 0, 1]).max() > 0.1, "no key of the motion turns it; IK does"
    given_later = alone.poses(times=times, model="standard")
    assert np.array_equal(given_later.rotations, poses.rotations)


def test_who_hangs_on_whom_is_not_made_up(walk: dopesheet.File) -> None:
    assert (walk.clips[0].parents == -1).all()
    with pytest.raises(dopesheet.ArgumentError, match="expected a hierarchy for positions in model space"):
        walk.clips[0].global_positions()
    with pytest.raises(dopesheet.ArgumentError, match='space="model" needs a hierarchy'):
        walk.sample(times=[0.0], space="model")


def test_axes_and_units_are_named() -> None:
    clip = dopesheet.open(SAMPLES / "walk.vmd", model="standard").clips[0]
    native, gltf = clip.poses(times=[0.5]), clip.poses(times=[0.5], axes="gltf")
    assert (native.axes, native.metres_per_unit) == (("+x", "+y", "-z"), 0.08)
    assert (gltf.axes, gltf.metres_per_unit) == (("+x", "+y", "+z"), 1.0)
    a, b = native.global_positions() * 0.08 * [1, 1, -1], gltf.global_positions()
    place = [native.joint_names.index(n) for n in ["頭", "左手首"]]
    other = [gltf.joint_names.index(n) for n in ["頭", "左手首"]]
    assert far(a[:, place], b[:, other]) <= 2e-4, "up to what baking the rig may cost"


def test_a_misspelt_order_of_quaternions_is_refused_wherever_it_is_given(jump: dopesheet.File) -> None:
    poses = jump.clips[0].poses(fps=5)
    for wrong in ("XYZW", "xyz", "", None):
        with pytest.raises(dopesheet.ArgumentError, match='order: expected "xyzw" or "wxyz"'):
            dataclasses.replace(poses, order=wrong)  # type: ignore[arg-type]
        with pytest.raises(dopesheet.ArgumentError, match='order: expected "xyzw" or "wxyz"'):
            poses.with_order(wrong)  # type: ignore[arg-type]
    poses.order = "XYZW"  # type: ignore[assignment]
    for use in (poses.global_positions, poses.global_rotations, poses.velocities, poses.matrices, poses.axis_angle):
        with pytest.raises(dopesheet.ArgumentError, match="found 'XYZW'"):
            use()
    with pytest.raises(dopesheet.ArgumentError, match="found 'XYZW'"):
        dopesheet.Clip.from_poses(poses)


def test_the_order_of_quaternions_is_named(jump: dopesheet.File) -> None:
    poses = jump.clips[0].poses(fps=5)
    other = jump.clips[0].poses(fps=5, order="wxyz")
    assert (poses.order, other.order) == ("xyzw", "wxyz")
    assert np.array_equal(other.rotations[..., 0], poses.rotations[..., 3])
    assert np.array_equal(other.with_order("xyzw").rotations, poses.rotations)
    assert np.array_equal(other.global_positions(), poses.global_positions())
    assert np.array_equal(other.global_rotations(), poses.global_rotations()[..., [3, 0, 1, 2]])
    assert np.array_equal(other.rotations_6d(), poses.rotations_6d())
    with pytest.raises(dopesheet.ArgumentError, match='order: expected "xyzw" or "wxyz", found \'zyxw\''):
        poses.with_order("zyxw")  # type: ignore[arg-type]


def test_times_are_asked_for_in_several_ways(jump: dopesheet.File) -> None:
    clip = jump.clips[0]
    assert clip.fps is not None
    by_frame = clip.poses(frames=[0, 3, 5])
    assert np.allclose(by_frame.times, np.array([0, 3, 5]) / clip.fps)
    assert np.array_equal(by_frame.rotations, clip.poses(times="0f,3f,5f").rotations)
    assert clip.poses(range=(0, 0.5, 0.25)).times.tolist() == [0, 0.25, 0.5]
    assert clip.poses(range="0:0.5:0.25").times.tolist() == [0, 0.25, 0.5]
    assert clip.poses(times=np.float64(0.5)).times.tolist() == [0.5]
    assert clip.poses(times=[]).rotations.shape == (0, len(clip.joint_names), 4)


def test_bad_times_are_named(jump: dopesheet.File) -> None:
    clip = jump.clips[0]
    door = dopesheet.open(SAMPLES / "door.json").clips[0]
    for options, message in [
        ({"fps": 0.0}, "expected a rate above 0, found 0"),
        ({"fps": float("nan")}, "expected a rate above 0, found NaN"),
        ({"times": [float("nan")]}, "expected finite times, found NaN"),
        ({"times": [[0.0]]}, r"times: expected a list of numbers, found the shape \(1, 1\)"),
        ({"times": ["x"]}, "times: expected numbers, found an array of <U1"),
        ({"times": "a"}, 'expected a time in seconds .* found "a"'),
        ({"fps": 1.0, "times": [0.0]}, "times: expected one of times, frames, fps and range, found several"),
        ({"range": (0, 1, 0)}, "expected a step that leads from the start to the end"),
        ({"fps": 1e9}, "expected at most 10000000 times"),
        ({"axes": "unity"}, 'axes: expected "native" or "gltf", found "unity"'),
        ({"language": "german"}, 'language: expected "original" or "english", found "german"'),
        ({"language": "english"}, "expected axes of glTF for English names"),
    ]:
        with pytest.raises(dopesheet.ArgumentError, match=message):
            clip.poses(**options)  # type: ignore[arg-type]
    with pytest.raises(dopesheet.ConvertError, match="expected at most 38,461 frames with 260 numbers each"):
        clip.poses(fps=2e6)
    assert door.fps is None
    with pytest.raises(dopesheet.ArgumentError, match="expected times or a rate, because this file has no frames"):
        door.rotations
    with pytest.raises(dopesheet.ArgumentError, match="expected seconds, because this file has no frames"):
        door.poses(frames=[1])
    with pytest.raises(dopesheet.ArgumentError, match="expected a clip of this file .* found #3"):
        jump.sample(times=[0.0], clip=3)


def test_velocities_are_central_differences_of_model_space(jump: dopesheet.File) -> None:
    poses = jump.clips[0].poses()
    found = poses.velocities()
    places, seconds = poses.global_positions().astype(float), poses.times
    assert found.linear.shape == found.angular.shape == (*poses.rotations.shape[:2], 3)
    assert found.linear.dtype == found.angular.dtype == np.float32
    expected = (places[2:] - places[:-2]) / (seconds[2:] - seconds[:-2])[:, None, None]
    assert np.abs(found.linear[1:-1] - expected).max() < 1e-3 * np.abs(expected).max()
    assert np.allclose(found.linear[0], (places[1] - places[0]) / (seconds[1] - seconds[0]), atol=1e-2)
    # Turned on by its velocity for a frame, a rotation is about half way to the one after the next.
    before, after = poses.global_rotations()[:-2], poses.global_rotations()[2:]
    dot = np.abs((before.astype(float) * after).sum(-1)).clip(0, 1)
    speeds = 2 * np.arccos(dot) / (seconds[2:] - seconds[:-2])[:, None]
    assert np.abs(np.linalg.norm(found.angular[1:-1], axis=-1) - speeds).max() < 0.05


def test_a_turn_about_y_has_a_velocity_along_y() -> None:
    seconds = np.array([0.0, 0.1, 0.15, 0.4])
    half = 0.5 * 3.0 * seconds
    turns = np.stack([0 * half, np.sin(half), 0 * half, np.cos(half)], axis=-1)[:, None]
    clip = dopesheet.Clip.from_arrays(
        turns, order="xyzw", names=["root"], parents=[-1], offsets=[[0.0, 0.0, 0.0]], axes="gltf", metres_per_unit=1.0,
        times=seconds, root_positions=np.stack([2 * seconds, 0 * seconds, 0 * seconds], axis=-1),
    )  # fmt: skip
    found = clip.poses(times=seconds).velocities()
    assert np.allclose(found.linear, [2, 0, 0], atol=1e-5)
    assert np.allclose(found.angular, [0, 3, 0], atol=1e-5)


def test_velocities_need_a_hierarchy() -> None:
    poses = dopesheet.open(SAMPLES / "bow.vmd").clips[0].poses()
    with pytest.raises(dopesheet.DopesheetError, match="give its model"):
        poses.velocities()


def test_feet_that_jump_are_on_the_ground_before_and_after(jump: dopesheet.File) -> None:
    clip = jump.clips[0]
    left = [contact for contact in clip.contacts() if contact.bone == "leftFoot"]
    assert [contact.joint for contact in left] == ["LeftFoot"] * len(left) and len(left) >= 2
    assert all(0 <= contact.start < contact.end <= clip.duration for contact in left)
    flight = 38 / 30
    assert not any(contact.start <= flight <= contact.end for contact in left)
    assert left[0].start == 0 and left[-1].end > 2


def test_contacts_take_a_model_and_refuse_what_has_no_legs() -> None:
    walk = dopesheet.open(SAMPLES / "walk.vmd").clips[0]
    with pytest.raises(dopesheet.DopesheetError, match="give its model"):
        walk.contacts()
    assert {contact.bone for contact in walk.contacts(model="standard")} >= {"leftFoot", "rightFoot"}
    with pytest.raises(dopesheet.DopesheetError, match="expected a human figure in .*hands.bin"):
        dopesheet.open(SAMPLES / "hands.bin").clips[0].contacts()
    with pytest.raises(dopesheet.DopesheetError, match='found "klingon"'):
        walk.contacts(model="standard", vocabulary="klingon")


def test_info_tells_the_figure_by_one_vocabulary(jump: dopesheet.File) -> None:
    guessed, named = jump.info().humanoid, jump.info(vocabulary="cmu").humanoid
    assert guessed is not None and named is not None
    assert named.names_of != guessed.names_of and len(named.bones) <= len(guessed.bones)
