"""Operations on files and clips: those of the command, with its result."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

import numpy as np
import pytest

import dopesheet
from conftest import ROOT, SAMPLES
from dopesheet import ArgumentError, Clip, File, _native
from dopesheet.edits import Edits

#: Chains, and the same as operations of the command.
CHAINS: List[Tuple[str, Callable[[Any], Any], List[str]]] = [
    ("bow.vmd", lambda it: it.trim("30f", "90f"), ["trim 30f:90f"]),
    ("bow.vmd", lambda it: it.trim(1.01, 2, keep_time=True, snap=True), ["trim 1.01:2 --keep-time --snap"]),
    ("bow.vmd", lambda it: it.trim(1, 3).mirror().retime(speed=0.7), ["trim 1:3", "mirror", "retime --speed 0.7"]),
    ("bow.vmd", lambda it: it.delete("30f", 2), ["delete 30f:2"]),
    ("bow.vmd", lambda it: it.repeat(3), ["repeat 3"]),
    ("bow.vmd", lambda it: it.concat("samples/walk.vmd", blend="10f"), ["concat samples/walk.vmd --blend 10f"]),
    ("bow.vmd", lambda it: it.join("samples/walk.vmd"), ["join samples/walk.vmd"]),
    (
        "bow.vmd",
        lambda it: it.drop(kind="morph").merge(it.select(kind=["morph"])),
        ["drop --kind morph", "merge {face}"],
    ),
    ("bow.vmd", lambda it: it.shift(np.float32(0.5)), ["shift 0.5"]),
    ("jump.bvh", lambda it: it.retime(duration=4), ["retime --duration 4"]),
    ("jump.bvh", lambda it: it.retime(fps=60), ["retime --fps 60"]),
    ("bow.vmd", lambda it: it.retime(speed=0.5, exact=True), ["retime --speed 0.5 --exact"]),
    ("bow.vmd", lambda it: it.retime(curve=[(0, 0), (1, 1), ("60f", 4)]), ["retime --curve {curve}"]),
    ("bow.vmd", lambda it: it.retime(curve=np.array([[0, 0], [1, 1], [2, 4]])), ["retime --curve {curve}"]),
    ("bow.vmd", lambda it: it.reverse(), ["reverse"]),
    ("bow.vmd", lambda it: it.mirror(names={"首": "頭"}), ["mirror --map {names}"]),
    ("walk.vmd", lambda it: it.loop(over="10f", travel=True), ["loop --over 10f --travel"]),
    ("walk.vmd", lambda it: it.loop(), ["loop"]),
    ("jump.bvh", lambda it: it.resample(np.int64(15)), ["resample 15"]),
    ("hands.bin", lambda it: it.reduce(tolerance="1cm"), ["reduce --tolerance 1cm"]),
    ("bow.vmd", lambda it: it.rename({"首": "頭", "頭": "首"}), ["rename {swapped}"]),
    (
        "bow.vmd",
        lambda it: it.resample(30).reduce(tolerance="1mm", editable=True),
        ["resample 30", "reduce --tolerance 1mm --editable"],
    ),
    ("jump.bvh", lambda it: it.rename(from_="mixamo", to="smpl"), ["rename --from mixamo --to smpl"]),
    ("walk.vmd", lambda it: it.move(by="0,0,-1m", turn=90), ["move --by 0,0,-1m --turn 90deg"]),
    ("walk.vmd", lambda it: it.move(by=(1, "20cm", 0.5), scale=1.1), ["move --by 1,20cm,0.5 --scale 1.1"]),
    ("jump.bvh", lambda it: it.move(ground=True), ["move --ground"]),
    ("jump.bvh", lambda it: it.smooth(), ["smooth"]),
    ("jump.bvh", lambda it: it.smooth("*Arm", "*Leg", cutoff=4), ["smooth --cutoff 4 *Arm *Leg"]),
    ("jump.bvh", lambda it: it.smooth(cutoff=3, let_feet_slide=True), ["smooth --cutoff 3 --let-feet-slide"]),
    (
        "jump.bvh",
        lambda it: it.smooth(kind="joint", one_euro=True, min_cutoff=1.5, beta=2),
        ["smooth --kind joint --one-euro --min-cutoff 1.5 --beta 2"],
    ),
    ("bow.vmd", lambda it: it.select("右腕", "右手*", property="rotation"), ["select 右腕 右手* --property rotation"]),
    ("bow.vmd", lambda it: it.drop("右*", kind=("joint", "morph")), ["drop 右* --kind joint,morph"]),
    ("bow.vmd", lambda it: it.set(model_name="ミク"), ["set --model-name ミク"]),
    ("bow.vmd", lambda it: it.keys_move(("40f", "60f"), "2f", "頭"), ["keys move 40f:60f 2f 頭"]),
    ("bow.vmd", lambda it: it.keys_insert("40f", kind="joint"), ["keys insert 40f --kind joint"]),
    ("bow.vmd", lambda it: it.keys_delete("40f:60f", "頭", "首"), ["keys delete 40f:60f 頭 首"]),
    ("bow.vmd", lambda it: it.keys_copy(("40f", 2), 3, "頭"), ["keys copy 40f:2 3 頭"]),
    ("bow.vmd", lambda it: it.keys_scale((0, 1), 0.5, snap=True), ["keys scale 0:1 0.5 --snap"]),
    ("bow.vmd", lambda it: it.keys_law("47f", (0.2, 0, 0.8, 1), "頭"), ["keys law 47f 0.2,0,0.8,1 頭"]),
    ("bow.vmd", lambda it: it.keys_law((0, 1), "linear"), ["keys law 0:1 linear"]),
    ("hands.bin", lambda it: it.markers_add(2, "half"), ["markers add 2 half"]),
    (
        "hands.bin",
        lambda it: it.markers_add(2, "half").markers_move("half", 1).markers_remove(1),
        ["markers add 2 half", "markers move half 1", "markers remove 1"],
    ),
]


def edited(sample: str, operations: List[str], folder: Path) -> bytes:
    """The command's result for a sample."""
    program = os.environ.get("DOPESHEET")
    if program is None or not Path(program).is_file():
        assert os.environ.get("CI") != "true", "CI needs the command: DOPESHEET names it"
        pytest.skip("no command (DOPESHEET names it)")
    files = {"names": "首 = 頭\n", "swapped": "首 = 頭\n頭 = 首\n", "curve": "# old new\n0 0\n1, 1\n60f\t4 # slow\n"}
    beside: Dict[str, str] = {}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
        beside[name] = (folder / name).as_posix()
    run = [program, "edit", "--quiet", "--force", SAMPLES / sample, "-o"]
    if any("{face}" in operation for operation in operations):
        beside["face"] = (folder / f"face-{sample}").as_posix()
        subprocess.run([*run, beside["face"], "-e", "select --kind morph"], cwd=ROOT, check=True)
    lines = [word for operation in operations for word in ("-e", operation.format(**beside))]
    subprocess.run([*run, folder / sample, *lines], cwd=ROOT, check=True)
    return (folder / sample).read_bytes() if (folder / sample).exists() else b""


