"""Rotations in other forms."""

from __future__ import annotations

import numpy as np
import pytest

import dopesheet
from conftest import SAMPLES, angles
from dopesheet import rotations

FORMS = ["xyzw", "wxyz", "6d", "6d-rows", "axis-angle", "matrix", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"]
RNG = np.random.default_rng(7)
QUATERNIONS = RNG.normal(size=(5, 7, 4))
QUATERNIONS /= np.linalg.norm(QUATERNIONS, axis=-1, keepdims=True)


def matrix(axis: int, angle: float) -> np.ndarray:
    """A turn about one axis, as schools teach it."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    out = np.eye(3)
    out[i, i] = out[j, j] = np.cos(angle)
    out[i, j], out[j, i] = -np.sin(angle), np.sin(angle)
    return out


@pytest.mark.parametrize("form", FORMS)
def test_every_form_comes_back(form: str) -> None:
    numbers = rotations.from_quaternions(QUATERNIONS, form)
    assert numbers.dtype == np.float32 and numbers.shape[:2] == (5, 7)
    assert angles(rotations.to_quaternions(numbers, form), QUATERNIONS).max() < 2e-6


@pytest.mark.parametrize("order", ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"])
def test_orders_are_products_of_matrices(order: str) -> None:
    found = rotations.from_quaternions(QUATERNIONS, order).reshape(-1, 3)
    expected = rotations.from_quaternions(QUATERNIONS, "matrix").reshape(-1, 3, 3)
    for xyz, wanted in zip(found, expected):
        a, b, c = ("XYZ".index(letter) for letter in order)
        product = matrix(a, xyz[a]) @ matrix(b, xyz[b]) @ matrix(c, xyz[c])
        assert np.abs(product - wanted).max() < 2e-6


def test_six_numbers_are_two_columns_or_two_rows() -> None:
    matrices = rotations.from_quaternions(QUATERNIONS, "matrix")
    columns = rotations.from_quaternions(QUATERNIONS, "6d")
    assert np.array_equal(columns[..., :3], matrices[..., :, 0])
    assert np.array_equal(columns[..., 3:], matrices[..., :, 1])
    rows = rotations.from_quaternions(QUATERNIONS, "6d-rows")
    assert np.array_equal(rows, matrices[..., :2, :].reshape(5, 7, 6))


def test_methods_of_poses_are_these_forms() -> None:
    poses = dopesheet.open(SAMPLES / "jump.bvh").clips[0].poses(fps=4)
    assert poses.rotations_6d().shape == poses.rotations.shape[:2] + (6,)
    assert np.array_equal(poses.rotations_6d("rows"), rotations.from_quaternions(poses.rotations, "6d-rows"))
    assert np.array_equal(poses.axis_angle(), rotations.from_quaternions(poses.rotations, "axis-angle"))
    assert np.allclose(poses.euler("ZXY", degrees=True), np.degrees(poses.euler("ZXY")))
    for bad in ["ZZZ", "zyxw", ""]:
        with pytest.raises(dopesheet.ArgumentError):
            poses.euler(bad)


def test_bad_input_is_named() -> None:
    unit = np.array([0.0, 0.0, 0.0, 1.0])
    for call, message in [
        (lambda: rotations.from_quaternions(unit, "quat"), 'expected a form of rotations .*, found "quat"'),
        (lambda: rotations.from_quaternions(unit[:3], "6d"), r"quaternions: expected the shape \(4,\), found \(3,\)"),
        (lambda: rotations.from_quaternions(unit.astype(int), "6d"), "expected an array of float32 or float64, found one of int64"),
        (lambda: rotations.from_quaternions(unit * np.nan, "6d"), r"expected finite numbers, found nan at \[0\]"),
        (lambda: rotations.to_quaternions(unit * 2, "xyzw"), "expected unit quaternions, found one of length 2.0"),
        (lambda: rotations.to_quaternions(unit, "6d"), "rotations: expected 6 numbers per rotation, found 4"),
        (lambda: rotations.to_quaternions(unit, "matrix"), r"expected numbers in the form matrix, found the shape \(4,\)"),
        (lambda: rotations.to_quaternions(unit.reshape(2, 2), "matrix"), r"the shape \(..., 3, 3\), found \(2, 2\)"),
        (lambda: rotations.to_quaternions(unit, "xyzw", degrees=True), "degrees: expected a form of angles, found xyzw"),
        (lambda: rotations.from_quaternions(np.array(["a"]), "6d"), "found one of <U1"),
    ]:
        with pytest.raises(dopesheet.ArgumentError, match=message):
            call()
