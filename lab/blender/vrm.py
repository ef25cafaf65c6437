"""Holds avatars and motions that we write against the VRM add-on for Blender: where its joints are, and where a sample has them.

Job: ``{"file": PATH, "animation": PATH, "plays": BOOL, "tolerance_m": METRES, "sample": DOCUMENT}`` per line of standard input; the
argument is the folder that has the add-on's package ``io_scene_vrm``. The document is what ``dopesheet sample --space model --axes gltf
--json`` prints of an avatar in motion. It plays ``animation``, a VRMA; or, where that is ``null``, the motion in ``file``. Times are
whole frames at 24 a second: the add-on plays a VRMA on frames of the scene only. Where ``plays`` is false, all joints have to be there,
wherever they are.

Answer: ``{"file": …, "animation": …, "agrees": …, "joints": …, "values": …, "worst": {"joint": …, "time_s": …, "off_m": …}}``.

A motion in an avatar is made by glTF's importer, and the add-on then lays bones along their limbs and joins them to those that they
start from, without a look at keys: limbs twist, and hips stay where they are. Here keys are turned with their bones, and bones set free.
Nothing says how it turned the bones of VRM 0.x, whose avatars take no VRMA in Blender either.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, Callable, Dict, Sequence

import bpy

sys.path.insert(0, str(Path(__file__).parent))
import addon_utils  # A module of Blender's own, which bpy makes known.
from compare import farthest, places, quiet
from mathutils import Matrix, Quaternion, Vector

ADD_ON = "io_scene_vrm"

#: Avatars whose authors forbid something are opened without a dialogue.
os.environ["BLENDER_VRM_AUTOMATIC_LICENSE_CONFIRMATION"] = "true"


def enable(folder: Path) -> None:
    """Lets Blender have the add-on, as if it were installed."""
    sys.path.insert(0, str(folder))
    if addon_utils.enable(ADD_ON, default_set=True) is None:
        raise RuntimeError(f"{folder} has no add-on that Blender {bpy.app.version_string} enables")


def load(job: Dict[str, Any]) -> Any:
    """Opens an avatar, with its motion, in an empty scene: its armature."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    if bpy.ops.import_scene.vrm(filepath=job["file"]) != {"FINISHED"}:
        raise ValueError("the add-on does not import the avatar")
    armatures = [thing for thing in bpy.context.scene.objects if thing.type == "ARMATURE"]
    if len(armatures) != 1:
        raise ValueError(f"expected one armature, found {len(armatures)}")
    if job["animation"]:
        done = bpy.ops.import_scene.vrma(filepath=job["animation"], armature_object_name=armatures[0].name)
        if done != {"FINISHED"}:
            raise ValueError("the add-on does not import the motion")
    return armatures[0]


def turn_keys(armature: Any) -> None:
    """Turns the keys of bones as the add-on turned the bones, and sets bones free."""
    from io_scene_vrm.editor.extension_accessor import get_bone_extension

    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in armature.data.edit_bones:
        bone.use_connect = False
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in armature.data.bones:
        extension = get_bone_extension(bone)
        back = extension.translate_axis(Matrix.Identity(4), extension.axis_translation).to_quaternion()
        path = f'pose.bones["{bone.name}"].'
        turn(armature, path + "rotation_quaternion", lambda values: back @ Quaternion(values) @ back.inverted())
        turn(armature, path + "location", lambda values: back @ Vector(values))


def turn(armature: Any, path: str, turned: Callable[[Sequence[float]], Sequence[float]]) -> None:
    """Gives the keys of one property of a bone other values."""
    action, slot = armature.animation_data.action, armature.animation_data.action_slot
    bags = (strip.channelbag(slot) for layer in action.layers for strip in layer.strips)
    curves = sorted((c for bag in bags if bag for c in bag.fcurves if c.data_path == path), key=lambda c: c.array_index)
    for keys in zip(*(curve.keyframe_points for curve in curves)):
        for key, value in zip(keys, turned([key.co[1] for key in keys])):
            key.co[1] = value
    for curve in curves:
        curve.update()


def compare(job: Dict[str, Any]) -> Dict[str, Any]:
    with quiet():
        armature = load(job)
        if job["plays"] and not job["animation"]:
            turn_keys(armature)
        # Its frame 1 is the start of a VRMA, that of glTF's importer frame 0.
        found = farthest(armature, 1.0 if job["animation"] else 0.0, job["sample"], 1.0)
    if job["plays"]:
        agrees = found["values"] > 0 and found["worst"]["off_m"] <= job["tolerance_m"]
    else:
        agrees = 0 < found["joints"] == len(places(job["sample"]))
    return {"file": job["file"], "animation": job["animation"], "agrees": agrees, **found}


def main() -> None:
    with quiet():
        enable(Path(sys.argv[1]))
    for line in sys.stdin:
        job = json.loads(line)
        try:
            answer = compare(job)
        except Exception as error:  # One bad job does not stop the others.
            answer = {"file": job.get("file"), "animation": job.get("animation"), "agrees": False, "error": str(error)}
        print(json.dumps(answer, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
