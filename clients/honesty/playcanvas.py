"""PlayCanvas animation JSON, versions 3 and 4 and the older shape without a version."""

import json
from pathlib import Path

import numpy as np

from maths import Rows, lerp, of_angles, slerp
from motion import Curve, Motion, Unsuitable, segment

SHORT = {"translation": "p", "rotation": "r", "scale": "s"}
LONG = {"translation": "pos", "rotation": "rot", "scale": "scale"}


def read(path: Path) -> Motion:
    root = json.loads(path.read_text("utf-8-sig"))
    if "animation" not in root:
        raise Unsuitable("a model")
    animation = root["animation"]
    nodes = animation["nodes"]
    long = str(animation.get("version")) == "3" or (
        animation.get("version") is None and not any("t" in key for node in nodes for key in node.get("keys") or [])
    )
    if len({node.get("name") for node in nodes}) < len(nodes):
        raise Unsuitable("nodes of one name")
    motion = Motion(float(animation.get("duration") or 0.0))
    for node in nodes:
        for property_, word in (LONG if long else SHORT).items():
            keys = values(node, word, "time" if long else "t", long)
            if not keys:
                continue
            if any(b[0] <= a[0] for a, b in zip(keys, keys[1:], strict=False)):
                raise Unsuitable("keys at one time or out of order")
            if "duration" not in animation:
                motion.duration_s = max(motion.duration_s, keys[-1][0])
            own = motion.node(str(node.get("name", "")))
            own.curves[property_] = curve(keys, property_ == "rotation")
            # Nobody but a model knows the rest pose: places and sizes are taken from the first keys, rotations from none.
            if property_ != "rotation":
                own.rest[property_] = own.curves[property_](np.array([keys[0][0]]))[0]
    return motion


def values(node: dict, word: str, time: str, long: bool) -> list[tuple[float, list[float]]]:
    """A component's times and values. `defaults` of version 4 overrule keys; the older shape's `default` fills gaps."""
    over = {} if long else node.get("defaults") or {}
    gaps = {} if long or not isinstance(node.get("default"), dict) else node["default"]
    keys = node.get("keys") or []
    if not keys and isinstance(node.get("default"), list):
        keys = node["default"]
    if any("quat" in key for key in keys):
        raise Unsuitable("quaternions of 2012")
    if not keys:
        value = over.get(word) or gaps.get(word)
        return [(0.0, value)] if value else []
    found = [(float(key[time]), over.get(word) or key.get(word) or gaps.get(word)) for key in keys]
    return [(t, value) for t, value in found if value]


def curve(keys: list[tuple[float, list[float]]], turns: bool) -> Curve:
    times = np.array([t for t, _ in keys])
    found = np.array([value[:3] for _, value in keys], dtype=np.float64)
    values = of_angles(np.radians(found)) if turns else found

    def at(moments: Rows) -> Rows:
        k, after, u = segment(times, moments)
        return (slerp if turns else lerp)(values[k], values[after], u)

    return at
