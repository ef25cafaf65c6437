"""Opening, writing back, and what is said of files that cannot be read."""

from __future__ import annotations

import io
import pickle
import zipfile
from collections import Counter
from copy import deepcopy
from pathlib import Path
from random import Random

import numpy as np
import pytest

import dopesheet
from conftest import ROOT, SAMPLES, fixtures


def test_every_sound_fixture_is_written_back_byte_for_byte() -> None:
    seen = 0
    read_only: Counter[str] = Counter()
    for path in fixtures("valid") + fixtures("quirk"):
        try:
            file = dopesheet.open(path)
        except dopesheet.ParseError as error:
            assert path.parent.name == "quirk", error
            continue
        try:
            written = file.to_bytes()
        except dopesheet.WriteError as error:
            assert error.code == f"{file.format}-read-only", path
            read_only[file.format] += 1
            continue
        assert written == path.read_bytes(), path
        assert dopesheet.open(path.read_bytes(), name=path.name, format=file.format).to_bytes() == path.read_bytes()
        seen += 1
    assert seen >= 60 and read_only == {"npz": 5, "fbx": 31}, (seen, read_only)


def test_every_damaged_fixture_is_refused_with_its_place() -> None:
    seen = refused = 0
    for path in fixtures("invalid"):
        seen += 1
        try:
            report = dopesheet.open(path).check()
        except dopesheet.ParseError as error:
            refused += 1
            assert error.code and error.expected and error.found, path
            assert error.format or isinstance(error, dopesheet.UnknownFormatError)
            assert f"expected {error.expected}, found {error.found}" in str(error)
        else:
            assert report.findings, path
    assert seen >= 60 and refused >= 30, (seen, refused)


def test_a_fault_of_a_binary_file_has_an_offset() -> None:
    data = (SAMPLES / "bow.vmd").read_bytes()[:1000]
    with pytest.raises(dopesheet.ParseError) as caught:
        dopesheet.open(data, name="cut.vmd")
    error = caught.value
    assert (error.format, error.code, error.offset, error.path) == ("vmd", "mmd-count", 0x32, "bone keys count")
    assert (error.line, error.column, error.pointer) == (None, None, None)
    assert error.expected == "at most 8 records (946 bytes left, 111 each)" and error.found == "69"
    assert str(error).startswith("vmd: byte 0x32 (bone keys count): expected at most 8 records")


def test_a_fault_of_a_text_has_a_line_a_column_and_a_pointer() -> None:
    data = b'{"animation":{"version":4,"name":"x","duration":1,\n"nodes":[{"name":"a","keys":{}}]}}'
    with pytest.raises(dopesheet.ParseError) as caught:
        dopesheet.open(data, name="x.json")
    error = caught.value
    assert (error.line, error.pointer, error.offset) == (2, "/animation/nodes/0/keys", None)
    assert error.column is not None and error.column > 1


