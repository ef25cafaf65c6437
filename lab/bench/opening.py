"""Opening a VMD from Python beside opening it from Rust, and a BVH beside pybvh; run by ``cargo xtask bench``.

Both sides work in turn, so that whatever else the machine does hits both alike; medians.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import time
from importlib.metadata import version
from pathlib import Path
from typing import Callable, Dict, List, Tuple

import pybvh

import dopesheet

HEADING = "## Python\n"
#: Largest share of the time from Rust that opening a file from Python may take on top.
WANTED = 0.10


def opened(path: str) -> object:
    return dopesheet.open(path)


def keys(path: str) -> object:
    tracks = [track for clip in dopesheet.open(path).clips for track in clip.tracks]
    return sum(c.values.size for track in tracks for channel in track.channels for c in channel.curves)


TASKS: Dict[str, Callable[[str], object]] = {"open": opened, "keys": keys}
WORDS = {"open": "opened", "keys": "opened, and an array made of every curve's values"}


def seconds(work: Callable[[str], object], path: str) -> float:
    start = time.perf_counter()
    result = work(path)
    took = time.perf_counter() - start
    del result
    return took


def measure(rust: str, path: str, runs: int) -> List[str]:
    rows = []
    with subprocess.Popen([rust, "opening", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as peer:
        assert peer.stdin is not None and peer.stdout is not None
        for task, work in TASKS.items():
            ours, theirs = [], []
            for run in range(runs + 20):
                peer.stdin.write(task + "\n")
                peer.stdin.flush()
                theirs.append(float(peer.stdout.readline()))
                ours.append(seconds(work, path))
            a, b = statistics.median(ours[20:]), statistics.median(theirs[20:])
            wanted = f"≤ {1 + WANTED:.2f}" if task == "open" else "–"
            kilobytes = Path(path).stat().st_size // 1000
            rows.append(
                f"| {WORDS[task]} | {Path(path).name} ({kilobytes} kB) | {a * 1e6:.1f} µs | {b * 1e6:.1f} µs "
                f"| {a / b:.2f} | {wanted} |"
            )
        peer.stdin.close()
    return rows


def copied(path: str) -> object:
    return bytearray(Path(path).read_bytes())


def posed(path: str) -> object:
    return dopesheet.open(path).clips[0].rotations


#: What is done to a BVH by us and by pybvh, and how many times as fast we want to be.
CAPTURES: List[Tuple[str, Callable[[str], object], Callable[[str], object], str]] = [
    ("opened", opened, pybvh.read_bvh_file, "≥ 4"),
    ("opened, and all rotations as quaternions", posed, lambda path: pybvh.read_bvh_file(path).to_quat(), "–"),
    ("opened; the bytes read and copied", opened, copied, "–"),
]


def captures(path: str, runs: int) -> List[str]:
    """The rows for a BVH."""
    rows = []
    megabytes = Path(path).stat().st_size / 1e6
    for what, work, peer, wanted in CAPTURES:
        ours, theirs = [], []
        for _ in range(runs):
            theirs.append(seconds(peer, path))
            ours.append(seconds(work, path))
        a, b = statistics.median(ours), statistics.median(theirs)
        rows.append(
            f"| {what} | {Path(path).name} ({megabytes:.1f} MB) | {a * 1e3:.1f} ms, {megabytes / a:.0f} MB/s "
            f"| {b * 1e3:.1f} ms, {megabytes / b:.0f} MB/s | {b / a:.2f} | {wanted} |"
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+")
    parser.add_argument("--bvh", required=True, help="a large BVH")
    parser.add_argument("--rust", required=True, help="the program dopesheet-bench")
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--page", type=Path, help="the page whose section is replaced")
    arguments = parser.parse_args()
    rows = [row for path in arguments.files for row in measure(arguments.rust, path, arguments.runs)]
    section = (
        f"{HEADING}\nThe package beside the library in another process, in turn; medians of {arguments.runs} runs. "
        "Ratios are Python over Rust.\n\n"
        "| VMD | data | from Python | from Rust | ratio | wanted |\n| --- | --- | --- | --- | --- | --- |\n"
        + "\n".join(rows)
        + f"\n\nThe package beside pybvh {version('pybvh')} on one thread, in one "
        "process; medians of 9 runs. Ratios are pybvh, or a copy of the bytes, over ours.\n\n"
        "| BVH | data | ours | peer | ratio | wanted |\n| --- | --- | --- | --- | --- | --- |\n"
        + "\n".join(captures(arguments.bvh, 9))
        + "\n"
    )
    print(section)
    if arguments.page:
        page = arguments.page.read_text(encoding="utf-8")
        page = re.sub(rf"\n{HEADING}.*?(?=\n## |\Z)", "", page, flags=re.DOTALL)
        arguments.page.write_text(page.rstrip("\n") + "\n\n" + section, encoding="utf-8")


if __name__ == "__main__":
    main()
