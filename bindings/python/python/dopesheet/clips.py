"""Motions: the keys that a file stores, and the poses that they make."""

from __future__ import annotations

import builtins
import io
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Mapping, Optional, Sequence, Tuple, Union, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native, rotations as rotation_forms
from ._arguments import floats, plain, refuse, shown, single, unknown
from ._native import Table
from .edits import Edits
from .errors import DopesheetError
from .options import ArrowOptions, Axes, ConvertOptions, Language, Model, Names, Path, SampleOptions, Steps, Times
from .poses import Order, Poses, of_arrays
from .results import ConversionReport, EditReport
from .tracks import Contact, Marker, Sampled, Track, tracks_of

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from .files import Conversion, File

__all__ = ["Clip"]

#: Bodies of research that take a motion by their name.
Skeleton = Literal["smpl", "smplh", "smplx", "humanml3d", "kimodo"]


class Clip(Edits):
    """A motion: the keys that its file stores, and the poses that they make."""

    def __init__(self, file: File, index: int) -> None:
        #: The file that it is in.
        self.file = file
        #: Its position in the file.
        self.index = index
        # That of what it was made of, where its own format has no place for one.
        self._kept_fps: Optional[float] = None

    @property
    def _native(self) -> _native.Clip:
        # Of a file that was edited it is not known before somebody asks for it: until then operations only add up.
        return self.file._native_clips[self.index]

    def __repr__(self) -> str:
        name = f'"{self.name}"' if self.name is not None else "(no name)"
        parts = [f"{self.duration:.3f} s"]
        if self.fps is not None:
            parts.append(f"{round(self.duration * self.fps) + 1} frames at {self.fps:g} fps")
        try:
            parts.append(f"{len(self.joint_names)} joints")
        except DopesheetError:
            # Of muscles of a human figure nobody knows which joints they move.
            parts.append(f"{len(self.tracks)} tracks")
        return f"<Clip {name}: {', '.join(parts)}>"

    @property
    def name(self) -> Optional[str]:
        """``None`` if the file has no name for it."""
        return self._native.name

    @property
    def duration(self) -> float:
        """Seconds from 0 to its end."""
        return self._native.duration

    @property
    def fps(self) -> Optional[float]:
        """Frames per second, if its keys lie on frames."""
        return self._native.fps or self._kept_fps

    @property
    def made_for(self) -> Optional[str]:
        """The model that it was made for, where the file names one."""
        return self._native.made_for

    @property
    def looping(self) -> str:
        """What a player does at the end: ``unspecified``, ``once`` or ``loop``."""
        return self._native.looping

    @property
    def on_top_of_rest(self) -> bool:
        """Whether stored translations, rotations and scales come on top of the rest pose instead of replacing it."""
        return self._native.on_top_of_rest

    @property
    def markers(self) -> List[Marker]:
        """Moments with a name."""
        return [Marker(time, name) for time, name in self._native.markers]

    @cached_property
    def tracks(self) -> List[Track]:
        """All that moves, with the keys and laws that the file stores."""
        return tracks_of(self._native)

    def track(self, target: str, kind: Optional[str] = None) -> Track:
        """The first track of a target; :class:`UnknownNameError`, a :class:`KeyError`, if nothing moves it."""
        tracks = [track for track in self.tracks if kind in (None, track.kind)]
        for track in tracks:
            if track.target == target:
                return track
        unknown(target, (track.target for track in tracks), "track" if kind is None else f"{kind} track")

    # Poses

    def poses(
        self,
        *,
        fps: Optional[float] = None,
        times: Optional[Times] = None,
        frames: Optional[ArrayLike] = None,
        range: Optional[Steps] = None,
        axes: Axes = "native",
        order: Order = "xyzw",
        model: Optional[Model] = None,
        names: Optional[Names] = None,
        language: Language = "original",
    ) -> Poses:
        """The poses at some times: without any, on every frame of the clip's own rate.

        With a model that has a rig, they are those that the rig makes. ``axes="native"`` leaves values as stored, in the
        file's own axes and unit; ``axes="gltf"`` is what a conversion would carry.
        """
        if all(steps is None for steps in (fps, times, frames, range)) and self._native.fps is None:
            fps = self._kept_fps
        arguments = self.file._sample_arguments(
            fps, times, frames, range, axes, "local", self.index, model, names, language
        )
        return of_arrays(self.file._native.poses(arguments)).with_order(order)

    @cached_property
    def _own_poses(self) -> Poses:
        return self.poses()

    @cached_property
    def _skeleton(self) -> Poses:
        return self.poses(times=[])

    def contacts(
        self, *, model: Optional[Model] = None, names: Optional[Names] = None, vocabulary: Optional[str] = None
    ) -> List[Contact]:
        """When feet, balls of feet and hands of its human figure stay on the ground; by joint, then by time.

        A joint stands while it is low and slow: from below 5 % of the leg's length above where it is lowest and 25 % of that length per
        second, until above 8 % or 50 %; for 60 ms at least. It is looked at on the clip's frames, or 60 times a second. A motion
        without a hierarchy needs its ``model``; ``vocabulary`` and ``names`` say which node is which bone where names do not.

        >>> import dopesheet
        >>> found = dopesheet.open("samples/jump.bvh").clips[0].contacts()
        >>> sorted({contact.bone for contact in found})
        ['leftFoot', 'leftToes', 'rightFoot', 'rightToes']
        """
        arguments = self.file._sample_arguments(
            None, None, None, None, "native", "local", self.index, model, names, "original"
        )
        return [Contact(*found) for found in self.file._native.contacts(arguments, vocabulary)]

    @property
    def times(self) -> NDArray[np.float64]:
        """Seconds of every frame of the clip's own rate. (F,)"""
        return self._own_poses.times

    @property
    def rotations(self) -> NDArray[np.float32]:
        """Unit quaternions x y z w relative to the parent, on every frame of the clip's own rate. (F, J, 4)

        :meth:`poses` gives them in another order, at other times, and for clips that have no rate of their own.
        """
        return self._own_poses.rotations

    @property
    def positions(self) -> NDArray[np.float32]:
        """Translations relative to the parent, on every frame of the clip's own rate. (F, J, 3)"""
        return self._own_poses.positions

    @property
    def scales(self) -> NDArray[np.float32]:
        """Scale factors, on every frame of the clip's own rate. (F, J, 3)"""
        return self._own_poses.scales

    def global_positions(self) -> NDArray[np.float32]:
        """Positions as seen from the model, on every frame of the clip's own rate. (F, J, 3)"""
        return self._own_poses.global_positions()

    @property
    def joint_names(self) -> List[str]:
        """The joints in the order of all arrays. J"""
        return self._skeleton.joint_names

    @property
    def parents(self) -> NDArray[np.int32]:
        """The number of the joint that each hangs on, or -1. (J,)"""
        return self._skeleton.parents

    @property
    def offsets(self) -> NDArray[np.float32]:
        """Positions at rest, relative to the parent. (J, 3)"""
        return self._skeleton.offsets

    # Operations

    def _edit(self, operation: str, options: Mapping[str, Any], others: Sequence[Union[File, Clip, Path]] = ()) -> Self:
        return type(self)(self.file._edited(operation, options, others, self.index), self.index)

    def _merge_apart(self, others: Sequence[Union[File, Clip, Path]]) -> List[Self]:
        body, camera = self.file._merged_apart(others, self.index)
        # The camera's file has no clips of others.
        return [type(self)(body, self.index), type(self)(camera, 0)]

    def _split(self, options: Mapping[str, Any]) -> List[Self]:
        return [type(self)(part, self.index) for part in self.file._parts(options, self.index)]

    @property
    def report(self) -> EditReport:
        """Report of the operations that made its file: what they kept, approximated and dropped."""
        return self.file.report

    # What is done with the file, for this clip alone

    def sample(self, **options: Unpack[SampleOptions]) -> Sampled:
        """As :meth:`File.sample` for this clip."""
        alone: SampleOptions = {**options, "clip": self.index}
        return self.file.sample(**alone)

    def to_arrow(self, **options: Unpack[ArrowOptions]) -> Table:
        """As :meth:`File.to_arrow` for this clip."""
        alone: ArrowOptions = {**options, "clip": self.index}
        return self.file.to_arrow(**alone)

    def convert(self, to: Optional[str] = None, **options: Unpack[ConvertOptions]) -> Conversion:
        """As :meth:`File.convert` for this clip alone."""
        return self.file.convert(to, **self._alone(options))

    def save(
        self, path: Path, to: Optional[str] = None, *, overwrite: bool = False, **options: Unpack[ConvertOptions]
    ) -> ConversionReport:
        """As :meth:`File.save` for this clip alone."""
        return self.file.save(path, to, overwrite=overwrite, **self._alone(options))

    def retarget(self, figure: Union[Model, Skeleton], **options: Unpack[ConvertOptions]) -> Clip:
        """The motion of this clip's human figure on the skeleton of another one, as a clip in memory.

        ``figure`` is a file, a path, ``standard`` for our own puppet, or the name of a body of research (``smplh``). Its skeleton is all that the result has of it; meshes and the rest
        stay where they are with ``clip.convert(onto=figure)``. The options are those of :func:`dopesheet.convert`, and :attr:`report` says what
        was kept, approximated and dropped. The result has the clip's rate.

        >>> import dopesheet
        >>> clip = dopesheet.open("samples/jump.bvh").clips[0]
        >>> clip.retarget("samples/character.glb").joint_names[:2], clip.retarget("smplh").joint_names[:2]
        (['Hips', 'Spine'], ['pelvis', 'left_hip'])
        """
        from .files import open

        name = self.name or "motion"
        if isinstance(figure, str) and figure in get_args(Skeleton):
            made = self.convert(f"npz@{figure}", **options)
            file = open(made.data, name=f"{name}.npz", format="npz")
        else:
            own: ConvertOptions = {**options, "onto": figure, "motion_only": True}
            made = self.convert("glb", **own)
            file = open(made.data, name=f"{name}.glb")
        known = {field.name: getattr(made.report, field.name) for field in fields(EditReport)}
        # What reading it again would find is less than what making it did.
        file.__dict__["report"] = EditReport(**known)
        clip = file.clips[0]
        # GLB has no place for it.
        clip._kept_fps = self.fps
        return clip

    def show(self, height: int = 480) -> Any:
        """The clip in a notebook, as the last line of a cell: the viewer, ``height`` pixels high.

        It plays on the model of its file; a motion of MikuMikuDance without one, on our own puppet. It needs
        ``pip install "dopesheet[notebook]"``; an :class:`ImportError` says so. Everything comes from the kernel, nothing from
        another host.
        """
        from .notebook import show

        return show(self, height)

    def _alone(self, options: ConvertOptions) -> ConvertOptions:
        # A file with one clip can be written as it was read only if none is asked for.
        return options if len(self.file.clips) == 1 else {**options, "clip": self.index}

    # From arrays

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
        """A clip of the poses of J joints at F times, in memory. :meth:`save` writes it in any format.

        * ``rotations``: relative to the parent, (F, J, 4); in another form of :mod:`dopesheet.rotations` (F, J, N), or
          (F, J, 3, 3) for ``order="matrix"``.
        * ``order``: ``xyzw``, ``wxyz``, or that form.
        * ``names``, ``parents``: J names, and for each joint the number of the one it hangs on, a lower one, or -1.
        * ``offsets``: (J, 3), positions at rest, relative to the parent.
        * ``axes``: a format whose axes these are (``gltf``, ``bvh``, ``vmd`` …), or the directions of a figure's left,
          of up and of its front: ``("+x", "+z", "-y")``.
        * ``metres_per_unit``: the length of a unit; ``None`` if unknown.
        * ``fps``, or ``times`` in seconds, (F,).
        * ``positions``: (F, J, 3), relative to the parent; or ``root_positions``: (F, 3), of the only joint that hangs
          on none. Without either, all joints stay at their offsets.
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

        It is that of an ``.npz`` file with these arrays, as AMASS has them.

        * ``poses``: rotation vectors, (F, J, 3) or (F, 3 J).
        * ``up``: whether the world's Y points up, or its Z as in AMASS. The body itself always rests with Y up; in the axes of
          glTF, and in conversions, it stands upright.
        * ``translation``: (F, 3), how far the body has gone, in metres.
        * ``offsets``: (J, 3), where the body's joints rest relative to what they hang on, the pelvis relative to the
          origin, in metres. They follow from the body's shape, which its own model knows; without them a figure of ordinary
          proportions stands for it.
        * ``betas``, ``gender``: what else AMASS says of a body; they come back from a conversion to ``npz@smplh``.
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
        """A clip of joints that are known by their places alone, in the model: (F, J, 3).

        It is that of an ``.npz`` file with these arrays. All joints are where they were said to be, and none turns: a
        conversion makes rotations of that (with ``raw=True`` it does not), and says how far joints are off then.

        * ``axes``: ``yup``, ``zup``, or the directions of a figure's left, of up and of its front, as in ``+x+z-y``.
        * ``offsets``: (J, 3), where joints rest relative to what they hang on; without them, the first frame.
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

    @classmethod
    def _of_npz(cls, arrays: Dict[str, NDArray[Any]], fps: float, name: Optional[str]) -> Clip:
        """The clip of a file with some arrays; what is wrong with them is an :class:`ArgumentError`."""
        from .files import open as read

        data = io.BytesIO()
        stored: Dict[str, Any] = {"fps": np.array(float(fps)), **arrays}
        np.savez(data, **stored)
        file = read(data.getvalue(), format="npz", lenient=True, name=f"{name or 'arrays'}.npz")
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
        """A clip of poses, in memory: with a key for each, rotating along great arcs between them."""
        _check(poses)
        from .files import File

        return File(_native.from_poses(poses.name or "arrays", poses._arrays()), None).clips[0]


_WIDTHS = {"xyzw": 4, "wxyz": 4, "6d": 6, "6d-rows": 6}


def _width(form: str) -> int:
    """Numbers per rotation; a form that does not exist is refused when it is used."""
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


def _check(poses: Poses) -> None:
    """The shapes of arrays that somebody may have changed."""
    count, joints = len(poses.times), len(poses.joint_names)
    for name, tail in [("rotations", 4), ("positions", 3), ("scales", 3)]:
        floats(name, getattr(poses, name), (count, joints, tail))
    for name, tail in [("offsets", 3), ("rest_rotations", 4), ("rest_scales", 3)]:
        floats(name, getattr(poses, name), (joints, tail))
    _parents(poses.parents, joints)
    if len(poses.indices) != joints:
        refuse("indices", f"{joints} numbers, as many as there are joints", str(len(poses.indices)))
