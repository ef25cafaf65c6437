"""Operations on motions, each with a new motion as the result."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, List, Literal, Mapping, Optional, Sequence, Tuple, Union, overload

import numpy as np
from numpy.typing import NDArray

from .errors import ArgumentError
from .options import Range, Time

if TYPE_CHECKING:
    from typing_extensions import Self

    from .files import Clip, File
    from .options import Path

__all__ = ["Edits"]

#: Kinds of tracks.
Kind = Literal["joint", "morph", "camera", "light", "hand", "custom"]
#: A single word, or several.
Kinds = Union[Kind, Sequence[Kind], None]
Words = Union[str, Sequence[str], None]
#: Names of bones as programs and collections of motions write them.
Naming = Literal[
    "unity",
    "mmd",
    "vrm",
    "mixamo",
    "unreal",
    "vroid",
    "blender",
    "biovision",
    "poser",
    "smpl",
    "cmu",
    "openxr",
    "webxr",
    "mrtk2",
    "soma",
    "rokoko",
    "xsens",
    "smpl-model",
    "makehuman",
    "biped",
    "bitmoji",
    "robotexpressive",
    "quaternius",
    "bandai",
    "unityxr",
    "mhr",
]
#: Interpolation law between a key and the next key: a word, or the control points x1, y1, x2, y2 of a Bezier timing.
Law = Union[Literal["step", "linear"], str, Tuple[float, float, float, float]]


class Edits:
    """Operations on files and clips within their format, equal to the operations of ``dopesheet edit``.

    Each operation returns a new file or clip and leaves the original unchanged: ``clip.trim(2, 10).mirror().save("out.vmd")``. A
    key not moved by any operation stays unchanged, with its curve and, in a file of the same format, the bytes around the key. The
    file is written back at the end, once for all operations; ``report`` lists the losses.

    A time is a number of seconds, or text such as ``"45f"``, with ``f`` for frames of the file. Invalid arguments raise
    :class:`ArgumentError`.
    """

    def _edit(self, operation: str, options: Mapping[str, Any], others: Sequence[Union[File, Clip, Path]] = ()) -> Self:
        raise NotImplementedError

    def _merge_apart(self, others: Sequence[Union[File, Clip, Path]]) -> List[Self]:
        raise NotImplementedError

    def _split(self, options: Mapping[str, Any]) -> List[Self]:
        raise NotImplementedError

    def within(self, tolerance: str) -> Self:
        """Sets the tolerance for all following operations: ``0.1mm``, ``1cm``, ``0.1mm@3cm``.

        The error of inexact results is measured in model space; an error above the tolerance raises :class:`DopesheetError`.
        Without a call of :meth:`within`, an error above 0.1 mm is only a warning in ``report``.
        """
        return self._edit("within", {"tolerance": tolerance})

    def trim(self, start: Time, end: Time, *, keep_time: bool = False, snap: bool = False) -> Self:
        """Keeps only a range, including both ends.

        * ``keep_time``: keep keys at their times, instead of starting at 0.
        * ``snap``: move an end between two frames to the nearest frame; by default, ends between frames are refused.
        """
        return self._edit("trim", {"range": (start, end), "keep_time": keep_time, "snap": snap})

    def delete(self, start: Time, end: Time, *, snap: bool = False) -> Self:
        """Removes a range and closes the gap: the pose at the end of the range is kept, and moved to the start."""
        return self._edit("delete", {"range": (start, end), "snap": snap})

    def split(self, *at: Time, snap: bool = False) -> List[Self]:
        """Parts cut at given times, or at all markers by default. The pose at a cut belongs to both parts around the cut.

        In a file with several clips, split a clip at a time: ``file.clip("walk").split(2)``; the other clips stay whole.
        """
        return self._split({"at": at, "snap": snap})

    def repeat(self, times: int) -> Self:
        """Plays several times."""
        return self._edit("repeat", {"times": times})

    def concat(self, *others: Union[File, Clip, Path], blend: Optional[Time] = None, snap: bool = False) -> Self:
        """Appends other motions. Tracks are matched by name, and clips of files by position.

        * ``blend``: length of a transition between two motions, with each curve straight from pose to pose.
        """
        return self._edit("concat", {"blend": blend, "snap": snap}, others)

    def join(self, *others: Union[File, Clip, Path], blend: Optional[Time] = None, snap: bool = False) -> Self:
        """As :meth:`concat`."""
        return self.concat(*others, blend=blend, snap=snap)

    @overload
    def merge(self, *others: Union[File, Clip, Path], split: Literal[False] = False) -> Self: ...

    @overload
    def merge(self, *others: Union[File, Clip, Path], split: Literal[True]) -> List[Self]: ...

    def merge(self, *others: Union[File, Clip, Path], split: bool = False) -> Union[Self, List[Self]]:
        """Merges motions that play at the same time: a body, a face and a camera become a single motion.

        * ``split``: return two motions instead, of the model and of cameras and lights, as loaded by MikuMikuDance:
          ``body, camera = clip.merge("face.vmd", "camera.vmd", split=True)``.
        """
        return self._merge_apart(others) if split else self._edit("merge", {}, others)

    def shift(self, by: Time, *, snap: bool = False) -> Self:
        """Moves all keys in time: later, or earlier for ``by`` below 0."""
        return self._edit("shift", {"by": by, "snap": snap})

    def retime(
        self,
        *,
        speed: Optional[float] = None,
        duration: Optional[Time] = None,
        fps: Optional[float] = None,
        curve: Union[Sequence[Tuple[Time, Time]], NDArray[Any], None] = None,
        exact: bool = False,
    ) -> Self:
        """Plays faster or slower, by exactly one of the first four arguments; every curve keeps its shape.

        * ``speed``: factor of the speed: 0.5 takes twice as long.
        * ``duration``: new duration.
        * ``fps``: new frame rate for the same frames, without resampling.
        * ``curve``: changing speed: pairs of an old time and a new time, ``[(0, 0), (1, 1), (2, 3)]``, with even speed between
          pairs; before the first and after the last pair, the speed is unchanged.
        * ``exact``: add keys to a VMD, up to twice as many, until the motion is within the tolerance. By default, keys move to the
          nearest frames, and the later of two keys on the same frame is kept, as in MikuMikuDance.
        """
        options = {"speed": speed, "duration": duration, "fps": fps, "curve": curve, "exact": exact}
        return self._edit("retime", options)

    def reverse(self) -> Self:
        """Plays backwards."""
        return self._edit("reverse", {})

    def mirror(self, *, names: Optional[Mapping[str, str]] = None) -> Self:
        """Exchanges left and right, recognised by names and by the bones of a humanoid.

        * ``names``: left names → right names, for names without a recognisable side.
        """
        return self._edit("mirror", {"names": names})

    def loop(self, *, over: Optional[Time] = None, travel: bool = False) -> Self:
        """Makes the end meet the start, for a loop without a jump.

        * ``over``: length of the range before the end for spreading the difference over keys; by default half a second, or all of
          a shorter clip.
        * ``travel``: let the figure continue from its last position, adjusting only the height of the root.
        """
        return self._edit("loop", {"over": over, "travel": travel})

    def resample(self, fps: float) -> Self:
        """Puts a key on every frame at a rate, with straight segments between keys."""
        return self._edit("resample", {"fps": fps})

    def reduce(self, *, tolerance: str = "0.1mm", editable: bool = False) -> Self:
        """Removes keys replaceable by straight segments between neighbouring keys, within a tolerance.

        * ``tolerance``: largest displacement of a point on the skin: ``0.1mm``, ``1cm``, ``0.1mm@3cm``.
        * ``editable``: give joints new keys with Bezier timing, as set by an animator: few keys, at equal times in a limb.
        """
        return self._edit("reduce", {"tolerance": tolerance, "editable": editable})

    def move(
        self,
        *,
        by: Union[str, Sequence[Union[float, str]], None] = None,
        turn: Optional[float] = None,
        scale: Optional[float] = None,
        ground: bool = False,
    ) -> Self:
        """Turns, scales, moves and grounds the root of the motion, in this order.

        * ``by``: translation along the axes of the file: ``"1m,0,-20cm"`` or ``("1m", 0, "-20cm")``; numbers without m,
          cm or mm are in units of the file.
        * ``turn``: turn to a figure's left about the vertical axis through the origin, in degrees.
        * ``scale``: factor of the root's positions, for a figure of another size; bones keep their lengths.
        * ``ground``: put standing feet on the ground, at height 0.
        """
        return self._edit("move", {"by": by, "turn": turn, "scale": scale, "ground": ground})

    def smooth(
        self,
        *names: str,
        kind: Kinds = None,
        property: Words = None,
        cutoff: Optional[float] = None,
        one_euro: bool = False,
        min_cutoff: Optional[float] = None,
        beta: Optional[float] = None,
        let_feet_slide: bool = False,
    ) -> Self:
        """Removes the jitter of captured motion. Standing feet stay in place.

        Names, ``kind`` and ``property`` are as in :meth:`select`; by default, joints, hands and cameras change, but not faces.

        * ``cutoff``: cutoff frequency in Hz, 6 by default; faster changes are removed, without delay.
        * ``one_euro``: use the One-Euro filter of live trackers: stronger for slower motion, and with a small delay.
        * ``min_cutoff``: with ``one_euro``, cutoff frequency at rest in Hz; 1 by default.
        * ``beta``: with ``one_euro``, increase of the cutoff in Hz for each metre or radian per second; 1 by default.
        * ``let_feet_slide``: leave all feet, even standing feet, at their filtered positions.
        """
        on = {"names": names, "kind": kind, "property": property}
        strength = {"cutoff": cutoff, "one_euro": one_euro, "min_cutoff": min_cutoff, "beta": beta}
        return self._edit("smooth", {**on, **strength, "let_feet_slide": let_feet_slide})

    def rename(
        self, names: Optional[Mapping[str, str]] = None, *, from_: Optional[Naming] = None, to: Optional[Naming] = None
    ) -> Self:
        """Renames bones, morphs and all other moving targets.

        * ``names``: old names → new names.
        * ``from_``, ``to``: old and new naming schemes of bones; a bone without a name in either scheme keeps its name.
        """
        return self._edit("rename", {"names": names, "from_": from_, "to": to})

    def select(self, *names: str, kind: Kinds = None, property: Words = None) -> Self:
        """Keeps only the tracks that match all given arguments.

        * ``names``: names, or patterns of names: ``左*``, ``?``, ``[ab]``.
        * ``kind``: kinds of tracks.
        * ``property``: properties of channels: ``translation``, ``rotation``, ``scale``, ``weight`` …
        """
        return self._edit("select", {"names": names, "kind": kind, "property": property})

    def drop(self, *names: str, kind: Kinds = None, property: Words = None) -> Self:
        """Removes the tracks matched by :meth:`select` with the same arguments."""
        return self._edit("drop", {"names": names, "kind": kind, "property": property})

    def set(
        self, *, name: Optional[str] = None, model_name: Optional[str] = None, loop: Optional[bool] = None
    ) -> Self:
        """Changes facts about a clip.

        * ``name``: new name of the clip.
        * ``model_name``: name of the model intended for the motion.
        * ``loop``: true for a player to start again at the end, false for a player to stay at the last pose.
        """
        return self._edit("set", {"name": name, "model_name": model_name, "loop": loop})

    def keys_move(
        self, range: Range, by: Time, *names: str, kind: Kinds = None, property: Words = None, snap: bool = False
    ) -> Self:
        """Moves the keys of a range in time: later, or earlier for ``by`` below 0.

        In all methods for keys, ``range`` may be a single time, and names, ``kind`` and ``property`` are as in :meth:`select`.
        """
        return self._keys("move", names, kind, property, snap, range=range, by=by)

    def keys_insert(
        self, at: Time, *names: str, kind: Kinds = None, property: Words = None, snap: bool = False
    ) -> Self:
        """Inserts a key into curves, keeping the shape of each curve."""
        return self._keys("insert", names, kind, property, snap, at=at)

    def keys_delete(
        self, range: Range, *names: str, kind: Kinds = None, property: Words = None, snap: bool = False
    ) -> Self:
        """Removes the keys of a range."""
        return self._keys("delete", names, kind, property, snap, range=range)

    def keys_copy(
        self, range: Range, to: Time, *names: str, kind: Kinds = None, property: Words = None, snap: bool = False
    ) -> Self:
        """Copies the keys of a range to another time, replacing the keys there.

        ``to`` is the time for the copy of a key at the start of the range.
        """
        return self._keys("copy", names, kind, property, snap, range=range, to=to)

    def keys_scale(
        self, range: Range, factor: float, *names: str, kind: Kinds = None, property: Words = None, snap: bool = False
    ) -> Self:
        """Scales the distances in time of the keys of a range from the start of the range."""
        return self._keys("scale", names, kind, property, snap, range=range, factor=factor)

    def keys_law(
        self, range: Range, law: Law, *names: str, kind: Kinds = None, property: Words = None, snap: bool = False
    ) -> Self:
        """Sets the interpolation from each key to the next key: ``step``, ``linear``, or x1, y1, x2, y2 of a Bezier timing."""
        return self._keys("law", names, kind, property, snap, range=range, law=law)

    def _keys(
        self, change: str, names: Tuple[str, ...], kind: Kinds, property: Words, snap: bool, **options: Any
    ) -> Self:
        on = {"names": names, "kind": kind, "property": property, "snap": snap}
        return self._edit(f"keys {change}", {**options, **on})

    def markers_add(self, at: Time, name: str, *, snap: bool = False) -> Self:
        """Adds a marker."""
        return self._edit("markers add", {"at": at, "name": name, "snap": snap})

    def markers_move(self, marker: Union[str, float], to: Time, *, snap: bool = False) -> Self:
        """Moves a marker, given by name or time, to another time."""
        return self._edit("markers move", {"marker": marker, "to": to, "snap": snap})

    def markers_remove(self, marker: Union[str, float]) -> Self:
        """Removes a marker, given by name or time in seconds."""
        return self._edit("markers remove", {"marker": marker})


def described(operation: str, options: Mapping[str, Any]) -> str:
    """Options as JSON for the library, under the names used by the command."""
    return json.dumps({name.rstrip("_").replace("_", "-"): _plain(operation, name, value) for name, value in options.items()})


def _plain(operation: str, name: str, value: Any) -> Any:
    """A value in types of JSON, converted from types of Python and NumPy."""
    if isinstance(value, Mapping):
        return {str(key): _plain(operation, name, inner) for key, inner in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(operation, name, inner) for inner in value]
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    expected = "a finite number" if isinstance(value, float) else "a value that can be described"
    message = f"{operation}: {name}: expected {expected}, found {value!r}"
    raise ArgumentError(message, argument=name, expected=expected, found=repr(value))
