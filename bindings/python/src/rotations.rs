//! Rotations in other forms.

use crate::arrays::shaped;
use crate::errors::raise;
use dopesheet::rotation::RotationForm;
use numpy::{PyArray2, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// Quaternions x y z w, a row each, in another form, a row each.
#[pyfunction]
pub(crate) fn from_quaternions<'py>(
    py: Python<'py>,
    quaternions: PyReadonlyArray2<'py, f32>,
    form: &str,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let form = RotationForm::from_word(form).map_err(|error| raise(py, &error))?;
    let (rows, numbers) = (quaternions.shape()[0], quaternions.as_slice()?);
    let out = py.detach(|| form.from_quaternions(numbers));
    shaped(py, out, [rows, form.width()])
}

/// Rotations in a form, a row each, as quaternions x y z w, a row each.
#[pyfunction]
pub(crate) fn to_quaternions<'py>(
    py: Python<'py>,
    numbers: PyReadonlyArray2<'py, f64>,
    form: &str,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let form = RotationForm::from_word(form).map_err(|error| raise(py, &error))?;
    let [rows, width] = [numbers.shape()[0], numbers.shape()[1]];
    if width != form.width() {
        let expected = format!("{} numbers per rotation", form.width());
        return Err(crate::errors::argument(py, "rotations", &expected, &width.to_string()));
    }
    let numbers = numbers.as_slice()?;
    let out = py.detach(|| form.to_quaternions(numbers)).map_err(|error| raise(py, &error))?;
    shaped(py, out, [rows, 4])
}
