"""What a type checker says of the package, and of programs that use it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import dopesheet

USE = """
import dopesheet
import numpy as np
from numpy.typing import NDArray
from typing import List, Optional

file: dopesheet.File = dopesheet.open("a.vmd", model="standard")
clip: dopesheet.Clip = file.clips[0]
rotations: NDArray[np.float32] = clip.rotations
times: NDArray[np.float64] = clip.times
names: List[str] = clip.joint_names
fps: Optional[float] = clip.fps
values: NDArray[np.float32] = clip.tracks[0]["rotation"].curve.values
made = clip.convert("glb", tolerance="1mm", bake=30.0)
worst = dopesheet.diff(file, "b.glb").worst
metres: Optional[float] = None if worst is None else worst.model_space_m
poses = clip.poses(fps=30, order="wxyz", axes="gltf")
again = dopesheet.Clip.from_poses(poses)
part: dopesheet.Clip = clip.trim(1, "90f").mirror().keys_law((0, 1), (0.0, 0.5, 0.5, 1.0), kind="joint")
whole: dopesheet.File = file.concat(part, "b.vmd", blend="10f").retime(curve=[(0, 0), ("30f", 2)])
lost: List[str] = [dropped.what for dropped in whole.report.dropped]
"""

MISUSE = """
import dopesheet

file = dopesheet.open("a.vmd")
file.convert("glb", tolerence="1mm")
file.sample(axes="unity")
file.clips[0].poses(order="zyxw")
text: str = file.clips[0].rotations
file.trim(1)
file.clips[0].select(kind="bone")
"""


def mypy(folder: Path, text: str) -> str:
    (folder / "program.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", str(folder), "program.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout


def test_a_typed_program_is_accepted(tmp_path: Path) -> None:
    assert mypy(tmp_path, USE) == ""


def test_mistakes_are_found_before_anything_runs(tmp_path: Path) -> None:
    found = mypy(tmp_path, MISUSE).splitlines()
    lines = sorted({int(line.split(":")[1]) for line in found if ": error: " in line})
    assert lines == [5, 6, 7, 8, 9, 10], found


def test_the_package_itself_is_strict(tmp_path: Path) -> None:
    package = Path(dopesheet.__file__).parent
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), "-p", "dopesheet"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout
    assert (package / "py.typed").is_file()


def test_stubs_are_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "allow.txt").write_text(
        # Types of the stub alone, and what PyO3 makes of functions.
        "dopesheet._native.(PoseArrays|__all__)\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "mypy.stubtest", "--allowlist", "allow.txt", "--ignore-unused-allowlist", "dopesheet._native"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
