"""Poses as arrays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Dict, List, Literal, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from . import _native, rotations
from ._arguments import refuse, single

__all__ = ["Poses", "Velocities"]

Order = Literal["xyzw", "wxyz"]


class Velocities(NamedTuple):
    """Velocities of J joints at F times in model space, in the axes of the poses."""

    #: Units of :attr:`Poses.metres_per_unit` per second. (F, J, 3) float32
    linear: NDArray[np.float32]
    #: Radians per second about each axis: along the axis of the turn, as long as its speed. (F, J, 3) float32
    angular: NDArray[np.float32]


@dataclass(eq=False, repr=False)
class Poses:
    """The poses of J joints at F times: transforms relative to the parent.

    All arrays are C-contiguous, made without copying from the library, and free to be changed. :meth:`dopesheet.Clip.from_poses`
    makes a clip from changed poses.
    """

    #: Unit quaternions in the order of :attr:`order`. (F, J, 4) float32
    rotations: NDArray[np.float32]
    #: Translations relative to the parent, in units of :attr:`metres_per_unit`. (F, J, 3) float32
    positions: NDArray[np.float32]
    #: Scale factors along the local axes. (F, J, 3) float32
    scales: NDArray[np.float32]
    #: Seconds. (F,) float64
    times: NDArray[np.float64]
    #: Names may repeat or be empty. J
    joint_names: List[str]
    #: The index of each joint's parent, always a lower index, or -1 for a root. (J,) int32
    parents: NDArray[np.int32]
    #: Positions at rest. (J, 3) float32
    offsets: NDArray[np.float32]
    #: Rotations at rest, in the order of :attr:`order`. (J, 4) float32
    rest_rotations: NDArray[np.float32]
    #: Scales at rest. (J, 3) float32
    rest_scales: NDArray[np.float32]
    #: Poses per second, if the times are frames 0, 1, 2 … at this rate; else ``None``.
    fps: Optional[float]
    #: ``xyzw`` (real part last) or ``wxyz`` (real part first).
    order: Order
    #: The directions of a figure's left, of up and of its front: ``("+x", "+y", "+z")`` in glTF.
    axes: Tuple[str, str, str]
    #: The length of a unit; ``None`` if the file does not tell.
    metres_per_unit: Optional[float]
    #: Whether the file or its model holds a hierarchy.
    hierarchy_known: bool
    #: The number of each joint in the file. J
    indices: List[int]
    #: The name of the clip.
    name: Optional[str] = None

    def __post_init__(self) -> None:
        _check_order(self.order)

    def __len__(self) -> int:
        """The number of poses."""
        return len(self.times)

    def __getitem__(self, which: slice) -> Poses:
        """A selection of the poses, at unchanged times; the arrays are views of the original arrays.

        :attr:`fps` is kept if the selection starts at the first pose and has no gaps: the frames 0, 1, 2 … at the same rate.
        """
        if not isinstance(which, slice):
            refuse("poses", "a slice, as in poses[10:20]", repr(which))
        start, _, step = which.indices(len(self))
        return replace(
            self,
            rotations=self.rotations[which],
            positions=self.positions[which],
            scales=self.scales[which],
            times=self.times[which],
            fps=self.fps if (start, step) == (0, 1) else None,
        )

    def __repr__(self) -> str:
        rate = "" if self.fps is None else f", {self.fps:g} fps"
        return f"<Poses: {len(self)} of {len(self.joint_names)} joints{rate}>"

    def to_torch(self) -> Dict[str, Any]:
        """The arrays as tensors of PyTorch, by their names here; the memory is shared. PyTorch has to be installed.
        """
        import torch  # type: ignore[import-not-found, unused-ignore]

        names = ("rotations", "positions", "scales", "times", "parents", "offsets", "rest_rotations", "rest_scales")
        return {name: torch.from_dlpack(np.ascontiguousarray(getattr(self, name))) for name in names}

    @property
    def root_positions(self) -> NDArray[np.float32]:
        """Positions of the first joint: a view of :attr:`positions`. (F, 3)"""
        return self.positions[:, 0]

    def with_order(self, order: Order) -> Poses:
        """The same poses with quaternions in another order; the other arrays are shared."""
        for word in (order, self.order):
            _check_order(word)
        if order == self.order:
            return self
        places = [3, 0, 1, 2] if order == "wxyz" else [1, 2, 3, 0]
        return replace(
            self,
            order=order,
            rotations=np.ascontiguousarray(self.rotations[..., places]),
            rest_rotations=np.ascontiguousarray(self.rest_rotations[..., places]),
        )

    def global_positions(self) -> NDArray[np.float32]:
        """Positions of all joints in model space, computed in double precision. (F, J, 3)

        Raises :class:`dopesheet.ArgumentError` if the motion has no hierarchy: give the motion its model.
        """
        return self._in_model_space()[0]

    def global_rotations(self) -> NDArray[np.float32]:
        """Rotations of all joints in model space, in the order of :attr:`order`. (F, J, 4)"""
        found = self._in_model_space()[1]
        return found if self.order == "xyzw" else found[..., [3, 0, 1, 2]]

    def velocities(self) -> Velocities:
        """Linear and angular velocities of all joints in model space, by central differences.

        The difference between the poses before and after each pose is divided by the seconds between both; at the ends, between
        neighbouring poses. Times need not be even. Motion faster than the poses is lost: use a high enough rate. Raises
        :class:`dopesheet.ArgumentError` if the motion has no hierarchy: give the motion its model.

        >>> import dopesheet
        >>> found = dopesheet.open("samples/jump.bvh").clips[0].poses().velocities()
        >>> found.linear.shape == found.angular.shape
        True
        """
        linear, angular = _native.velocities(self._arrays())
        return Velocities(linear, angular)

    def rotations_6d(self, layout: Literal["columns", "rows"] = "columns") -> NDArray[np.float32]:
        """The first two columns, or rows, of the rotation matrices, one after the other. (F, J, 6)"""
        if layout not in ("columns", "rows"):
            refuse("layout", '"columns" or "rows"', repr(layout))
        return self.rotations_as("6d" if layout == "columns" else "6d-rows")

    def axis_angle(self) -> NDArray[np.float32]:
        """Rotation vectors: along the axis, as long as the angle in radians. (F, J, 3)"""
        return self.rotations_as("axis-angle")

    def matrices(self) -> NDArray[np.float32]:
        """Rotation matrices, acting on column vectors. (F, J, 3, 3)"""
        return self.rotations_as("matrix")

    def euler(self, order: str, *, degrees: bool = False) -> NDArray[np.float32]:
        """Angles about X, Y and Z, always in this sequence, independent of the order of multiplication. (F, J, 3)

        ``order`` is written as the product: ``ZYX`` is qZ·qY·qX, which turns about X first, in the parent's axes.
        """
        if len(order) != 3:
            refuse("order", "an order of Euler angles such as ZYX", repr(order))
        return rotations.from_quaternions(self.with_order("xyzw").rotations, order, degrees=degrees)

    def rotations_as(self, form: str) -> NDArray[np.float32]:
        """The rotations in a form of :mod:`dopesheet.rotations`."""
        return rotations.from_quaternions(self.with_order("xyzw").rotations, form)

    def _in_model_space(self) -> Tuple[NDArray[np.float32], NDArray[np.float32]]:
        return _native.in_model_space(self._arrays())

    def _arrays(self) -> _native.PoseArrays:
        """The poses as arrays for the library."""
        own = self.with_order("xyzw")
        return {
            "name": own.name,
            "axes": own.axes,
            "metres_per_unit": own.metres_per_unit,
            "hierarchy_known": own.hierarchy_known,
            "names": own.joint_names,
            "indices": own.indices,
            "parents": own.parents,
            "offsets": single(own.offsets),
            "rest_rotations": single(own.rest_rotations),
            "rest_scales": single(own.rest_scales),
            "fps": own.fps,
            "times": np.ascontiguousarray(own.times, dtype=np.float64),
            "positions": single(own.positions),
            "rotations": single(own.rotations),
            "scales": single(own.scales),
        }


def _check_order(order: object) -> None:
    """Refuses an unknown order of quaternions, before the word is taken for one of the two orders."""
    if order not in ("xyzw", "wxyz"):
        refuse("order", '"xyzw" or "wxyz"', repr(order))


def of_arrays(arrays: _native.PoseArrays) -> Poses:
    """Poses from the library's arrays."""
    return Poses(
        rotations=arrays["rotations"],
        positions=arrays["positions"],
        scales=arrays["scales"],
        times=arrays["times"],
        joint_names=arrays["names"],
        parents=arrays["parents"],
        offsets=arrays["offsets"],
        rest_rotations=arrays["rest_rotations"],
        rest_scales=arrays["rest_scales"],
        fps=arrays["fps"],
        order="xyzw",
        axes=arrays["axes"],
        metres_per_unit=arrays["metres_per_unit"],
        hierarchy_known=arrays["hierarchy_known"],
        indices=arrays["indices"],
        name=arrays["name"],
    )
