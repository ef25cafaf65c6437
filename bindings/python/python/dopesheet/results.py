"""Typed results about files, with the same members and names as in the JSON of the command."""

from __future__ import annotations

import dataclasses
import json
import typing
from dataclasses import dataclass, field
from typing import Any, Dict, List, Literal, Mapping, Optional, Type, TypeVar, Union

from ._words import spoken

__all__ = [
    "Approximated",
    "Binding",
    "Chain",
    "CheckReport",
    "ClipInfo",
    "Completed",
    "ConversionReport",
    "Diff",
    "Difference",
    "Dropped",
    "Finding",
    "FindingCounts",
    "FormatInfo",
    "Humanoid",
    "Info",
    "LoneTarget",
    "MaxError",
    "ToleranceUsed",
    "TrackDiff",
    "Unbound",
    "Variant",
    "Worst",
]

T = TypeVar("T")
Severity = Literal["error", "warning", "info"]
Hierarchy = Literal["known", "unknown"]


@dataclass(frozen=True)
class Finding:
    """A fault of a file, or a remarkable fact about a file, with the location."""

    code: str
    severity: Severity
    expected: str
    found: str
    message: str
    #: Names of the enclosing structures: ``bone keys[41].rotation``.
    path: str
    #: Bytes from the start, in binary files.
    offset: Optional[int] = None
    #: From 1, in text files.
    line: Optional[int] = None
    #: From 1, in text files.
    column: Optional[int] = None
    #: JSON pointer, in text files.
    pointer: Optional[str] = None
    #: Position of the affected motion in the file, from 0.
    clip: Optional[int] = None
    #: Name of the affected target, as in the result of ``sample``.
    target: Optional[str] = None
    #: Name of the target's channel.
    channel: Optional[str] = None
    #: Time in seconds, as stored.
    time_s: Optional[float] = None


@dataclass(frozen=True)
class CheckReport:
    """All faults of a file, and all remarkable facts."""

    file: str
    format: Optional[str]
    findings: List[Finding]

    @property
    def errors(self) -> List[Finding]:
        """The findings with the severity ``error``."""
        return [finding for finding in self.findings if finding.severity == "error"]

    @property
    def ok(self) -> bool:
        """True if no finding is an error."""
        return not self.errors


@dataclass(frozen=True)
class ClipInfo:
    """A motion in a file."""

    name: Optional[str]
    #: Name in the file, if programs give the name to every clip, so that the name of the file says more.
    stored_name: Optional[str]
    duration_s: float
    rate_fps: Optional[float]
    tracks: int
    keys: int
    markers: int


@dataclass(frozen=True)
class FindingCounts:
    """Number of findings of each severity."""

    error: int
    warning: int
    info: int


@dataclass(frozen=True)
class Humanoid:
    """The human figure in a file, as recognised for conversions."""

    #: ``figure``, or ``hands`` for hands without a body.
    kind: str
    #: Bones of a figure, and the names of their nodes.
    bones: Dict[str, str]
    of: int
    missing_required: List[str]
    missing_optional: List[str]
    names_of: Optional[str]
    #: 0 to 1.
    certainty: float
    #: Contradictions to the names of the bones; with any, the certainty is halved.
    doubts: List[str]
    #: Bones by the shape of a figure with unclear names; used if every required bone has a certainty of at least 0.8.
    by_shape: Optional[List["LikelyBone"]] = None


@dataclass(frozen=True)
class LikelyBone:
    """A node recognised as a bone by the shape of the figure."""

    bone: str
    node: str
    #: 0 to 1.
    certainty: float


@dataclass(frozen=True)
class Completed:
    """A name cut short by the motion's format, and the full name in the model."""

    name: str
    full: str


@dataclass(frozen=True)
class Unbound:
    """A target of a motion without a counterpart in the model."""

    target: str
    kind: str
    nearest: List[str]


@dataclass(frozen=True)
class Chain:
    """An IK chain of a model's rig."""

    goal: str
    is_switched: bool


@dataclass(frozen=True)
class Binding:
    """The fit of a motion on a model."""

    model: str
    made_for: Optional[str]
    model_name: Optional[str]
    bound: List[str]
    completed: List[Completed]
    unbound: List[Unbound]
    ik: List[Chain]


