"""Arrays of NumPy: rotations, places and scales of joints by frames (`layout` "clip")."""

from pathlib import Path

import numpy as np

from bvh import curve
from maths import unit
from motion import Motion, Unsuitable


def read(path: Path) -> Motion:
    arrays = np.load(path, allow_pickle=False)
    if "layout" not in arrays or str(arrays["layout"]) != "clip":
        raise Unsuitable(f"arrays of the layout {arrays['layout'] if 'layout' in arrays else '(none)'}")
    names = [str(name) for name in arrays["joint_names"]]
    if len(set(names)) < len(names):
        raise Unsuitable("joints of one name")
    rate, metres = float(arrays["fps"]), float(arrays["metres_per_unit"]) if "metres_per_unit" in arrays else 1.0
    axes = arrays["axes"].reshape(-1).tolist()
    if axes not in (["yup"], ["+x", "+y", "+z"]):
        raise Unsuitable(f"axes {axes}")
    rotations = arrays["rotations"].astype(np.float64)
    if str(arrays["order"]) == "wxyz":
        rotations = np.roll(rotations, -1, axis=-1)
    count = len(rotations)
    motion = Motion((count - 1) / rate, frame_rate=rate, knows_hierarchy=True, has_joints_alone=True)
    for joint, name in enumerate(names):
        node = motion.node(name)
        above = int(arrays["parents"][joint])
        node.parent = names[above] if above >= 0 else None
        if "offsets" in arrays:
            node.rest["translation"] = arrays["offsets"][joint].astype(np.float64) * metres
        if "rest_rotations" in arrays:
            rest = arrays["rest_rotations"][joint].astype(np.float64)
            node.rest["rotation"] = unit(np.roll(rest, -1) if str(arrays["order"]) == "wxyz" else rest)
        if "rest_scales" in arrays:
            node.rest["scale"] = arrays["rest_scales"][joint].astype(np.float64)
        node.curves["rotation"] = curve(unit(rotations[:, joint]), rate, True)
        if "translations" in arrays:
            node.curves["translation"] = curve(arrays["translations"][:, joint].astype(np.float64) * metres, rate, False)
        elif above < 0 and "root_positions" in arrays:
            node.curves["translation"] = curve(arrays["root_positions"].astype(np.float64) * metres, rate, False)
        if "scales" in arrays:
            node.curves["scale"] = curve(arrays["scales"][:, joint].astype(np.float64), rate, False)
    return motion