@pytest.mark.parametrize(("sample", "chain", "operations"), CHAINS, ids=lambda it: "; ".join(it) if isinstance(it, list) else "")
def test_a_chain_writes_what_the_command_writes(
    sample: str, chain: Callable[[Any], Any], operations: List[str], tmp_path: Path
) -> None:
    wanted = edited(sample, operations, tmp_path)
    file = dopesheet.open(SAMPLES / sample)
    before = file.to_bytes()
    assert chain(file).to_bytes() == wanted
    here = tmp_path / f"own-{sample}"
    chain(file.clips[0]).save(here)
    assert here.read_bytes() == wanted
    assert file.to_bytes() == before


def test_all_operations_of_the_command_are_tried() -> None:
    tried = {line.split()[0] for _, _, lines in CHAINS for line in lines}
    both = {" ".join(line.split()[:2]) for _, _, lines in CHAINS for line in lines}
    for word, _, _ in _native.operations():
        assert word in tried | both, word


def test_every_operation_is_a_method_with_its_options() -> None:
    operations = _native.operations()
    assert len(operations) >= 25
    for word, options, takes_others in operations:
        method = getattr(Edits, word.replace(" ", "_"))
        parameters = list(inspect.signature(method).parameters)[1:]
        wanted = {{"from": "from_"}.get(option, option.replace("-", "_")) for option in options}
        # A range is two arguments where it is the point of the operation.
        found = {"range" if name in ("start", "end") else name for name in parameters}
        # What makes several files is no option of an operation that makes one.
        assert found - {"split"} == wanted | ({"others"} if takes_others else set()), word
        assert method.__doc__


