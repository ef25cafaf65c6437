"""Files of other people, and what other programs say that they hold. The same values as the tests of the rooms."""

from __future__ import annotations

from pathlib import Path
from typing import Any, List

import numpy as np
import pytest

import dopesheet
from conftest import angles, corpus, far, manifest


def test_playcanvas_files_play_as_in_its_engine() -> None:
    folder = corpus("playcanvas")
    compared = 0
    for entry in manifest(folder)["files"]:
        if not entry["evaluatedBy"].startswith("engine") or "nodes" not in entry:
            continue
        sampled = dopesheet.open(folder / entry["file"]).sample(times=entry["times"])
        shortcut = {tuple(pair) for pair in entry.get("shortcut", [])}
        off = {(time, node) for time, node, *_ in entry.get("nan", []) + entry.get("held", [])}
        for number, node in enumerate(entry["nodes"]):
            tracks = [t for t in sampled if t.target == node["name"]]
            for letter, channel, bound in [("p", "translation", 2e-6), ("s", "scale", 2e-6), ("r", "rotation", 4e-6)]:
                if letter not in node or not tracks or channel not in tracks[0].channels:
                    continue
                for time, expected in enumerate(node[letter]):
                    if (time, number) in off or any(isinstance(x, str) or x is None for x in expected):
                        continue
                    found = tracks[0][channel][time]
                    if letter == "r":
                        assert angles(found, expected) <= (1.2e-3 if (time, number) in shortcut else bound)
                    else:
                        assert far(found, expected) <= bound
                    compared += 1
    assert compared > 3_000, compared


def test_gltf_files_play_as_in_three() -> None:
    folder = corpus("gltf")
    files = compared = 0
    for entry in manifest(folder)["files"]:
        file = dopesheet.open(folder / entry["file"])
        files += 1
        bound = 3e-3 if "normalized" in entry["file"] else 2e-4
        for number, animation in enumerate(entry.get("animations", [])):
            sampled = file.sample(times=animation["times"], axes="native", clip=number)
            for channel in animation["channels"]:
                if "node" not in channel or channel["path"] not in ("translation", "rotation", "scale", "weights"):
                    continue
                (values,) = [
                    t[channel["path"]] for t in sampled if t.index == channel["node"] and channel["path"] in t.channels
                ]
                if channel["path"] == "rotation":
                    assert angles(values, channel["values"]).max() <= bound
                else:
                    assert far(values, np.reshape(channel["values"], values.shape)) <= 1e-5
                compared += 1
    assert files >= 6 and compared >= 12, (files, compared)


def test_recordings_play_as_they_were_made() -> None:
    folder = corpus("mrtk")
    parts = {"position": "translation", "rotation": "rotation"}
    seen = compared = 0
    for entry in manifest(folder)["good"]:
        file = dopesheet.open(folder / entry["file"])
        seen += 1
        assert file.clips[0].duration == pytest.approx(entry["duration"])
        for sample in entry.get("samples", []):
            target, _, rest = sample["curve"].rpartition(".")[0].rpartition(".")
            name, component = sample["curve"].rsplit(".", 1)
            target, part = name.rsplit(".", 1)
            if part not in parts or target == "gaze":
                continue
            tracks = [t for t in file.sample(times=[sample["t"]]) if t.target == target and parts[part] in t.channels]
            if tracks:
                found = tracks[0][parts[part]][0]["xyzw".index(component)]
                assert abs(found - sample["value"]) <= 1e-6 * max(1, abs(sample["value"])), sample
                compared += 1
    assert seen >= 5 and compared >= 100, (seen, compared)


def test_bones_move_as_in_other_programs() -> None:
    folder = corpus("mmd")
    paths = sorted((folder / "expected").glob("local-*.json"))
    assert len(paths) >= 8, len(paths)
    compared = 0
    for path in paths:
        expected = manifest(path.parent, path.name)
        frames = expected["frames"]
        clip = dopesheet.open(folder / expected["motion"]).clips[0]
        poses, sampled = clip.poses(frames=frames), clip.sample(frames=frames)
        for track in expected["tracks"]:
            compared += compare_bone(track, poses, sampled, len(frames))
    assert compared > 10_000, compared


