"""What the library says of files, with types. Each has the members of the command's JSON, under the same names."""

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
    """One thing that is wrong or remarkable about a file, and where."""

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
    #: The motion that it is about, by position.
    clip: Optional[int] = None
    #: What moves there, as ``sample`` calls it.
    target: Optional[str] = None
    #: Which channel of that.
    channel: Optional[str] = None
    #: When, as stored.
    time_s: Optional[float] = None


@dataclass(frozen=True)
class CheckReport:
    """Everything that is wrong or remarkable about a file."""

    file: str
    format: Optional[str]
    findings: List[Finding]

    @property
    def errors(self) -> List[Finding]:
        """The findings that are errors."""
        return [finding for finding in self.findings if finding.severity == "error"]

    @property
    def ok(self) -> bool:
        """Whether nothing is an error."""
        return not self.errors


@dataclass(frozen=True)
class ClipInfo:
    """One motion of a file."""

    name: Optional[str]
    duration_s: float
    rate_fps: Optional[float]
    tracks: int
    keys: int
    markers: int


@dataclass(frozen=True)
class FindingCounts:
    """How many findings of each severity a file has."""

    error: int
    warning: int
    info: int


@dataclass(frozen=True)
class Humanoid:
    """The human figure that a conversion would find in a file."""

    #: ``figure``, or ``hands`` where there are hands alone.
    kind: str
    #: Bones of a figure, and the names of their nodes.
    bones: Dict[str, str]
    of: int
    missing_required: List[str]
    missing_optional: List[str]
    names_of: Optional[str]
    #: 0 to 1.
    certainty: float
    #: What contradicts the names of its bones; for any of it the certainty is halved.
    doubts: List[str]
    #: Bones by the shape of a figure whose names tell too little; they are its bones where every required one has a certainty of 0.8.
    by_shape: Optional[List["LikelyBone"]] = None


@dataclass(frozen=True)
class LikelyBone:
    """A node that is a bone by the shape of its figure."""

    bone: str
    node: str
    #: 0 to 1.
    certainty: float


@dataclass(frozen=True)
class Completed:
    """A name that the motion's format could not hold whole, and the model's own."""

    name: str
    full: str


@dataclass(frozen=True)
class Unbound:
    """A target of a motion that the model does not have."""

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
    """How a motion fits a model."""

    model: str
    made_for: Optional[str]
    model_name: Optional[str]
    bound: List[str]
    completed: List[Completed]
    unbound: List[Unbound]
    ik: List[Chain]


@dataclass(frozen=True)
class OntoBone:
    """A bone of a human figure, and what it is called in the file and in the figure. ``from_`` is ``from`` in JSON."""

    bone: str
    from_: Optional[str]
    to: Optional[str]


@dataclass(frozen=True)
class Onto:
    """The human figure that the motions of a file may be put onto."""

    file: str
    names_of: Optional[str]
    #: 0 to 1.
    certainty: float
    bones: List[OntoBone]


@dataclass(frozen=True)
class Info:
    """What is in a file."""

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
    #: Why what the file means is not known, where it is not.
    unknown: Optional[str]
    #: What the command says with ``--onto``.
    onto: Optional[Onto] = None

    def __repr__(self) -> str:
        return f"<Info: {self.file!r} ({self.format}), {len(self.clips)} clips, {self.nodes} nodes>"


@dataclass(frozen=True)
class MaxError:
    """The largest difference between a source and what became of it."""

    value: float
    #: ``m``, ``rad`` or ``1``.
    unit: str
    target: str
    time_s: float


@dataclass(frozen=True)
class Approximated:
    """What came through within a measured error, or a bound that proves the tolerance."""

    what: str
    #: ``None`` where the bound proves the tolerance, so that nothing was measured.
    max_error: Optional[MaxError] = None
    #: Upper bound at any time, in the unit of ``max_error`` or in ``unit``, where one is known.
    bound: Optional[float] = None
    #: Unit of a bound without ``max_error``: ``m``, ``rad`` or ``1``.
    unit: Optional[str] = None
    #: True of what differs by this between the frames on which it is known.
    between_frames: bool = False


@dataclass(frozen=True)
class Dropped:
    """What did not come through."""

    what: str
    why: str


@dataclass(frozen=True)
class Slide:
    """A stand of a foot or hand in a motion that another figure takes, where it is held, and its slide."""

    #: Position in the motion's file.
    clip: int
    #: The bone whose joint stands: an ankle or heel, a ball, a wrist.
    bone: str
    start_s: float
    end_s: float
    #: Largest distance in metres on the ground from where the stand begins, with nothing held.
    before_m: float
    #: The same as written.
    after_m: float


