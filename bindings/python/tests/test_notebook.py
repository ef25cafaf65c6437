"""Clips in notebooks: what goes to the viewer, and what is said where something is missing.

What a notebook shows is tested in one: clients/test/notebook.test.mjs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import dopesheet
from conftest import ROOT
from dopesheet import notebook

BOW = ROOT / "samples/bow.vmd"


def test_a_clip_is_shown_by_its_own_file() -> None:
    [(name, data)] = notebook.files_of(dopesheet.open(BOW).clips[0]).items()
    assert name == "bow.vmd" and data == BOW.read_bytes()
    # The viewer has our own puppet, with its picture.
    assert list(notebook.files_of(dopesheet.open(BOW, model="standard").clips[0])) == ["bow.vmd"]


def test_a_clip_is_shown_on_its_model_with_the_pictures_of_that(tmp_path: Path) -> None:
    model = (ROOT / "crates/dopesheet/src/standard/standard.pmx").read_bytes()
    picture = (ROOT / "crates/dopesheet/src/standard/standard.png").read_bytes()
    (tmp_path / "own.pmx").write_bytes(model)
    (tmp_path / "standard.png").write_bytes(picture)
    expected = {"standard.png": picture, "own.pmx": model, "bow.vmd": BOW.read_bytes()}
    clip = dopesheet.open(BOW, model=tmp_path / "own.pmx").clips[0]
    assert notebook.files_of(clip) == expected
    of_bytes = dopesheet.open(model, name="own.pmx", resources={"standard.png": picture})
    assert notebook.files_of(dopesheet.open(BOW, model=of_bytes).clips[0]) == expected


def test_one_clip_of_several_is_shown_alone() -> None:
    file = dopesheet.open(dopesheet.convert([BOW, ROOT / "samples/walk.vmd"], "glb", model="standard").data, name="two.glb")
    assert list(notebook.files_of(file.clips[0])) == ["two.glb"]
    [(name, data)] = notebook.files_of(file.clips[1]).items()
    assert name == "walk.glb" and len(dopesheet.open(data, name=name).clips) == 1


def test_a_clip_of_arrays_is_shown_as_glb() -> None:
    clip = dopesheet.open(BOW, model="standard").clips[0]
    made = dopesheet.Clip.from_poses(clip.poses(axes="gltf"))
    [(name, data)] = notebook.files_of(made).items()
    assert name.endswith(".glb") and data[:4] == b"glTF"
    [again] = dopesheet.open(data, name=name).clips
    assert again.duration == pytest.approx(clip.duration)


def test_a_clip_with_an_odd_name_is_shown_under_a_plain_one() -> None:
    clip = dopesheet.open(BOW, model="standard").clips[0]
    poses = clip.poses(axes="gltf")
    poses.name = "../a/b"
    [name] = notebook.files_of(dopesheet.Clip.from_poses(poses))
    assert "/" not in name


@pytest.mark.parametrize("absent", ["anywidget", "dopesheet_viewer"])
def test_what_a_notebook_lacks_is_said_with_the_way_out(absent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    notebook._viewer.cache_clear()
    # So Python takes a module for one that cannot be imported.
    monkeypatch.setitem(sys.modules, absent, None)
    clip = dopesheet.open(BOW).clips[0]
    with pytest.raises(ImportError, match=r'^showing a clip in a notebook needs \w+: pip install "dopesheet\[notebook\]"$'):
        clip.show()
