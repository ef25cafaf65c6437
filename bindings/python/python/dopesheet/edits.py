"""Operations that change a motion, each of which makes a new one."""

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
#: One word, or several.
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
    "bandai",
    "unityxr",
]
#: Law of the way from a key to the next one: a word, or the control points x1, y1, x2, y2 of a Bezier timing.
Law = Union[Literal["step", "linear"], str, Tuple[float, float, float, float]]


class Edits:
    """Operations on files and clips, which stay in their format: those of ``dopesheet edit``.

    Each leaves what it is called on as it is, and gives a new file or clip: ``clip.trim(2, 10).mirror().save("out.vmd")``. A key that
    no operation moves stays as it is, with its curve and, in a file of the same format, the bytes around it. The file is written back
    at the end, once for all operations; what that cost stands in ``report``.

    A time is a number of seconds, or words such as ``"45f"``, where ``f`` stands for frames of the file. What makes no sense is an
    :class:`ArgumentError`.
    """

    def _edit(self, operation: str, options: Mapping[str, Any], others: Sequence[Union[File, Clip, Path]] = ()) -> Self:
        raise NotImplementedError

    def _merge_apart(self, others: Sequence[Union[File, Clip, Path]]) -> List[Self]:
        raise NotImplementedError

    def _split(self, options: Mapping[str, Any]) -> List[Self]:
        raise NotImplementedError

    def within(self, tolerance: str) -> Self:
        """Asks for a tolerance of all operations that follow: ``0.1mm``, ``1cm``, ``0.1mm@3cm``.

        What cannot stay exact is measured in model space; what is farther off then is a :class:`DopesheetError`. Without it 0.1 mm is wanted, and more
        is a warning in ``report``.
        """
        return self._edit("within", {"tolerance": tolerance})

    def trim(self, start: Time, end: Time, *, keep_time: bool = False, snap: bool = False) -> Self:
        """Leaves out what is before and after a range, both ends of which stay.

        * ``keep_time``: keep keys at their times, instead of starting at 0.
        * ``snap``: take the nearest frame where an end is between two; else that is refused.
        """
        return self._edit("trim", {"range": (start, end), "keep_time": keep_time, "snap": snap})

    def delete(self, start: Time, end: Time, *, snap: bool = False) -> Self:
        """Leaves out a range, and closes the gap: its end stays, and comes to its start."""
        return self._edit("delete", {"range": (start, end), "snap": snap})

    def split(self, *at: Time, snap: bool = False) -> List[Self]:
        """Its parts, cut at times, or at all markers. A time to cut at belongs to both parts around it.

        A file of several clips has them one by one: ``file.clip("walk").split(2)``; there the others stay whole.
        """
        return self._split({"at": at, "snap": snap})

    def repeat(self, times: int) -> Self:
        """Plays several times."""
        return self._edit("repeat", {"times": times})

    def concat(self, *others: Union[File, Clip, Path], blend: Optional[Time] = None, snap: bool = False) -> Self:
        """Puts other motions behind. Tracks are the same if their names are; clips of files are paired by position.

        * ``blend``: time between two motions, in which each curve goes straight from pose to pose.
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
        """Plays other motions at once: a body, its face and a camera become one motion.

        * ``split``: give two instead, what moves a model and what moves cameras and lights, as MikuMikuDance loads them:
          ``body, camera = clip.merge("face.vmd", "camera.vmd", split=True)``.
        """
        return self._merge_apart(others) if split else self._edit("merge", {}, others)

    def shift(self, by: Time, *, snap: bool = False) -> Self:
        """Moves all keys in time: later, or earlier where ``by`` is below 0."""
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
        """Plays faster or slower, in one of these ways; every curve keeps its shape.

        * ``speed``: so many times as fast: 0.5 takes twice as long.
        * ``duration``: so that it lasts so long.
        * ``fps``: as if its frames had been meant for this rate; nothing is sampled anew.
        * ``curve``: with a speed that changes: pairs of a time and its new time, ``[(0, 0), (1, 1), (2, 3)]``, between which the
          speed is even; before and behind them it is as it was.
        * ``exact``: add keys to a VMD until the motion is within the tolerance, up to twice as many. Without it its keys go to the
          nearest frames, and of two that come to one frame the later stays, as in MikuMikuDance.
        """
        options = {"speed": speed, "duration": duration, "fps": fps, "curve": curve, "exact": exact}
        return self._edit("retime", options)

    def reverse(self) -> Self:
        """Plays backwards."""
        return self._edit("reverse", {})

    def mirror(self, *, names: Optional[Mapping[str, str]] = None) -> Self:
        """Exchanges left and right, which are told by names and by the bones of a humanoid.

        * ``names``: left names → right names, where they say no side.
        """
        return self._edit("mirror", {"names": names})

    def loop(self, *, over: Optional[Time] = None, travel: bool = False) -> Self:
        """Makes the end meet the start, so that the clip can start again without a jump.

        * ``over``: length of the stretch before the end, whose keys take over the difference; half a second without, or all of a
          shorter clip.
        * ``travel``: let the figure go on from where it is; only the height of its root is brought back.
        """
        return self._edit("loop", {"over": over, "travel": travel})

    def resample(self, fps: float) -> Self:
        """Puts a key on every frame at a rate, with straight ways in between."""
        return self._edit("resample", {"fps": fps})

    def reduce(self, *, tolerance: str = "0.1mm", editable: bool = False) -> Self:
        """Leaves out keys that the straight way between their neighbours passes closely enough.

        * ``tolerance``: largest distance of a point on the skin from where it was: ``0.1mm``, ``1cm``, ``0.1mm@3cm``.
        * ``editable``: give joints new keys with Bezier timing, as an animator would set them: few, and at the same times for a whole limb.
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
        """Places, turns and scales the root of what moves: turned, then scaled, then moved, then put on the ground.

        * ``by``: way along the axes of the file: ``"1m,0,-20cm"`` or ``("1m", 0, "-20cm")``; numbers without m, cm or mm are in units
          of the file.
        * ``turn``: turn about the line upwards through the origin, to a figure's left, in degrees.
        * ``scale``: factor of the root's places, for a figure of another size; bones keep their lengths.
        * ``ground``: put feet that stand on the ground, at height 0.
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
        """Takes the jitter out of what was captured. Feet that stand stay where they stood.

        Names, ``kind`` and ``property`` are as in :meth:`select`; without any, joints, hands and cameras are meant, but no faces.

        * ``cutoff``: fastest change that stays, in Hz, 6 without; what is faster goes, and nothing comes later.
        * ``one_euro``: take the One-Euro filter of live trackers: the slower something is the stronger, and a little late.
        * ``min_cutoff``: with ``one_euro``, fastest change that stays of what rests, in Hz; 1 without.
        * ``beta``: with ``one_euro``, so many Hz more for each metre or radian per second; 1 without.
        * ``let_feet_slide``: leave feet where the filter puts them, also those that stand.
        """
        on = {"names": names, "kind": kind, "property": property}
        strength = {"cutoff": cutoff, "one_euro": one_euro, "min_cutoff": min_cutoff, "beta": beta}
        return self._edit("smooth", {**on, **strength, "let_feet_slide": let_feet_slide})

    def rename(
        self, names: Optional[Mapping[str, str]] = None, *, from_: Optional[Naming] = None, to: Optional[Naming] = None
    ) -> Self:
        """Gives other names to bones, morphs and all else that moves.

        * ``names``: old names → new names.
        * ``from_``, ``to``: how the bones are named, and how they shall be; bones that either has no name for keep theirs.
        """
        return self._edit("rename", {"names": names, "from_": from_, "to": to})

    def select(self, *names: str, kind: Kinds = None, property: Words = None) -> Self:
        """Keeps only the tracks of which all is true that is given.

        * ``names``: names, or patterns of names: ``左*``, ``?``, ``[ab]``.
        * ``kind``: kinds of tracks.
        * ``property``: properties of channels: ``translation``, ``rotation``, ``scale``, ``weight`` …
        """
        return self._edit("select", {"names": names, "kind": kind, "property": property})

    def drop(self, *names: str, kind: Kinds = None, property: Words = None) -> Self:
        """Leaves out the tracks that :meth:`select` would keep."""
        return self._edit("drop", {"names": names, "kind": kind, "property": property})

    def set(
        self, *, name: Optional[str] = None, model_name: Optional[str] = None, loop: Optional[bool] = None
    ) -> Self:
        """Says other things about a clip.

        * ``name``: its name.
        * ``model_name``: name of the model that the motion is for.
        * ``loop``: true if a player starts again at the end, false if it stays at the last pose.
        """
        return self._edit("set", {"name": name, "model_name": model_name, "loop": loop})

    def keys_move(
        self, range: Range, by: Time, *names: str, kind: Kinds = None, property: Words = None, snap: bool = False
    ) -> Self:
        """Makes the keys of a range come later or earlier; as in all of these, ``range`` may be one time, and names are as in :meth:`select`."""
        return self._keys("move", names, kind, property, snap, range=range, by=by)

    def keys_insert(
        self, at: Time, *names: str, kind: Kinds = None, property: Words = None, snap: bool = False
    ) -> Self:
        """Puts a key more into curves, which keep their shape."""
        return self._keys("insert", names, kind, property, snap, at=at)

    def keys_delete(
        self, range: Range, *names: str, kind: Kinds = None, property: Words = None, snap: bool = False
    ) -> Self:
        """Leaves out keys."""
        return self._keys("delete", names, kind, property, snap, range=range)

    def keys_copy(
        self, range: Range, to: Time, *names: str, kind: Kinds = None, property: Words = None, snap: bool = False
    ) -> Self:
        """Puts the same keys at another time too; keys that are there go. ``to`` is where one at the start of the range is again."""
        return self._keys("copy", names, kind, property, snap, range=range, to=to)

    def keys_scale(
        self, range: Range, factor: float, *names: str, kind: Kinds = None, property: Words = None, snap: bool = False
    ) -> Self:
        """Brings keys nearer to the start of a range, or away from it."""
        return self._keys("scale", names, kind, property, snap, range=range, factor=factor)

    def keys_law(
        self, range: Range, law: Law, *names: str, kind: Kinds = None, property: Words = None, snap: bool = False
    ) -> Self:
        """Says how the value runs from each key to the next one: ``step``, ``linear``, or x1, y1, x2, y2 of a Bezier timing."""
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
        """Puts a marker, which is told by its name or its time, at another time."""
        return self._edit("markers move", {"marker": marker, "to": to, "snap": snap})

    def markers_remove(self, marker: Union[str, float]) -> Self:
        """Takes a marker away, which is told by its name or its time."""
        return self._edit("markers remove", {"marker": marker})


def described(operation: str, options: Mapping[str, Any]) -> str:
    """Options as the library takes them: JSON, by the names of the command."""
    return json.dumps({name.rstrip("_").replace("_", "-"): _plain(operation, name, value) for name, value in options.items()})


def _plain(operation: str, name: str, value: Any) -> Any:
    """A value as JSON has it, of whatever is as good as one."""
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
