"""Clips in a notebook: the viewer's page in the output of a cell.

It needs anywidget and the files of the page, which ``pip install "dopesheet[notebook]"`` brings along. :meth:`dopesheet.Clip.show`
is the way in.
"""

from __future__ import annotations

import gzip
import importlib
import os
import re
from functools import lru_cache
from pathlib import Path as _Path
from typing import TYPE_CHECKING, Any, Dict, List, Optional

from . import _native
from .errors import DopesheetError

if TYPE_CHECKING:
    from .clips import Motion
    from .files import File

__all__ = ["show"]

#: A format that every clip can be shown in.
_SHOWN_AS = "glb"


def show(clip: Motion, height: int = 480) -> Any:
    """A widget that plays a clip, ``height`` pixels high; see :meth:`dopesheet.Clip.show`."""
    viewer, page = _viewer(), _page()
    return viewer(files_of(clip), page, height)


def files_of(clip: Motion) -> Dict[str, bytes]:
    """What the viewer opens to show a clip, by name: its file, what stands beside it, and its model.

    A clip that no file holds, and any but the first of a file, is converted to GLB, on its model.
    """
    if clip.index > 0 or clip.file.format == "memory":
        conversion = clip.convert(_SHOWN_AS)
        name = re.sub(r"[^\w .-]", "_", clip.name or "clip")
        return {f"{name}.{_SHOWN_AS}": conversion.data, **conversion.resources}
    files = _written(clip.file)
    model = clip.file.model
    if model is not None and not (clip.file.format in _PLAYED_ON_THE_PUPPET and _is_the_puppet(model)):
        files = {**_written(model), **files}
    return files


#: Formats whose motions the viewer itself plays on our own puppet, which it has with its picture.
_PLAYED_ON_THE_PUPPET = ("vmd", "vpd")


def _is_the_puppet(model: File) -> bool:
    puppet = _native.Document.open_model("standard")
    return model.name == puppet.name and model.to_bytes() == puppet.write(None)[0]


def _written(file: File) -> Dict[str, bytes]:
    """A file and those that it needs, as far as they are at hand."""
    # An entry of an archive is named ARCHIVE:ENTRY.
    name = os.path.basename(file.name.replace(":", "/")) or f"file.{file.format}"
    data, written = file._native.write(name)
    files = {**file._resources, **dict(written)}
    for wanted in file._native.wants(data):
        path = os.path.join(os.path.dirname(file.name), wanted)
        if wanted not in files and os.path.isfile(path):
            files[wanted] = _Path(path).read_bytes()
    return {**files, name: data}


def _needed(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(
            f'showing a clip in a notebook needs {module}: pip install "dopesheet[notebook]"', name=module
        ) from error


def _page() -> _Path:
    """The folder of the viewer's page."""
    folder: _Path = _needed("dopesheet_viewer").folder()
    if not (folder / "viewer_bg.wasm").is_file():
        raise DopesheetError(f"{folder} does not hold the viewer's page; `cargo xtask release python` makes that package")
    return folder


@lru_cache(maxsize=None)
def _part(path: _Path) -> Optional[bytes]:
    """A file of the page, compressed: it may have a long way to go. ``None`` if there is none."""
    return gzip.compress(path.read_bytes(), 6) if path.is_file() else None


@lru_cache(maxsize=None)
def _viewer() -> Any:
    """The class of the widget, made when it is first wanted: only then is anywidget needed."""
    anywidget, traitlets = _needed("anywidget"), _needed("traitlets")

    class Viewer(anywidget.AnyWidget):  # type: ignore[misc, name-defined, unused-ignore]
        """A clip in the viewer's page. Its files and the page's go to the notebook when that asks, and are not saved with it."""

        _esm = _Path(__file__).with_suffix(".js")
        height = traitlets.Int().tag(sync=True)

        def __init__(self, files: Dict[str, bytes], page: _Path, height: int) -> None:
            super().__init__(height=height)
            self._files = files
            self._page = page
            self.on_msg(Viewer._answer)

        def _answer(self, message: Dict[str, str], _: List[bytes]) -> None:
            key = message["key"]
            if key == "clip":
                self.send({"key": key, "names": list(self._files)}, list(self._files.values()))
            else:
                # Never more than a name: what stands elsewhere is nobody's business.
                part = _part(self._page / key.rpartition("/")[2])
                self.send({"key": key}, [] if part is None else [part])

    return Viewer
