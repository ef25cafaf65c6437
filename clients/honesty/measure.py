"""How far what a conversion or an edit wrote is from what it was made of, found without any code of Dopesheet.

Reads jobs from standard input, one JSON object per line: {"id", "source", "source_format", "output", "output_format", "times", "seed",
"points", "pieces", "moved_s", "lost_s"}, where "points" lists those of "model" and "alone" that are asked for. "pieces" says what an edit makes of times: each
piece is {"start", "end", "speed", "offset"} in seconds of the output, which plays there what the source plays at `speed * t + offset`;
"end" is null for the output's end, and "offset" is "end" for that of the source, "again" for what repeats it behind itself. Without
pieces the output plays as the source does.
No time is looked at that is within "moved_s", by which keys are said to be moved at most, of a jump, or within "lost_s" of the source's end,
which are said to be lost.
Writes for each {"id", "measured": [{"quantity", "unit", "value", "target", "time_s"}], "times", "compared", "absent", "left_out"}, or
{"id", "unsuitable": why} where a file has something whose law another program cannot tell by the file alone.

"left_out" lists "translation", "rotation" and "scale" where a curve that does something has nothing in the output, which has its node.

Every quantity is the largest difference over all nodes and times: of rotations (rad), of translations (m), of scales and of
weights (1), each node by itself, and of points up to 3 cm from any joint with its parents ("model", m) and up to 1 m without
them ("alone", m). These are lengths in the world, where the source is at rest.
"""

import json
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import bvh
import gltf
import more
import mrtk2
import npz
import playcanvas
import vmd
from maths import Rows, angle, applied, conjugate, farthest, length, matrix, product, turned
from motion import REST, Motion, Node, Unsuitable

READERS: dict[str, Callable[[Path], Motion]] = {
    "vmd": vmd.read,
    "glb": gltf.read,
    "gltf": gltf.read,
    "more": more.read,
    "mrtk2": mrtk2.read,
    "playcanvas": playcanvas.read,
    "bvh": bvh.read,
    "npz": npz.read,
}
PROPERTIES = ("translation", "rotation", "scale")
UNITS = {"translation": "m", "rotation": "rad", "scale": "1", "weight": "1", "model": "m", "alone": "m"}
# How far from a joint points are looked at, with its parents and without.
NEAR_M, FAR_M = 0.03, 1.0
# Smallest difference from rest that counts.
UNSEEN = 1e-5
# No point of time closer to a jump than this many steps of a 32-bit float counts, nor closer to a frame than a thousandth and a half.
STEPS = 2.0
FRAME = 1.5e-3


class Worst:
    """The largest difference of each quantity, and where it is."""

    def __init__(self, at: Rows) -> None:
        self.at = at
        self.found: dict[str, tuple[float, str, float]] = {}

    def take(self, quantity: str, apart: Rows, target: str) -> None:
        k = int(apart.argmax())
        if quantity not in self.found or apart[k] > self.found[quantity][0]:
            self.found[quantity] = (float(apart[k]), target, float(self.at[k]))

    def listed(self) -> list[dict]:
        return [
            {"quantity": quantity, "unit": UNITS[quantity], "value": value, "target": target, "time_s": t}
            for quantity, (value, target, t) in sorted(self.found.items())
        ]


@dataclass
class Piece:
    """A stretch of the output, which plays what the source plays at `speed * t + offset`."""

    start: float
    end: float
    speed: float = 1.0
    offset: float = 0.0

    def old(self, t: Rows) -> Rows:
        return self.speed * t + self.offset


def pieces(job: dict, source: Motion, output: Motion) -> list[Piece]:
    if not job.get("pieces"):
        return [Piece(0.0, source.duration_s - job.get("lost_s", 0.0))]
    found = []
    for piece in job["pieces"]:
        start, end = piece["start"], output.duration_s if piece["end"] is None else piece["end"]
        offset = {"end": source.duration_s, "again": source.duration_s - output.duration_s}.get(piece["offset"], piece["offset"])
        start = -offset if piece["offset"] == "again" else start
        # On frames the last one before a cut keeps its pose.
        end -= 1.0 / source.frame_rate if piece.get("cut") and source.frame_rate else 0.0
        if end > start:
            found.append(Piece(start, end, piece["speed"], offset))
    return found


