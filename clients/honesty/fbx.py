"""Places of joints in a GLB of Dopesheet beside the GLBs that FBX2glTF, with Autodesk's SDK, made of the same FBX at several rates of frames.

Reads jobs from standard input, one JSON object per line: {"file", "ours", "theirs": {rate: path}, "starts": [seconds of each take],
"stored": {our name of a take: its name in the file, where they differ}, "frames_per_s": rate of the file}.
Writes for each take {"file", "take", "apart", "shifted", "stepped", "joint", "time_s", "rate", "joints", "frames", "missing_s"}: "apart" is the largest
distance of a joint in parts of the figure's height, over all frames of all rates, and where it is; "shifted" is the same with the start that
FBX2glTF gives a take (see `shifts`), "stepped" this on the nearer side of each step; "missing_s" is how much sooner its take ends. A take that cannot be compared has "why" instead.

Compared are joints of skins and animated nodes of the same name, alone of that name in both files, but for meshes with skins, whose
nodes have no effect.
"""

import json
import sys
from pathlib import Path

import numpy as np

from gltf import Document, curve
from maths import Rows, matrix

REST = {"translation": (0.0, 0.0, 0.0), "rotation": (0.0, 0.0, 0.0, 1.0), "scale": (1.0, 1.0, 1.0)}
# Least height of a figure, in metres: a part of 1e-4 of it is the usual tolerance of a conversion.
LEAST_M = 1.0
# On either side of a step, in seconds.
SIDE_S = 2e-4


class Figure:
    """Nodes of a GLB with their parents."""

    def __init__(self, path: Path) -> None:
        self.document = Document(path)
        root = self.document.json
        self.nodes = root.get("nodes", [])
        self.parents = {child: index for index, node in enumerate(self.nodes) for child in node.get("children", [])}
        self.takes = {take.get("name", ""): take for take in root.get("animations", [])}
        names = [node.get("name", "") for node in self.nodes]
        joints = {joint for skin in root.get("skins", []) for joint in skin["joints"]}
        moved = {channel["target"].get("node") for take in self.takes.values() for channel in take["channels"]}
        seen = joints | moved
        self.joints = {name: k for k, name in enumerate(names) if names.count(name) == 1 and "skin" not in self.nodes[k]}
        self.named = {names[index] for index in seen if index is not None}

    def places(self, take: str, joints: list[str], times: Rows) -> Rows:
        """Places of joints in the world, a row for each time."""
        animation = self.takes[take]
        curves = {}
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            path, node = channel["target"]["path"], channel["target"].get("node")
            if path in REST and node is not None:
                keys, values = (self.document.accessor(sampler[end]) for end in ("input", "output"))
                curves[node, path] = curve(keys[:, 0], values, sampler.get("interpolation", "LINEAR"), path == "rotation")
        worlds: dict[int, Rows] = {}

        def world(index: int) -> Rows:
            if index not in worlds:
                node = self.nodes[index]
                t, r, s = (
                    curves[index, path](times) if (index, path) in curves else np.array(node.get(path, rest), float)
                    for path, rest in REST.items()
                )
                local = np.zeros((len(times), 4, 4))
                local[:, :3, :3] = matrix(r, s)
                local[:, :3, 3], local[:, 3, 3] = t, 1.0
                if "matrix" in node and not any((index, path) in curves for path in REST):
                    local[:] = np.array(node["matrix"]).reshape(4, 4).T
                parent = self.parents.get(index)
                worlds[index] = local if parent is None else world(parent) @ local
            return worlds[index]

        return np.stack([world(self.joints[joint])[:, :3, 3] for joint in joints])

    def end(self, take: str) -> float:
        samplers = self.takes[take]["samplers"]
        return max((float(self.document.accessor(sampler["input"])[-1, 0]) for sampler in samplers), default=0.0)


def shifts(ours: Figure, theirs: Figure, take: str, rate: float, start: float, frames_per_s: float) -> list[float]:
    """Times by which a take of FBX2glTF starts late: not at all; at a whole frame of the file and of the rate; where it ends with ours; at 0."""
    whole = np.floor(start * frames_per_s + 1e-3) / frames_per_s
    return [0.0, np.floor(whole * rate + 1e-3) / rate - start, ours.end(take) - theirs.end(take), -start]


def compared(ours: Figure, theirs: dict[float, Figure], take: str, start: float, frames_per_s: float) -> dict:
    rates = {rate: figure for rate, figure in theirs.items() if take in figure.takes}
    if not rates:
        return {"why": "FBX2glTF has no such take"}
    answer = {"apart": 0.0, "shifted": 0.0, "stepped": 0.0, "frames": 0, "missing_s": 0.0}
    for rate, figure in rates.items():
        joints = sorted(ours.joints.keys() & figure.joints.keys() & (ours.named | figure.named))
        if not joints:
            return {"why": "no joints of one name"}
        times = np.arange(0.0, figure.end(take) * rate + 1e-3) / rate
        judged = figure.places(take, joints, times)
        height = max(float(np.ptp(judged.reshape(-1, 3), axis=0).max()), LEAST_M)
        found = []
        for shift in shifts(ours, figure, take, rate, start, frames_per_s):
            moments = times + shift
            both = (moments > -1e-4) & (moments < ours.end(take) + 1e-4)
            if both.any():
                sides = [ours.places(take, joints, moments[both] + side) for side in (0.0, -SIDE_S, SIDE_S)]
                distances = [np.linalg.norm(places - judged[:, both], axis=-1) / height for places in sides]
                joint, frame = np.unravel_index(int(distances[0].argmax()), distances[0].shape)
                largest = float(distances[0].max()), float(np.min(distances, axis=0).max())
                found.append((*largest, joints[joint], float(times[both][frame])))
        apart, _, joint, time_s = found[0]
        if apart >= answer["apart"]:
            answer |= {"apart": apart, "joint": joint, "time_s": time_s, "rate": rate, "height_m": height}
        answer["shifted"] = max(answer["shifted"], min(found)[0])
        answer["stepped"] = max(answer["stepped"], min(stepped for _, stepped, _, _ in found))
        answer["frames"] += len(times)
        answer["joints"] = len(joints)
        answer["missing_s"] = max(answer["missing_s"], ours.end(take) - figure.end(take), key=abs)
    return answer


def main() -> None:
    for line in sys.stdin:
        job = json.loads(line)
        ours = Figure(Path(job["ours"]))
        ours.takes = {job["stored"].get(name, name): take for name, take in ours.takes.items()}
        theirs = {float(rate): Figure(Path(path)) for rate, path in job["theirs"].items()}
        for index, take in enumerate(ours.takes):
            starts = job["starts"]
            start = starts[index] if index < len(starts) else 0.0
            answer = compared(ours, theirs, take, start, job["frames_per_s"])
            print(json.dumps({"file": job["file"], "take": take, **answer}), flush=True)


if __name__ == "__main__":
    main()
