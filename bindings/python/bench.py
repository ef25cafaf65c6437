"""Opening a VMD from Python beside opening it from Rust; run by ``cargo xtask bench``.

Both sides work in turn, so that whatever else the machine does hits both alike; medians.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import time
from pathlib import Path
from typing import Callable, Dict, List

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


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+")
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
        + "\n"
    )
    print(section)
    if arguments.page:
        page = arguments.page.read_text(encoding="utf-8")
        page = re.sub(rf"\n{HEADING}.*?(?=\n## |\Z)", "", page, flags=re.DOTALL)
        arguments.page.write_text(page.rstrip("\n") + "\n\n" + section, encoding="utf-8")


if __name__ == "__main__":
    main()
