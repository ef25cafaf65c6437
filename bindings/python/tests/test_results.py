"""What is said of files has types, and the content of the command's JSON."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import typing
from pathlib import Path
from typing import Any

import pytest

import dopesheet
from conftest import ROOT, SAMPLES
from dopesheet import _native, results

#: Each type, and the schema of its JSON in docs/schemas.
SCHEMAS = {
    results.Info: "info",
    results.CheckReport: "check",
    results.Diff: "diff",
    results.ConversionReport: "convert-report",
    results.FormatInfo: "formats",
}


def schema(name: str) -> Any:
    return json.loads((ROOT / f"docs/schemas/{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("of", SCHEMAS)
def test_every_member_of_the_schema_is_one_of_the_type(of: Any) -> None:
    compare(of, schema(SCHEMAS[of]), schema(SCHEMAS[of]).get("$defs", {}))


def compare(of: Any, node: Any, defs: Any) -> None:
    """The members of a type and of a schema are the same, all the way down."""
    node = defs[node["$ref"].rsplit("/", 1)[1]] if "$ref" in node else node
    for branch in node.get("oneOf", []) + node.get("anyOf", []):
        compare(of, branch, defs)
    inner = [of, *typing.get_args(of)]
    if "properties" in node:
        (of,) = [a for a in inner if dataclasses.is_dataclass(a)]
        hints = typing.get_type_hints(of)
        members = {("from_" if name == "from" else name) for name in node["properties"]} - {"schema_version"}
        assert set(hints) == members, of
        for name, member in node["properties"].items():
            if name != "schema_version":
                compare(hints["from_" if name == "from" else name], member, defs)
    if isinstance(node.get("items"), dict) and "$ref" in node["items"] or "properties" in node.get("items", {}):
        (items,) = [a for a in inner if typing.get_origin(a) is list]
        compare(typing.get_args(items)[0], node["items"], defs)


def plain(value: Any) -> Any:
    """A result as JSON would have it; members that are not there are left out."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        members = ((f.name, getattr(value, f.name)) for f in dataclasses.fields(value))
        return {("from" if name == "from_" else name): plain(member) for name, member in members}
    return [plain(item) for item in value] if isinstance(value, list) else value


#: Members that JSON leaves out where they say nothing, if that is not ``None``.
LEFT_OUT = {"between_frames": False, "slides": [], "verdicts": []}


def same(found: Any, expected: Any) -> None:
    """Members that only the type has say nothing: places that a finding has none of, stands where nothing is held."""
    if isinstance(expected, dict):
        assert set(expected) <= set(found)
        for name, member in found.items():
            same(member, expected.get(name, LEFT_OUT.get(name)))
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for a, b in zip(found, expected):
            same(a, b)
    else:
        assert found == expected


def command(*arguments: str) -> Any:
    program = os.environ.get("DOPESHEET")
    if program is None or not Path(program).is_file():
        assert os.environ.get("CI") != "true", "CI needs the command: DOPESHEET names it"
        pytest.skip("no command (DOPESHEET names it)")
    ran = subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    document = json.loads(ran.stdout)
    del document["schema_version"]
    return document


def test_results_are_those_of_the_command(tmp_path: Path) -> None:
    bow, walk = "samples/bow.vmd", "samples/walk.vmd"
    same(plain(dopesheet.open(bow).info(model="standard")), command("info", bow, "--json", "-m", "standard"))
    same(plain(dopesheet.open(bow).check(model="standard")), command("check", bow, "--json", "-m", "standard"))
    same(plain(dopesheet.open("samples/jump.bvh").info()), command("info", "samples/jump.bvh", "--json"))
    found = dopesheet.diff(bow, walk, model="standard", tolerance="1mm@5cm")
    same(plain(found), command("diff", bow, walk, "--json", "-m", "standard", "--tolerance", "1mm@5cm"))
    target = str(tmp_path / "bow.glb")
    report = dopesheet.open(bow).save(target, model="standard", names={"頭": "頭"})
    bytes_here = Path(target).read_bytes()
    same(plain(report), command("convert", bow, "-o", target, "--json", "--force", "-m", "standard"))
    assert Path(target).read_bytes() == bytes_here


def test_samples_are_those_of_the_command() -> None:
    for name, options, words in [
        ("bow.vmd", {"model": "standard", "space": "model"}, ["-m", "standard", "--space", "model"]),
        ("camera.vmd", {}, []),
        ("character.glb", {"axes": "gltf"}, ["--axes", "gltf"]),
        ("hands.bin", {"clip": 0}, ["--clip", "#0"]),
    ]:
        path = f"samples/{name}"
        expected = command("sample", path, "--json", "--times", "0,0.3,1.7", *words)
        found = dopesheet.open(path).sample(times=[0, 0.3, 1.7], **options)  # type: ignore[arg-type]
        assert (found.file, found.format, found.axes, found.space) == tuple(
            expected[key] for key in ["file", "format", "axes", "space"]
        )
        assert found.times_s.tolist() == expected["times_s"]
        assert [
            {"target": t.target, "index": t.index, "kind": t.kind, "channels": {n: v.tolist() for n, v in t.channels.items()}}
            for t in found
        ] == expected["tracks"]


def test_a_member_that_the_types_do_not_know_is_a_mistake() -> None:
    text = json.loads(_native.formats()[0])
    with pytest.raises(TypeError, match="surprise"):
        results.parse(results.FormatInfo, json.dumps({**text, "surprise": 1}))


def test_options_of_a_conversion_are_those_of_the_command() -> None:
    program = os.environ.get("DOPESHEET")
    if program is None:
        command()
    text = subprocess.run([str(program), "convert", "--help"], capture_output=True, text=True, encoding="utf-8").stdout
    here = {name.rstrip("_").replace("_", "-") for name in dopesheet.options.ConvertOptions.__annotations__}
    # Only here: `language` is --names there, because `names` is --map; `file_name` is what --output ends with.
    there = {word for word in here if f"--{word} " in text or f"--{word}\n" in text}
    assert here - there == {"language", "file-name"}, here - there


def test_several_files_are_one_with_a_clip_each() -> None:
    made = dopesheet.convert(["samples/bow.vmd", SAMPLES / "walk.vmd"], "glb", model="standard")
    assert len(dopesheet.open(made.data).clips) == 2 and len(made.report.clips) == 2
    one = dopesheet.open(made.data).clips[1].convert("bvh")
    assert len(dopesheet.open(one.data, name="x.bvh").clips) == 1


def test_clips_go_onto_the_nodes_of_another_file() -> None:
    made = dopesheet.convert("samples/wave.json", into="samples/character.glb")
    assert made.format == "glb" and dopesheet.open(made.data).clips


def test_names_are_pairs_or_a_file_of_them(tmp_path: Path) -> None:
    (tmp_path / "map.txt").write_text("頭 = 首\n", encoding="utf-8")
    bow = dopesheet.open("samples/bow.vmd")
    pairs = bow.info(model="standard", names={"頭": "首"})
    assert pairs == bow.info(model="standard", names=tmp_path / "map.txt") != bow.info(model="standard")
    (tmp_path / "bad.txt").write_text("nonsense\n", encoding="utf-8")
    with pytest.raises(dopesheet.ArgumentError, match="line 1: expected `theirs = ours`, found `nonsense`"):
        bow.info(names=tmp_path / "bad.txt")


def test_tolerances_are_read_as_by_the_command() -> None:
    with pytest.raises(dopesheet.ArgumentError, match="found \"1\""):
        dopesheet.diff("samples/bow.vmd", "samples/bow.vmd", tolerance="1")
