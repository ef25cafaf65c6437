//! Document → report.
use super::document::Document;
use dopesheet_core::diag::Report;
pub(crate) fn check(_document: &Document, _report: &mut Report) {}