def compare_bone(track: Any, poses: dopesheet.Poses, sampled: dopesheet.Sampled, count: int) -> int:
    joint = poses.joint_names.index(track["bone"])
    unscored = set(track.get("between_adjacent_keys", []))
    loose = {entry["i"]: entry for entry in track.get("loose", [])}
    still = track.get("const")
    scored = [i for i in range(count) if i not in unscored]
    for i in scored:
        t, r = (still["t"], still["r"]) if still else (track["t"][i], track["r"][i])
        bounds = loose.get(i, track)
        # As arrays of float32, and as the library samples it in double precision.
        for position, rotation in [
            (poses.positions[i, joint], poses.rotations[i, joint]),
            (sampled[track["bone"]]["translation"][i], sampled[track["bone"]]["rotation"][i]),
        ]:
            assert np.abs(position - t).max() <= bounds["tol_t"], (track["bone"], i)
            assert np.degrees(angles(rotation, r)) <= bounds["tol_r_deg"], (track["bone"], i)
    return 2 * len(scored)


def test_joints_stand_where_other_programs_put_them() -> None:
    """After the rig, through arrays of float32; which poses differ from program to program is told by tests of the rig."""
    folder = corpus("mmd")
    paths = sorted((folder / "expected").glob("world-*.json"))
    assert len(paths) >= 9, len(paths)
    samples = agree = 0
    for path in paths:
        expected = manifest(path.parent, path.name)
        file = dopesheet.open(folder / expected["motion"], model=folder / expected["model"])
        found = file.clips[0].poses(frames=expected["frames"])
        positions, turns = found.global_positions(), found.global_rotations()
        for bone in expected["bones"]:
            joint = found.joint_names.index(bone["bone"])
            near = np.linalg.norm(positions[:, joint] - np.asarray(bone["p"]), axis=-1) <= bone["tol_p"]
            alike = np.degrees(angles(turns[:, joint], bone["r"])) <= bone["tol_r_deg"]
            samples += len(near)
            agree += int((near & alike).sum())
    assert samples > 5_000 and agree > 0.995 * samples, (agree, samples)


def damaged(family: str) -> List[Any]:
    folder = corpus(family)
    return [(folder / entry["file"], entry) for entry in manifest(folder)["bad"]]


def outcome(path: Path) -> List[str]:
    """The codes of what is wrong with a file, whether it can be read or not."""
    try:
        return [finding.code for finding in dopesheet.open(path).check().findings]
    except dopesheet.ParseError as error:
        assert error.code is not None and error.expected and error.found
        return [error.code]


def test_damaged_files_have_the_codes_of_the_manifests() -> None:
    seen = 0
    for path, entry in damaged("gltf"):
        missing = set(entry["required"]) - set(outcome(path))
        assert not missing, (path, missing)
        seen += 1
    for path, entry in damaged("playcanvas"):
        if entry["expect"] == "error":
            assert set(entry["code"]) & set(outcome(path)), path
        seen += 1
    for path, entry in damaged("mrtk"):
        if entry["outcome"] == "reject":
            with pytest.raises(dopesheet.ParseError) as caught:
                dopesheet.open(path, format="mrtk2")
            assert caught.value.code == entry["error"], path
        seen += 1
    for path, entry in damaged("more"):
        if entry["stage"] == "read" and path.suffix == ".ubi":
            with pytest.raises(dopesheet.ParseError) as caught:
                dopesheet.open(path, format="more")
            assert caught.value.code in entry["code"].split("|"), path
        seen += 1
    assert seen >= 60, seen


def test_damaged_files_of_mikumikudance_are_judged_as_agreed() -> None:
    folder = corpus("mmd") / "bad"
    seen = 0
    for name, entry in manifest(folder)["files"].items():
        seen += 1
        try:
            dopesheet.open(folder / name)
            accepted = True
        except dopesheet.ParseError:
            accepted = False
        assert entry["verdict"] == "either" or accepted == (entry["verdict"] == "accept"), name
    assert seen >= 40, seen
