"""Recordings of MRTK2: the poses of a camera and of two hands. Its curves lie in the world."""

import struct
from pathlib import Path

import numpy as np

from maths import IDENTITY, Rows, cubic, length, parameter
from motion import Curve, Motion, Unsuitable, held, segment

FINGERS = ("Index", "Middle", "Ring", "Pinky")
PARTS = ("Metacarpal", "Knuckle", "MiddleJoint", "DistalJoint", "Tip")
THUMB = ("ThumbMetacarpalJoint", "ThumbProximalJoint", "ThumbDistalJoint", "ThumbTip")
JOINTS = ["None", "Wrist", "Palm", *THUMB, *(finger + part for finger in FINGERS for part in PARTS)]


class Bytes:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, layout: str) -> tuple:
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values


class FloatCurve:
    """Keys of (time, value, slope in, slope out, weight in, weight out, weighted)."""

    def __init__(self, data: Bytes, full: bool) -> None:
        self.before, self.after, count = data.take("iii")
        if count < 0 or count * (28 if full else 8) > len(data.data) - data.at:
            raise ValueError("a count of keys that cannot be")
        # A simple key is one whose weights of 0 make the cubic straight.
        keys = [data.take("6fi") if full else (*data.take("2f"), 0.0, 0.0, 0.0, 0.0, 3) for _ in range(count)]
        self.keys = np.array(sorted(keys, key=lambda key: key[0]), dtype=np.float64).reshape(-1, 7)
        self.times = self.keys[:, 0]

    def at(self, moments: Rows) -> Rows:
        if len(self.keys) == 0:
            return np.zeros_like(moments)
        moments = self.wrapped(moments)
        k, after, x = segment(self.times, moments)
        a, b = self.keys[k], self.keys[after]
        is_step = np.isinf(a[:, 3]) | np.isinf(b[:, 2])
        step = b[:, 0] - a[:, 0]
        leaving, arriving = (np.where(is_step, 0.0, slope) * step for slope in (a[:, 3], b[:, 2]))
        # A weight that a key does not use counts as a third.
        p = np.where(a[:, 6].astype(int) & 2, a[:, 5], 1.0 / 3.0)
        q = np.where(b[:, 6].astype(int) & 1, b[:, 4], 1.0 / 3.0)
        is_even = (p == 1.0 / 3.0) & (q == 1.0 / 3.0)
        u = np.where(is_even, x, parameter(p, 1.0 - q, x))
        smooth = cubic(a[:, 1], a[:, 1] + p * leaving, b[:, 1] - q * arriving, b[:, 1], u)
        straight = a[:, 1] + (b[:, 1] - a[:, 1]) * x
        found = np.where((p == 0.0) & (q == 0.0), straight, smooth)
        return np.where(is_step, self.keys[held(self.times, moments), 1], found)

    def wrapped(self, moments: Rows) -> Rows:
        first, last = self.times[0], self.times[-1]
        span = last - first
        out = moments.copy()
        for mode, is_there in ((self.before, moments < first), (self.after, moments > last)):
            if mode < 0 or mode & ~15 or span == 0.0 or not mode & 6:
                changed = np.clip(moments, first, last)
            elif mode & 4:
                changed = first + (span - np.abs(np.mod(moments - first, 2.0 * span) - span))
            else:
                changed = first + np.mod(moments - first, span)
            out = np.where(is_there, changed, out)
        return out

    def jumps(self) -> list[float]:
        a, b = self.keys[:-1], self.keys[1:]
        is_jump = np.isinf(a[:, 3]) | np.isinf(b[:, 2]) | (a[:, 0] == b[:, 0])
        return b[is_jump, 0].tolist()


def read(path: Path) -> Motion:
    data = path.read_bytes()
    (minor,) = struct.unpack_from("<i", data, 12)
    failures = []
    for full in (minor == 0, minor != 0):
        try:
            return read_as(data, minor, full)
        except (ValueError, struct.error) as error:
            failures.append(str(error))
    raise Unsuitable("; ".join(failures))


def read_as(data: bytes, minor: int, full: bool) -> Motion:
    source = Bytes(data)
    source.at = 16
    has_camera, has_hands, has_gaze = source.take("3B") if minor == 1 else (1, 1, 0)
    motion = Motion(0.0)

    def pose(name: str) -> None:
        curves = [FloatCurve(source, full) for _ in range(7)]
        ends = [float(curve.times[-1]) for curve in curves if len(curve.keys)]
        motion.duration_s = max([motion.duration_s, *ends])
        for curve in curves:
            motion.jumps += curve.jumps()
        node = motion.node(name)
        if any(len(curve.keys) for curve in curves[:3]):
            node.curves["translation"] = place(curves[:3])
        if any(len(curve.keys) for curve in curves[3:]):
            node.curves["rotation"] = turn(curves[3:])

    if has_camera:
        pose("Camera")
        motion.node("Camera").is_joint = False
    if has_hands:
        for _ in range(4):
            switch = FloatCurve(source, False)
            motion.duration_s = max([motion.duration_s, *switch.times.tolist()])
        for side in ("Left", "Right"):
            for joint in JOINTS:
                pose(f"{side}_{joint}")
    if has_gaze:
        for _ in range(6):
            ray = FloatCurve(source, full)
            motion.duration_s = max([motion.duration_s, *ray.times.tolist()])
    markers(source)
    return motion


def markers(source: Bytes) -> None:
    """Passes over the list of markers, so that a wrong guess of the shape of keys is found by what is left."""
    if source.at == len(source.data):
        return
    (count,) = source.take("i")
    for _ in range(count):
        source.take("f")
        size, shift = 0, 0
        while True:
            (byte,) = source.take("B")
            size |= (byte & 127) << shift
            shift += 7
            if not byte & 128:
                break
        source.at += size
    if source.at != len(source.data):
        raise ValueError("bytes are left")


def place(curves: list[FloatCurve]) -> Curve:
    x, y, z = curves
    return lambda at: np.stack([-x.at(at), y.at(at), z.at(at)], axis=-1)


def turn(curves: list[FloatCurve]) -> Curve:
    def rotation(at: Rows) -> Rows:
        x, y, z, w = (curve.at(at) for curve in curves)
        found = np.stack([x, -y, -z, w], axis=-1)
        norm = length(found)[:, None]
        return np.where(norm > 1e-6, found / np.where(norm > 1e-6, norm, 1.0), IDENTITY)

    return rotation
