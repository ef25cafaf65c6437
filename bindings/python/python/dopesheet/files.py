"""Files, the clips in them, and their conversions."""

from __future__ import annotations

import glob
import io
import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import fields
from functools import cached_property
from typing import (
    IO,
    TYPE_CHECKING,
    Any,
    Callable,
    Deque,
    Dict,
    Iterable,
    Iterator,
    List,
    Literal,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Union,
    get_args,
)

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native, results
from ._arguments import plain, refuse, shown, unknown
from ._native import Table
from .arrays import FromArrays, check_poses
from .clips import Motion
from .edits import Edits, described
from .errors import DopesheetError
from .options import Axes, ConvertOptions, Language, Model, Names, Path, Source, Steps, Times
from .poses import Poses
from .results import CheckReport, ConversionReport, Diff, EditReport, FormatInfo, Info
from .tracks import Sampled, SampledTrack

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

__all__ = ["Clip", "Conversion", "File", "convert", "diff", "formats", "open", "open_many"]

#: Body models from research, usable by name as the target of :meth:`Clip.retarget`.
Skeleton = Literal["smpl", "smplh", "smplx", "humanml3d", "kimodo"]


class Conversion:
    """The result of a conversion: the file, the files beside the main file, and the report."""

    def __init__(self, data: bytes, resources: Dict[str, bytes], report: ConversionReport, format: str) -> None:
        #: The bytes of the main file.
        self.data = data
        #: Bytes of the files beside the main file, by file name.
        self.resources = resources
        #: Everything kept, approximated and dropped by the conversion.
        self.report = report
        #: The format's id.
        self.format = format

    def __repr__(self) -> str:
        return f"<Conversion to {self.format}: {len(self.data)} bytes>"

    def save(self, path: Path, *, overwrite: bool = False) -> None:
        """Writes the main file and the files beside the main file, all completely or not at all."""
        _native.save(path, self.data, list(self.resources.items()), overwrite)