def moments(source: Motion, output: Motion, piece: Piece, count: int, job: dict) -> Rows:
    """A random time of the output in each of `count` equal parts of a piece."""
    chance = random.Random(job["seed"])
    # As reports round it.
    moved = job.get("moved_s", 0.0) * 1.01
    sides = [(side, np.array(sorted(set(side.jumps)))) for side in (source, output)]

    def counts(t: float) -> bool:
        for (side, jumps), at in zip(sides, (piece.old(t), t), strict=True):
            near = max(STEPS * 2.0**-23 * max(at, 1e-3), moved)
            rate = side.frame_rate
            if rate and abs(at * rate - round(at * rate)) < FRAME:
                return False
            k = int(np.searchsorted(jumps, at))
            if any(abs(at - jump) <= near for jump in jumps[max(k - 1, 0) : k + 1]):
                return False
        return True

    found = []
    for part in range(count):
        # A part that is all within a thousandth of a frame has no time that counts.
        drawn = (piece.start + (part + chance.random()) / count * (piece.end - piece.start) for _ in range(20))
        found.extend(t for t in [next((t for t in drawn if counts(t)), None)] if t is not None)
    return np.array(found)


class Side:
    """A motion's values at all times."""

    def __init__(self, motion: Motion, at: Rows) -> None:
        self.nodes = {
            name: {property_: curve(at) for property_, curve in node.curves.items()}
            for name, node in motion.nodes.items()
        }
        self.weights = {name: curve(at) for name, curve in motion.weights.items()}


def world_rest(nodes: dict[str, Node], name: str | None) -> Rows:
    """The rotation of a node at rest in the world."""
    if name is None:
        return REST["rotation"]
    return product(world_rest(nodes, nodes[name].parent), nodes[name].rest["rotation"])


def scale_at_rest(nodes: dict[str, Node], name: str) -> float:
    """How many times longer a node makes lengths in the world at rest: along the axis that it makes longest; 1 if it makes them none."""
    whole = np.eye(3)
    above: str | None = name
    while above is not None:
        rest = nodes[above].rest
        whole = matrix(rest["rotation"][None], rest["scale"][None])[0] @ whole
        above = nodes[above].parent
    longest = float(np.linalg.norm(whole, axis=0).max())
    return longest if longest > 0.0 else 1.0


def onto_rest(source: Motion, name: str, curves: dict[str, Rows]) -> dict[str, Rows]:
    """Offsets from a rest pose that only the source has, as what its node does."""
    node = source.nodes[name]
    back = conjugate(world_rest(source.nodes, node.parent))
    found = {}
    if "translation" in curves:
        found["translation"] = node.rest["translation"] + turned(back, curves["translation"])
    if "rotation" in curves:
        found["rotation"] = product(product(back, curves["rotation"]), world_rest(source.nodes, name))
    return found


def counterparts(source: Motion, output: Motion) -> dict[str, str]:
    """Names of the output's nodes by those of the source that moves them; where a cut name could be that of two, it is neither's."""
    seen: dict[str, list[str]] = {}
    for name, node in source.nodes.items():
        if node.is_joint or not output.has_joints_alone:
            seen.setdefault(output.seen_as(name), []).append(name)
    return {names[0]: short for short, names in seen.items() if len(names) == 1 and short in output.nodes}


def distance(property_: str) -> Callable[[Rows, Rows], Rows]:
    """What two values of a property differ by."""
    return angle if property_ == "rotation" else lambda a, b: length(a - b)


