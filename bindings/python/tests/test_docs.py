"""Examples do what they say."""

from __future__ import annotations

import contextlib
import importlib.metadata
import doctest
import importlib
import io
import json
import pkgutil
import re
import shutil
from pathlib import Path
from typing import Any, Dict, List

import matplotlib
import pytest

import dopesheet
from conftest import ROOT

PAGES = [ROOT / "bindings/python/README.md", ROOT / "README.md", ROOT / "docs/journeys.md"]
NOTEBOOK = ROOT / "bindings/python/examples/poses.ipynb"


def test_examples_in_the_documentation_of_functions() -> None:
    tried = 0
    for module in pkgutil.iter_modules(dopesheet.__path__, "dopesheet."):
        if module.name != "dopesheet._native":
            result = doctest.testmod(importlib.import_module(module.name))
            assert result.failed == 0, module.name
            tried += result.attempted
    result = doctest.testmod(dopesheet)
    assert result.failed == 0
    assert tried + result.attempted >= 9


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_examples_on_pages(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= (6 if "bindings" in str(page) else 1)
    # What examples write goes elsewhere; what they read is in the repository.
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    monkeypatch.chdir(tmp_path)
    text = "\n".join(blocks)
    names: Dict[str, Any] = {}
    test = doctest.DocTestParser().get_doctest(text, names, page.name, str(page), 0)
    assert len(test.examples) >= len(blocks)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test)
    assert result.failed == 0


def cells() -> List[Any]:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4 and notebook["nbformat_minor"] >= 5
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_the_notebook_prints_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    matplotlib.use("agg")
    monkeypatch.chdir(NOTEBOOK.parent)
    names: Dict[str, Any] = {"__name__": "__main__"}
    pictures = 0
    for cell in cells():
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec("".join(cell["source"]), names)
        stored = "".join("".join(o["text"]) for o in cell["outputs"] if o["output_type"] == "stream")
        assert printed.getvalue() == stored
        pictures += sum("image/png" in output.get("data", {}) for output in cell["outputs"])
    assert pictures >= 2
    assert NOTEBOOK.stat().st_size < 150_000


def test_the_wheel_brings_its_licences() -> None:
    files = importlib.metadata.files("dopesheet")
    assert files is not None
    brought = {file.name: file.read_text() for file in files if "licenses" in file.parts}
    assert brought == {name: (ROOT / name).read_text() for name in ("LICENSE-APACHE", "LICENSE-MIT")}
