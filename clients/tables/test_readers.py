"""pyarrow, DuckDB and Polars on what `dopesheet table` and `sample -o` write: the values that `sample --json` prints."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import duckdb
import numpy as np
import polars
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import pytest

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
FILES = ["bow.vmd", "camera.vmd", "jump.bvh", "walk.vmd"]


def dopesheet(*arguments, cwd=SAMPLES):
    command = [os.environ["DOPESHEET"], *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, check=True, capture_output=True).stdout


def sampled(name, *options):
    """The channels of a file by kind, target, number and channel, each with a row of numbers per time."""
    document = json.loads(dopesheet("sample", name, "--json", "--fps", "30", *options))
    rows = len(document["times_s"])
    return document["times_s"], {
        (track["kind"], track["target"], track["index"], channel): np.array(values, dtype=np.float64).reshape(rows, -1)
        for track in document["tracks"]
        for channel, values in track["channels"].items()
    }


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dataset")
    dopesheet("table", *FILES, "--fps", "30", "--chunk-files", "2", "--chunk-rows", "150", "-o", folder)
    return folder


def with_pyarrow(path):
    table = pa.parquet.read_table(path)
    columns = {}
    for name in table.column_names:
        column = table.column(name).combine_chunks()
        tensor = isinstance(column.type, pa.FixedShapeTensorType)
        columns[name] = column.to_numpy_ndarray() if tensor else column.to_pylist()
    return columns


def with_duckdb(path):
    table = duckdb.sql(f"select * from read_parquet('{path}', hive_partitioning=false)")
    return {name: [row[at] for row in table.fetchall()] for at, name in enumerate(table.columns)}


def with_polars(path):
    frame = polars.read_parquet(path, hive_partitioning=False)
    return {name: frame[name].to_list() for name in frame.columns}


READERS = [with_pyarrow, with_duckdb, with_polars]


def compare(columns, fields, name, options, dtype, own=""):
    """How many channels of a file were found in the columns; each equal to what is sampled."""
    here = [at for at, file in enumerate(columns["file"]) if file == name]
    times, channels = sampled(name, *options)
    assert [columns["time_s"][at] for at in here] == times
    assert [columns["frame"][at] for at in here] == list(range(len(times)))
    found = set()
    for field in fields:
        targets = json.loads(field.metadata[b"dopesheet.targets"])
        indices = json.loads(field.metadata[b"dopesheet.indices"])
        values = np.array([columns[field.name][at] for at in here], dtype=dtype).reshape(len(here), len(targets), -1)
        kind, channel = field.name.split("_", 1)
        for place, target in enumerate(targets):
            key = (kind, target, indices[place], channel)
            if key in channels:
                assert np.array_equal(values[:, place], channels[key].astype(dtype)), (field.name, target)
                found.add(key)
            else:
                assert (values[:, place] == values[0, place]).all(), f"{target} does not move"
    assert found == set(channels), "every channel is in the table"
    return len(found)


def fields_of(path):
    fields = pa.parquet.read_schema(path)
    return [field for field in fields if field.metadata and b"dopesheet.targets" in field.metadata]


@pytest.mark.parametrize("reader", READERS)
def test_a_dataset_holds_what_is_sampled(dataset, reader):
    found = {}
    for path in sorted(dataset.glob("*/*.parquet")):
        columns = reader(path)
        for name in dict.fromkeys(columns["file"]):
            assert name not in found, "no clip is divided"
            found[name] = compare(columns, fields_of(path), name, (), np.float32)
    assert sorted(found) == FILES and min(found.values()) >= 1, found


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("options", [(), ("--axes", "gltf"), ("-m", "standard", "--space", "model")])
def test_double_precision_loses_nothing(tmp_path, reader, options):
    path = tmp_path / "bow.parquet"
    dopesheet("sample", "bow.vmd", "--fps", "30", *options, "-o", path)
    assert compare(reader(path), fields_of(path), "bow.vmd", options, np.float64) > 10


def test_arrow_files_hold_the_same(tmp_path):
    dopesheet("sample", "jump.bvh", "--fps", "30", "-o", tmp_path / "jump.arrow")
    dopesheet("sample", "jump.bvh", "--fps", "30", "-o", tmp_path / "jump.parquet")
    table = pa.ipc.open_file(tmp_path / "jump.arrow").read_all()
    assert table.equals(pa.parquet.read_table(tmp_path / "jump.parquet"))
    assert polars.read_ipc(tmp_path / "jump.arrow").shape == table.shape


@pytest.mark.parametrize("reader", READERS)
def test_a_row_per_number_is_tidy(tmp_path, reader):
    dopesheet("table", *FILES, "--fps", "30", "--layout", "long", "--precision", "double", "-o", tmp_path / "long")
    [path] = (tmp_path / "long").glob("*.parquet")
    columns = reader(path)
    rows = zip(*(columns[name] for name in ["file", "kind", "target", "index", "channel", "frame", "component", "value"]))
    table = {tuple(row[:-1]): row[-1] for row in rows}
    count = 0
    for name in FILES:
        for (kind, target, index, channel), values in sampled(name)[1].items():
            for (frame, component), value in np.ndenumerate(values):
                assert table[name, kind, target, index, channel, frame, component] == value
                count += 1
    assert count == len(columns["file"]) > 1000


def test_metadata_says_what_a_table_is(dataset):
    jump = next(p for p in dataset.glob("*/*.parquet") if "jump.bvh" in set(pa.parquet.read_table(p)["file"].to_pylist()))
    said = pa.parquet.ParquetFile(jump).metadata.metadata
    basis = json.loads(said[b"dopesheet.basis"])
    info = json.loads(dopesheet("info", "jump.bvh", "--json"))
    skeleton = json.loads(said[b"dopesheet.skeleton"])
    assert len(skeleton) == info["nodes"] and skeleton[0]["parent"] is None and skeleton[1]["parent"] == 0
    assert set(basis) == {"left", "up", "front", "metres_per_unit"}
    [source] = json.loads(said[b"dopesheet.sources"])
    assert (source["file"], source["format"], source["clips"][0]["rate_fps"]) == ("jump.bvh", "bvh", 30.0)
    assert len(source["sha256"]) == 64 and source["facts"]
    kept = duckdb.sql(f"select key from parquet_kv_metadata('{jump}')").fetchall()
    assert (b"dopesheet.skeleton",) in kept


def test_all_of_a_skeleton_are_one_dataset(tmp_path):
    for copy in range(20):
        (tmp_path / f"{copy:02}.bvh").write_bytes((SAMPLES / "jump.bvh").read_bytes())
    dopesheet("table", "*.bvh", "-o", "dataset", cwd=tmp_path)
    one = pa.dataset.dataset(tmp_path / "dataset", partitioning="hive", format="parquet", exclude_invalid_files=True)
    assert one.to_table().num_rows == 20 * pa.parquet.read_table(next((tmp_path / "dataset").glob("*/*0-0.parquet"))).filter(
        pa.compute.field("file") == "00.bvh"
    ).num_rows
    assert polars.scan_parquet(tmp_path / "dataset/*/*.parquet").select("file").unique().collect().height == 20
    [[count]] = duckdb.sql(f"select count(distinct file) from '{tmp_path}/dataset/*/*.parquet'").fetchall()
    assert count == 20
