"""Holds our sampler against Blender: where its joints are at the times of a sample, and where the sample has them.

Job: ``{"file": PATH, "unit_m": METRES, "tolerance_m": METRES, "sample": DOCUMENT}`` per line of standard input. The
document is what ``dopesheet sample --space model --json`` prints of the file, or of what the file was made from: in
glTF's axes for a GLB, native for a BVH. ``unit_m`` is the length that one of its units stands for.

Answer: ``{"file": …, "agrees": …, "joints": …, "values": …, "worst": {"joint": …, "time_s": …, "off_m": …}}``.

Between two keys Blender mixes the components of quaternions, glTF their angle (slerp). Keys may stand so far apart that
this shows. Then Blender is given more keys on the way that glTF describes, and compared again: the answer has
``mixed`` with what was found before. Whatever else is wrong with a file is wrong with those keys, too.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import sys
from typing import Any, Dict, Iterator, List, Tuple

import bpy
import numpy as np

#: Blender keeps only the first so many bytes of a bone's name.
LONGEST_NAME = 63

#: Between keys no further apart than this, mixing components is 2e-7 rad from slerp.
NEAR_RAD = math.radians(2.0)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keeps what the importers print out of the answers."""
    kept = os.dup(1)
    try:
        os.dup2(2, 1)
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def load(path: str) -> Tuple[Any, float]:
    """Opens a file in an empty scene: its armature, and the frame on which its time 0 lies."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if path.endswith(".bvh"):
        bpy.ops.import_anim.bvh(filepath=path, frame_start=1, update_scene_fps=True)
        start = 1.0
    else:
        bpy.ops.import_scene.gltf(filepath=path)
        start = 0.0
    armatures = [thing for thing in bpy.context.scene.objects if thing.type == "ARMATURE"]
    if len(armatures) != 1:
        raise ValueError(f"expected one armature, found {len(armatures)}")
    return armatures[0], start


def go_to(time_s: float, start: float) -> None:
    """Shows the scene at a time, between two frames if it lies there."""
    scene = bpy.context.scene
    frame = start + time_s * scene.render.fps / scene.render.fps_base
    whole = math.floor(frame)
    scene.frame_set(whole, subframe=frame - whole)


def places(document: Dict[str, Any]) -> Dict[str, List[List[float]]]:
    """Where the sample has each joint, by name, at each of its times; in Blender's axes (Z up)."""
    tracks = {}
    for track in document["tracks"]:
        if "translation" in track["channels"]:
            name = track["target"].encode()[:LONGEST_NAME].decode(errors="ignore")
            tracks[name] = [[x, -z, y] for x, y, z in track["channels"]["translation"]]
    return tracks


def add_keys_on_arcs() -> None:
    """Puts keys on the way of every rotation, so close to each other that mixing components is slerp."""
    for action in bpy.data.actions:
        for strip in (strip for layer in action.layers for strip in layer.strips):
            for bag in strip.channelbags:
                turns = [curve for curve in bag.fcurves if curve.data_path.endswith("rotation_quaternion")]
                for path in {curve.data_path for curve in turns}:
                    put_on_arc(sorted((c for c in turns if c.data_path == path), key=lambda c: c.array_index))


def put_on_arc(curves: List[Any]) -> None:
    """The same for one rotation, whose four curves have their keys in the same places."""
    keys = np.empty((4, 2 * len(curves[0].keyframe_points)), dtype=np.float32)
    for curve, row in zip(curves, keys):
        curve.keyframe_points.foreach_get("co", row)
    frames, values = keys[0, 0::2].astype(float), keys[:, 1::2].T.astype(float)
    all_frames, all_values = [frames[:1]], [values[:1]]
    for left in range(len(frames) - 1):
        a, b = values[left], values[left + 1]
        angle = math.acos(min(1.0, abs(a @ b) / (np.linalg.norm(a) * np.linalg.norm(b))))
        share = np.linspace(0.0, 1.0, 1 + max(1, math.ceil(2.0 * angle / NEAR_RAD)))[1:, None]
        b_near = b if a @ b >= 0.0 else -b
        arc = np.sin((1.0 - share) * angle) * a + np.sin(share * angle) * b_near
        all_frames.append((frames[left] + share * (frames[left + 1] - frames[left]))[:, 0])
        all_values.append(arc / math.sin(angle) if len(share) > 1 else b[None])
    frames, values = np.concatenate(all_frames), np.concatenate(all_values)
    for curve, row in zip(curves, values.T):
        points = curve.keyframe_points
        points.add(len(frames) - len(points))
        points.foreach_set("co", np.stack([frames, row], axis=1).astype(np.float32).ravel())
        for point in points:
            point.interpolation = "LINEAR"
        curve.update()


def farthest(armature: Any, start: float, sample: Dict[str, Any], unit_m: float) -> Dict[str, Any]:
    """How many joints and places were compared, and where they are furthest apart."""
    expected = places(sample)
    bones = [bone for bone in armature.pose.bones if bone.name in expected]
    values, worst = 0, {"joint": None, "time_s": None, "off_m": 0.0}
    for row, time_s in enumerate(sample["times_s"]):
        go_to(time_s, start)
        for bone in bones:
            theirs = (armature.matrix_world @ bone.matrix).translation
            off_m = math.dist(theirs, expected[bone.name][row]) * unit_m
            values += 1
            # Also what is no number is beyond everything.
            if not off_m <= worst["off_m"]:
                worst = {"joint": bone.name, "time_s": time_s, "off_m": off_m}
    return {"joints": len(bones), "values": values, "worst": worst}


def compare(job: Dict[str, Any]) -> Dict[str, Any]:
    def agrees(found: Dict[str, Any]) -> bool:
        return bool(found["values"] > 0 and found["worst"]["off_m"] <= job["tolerance_m"])

    with quiet():
        armature, start = load(job["file"])
    found = farthest(armature, start, job["sample"], job["unit_m"])
    if found["values"] > 0 and not agrees(found):
        mixed = found["worst"]
        add_keys_on_arcs()
        found = {**farthest(armature, start, job["sample"], job["unit_m"]), "mixed": mixed}
    return {"file": job["file"], "agrees": agrees(found), **found}


def main() -> None:
    for line in sys.stdin:
        job = json.loads(line)
        try:
            answer = compare(job)
        except Exception as error:  # One bad job does not stop the others.
            answer = {"file": job.get("file"), "agrees": False, "error": str(error)}
        print(json.dumps(answer, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