@dataclass(frozen=True)
class OntoBone:
    """A bone of a human figure, and its names in the file and in the figure. ``from_`` is ``from`` in JSON."""

    bone: str
    from_: Optional[str]
    to: Optional[str]


@dataclass(frozen=True)
class Onto:
    """The human figure in a file, as a target for motions."""

    file: str
    names_of: Optional[str]
    #: 0 to 1.
    certainty: float
    bones: List[OntoBone]


@dataclass(frozen=True)
class Info:
    """The contents of a file."""

    file: str
    format: str
    format_name: str
    version: Optional[str]
    variant: Optional[str]
    facts: Dict[str, str]
    hierarchy: Hierarchy
    nodes: int
    parts: Dict[str, int]
    clips: List[ClipInfo]
    findings: FindingCounts
    humanoid: Optional[Humanoid]
    binding: Optional[Binding]
    #: Reason why the meaning of the file is unknown; ``None`` if known.
    unknown: Optional[str]
    #: Result of the command's option ``--onto``.
    onto: Optional[Onto] = None

    def __repr__(self) -> str:
        return f"<Info: {self.file!r} ({self.format}), {len(self.clips)} clips, {self.nodes} nodes>"


@dataclass(frozen=True)
class MaxError:
    """The largest difference between a source and the result."""

    value: float
    #: ``m``, ``rad`` or ``1``.
    unit: str
    target: str
    time_s: float


@dataclass(frozen=True)
class Approximated:
    """Data kept within a measured error, or within a bound that proves the tolerance."""

    what: str
    #: ``None`` if the bound proves the tolerance without measuring.
    max_error: Optional[MaxError] = None
    #: Upper bound at any time, in the unit of ``max_error`` or in ``unit``; ``None`` if unknown.
    bound: Optional[float] = None
    #: Unit of a bound without ``max_error``: ``m``, ``rad`` or ``1``.
    unit: Optional[str] = None
    #: True if the difference lies between the frames with known values.
    between_frames: bool = False


@dataclass(frozen=True)
class Dropped:
    """Data lost in a conversion or operation."""

    what: str
    why: str


@dataclass(frozen=True)
class Slide:
    """A foot or hand held in place during a stand, in a motion transferred to another figure, and its slide."""

    #: Position in the motion's file.
    clip: int
    #: The bone of the standing joint: an ankle or heel, the ball of a foot, a wrist.
    bone: str
    start_s: float
    end_s: float
    #: Largest distance on the ground from the start of the stand, in metres, without holding.
    before_m: float
    #: The same distance in the written motion.
    after_m: float


@dataclass(frozen=True)
class Measure:
    """Largest value of a measure of a motion on another figure."""

    #: Kind: ``arms``, ``free-legs``, ``standing-legs``, ``trunk``, ``feet``, ``twist``, ``slides``, ``soles``, ``depth`` or ``bends``.
    measure: str
    #: Unit of the value: ``rad``, ``m`` or ``rad/s``.
    unit: str
    value: float
    #: The source's own slide or depth, in metres of a figure with legs as long.
    source: float
    bone: str
    time_s: float
    #: Largest value of a good motion.
    good: float
    #: Value from which on the motion is bad.
    bad: float


@dataclass(frozen=True)
class Verdict:
    """Quality of a motion transferred to another figure, measured on the written motion. ``str(verdict)`` is a sentence."""

    #: Position in the motion's file.
    clip: int
    #: ``good``, ``look at it`` or ``bad``.
    judgement: str
    text: str
    #: Largest values, one of each kind common to both figures.
    measures: List[Measure]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class ConversionReport:
    """Everything kept, approximated and dropped by a conversion. ``from_`` is ``from`` in JSON."""

    input: Union[str, List[str]]
    output: str
    from_: str
    to: str
    hierarchy: Hierarchy
    clips: List[str]
    kept: List[str]
    #: Data kept exactly, but not shown by players of the target format.
    kept_as_data: List[str]
    approximated: List[Approximated]
    dropped: List[Dropped]
    findings: List[Finding]
    #: Stands with holding, with ``onto``.
    slides: List[Slide] = field(default_factory=list)
    #: Quality of each clip on the new figure, with ``onto``.
    verdicts: List[Verdict] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<ConversionReport: {self.from_} to {self.to}, {_counts(self)}>"