@dataclass(frozen=True)
class OffLimb:
    """A limb that points elsewhere than the source's."""

    bone: str
    angle_rad: float
    time_s: float


@dataclass(frozen=True)
class SoleAt:
    """A sole at a time."""

    bone: str
    time_s: float


@dataclass(frozen=True)
class Verdict:
    """Verdict on a motion that another figure took, measured on what is written. ``str(verdict)`` is a sentence."""

    #: Position in the motion's file.
    clip: int
    text: str
    #: Number of limbs that both figures have.
    limbs: int
    #: Largest angle of arms and legs that point where the source's point.
    within_rad: float
    #: The same of feet, hands, shoulders, the neck and the trunk.
    trunk_within_rad: float
    #: The others, the one that is off most first.
    off: List[OffLimb]
    #: True if feet are held where they stand, for which legs may point elsewhere.
    legs_are_held: bool
    #: Height of the lowest and of the highest sole above the ground while it stands.
    soles_m: Optional[List[float]]
    #: Bone and time of the sole that is farthest from the ground.
    sole_at: Optional[SoleAt]
    #: Largest slide of a stand without and with holding it.
    slides_m: Optional[List[float]]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class ConversionReport:
    """What a conversion kept, approximated and dropped. ``from_`` is ``from`` in JSON."""

    input: Union[str, List[str]]
    output: str
    from_: str
    to: str
    hierarchy: Hierarchy
    clips: List[str]
    kept: List[str]
    #: What is there exactly, but players of the target do not show.
    kept_as_data: List[str]
    approximated: List[Approximated]
    dropped: List[Dropped]
    findings: List[Finding]
    #: Stands that are held, with ``onto``.
    slides: List[Slide] = field(default_factory=list)
    #: How good each clip is on its new figure, with ``onto``.
    verdicts: List[Verdict] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<ConversionReport: {self.from_} to {self.to}, {_counts(self)}>"


@dataclass(frozen=True)
class EditReport:
    """Report of operations on a file: what they kept, approximated and dropped, and what was found when it was read."""

    kept: List[str]
    #: What is there exactly, but players of its format do not show.
    kept_as_data: List[str]
    approximated: List[Approximated]
    dropped: List[Dropped]
    findings: List[Finding]
    #: Stands that are held, in what :meth:`Clip.retarget` makes.
    slides: List[Slide] = field(default_factory=list)
    #: How good the motion is on its new figure, in what :meth:`Clip.retarget` makes.
    verdicts: List[Verdict] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<EditReport: {_counts(self)}>"


def _counts(report: Union[ConversionReport, EditReport]) -> str:
    """How many entries the lists of a report have."""
    parts = ("kept", "approximated", "dropped", "findings")
    return ", ".join(f"{len(getattr(report, part))} {part}" for part in parts)


@dataclass(frozen=True)
class ToleranceUsed:
    """How far apart two files may be."""

    length_m: float
    shell_m: float


@dataclass(frozen=True)
class Difference:
    """The largest difference of one channel."""

    channel: str
    #: ``None`` if it is no finite number.
    value: Optional[float]
    unit: str
    time_s: float
    limit: Optional[float]
    component: Optional[str] = None


@dataclass(frozen=True)
class Worst:
    """Where two files are farthest apart."""

    target: str
    kind: str
    time_s: float
    model_space_m: Optional[float]
    rotation_rad: Optional[float]
    difference: Difference


@dataclass(frozen=True)
class TrackDiff:
    """How far apart one target is."""

    target: str
    index: int
    kind: str
    channels: List[Difference]


@dataclass(frozen=True)
class LoneTarget:
    """A target that only one of two files moves."""

    target: str
    index: int
    kind: str


@dataclass(frozen=True)
class Diff:
    """How far apart two animations are."""

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
    """A dialect that can be asked for when writing: ``format@name``."""

    name: str
    about: str


@dataclass(frozen=True)
class FormatInfo:
    """What a format offers."""

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
    """The object of a JSON text of the library's."""
    document = json.loads(text, object_hook=_spoken)
    del document["schema_version"]
    return typing.cast(T, _build(of, document))


#: Members that are sentences.
_SENTENCES = ("expected", "found", "message", "what", "why")


def _spoken(members: Dict[str, Any]) -> Dict[str, Any]:
    """The members of an object, with sentences in the words of Python."""
    said = {name: members[name] for name in _SENTENCES if isinstance(members.get(name), str)}
    return {**members, **{name: spoken(text) for name, text in said.items()}}


def _build(of: Any, value: Any) -> Any:
    """A value in its type. A member that the type lacks is a mistake in this file, and a TypeError."""
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