class Pair:
    """Both sides at times that belong together."""

    def __init__(self, source: Motion, output: Motion, old: Rows, at: Rows) -> None:
        self.source, self.at = source, at
        self.before, after = Side(source, old), Side(output, at)
        self.after: dict[str, dict[str, Rows]] = {}
        for name, short in counterparts(source, output).items():
            curves = after.nodes[short]
            if output.on_rest and not source.on_rest:
                curves = onto_rest(source, name, curves)
            elif output.knows_hierarchy:
                rest = output.nodes[short].rest
                curves = {p: curves[p] if p in curves else np.tile(rest[p], (len(at), 1)) for p in PROPERTIES}
            self.after[name] = curves
        self.weights = {
            name: (values, after.weights[output.seen_as(name)])
            for name, values in self.before.weights.items()
            if output.seen_as(name) in after.weights
        }

    def compare(self, points: list[str]) -> dict:
        """The largest differences, how many curves of the source were compared and had nothing to be compared with, and the properties
        of those that did something."""
        worst, compared, absent, left_out = Worst(self.at), 0, 0, set()
        for name, curves in self.before.nodes.items():
            for property_, values in curves.items():
                other = self.after.get(name, {}).get(property_)
                if other is None:
                    absent += 1
                    if name in self.after and self.does_something(name, property_):
                        left_out.add(property_)
                    continue
                compared += 1
                difference = distance(property_)
                worst.take(property_, difference(values, other), name)
        for name, (values, other) in self.weights.items():
            worst.take("weight", np.abs(values[:, 0] - other[:, 0]), name)
        self.points(worst, points)
        return {
            "measured": worst.listed(),
            "compared": compared + len(self.weights),
            "absent": absent + len(self.before.weights) - len(self.weights),
            "left_out": sorted(left_out),
        }

    def does_something(self, name: str, property_: str) -> bool:
        """True of a curve that is ever another value than at rest; where nobody knows the rest pose, than what moves nothing."""
        rest = self.source.nodes[name].rest if self.source.knows_hierarchy else REST
        values = self.before.nodes[name][property_]
        return float(distance(property_)(values, rest[property_]).max()) > UNSEEN

    def local(self, name: str, after: bool) -> tuple[Rows, Rows]:
        """Matrices and translations of a node. What the output does not hold of it is as it was: that is told as left out."""
        node, before = self.source.nodes[name], self.before.nodes[name]
        curves = {**before, **self.after.get(name, {})} if after else before
        translation, rotation, scale = (
            curves[p] if p in curves else np.tile(node.rest[p], (len(self.at), 1)) for p in PROPERTIES
        )
        return matrix(rotation, scale), translation

    def points(self, worst: Worst, asked: list[str]) -> None:
        """Points around joints, with their parents and without."""
        worlds: dict[tuple[str, bool], tuple[Rows, Rows]] = {}
        for name in filter(lambda name: self.source.nodes[name].is_joint, self.after):
            scale = scale_at_rest(self.source.nodes, name)
            for quantity, radius in (("alone", FAR_M / scale), ("model", NEAR_M / scale)):
                if quantity in asked:
                    (m, d), (n, e) = (
                        self.local(name, after) if quantity == "alone" else self.world(name, after, worlds)
                        for after in (False, True)
                    )
                    worst.take(quantity, farthest(m - n, d - e, radius), name)

    def world(self, name: str, after: bool, known: dict[tuple[str, bool], tuple[Rows, Rows]]) -> tuple[Rows, Rows]:
        if (name, after) not in known:
            own, place = self.local(name, after)
            parent = self.source.nodes[name].parent
            if parent is not None:
                above, at = self.world(parent, after, known)
                own, place = above @ own, applied(above, place) + at
            known[name, after] = (own, place)
        return known[name, after]


def answer(job: dict) -> dict:
    try:
        source = READERS[job["source_format"]](Path(job["source"]))
        output = READERS[job["output_format"]](Path(job["output"]))
    except Unsuitable as why:
        return {"id": job["id"], "unsuitable": str(why)}
    if job["output_format"] == "bvh":
        if any(np.abs(node.rest["scale"] - 1.0).max() > 1e-9 for node in source.nodes.values()):
            return {"id": job["id"], "unsuitable": "a rest pose with scales, which BVH has none of"}
        output = output if job.get("pieces") else output.as_offsets()
    olds, times = [], []
    stretches = pieces(job, source, output)
    for piece in stretches:
        at = moments(source, output, piece, job["times"] // len(stretches), job)
        olds.append(piece.old(at))
        times.append(at)
    if sum(map(len, times)) == 0:
        return {"id": job["id"], "unsuitable": "no duration"}
    old, at = np.concatenate(olds), np.concatenate(times)
    return {"id": job["id"], "times": len(at), **Pair(source, output, old, at).compare(job["points"])}


def main() -> None:
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line)), ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
