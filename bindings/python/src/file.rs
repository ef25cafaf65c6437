//! A file that has been read.

use dopesheet::Opened;
use pyo3::prelude::*;
use std::sync::Arc;

/// A file that has been read.
#[pyclass(frozen, module = "dopesheet._native")]
pub(crate) struct Document {
    pub(crate) opened: Arc<Opened>,
}

impl Document {
    pub(crate) fn new(opened: Opened) -> Self {
        Self { opened: Arc::new(opened) }
    }

    pub(crate) fn opened(&self) -> Arc<Opened> {
        Arc::clone(&self.opened)
    }
}
