from os import PathLike
from typing import Any, List, Mapping, Optional, Tuple, TypedDict, Union, final

import numpy as np
from numpy.typing import NDArray

__version__: str

_F32 = NDArray[np.float32]
_F64 = NDArray[np.float64]
_Written = Tuple[bytes, List[Tuple[str, bytes]]]
_Names = Optional[Union[Mapping[str, str], str, PathLike[str]]]

class PoseArrays(TypedDict):
    name: Optional[str]
    axes: Tuple[str, str, str]
    metres_per_unit: Optional[float]
    hierarchy_known: bool
    names: List[str]
    indices: List[int]
    parents: NDArray[np.int32]
    offsets: _F32
    rest_rotations: _F32
    rest_scales: _F32
    fps: Optional[float]
    times: _F64
    positions: _F32
    rotations: _F32
    scales: _F32

@final
class Curve:
    """Keys of a value, and the law of each segment between two of them.

    K keys of W numbers have K-1 segments. ``times``, ``values``, tangents, weights and turns are made once and cannot
    be written to, because they are what the file holds; the latter five are views of the library's own memory. All other
    arrays are made anew whenever they are asked for.
    """

    def __len__(self) -> int: ...
    @property
    def times(self) -> _F64:
        """Seconds, ascending; equal neighbours are a jump. (K,)"""
    @property
    def frames(self) -> Optional[NDArray[np.int64]]:
        """Whole frames at ``fps``, if the file counts frames. (K,)"""
    @property
    def fps(self) -> Optional[float]:
        """The rate of ``frames``."""
    @property
    def width(self) -> int:
        """Numbers per value."""
    @property
    def values(self) -> _F32:
        """The keys' values as stored. (K, W)"""
    @property
    def laws(self) -> NDArray[np.str_]:
        """How two keys are mixed: step, lerp, slerp, nlerp, hermite, weighted-bezier, squad or turn. (K-1,)"""
    @property
    def timings(self) -> NDArray[np.str_]:
        """How the parameter runs with time: linear, bezier or ease. (K-1,)"""
    @property
    def timing(self) -> _F32:
        """Control points x1, y1, x2, y2 of the timing's Bezier curve; for ease its two shares, then NaN. (K-1, 4)"""
    @property
    def tangents_in(self) -> Optional[_F32]:
        """Slopes in value units per second, or control quaternions, that arrive at the keys. (K, W)"""
    @property
    def tangents_out(self) -> Optional[_F32]:
        """The same, leaving them. (K, W)"""
    @property
    def weights_in(self) -> Optional[_F32]:
        """Weights of arriving tangents, as shares of the segment's length. (K, W)"""
    @property
    def weights_out(self) -> Optional[_F32]:
        """Weights of leaving tangents. (K, W)"""
    @property
    def turns(self) -> Optional[_F32]:
        """Angle in radians and axis of the turn that arrives at each key. (K, 4)"""
    @property
    def before(self) -> str:
        """What holds before the first key: hold, ramp, loop or ping-pong."""
    @property
    def after(self) -> str:
        """What holds after the last key."""
    @property
    def jump(self) -> str:
        """Which of several keys with one time counts then: before (the first) or after (the last)."""

_Channel = Tuple[str, str, Optional[str], Optional[Tuple[str, float]], List[Curve]]
_Track = Tuple[str, str, int, List[_Channel]]

@final
class Clip:
    @property
    def name(self) -> Optional[str]: ...
    @property
    def duration(self) -> float: ...
    @property
    def fps(self) -> Optional[float]: ...
    @property
    def made_for(self) -> Optional[str]: ...
    @property
    def looping(self) -> str: ...
    @property
    def on_top_of_rest(self) -> bool: ...
    @property
    def markers(self) -> List[Tuple[float, str]]: ...
    @property
    def tracks(self) -> List[_Track]: ...

@final
class Table:
    """The rows of a clip in Arrow's memory, for any library that knows the Arrow PyCapsule interface.

    ``pyarrow.record_batch(table)``, ``polars.DataFrame(table)``: what they make shares this memory, nothing is copied, and it
    lives as long as anybody has a part of it. Nobody may write to it.
    """

    @property
    def num_rows(self) -> int: ...
    @property
    def column_names(self) -> List[str]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: Optional[object] = None) -> Tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object: ...

@final
class Document:
    @staticmethod
    def open(
        path: Union[str, PathLike[str]],
        format: Optional[str],
        lenient: bool,
        assume: Mapping[str, str],
        limits: Tuple[Optional[int], Optional[float]],
    ) -> Document: ...
    @staticmethod
    def open_model(path: Union[str, PathLike[str]]) -> Document: ...
    @staticmethod
    def read(
        file: Tuple[str, bytes],
        resources: Mapping[str, bytes],
        reading: Tuple[Optional[str], bool],
        assume: Mapping[str, str],
        limits: Tuple[Optional[int], Optional[float]],
    ) -> Document: ...
    @property
    def name(self) -> str: ...
    @property
    def format(self) -> str: ...
    def info(self, model: Optional[Document], names: _Names, vocabulary: Optional[str]) -> str: ...
    def contacts(
        self, arguments: Mapping[str, Any], vocabulary: Optional[str]
    ) -> List[Tuple[str, str, float, float]]: ...
    def check(self, model: Optional[Document], names: _Names) -> str: ...
    def clips(self) -> List[Clip]: ...
    def write(self, file_name: Optional[str]) -> _Written: ...
    def wants(self, data: bytes) -> List[str]: ...
    def edit(
        self, operation: str, options: str, further_files: List[Tuple[Document, Optional[int]]], clip: Optional[int]
    ) -> Document: ...
    def merge_apart(self, further_files: List[Tuple[Document, Optional[int]]], clip: Optional[int]) -> List[Document]: ...
    def split(self, options: str, clip: Optional[int]) -> List[Document]: ...
    def report(self) -> str: ...
    def sample(
        self, arguments: Mapping[str, Any]
    ) -> Tuple[_F64, List[Tuple[str, int, str, List[Tuple[str, _F64]]]]]: ...
    def poses(self, arguments: Mapping[str, Any]) -> PoseArrays: ...
    def table(self, arguments: Mapping[str, Any], layout: str, dtype: str) -> Table: ...

def convert(inputs: List[Document], arguments: Mapping[str, Any], output: str) -> Tuple[_Written, str, str]: ...
def diff(a: Document, b: Document, arguments: Mapping[str, Any]) -> str: ...
def formats() -> List[str]: ...
def from_poses(file: str, values: PoseArrays) -> Document: ...
def in_model_space(values: PoseArrays) -> Tuple[_F32, _F32]: ...
def velocities(values: PoseArrays) -> Tuple[_F32, _F32]: ...
def from_quaternions(quaternions: _F32, form: str) -> _F32: ...
def to_quaternions(numbers: _F64, form: str) -> _F32: ...
def operations() -> List[Tuple[str, List[str], bool]]: ...
def save(
    path: Union[str, PathLike[str]], data: bytes, resources: List[Tuple[str, bytes]], overwrite: bool
) -> None: ...
