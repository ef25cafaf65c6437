"""A folder of motions to GLB on the machines of a Spark cluster: spark-submit spark_convert.py IN OUT

IN and OUT are folders that all machines see. What a file's output is called follows from its path alone, and it is renamed
into place when it is whole: a task that dies and is tried again comes to the same file, and no reader ever sees half of one.
"""

import os
import sys
import uuid
from pathlib import Path
from urllib.parse import unquote, urlparse

import dopesheet
import pyarrow as pa
from pyspark.sql import SparkSession

root, out = (str(Path(folder).resolve()) for folder in sys.argv[1:3])


def convert(batches):
    """Files; what could not be converted is a row with the reason, and not a failure of the task."""
    for batch in batches:
        rows = [one(row["path"], row["content"]) for row in batch.to_pylist()]
        yield pa.RecordBatch.from_pylist(rows, schema=pa.schema([("path", pa.string()), ("error", pa.string())]))


def one(url, content):
    source = Path(unquote(urlparse(url).path))
    target = Path(out, source.relative_to(root)).with_suffix(".glb")
    if not target.exists():
        try:
            data = dopesheet.open(content, name=source.name).convert("glb").data
        except dopesheet.DopesheetError as error:
            return {"path": str(source), "error": str(error)}
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished = target.with_name(f".{uuid.uuid4().hex}.part")
        unfinished.write_bytes(data)
        os.replace(unfinished, target)
    return {"path": str(source), "error": ""}


spark = SparkSession.builder.getOrCreate()
files = spark.read.format("binaryFile").option("recursiveFileLookup", True).option("pathGlobFilter", "*.vmd").load(root)
made = files.select("path", "content").repartition(64).mapInArrow(convert, "path string, error string")
failed = made.where("error != ''").collect()
for left in Path(out).rglob(".*.part"):  # of workers that died
    left.unlink()
for row in failed:
    print(f"{row.path}: {row.error}", file=sys.stderr)
spark.stop()
sys.exit(1 if failed else 0)
