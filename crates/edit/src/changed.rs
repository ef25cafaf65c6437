//! Words about intended changes.

use dopesheet_core::diag::{MaxError, Report};

/// Notes an operation, and its largest change of each unit, as kept: the change was requested and is no
/// error.
pub(crate) fn changed(what: String, largest: &[MaxError], report: &mut Report) {
    let sizes = largest.iter().filter(|change| change.value > 0.0);
    let sizes: Vec<String> = sizes.map(|change| format!("{} ({change})", change.size())).collect();
    report.kept(match sizes.is_empty() {
        true => what,
        false => format!("{what}, by at most {}", sizes.join(" and ")),
    });
}
