"""Clips in a notebook: the viewer's page in the output of a cell.

The viewer needs anywidget and the files of the page; ``pip install "dopesheet[notebook]"`` installs both. The entry point is
:meth:`dopesheet.Clip.show`.
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

#: A format suitable for showing every clip.
_SHOWN_AS = "glb"


def show(clip: Motion, height: int = 480) -> Any:
    """A widget for playing a clip, ``height`` pixels high; see :meth:`dopesheet.Clip.show`."""
    viewer, page = _viewer(), _page()
    return viewer(files_of(clip), page, height)


def files_of(clip: Motion) -> Dict[str, bytes]:
    """Bytes of the files opened by the viewer, by name: the clip's file, the files beside the main file, and the model.

    A clip without a file, and any clip after the first of a file, is converted to GLB, on its model.
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


#: Formats of motions played by the viewer on its copy of the built-in puppet, with the puppet's textures.
_PLAYED_ON_THE_PUPPET = ("vmd", "vpd")


def _is_the_puppet(model: File) -> bool:
    puppet = _native.Document.open_model("standard")
    return model.name == puppet.name and model.to_bytes() == puppet.write(None)[0]


def _written(file: File) -> Dict[str, bytes]:
    """Bytes of a file and of the available files it refers to, by name."""
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
    """A file of the page, compressed for slow connections. ``None`` if the file does not exist."""
    return gzip.compress(path.read_bytes(), 6) if path.is_file() else None


@lru_cache(maxsize=None)
def _viewer() -> Any:
    """The class of the widget, created on first use, because the package works without anywidget."""
    anywidget, traitlets = _needed("anywidget"), _needed("traitlets")

    class Viewer(anywidget.AnyWidget):  # type: ignore[misc, name-defined, unused-ignore]
        """A clip in the viewer's page. All files are sent to the notebook on request, and not saved with the notebook."""

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
                # Only the file name, to keep files in other folders private.
                part = _part(self._page / key.rpartition("/")[2])
                self.send({"key": key}, [] if part is None else [part])

    return Viewer
