//! Tables for other libraries, handed over without copying through the Arrow PyCapsule interface.
//!
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>

use crate::errors::argument;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchIterator, StructArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::CStr;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// The rows of a clip. Importing libraries share the memory, which is freed with the last reference.
#[pyclass(frozen, module = "dopesheet._native")]
pub(crate) struct Table {
    batch: RecordBatch,
}

impl Table {
    pub(crate) const fn new(batch: RecordBatch) -> Self {
        Self { batch }
    }

    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.batch.schema_ref().as_ref());
        let schema = schema.map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, SCHEMA)
    }
}

#[pymethods]
impl Table {
    #[getter]
    fn num_rows(&self) -> usize {
        self.batch.num_rows()
    }

    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.batch.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        self.schema(py)
    }

    /// A requested schema is ignored, as the interface permits.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        let rows = StructArray::from(self.batch.clone());
        let array = PyCapsule::new_with_value(py, FFI_ArrowArray::new(&rows.to_data()), ARRAY)?;
        Ok((self.schema(py)?, array))
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), STREAM)
    }
}

/// The meaning of a word of Python.
pub(crate) fn layout(py: Python<'_>, word: &str) -> PyResult<dopesheet::table::TableLayout> {
    match word {
        "wide" => Ok(dopesheet::table::TableLayout::Wide),
        "long" => Ok(dopesheet::table::TableLayout::Long),
        other => Err(argument(py, "layout", "wide or long", other)),
    }
}

/// The meaning of a word of Python.
pub(crate) fn precision(py: Python<'_>, word: &str) -> PyResult<dopesheet::table::Precision> {
    match word {
        "float32" => Ok(dopesheet::table::Precision::Single),
        "float64" => Ok(dopesheet::table::Precision::Double),
        other => Err(argument(py, "dtype", "float32 or float64", other)),
    }
}
