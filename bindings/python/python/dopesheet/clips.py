"""Keys and poses of a motion in a file."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._arguments import unknown
from ._native import Table
from .edits import Edits
from .errors import DopesheetError
from .options import ArrowOptions, Axes, ConvertOptions, Language, Model, Names, Path, SampleOptions, Steps, Times
from .poses import Order, Poses, of_arrays
from .results import ConversionReport, EditReport
from .tracks import Contact, Marker, Sampled, Track, tracks_of

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from .files import Clip, Conversion, File

__all__ = ["Motion"]


class Motion(Edits):
    """The methods of :class:`dopesheet.Clip` based on an open file: keys, poses, operations and output."""

    def __init__(self, file: File, index: int) -> None:
        #: The file of the clip.
        self.file = file
        #: The position of the clip in the file, from 0.
        self.index = index
        # The frame rate of the source, for a clip in a format without frame rates.
        self._kept_fps: Optional[float] = None

    @property
    def _native(self) -> _native.Clip:
        # For an edited file, the clips are computed on first access: until then, operations are only collected.
        return self.file._native_clips[self.index]

    def __repr__(self) -> str:
        name = f'"{self.name}"' if self.name is not None else "(no name)"
        parts = [f"{self.duration:.3f} s"]
        if self.fps is not None:
            parts.append(f"{round(self.duration * self.fps) + 1} frames at {self.fps:g} fps")
        try:
            parts.append(f"{len(self.joint_names)} joints")
        except DopesheetError:
            # The joints moved by the muscles of a human figure are unknown.
            parts.append(f"{len(self.tracks)} tracks")
        return f"<Clip {name}: {', '.join(parts)}>"

    def __reduce__(self) -> Tuple[Any, ...]:
        # Tracks and poses are computed again from the file.
        return type(self), (self.file, self.index), {"_kept_fps": self._kept_fps}

    @property
    def name(self) -> Optional[str]:
        """The name of the clip; ``None`` if the file states no name."""
        return self._native.name

    @property
    def duration(self) -> float:
        """Seconds from 0 to the end of the clip."""
        return self._native.duration

    @property
    def fps(self) -> Optional[float]:
        """Frames per second; ``None`` if the keys do not lie on frames."""
        return self._native.fps or self._kept_fps

    @property
    def made_for(self) -> Optional[str]:
        """The name of the model intended by the file; ``None`` if the file names no model."""
        return self._native.made_for

    @property
    def looping(self) -> str:
        """The behaviour of a player at the end: ``unspecified``, ``once`` or ``loop``."""
        return self._native.looping

    @property
    def on_top_of_rest(self) -> bool:
        """True if stored translations, rotations and scales are added to the rest pose instead of replacing the rest pose."""
        return self._native.on_top_of_rest

    @property
    def markers(self) -> List[Marker]:
        """Moments with a name."""
        return [Marker(time, name) for time, name in self._native.markers]

    @cached_property
    def tracks(self) -> List[Track]:
        """A track for each moving target, with the stored keys and interpolation laws."""
        return tracks_of(self._native)

    def track(self, target: str, kind: Optional[str] = None) -> Track:
        """The first track of a target; raises :class:`UnknownNameError`, a :class:`KeyError`, for a target without tracks."""
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
        """The poses at given times; by default, on every frame at the clip's frame rate.

        With a rigged model, the poses are computed by the rig. ``axes="native"`` keeps values as stored, in the axes and unit
        of the file; ``axes="gltf"`` gives the values used in conversions.
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
        """Stands of the human figure's feet, balls of feet and hands on the ground; sorted by joint, then by time.

        A joint stands while low and slow, for at least 60 ms: from a height below 5 % of the leg's length above the joint's lowest
        position and a speed below 25 % of the leg's length per second, until above 8 % or 50 %. The joints are sampled on the
        clip's frames, or 60 times per second. A motion without a hierarchy needs a ``model``; ``vocabulary`` and ``names``
        identify the bones of a figure with unclear node names.

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
        """The time of every frame at the clip's frame rate, in seconds. (F,)"""
        return self._own_poses.times

    @property
    def rotations(self) -> NDArray[np.float32]:
        """Unit quaternions x y z w relative to the parent, on every frame at the clip's frame rate. (F, J, 4)

        :meth:`poses` gives rotations in another order, at any times, and for clips without a frame rate.
        """
        return self._own_poses.rotations

    @property
    def positions(self) -> NDArray[np.float32]:
        """Translations relative to the parent, on every frame at the clip's frame rate. (F, J, 3)"""
        return self._own_poses.positions

    @property
    def scales(self) -> NDArray[np.float32]:
        """Scale factors, on every frame at the clip's frame rate. (F, J, 3)"""
        return self._own_poses.scales

    def global_positions(self) -> NDArray[np.float32]:
        """Positions in model space, on every frame at the clip's frame rate. (F, J, 3)"""
        return self._own_poses.global_positions()

    @property
    def joint_names(self) -> List[str]:
        """The names of the joints, in the order used by all arrays. J"""
        return self._skeleton.joint_names

    @property
    def parents(self) -> NDArray[np.int32]:
        """The index of each joint's parent, or -1 for a root. (J,)"""
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
        # The camera's file has only a single clip.
        return [type(self)(body, self.index), type(self)(camera, 0)]

    def _split(self, options: Mapping[str, Any]) -> List[Self]:
        return [type(self)(part, self.index) for part in self.file._parts(options, self.index)]

    @property
    def report(self) -> EditReport:
        """Report of the operations on the clip's file: everything kept, approximated and dropped."""
        return self.file.report

    # Methods of the file, for this clip alone

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

    def show(self, height: int = 480) -> Any:
        """The clip in a notebook, as the last line of a cell: the viewer, ``height`` pixels high.

        The clip plays on the model of its file; a motion of MikuMikuDance without a model, on the built-in puppet. The viewer
        needs ``pip install "dopesheet[notebook]"``: an :class:`ImportError` names the missing package. All data comes from
        the kernel, and no data from another host.
        """
        from .notebook import show

        return show(self, height)

    def _alone(self, options: ConvertOptions) -> ConvertOptions:
        # Without a choice of clip, a file with a single clip can be written back unchanged.
        return options if len(self.file.clips) == 1 else {**options, "clip": self.index}
