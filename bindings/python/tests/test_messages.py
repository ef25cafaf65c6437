"""What the package says of itself, of names that nothing has, and of options: in the words of Python."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path

import dopesheet
import numpy as np
import pytest
from dopesheet import Clip, _words

ROOT = Path(__file__).resolve().parents[3]
#: Options that the command line alone has, and those of cargo.
NOT_HERE = {"verbose", "select", "path", "features"}


def test_the_package_tells_its_version() -> None:
    manifest = (ROOT / "Cargo.toml").read_text("utf-8")
    stated = re.search(r'^version = "(.*)"$', manifest, re.MULTILINE)
    assert stated is not None and dopesheet.__version__ == stated[1]


def test_a_file_that_exists_names_the_argument_that_overwrites_it(tmp_path: Path) -> None:
    file = dopesheet.open("samples/bow.vmd")
    file.save(tmp_path / "bow.glb")
    with pytest.raises(dopesheet.ExistingFileError, match=r"\(overwrite=True overwrites it\)"):
        file.save(tmp_path / "bow.glb")


def test_findings_name_arguments() -> None:
    report = dopesheet.convert("samples/bow.vmd", "glb").report
    (finding,) = [finding for finding in report.findings if finding.code == "hierarchy-unknown"]
    assert "give one with model=…" in finding.expected and "give one with model=…" in finding.message


@pytest.mark.parametrize(
    ("said", "spoken"),
    [
        ("(--force overwrites it)", "(overwrite=True overwrites it)"),
        ("give one with -m; -m standard will do", 'give one with model=…; model="standard" will do'),
        ("--space model needs a hierarchy", 'space="model" needs a hierarchy'),
        ("a conversion needs --assume axes=….", 'a conversion needs assume={"axes": …}.'),
        ("--assume rate=…,axes=…, then", 'assume={"rate": …, "axes": …}, then'),
        ("with --times, --fps or --range", "with times=…, fps=… or range=…"),
        ("--raw keeps the keys", "raw=True keeps the keys"),
        ("walk--raw-1.vmd and a --- line", "walk--raw-1.vmd and a --- line"),
    ],
)
def test_options_become_arguments(said: str, spoken: str) -> None:
    assert _words.spoken(said) == spoken


def test_every_option_that_the_library_names_becomes_an_argument() -> None:
    found = {}
    for source in [*ROOT.glob("crates/*/src/**/*.rs"), *ROOT.glob("formats/*/src/**/*.rs")]:
        if source.parts[len(ROOT.parts) + 1] in ("bench", "samples", "testkit"):
            continue
        for line in source.read_text("utf-8").partition("#[cfg(test)]")[0].splitlines():
            if not line.lstrip().startswith("//") and '"' in line:
                found.update((option, f"{source}: {line}") for option in re.findall(r"(?<![\w-])--([a-z]+(?:-[a-z]+)*)", line))
    assert {"force", "scale", "space", "assume", "clip"} <= found.keys()
    for option, line in found.items():
        assert option in NOT_HERE or "--" not in _words.spoken(f"--{option}"), line


def test_unknown_names_tell_what_is_near() -> None:
    clip = dopesheet.open("samples/jump.bvh").clips[0]
    name = clip.tracks[0].target
    with pytest.raises(KeyError) as caught:
        clip.track(name.lower())
    assert isinstance(caught.value, dopesheet.UnknownNameError)
    assert str(caught.value) == f"no track {name.lower()!r}; did you mean {name!r}?"
    assert caught.value.near == [name]
    with pytest.raises(dopesheet.UnknownNameError, match="no channel 'rotations'; did you mean 'rotation'"):
        clip.track(name)["rotations"]
    sampled = clip.sample(times=[0.0])
    with pytest.raises(dopesheet.UnknownNameError, match=f"did you mean '{name}'"):
        sampled[name + "x"]
    with pytest.raises(dopesheet.UnknownNameError, match="no channel 'translatoin'; did you mean 'translation'"):
        sampled[name]["translatoin"]
    with pytest.raises(dopesheet.UnknownNameError, match="no track 'qqq'; there are .* and [0-9]+ more"):
        clip.track("qqq")
    with pytest.raises(dopesheet.UnknownNameError, match="no clip 7"):
        clip.file.clip(7)


def poisoned() -> bytes:
    """A GLB in which a joint is at NaN in the second key."""
    turns = np.tile(np.float32([0, 0, 0, 1]), (3, 1, 1))
    places = np.float32([[0, 0, 0], [0, 1, 0], [0, 0, 0]])
    clip = Clip.from_arrays(
        turns, order="xyzw", names=["hip"], parents=[-1], offsets=np.zeros((1, 3)), axes="glb", metres_per_unit=1.0, fps=30,
        root_positions=places,
    )
    made = clip.convert("glb").data
    (size,) = struct.unpack_from("<I", made, 12)
    document = json.loads(made[20 : 20 + size])
    (sampler,) = document["animations"][0]["samplers"]
    accessor = document["accessors"][sampler["output"]]
    view = document["bufferViews"][accessor["bufferView"]]
    at = 20 + size + 8 + view.get("byteOffset", 0) + accessor.get("byteOffset", 0) + 12
    return made[:at] + struct.pack("<f", np.nan) + made[at + 4 :]


def test_nan_never_reaches_poses() -> None:
    clip = dopesheet.open(poisoned()).clips[0]
    expected = 'expected finite poses, found NaN in the translation of "hip" at'
    with pytest.raises(dopesheet.ParseError, match=expected) as caught:
        clip.poses(fps=30)
    assert caught.value.code == "pose-not-finite"
