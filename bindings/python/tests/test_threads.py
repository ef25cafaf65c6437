"""Other threads run while the library works."""

from __future__ import annotations

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Callable, List

import pytest

import dopesheet
from conftest import SAMPLES


def longest_stop(work: Callable[[], object]) -> List[float]:
    """How long work took, and the longest time for which another thread did not run meanwhile."""
    stops, done = [0.0], threading.Event()

    def watch() -> None:
        last = time.perf_counter()
        while not done.is_set():
            time.sleep(0.001)
            now = time.perf_counter()
            stops[0] = max(stops[0], now - last)
            last = now

    watcher = threading.Thread(target=watch)
    watcher.start()
    start = time.perf_counter()
    work()
    took = time.perf_counter() - start
    done.set()
    watcher.join()
    return [took, stops[0]]


@pytest.mark.parametrize("what", ["convert", "diff", "sample", "poses"])
def test_long_calls_let_other_threads_run(what: str) -> None:
    bow = dopesheet.open(SAMPLES / "bow.vmd", model="standard")
    calls = {
        "convert": lambda: bow.convert("glb"),
        "diff": lambda: bow.diff(SAMPLES / "walk.vmd"),
        "sample": lambda: bow.sample(fps=2000, space="model"),
        "poses": lambda: bow.clips[0].poses(fps=2000),
    }
    best = 1.0
    for _ in range(5):
        took, stop = longest_stop(calls[what])
        assert took > 0.02, "too quick to tell"
        # While it holds the interpreter, no other thread runs; what arrays and results take is far less.
        best = min(best, stop / took)
        if best < 0.7:
            return
    raise AssertionError(f"other threads stood still for {best:.0%} of the time")


def test_many_threads_work_on_one_file() -> None:
    bow = dopesheet.open(SAMPLES / "bow.vmd", model="standard")

    def work(n: int) -> int:
        curves = [c for t in bow.clips[0].tracks for ch in t.channels for c in ch.curves]
        return len(bow.convert("bvh").data) + sum(len(c.values) for c in curves)

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(work, range(8)))) == 1


def test_all_threads_that_ask_a_clip_for_its_tracks_at_once_get_all_of_them() -> None:
    bow = (SAMPLES / "bow.vmd").read_bytes()

    def keys(file: dopesheet.File) -> List[int]:
        return [len(c.values) for t in file.clips[0].tracks for ch in t.channels for c in ch.curves]

    alone = keys(dopesheet.open(bow, name="bow.vmd"))
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(200):
            # Each thread starts from the file, whose list of clips is made on first access, too.
            file, start = dopesheet.open(bow, name="bow.vmd"), threading.Barrier(4)

            def at_once(_: int) -> List[int]:
                start.wait()
                return keys(file)

            with ThreadPoolExecutor(4) as pool:
                assert list(pool.map(at_once, range(4))) == [alone] * 4 and len(alone) > 30
    finally:
        sys.setswitchinterval(interval)
