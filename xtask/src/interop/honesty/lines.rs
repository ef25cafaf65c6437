//! Lines of reports.

use serde_json::Value;

/// Words that lines about points begin with: those around joints in the model, and around each joint without its parents.
pub(super) const POINTS: [&str; 2] = ["model space", "each joint by itself"];

/// True of a report with a line about errors that starts with some words.
pub(super) fn says(report: &Value, start: &str) -> bool {
    let mut lines = report["approximated"].as_array().into_iter().flatten();
    lines.any(|line| line["what"].as_str().is_some_and(|what| what.starts_with(start)))
}

/// True of a report that says nothing of turns and scales: then points are judged, as the tolerance is about those.
pub(super) fn is_silent_on_turns(report: &Value) -> bool {
    let mut lines = report["approximated"].as_array().into_iter().flatten();
    let tells = |what: &str| ["rotation", "scale"].iter().any(|word| what.contains(word));
    POINTS.iter().all(|start| !says(report, start))
        && !lines.any(|line| line["what"].as_str().is_some_and(tells))
}
