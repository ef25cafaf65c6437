"""Tables of Arrow: the values that are sampled, in the library's own memory."""

from __future__ import annotations

import gc
import json
from typing import Any, List

import numpy as np
import pyarrow as pa
import pytest

import dopesheet
from conftest import SAMPLES


def addresses(batch: pa.RecordBatch) -> List[int]:
    """Where the numbers of a batch are."""
    found: List[int] = []
    for column in batch.columns:
        storage = column.storage if isinstance(column, pa.ExtensionArray) else column
        found += [buffer.address for buffer in storage.buffers() if buffer is not None]
    return found


def numbers(batch: pa.RecordBatch, name: str) -> Any:
    column = batch.column(name)
    return column.to_numpy_ndarray()


@pytest.mark.parametrize("name", ["walk.vmd", "jump.bvh", "camera.vmd", "wave.json"])
@pytest.mark.parametrize("axes", ["native", "gltf"])
def test_rows_are_what_is_sampled(name: str, axes: str) -> None:
    clip = dopesheet.open(SAMPLES / name).clips[0]
    batch = pa.record_batch(clip.to_arrow(fps=30, axes=axes, dtype="float64"))  # type: ignore[arg-type]
    sampled = clip.sample(fps=30, axes=axes)  # type: ignore[arg-type]
    assert batch.column("time_s").to_pylist() == sampled.times_s.tolist()
    compared = 0
    for field in batch.schema:
        if not isinstance(field.type, pa.FixedShapeTensorType):
            continue
        kind, channel = field.name.split("_", 1)
        targets = json.loads(field.metadata[b"dopesheet.targets"])
        table = numbers(batch, field.name)
        for place, target in enumerate(targets):
            tracks = [t for t in sampled if t.kind == kind and t.target == target and channel in t.channels]
            for track in tracks[:1]:
                found = table[:, place] if table.ndim > 1 else table
                assert np.array_equal(found, track[channel]), (field.name, target)
                compared += 1
    assert compared >= 1


def test_nothing_is_copied() -> None:
    table = dopesheet.open(SAMPLES / "walk.vmd", model="standard").clips[0].to_arrow()
    first, second = pa.record_batch(table), pa.record_batch(table)
    streamed = pa.table(table).to_batches()[0]
    assert addresses(first) == addresses(second) == addresses(streamed), "all of them see the same memory"
    held = pa.total_allocated_bytes()
    third = pa.record_batch(table)
    assert pa.total_allocated_bytes() == held, "pyarrow has allocated nothing"
    assert third.equals(first)
    view = first.column("joint_rotation").to_numpy_ndarray()
    assert view.base is not None and not view.flags.owndata
    assert view.__array_interface__["data"][0] in addresses(second)


def test_memory_lives_as_long_as_anybody_has_a_part_of_it() -> None:
    clip = dopesheet.open(SAMPLES / "walk.vmd").clips[0]
    table = clip.to_arrow(dtype="float64")
    batch = pa.record_batch(table)
    column = batch.column("joint_rotation").storage.flatten()
    expected = column.to_pylist()
    del table, batch, clip
    gc.collect()
    junk = [np.random.default_rng(n).random(len(expected)) for n in range(50)]
    assert column.to_pylist() == expected and len(junk) == 50


def test_capsules_that_nobody_takes_are_given_back() -> None:
    table = dopesheet.open(SAMPLES / "walk.vmd").clips[0].to_arrow()
    for _ in range(1000):
        table.__arrow_c_array__()
        table.__arrow_c_stream__()
        table.__arrow_c_schema__()
    assert pa.record_batch(table).num_rows == table.num_rows


def test_a_row_may_be_a_number() -> None:
    clip = dopesheet.open(SAMPLES / "bow.vmd").clips[0]
    long = pa.table(clip.to_arrow(layout="long", dtype="float64", times=[0.0, 1.5]))
    assert long.column_names[5:] == ["target", "index", "kind", "channel", "component", "value"]
    sampled = clip.sample(times=[0.0, 1.5])
    rows = [row for row in long.to_pylist() if row["target"] == "頭" and row["channel"] == "rotation"]
    found = np.array([row["value"] for row in rows]).reshape(2, 4)
    assert np.array_equal(found, sampled["頭"]["rotation"])


def test_words_that_mean_nothing_are_refused() -> None:
    clip = dopesheet.open(SAMPLES / "bow.vmd").clips[0]
    with pytest.raises(dopesheet.ArgumentError) as refused:
        clip.to_arrow(layout="tall")  # type: ignore[arg-type]
    assert refused.value.argument == "layout"
    with pytest.raises(dopesheet.ArgumentError):
        clip.to_arrow(dtype="int8")  # type: ignore[arg-type]