class File(Edits):
    """A file after reading. :func:`dopesheet.open` returns a :class:`File`."""

    def __init__(
        self, native: _native.Document, model: Optional[File], opening: Optional[Mapping[str, Any]] = None
    ) -> None:
        self._native = native
        #: The options given to :func:`open`.
        self._opening = opening or {}
        #: The model for the file's motions; ``None`` if no model was given.
        self.model = model

    def __repr__(self) -> str:
        return f"<File {self.name!r} ({self.format})>"

    def __reduce__(self) -> Tuple[Any, ...]:
        # Another process gets the bytes of all files, not the document parsed from the bytes.
        data, beside = self._native.write(None)
        options = {**self._opening, "resources": {**self._resources, **dict(beside)}}
        return _reopened, (data, {**options, "name": self.name, "format": self.format, "model": self.model})

    @property
    def _resources(self) -> Mapping[str, bytes]:
        """Bytes of further files given to :func:`open` with the bytes of this file."""
        return self._opening.get("resources") or {}

    @property
    def name(self) -> str:
        """The name or path given when opening the file."""
        return self._native.name

    @property
    def format(self) -> str:
        """The id of the format; ``memory`` for a file made from arrays."""
        return self._native.format

    @cached_property
    def clips(self) -> List[Clip]:
        """Its motions."""
        return [Clip(self, index) for index in range(len(self._native_clips))]

    @cached_property
    def _native_clips(self) -> List[_native.Clip]:
        return self._native.clips()

    def clip(self, choice: Union[int, str]) -> Clip:
        """A motion by position, or the first motion of a given name.

        Raises :class:`UnknownNameError`, a :class:`KeyError`, if the file has no such motion.
        """
        for clip in self.clips:
            if choice in (clip.index, clip.name):
                return clip
        unknown(choice, (clip.name for clip in self.clips if clip.name is not None), "clip")

    def _edit(self, operation: str, options: Mapping[str, Any], others: Sequence[Union[File, Clip, Path]] = ()) -> Self:
        return self._edited(operation, options, others, None)

    def _edited(
        self,
        operation: str,
        options: Mapping[str, Any],
        others: Sequence[Union[File, Clip, Path]],
        clip: Optional[int],
    ) -> Self:
        """The file after an operation on a single clip, or on all clips."""
        beside = [_motion(other) for other in others]
        native = self._native.edit(operation, described(operation, options), beside, clip)
        return type(self)(native, self.model, self._opening)

    def _merge_apart(self, others: Sequence[Union[File, Clip, Path]]) -> List[Self]:
        return self._merged_apart(others, None)

    def _merged_apart(self, others: Sequence[Union[File, Clip, Path]], clip: Optional[int]) -> List[Self]:
        """A file for the model and a file for cameras and lights, from a single clip merged with others, or from all clips."""
        parts = self._native.merge_apart([_motion(other) for other in others], clip)
        return [type(self)(native, self.model, self._opening) for native in parts]

    def _split(self, options: Mapping[str, Any]) -> List[Self]:
        return self._parts(options, None)

    def _parts(self, options: Mapping[str, Any], clip: Optional[int]) -> List[Self]:
        """A file for each part of a clip; without ``clip``, of the file's only clip."""
        parts = self._native.split(described("split", options), clip)
        return [type(self)(native, self.model, self._opening) for native in parts]

    @cached_property
    def report(self) -> EditReport:
        """Findings from reading the file, and everything kept, approximated and dropped by operations since."""
        return results.parse(EditReport, self._native.report())

    def info(
        self, *, model: Optional[Model] = None, names: Optional[Names] = None, vocabulary: Optional[str] = None
    ) -> Info:
        """The contents of the file; with a model, also the fit of the motions on the model.

        ``vocabulary`` states the naming scheme of the figure's bones (``soma``, ``mixamo``, ``unreal`` …), guessed by default.
        """
        return results.parse(Info, self._native.info(self._model(model), names, vocabulary))

    def check(self, *, model: Optional[Model] = None, names: Optional[Names] = None) -> CheckReport:
        """Faults of the file, and remarkable facts about the file."""
        return results.parse(CheckReport, self._native.check(self._model(model), names))

    def to_bytes(self) -> bytes:
        """The bytes of the file, written anew: identical to the bytes read, except for the changes made by operations.

        Pickle files can be read, but not written.
        """
        return self._native.write(None)[0]

    def sample(
        self,
        *,
        fps: Optional[float] = None,
        times: Optional[Times] = None,
        frames: Optional[ArrayLike] = None,
        range: Optional[Steps] = None,
        axes: Axes = "native",
        space: Literal["local", "model"] = "local",
        clip: Union[int, str, None] = None,
        model: Optional[Model] = None,
        onto: Optional[Model] = None,
        names: Optional[Names] = None,
        language: Language = "original",
    ) -> Sampled:
        """The values of all moving targets at given times; by default, on every frame at the clip's frame rate.

        Give at most one of ``fps`` (samples per second), ``times`` (seconds), ``frames`` (numbers of frames at the
        clip's frame rate) and ``range`` (start, end and step in seconds; both ends included). Times may be negative or past
        the end. With ``onto``, the values are those of a human figure with the motion, as :meth:`convert` transfers it.
        """
        arguments = self._sample_arguments(
            fps, times, frames, range, axes, space, clip, model, names, language, onto
        )
        found, tracks = self._native.sample(arguments)
        sampled = [SampledTrack(target, index, kind, dict(ch)) for target, index, kind, ch in tracks]
        return Sampled(self.name, self.format, axes, space, found, sampled)

    def to_arrow(
        self,
        *,
        fps: Optional[float] = None,
        times: Optional[Times] = None,
        frames: Optional[ArrayLike] = None,
        range: Optional[Steps] = None,
        axes: Axes = "native",
        space: Literal["local", "model"] = "local",
        clip: Union[int, str, None] = None,
        model: Optional[Model] = None,
        onto: Optional[Model] = None,
        names: Optional[Names] = None,
        language: Language = "original",
        layout: Literal["wide", "long"] = "wide",
        dtype: Literal["float32", "float64"] = "float32",
    ) -> Table:
        """The values of :meth:`sample` as an Arrow table: a row per frame, or a row per number (``layout="long"``).

        The columns are the same as in the command ``dopesheet table``. The result implements the Arrow PyCapsule interface;
        libraries with support for the interface take over the table without copying.
        """
        arguments = self._sample_arguments(
            fps, times, frames, range, axes, space, clip, model, names, language, onto
        )
        return self._native.table(arguments, layout, dtype)

    def convert(self, to: Optional[str] = None, **options: Unpack[ConvertOptions]) -> Conversion:
        """The file in another format; see :func:`dopesheet.convert`."""
        return convert([self], to, **self._on_model(options))

    def save(
        self, path: Path, to: Optional[str] = None, *, overwrite: bool = False, **options: Unpack[ConvertOptions]
    ) -> ConversionReport:
        """Writes the file in the format of the path's extension, or in the format ``to``; see :func:`dopesheet.convert`.

        The file is written completely or not at all. Existing files are overwritten only with ``overwrite=True``.
        """
        conversion = _convert([self], to, os.fspath(path), self._on_model(options))
        conversion.save(path, overwrite=overwrite)
        return conversion.report

    def diff(
        self,
        other: Union[File, Source],
        *,
        tolerance: str = "0.1mm",
        model: Optional[Model] = None,
        names: Optional[Names] = None,
        clip: Union[int, str, None] = None,
    ) -> Diff:
        """The differences between this file and another file; see :func:`dopesheet.diff`."""
        model = model if model is not None else self.model
        return diff(self, other, tolerance=tolerance, model=model, names=names, clip=clip)

    def _on_model(self, options: ConvertOptions) -> ConvertOptions:
        return options if options.get("model") is not None else {**options, "model": self.model}

    def _model(self, model: Optional[Model]) -> Optional[_native.Document]:
        model = model if model is not None else self.model
        return _document(model)

    def _sample_arguments(
        self,
        fps: Optional[float],
        times: Optional[Times],
        frames: Optional[ArrayLike],
        range: Optional[Steps],
        axes: str,
        space: str,
        clip: Union[int, str, None],
        model: Optional[Model],
        names: Optional[Names],
        language: str,
        onto: Optional[Model] = None,
    ) -> Mapping[str, Any]:
        return {
            "times": times if isinstance(times, str) else _list("times", times),
            "frames": _list("frames", frames),
            "fps": fps,
            "range": range,
            "axes": axes,
            "space": space,
            "clip": clip,
            "model": self._model(model),
            "onto": _document(onto),
            "names": names,
            "language": language,
        }


