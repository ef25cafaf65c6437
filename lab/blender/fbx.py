"""Holds our reading of FBX against Blender's: where its importers have joints and objects, and where a sample has them.

Job: ``{"file": PATH, "clip": NAME, "frames": [NUMBER…], "times": NUMBER, "tolerance_m": METRES, "sample": DOCUMENT, "straight":
DOCUMENT}`` per line of standard input. The document is what ``dopesheet sample --space model --axes gltf --json`` prints of that
clip; ``frames`` are its times on the clock of the file, in whole frames. As many of them as ``times`` says are compared, spread
evenly over those at which all that moves has a key. ``straight`` is the same of a copy of the file with straight lines for all
curves, or ``null``.

Answer: ``{"file": …, "clip": …, "compared": …, "agrees": …, "times": …, "without": …, "importers": {"fbx_import": …, "add-on":
…}}`` with, for each of Blender's two importers, ``{"joints": …, "times": …, "values": …, "worst": {"joint": …, "frame": …, "off_m":
…}}``. The first is written in C++ and rests on the library that we read with; the second is written in Python and shares nothing
with it. One of them has to have all joints where we have them, because each has faults and ways of its own:

* a take with several layers becomes an action per layer, which nobody puts together (jobs have none of these);
* between the keys of the file both go straight, whatever curves say, and hold the last one where curves start again: hence only
  times are compared at which every curve has a key;
* the second reads neither text nor files before version 7.1.

Where neither has, ``without`` says which of the ways in ``fbx_ways.py`` have to be taken back, one or two, for one importer to have
all of them there: ``{"ways": ["origin at pivot"], "joints": …, "times": …, "values": …, "worst": …}``; ``null`` if none do.
"""

from __future__ import annotations

import json
import math
import sys
from functools import reduce
from itertools import combinations
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional

import bpy

sys.path.insert(0, str(Path(__file__).parent))
from compare import LONGEST_NAME, places, quiet
from fbx_ways import WAYS, Undone
from mathutils import Matrix, Vector

IMPORTERS: Dict[str, Callable[[str], Any]] = {
    "fbx_import": lambda path: bpy.ops.wm.fbx_import(filepath=path, anim_offset=0.0),
    "add-on": lambda path: bpy.ops.import_scene.fbx(filepath=path, anim_offset=0.0),
}


