//! All faults and oddities of a file.

use crate::error::Error;
use crate::files::read::Opened;
use crate::models::binding::binding;
use dopesheet_core::diag::Report;
use dopesheet_core::format::NameMap;

/// Findings of reading and checking a file, with the target at the place of each.
#[must_use]
pub fn check(opened: &Opened) -> Report {
    let mut report = opened.report.clone();
    opened.format().check(&opened.document, &mut report);
    for finding in &mut report.findings {
        finding.subject = opened.format().subject(&opened.document, &finding.fault);
    }
    report
}

/// As [`check`]; with a model, also the fit of the file's motions on it.
///
/// # Errors
/// If a document makes no sense as a scene.
pub fn check_on(opened: &Opened, model: Option<&Opened>, names: &NameMap) -> Result<Report, Error> {
    let mut report = check(opened);
    if let Some(model) = model {
        binding(opened, model, names)?.findings(&mut report);
    }
    Ok(report)
}
