"""What Blender's importers of FBX do in ways of their own, each as something that takes it back in the scene that was imported.

Where a scene differs from ours and one of these makes it agree, joint by joint, the difference is that way and nothing else. What
a way needs to know of a file is read here, not by the reader that is compared.
"""

from __future__ import annotations

import math
import re
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

import bpy
from mathutils import Euler, Matrix, Vector

#: By name of a node, its properties that are three numbers.
Stated = Dict[str, Dict[str, List[float]]]

#: As ``fbx.py`` takes it.
Job = Dict[str, Any]

#: A smaller scale does not count where a pivot is moved: its inverse would be beyond all places.
LEAST_SCALE = 0.0078125


class Undone(NamedTuple):
    """How the places of a scene become those that it has without a way."""

    #: What the whole scene is moved by.
    scene: Matrix = Matrix()
    #: By name, what the matrix of a joint or an object is multiplied with, on the right.
    nodes: Dict[str, Matrix] = {}
    #: Whether the sample is compared of which all curves go straight from key to key.
    straight: bool = False

    def then(self, other: Undone) -> Undone:
        """Both."""
        names = {**self.nodes, **other.nodes}
        nodes = {name: self.nodes.get(name, Matrix()) @ other.nodes.get(name, Matrix()) for name in names}
        return Undone(other.scene @ self.scene, nodes, self.straight or other.straight)


class Way(NamedTuple):
    """One thing that importers do otherwise."""

    name: str
    #: Takes it back after the file of a job was imported; ``None`` if it was not done.
    undo: Callable[[Job], Optional[Undone]]


def stated(path: str) -> Stated:
    """What a file says of its nodes, as text or as bytes."""
    with open(path, "rb") as file:
        content = file.read()
    is_binary = content.startswith(b"Kaydara")
    nodes: Stated = {}
    # A node may be named in several places of a file.
    for name, properties in nodes_of_bytes(path) if is_binary else nodes_of_text(content.decode(errors="replace")):
        nodes.setdefault(name, {}).update({word: own for word, own in properties.items() if len(own) == 3})
    return nodes


def nodes_of_text(text: str) -> Iterator[Tuple[str, Dict[str, List[float]]]]:
    """Each block of a node starts with a line with its name, and has its properties in lines below."""
    for block in re.split(r"(?m)^\s*Model:", text)[1:]:
        name = re.search(r'"Model::([^"]*)"', block.split("\n", 1)[0])
        lines = re.findall(r'(?m)^\s*(?:P|Property): "([^"]+)", "[^"]*".*?((?:,\s*[-+.\deE]+){3})\s*$', block)
        if name:
            yield name[1], {word: [float(number) for number in tail.split(",")[1:]] for word, tail in lines}


def nodes_of_bytes(path: str) -> Iterator[Tuple[str, Dict[str, List[float]]]]:
    """By the parser of the importer that is written in Python. Before version 7 a node has no number before its name, and a
    property one word less before its values."""
    from io_scene_fbx import parse_fbx

    root, version = parse_fbx.parse(path)
    at, word, first = (1, b"Properties70", 4) if version >= 7000 else (0, b"Properties60", 3)
    objects = [record for part in root.elems if part.id == b"Objects" for record in part.elems]
    for record in (record for record in objects if record.id == b"Model"):
        lists = [part for part in record.elems if part.id == word]
        name = record.props[at].split(b"\0")[0].decode(errors="replace")
        yield name, {own.props[0].decode(): list(own.props[first:]) for part in lists for own in part.elems}


def file_without_axes(job: Job) -> Optional[Undone]:
    """Where a file says nothing of axes, Blender takes Z up and we take Y up."""
    with open(job["file"], "rb") as file:
        if b"UpAxis" in file.read():
            return None
    return Undone(scene=Matrix.Rotation(math.pi / 2.0, 4, "X"))


def origin_at_pivot(job: Job) -> Optional[Undone]:
    """The origin of a node is moved to where it turns, and what is in it and hangs on it is moved back."""
    offsets = {name: pivot_offset(own) for name, own in stated(job["file"]).items()}
    nodes = {name: Matrix.Translation(offset) for name, offset in offsets.items() if offset.length > 0.0}
    return Undone(nodes=nodes) if nodes else None


def pivot_offset(own: Dict[str, List[float]]) -> Vector:
    """Where the origin of a node is, as seen from the place about which it turns, in the node's own axes and at rest."""
    turns, scales, offset = (Vector(own.get(word, [0.0] * 3)) for word in ("RotationPivot", "ScalingPivot", "ScalingOffset"))
    factors = own.get("Lcl Scaling", [1.0] * 3)
    place = (part / factor if abs(factor) > LEAST_SCALE else part for part, factor in zip(offset + scales - turns, factors))
    return Vector(place) - scales


def straight_between_keys(job: Job) -> Optional[Undone]:
    """Each key gets a value for everything that moves, on straight lines between the keys of its own, whatever curves say."""
    return Undone(straight=True) if job.get("straight") else None


