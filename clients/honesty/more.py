"""MORE::Animation of Myst IV, versions 0 to 0x11 in both byte orders."""

import math
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np

from maths import Rows, dot, facing, hermite, length, lerp, of_angles, product, slerp, squad, unit
from motion import Curve, Motion, Unsuitable, held, mapped, segment

# By type: the law, the value (n number, v vector, q quaternion, s switch), how it is stored, and whether times have 16 bits.
LAWS = ("step", "linear", "bezier", "tcb")
TYPES: dict[int, tuple[str, str, str, bool]] = {0: ("step", "s", "u16", True)}
for index, law in enumerate(LAWS):
    for offset, value in enumerate("nvq"):
        TYPES[1 + 3 * index + offset] = (law, value, "float", False)
for index, law in enumerate(LAWS[:3]):
    TYPES[0x13 + index] = (law, "q", "u32", False)
    TYPES[0x18 + index] = (law, "q", "3u16", True)
    TYPES[0x1D + index] = (law, "e", "euler", True)
WIDTHS = {"n": 1, "v": 3, "q": 4, "e": 3, "s": 1}
SUFFIXES = {
    "translation": ("position", "pos", "translation", "trans", "t", "p"),
    "rotation": ("rotation", "rot", "orientation", "quat", "euler", "r", "q"),
    "scale": ("scale", "scalevalue", "scl", "s"),
}
SEPARATORS = "._-:|/ "


class Resource:
    def __init__(self, data: bytes) -> None:
        if data[:7] != b"ubi/b0-":
            raise Unsuitable("no resource")
        self.data, self.at, self.order = data, 8, "><"[data[7:8] == b"l"]
        (self.version,) = self.take("I")
        self.class_name = self.text()
        if self.class_name != "MORE::Animation":
            raise Unsuitable(self.class_name)

    def take(self, layout: str) -> tuple:
        values = struct.unpack_from(self.order + layout, self.data, self.at)
        self.at += struct.calcsize(self.order + layout)
        return values

    def text(self) -> str:
        (size,) = self.take("I")
        self.at += size
        found = self.data[self.at - size : self.at].removesuffix(b"\0")
        try:
            return found.decode("utf-8")
        except UnicodeDecodeError:
            return found.decode("latin-1")

    def time(self, packed: bool) -> float:
        return self.take("H")[0] / 65534.0 * 600.0 - 300.0 if packed else self.take("f")[0]

    def value(self, value: str, stored: str) -> tuple[float, ...]:
        if stored == "u16":
            return self.take("H")
        if stored == "u32":
            return of_32_bits(self.take("I")[0])
        if stored == "3u16":
            x, y, z = (c / 32767.0 - 1.0 for c in self.take("3H"))
            return (x, y, z, math.sqrt(max(0.0, 1.0 - x * x - y * y - z * z)))
        if stored == "euler":
            return tuple(c / 65534.0 * 20.0 * math.pi - 10.0 * math.pi for c in self.take("3H"))
        return self.take(f"{WIDTHS[value]}f")


def of_32_bits(code: int) -> tuple[float, ...]:
    """A quaternion whose largest component is told by the other three."""
    rest = [((code >> shift) & 1023) * math.sqrt(2.0) / 1024.0 - math.sqrt(2.0) / 2.0 for shift in (20, 10, 0)]
    rest.insert(code >> 30, math.sqrt(max(0.0, 1.0 - sum(c * c for c in rest))))
    return tuple(rest)


class Key:
    def __init__(self, source: Resource, law: str, value: str, stored: str, packed: bool) -> None:
        self.time = source.time(packed and not (law == "step" and source.version < 0x10))
        self.value = source.value(value, stored)
        self.flat = False
        self.arriving = self.leaving = self.value
        self.ease = (0.0, 0.0)
        self.turn = (0.0, (0.0, 0.0, 0.0))
        if law == "bezier":
            full = "float" if source.version < 0x11 else stored
            self.arriving = source.value(value, full)
            if source.version < 0x11 or value != "q":
                self.leaving = source.value(value, full)
            self.flat = bool(source.take("B")[0])
        elif law == "tcb":
            *_, to, away = source.take("5f")
            self.ease = (to, away)
            self.arriving, self.leaving = source.value(value, "float"), source.value(value, "float")
            if value == "q":
                (angle,) = source.take("f")
                self.turn = (angle, source.take("3f"))


