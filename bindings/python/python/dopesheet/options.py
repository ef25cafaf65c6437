"""What may be asked for, with types."""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING, Literal, Mapping, Optional, Tuple, TypedDict, Union

from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from .files import File

__all__ = ["ConvertOptions", "SampleOptions"]

Path = Union[str, "os.PathLike[str]"]
#: A path, ``ARCHIVE:ENTRY``, bytes, or a file that is open for reading bytes.
Source = Union[Path, bytes, bytearray, memoryview, IO[bytes]]
#: A file, its path, or ``standard`` for our own puppet.
Model = Union["File", Path]
#: Names of one file → names of another; or a file with lines ``theirs = ours``, or with a JSON object.
Names = Union[Mapping[str, str], Path]
#: Seconds; or words such as ``45f``, where ``f`` stands for frames.
Time = Union[float, str]
#: A start and an end; or words such as ``10f:45f``; or one time, which is both.
Range = Union[Tuple[Time, Time], Time]
#: Seconds; or words such as ``0,0.5,45f``, where ``f`` stands for frames.
Times = Union[ArrayLike, str]
#: Start, end and step in seconds; or words such as ``0f:90f:2f``.
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
    names: Optional[Names]
    language: Language


class ArrowOptions(SampleOptions, total=False):
    """The options of :meth:`dopesheet.File.to_arrow`."""

    layout: Literal["wide", "long"]
    dtype: Literal["float32", "float64"]


class ConvertOptions(TypedDict, total=False):
    """The options of :func:`dopesheet.convert`: those of the command."""

    #: What the file will be called; files beside it are named after it. :meth:`dopesheet.File.save` says that itself.
    file_name: Optional[str]
    #: The model that the motions play on.
    model: Optional[Model]
    #: A file to whose nodes the clips are added, by name.
    into: Optional[Model]
    #: A human figure that the motion of another one is put onto, whatever its bones are called, how they rest and how long they are.
    onto: Optional[Model]
    #: With ``onto``: the skeleton with the clips, without meshes and all else that the figure has.
    motion_only: bool
    #: With ``onto``: what stands or holds in the motion and does so on the figure too.
    contacts: Literal["off", "feet", "all"]
    #: With ``onto``: centimetres that hands keep from the body, for which arms are turned aside.
    arm_space: float
    #: With ``onto``: what fingers do that the motion lacks.
    hands: Literal["rest", "relaxed"]
    #: Whose names the bones have, instead of a guess: those of the motion, and behind a colon those of the figure (``soma:unreal``).
    vocabulary: Optional[str]
    #: Which of several human figures in a file, counted from 1: the motion's, and behind a colon the other file's (``2:1``).
    person: Optional[str]
    #: With ``into``: drop its own animations.
    replace: bool
    #: Leave out the first moving node of each clip.
    skip_first: bool
    #: Only this clip, by position or name.
    clip: Union[int, str, None]
    #: Names of the inputs → names of the model or target.
    names: Optional[Names]
    #: Which names nodes, morphs and materials go by.
    language: Language
    #: A key for every frame at this rate instead of authored keys.
    bake: Optional[float]
    #: How far the result may be from the source: ``0.1mm@3cm``.
    tolerance: Optional[str]
    #: Drop authored keys that change less than the tolerance.
    lossy: bool
    #: Cubic segments where they need less room.
    cubic: bool
    #: Whose answer is wanted where programs solve rigs differently.
    ik: Literal["mmd", "babylon"]
    #: Keys as authored, with no rig solved.
    raw: bool
    #: Only this stretch, in seconds or in words; its start becomes 0.
    range: Union[Tuple[float, float], str, None]
    #: Move clips that start before 0 instead of cutting them there.
    shift: bool
    #: Rest pose of a motion without a model whose format states none: translations of the first keys, or all of these.
    rest: Literal["places", "first"]
    #: Group keys by target, then sort them by time.
    sort: bool
    #: Metres per unit of the inputs.
    scale: Optional[float]
    #: Let light change no material.
    unlit: bool
    #: A small mesh of the bones, with a skin, for a skeleton without any mesh, of which viewers show nothing.
    show_bones: bool
    #: Keep channels that equal the rest pose throughout.
    keep_constant: bool
    #: Write ``?`` for characters that the target's encoding lacks.
    replace_unencodable: bool
    #: Write although fewer than half of the moving tracks reach the model or the target.
    partial: bool
    #: Frames that may all get keys, or be looked at for keys; more are refused. Without it as many as have 10 million numbers.
    max_frames: Optional[int]