def load(importer: str, path: str) -> None:
    """Opens a file in an empty scene."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if importer == "add-on":
        bpy.ops.preferences.addon_enable(module="io_scene_fbx")
    IMPORTERS[importer](path)


def assign(importer: str, clip: str) -> bool:
    """Plays the action of a clip on everything that it moves. Whether there is one."""
    played = False
    for thing in bpy.data.objects:
        name = clip if importer == "fbx_import" else f"{thing.name}|{clip}|"
        actions = [a for a in bpy.data.actions if (a.name == clip if importer == "fbx_import" else a.name.startswith(name))]
        slots = [(a, s) for a in actions for s in a.slots if importer == "add-on" or s.identifier == f"OB{thing.name}"]
        if not slots:
            thing.animation_data_clear()
            continue
        data = thing.animation_data_create()
        data.action, data.action_slot = slots[0]
        played = True
    return played


def matrices() -> Dict[str, Callable[[], Matrix]]:
    """The world matrices of all joints and objects by name."""
    found: Dict[str, Callable[[], Matrix]] = {}
    for thing in bpy.context.scene.objects:
        if thing.type == "ARMATURE":
            for bone in thing.pose.bones:
                found[bone.name] = lambda t=thing, b=bone: t.matrix_world @ b.matrix
        # The place of a skinned mesh means nothing: its joints say where it is.
        if any(modifier.type == "ARMATURE" for modifier in thing.modifiers):
            continue
        found.setdefault(thing.name, lambda t=thing: t.matrix_world)
    return found


def whereabouts(undone: Undone) -> Dict[str, Callable[[], Any]]:
    """By name, what says where each joint and object is, without a way of the importer."""
    found = matrices()

    def place(name: str) -> Vector:
        return (undone.scene @ found[name]() @ undone.nodes.get(name, Matrix())).translation

    return {name: lambda name=name: place(name) for name in found}


def moving_curves() -> Iterator[Any]:
    """The curves that are played and do not stay what they are."""
    for thing in bpy.context.scene.objects:
        data = thing.animation_data
        if data is None or data.action is None:
            continue
        for strip in (strip for layer in data.action.layers for strip in layer.strips):
            for bag in (bag for bag in strip.channelbags if bag.slot == data.action_slot):
                yield from (c for c in bag.fcurves if len({point.co[1] for point in c.keyframe_points}) > 1)


def rows_with_keys(job: Dict[str, Any]) -> List[int]:
    """Which frames of a job have a key on every curve; evenly spread, if there are more than are asked for."""
    common = None
    for curve in moving_curves():
        frames = {round(point.co[0]) for point in curve.keyframe_points if abs(point.co[0] - round(point.co[0])) < 1e-3}
        common = frames if common is None else common & frames
    rows = [row for row, frame in enumerate(job["frames"]) if common is None or frame in common]
    count = min(job["times"], len(rows))
    return sorted({rows[(2 * at + 1) * len(rows) // (2 * count)] for at in range(count)})


def farthest(job: Dict[str, Any], undone: Undone = Undone()) -> Dict[str, Any]:
    """How many joints and places were compared, and where they are furthest apart."""
    expected, found = places(job["straight" if undone.straight else "sample"]), whereabouts(undone)
    names: List[str] = sorted(expected.keys() & found.keys())
    rows = rows_with_keys(job)
    values, worst = 0, {"joint": None, "frame": None, "off_m": 0.0}
    for row in rows:
        frame = job["frames"][row]
        bpy.context.scene.frame_set(frame)
        for name in names:
            off_m = math.dist(found[name](), expected[name][row])
            values += 1
            if not off_m <= worst["off_m"]:
                worst = {"joint": name, "frame": frame, "off_m": off_m}
    return {"joints": len(names), "times": len(rows), "values": values, "worst": worst}


def imported(job: Dict[str, Any], importer: str) -> bool:
    """Opens the file of a job and plays its clip. Whether the importer has it."""
    with quiet():
        load(importer, job["file"])
        return assign(importer, job["clip"])


def without_ways(job: Dict[str, Any], importer: str) -> Optional[Dict[str, Any]]:
    """The first way of importers, or else the first two, without which all is where we have it, and what was found then."""
    for ways in [*combinations(WAYS, 1), *combinations(WAYS, 2)]:
        imported(job, importer)
        with quiet():
            undone = [way.undo(job) for way in ways]
        if None in undone:
            continue
        result = farthest(job, reduce(Undone.then, undone))
        if is_near(job, result):
            return {"ways": [way.name for way in ways], **result}
    return None


def is_near(job: Dict[str, Any], result: Dict[str, Any]) -> bool:
    return bool(result.get("values", 0) > 0 and result["worst"]["off_m"] <= job["tolerance_m"])


def compare(job: Dict[str, Any]) -> Dict[str, Any]:
    results: Dict[str, Any] = {}
    for importer in IMPORTERS:
        try:
            results[importer] = farthest(job) if imported(job, importer) else {"plays": False}
        except Exception as error:
            results[importer] = {"error": str(error).splitlines()[-1]}
    compared = [importer for importer, result in results.items() if result.get("values", 0) > 0]
    near = [results[importer] for importer in compared if is_near(job, results[importer])]
    without = [without_ways(job, importer) for importer in compared] if not near else []
    return {
        "file": job["file"],
        "clip": job["clip"],
        "compared": bool(compared),
        "agrees": bool(near),
        "without": next((found for found in without if found), None),
        "times": max((result["times"] for result in near), default=0),
        "importers": results,
    }


def main() -> None:
    for line in sys.stdin:
        job = json.loads(line)
        try:
            answer = compare(job)
        except Exception as error:  # One bad job does not stop the others.
            about = {"file": job["file"], "clip": job["clip"], "error": str(error)}
            answer = {**about, "compared": True, "agrees": False, "without": None}
        print(json.dumps(answer, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
