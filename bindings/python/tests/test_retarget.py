"""Motions on other figures: the bytes of the command, and clips on other skeletons."""

import os
import subprocess
from pathlib import Path
from typing import Any, Dict, List

import numpy as np
import pytest

import dopesheet
from conftest import ROOT, SAMPLES
from dopesheet import ArgumentError, ConvertError

#: A motion, options here, and those of the command.
RUNS = [
    ("jump.bvh", {}, []),
    ("jump.bvh", {"motion_only": True}, ["--motion-only"]),
    ("jump.bvh", {"vocabulary": "mixamo:mixamo", "tolerance": "1mm"}, ["--vocabulary", "mixamo:mixamo", "--tolerance", "1mm"]),
    ("jump.bvh", {"contacts": "off"}, ["--contacts", "off"]),
    ("jump.bvh", {"floor": "keep"}, ["--floor", "keep"]),
    ("jump.bvh", {"raise_": "-2cm"}, ["--raise", "-2cm"]),
    ("walk.vmd", {"contacts": "all"}, ["--contacts", "all"]),
    ("walk.vmd", {}, []),
    ("walk.vmd", {"motion_only": True}, ["--motion-only"]),
]


def by_command(sample: str, out: Path, arguments: List[str]) -> bytes:
    program = os.environ.get("DOPESHEET")
    if program is None:
        assert os.environ.get("CI") != "true", "CI needs the command: DOPESHEET names it"
        pytest.skip("DOPESHEET does not name the command")
    figure = SAMPLES / "character.glb"
    subprocess.run(
        [program, "convert", "--quiet", SAMPLES / sample, "--onto", figure, "-o", out, *arguments], cwd=ROOT, check=True
    )
    return out.read_bytes()


@pytest.mark.parametrize(("sample", "options", "arguments"), RUNS)
def test_a_figure_gets_the_motion_that_the_command_gives_it(
    sample: str, options: Dict[str, Any], arguments: List[str], tmp_path: Path
) -> None:
    wanted = by_command(sample, tmp_path / "wanted.glb", arguments)
    file, figure = dopesheet.open(SAMPLES / sample), SAMPLES / "character.glb"
    assert file.convert("glb", onto=figure, **options).data == wanted
    assert dopesheet.convert(SAMPLES / sample, onto=dopesheet.open(figure), **options).data == wanted
    file.save(tmp_path / "own.glb", onto=figure, **options)
    assert (tmp_path / "own.glb").read_bytes() == wanted


def test_samples_on_another_figure_are_those_of_the_clip_that_it_gets() -> None:
    jump, figure = dopesheet.open(SAMPLES / "jump.bvh"), SAMPLES / "character.glb"
    clip = jump.clips[0].retarget(figure)
    for sampled in [
        jump.sample(onto=figure, times=[1.0], axes="gltf", space="model"),
        jump.clips[0].sample(onto=dopesheet.open(figure), times=[1.0], axes="gltf", space="model"),
    ]:
        wanted = clip.sample(times=[1.0], axes="gltf", space="model")
        for joint in ["LeftUpLeg", "RightHand"]:
            assert sampled[joint]["translation"] == pytest.approx(wanted[joint]["translation"], abs=1e-3)


def test_a_clip_moves_the_skeleton_of_another_figure(tmp_path: Path) -> None:
    clip = dopesheet.open(SAMPLES / "jump.bvh").clips[0]
    made = clip.retarget(SAMPLES / "character.glb")
    assert {"Hips", "LeftUpLeg", "RightHand"} <= set(made.joint_names) and "LeftToeBase" not in made.joint_names
    assert made.duration == pytest.approx(clip.duration)
    assert any(what.startswith("hip translation scaled") for what in made.report.kept)
    slides = made.report.slides
    assert {"leftFoot", "rightFoot"} <= {slide.bone for slide in slides}
    assert all(slide.start_s < slide.end_s and slide.after_m < 0.005 for slide in slides)
    poses = made.poses(fps=30)
    assert np.isfinite(poses.global_positions()).all()
    hips = poses.global_positions()[:, made.joint_names.index("Hips"), 1]
    assert np.ptp(hips) > 0.1
    # It is a clip as any other: it may be changed, and put onto the next figure.
    assert made.trim(0.5, 1).duration == pytest.approx(0.5)
    assert made.retarget("standard").joint_names
    alone = by_command("jump.bvh", tmp_path / "alone.glb", ["--motion-only"])
    assert made.file.to_bytes() == alone


def test_a_clip_moves_a_body_of_research_and_keeps_its_rate() -> None:
    clip = dopesheet.open(SAMPLES / "jump.bvh").clips[0]
    for figure, joints in (("smpl", 24), ("smplh", 52), ("smplx", 55)):
        made = clip.retarget(figure)
        assert (made.joint_names[0], made.fps) == ("pelvis", clip.fps)
        assert made.poses().rotations.shape[1] == len(made.joint_names) <= joints
    made = clip.retarget("standard", hands="relaxed")
    assert made.fps == clip.fps and len(made.poses().times) == len(clip.poses().times)
    verdict = made.report.verdicts[0]
    assert verdict.judgement == "good" and str(verdict).startswith("good: poses as in the source")
    assert {"arms", "slides", "depth"} <= {measure.measure for measure in verdict.measures}
    assert all(measure.value <= measure.good for measure in verdict.measures)


def test_what_cannot_be_put_onto_a_figure_says_why() -> None:
    clip = dopesheet.open(SAMPLES / "jump.bvh").clips[0]
    with pytest.raises(ConvertError, match="expected a human figure in .*hands.bin"):
        clip.retarget(SAMPLES / "hands.bin")
    with pytest.raises(ArgumentError, match="expected a vocabulary .*klingon"):
        clip.retarget(SAMPLES / "character.glb", vocabulary="klingon")
    with pytest.raises(ArgumentError, match="motion_only: expected the figure"):
        clip.convert("glb", motion_only=True)
