"""The page of Dopesheet's viewer as files."""

from pathlib import Path

__all__ = ["folder"]


def folder() -> Path:
    """The folder of the page, with its ``index.html``."""
    return Path(__file__).parent / "page"