def test_parts_are_those_of_the_command(tmp_path: Path) -> None:
    edited("bow.vmd", ["split 30f 3"], tmp_path)
    clip = dopesheet.open("samples/bow.vmd").clips[0]
    for parts in (clip.split("30f", 3), clip.file.split("30f", 3)):
        assert len(parts) == 3
        for at, part in enumerate(parts):
            part.save(tmp_path / "part.vmd", overwrite=True)
            assert (tmp_path / "part.vmd").read_bytes() == (tmp_path / f"bow-{at + 1}.vmd").read_bytes()
    first, second, third = clip.split("30f", 3)
    assert first.concat(second, third).duration == clip.duration


def test_a_body_and_a_camera_come_apart_as_the_command_writes_them(tmp_path: Path) -> None:
    edited("bow.vmd", ["merge samples/camera.vmd --split"], tmp_path)
    clip = dopesheet.open("samples/bow.vmd").clips[0]
    for body, camera in (
        clip.merge("samples/camera.vmd", split=True),
        clip.file.merge("samples/camera.vmd", split=True),
    ):
        for name, part in (("bow.vmd", body), ("bow-camera.vmd", camera)):
            part.save(tmp_path / "part.vmd", overwrite=True)
            assert (tmp_path / "part.vmd").read_bytes() == (tmp_path / name).read_bytes()
    body, camera = clip.merge("samples/camera.vmd", split=True)
    assert {track.kind for track in camera.tracks} >= {"camera"} and "joint" not in {track.kind for track in camera.tracks}
    assert (camera.index, camera.file.format) == (0, "vmd") and camera.report.dropped == []
    alone = refused(lambda: clip.drop(kind="morph").merge(clip.select(kind="morph"), split=True))
    assert str(alone) == "merge: split: expected the motion of a model and that of a camera, found only one of them"
    assert alone.argument == "split"
    assert "another motion" in str(refused(lambda: clip.merge(split=True)))


def test_one_clip_of_several_is_cut_and_the_others_stay() -> None:
    file = dopesheet.open(dopesheet.convert(["samples/bow.vmd", "samples/walk.vmd"], "glb", model="standard").data)
    first, second = file.clips[1].split(1.0)
    assert first.duration == pytest.approx(1.0) and second.duration == pytest.approx(file.clips[1].duration - 1)
    assert all(part.file.clips[0].duration == file.clips[0].duration for part in (first, second))
    assert "split: " in str(refused(lambda: file.split(1.0)))


def test_what_undoes_itself_leaves_every_byte(tmp_path: Path) -> None:
    file = dopesheet.open("samples/bow.vmd")
    clip = file.clips[0].shift("10f").retime(speed=0.5).retime(speed=2).shift("-10f")
    assert clip.file.to_bytes() == (SAMPLES / "bow.vmd").read_bytes()
    assert clip.report.approximated == [] and clip.report.dropped == []


def test_each_step_of_a_chain_can_be_kept() -> None:
    whole = dopesheet.open("samples/bow.vmd").clips[0]
    part = whole.trim(1, 3)
    slow, fast = part.retime(speed=0.5), part.retime(speed=2)
    assert [clip.duration for clip in (whole, part, slow, fast)] == [4.2, 2.0, 4.0, 1.0]
    assert isinstance(slow, Clip) and isinstance(slow.file, File)
    assert slow.times[-1] == 4.0 and len(slow.tracks) == len(whole.tracks)
    assert repr(part) == "<Clip (no name): 2.000 s, 61 frames at 30 fps, 13 joints>"


def test_the_report_says_what_a_chain_cost() -> None:
    clip = dopesheet.open("samples/bow.vmd").clips[0]
    assert clip.report.kept == [] and clip.report.findings == []
    losses = clip.trim("30f", "90f").report.approximated
    (one,) = [loss for loss in losses if loss.what.startswith("each joint by itself")]
    assert one.what.endswith("curves divided where the clip is cut") and 5e-4 < one.max_error.value < 1e-3
    with pytest.raises(dopesheet.DopesheetError, match="tolerance-exceeded"):
        clip.within("0.5mm").trim("30f", "90f").report
    assert clip.within("1mm").trim("30f", "90f").report.findings == []
    assert clip.shift(1).report.kept == ["73 bone keys", "16 morph keys", "1 show/IK key"]


