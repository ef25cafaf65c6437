"""Many files, and some of many poses."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import List

import numpy as np
import pytest

import dopesheet
from conftest import ROOT


def test_files_of_a_pattern_come_in_order() -> None:
    names = [Path(file.name).name for file in dopesheet.open_many(str(ROOT / "samples/*.vmd"))]
    assert names == ["bow.vmd", "camera.vmd", "walk.vmd"]
    paths = [ROOT / "samples/walk.vmd", ROOT / "samples/jump.bvh"]
    assert [file.format for file in dopesheet.open_many(paths, model="standard")] == ["vmd", "bvh"]
    assert list(dopesheet.open_many(str(ROOT / "samples/*.nothing"))) == []


def test_files_that_cannot_be_opened_are_left_to_the_caller(tmp_path: Path) -> None:
    bow = (ROOT / "samples/bow.vmd").read_bytes()
    for name, data in [("a.vmd", bow), ("b.vmd", bow[:1000]), ("c.vmd", bow)]:
        (tmp_path / name).write_bytes(data)
    pattern = str(tmp_path / "*.vmd")
    with pytest.raises(dopesheet.ParseError):
        list(dopesheet.open_many(pattern))
    assert len(list(dopesheet.open_many(pattern, on_error="skip"))) == 2
    told: List[str] = []
    files = list(dopesheet.open_many(pattern, on_error=lambda path, error: told.append(f"{Path(path).name}: {error}")))
    assert len(files) == 2 and len(told) == 1 and told[0].startswith("b.vmd: ")


def test_a_slice_of_poses_is_a_view_at_the_same_times() -> None:
    poses = dopesheet.open(ROOT / "samples/jump.bvh").clips[0].poses()
    some = poses[10:20]
    assert len(some) == 10 and some.times[0] == poses.times[10] and some.fps is None
    assert np.shares_memory(some.rotations, poses.rotations) and some.joint_names == poses.joint_names
    assert np.array_equal(some.global_positions(), poses.global_positions()[10:20])
    assert poses[:5].fps == poses.fps and poses[::2].fps is None and len(poses[-3:]) == 3
    with pytest.raises(dopesheet.ArgumentError, match="slice"):
        poses[3]  # type: ignore[index]
    cut = dopesheet.Clip.from_poses(some)
    assert cut.poses(times=some.times).rotations.shape == some.rotations.shape


def test_clips_and_poses_say_what_they_are() -> None:
    clip = dopesheet.open(ROOT / "samples/jump.bvh").clips[0]
    assert repr(clip) == "<Clip (no name): 2.500 s, 76 frames at 30 fps, 26 joints>"
    assert repr(clip.poses()) == "<Poses: 76 of 26 joints, 30 fps>"


def test_tensors_share_the_memory_of_poses(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    torch = pytest.importorskip("torch")
    poses = dopesheet.open(ROOT / "samples/jump.bvh").clips[0].poses()
    tensors = poses.to_torch()
    tensors["rotations"][0, 0] = torch.tensor([0.0, 0.0, 0.0, 1.0])
    assert poses.rotations[0, 0].tolist() == [0.0, 0.0, 0.0, 1.0]
    monkeypatch.setattr("sys.argv", ["torch_dataset.py", str(ROOT / "samples/*.bvh")])
    runpy.run_path(str(ROOT / "bindings/python/examples/torch_dataset.py"), run_name="__main__")
    assert "'rotations': (2, 32, 26, 6)" in capsys.readouterr().out