class Clip(Motion, FromArrays):
    """A motion: the keys stored in a file, and the poses computed from the keys."""

    def retarget(self, figure: Union[Model, Skeleton], **options: Unpack[ConvertOptions]) -> Clip:
        """The motion of this clip's human figure on the skeleton of another figure, as a clip in memory.

        ``figure`` is a file, a path, ``standard`` for the built-in puppet, or the name of a body model from research
        (``smplh``). The result contains only the skeleton of ``figure``; ``clip.convert(onto=figure)`` keeps meshes and all
        other parts. The options are the options of :func:`dopesheet.convert`, and :attr:`report` lists everything kept,
        approximated and dropped. The result has the clip's frame rate.

        >>> import dopesheet
        >>> clip = dopesheet.open("samples/jump.bvh").clips[0]
        >>> clip.retarget("samples/character.glb").joint_names[:2], clip.retarget("smplh").joint_names[:2]
        (['Hips', 'Spine'], ['pelvis', 'left_hip'])
        """
        name = self.name or "motion"
        if isinstance(figure, str) and figure in get_args(Skeleton):
            made = self.convert(f"npz@{figure}", **options)
            file = open(made.data, name=f"{name}.npz", format="npz")
        else:
            own: ConvertOptions = {**options, "onto": figure, "motion_only": True}
            made = self.convert("glb", **own)
            file = open(made.data, name=f"{name}.glb")
        known = {field.name: getattr(made.report, field.name) for field in fields(EditReport)}
        # The conversion knows more losses than can be found by reading the converted file.
        file.__dict__["report"] = EditReport(**known)
        clip = file.clips[0]
        # GLB cannot store a frame rate.
        clip._kept_fps = self.fps
        return clip

    @classmethod
    def _of_npz(cls, arrays: Dict[str, NDArray[Any]], fps: float, name: Optional[str]) -> Clip:
        """The clip of an ``.npz`` file with the given arrays. Raises :class:`ArgumentError` for invalid arrays."""
        data = io.BytesIO()
        stored: Dict[str, Any] = {"fps": np.array(float(fps)), **arrays}
        np.savez(data, **stored)
        file = open(data.getvalue(), format="npz", lenient=True, name=f"{name or 'arrays'}.npz")
        clips = file.clips
        faults = [finding for finding in file.check().findings if finding.severity == "error"]
        if faults or not clips:
            fault = faults[0] if faults else None
            place = (fault.path or "arrays") if fault else "poses"
            expected, found = (fault.expected, fault.found) if fault else ("at least one frame", "none")
            refuse(place, expected, found)
        return clips[0]

    @classmethod
    def from_poses(cls, poses: Poses) -> Clip:
        """A clip in memory with a key for each pose, and rotation along great arcs between keys."""
        check_poses(poses)
        return File(_native.from_poses(poses.name or "arrays", poses._arrays()), None).clips[0]