def test_a_clip_alone_is_changed_and_the_others_stay() -> None:
    file = dopesheet.open(dopesheet.convert(["samples/bow.vmd", "samples/walk.vmd"], "glb", model="standard").data)
    assert [clip.name for clip in file.clips] == ["bow", "walk"]
    chosen = file.clips[1]
    after = chosen.retime(speed=2)
    assert after.duration == pytest.approx(chosen.duration / 2) and after.index == 1
    assert [clip.duration for clip in after.file.clips if clip.index != 1] == [
        clip.duration for clip in file.clips if clip.index != 1
    ]
    all_of_them = file.retime(speed=2)
    for now, then in zip(all_of_them.clips, file.clips):
        assert now.duration == pytest.approx(then.duration / 2)
    # The clip of another position comes behind this one.
    both = file.clips[1].concat(file.clips[0])
    assert both.duration >= file.clips[1].duration + file.clips[0].duration - 1e-6


def test_an_edited_file_is_converted_without_being_written() -> None:
    part = dopesheet.open("samples/bow.vmd", model="standard").clips[0].trim(1, 2)
    glb = dopesheet.open(part.convert("glb").data)
    assert glb.clips[0].duration == 1.0 and part.rotations.shape == (31, 98, 4)


def test_a_clip_of_arrays_is_edited_too(tmp_path: Path) -> None:
    turns = np.zeros((31, 1, 3), dtype=np.float32)
    turns[:, 0, 2] = np.linspace(0, 1, 31)
    made = Clip.from_arrays(
        turns, order="axis-angle", names=["hips"], parents=[-1], offsets=[[0.0, 1.0, 0.0]],
        axes="gltf", metres_per_unit=1.0, fps=30,
    )
    back = made.trim(0, 0.5).reverse()
    assert back.duration == 0.5
    assert back.poses().axis_angle()[:, 0, 2] == pytest.approx(np.linspace(0.5, 0, 16), abs=1e-6)
    assert back.save(tmp_path / "back.bvh").to == "bvh"


def refused(work: Callable[[], object]) -> ArgumentError:
    with pytest.raises(ArgumentError) as caught:
        work()
    assert not re.search(r"(?<![\w-])--[a-z]", str(caught.value))
    return caught.value


def test_what_makes_no_sense_names_the_argument() -> None:
    clip = dopesheet.open("samples/bow.vmd").clips[0]
    wrong: Any = clip
    error = refused(lambda: clip.trim("x", 2))
    assert (error.argument, error.found) == ("range", '["x",2]')
    assert str(error).startswith("trim: range: expected a start and an end, in seconds or as ")
    assert refused(lambda: wrong.set(model_name=3)).argument == "model_name"
    assert str(refused(lambda: wrong.trim(1, 2, keep_time="yes"))) == (
        'trim: keep_time: expected true or false, found "yes"'
    )
    assert str(refused(lambda: clip.retime(speed=float("nan")))) == (
        "retime: speed: expected a finite number, found nan"
    )
    assert str(refused(lambda: clip.retime())) == "retime: speed: expected one of speed, duration, fps and curve, found none"
    assert refused(lambda: clip.retime(speed=1, fps=60)).found == "several"
    assert "found that point 2 is not" in str(refused(lambda: clip.retime(curve=[(0, 0), (1, 0)])))
    assert str(refused(lambda: clip.rename(to="vrm"))).startswith("rename: from_: expected one of unity, mmd, vrm, mixamo, ")
    assert refused(lambda: clip.rename(from_="cmu", to="vrm")).argument is None
    assert str(refused(lambda: clip.trim(1.01, 2))).endswith("between 30f and 31f; snap=True takes the nearest")
    assert "expected a range within the clip" in str(refused(lambda: clip.trim(1, 100)))
    assert "expected a number above 0, found -1" in str(refused(lambda: clip.retime(speed=-1)))
    assert "there are センター" in str(refused(lambda: clip.select("左手")))
    assert "names=…" in str(refused(lambda: clip.select("頭").mirror()))
    assert refused(lambda: clip.select(kind="bone")).argument == "kind"  # type: ignore[arg-type]
    assert "another motion" in str(refused(lambda: clip.merge()))


def test_what_a_format_has_no_room_for_is_refused_when_the_file_is_needed() -> None:
    clip = dopesheet.open("samples/bow.vmd").clips[0]
    looped = clip.set(loop=True)
    assert "do not say if a clip starts again" in str(refused(looped.file.to_bytes))
    both = clip.merge("samples/camera.vmd")
    assert "MikuMikuDance loads" in str(pytest.raises(dopesheet.ConvertError, both.file.to_bytes).value)
    # On the way it does not matter.
    again = both.drop(kind=["camera", "light"]).drop("self-shadow").trim(0, 4.2)
    assert again.file.to_bytes() == clip.file.to_bytes()
