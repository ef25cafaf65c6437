//! Lines of reports.

use serde_json::Value;

/// Words that lines about points begin with: those around joints in the model, and around each joint without its parents.
pub(super) const POINTS: [&str; 2] = ["model space", "each joint by itself"];

/// True of a report with a line about errors that starts with some words.
pub(super) fn says(report: &Value, start: &str) -> bool {
    let mut lines = report["approximated"].as_array().into_iter().flatten();
    lines.any(|line| line["what"].as_str().is_some_and(|what| what.starts_with(start)))
}
