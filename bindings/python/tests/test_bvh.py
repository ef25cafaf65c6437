"""BVH beside pybvh, which reads the text and finds the places of joints with code of its own."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pybvh
import pytest

import dopesheet
from conftest import SAMPLES, angles

#: Channels of the sample's rotations, as its text has them.
OF_THE_SAMPLE = "Zrotation Xrotation Yrotation"


def agrees(path: Path) -> int:
    """Compares all joints at all frames; how many values."""
    theirs = pybvh.read_bvh_file(str(path))
    ours = dopesheet.open(path).clips[0].poses(axes="native")
    # End sites are joints of ours.
    joints = [ours.joint_names.index(name) for name in theirs.joint_names]
    assert len(set(joints)) == len(theirs.joint_names) and len(ours.times) == theirs.frame_count
    places = theirs.joint_positions()
    # Ours are single precision.
    assert np.abs(ours.global_positions()[:, joints] - places).max() <= 4e-6 * max(1.0, np.abs(places).max())
    _, rotations = theirs.to_quat()
    assert angles(ours.with_order("wxyz").rotations[:, joints], rotations).max() <= 2e-6
    return int(places.size)


def test_the_sample_is_the_same_in_both() -> None:
    assert agrees(SAMPLES / "jump.bvh") == 76 * 21 * 3


@pytest.mark.parametrize("order", ["".join(order) for order in permutations("XYZ")])
def test_every_order_of_angles_is_the_same_in_both(order: str, tmp_path: Path) -> None:
    text = (SAMPLES / "jump.bvh").read_text()
    assert text.count(OF_THE_SAMPLE) == 21
    path = tmp_path / f"{order}.bvh"
    path.write_text(text.replace(OF_THE_SAMPLE, " ".join(f"{axis}rotation" for axis in order)))
    assert agrees(path) == 76 * 21 * 3
    turned = dopesheet.open(path).clips[0].rotations
    straight = dopesheet.open(SAMPLES / "jump.bvh").clips[0].rotations
    # The same numbers mean something else.
    assert (order == "ZXY") == (angles(turned, straight).max() < 1e-6)


def test_what_we_write_is_the_same_in_both(tmp_path: Path) -> None:
    there = dopesheet.open(SAMPLES / "jump.bvh").convert("glb")
    back = tmp_path / "back.bvh"
    dopesheet.open(there.data).save(back, bake=30)
    assert agrees(back) == 76 * 21 * 3
    turns = np.random.default_rng(1).uniform(-1.0, 1.0, (40, 72))
    body = tmp_path / "body.bvh"
    dopesheet.Clip.from_smpl(turns, translation=turns[:, :3], fps=30, up="z").save(body)
    assert agrees(body) == 40 * 24 * 3


def test_an_edited_motion_is_the_same_in_both(tmp_path: Path) -> None:
    file = dopesheet.open(SAMPLES / "jump.bvh")
    file.trim("10f", "60f").mirror().retime(speed=0.5).save(tmp_path / "edited.bvh")
    assert agrees(tmp_path / "edited.bvh") == 101 * 21 * 3
    assert pybvh.read_bvh_file(str(tmp_path / "edited.bvh")).frame_count == 101
