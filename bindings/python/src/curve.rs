//! Keys and the laws between them as arrays.

use crate::arrays::{Column, words};
use dopesheet::core::model::{self, Handles, JumpSide, Times, Timing};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyFixedUnicode};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// A value over time: keys, and a law for each segment between two of them.
#[pyclass(frozen, module = "dopesheet._native")]
pub(crate) struct Curve {
    keys: Times,
    laws: model::Laws,
    values: Column<f32>,
    handles: Option<[Column<f32>; 2]>,
    weights: Option<[Column<f32>; 2]>,
    turns: Option<Column<f32>>,
    times: PyOnceLock<Py<PyArray1<f64>>>,
    #[pyo3(get)]
    width: usize,
    #[pyo3(get)]
    before: &'static str,
    #[pyo3(get)]
    after: &'static str,
    #[pyo3(get)]
    jump: &'static str,
}

type FloatMatrix = Py<PyArray2<f32>>;

impl Curve {
    /// Takes over the numbers of a curve.
    pub(crate) fn new(curve: model::Curve) -> Self {
        let width = curve.width;
        let both = |handles: Option<Box<Handles>>| {
            handles.map(|h| [h.arriving, h.leaving].map(|numbers| Column::new(numbers, width)))
        };
        Self {
            keys: curve.times,
            laws: curve.laws,
            values: Column::new(curve.values, width),
            handles: both(curve.handles),
            weights: both(curve.weights),
            turns: curve.turns.map(|turns| Column::new(turns.into_vec().into_flattened(), 4)),
            times: PyOnceLock::new(),
            width,
            before: curve.before.word(),
            after: curve.after.word(),
            jump: match curve.jump {
                JumpSide::Before => "before",
                JumpSide::After => "after",
            },
        }
    }

    fn segments(&self) -> std::ops::Range<usize> {
        0..self.keys.len().saturating_sub(1)
    }

    fn side(pair: Option<&[Column<f32>; 2]>, side: usize, py: Python<'_>) -> PyResult<Option<FloatMatrix>> {
        pair.and_then(|both| both.get(side)).map(|column| column.array(py)).transpose()
    }
}

#[pymethods]
impl Curve {
    fn __len__(&self) -> usize {
        self.keys.len()
    }

    #[getter]
    fn times(&self, py: Python<'_>) -> Py<PyArray1<f64>> {
        let make = || {
            let times = self.keys.iter().map(|time| time.0).collect::<Vec<_>>().into_pyarray(py);
            times.readwrite().make_nonwriteable();
            times.unbind()
        };
        self.times.get_or_init(py, make).clone_ref(py)
    }

    #[getter]
    fn frames<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<i64>>> {
        match &self.keys {
            Times::Seconds(_) => None,
            Times::Frames { frames, .. } => Some(frames.to_vec().into_pyarray(py)),
        }
    }

    #[getter]
    fn fps(&self) -> Option<f64> {
        match &self.keys {
            Times::Seconds(_) => None,
            Times::Frames { rate, .. } => Some(rate.fps()),
        }
    }

    #[getter]
    fn values(&self, py: Python<'_>) -> PyResult<FloatMatrix> {
        self.values.array(py)
    }

    #[getter]
    fn laws<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<PyFixedUnicode<16>>> {
        words(py, self.segments().map(|segment| self.laws.get(segment).blend.word()))
    }

    #[getter]
    fn timings<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<PyFixedUnicode<16>>> {
        words(py, self.segments().map(|segment| self.laws.get(segment).timing.word()))
    }

    #[getter]
    fn timing<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let numbers = self.segments().flat_map(|segment| match self.laws.get(segment).timing {
            // The curve from corner to corner that runs evenly.
            Timing::Linear => [0.0, 0.0, 1.0, 1.0],
            Timing::Bezier { x1, y1, x2, y2 } => [x1, y1, x2, y2],
            Timing::Ease { from, to } => [from, to, f32::NAN, f32::NAN],
        });
        crate::arrays::shaped(py, numbers.collect(), [self.segments().len(), 4])
    }

    #[getter]
    fn tangents_in(&self, py: Python<'_>) -> PyResult<Option<FloatMatrix>> {
        Self::side(self.handles.as_ref(), 0, py)
    }

    #[getter]
    fn tangents_out(&self, py: Python<'_>) -> PyResult<Option<FloatMatrix>> {
        Self::side(self.handles.as_ref(), 1, py)
    }

    #[getter]
    fn weights_in(&self, py: Python<'_>) -> PyResult<Option<FloatMatrix>> {
        Self::side(self.weights.as_ref(), 0, py)
    }

    #[getter]
    fn weights_out(&self, py: Python<'_>) -> PyResult<Option<FloatMatrix>> {
        Self::side(self.weights.as_ref(), 1, py)
    }

    #[getter]
    fn turns(&self, py: Python<'_>) -> PyResult<Option<FloatMatrix>> {
        self.turns.as_ref().map(|turns| turns.array(py)).transpose()
    }
}
