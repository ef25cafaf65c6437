"""A folder of motions to GLB on the machines of a Ray cluster: python ray_convert.py IN OUT

IN and OUT are folders that all machines see. What a file's output is called follows from its path alone, and it is renamed
into place when it is whole: a task that dies and is tried again comes to the same file, and no reader ever sees half of one.
"""

import os
import sys
import uuid
from pathlib import Path

import dopesheet
import ray


def convert(row, root, out):
    """One file; what could not be converted is a row with the reason, and not a failure of the task."""
    source = Path(row["path"])
    target = Path(out, source.relative_to(root)).with_suffix(".glb")
    done = {"path": str(source), "output": str(target), "error": ""}
    if target.exists():
        return done
    try:
        data = dopesheet.open(row["bytes"], name=source.name).convert("glb").data
    except dopesheet.DopesheetError as error:
        return {**done, "error": str(error)}
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f".{uuid.uuid4().hex}.part")
    unfinished.write_bytes(data)
    os.replace(unfinished, target)
    return done


if __name__ == "__main__":
    root, out = (str(Path(folder).resolve()) for folder in sys.argv[1:3])
    ray.init(address=os.environ.get("RAY_ADDRESS"), num_cpus=None if "RAY_ADDRESS" in os.environ else 4)
    files = ray.data.read_binary_files(root, include_paths=True, file_extensions=["vmd"], override_num_blocks=64)
    failed = [row for row in files.map(convert, fn_args=(root, out)).iter_rows() if row["error"]]
    for left in Path(out).rglob(".*.part"):  # of workers that died
        left.unlink()
    for row in failed:
        print(f"{row['path']}: {row['error']}", file=sys.stderr)
    sys.exit(1 if failed else 0)