def read(path: Path) -> Motion:
    source = Resource(path.read_bytes())
    if source.version < 0xF:
        source.text()
    (duration,) = source.take("f")
    if source.version >= 0xC and source.take("B")[0]:
        raise Unsuitable("values that come on top of a model's")
    motion = Motion(duration)
    for _ in range(source.take("I")[0]):
        track(source, motion)
    return motion


def track(source: Resource, motion: Motion) -> None:
    (kind,) = source.take("I")
    name = source.text()
    if kind == 0x0D:
        raise Unsuitable("a displacement")
    if kind == 0x0E:
        for _ in range(source.take("I")[0]):
            source.take("fI")
            if source.version >= 2:
                source.text()
        return
    source.take("B")
    if 0x0F <= kind <= 0x12:
        return
    law, value, stored, packed = TYPES[kind]
    keys = [Key(source, law, value, stored, packed) for _ in range(source.take("I")[0])]
    if not keys:
        return
    if any(b.time <= a.time for a, b in zip(keys, keys[1:], strict=False)):
        raise Unsuitable("keys at one time or out of order")
    if law == "step" or any(key.flat for key in keys):
        motion.jumps += [key.time for key in keys]
    place(motion, name, value, played(keys, law, value), keys[0].time)


def place(motion: Motion, name: str, value: str, curve: Curve, start: float) -> None:
    """Gives a track's curve to the node and the property that its name tells, turned from Z up to Y up."""
    node, property_ = told(name, value)
    if property_ is None:
        # Morphs are written as numbers.
        name = name.removesuffix(".Weight")
        if name in motion.weights:
            raise Unsuitable("tracks of one name")
        motion.weights[name] = curve
        return
    own = motion.node(node)
    curves = own.curves
    if property_ in curves:
        raise Unsuitable("tracks of one property")
    if value == "e":
        curve = mapped(curve, of_angles)
    changes: dict[str, Callable[[Rows], Rows]] = {
        "translation": lambda v: v[:, [0, 2, 1]] * np.array([1.0, 1.0, -1.0]),
        "rotation": lambda q: q[:, [0, 2, 1, 3]] * np.array([1.0, 1.0, -1.0, 1.0]),
        "scale": lambda s: s[:, [0, 2, 1]],
    }
    curves[property_] = mapped(curve, changes[property_])
    # Nobody but a model knows the rest pose: places and sizes are taken from the first keys, rotations from none.
    if property_ != "rotation":
        own.rest[property_] = curves[property_](np.array([start]))[0]


def told(name: str, value: str) -> tuple[str, str | None]:
    """A node and a property by a track's name and kind of value."""
    if value in "ns":
        return name, None
    fits = ("translation", "scale") if value == "v" else ("rotation",)
    for property_ in fits:
        for suffix in sorted(SUFFIXES[property_], key=len, reverse=True):
            if not name.lower().endswith(suffix):
                continue
            before = name[: -len(suffix)]
            is_capital = len(suffix) > 1 and name[len(before)].isupper() and before[-1:].islower()
            if before[-1:] and before[-1] in SEPARATORS:
                return before[:-1] or "root", property_
            if is_capital:
                return before, property_
    return name or "root", fits[0]


class Keys:
    """All keys of a track, one in each row."""

    def __init__(self, keys: list[Key]) -> None:
        self.times = np.array([key.time for key in keys])
        self.values, self.arriving, self.leaving = (
            np.array([getattr(key, name) for key in keys], dtype=np.float64) for name in ("value", "arriving", "leaving")
        )
        self.flat = np.array([key.flat for key in keys])
        self.to, self.away = np.array([key.ease for key in keys]).T
        self.angles = np.array([key.turn[0] for key in keys])
        self.axes = np.array([key.turn[1] for key in keys])


