"""Moving targets of a clip, with the stored keys, and values at given times."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import Dict, Iterator, List, Literal, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._arguments import unknown
from ._native import Curve

__all__ = ["Channel", "Contact", "Curve", "Marker", "Sampled", "SampledTrack", "Track"]


@dataclass(frozen=True)
class Marker:
    """A moment with a name."""

    time: float
    name: str


@dataclass(frozen=True)
class Contact:
    """A stretch of time with a foot or hand on the ground."""

    #: ``leftFoot`` (ankle), ``leftToes`` (ball of the foot), ``leftHand`` (wrist), or the same on the right side.
    bone: str
    #: The name of the joint in the file.
    joint: str
    #: Start in seconds.
    start: float
    #: End in seconds.
    end: float


@dataclass(frozen=True, eq=False)
class Channel:
    """A property of a target over time, composed of curves as in the format of the file."""

    #: ``translation``, ``rotation``, ``weight`` …
    property: str
    #: ``whole``, ``components`` (a curve for each), ``components-normalised``, ``euler`` (angles x, y, z;
    #: with the law ``slerp``, the rotations of two keys are mixed, not the angles), ``orbit`` (target x, y, z; angles; distance),
    #: ``aim`` or ``swing`` (a direction).
    composition: str
    #: For curves of angles, the order of multiplication: ``ZYX`` is qZ·qY·qX.
    order: Optional[str]
    #: The name of the property in the file, if different: ``yfov_deg``.
    native_name: Optional[str]
    #: Factor from stored values to values in the unit of the property.
    native_scale: float
    curves: List[Curve]

    @builtins.property
    def curve(self) -> Curve:
        """The only curve of a channel with a single curve."""
        (curve,) = self.curves
        return curve


@dataclass(frozen=True, eq=False)
class Track:
    """All moving channels of a target."""

    #: The target's name in the file.
    target: str
    kind: Literal["joint", "morph", "camera", "light", "hand", "custom"]
    #: The number of the target in the file, to distinguish targets of equal names.
    index: int
    channels: List[Channel]

    def __getitem__(self, property: str) -> Channel:
        """The channel of a property; raises :class:`UnknownNameError`, a :class:`KeyError`, for a property without a channel."""
        for channel in self.channels:
            if channel.property == property:
                return channel
        unknown(property, (channel.property for channel in self.channels), "channel")


@dataclass(frozen=True, eq=False)
class SampledTrack:
    """The values of a target."""

    target: str
    index: int
    kind: str
    #: Values of each channel: (T,) for single numbers, else (T, W). float64
    channels: Dict[str, NDArray[np.float64]]

    def __getitem__(self, channel: str) -> NDArray[np.float64]:
        """The values of a channel; raises :class:`UnknownNameError`, a :class:`KeyError`, for an unknown name."""
        if channel not in self.channels:
            unknown(channel, self.channels, "channel")
        return self.channels[channel]


@dataclass(frozen=True, eq=False)
class Sampled:
    """The values of an animation at T times, computed in double precision."""

    file: str
    format: str
    axes: Literal["native", "gltf"]
    space: Literal["local", "model"]
    #: Seconds. (T,) float64
    times_s: NDArray[np.float64]
    tracks: List[SampledTrack]

    def __repr__(self) -> str:
        return f"<Sampled: {len(self.tracks)} tracks of {self.file!r} at {len(self.times_s)} times>"

    def __getitem__(self, target: str) -> SampledTrack:
        """The first moving target of a name; raises :class:`UnknownNameError`, a :class:`KeyError`, for an unknown name."""
        for track in self.tracks:
            if track.target == target:
                return track
        unknown(target, (track.target for track in self.tracks), "track")

    def __iter__(self) -> Iterator[SampledTrack]:
        return iter(self.tracks)


def tracks_of(clip: _native.Clip) -> List[Track]:
    """The tracks of a clip."""
    return [
        Track(target, _kind(kind), index, [_channel(channel) for channel in channels])
        for target, kind, index, channels in clip.tracks
    ]


def _kind(kind: str) -> Literal["joint", "morph", "camera", "light", "hand", "custom"]:
    return kind  # type: ignore[return-value]


def _channel(
    parts: Tuple[str, str, Optional[str], Optional[Tuple[str, float]], List[Curve]],
) -> Channel:
    name, composition, order, native, curves = parts
    native_name, scale = native if native is not None else (None, 1.0)
    return Channel(name, composition, order, native_name, scale, curves)
