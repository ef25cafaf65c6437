"""glTF 2.0, as .glb and as .gltf with files or data beside it."""

import base64
import json
import struct
from pathlib import Path
from urllib.parse import unquote

import numpy as np

from maths import Rows, hermite, lerp, slerp, unit
from motion import Curve, Motion, Unsuitable, held, segment

WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
# Type of a component, and the divisor that makes a normalised integer a number.
COMPONENTS = {5120: ("<i1", 127), 5121: ("<u1", 255), 5122: ("<i2", 32767), 5123: ("<u2", 65535), 5125: ("<u4", 0), 5126: ("<f4", 0)}


class Document:
    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        self.folder = path.parent
        self.binary = b""
        if data[:4] == b"glTF":
            (size,) = struct.unpack_from("<I", data, 12)
            self.json = json.loads(data[20 : 20 + size])
            rest = data[20 + size :]
            self.binary = rest[8:] if rest else b""
        else:
            self.json = json.loads(data)
        used = set(self.json.get("extensionsUsed", []))
        if used & {"EXT_meshopt_compression", "KHR_meshopt_compression"}:
            raise Unsuitable("compressed buffers")
        self.buffers = [self.buffer(b) for b in self.json.get("buffers", [])]

    def buffer(self, buffer: dict) -> bytes:
        uri = buffer.get("uri")
        if uri is None:
            return self.binary
        if uri.startswith("data:"):
            return base64.b64decode(uri.partition(",")[2])
        return (self.folder / unquote(uri)).read_bytes()

    def view(self, index: int) -> bytes:
        view = self.json["bufferViews"][index]
        start = view.get("byteOffset", 0)
        return self.buffers[view["buffer"]][start : start + view["byteLength"]]

    def accessor(self, index: int) -> Rows:
        a = self.json["accessors"][index]
        width = WIDTHS[a["type"]]
        kind, divisor = COMPONENTS[a["componentType"]]
        size = np.dtype(kind).itemsize
        if "bufferView" in a:
            stride = self.json["bufferViews"][a["bufferView"]].get("byteStride", size * width)
            values = self.elements(a["bufferView"], a.get("byteOffset", 0), stride, kind, width, a["count"])
        else:
            values = np.zeros((a["count"], width), kind)
        if "sparse" in a:
            sparse = a["sparse"]
            where, what = sparse["indices"], sparse["values"]
            number, _ = COMPONENTS[where["componentType"]]
            step = np.dtype(number).itemsize
            places = self.elements(where["bufferView"], where.get("byteOffset", 0), step, number, 1, sparse["count"])
            found = self.elements(what["bufferView"], what.get("byteOffset", 0), size * width, kind, width, sparse["count"])
            values[places[:, 0]] = found
        numbers = values.astype(np.float64)
        return numbers if divisor == 0 else np.maximum(numbers / divisor, -1.0)

    def elements(self, view: int, start: int, stride: int, kind: str, width: int, count: int) -> np.ndarray:
        data = self.view(view)
        return np.ndarray((count, width), kind, data, start, (stride, np.dtype(kind).itemsize)).copy()


def read(path: Path) -> Motion:
    document = Document(path)
    root = document.json
    nodes = root.get("nodes", [])
    names = [node.get("name", f"#{index}") for index, node in enumerate(nodes)]
    if len(set(names)) < len(names):
        raise Unsuitable("nodes of one name")
    if len(root.get("animations", [])) != 1:
        raise Unsuitable(f"{len(root.get('animations', []))} animations")
    motion = Motion(0.0, knows_hierarchy=True)
    for index, node in enumerate(nodes):
        if "matrix" in node:
            raise Unsuitable("a node given as a matrix")
        own = motion.node(names[index])
        own.is_joint = "camera" not in node
        own.rest = {
            "translation": np.array(node.get("translation", (0.0, 0.0, 0.0))),
            "rotation": unit(np.array(node.get("rotation", (0.0, 0.0, 0.0, 1.0)))),
            "scale": np.array(node.get("scale", (1.0, 1.0, 1.0))),
        }
        for child in node.get("children", []):
            motion.node(names[child]).parent = names[index]
    animation = root["animations"][0]
    for channel in animation["channels"]:
        target = channel["target"]
        if target["path"] == "pointer" or "node" not in target:
            continue
        sampler = animation["samplers"][channel["sampler"]]
        times = document.accessor(sampler["input"])[:, 0]
        law = sampler.get("interpolation", "LINEAR")
        motion.duration_s = max(motion.duration_s, float(times[-1]))
        if law == "STEP":
            motion.jumps += times.tolist()
        values = document.accessor(sampler["output"])
        node = nodes[target["node"]]
        if target["path"] == "weights":
            mesh = root["meshes"][node["mesh"]]
            targets = mesh.get("extras", {}).get("targetNames", [])
            count = len(mesh["primitives"][0]["targets"])
            for k in range(count):
                name = targets[k] if k < len(targets) else f"{names[target['node']]}[{k}]"
                if name in motion.weights:
                    raise Unsuitable("morphs of one name")
                motion.weights[name] = curve(times, values[k::count], law, False)
        else:
            own = motion.node(names[target["node"]])
            own.curves[target["path"]] = curve(times, values, law, target["path"] == "rotation")
    return motion


def curve(times: Rows, values: Rows, law: str, turns: bool) -> Curve:
    """A sampler: what its values are at some times."""
    cubic = law == "CUBICSPLINE"
    keys = values[1::3] if cubic else values
    if turns and not cubic:
        keys = unit(keys)

    def at(moments: Rows) -> Rows:
        if law == "STEP":
            return keys[held(times, moments)]
        k, after, u = segment(times, moments)
        if not cubic:
            return (slerp if turns else lerp)(keys[k], keys[after], u)
        step = (times[after] - times[k])[:, None]
        found = hermite(keys[k], step * values[3 * k + 2], keys[after], step * values[3 * after], u)
        return unit(found) if turns else found

    return at
