"""Options of functions and methods, with types."""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING, Literal, Mapping, Optional, Tuple, TypedDict, Union

from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from .files import File

__all__ = ["ConvertOptions", "SampleOptions"]

Path = Union[str, "os.PathLike[str]"]
#: A path, ``ARCHIVE:ENTRY``, bytes, or a file open for reading bytes.
Source = Union[Path, bytes, bytearray, memoryview, IO[bytes]]
#: A file, the path of a file, or ``standard`` for the built-in puppet.
Model = Union["File", Path]
#: Names in the first file → names in the second; or the path of a file with lines ``theirs = ours``, or with a JSON object.
Names = Union[Mapping[str, str], Path]
#: Seconds, or text such as ``45f``, with ``f`` for frames.
Time = Union[float, str]
#: A start and an end, text such as ``10f:45f``, or a single time for both.
Range = Union[Tuple[Time, Time], Time]
#: Seconds, or text such as ``0,0.5,45f``, with ``f`` for frames.
Times = Union[ArrayLike, str]
#: Start, end and step in seconds, or text such as ``0f:90f:2f``.
Steps = Union[Tuple[float, float, float], str]
Axes = Literal["native", "gltf"]
Language = Literal["original", "english"]


class SampleOptions(TypedDict, total=False):
    """The options of :meth:`dopesheet.File.sample`."""

    fps: Optional[float]
    times: Optional[Times]
    frames: Optional[ArrayLike]
    range: Optional[Steps]
    axes: Axes
    space: Literal["local", "model"]
    clip: Union[int, str, None]
    model: Optional[Model]
    #: A human figure to transfer the motion to first.
    onto: Optional[Model]
    names: Optional[Names]
    language: Language


class ArrowOptions(SampleOptions, total=False):
    """The options of :meth:`dopesheet.File.to_arrow`."""

    layout: Literal["wide", "long"]
    dtype: Literal["float32", "float64"]


class ConvertOptions(TypedDict, total=False):
    """The options of :func:`dopesheet.convert`, equal to the options of the command."""

    #: Name of the file to be written, used to name the files beside the main file. Set by :meth:`dopesheet.File.save`.
    file_name: Optional[str]
    #: The model for the motions.
    model: Optional[Model]
    #: A file to add the clips to, matching nodes by name.
    into: Optional[Model]
    #: A human figure to transfer the motion to, regardless of names, rest poses and lengths of bones.
    onto: Optional[Model]
    #: With ``onto``: write only the skeleton and the clips, without the figure's meshes and other parts.
    motion_only: bool
    #: With ``onto``: contacts of the motion to be kept on the figure: ``off``, ``feet``, or ``all`` (hands too).
    contacts: Literal["off", "feet", "all"]
    #: With ``onto``: distance of hands from the body in centimetres, achieved by turning arms aside.
    arm_space: float
    #: With ``onto`` and in VRMA: ground of the motion: ``auto`` (zero of the file, unless stands and rest heights tell of another),
    #: ``stands`` (the lowest stands), ``origin`` (zero of the file), or ``keep`` (none: heights of the hips, scaled).
    floor: Literal["auto", "stands", "origin", "keep"]
    #: With ``onto``: length by which the whole figure is raised (``3cm``) or lowered (``-2cm``).
    raise_: str
    #: With ``onto``: pose of fingers without keys in the motion.
    hands: Literal["rest", "relaxed"]
    #: Naming scheme of the motion's bones and, after a colon, of the figure's (``soma:unreal``); guessed by default.
    vocabulary: Optional[str]
    #: Number of the human figure in the motion's file and, after a colon, in the other file, from 1 (``2:1``).
    person: Optional[str]
    #: With ``into``: drop the animations already in the file.
    replace: bool
    #: Leave out the first moving node of each clip.
    skip_first: bool
    #: Only this clip, by position or name.
    clip: Union[int, str, None]
    #: Names of the inputs → names of the model or target.
    names: Optional[Names]
    #: Language of the names of nodes, morphs and materials.
    language: Language
    #: A key for every frame at this rate instead of authored keys.
    bake: Optional[float]
    #: Largest accepted distance of the result from the source: ``0.1mm@3cm``.
    tolerance: Optional[str]
    #: Drop authored keys with an effect below the tolerance.
    lossy: bool
    #: Write cubic segments to save space.
    cubic: bool
    #: Program to imitate in solving rigs, because programs differ.
    ik: Literal["mmd", "babylon"]
    #: Keys as authored, with no rig solved.
    raw: bool
    #: Course between frames of formats with a key on every frame (BVH, and recordings in FBX).
    between_frames: Literal["straight", "stored"]
    #: Range of time to keep, in seconds or as text; the start becomes 0.
    range: Union[Tuple[float, float], str, None]
    #: Move clips with a start before 0 instead of cutting at 0.
    shift: bool
    #: Rest pose for a motion without a model in a format without rest poses: translations of the first keys, or all first keys.
    rest: Literal["places", "first"]
    #: Group keys by target, then sort them by time.
    sort: bool
    #: Metres per unit of the inputs.
    scale: Optional[float]
    #: Let light change no material.
    unlit: bool
    #: Add a small skinned mesh of the bones to a skeleton without meshes, which viewers would not show.
    show_bones: bool
    #: Keep channels equal to the rest pose throughout.
    keep_constant: bool
    #: Write ``?`` for characters missing from the target's encoding.
    replace_unencodable: bool
    #: Write even if fewer than half of the moving tracks match the model or the target.
    partial: bool
    #: Limit on the frames to bake or to sample for keys; a larger number is refused. By default, the frames of 10 million numbers.
    max_frames: Optional[int]