def open(
    source: Source,
    *,
    format: Optional[str] = None,
    model: Optional[Model] = None,
    lenient: bool = False,
    name: Optional[str] = None,
    resources: Optional[Mapping[str, bytes]] = None,
    assume: Optional[Mapping[str, object]] = None,
    max_memory: Optional[int] = None,
    max_frames: Optional[int] = None,
) -> File:
    """Opens a file, given as a path, as ``ARCHIVE:ENTRY``, as bytes, or as an object open for reading bytes.

    * ``format``: the id of the format; detected by default.
    * ``model``: the model for the file's motions: a file, a path, or ``standard`` for the built-in puppet.
    * ``lenient``: keep the readable parts of a damaged file; :meth:`File.check` lists the unreadable parts.
    * ``name``, ``resources``: for bytes, the name of the file, and the bytes of the files it refers to, by name.
    * ``assume``: facts to assume if the file does not state them, as in ``{"rate": 30, "axes": "yup"}``.
    * ``max_memory``: limit in bytes on memory beyond the amount explained by the file's length, by default 8 MB.
    * ``max_frames``: limit on the frames computed from the file's motions by any method: by default, the number of frames with
      ten million numbers in total, or the file's number of keys if larger. A larger number of frames is refused before computing.

    Raises :class:`ParseError` for a damaged file, and for a file of arrays with an invalid array (wrong shape, wrong type, or
    NaN); :class:`UnknownFormatError`; :class:`FileError`.

    >>> open("samples/bow.vmd")
    <File 'samples/bow.vmd' (vmd)>
    """
    on = _file(model) if model is not None else None
    facts = {word: str(value) for word, value in (assume or {}).items()}
    most = (max_memory, max_frames)
    opening = {"lenient": lenient, "assume": facts, "max_memory": max_memory, "max_frames": max_frames}
    if isinstance(source, (str, os.PathLike)):
        return File(_native.Document.open(source, format, lenient, facts, most), on, opening)
    data, own_name = _bytes(source)
    native = _native.Document.read((name or own_name, data), dict(resources or {}), (format, lenient), facts, most)
    return File(native, on, {**opening, "resources": resources})


def _reopened(data: bytes, options: Mapping[str, Any]) -> File:
    """A file from its pickled bytes and options."""
    return open(data, **options)


def open_many(
    pattern: Union[str, Iterable[Path]],
    *,
    on_error: Union[Literal["raise", "skip"], Callable[[str, DopesheetError], object]] = "raise",
    **options: Any,
) -> Iterator[File]:
    """Opens many files in sequence, reading the next files in the background.

    * ``pattern``: a :mod:`glob` pattern (``"motions/**/*.vmd"``), with the matching files sorted by name; or paths.
    * ``on_error``: ``"raise"`` stops at the first unreadable file; ``"skip"`` leaves unreadable files out; a function is called
      with the path and the exception of each unreadable file.

    All further options are passed to :func:`dopesheet.open`.

    >>> [file.name for file in open_many("samples/*.vmd")]
    ['samples/bow.vmd', 'samples/camera.vmd', 'samples/walk.vmd']
    """
    if isinstance(pattern, str):
        paths = sorted(path for path in glob.glob(pattern, recursive=True) if os.path.isfile(path))
    else:
        paths = [os.fspath(path) for path in pattern]
    if options.get("model") is not None:
        options["model"] = _file(options["model"])
    with ThreadPoolExecutor(max_workers=_READ_BESIDE) as pool:
        waiting: Deque[Tuple[str, Future[File]]] = deque()
        for path in paths:
            waiting.append((path, pool.submit(open, path, **options)))
            if len(waiting) > _READ_BESIDE:
                yield from _opened(*waiting.popleft(), on_error)
        while waiting:
            yield from _opened(*waiting.popleft(), on_error)


#: Number of files read ahead in the background.
_READ_BESIDE = 4


def _opened(
    path: str, file: Future[File], on_error: Union[str, Callable[[str, DopesheetError], object]]
) -> Iterator[File]:
    try:
        yield file.result()
    except DopesheetError as error:
        if on_error == "raise":
            raise
        if callable(on_error):
            on_error(path, error)


