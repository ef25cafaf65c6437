//! Vectors of Rust handed over to arrays of NumPy.

use numpy::{
    Element, IntoPyArray, PyArray, PyArray1, PyArrayMethods, PyFixedUnicode,
    ndarray::{Dim, Dimension, IntoDimension, Ix},
};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::sync::Mutex;

/// The numbers of a vector as an array of a given shape, without copying: a view of an array that owns the vector.
pub(crate) fn shaped<T: Element, const N: usize>(
    py: Python<'_>,
    numbers: Vec<T>,
    shape: [usize; N],
) -> PyResult<Bound<'_, PyArray<T, Dim<[Ix; N]>>>>
where
    [Ix; N]: IntoDimension<Dim = Dim<[Ix; N]>>,
    Dim<[Ix; N]>: Dimension,
{
    numbers.into_pyarray(py).reshape(shape)
}

/// Words as an array of text, 16 letters each.
pub(crate) fn words<'py>(
    py: Python<'py>,
    words: impl Iterator<Item = &'static str>,
) -> Bound<'py, PyArray1<PyFixedUnicode<16>>> {
    let letters = |word: &str| {
        let mut out = [0; 16];
        out.iter_mut().zip(word.chars()).for_each(|(slot, letter)| *slot = u32::from(letter));
        PyFixedUnicode(out)
    };
    words.map(letters).collect::<Vec<_>>().into_pyarray(py)
}

/// Rows of numbers, moved into an array on first access.
pub(crate) struct Column<T: Element> {
    width: usize,
    numbers: Mutex<Vec<T>>,
    array: PyOnceLock<Py<PyArray<T, Dim<[Ix; 2]>>>>,
}

impl<T: Element> Column<T> {
    pub(crate) fn new(numbers: Vec<T>, width: usize) -> Self {
        Self { width, numbers: Mutex::new(numbers), array: PyOnceLock::new() }
    }

    /// The array, not writeable, because the numbers are the contents of a file.
    pub(crate) fn array(&self, py: Python<'_>) -> PyResult<Py<PyArray<T, Dim<[Ix; 2]>>>> {
        let make = || {
            let mut held = self.numbers.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let numbers = std::mem::take(&mut *held);
            drop(held);
            let shape = [numbers.len() / self.width.max(1), self.width];
            let array = shaped(py, numbers, shape)?;
            array.readwrite().make_nonwriteable();
            PyResult::Ok(array.unbind())
        };
        self.array.get_or_try_init(py, make).map(|array| array.clone_ref(py))
    }
}
