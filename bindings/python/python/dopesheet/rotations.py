"""Rotations in the forms in which programs and networks hold them.

A form is a word:

============== ======= ==============================================================================
``xyzw``       4       unit quaternion, real part last
``wxyz``       4       unit quaternion, real part first
``6d``         6       first two **columns** of the matrix, one after the other (Zhou et al. 2019)
``6d-rows``    6       first two **rows** of the matrix, one after the other
``axis-angle`` 3       along the axis, as long as the angle in radians, at most π
``matrix``     (3, 3)  acting on column vectors
``ZYX`` …      3       angles about **X, Y and Z**, in radians, multiplied as the letters say: qZ·qY·qX
============== ======= ==============================================================================

Everything is computed in double precision and rounded to float32 once.
"""

from __future__ import annotations

from typing import Tuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._arguments import floats, plain, refuse, shown, single

__all__ = ["convert", "from_quaternions", "to_quaternions"]


def from_quaternions(quaternions: ArrayLike, form: str, *, degrees: bool = False) -> NDArray[np.float32]:
    """Quaternions x y z w, ``(..., 4)``, in another form.

    >>> print(from_quaternions(np.array([0.0, 0.0, 1.0, 0.0]), "axis-angle").round(4))
    [0.     0.     3.1416]
    """
    array = plain("quaternions", quaternions)
    array = floats("quaternions", array, (*array.shape[:-1], 4))
    rows = _native.from_quaternions(single(array).reshape(-1, 4), form)
    if degrees:
        _check_degrees(form)
        rows = np.degrees(rows)
    width: Tuple[int, ...] = (3, 3) if form == "matrix" else (rows.shape[1],)
    return rows.reshape(*array.shape[:-1], *width)


def to_quaternions(rotations: ArrayLike, form: str, *, degrees: bool = False) -> NDArray[np.float32]:
    """Rotations in a form as unit quaternions x y z w, ``(..., 4)``.

    Quaternions whose length is off by more than 1 % are refused, because they are probably something else.

    >>> print(to_quaternions(np.array([[90.0, 0.0, 0.0]]), "ZYX", degrees=True).round(4))
    [[0.7071 0.     0.     0.7071]]
    """
    array = plain("rotations", rotations)
    last = 2 if form == "matrix" else 1
    if array.ndim < last:
        refuse("rotations", f"numbers in the form {form}", f"the shape {shown(array.shape)}")
    if form == "matrix" and array.shape[-2:] != (3, 3):
        refuse("rotations", "the shape (..., 3, 3)", shown(array.shape))
    array = floats("rotations", array, array.shape)
    if degrees:
        _check_degrees(form)
        array = np.radians(array.astype(np.float64))
    outer = array.shape[: array.ndim - last]
    width = int(np.prod(array.shape[array.ndim - last :]))
    rows = np.ascontiguousarray(array, dtype=np.float64).reshape(-1, width)
    return _native.to_quaternions(rows, form).reshape(*outer, 4)


def convert(rotations: ArrayLike, source: str, target: str) -> NDArray[np.float32]:
    """Rotations in one form as rotations in another.

    >>> convert(np.array([1.0, 0.0, 0.0, 0.0]), "wxyz", "6d").tolist()
    [1.0, 0.0, 0.0, 0.0, 1.0, 0.0]
    """
    return from_quaternions(to_quaternions(rotations, source), target)


def _check_degrees(form: str) -> None:
    if form.lower() not in ("xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "axis-angle"):
        refuse("degrees", "a form of angles", form)
