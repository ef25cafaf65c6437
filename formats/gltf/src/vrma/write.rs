//! Document → bytes: the GLB unchanged.

use super::document::Document;
use crate::Glb;
use dopesheet_core::diag::WriteError;
use dopesheet_core::format::{Format, Output, WriteOptions};

pub(super) fn write(document: &Document, options: &WriteOptions) -> Result<Output, WriteError> {
    Glb::write(&document.glb, options)
}