def convert(
    inputs: Union[File, Source, Sequence[Union[File, Source]]],
    to: Optional[str] = None,
    **options: Unpack[ConvertOptions],
) -> Conversion:
    """A single file of another format from any number of files, with a clip for each input, and a report of all losses.

    ``to`` is a format's id, with a variant after ``@``: ``playcanvas@3``. With ``into`` or ``onto``, ``to`` is optional. The
    options are listed in :class:`dopesheet.options.ConvertOptions`.

    >>> conversion = convert("samples/bow.vmd", "glb", model="standard")
    >>> [dropped.what for dropped in conversion.report.dropped]
    ['4 toon pictures']
    """
    several = isinstance(inputs, Sequence) and not isinstance(inputs, (str, bytes, bytearray, memoryview))
    return _convert(inputs if several else [inputs], to, None, options)  # type: ignore[arg-type, list-item]


def diff(
    a: Union[File, Source],
    b: Union[File, Source],
    *,
    tolerance: str = "0.1mm",
    model: Optional[Model] = None,
    names: Optional[Names] = None,
    clip: Union[int, str, None] = None,
) -> Diff:
    """The visible differences between two animations.

    ``tolerance`` is ``LEN`` or ``LEN@SHELL``: the largest accepted distance between corresponding points up to SHELL (by default
    3 cm) around any joint.

    >>> diff("samples/bow.vmd", "samples/bow.vmd").within_tolerance
    True
    """
    arguments = {
        "tolerance": tolerance,
        "model": _document(model),
        "names": names,
        "clip": clip,
    }
    return results.parse(Diff, _native.diff(_file(a)._native, _file(b)._native, arguments))


def formats() -> List[FormatInfo]:
    """All readable formats.

    >>> [f.id for f in formats() if ".vmd" in f.extensions or "vmd" in f.extensions]
    ['vmd']
    """
    return [results.parse(FormatInfo, text) for text in _native.formats()]


def _convert(
    inputs: Sequence[Union[File, Source]], to: Optional[str], path: Optional[str], options: Mapping[str, Any]
) -> Conversion:
    told = {name: value for name, value in options.items() if name not in ("names", "model", "into", "onto")}
    if path is not None:
        told["file_name"] = os.path.basename(path)
    arguments = {
        "options": described("convert", {**told, "to": to}),
        "names": options.get("names"),
        "model": _document(options.get("model")),
        "into": _document(options.get("into")),
        "onto": _document(options.get("onto")),
    }
    files = [_file(source)._native for source in inputs]
    (data, resources), report, format = _native.convert(files, arguments, path or "")
    return Conversion(data, dict(resources), results.parse(ConversionReport, report), format)


def _motion(source: Union[File, Clip, Source]) -> Tuple[_native.Document, Optional[int]]:
    """A second file for an operation, and the position of a clip in the file; ``None`` stands for all clips."""
    return (source.file._native, source.index) if isinstance(source, Clip) else (_file(source)._native, None)


def _file(source: Union[File, Source]) -> File:
    if isinstance(source, File):
        return source
    if source == "standard":
        return File(_native.Document.open_model("standard"), None)
    return open(source)


def _document(model: Optional[Model]) -> Optional[_native.Document]:
    return None if model is None else _file(model)._native


def _bytes(source: Union[bytes, bytearray, memoryview, IO[bytes]]) -> Any:
    """The bytes of a source, and a name."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source), "<bytes>"
    read = getattr(source, "read", None)
    if read is None:
        refuse("source", "a path, bytes, or a file open for reading", type(source).__name__)
    data = read()
    if not isinstance(data, bytes):
        refuse("source", "a file open for reading bytes", f"one that yields {type(data).__name__}")
    name = getattr(source, "name", None)
    return data, name if isinstance(name, str) else "<bytes>"


def _list(argument: str, value: Any) -> Optional[List[float]]:
    """Numbers as a list."""
    if value is None:
        return None
    array = np.atleast_1d(plain(argument, value))
    if array.dtype.kind not in "fiu":
        refuse(argument, "numbers", f"an array of {array.dtype}")
    if array.ndim != 1:
        refuse(argument, "a list of numbers", f"the shape {shown(array.shape)}")
    numbers: List[float] = array.astype(np.float64).tolist()
    return numbers
