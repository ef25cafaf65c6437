"""Clips made from arrays, and the checks on the shapes and values of the arrays."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any, Dict, Literal, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import rotations as rotation_forms
from ._arguments import floats, plain, refuse, shown, single
from .poses import Poses

if TYPE_CHECKING:
    from .files import Clip

__all__ = ["FromArrays"]


class FromArrays:
    """Constructors of clips from arrays, by way of poses or of an ``.npz`` file in memory."""

    @classmethod
    def from_poses(cls, poses: Poses) -> Clip:
        raise NotImplementedError

    @classmethod
    def _of_npz(cls, arrays: Dict[str, NDArray[Any]], fps: float, name: Optional[str]) -> Clip:
        raise NotImplementedError

    @classmethod
    def from_arrays(
        cls,
        rotations: ArrayLike,
        *,
        order: str,
        names: Sequence[str],
        parents: ArrayLike,
        offsets: ArrayLike,
        axes: Union[str, Tuple[str, str, str]],
        metres_per_unit: Optional[float],
        fps: Optional[float] = None,
        times: Optional[ArrayLike] = None,
        positions: Optional[ArrayLike] = None,
        root_positions: Optional[ArrayLike] = None,
        scales: Optional[ArrayLike] = None,
        rest_rotations: Optional[ArrayLike] = None,
        rest_scales: Optional[ArrayLike] = None,
        name: Optional[str] = None,
    ) -> Clip:
        """A clip in memory from the poses of J joints at F times. :meth:`save` writes the clip in any format.

        * ``rotations``: relative to the parent, (F, J, 4); in another form of :mod:`dopesheet.rotations` (F, J, N), or
          (F, J, 3, 3) for ``order="matrix"``.
        * ``order``: ``xyzw``, ``wxyz``, or the form of ``rotations``.
        * ``names``, ``parents``: J names, and for each joint the index of the parent, always a lower index, or -1 for a root.
        * ``offsets``: (J, 3), positions at rest, relative to the parent.
        * ``axes``: the id of a format with the same axes (``gltf``, ``bvh``, ``vmd`` …), or the directions of a figure's left,
          up and front: ``("+x", "+z", "-y")``.
        * ``metres_per_unit``: the length of a unit; ``None`` if unknown.
        * ``fps``, or ``times`` in seconds, (F,).
        * ``positions``: (F, J, 3), relative to the parent; or ``root_positions``: (F, 3), positions of the only root.
          Without either, all joints stay at their offsets.
        """
        form = order
        numbers = plain("rotations", rotations)
        tail = (3, 3) if form == "matrix" else (_width(form),)
        numbers = floats("rotations", numbers, ("F", "J", *tail))
        count, joints = numbers.shape[:2]
        rest = rest_rotations if rest_rotations is not None else _identity(form, joints)
        offset = single(floats("offsets", offsets, (joints, 3)))
        roots = _parents(parents, joints)
        _same_length("names", names, joints)
        return cls.from_poses(
            Poses(
                rotations=rotation_forms.to_quaternions(numbers, form),
                positions=_positions(positions, root_positions, offset, roots, count),
                scales=_ones(scales, "scales", (count, joints, 3)),
                times=_times(fps, times, count),
                joint_names=list(names),
                parents=roots,
                offsets=offset,
                rest_rotations=rotation_forms.to_quaternions(
                    floats("rest_rotations", rest, (joints, *tail)), form
                ),
                rest_scales=_ones(rest_scales, "rest_scales", (joints, 3)),
                fps=fps,
                order="xyzw",
                axes=axes,  # type: ignore[arg-type]
                metres_per_unit=metres_per_unit,
                hierarchy_known=True,
                indices=list(builtins.range(joints)),
                name=name,
            )
        )

    @classmethod
    def from_smpl(
        cls,
        poses: ArrayLike,
        *,
        fps: float,
        up: Literal["y", "z"],
        translation: Optional[ArrayLike] = None,
        offsets: Optional[ArrayLike] = None,
        betas: Optional[ArrayLike] = None,
        gender: Optional[str] = None,
        name: Optional[str] = None,
    ) -> Clip:
        """A clip of a body of the SMPL family: 22, 24 (SMPL), 52 (SMPL-H) or 55 joints (SMPL-X).

        The clip equals the clip of an ``.npz`` file with the same arrays, as in AMASS.

        * ``poses``: rotation vectors, (F, J, 3) or (F, 3 J).
        * ``up``: the world's upward axis, ``y``, or ``z`` as in AMASS. The body itself always rests with Y up; in the axes of
          glTF, and in conversions, the body stands upright.
        * ``translation``: (F, 3), the path of the body, in metres.
        * ``offsets``: (J, 3), positions of the joints at rest relative to the parent (the pelvis: to the origin), in metres. The
          offsets follow from the body's shape, by way of the SMPL model; by default, a figure of ordinary proportions is
          assumed.
        * ``betas``, ``gender``: the body's shape and gender, as in AMASS; a conversion to ``npz@smplh`` writes both back.
        """
        if up not in ("y", "z"):
            refuse("up", '"y" or "z"', repr(up))
        numbers = plain("poses", poses)
        arrays = {"poses": floats("poses", numbers, ("F", "J", 3) if numbers.ndim == 3 else ("F", "3 J"))}
        if translation is not None:
            arrays["trans"] = floats("translation", translation, (len(numbers), 3))
        if offsets is not None:
            arrays["offsets"] = floats("offsets", offsets, ("J", 3))
        if betas is not None:
            arrays["betas"] = floats("betas", betas, ("N",))
        if gender is not None:
            arrays["gender"] = np.array(gender)
        return cls._of_npz({**arrays, "axes": np.array(f"{up}up")}, fps, name)

    @classmethod
    def from_joints(
        cls,
        positions: ArrayLike,
        *,
        names: Sequence[str],
        parents: ArrayLike,
        fps: float,
        axes: str = "yup",
        metres_per_unit: float = 1.0,
        offsets: Optional[ArrayLike] = None,
        name: Optional[str] = None,
    ) -> Clip:
        """A clip from positions of joints in model space, without rotations: (F, J, 3).

        The clip equals the clip of an ``.npz`` file with the same arrays. All joints are exactly at the given positions, and
        no joint turns. A conversion computes rotations, unless ``raw=True``, and reports the resulting error in positions.

        * ``axes``: ``yup``, ``zup``, or the directions of a figure's left, up and front, as in ``+x+z-y``.
        * ``offsets``: (J, 3), positions of the joints at rest relative to the parent; by default, taken from the first frame.
        """
        places = floats("positions", positions, ("F", "J", 3))
        _same_length("names", names, places.shape[1])
        arrays = {
            "positions": places,
            "joint_names": np.array(list(names), dtype=np.str_),
            "parents": _parents(parents, places.shape[1]),
            "axes": np.array(axes),
            "metres_per_unit": np.array(float(metres_per_unit)),
        }
        if offsets is not None:
            arrays["offsets"] = floats("offsets", offsets, (places.shape[1], 3))
        return cls._of_npz(arrays, fps, name)


_WIDTHS = {"xyzw": 4, "wxyz": 4, "6d": 6, "6d-rows": 6}


def _width(form: str) -> int:
    """Numbers per rotation; 3 for an unknown form, to be refused on first use."""
    return _WIDTHS.get(form, 3)


def _identity(form: str, joints: int) -> NDArray[np.float32]:
    quaternions = np.tile(np.array([0, 0, 0, 1], dtype=np.float32), (joints, 1))
    return rotation_forms.from_quaternions(quaternions, form)


def _ones(value: Optional[ArrayLike], argument: str, shape: Tuple[int, ...]) -> NDArray[np.float32]:
    return np.ones(shape, dtype=np.float32) if value is None else single(floats(argument, value, shape))


def _parents(value: ArrayLike, joints: int) -> NDArray[np.int32]:
    parents = plain("parents", value)
    if parents.dtype.kind not in "iu":
        refuse("parents", "an array of whole numbers", f"one of {parents.dtype}")
    if parents.shape != (joints,):
        refuse("parents", f"the shape {shown((joints,))}, as many as rotations have joints", shown(parents.shape))
    for joint, parent in enumerate(parents.tolist()):
        if not -1 <= parent < joint:
            refuse("parents", f"-1 or the number of a joint before joint {joint}", str(parent))
    return parents.astype(np.int32)


def _same_length(argument: str, value: Sequence[str], joints: int) -> None:
    if isinstance(value, str) or not all(isinstance(name, str) for name in value):
        refuse(argument, "a list of names", repr(value))
    if len(value) != joints:
        refuse(argument, f"{joints} names, as many as rotations have joints", str(len(value)))


def _positions(
    positions: Optional[ArrayLike],
    root_positions: Optional[ArrayLike],
    offsets: NDArray[np.float32],
    parents: NDArray[np.int32],
    count: int,
) -> NDArray[np.float32]:
    if positions is not None:
        if root_positions is not None:
            refuse("positions", "either positions or root_positions", "both")
        return single(floats("positions", positions, (count, len(offsets), 3)))
    out = np.tile(offsets, (count, 1, 1))
    if root_positions is not None:
        roots = np.flatnonzero(parents == -1)
        if len(roots) != 1:
            refuse("root_positions", "one joint that hangs on none", str(len(roots)))
        out[:, roots[0]] = floats("root_positions", root_positions, (count, 3))
    return out


def _times(fps: Optional[float], times: Optional[ArrayLike], count: int) -> NDArray[np.float64]:
    if (fps is None) == (times is None):
        refuse("fps", "either fps or times", "neither" if fps is None else "both")
    if fps is not None:
        if not isinstance(fps, (int, float, np.integer, np.floating)) or not 0.001 <= fps <= 1e6:
            refuse("fps", "a rate from 0.001 to 1,000,000", repr(fps))
        return np.arange(count, dtype=np.float64) / fps
    found = np.asarray(plain("times", times), dtype=np.float64)
    return np.ascontiguousarray(floats("times", found, (count,)))


def check_poses(poses: Poses) -> None:
    """Refuses poses whose arrays were changed to inconsistent shapes."""
    count, joints = len(poses.times), len(poses.joint_names)
    for name, tail in [("rotations", 4), ("positions", 3), ("scales", 3)]:
        floats(name, getattr(poses, name), (count, joints, tail))
    for name, tail in [("offsets", 3), ("rest_rotations", 4), ("rest_scales", 3)]:
        floats(name, getattr(poses, name), (joints, tail))
    _parents(poses.parents, joints)
    if len(poses.indices) != joints:
        refuse("indices", f"{joints} numbers, as many as there are joints", str(len(poses.indices)))
