"""Motions of MikuMikuDance: bones and morphs."""

import struct
from pathlib import Path

import numpy as np

from maths import Rows, cubic, lerp, parameter, slerp, unit
from motion import Curve, Motion, Unsuitable, segment

UNIT_M = 0.08
RATE = 30.0
# Where the four curves (x, y, z, rotation) start among the 64 bytes of a key, each with x1, y1, x2, y2 four bytes apart.
ROW, COLUMN = 16, 4


def text(data: bytes) -> str:
    return data.split(b"\0")[0].decode("cp932", "replace")


def place(v: tuple[float, ...]) -> tuple[float, ...]:
    return (UNIT_M * v[0], UNIT_M * v[1], -UNIT_M * v[2])


def turn(q: tuple[float, ...]) -> tuple[float, ...]:
    return (-q[0], -q[1], q[2], q[3])


def read(path: Path) -> Motion:
    data = path.read_bytes()
    header = 40 if data[:30].split(b"\0")[0] == b"Vocaloid Motion Data file" else 50
    bones: dict[str, dict[int, tuple]] = {}
    morphs: dict[str, dict[int, tuple]] = {}
    (count,) = struct.unpack_from("<I", data, header)
    at = header + 4
    for _ in range(count):
        frame, *values = struct.unpack_from("<I7f", data, at + 15)
        key = (place(tuple(values[:3])), tuple(unit(np.array(turn(tuple(values[3:]))))), data[at + 47 : at + 111])
        if bones.setdefault(text(data[at : at + 15]), {}).setdefault(frame, key) != key:
            raise Unsuitable("two keys of a bone on one frame")
        at += 111
    if at < len(data):
        (count,) = struct.unpack_from("<I", data, at)
        at += 4
        for _ in range(count):
            frame, weight = struct.unpack_from("<If", data, at + 15)
            if morphs.setdefault(text(data[at : at + 15]), {}).setdefault(frame, (weight,)) != (weight,):
                raise Unsuitable("two keys of a morph on one frame")
            at += 23
    frames = [frame for keys in [*bones.values(), *morphs.values()] for frame in keys]
    motion = Motion(max(frames, default=0) / RATE, frame_rate=RATE, on_rest=True, cut=(15, "cp932"))
    for name, keys in bones.items():
        # A motion alone starts at rest, and goes to a first key that is later by that key's curves.
        first = keys[min(keys)]
        keys.setdefault(0, ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), first[2]))
        motion.node(name).curves = dict(zip(("translation", "rotation"), bone(keys), strict=True))
    for name, keys in morphs.items():
        keys.setdefault(0, (0.0,))
        motion.weights[name] = morph(keys)
    return motion


def eased(curves: Rows, row: int, u: Rows) -> Rows:
    """The share of the way that keys' curves have gone at a share of the time."""
    x1, y1, x2, y2 = (curves[:, row * ROW + k * COLUMN] / 127.0 for k in range(4))
    is_straight = (x1 == y1) & (x2 == y2)
    return np.where(is_straight, u, cubic(0.0, y1, y2, 1.0, parameter(x1, x2, u)))


def bone(keys: dict[int, tuple]) -> tuple[Curve, Curve]:
    frames = np.array(sorted(keys), dtype=np.float64)
    ordered = [keys[frame] for frame in sorted(keys)]
    places, turns = np.array([key[0] for key in ordered]), np.array([key[1] for key in ordered])
    curves = np.frombuffer(b"".join(key[2] for key in ordered), np.uint8).reshape(-1, 64).astype(np.float64)

    def translation(at: Rows) -> Rows:
        k, after, u = segment(frames, at * RATE)
        ways = [eased(curves[after], row, u) for row in range(3)]
        return places[k] + (places[after] - places[k]) * np.stack(ways, axis=-1)

    def rotation(at: Rows) -> Rows:
        k, after, u = segment(frames, at * RATE)
        return slerp(turns[k], turns[after], eased(curves[after], 3, u))

    return translation, rotation


def morph(keys: dict[int, tuple]) -> Curve:
    frames = np.array(sorted(keys), dtype=np.float64)
    values = np.array([keys[frame] for frame in sorted(keys)])

    def weight(at: Rows) -> Rows:
        k, after, u = segment(frames, at * RATE)
        return lerp(values[k], values[after], u)

    return weight
