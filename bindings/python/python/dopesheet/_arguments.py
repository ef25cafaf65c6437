"""Checks on arguments, with errors for unexpected values."""

from __future__ import annotations

import difflib
from typing import Any, Iterable, List, NoReturn, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import ArgumentError, UnknownNameError

#: A length, or a letter for any length.
Size = Union[int, str]


def refuse(argument: str, expected: str, found: str) -> NoReturn:
    """Raises :class:`ArgumentError`."""
    message = f"{argument}: expected {expected}, found {found}"
    raise ArgumentError(message, argument=argument, expected=expected, found=found)


def unknown(name: object, known: Iterable[str], what: str) -> NoReturn:
    """Raises :class:`UnknownNameError` with the known names of similar spelling."""
    names = list(dict.fromkeys(known))
    near: List[str] = difflib.get_close_matches(name, names, n=3, cutoff=0.6) if isinstance(name, str) else []
    if isinstance(name, str):
        folded = name.casefold()
        near = list(dict.fromkeys([*(other for other in names if other.casefold() == folded), *near]))
    if near:
        hint = f"did you mean {' or '.join(map(repr, near))}?"
    elif names:
        hint = f"there are {', '.join(map(repr, names[:8]))}{f' and {len(names) - 8} more' if len(names) > 8 else ''}"
    else:
        hint = "there is none"
    raise UnknownNameError(f"no {what} {name!r}; {hint}", name=name, near=near)


def plain(argument: str, value: Optional[ArrayLike]) -> NDArray[Any]:
    """The numbers of an array; masked numbers are refused, because the mask would be lost silently."""
    masked = int(np.ma.getmaskarray(value).sum()) if isinstance(value, np.ma.MaskedArray) else 0
    if masked:
        refuse(argument, "numbers without a mask", f"{masked} masked")
    return np.asarray(value)


def floats(argument: str, value: ArrayLike, shape: Tuple[Size, ...]) -> NDArray[Any]:
    """An array of finite floats of a given shape, unchanged; any other array is refused."""
    array = plain(argument, value)
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
    """A shape in the notation of NumPy, with letters for lengths of any size."""
    return "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def single(array: NDArray[Any]) -> NDArray[np.float32]:
    """The numbers as a C-contiguous array of float32, for the library."""
    return np.ascontiguousarray(array, dtype=np.float32)