def eased(u: Rows, away: Rows, to: Rows) -> Rows:
    """The share of the way at a share of the time, where keys are left and reached slowly."""
    a, b = np.clip(away, 0.0, 1.0), np.clip(to, 0.0, 1.0)
    whole = np.maximum(a + b, 1.0)
    a, b = a / whole, b / whole
    k = 1.0 / (2.0 - a - b)
    start = k / np.where(a > 0.0, a, 1.0) * u * u
    end = 1.0 - k / np.where(b > 0.0, b, 1.0) * (1.0 - u) ** 2
    found = np.where(u < a, start, np.where(u < 1.0 - b, k * (2.0 * u - a), end))
    return np.where(a + b == 0.0, u, found)


def played(keys: list[Key], law: str, value: str) -> Curve:
    rows, turns = Keys(keys), value == "q"
    values = unit(rows.values) if turns else rows.values

    def at(moments: Rows) -> Rows:
        holds = values[held(rows.times, moments)]
        if law == "step":
            return holds
        k, after, u = segment(rows.times, moments)
        if law == "linear":
            return (slerp if turns else lerp)(values[k], values[after], u)
        if law == "tcb":
            u = eased(u, rows.away[k], rows.to[after])
        if not turns:
            found = hermite(values[k], rows.leaving[k], values[after], rows.arriving[after], u)
        elif law == "bezier":
            found = squeezed(rows, values, k, after, u)
        else:
            found = wound(rows, values, k, after, u)
        return np.where(rows.flat[k][:, None], holds, found)

    return at


def squeezed(rows: Keys, values: Rows, k: np.ndarray, after: np.ndarray, u: Rows) -> Rows:
    """Squad with one control for each key, whose signs mean nothing."""
    controls = np.where(length(rows.arriving)[:, None] >= 1e-6, unit(rows.arriving), values)
    q0, q1 = values[k], facing(values[after], values[k])
    return unit(squad(q0, facing(controls[k], q0), facing(controls[after], q1), q1, u))


def wound(rows: Keys, values: Rows, k: np.ndarray, after: np.ndarray, u: Rows) -> Rows:
    """Tension, continuity and bias, whose arriving angle may be more than half a turn."""
    q0, s0 = values[k], unit(rows.leaving)[k]
    q1, s1 = values[after], unit(rows.arriving)[after]
    angle = np.abs(rows.angles[after])
    axis = rows.axes[after] * np.where(rows.angles[after] < 0.0, -1.0, 1.0)[:, None]
    norm = length(axis)
    is_full = angle >= 2.0 * np.pi - 1e-4
    way = axis / np.where(norm > 0.0, norm, 1.0)[:, None]
    arrived = product(q0, turn_about(way, angle))
    winds = is_full & (np.abs(norm - 1.0) <= 0.01) & (np.abs(dot(arrived, q1)) > 0.999)
    side = np.where(dot(q0, q1) * np.where(is_full, 1.0, np.cos(angle / 2.0)) < 0.0, -1.0, 1.0)[:, None]
    found = unit(squad(q0, s0, side * s1, side * q1, u))
    return np.where(winds[:, None], winding(q0, s0, s1, q1, way, angle / np.pi, u), found)


def turn_about(way: Rows, angle: Rows) -> Rows:
    return np.concatenate([way * np.sin(angle / 2.0)[:, None], np.cos(angle / 2.0)[:, None]], axis=-1)


def winding(q0: Rows, s0: Rows, s1: Rows, q1: Rows, way: Rows, halves: Rows, u: Rows) -> Rows:
    """More than a full turn: a half turn with the control of each end, and an even turn between them."""
    half = np.concatenate([way, np.zeros((len(way), 1))], axis=-1)
    at = u * halves
    p, m = product(q0, half), -product(q1, half)
    first = unit(squad(q0, s0, p, p, np.minimum(at, 1.0)))
    middle = unit(product(q0, turn_about(way, np.pi * at)))
    last = unit(squad(m, m, s1, q1, np.clip(at - (halves - 1.0), 0.0, 1.0)))
    return np.where((at < 1.0)[:, None], first, np.where((at <= halves - 1.0)[:, None], middle, last))
