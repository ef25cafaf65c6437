"""Arguments: what was expected of them, and what was found."""

from __future__ import annotations

from typing import Any, NoReturn, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import ArgumentError

#: A length, or the letter that stands for one of any size.
Size = Union[int, str]


def refuse(argument: str, expected: str, found: str) -> NoReturn:
    """Raises :class:`ArgumentError`."""
    message = f"{argument}: expected {expected}, found {found}"
    raise ArgumentError(message, argument=argument, expected=expected, found=found)


def floats(argument: str, value: ArrayLike, shape: Tuple[Size, ...]) -> NDArray[Any]:
    """The finite numbers of an array of floats of a given shape, as it is."""
    array = np.asarray(value)
    if array.dtype.kind != "f":
        refuse(argument, "an array of float32 or float64", f"one of {array.dtype}")
    fits = array.ndim == len(shape) and all(
        isinstance(wanted, str) or wanted == length for wanted, length in zip(shape, array.shape)
    )
    if not fits:
        refuse(argument, f"the shape {shown(shape)}", shown(array.shape))
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        place = [int(i) for i in bad[0]]
        refuse(argument, "finite numbers", f"{array[tuple(place)]} at {place}")
    return array


def shown(shape: Sequence[Size]) -> str:
    """A shape as NumPy writes it, with letters for lengths of any size."""
    return "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def single(array: NDArray[Any]) -> NDArray[np.float32]:
    """The numbers as the library takes them: float32, one after the other."""
    return np.ascontiguousarray(array, dtype=np.float32)