def test_every_prefix_of_a_file_is_read_or_refused() -> None:
    for name in ["walk.vmd", "jump.bvh", "door.json", "hands.bin"]:
        data = (SAMPLES / name).read_bytes()
        steps = range(0, len(data), max(1, len(data) // 150))
        for length in steps:
            try:
                file = dopesheet.open(data[:length], name=name)
            except dopesheet.DopesheetError:
                continue
            assert file.to_bytes() == data[:length]


def test_changed_bytes_are_read_or_refused() -> None:
    """Never a panic, which is no Exception and would end the test."""
    random = Random(5)
    for path in sorted(SAMPLES.glob("*.*")):
        if path.suffix in (".svg", ".md"):
            continue
        for _ in range(12):
            data = bytearray(path.read_bytes())
            for _ in range(random.randint(1, 4)):
                data[random.randrange(len(data))] = random.randrange(256)
            try:
                file = dopesheet.open(data, name=path.name)
                file.check()
                for clip in file.clips[:1]:
                    clip.poses(times=[0.0, 0.5])
                    clip.sample(times=[0.0, 1.0])
            except dopesheet.DopesheetError as error:
                assert str(error)


def test_all_kinds_of_sources_are_one_file(tmp_path: Path) -> None:
    path = SAMPLES / "walk.vmd"
    data = path.read_bytes()
    with path.open("rb") as stream:
        sources = [path, str(path), data, bytearray(data), memoryview(data), io.BytesIO(data), stream]
        for source in sources:
            assert dopesheet.open(source).to_bytes() == data  # type: ignore[arg-type]
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(path, "walk.vmd")
    with zipfile.ZipFile(tmp_path / "a.zip") as archive, archive.open("walk.vmd") as entry:
        assert dopesheet.open(entry).to_bytes() == data


def test_a_file_in_an_archive_is_named_behind_a_colon() -> None:
    file = dopesheet.open(f"{SAMPLES / 'door.m4b'}:anims/door/open_slowly.ubi")
    assert file.clips[0].duration == pytest.approx(5.0) and len(file.clips[0].markers) == 4


def test_files_beside_bytes_are_given_by_name(tmp_path: Path) -> None:
    dopesheet.open(SAMPLES / "jump.bvh").save(tmp_path / "jump.gltf")
    main, buffer = ((tmp_path / name).read_bytes() for name in ["jump.gltf", "jump.bin"])
    file = dopesheet.open(main, name="jump.gltf", resources={"jump.bin": buffer})
    assert file.clips[0].joint_names
    with pytest.raises(dopesheet.ParseError, match='expected the file "jump.bin" beside this one, found none'):
        dopesheet.open(main, name="jump.gltf")


def test_a_missing_file_is_also_a_file_not_found_error() -> None:
    with pytest.raises(dopesheet.MissingFileError) as caught:
        dopesheet.open("samples/none.vmd")
    assert isinstance(caught.value, FileNotFoundError) and isinstance(caught.value, dopesheet.DopesheetError)
    assert caught.value.filename == "samples/none.vmd" and caught.value.errno == 2


def test_unknown_bytes_are_shown() -> None:
    with pytest.raises(dopesheet.UnknownFormatError) as caught:
        dopesheet.open(b"\x01\x02what")
    assert caught.value.code == "unknown-format"
    assert caught.value.found == "a file that starts with 01 02 77 68 61 74"


def test_unknown_words_say_which_ones_are_known(walk: dopesheet.File) -> None:
    with pytest.raises(dopesheet.ArgumentError, match=r'expected a format \(vmd, .*bvh.*found "fbx2"'):
        dopesheet.open(SAMPLES / "walk.vmd", format="fbx2")
    with pytest.raises(dopesheet.ArgumentError, match=r'expected a format \(vmd'):
        walk.convert("nothing")
    with pytest.raises(dopesheet.ArgumentError, match=r"speed: expected one of the options model, into"):
        walk.convert("glb", speed=2)  # type: ignore[call-arg]


def test_what_is_no_source_is_named() -> None:
    with pytest.raises(dopesheet.ArgumentError, match="source: expected a path, bytes, or a file.*found int"):
        dopesheet.open(5)  # type: ignore[arg-type]
    with pytest.raises(dopesheet.ArgumentError, match="a file open for reading bytes, found one that yields str"):
        dopesheet.open(io.StringIO("x"))  # type: ignore[arg-type]


def test_exceptions_survive_pickling() -> None:
    with pytest.raises(dopesheet.ParseError) as caught:
        dopesheet.open(b"Vocaloid Motion Data 0002", name="x.vmd")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (type(copy), str(copy), copy.offset) == (type(caught.value), str(caught.value), caught.value.offset)


def test_files_and_clips_survive_pickling_with_what_was_done_to_them(walk: dopesheet.File) -> None:
    edited = walk.trim("0f", "30f")
    for file in (walk, edited, dopesheet.open(walk.to_bytes(), name="w.vmd", max_frames=100)):
        copy = pickle.loads(pickle.dumps(file))
        assert (copy.name, copy.format, copy.to_bytes()) == (file.name, file.format, file.to_bytes())
    clip = pickle.loads(pickle.dumps(edited.clips[0]))
    assert clip.duration == edited.clips[0].duration


def test_a_clip_is_pickled_as_its_file_is_after_its_tracks_and_poses_were_used() -> None:
    for opened in (
        dopesheet.open(SAMPLES / "walk.vmd", model="standard").clips[0],
        dopesheet.open(SAMPLES / "jump.bvh").clips[0],
        dopesheet.open(SAMPLES / "jump.bvh").clips[0].retarget("standard"),
    ):
        unused = len(pickle.dumps(opened))
        assert opened.tracks and opened.rotations.size and opened.joint_names
        data = pickle.dumps(opened)
        assert len(data) == unused
        for copied in (pickle.loads(data), deepcopy(opened)):
            assert np.array_equal(copied.rotations, opened.rotations) and copied.fps == opened.fps
            assert [t.target for t in copied.tracks] == [t.target for t in opened.tracks]


def test_more_frames_than_a_file_was_opened_for_are_refused_by_all_that_is_called_on_it(walk: dopesheet.File) -> None:
    few = dopesheet.open(walk.to_bytes(), name="walk.vmd", max_frames=10)
    for call in (
        lambda: few.sample(fps=60),
        lambda: few.resample(60).to_bytes(),
        lambda: few.diff(walk, model="standard"),
        lambda: few.convert("glb", model="standard"),
    ):
        with pytest.raises(dopesheet.DopesheetError, match="expected at most 10 frames"):
            call()


def test_nothing_is_overwritten_unasked(walk: dopesheet.File, tmp_path: Path) -> None:
    target = tmp_path / "deep/walk.glb"
    report = walk.save(target, model="standard")
    assert (report.output, report.to) == (str(target), "glb") and target.read_bytes()[:4] == b"glTF"
    target.write_bytes(b"mine")
    with pytest.raises(dopesheet.ExistingFileError):
        walk.save(target)
    assert target.read_bytes() == b"mine"
    walk.save(target, overwrite=True)
    assert target.read_bytes()[:4] == b"glTF"
    assert [p.name for p in target.parent.iterdir()] == ["walk.glb"], "no temporary file is left"


def test_the_same_format_is_written_as_it_was_read(tmp_path: Path) -> None:
    path = SAMPLES / "jump.bvh"
    dopesheet.open(path).save(tmp_path / "copy.bvh")
    assert (tmp_path / "copy.bvh").read_bytes() == path.read_bytes()


def test_damage_can_be_looked_past() -> None:
    data = (SAMPLES / "bow.vmd").read_bytes()[:1000]
    file = dopesheet.open(data, name="cut.vmd", lenient=True)
    assert file.check().errors and file.clips


def test_the_root_is_that_of_the_repository() -> None:
    assert (ROOT / "Cargo.toml").is_file()
