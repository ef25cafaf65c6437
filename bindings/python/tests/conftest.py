"""What all tests share: where files are, and how values are compared."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Iterator, List

import numpy as np
import pytest

import dopesheet

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "samples"


@pytest.fixture(autouse=True)
def in_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples name files from there."""
    monkeypatch.chdir(ROOT)


@pytest.fixture
def walk() -> dopesheet.File:
    return dopesheet.open(SAMPLES / "walk.vmd")


@pytest.fixture
def jump() -> dopesheet.File:
    return dopesheet.open(SAMPLES / "jump.bvh")


def corpus(family: str) -> Path:
    """A folder of files of other people. In CI it has to be there."""
    root = Path(os.environ.get("DOPESHEET_CORPUS", ROOT / "../shared/corpus"))
    folder = root / family
    if not folder.is_dir():
        assert os.environ.get("CI") != "true", f"CI needs the corpus: no folder {folder}"
        pytest.skip(f"no corpus at {folder} (set DOPESHEET_CORPUS)")
    return folder


def manifest(folder: Path, name: str = "manifest.json") -> Any:
    return json.loads((folder / name).read_text(encoding="utf-8"))


def fixtures(kind: str) -> List[Path]:
    """The files of a kind (valid, invalid, quirk) of all rooms."""
    found = sorted((ROOT / "formats").glob(f"*/src/**/fixtures/{kind}/*"))
    return [path for path in found if path.is_file() and path.suffix not in (".md", ".snap")]


def angles(a: Any, b: Any) -> Any:
    """Angles in radians between quaternions, whatever their sign and length."""
    a, b = (np.asarray(q, dtype=np.float64) for q in (a, b))
    a, b = (q / np.linalg.norm(q, axis=-1, keepdims=True) for q in (a, b))
    chord = np.minimum(np.linalg.norm(a - b, axis=-1), np.linalg.norm(a + b, axis=-1))
    return 4 * np.arcsin(np.clip(chord / 2, 0, 1))


def far(found: Any, expected: Any) -> float:
    """The largest difference, in shares of the expected number where that is above 1."""
    found, expected = (np.asarray(x, dtype=np.float64) for x in (found, expected))
    assert found.shape == expected.shape, (found.shape, expected.shape)
    return float(np.max(np.abs(found - expected) / np.maximum(1, np.abs(expected)), initial=0))


def opened(paths: List[Path]) -> Iterator[dopesheet.File]:
    for path in paths:
        yield dopesheet.open(path)
