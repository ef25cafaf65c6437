"""Read, write, check, play, compare and convert keyframe animation exactly.

>>> import dopesheet
>>> file = dopesheet.open("samples/bow.vmd", model="standard")
>>> clip = file.clips[0]
>>> clip.rotations.shape, clip.rotations.dtype, clip.fps
((127, 98, 4), dtype('float32'), 30.0)
"""

from __future__ import annotations

from . import errors, options, results, rotations
from ._native import Table, __version__
from .errors import (
    ArgumentError,
    ConvertError,
    DopesheetError,
    ExistingFileError,
    FileError,
    MissingFileError,
    ParseError,
    UnknownFormatError,
    UnknownNameError,
    WriteError,
)
from .files import Clip, Conversion, File, convert, diff, formats, open, open_many
from .poses import Poses, Velocities
from .results import CheckReport, ConversionReport, Diff, EditReport, Finding, FormatInfo, Info
from .tracks import Channel, Contact, Curve, Marker, Sampled, SampledTrack, Track

__all__ = [
    "ArgumentError",
    "Channel",
    "CheckReport",
    "Clip",
    "Contact",
    "Conversion",
    "ConversionReport",
    "ConvertError",
    "Curve",
    "Diff",
    "DopesheetError",
    "EditReport",
    "ExistingFileError",
    "File",
    "FileError",
    "Finding",
    "FormatInfo",
    "Info",
    "Marker",
    "MissingFileError",
    "ParseError",
    "Poses",
    "Sampled",
    "SampledTrack",
    "Table",
    "Track",
    "UnknownFormatError",
    "UnknownNameError",
    "Velocities",
    "WriteError",
    "__version__",
    "convert",
    "diff",
    "errors",
    "formats",
    "open",
    "open_many",
    "options",
    "results",
    "rotations",
]
