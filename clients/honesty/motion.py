"""What every reader yields: curves by node and property, in glTF's axes and in metres."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from maths import Rows

# Values at some times, one in each row.
Curve = Callable[[Rows], Rows]

REST = {"translation": np.zeros(3), "rotation": np.array([0.0, 0.0, 0.0, 1.0]), "scale": np.ones(3)}


class Unsuitable(Exception):
    """Why a file cannot be measured by itself; it is not counted."""


@dataclass
class Node:
    parent: str | None = None
    # False of a camera, whose place reports tell by itself.
    is_joint: bool = True
    rest: dict[str, Rows] = field(default_factory=lambda: dict(REST))
    # "translation", "rotation" and "scale": metres, unit quaternions, factors.
    curves: dict[str, Curve] = field(default_factory=dict)


@dataclass
class Motion:
    duration_s: float
    nodes: dict[str, Node] = field(default_factory=dict)
    weights: dict[str, Curve] = field(default_factory=dict)
    # Times at which something jumps.
    jumps: list[float] = field(default_factory=list)
    # Frames per second, in a format that has keys on frames only.
    frame_rate: float | None = None
    # True if values of joints come on top of a rest pose that the file does not have.
    on_rest: bool = False
    # True if nodes hang on others.
    knows_hierarchy: bool = False
    # True if it has joints alone, no cameras.
    has_joints_alone: bool = False
    # Bytes to which the format cuts names of nodes, and the encoding that it counts them in.
    cut: tuple[int, str] | None = None

    def node(self, name: str) -> Node:
        return self.nodes.setdefault(name, Node())

    def as_offsets(self) -> Motion:
        """The same with values of joints on top of its rest pose, in the axes of the world."""
        nodes = {name: replace(node, curves=dict(node.curves)) for name, node in self.nodes.items()}
        for node in nodes.values():
            if "translation" in node.curves:
                rest = node.rest["translation"]
                node.curves["translation"] = mapped(node.curves["translation"], lambda values, rest=rest: values - rest)
        return replace(self, nodes=nodes, on_rest=True, knows_hierarchy=False)

    def seen_as(self, name: str) -> str:
        """A name as this format can hold it."""
        if self.cut is None:
            return name
        most, encoding = self.cut
        return name.encode(encoding, "replace")[:most].decode(encoding, "ignore")


def held(times: Rows, at: Rows) -> NDArray[np.intp]:
    """The last key that is not later than each time; the first one before it."""
    return np.clip(np.searchsorted(times, at, "right") - 1, 0, len(times) - 1)


def segment(times: Rows, at: Rows) -> tuple[NDArray[np.intp], NDArray[np.intp], Rows]:
    """The key before each time, the one after it, and the fraction of the way; at an end that key and no way."""
    k = np.clip(np.searchsorted(times, at, "right") - 1, 0, max(len(times) - 2, 0))
    after = np.minimum(k + 1, len(times) - 1)
    step = times[after] - times[k]
    return k, after, np.clip((at - times[k]) / np.where(step > 0.0, step, 1.0), 0.0, 1.0)


def mapped(curve: Curve, change: Callable[[Rows], Rows]) -> Curve:
    return lambda at: change(curve(at))