@dataclass(frozen=True)
class EditReport:
    """Everything kept, approximated and dropped by operations on a file, and the findings from reading the file."""

    kept: List[str]
    #: Data kept exactly, but not shown by players of the file's format.
    kept_as_data: List[str]
    approximated: List[Approximated]
    dropped: List[Dropped]
    findings: List[Finding]
    #: Stands with holding, in the result of :meth:`Clip.retarget`.
    slides: List[Slide] = field(default_factory=list)
    #: Quality of the motion on the new figure, in the result of :meth:`Clip.retarget`.
    verdicts: List[Verdict] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<EditReport: {_counts(self)}>"


def _counts(report: Union[ConversionReport, EditReport]) -> str:
    """Lengths of the lists in a report, as text."""
    parts = ("kept", "approximated", "dropped", "findings")
    return ", ".join(f"{len(getattr(report, part))} {part}" for part in parts)


@dataclass(frozen=True)
class ToleranceUsed:
    """Accepted difference between two files, in metres."""

    length_m: float
    shell_m: float


@dataclass(frozen=True)
class Difference:
    """The largest difference in a channel."""

    channel: str
    #: ``None`` if the difference is not a finite number.
    value: Optional[float]
    unit: str
    time_s: float
    limit: Optional[float]
    component: Optional[str] = None


@dataclass(frozen=True)
class Worst:
    """The target and time of the largest difference between two files."""

    target: str
    kind: str
    time_s: float
    model_space_m: Optional[float]
    rotation_rad: Optional[float]
    difference: Difference


@dataclass(frozen=True)
class TrackDiff:
    """Differences of a target."""

    target: str
    index: int
    kind: str
    channels: List[Difference]


@dataclass(frozen=True)
class LoneTarget:
    """A target moved in only one of two files."""

    target: str
    index: int
    kind: str


@dataclass(frozen=True)
class Diff:
    """Differences between two animations."""

    a: str
    b: str
    hierarchy: Hierarchy
    tolerance: ToleranceUsed
    end_s: float
    times: int
    within_tolerance: bool
    worst: Optional[Worst]
    tracks: List[TrackDiff]
    only_in_a: List[LoneTarget]
    only_in_b: List[LoneTarget]


@dataclass(frozen=True)
class Variant:
    """A dialect of a format, selected for writing by ``format@name``."""

    name: str
    about: str


@dataclass(frozen=True)
class FormatInfo:
    """Capabilities of a format."""

    id: str
    name: str
    extensions: List[str]
    reads: bool
    writes: bool
    attaches: bool
    clips: Literal["one", "many"]
    variants: List[Variant] = field(default_factory=list)
    variant_words: List[Variant] = field(default_factory=list)
    specifications: List[str] = field(default_factory=list)


def parse(of: Type[T], text: str) -> T:
    """The typed object of a JSON text from the library."""
    document = json.loads(text, object_hook=_spoken)
    del document["schema_version"]
    return typing.cast(T, _build(of, document))


#: Members with sentences for values.
_SENTENCES = ("expected", "found", "message", "what", "why")


def _spoken(members: Dict[str, Any]) -> Dict[str, Any]:
    """The members of an object, with sentences in the words of Python."""
    said = {name: members[name] for name in _SENTENCES if isinstance(members.get(name), str)}
    return {**members, **{name: spoken(text) for name, text in said.items()}}


def _build(of: Any, value: Any) -> Any:
    """A value converted to a type. A member missing from the type is a mistake in this module, and a TypeError."""
    if dataclasses.is_dataclass(of) and isinstance(value, Mapping):
        hints = typing.get_type_hints(of)
        members = {("from_" if name == "from" else name): member for name, member in value.items()}
        return of(**{name: _build(hints.get(name), member) for name, member in members.items()})  # type: ignore[operator]
    if isinstance(value, list):
        (inner,) = [a for a in _alternatives(of) if typing.get_origin(a) is list]
        (item,) = typing.get_args(inner)
        return [_build(item, element) for element in value]
    for alternative in _alternatives(of):
        if dataclasses.is_dataclass(alternative) and isinstance(value, Mapping):
            return _build(alternative, value)
    return value


def _alternatives(of: Any) -> List[Any]:
    return list(typing.get_args(of)) if typing.get_origin(of) is Union else [of]
