"""Makes motions by chance, without any code of Dopesheet: `python make.py FOLDER SEED COUNT` writes COUNT files each of GLB, VMD, BVH,
PlayCanvas JSON and NPZ. The same seed makes the same files.

Each is a figure of a few joints with keys on a grid or at any times, tracks that start late or have one key, and any law of its format.
"""

import json
import math
import random
import struct
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from maths import of_angles

RATES = (24.0, 25.0, 30.0, 50.0, 60.0, 120.0)


@dataclass
class Joint:
    name: str
    parent: int
    offset: np.ndarray


class Figure:
    """A tree of joints, and what they do."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        count = chance.randint(3, 8)
        self.joints = [
            Joint(f"J{k}", chance.randrange(k) if k else -1, self.vector(0.05, 0.4) if k else np.array([0.0, 1.0, 0.0]))
            for k in range(count)
        ]
        self.duration = chance.uniform(2.1, 4.0)

    def vector(self, low: float, high: float) -> np.ndarray:
        return np.array([self.chance.choice((-1.0, 1.0)) * self.chance.uniform(low, high) for _ in range(3)])

    def times(self, rate: float | None) -> list[float]:
        """Key times from 0 or later up to the end or earlier, on frames if there is a rate."""
        chance = self.chance
        if chance.random() < 0.1:
            return [0.0]
        start = chance.uniform(0.2, 1.0) if chance.random() < 0.2 else 0.0
        count = chance.randint(2, 20)
        times = sorted(chance.uniform(start, self.duration) for _ in range(count))
        times = [start, *times, self.duration]
        if rate:
            times = [round(t * rate) / rate for t in times]
        # As single precision has them.
        times = sorted({float(np.float32(t)) for t in times})
        return [times[0], *(b for a, b in zip(times, times[1:], strict=False) if b - a > 0.01)]

    def angles(self, count: int, most: float = 0.9) -> np.ndarray:
        """Angles of so many keys, in radians, with less than half a turn between two."""
        return np.array([[self.chance.uniform(-most, most) for _ in range(3)] for _ in range(count)])

    def places(self, count: int) -> np.ndarray:
        return np.array([self.vector(0.0, 0.3) for _ in range(count)])


def glb(figure: Figure, path: Path) -> None:
    chance = figure.chance
    rate = chance.choice((None, *RATES))
    binary = b""
    views, accessors = [], []

    def accessor(values: np.ndarray, kind: str) -> int:
        nonlocal binary
        data = values.astype("<f4").tobytes()
        views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(data)})
        entry = {"bufferView": len(views) - 1, "componentType": 5126, "count": len(values), "type": kind}
        if kind == "SCALAR":
            low, high = (float(f(values.astype("<f4"))) for f in (np.min, np.max))
            entry |= {"min": [low], "max": [high]}
        accessors.append(entry)
        binary += data
        return len(accessors) - 1

    samplers, channels = [], []
    for k, _ in enumerate(figure.joints):
        for path_ in ("rotation", "translation") if k == 0 or chance.random() < 0.2 else ("rotation",):
            times = figure.times(rate)
            count = len(times)
            law = chance.choice(("LINEAR", "LINEAR", "STEP", "CUBICSPLINE")) if count > 1 else "LINEAR"
            values = of_angles(figure.angles(count)) if path_ == "rotation" else figure.joints[k].offset + figure.places(count)
            if law == "CUBICSPLINE":
                slopes = np.array([[chance.uniform(-0.5, 0.5) for _ in range(values.shape[1])] for _ in range(2 * count)])
                values = np.stack([slopes[:count], values, slopes[count:]], axis=1).reshape(-1, values.shape[1])
            samplers.append(
                {
                    "input": accessor(np.array(times), "SCALAR"),
                    "output": accessor(values, "VEC4" if path_ == "rotation" else "VEC3"),
                    "interpolation": law,
                }
            )
            channels.append({"sampler": len(samplers) - 1, "target": {"node": k, "path": path_}})
    nodes = []
    for k, joint in enumerate(figure.joints):
        node: dict = {"name": joint.name, "translation": [float(np.float32(x)) for x in joint.offset]}
        children = [at for at, other in enumerate(figure.joints) if other.parent == k]
        nodes.append(node | ({"children": children} if children else {}))
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": nodes,
        "animations": [{"name": "made", "samplers": samplers, "channels": channels}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(binary)}],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    head = struct.pack("<4sIII4s", b"glTF", 2, 28 + len(text) + len(binary), len(text), b"JSON")
    path.write_bytes(head + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary)


def vmd(figure: Figure, path: Path) -> None:
    chance = figure.chance
    bones = b""
    count = 0
    for k, joint in enumerate(figure.joints):
        frames = [round(t * 30.0) for t in figure.times(30.0)]
        places = figure.places(len(frames)) / 0.08 if k == 0 else np.zeros((len(frames), 3))
        for frame, place, turn in zip(frames, places, of_angles(figure.angles(len(frames))), strict=True):
            handles = [chance.choice((20, 20, chance.randint(0, 127))) for _ in range(16)]
            handles = [h if h != 20 or at < 8 else 107 for at, h in enumerate(handles)]
            # Three further rows repeat the first one, each a byte on.
            curves = b"".join(bytes(handles[row:]) + bytes(row) for row in range(4))
            bones += struct.pack("<15sI7f64s", joint.name.encode("cp932"), frame, *place, *turn, curves)
            count += 1
    head = struct.pack("<30s20s", b"Vocaloid Motion Data 0002", b"made")
    path.write_bytes(head + struct.pack("<I", count) + bones + struct.pack("<IIII", 0, 0, 0, 0))


def bvh(figure: Figure, path: Path) -> None:
    rate = figure.chance.choice(RATES)
    frames = round(figure.duration * rate) + 1
    lines = ["HIERARCHY"]

    def joint(k: int, depth: int) -> None:
        own, tabs = figure.joints[k], "\t" * depth
        lines.append(f"{tabs}{'JOINT' if depth else 'ROOT'} {own.name}")
        lines.append(tabs + "{")
        lines.append(f"{tabs}\tOFFSET " + " ".join(f"{100.0 * x:.6f}" for x in own.offset))
        places = "" if depth else "Xposition Yposition Zposition "
        lines.append(f"{tabs}\tCHANNELS {3 if depth else 6} {places}Zrotation Yrotation Xrotation")
        order.append(k)
        below = [at for at, other in enumerate(figure.joints) if other.parent == k]
        for at in below:
            joint(at, depth + 1)
        if not below:
            lines.extend([f"{tabs}\tEnd Site", f"{tabs}\t{{", f"{tabs}\t\tOFFSET 0 10 0", f"{tabs}\t}}"])
        lines.append(tabs + "}")

    order: list[int] = []
    joint(0, 0)
    lines.extend(["MOTION", f"Frames: {frames}", f"Frame Time: {1.0 / rate:.6f}"])
    at = np.arange(frames) / rate
    waves = [[smooth(figure.chance, at) for _ in range(3)] for _ in order]
    way = [smooth(figure.chance, at) for _ in range(3)]
    for frame in range(frames):
        row = [100.0 * (figure.joints[0].offset[axis] + 0.3 * way[axis][frame]) for axis in range(3)]
        row += [math.degrees(wave[frame]) for own in waves for wave in own]
        lines.append(" ".join(f"{number:.6f}" for number in row))
    path.write_text("\n".join(lines) + "\n")


def smooth(chance: random.Random, at: np.ndarray) -> np.ndarray:
    """Numbers within 0.9 of 0 that run smoothly."""
    return sum(0.3 * np.sin(chance.uniform(0.5, 6.0) * at + chance.uniform(0.0, 6.0)) for _ in range(3))


def playcanvas(figure: Figure, path: Path) -> None:
    nodes = []
    for k, joint in enumerate(figure.joints):
        times = figure.times(figure.chance.choice((None, *RATES)))
        turns = np.degrees(figure.angles(len(times), 0.6))
        places = joint.offset + (figure.places(len(times)) if k == 0 else np.zeros((len(times), 3)))
        keys = [
            {"t": t, "p": place.tolist(), "r": turn.tolist(), "s": [1, 1, 1]}
            for t, place, turn in zip(times, places, turns, strict=True)
        ]
        nodes.append({"name": joint.name, "defaults": {}, "keys": keys})
    last = max(key["t"] for node in nodes for key in node["keys"])
    animation = {"version": 4, "name": "made", "duration": max(figure.duration, last), "nodes": nodes}
    path.write_text(json.dumps({"animation": animation}))


def npz(figure: Figure, path: Path) -> None:
    rate = figure.chance.choice(RATES)
    frames = round(figure.duration * rate) + 1
    at = np.arange(frames) / rate
    turns = [np.stack([smooth(figure.chance, at) for _ in range(3)], axis=-1) for _ in figure.joints]
    root = figure.joints[0].offset + 0.3 * np.stack([smooth(figure.chance, at) for _ in range(3)], axis=-1)
    np.savez(
        path,
        layout="clip",
        fps=rate,
        axes="yup",
        metres_per_unit=1.0,
        order="xyzw",
        joint_names=np.array([joint.name for joint in figure.joints]),
        parents=np.array([joint.parent for joint in figure.joints]),
        offsets=np.stack([joint.offset for joint in figure.joints]),
        rotations=np.stack([of_angles(own) for own in turns], axis=1).astype("<f4"),
        root_positions=root.astype("<f4"),
    )


MAKERS = {"glb": glb, "vmd": vmd, "bvh": bvh, "json": playcanvas, "npz": npz}


def main() -> None:
    folder, seed, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    for extension, make in MAKERS.items():
        for k in range(count):
            figure = Figure(random.Random(f"{seed} {extension} {k}"))
            make(figure, folder / f"made-{seed}-{k}.{extension}")


if __name__ == "__main__":
    main()
