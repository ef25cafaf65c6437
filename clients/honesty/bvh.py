"""Motions of Biovision (BVH), in centimetres."""

from pathlib import Path

import numpy as np

from maths import Rows, about, lerp, product, slerp
from motion import Curve, Motion, Unsuitable, segment

UNIT_M = 0.01
AXES = "XYZ"


def read(path: Path) -> Motion:
    head, _, body = path.read_text("utf-8-sig", "replace").partition("MOTION")
    words = iter(head.split())
    motion = Motion(0.0, knows_hierarchy=True, has_joints_alone=True)
    channels: list[tuple[str, list[str]]] = []
    open_: list[str | None] = []
    name: str | None = None
    for word in words:
        if word in ("ROOT", "JOINT"):
            name = next(words)
            if name in motion.nodes:
                raise Unsuitable("joints of one name")
            motion.node(name).parent = open_[-1] if open_ else None
        elif word == "End":
            next(words)
            name = None
        elif word == "{":
            open_.append(name)
        elif word == "}":
            open_.pop()
        elif word == "OFFSET":
            offset = np.array([float(next(words)) for _ in range(3)]) * UNIT_M
            if open_[-1] is not None:
                motion.nodes[open_[-1]].rest["translation"] = offset
        elif word == "CHANNELS":
            channels.append((str(open_[-1]), [next(words) for _ in range(int(next(words)))]))
    lines = body.split("\n")
    count = int(next(line for line in lines if line.startswith("Frames:")).split()[1])
    step = float(next(line for line in lines if line.startswith("Frame Time:")).split()[2])
    numbers = " ".join(line for line in lines if not line.startswith("Frame")).split()
    width = sum(len(own) for _, own in channels)
    frames = np.array(numbers, dtype=np.float64).reshape(count, width)
    # A step is written with six digits, and means a whole rate where it is near one.
    rate = 1.0 / step
    rate = round(rate) if abs(rate - round(rate)) < 0.005 * rate else rate
    motion.frame_rate = rate
    motion.duration_s = (count - 1) / rate
    at = 0
    for joint, own in channels:
        node, columns = motion.nodes[joint], frames[:, at : at + len(own)]
        at += len(own)
        places = [(k, AXES.index(c[0])) for k, c in enumerate(own) if c.endswith("position")]
        turns = [(k, AXES.index(c[0])) for k, c in enumerate(own) if c.endswith("rotation")]
        if places:
            values = np.tile(node.rest["translation"], (count, 1))
            for k, axis in places:
                values[:, axis] = columns[:, k] * UNIT_M
            node.curves["translation"] = curve(values, rate, False)
        if turns:
            rotation = np.tile(np.array([0.0, 0.0, 0.0, 1.0]), (count, 1))
            for k, axis in turns:
                rotation = product(rotation, about(axis, np.radians(columns[:, k])))
            node.curves["rotation"] = curve(rotation, rate, True)
    return motion


def curve(values: Rows, rate: float, turns: bool) -> Curve:
    """Poses stand on frames; between two of them joints go the shortest way."""
    times = np.arange(len(values)) / rate

    def at(moments: Rows) -> Rows:
        k, after, u = segment(times, moments)
        return (slerp if turns else lerp)(values[k], values[after], u)

    return at
