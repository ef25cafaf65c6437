"""Exceptions. All of them are :class:`DopesheetError`.

Every message states the location, the expected value and the value found; attributes hold the same facts.
"""

from __future__ import annotations

from typing import Any, List, Optional

from ._words import spoken

__all__ = [
    "ArgumentError",
    "ConvertError",
    "DopesheetError",
    "ExistingFileError",
    "FileError",
    "MissingFileError",
    "ParseError",
    "UnknownFormatError",
    "UnknownNameError",
    "WriteError",
]


class DopesheetError(Exception):
    """A failed request, with the reason. Attributes without a meaning for the error are ``None``."""

    expected: Optional[str] = None
    found: Optional[str] = None

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(spoken(message))
        said = {name: spoken(details[name]) for name in ("expected", "found") if isinstance(details.get(name), str)}
        self.__dict__.update({**details, **said})


class FileError(DopesheetError, OSError):
    """A file could not be opened, read or written. An :class:`OSError`, too, with its attributes."""

    errno: Optional[int] = None
    strerror: Optional[str] = None
    filename: Optional[str] = None

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message, **details)
        self.errno = details.get("errno")
        self.strerror = details.get("strerror")
        self.filename = details.get("filename")


class MissingFileError(FileError, FileNotFoundError):
    """A file does not exist. A :class:`FileNotFoundError`, too."""


class ExistingFileError(FileError, FileExistsError):
    """A file exists already and must not be overwritten. A :class:`FileExistsError`, too."""


class _FaultError(DopesheetError, ValueError):
    #: Id of the format.
    format: Optional[str] = None
    #: Stable word for the kind of fault, unique within the format.
    code: Optional[str] = None
    #: Position in a binary file, in bytes from its start.
    offset: Optional[int] = None
    #: Line in a text file, from 1.
    line: Optional[int] = None
    #: Column in a text file, in characters from 1.
    column: Optional[int] = None
    #: JSON pointer in a text file.
    pointer: Optional[str] = None
    #: Names of the enclosing structures: ``bone keys[41].rotation``.
    path: Optional[str] = None


class ParseError(_FaultError):
    """A file is damaged; the attributes hold the location."""


class UnknownFormatError(ParseError):
    """The bytes match no known format."""


class WriteError(_FaultError):
    """A document holds data inexpressible in its format."""


class ConvertError(_FaultError):
    """A file cannot be converted to another format."""

    #: ``nothing-to-convert``, ``unsupported``, ``unencodable``, ``no-match``, ``lost-motion`` or ``fault``.
    kind: Optional[str] = None


class ArgumentError(DopesheetError, ValueError):
    """An argument makes no sense, by itself or for this file."""

    #: The name of the invalid argument; ``None`` if several arguments are involved.
    argument: Optional[str] = None


class UnknownNameError(DopesheetError, KeyError):
    """A name is unknown. A :class:`KeyError`, too."""

    #: The requested name or position.
    name: Any = None
    #: Known names with a similar spelling.
    near: List[str] = []

    def __str__(self) -> str:
        # A KeyError shows its message as a key.
        return str(self.args[0])
