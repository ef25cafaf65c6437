//! Everything that is wrong or remarkable about a file.

use crate::open::Opened;
use dopesheet_core::diag::Report;

/// What reading and checking a file report.
#[must_use]
pub fn check(opened: &Opened) -> Report {
    let mut report = opened.report.clone();
    opened.format().check(&opened.document, &mut report);
    report
}
