"""Runs a recipe of docs/recipes twice: undisturbed, and with a worker killed in the middle. Both have to come to the same files.

python kill_one.py ray|spark IN FOLDER
"""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

RECIPES = Path(__file__).resolve().parents[2] / "docs/recipes"

# Several workers on this machine; a task that dies is tried again up to three times, as it is in a cluster by default.
ENVIRONMENT = {
    "ray": {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DATA_DISABLE_PROGRESS_BARS": "1"},
    "spark": {"PYSPARK_SUBMIT_ARGS": "--master local[4,4] --conf spark.ui.enabled=false pyspark-shell"},
}


def start(recipe: str, source: Path, out: Path, mark: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, str(RECIPES / f"{recipe}_convert.py"), str(source), str(out)]
    environment = {**os.environ, **ENVIRONMENT[recipe], "PYSPARK_PYTHON": sys.executable, "DOPESHEET_RUN": mark}
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def workers(recipe: str, mark: str) -> list[int]:
    """Processes of this run that convert: those of Ray say what they do, those of Spark are children of its daemon."""
    commands: dict[int, str] = {}
    parents: dict[int, int] = {}
    ours = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            process = int(folder.name)
            commands[process] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            parents[process] = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if f"DOPESHEET_RUN={mark}".encode() in (folder / "environ").read_bytes():
                ours.add(process)
        except (OSError, IndexError):
            continue
    # Whoever says what he does has written it over his environment; his parent's is whole.
    ours |= {process for process, parent in parents.items() if parent in ours}
    if recipe == "ray":
        return [pid for pid in ours if commands[pid].startswith("ray::") and "convert" in commands[pid]]
    daemons = {pid for pid in ours if "pyspark.daemon" in commands[pid]}
    return [pid for pid in daemons if parents[pid] in daemons]


def made(out: Path) -> dict[str, str]:
    files = [path for path in out.rglob("*") if path.is_file()]
    return {str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def run(recipe: str, source: Path, out: Path, kill_at: int | None) -> None:
    """Runs it to its end; kills a worker when so many files are there."""
    mark = uuid.uuid4().hex
    process = start(recipe, source, out, mark)
    killed = False
    while process.poll() is None:
        found = workers(recipe, mark) if kill_at is not None and not killed else []
        if len(found) > 1 and kill_at is not None and sum(1 for _ in out.rglob("*.glb")) >= kill_at:
            os.kill(found[0], signal.SIGKILL)
            killed = True
            there = sum(1 for _ in out.rglob("*.glb"))
            print(f"{recipe}: killed worker {found[0]} of {len(found)} when {there} files were there", flush=True)
        time.sleep(0.02)
    said = process.stderr.read().decode() if process.stderr else ""
    if process.returncode != 1 or "cut.vmd: vmd: byte 0x32" not in said:
        sys.exit(f"{recipe}: expected exit 1 and the damaged file named, found {process.returncode}:\n{said[-4000:]}")
    if kill_at is not None and not killed:
        sys.exit(f"{recipe}: expected several workers, one of them to kill, found fewer all the time")


def main() -> None:
    recipe, source, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    inputs = sum(1 for _ in source.rglob("*.vmd"))
    run(recipe, source, folder / "whole", None)
    whole = made(folder / "whole")
    run(recipe, source, folder / "killed", len(whole) // 3)
    killed = made(folder / "killed")
    lost, more = whole.keys() - killed.keys(), killed.keys() - whole.keys()
    other = [name for name in whole.keys() & killed.keys() if whole[name] != killed[name]]
    print(f"{recipe}: {inputs} inputs, {len(whole)} files undisturbed, {len(killed)} after a kill; "
          f"{len(lost)} lost, {len(more)} too many, {len(other)} that differ")
    sys.exit(0 if len(whole) == inputs - 1 and not (lost or more or other) else 1)


main()
