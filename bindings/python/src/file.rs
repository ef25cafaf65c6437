//! A file after reading.

use crate::errors::detached;
use dopesheet::core::format::Limits;
use dopesheet::edit::{Editable, OPERATIONS};
use dopesheet::{Error, Opened};
use pyo3::prelude::*;
use std::sync::Arc;

/// A file after reading, with any number of operations.
#[pyclass(frozen, module = "dopesheet._native")]
pub(crate) struct Document {
    pub(crate) file: Editable,
}

impl Document {
    pub(crate) fn new(opened: Opened) -> Self {
        Self { file: Editable::new(opened) }
    }

    /// A file with limits on the amount of data computed from it.
    pub(crate) fn within(opened: Opened, limits: Limits) -> Self {
        Self { file: Editable::new(opened).within(limits) }
    }

    /// The file after all operations.
    pub(crate) fn opened(&self) -> Result<Arc<Opened>, Error> {
        self.file.opened()
    }
}

/// The file of an argument, after all operations.
pub(crate) fn opened(py: Python<'_>, document: Option<&Py<Document>>) -> PyResult<Option<Arc<Opened>>> {
    let document = document.map(Py::get);
    detached(py, || document.map(Document::opened).transpose())
}

/// The word and options of each operation, and true for operations on several files.
#[pyfunction]
pub(crate) fn operations() -> Vec<(&'static str, Vec<&'static str>, bool)> {
    OPERATIONS.iter().map(|entry| (entry.word, entry.names().collect(), entry.takes_others())).collect()
}