def scale_of_ignored_parent(job: Job) -> Optional[Undone]:
    """A bone that does not take over its parent's scale is scaled by what that one has at rest."""
    own = stated(job["file"])
    undone = False
    for armature in [thing for thing in bpy.context.scene.objects if thing.type == "ARMATURE"]:
        for bone in armature.pose.bones:
            scale = rest_scale(bone.parent, own) if bone.parent and bone.bone.inherit_scale == "NONE" else Vector((1.0,) * 3)
            if (scale - Vector((1.0,) * 3)).length > 1e-6:
                divide_scale(armature, bone, scale)
                undone = True
    return Undone() if undone else None


def rest_scale(bone: Any, own: Stated) -> Vector:
    """The scale of a bone at rest, with those of its parents that it takes over."""
    scale = Vector(own.get(bone.name, {}).get("Lcl Scaling", [1.0] * 3))
    if bone.parent is None or bone.bone.inherit_scale == "NONE":
        return scale
    return Vector(a * b for a, b in zip(scale, rest_scale(bone.parent, own)))


def divide_scale(armature: Any, bone: Any, scale: Vector) -> None:
    """Divides the scale of a bone, wherever it comes from."""
    bone.scale = Vector(a / b for a, b in zip(bone.scale, scale))
    path, data = bone.path_from_id("scale"), armature.animation_data
    layers = data.action.layers if data and data.action else []
    strips = [strip for layer in layers for strip in layer.strips]
    for curve in (curve for strip in strips for bag in strip.channelbags for curve in bag.fcurves if curve.data_path == path):
        for point in curve.keyframe_points:
            point.co[1] /= scale[curve.array_index]
        curve.update()


def scale_by_whole_matrix(job: Job) -> Optional[Undone]:
    """A bone takes over its parent's whole matrix where the file says `InheritType` 0 (RrSs): turns are multiplied with turns, and
    scales with scales, axis by axis, which Blender calls aligned.

    Evidence: motionbuilder_sausage_rrss*.obj of the corpus, the skin as Autodesk's plug-in wrote it at five frames. It is where
    ours is within 3e-8 m, and elsewhere with Blender's bones.
    """
    if inherit_types(job["file"]) != {0}:
        return None
    bones = [bone for thing in bpy.context.scene.objects if thing.type == "ARMATURE" for bone in thing.data.bones]
    for bone in bones:
        bone.inherit_scale = "ALIGNED"
    return Undone() if bones else None


def inherit_types(path: str) -> Set[int]:
    """How the nodes of a file take over scales, in the format's numbers. It may say so of all of them once."""
    with open(path, "rb") as file:
        content = file.read()
    if not content.startswith(b"Kaydara"):
        return {int(number) for number in re.findall(rb'"InheritType", "enum"(?:, "")*, ?(\d+)', content)}
    from io_scene_fbx import parse_fbx

    def inside(record: Any) -> Iterator[int]:
        if record.props and record.props[0] == b"InheritType":
            yield record.props[-1]
        for part in record.elems:
            yield from inside(part)

    return set(inside(parse_fbx.parse(path)[0]))


def leaf_without_scale(job: Job) -> Optional[Undone]:
    """A bone without children hangs on its parent's rest pose without that one's scale, by which its place is off."""
    scales = {name: own["Lcl Scaling"] for name, own in stated(job["file"]).items() if "Lcl Scaling" in own}
    moved = False
    for armature in [thing for thing in bpy.context.scene.objects if thing.type == "ARMATURE"]:
        bpy.context.view_layer.objects.active = armature
        bpy.ops.object.mode_set(mode="EDIT")
        bones = armature.data.edit_bones
        for leaf in [bone for bone in bones if not bone.children and bone.parent and bone.parent.name in scales]:
            parent = leaf.parent.matrix
            here = parent.inverted() @ leaf.head
            there = Vector(a * b for a, b in zip(here, scales[leaf.parent.name]))
            way = parent @ there - leaf.head
            leaf.use_connect = False
            leaf.head, leaf.tail = leaf.head + way, leaf.tail + way
            moved = moved or way.length > 0.0
        bpy.ops.object.mode_set(mode="OBJECT")
    return Undone() if moved else None


def geometry_in_node(job: Job) -> Optional[Undone]:
    """What a file says of the geometry of a node alone moves the origin of an object that has none."""
    nodes: Dict[str, Matrix] = {}
    own = stated(job["file"])
    for thing in (thing for thing in bpy.context.scene.objects if thing.type == "EMPTY" and thing.name in own):
        geometry = geometric(own[thing.name])
        if geometry != Matrix():
            nodes[thing.name] = geometry.inverted_safe()
    return Undone(nodes=nodes) if nodes else None


def geometric(own: Dict[str, List[float]]) -> Matrix:
    """The matrix of a node's geometry."""
    place, turn = own.get("GeometricTranslation", [0.0] * 3), own.get("GeometricRotation", [0.0] * 3)
    turned = Euler([math.radians(angle) for angle in turn], "XYZ").to_matrix().to_4x4()
    scaled = Matrix.Diagonal([*own.get("GeometricScaling", [1.0] * 3), 1.0])
    return Matrix.Translation(place) @ turned @ scaled


WAYS = [
    Way("file without axes", file_without_axes),
    Way("origin at pivot", origin_at_pivot),
    Way("geometry in node", geometry_in_node),
    Way("leaf without scale", leaf_without_scale),
    Way("scale of ignored parent", scale_of_ignored_parent),
    Way("scale by whole matrix", scale_by_whole_matrix),
    Way("straight between keys", straight_between_keys),
]
