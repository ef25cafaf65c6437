//! Lines printed about a conversion.

use crate::args::ConvertArgs;
use crate::console;
use dopesheet::core::words::time;
use dopesheet::{ConversionReport, Error, Loss, Severity};
use std::path::Path;

/// Prints the report of a conversion; of one among many only what one should look at.
pub(super) fn show(
    inputs: &str,
    output: &Path,
    conversion: &ConversionReport,
    args: &ConvertArgs,
    in_full: bool,
) -> Result<(), Error> {
    if args.json {
        console::line(&conversion.to_json(&output.to_string_lossy()).to_string())?;
    }
    if args.batch.quiet {
        return Ok(());
    }
    let (from, to) = (conversion.from.join(", "), conversion.to);
    let output =
        if output.as_os_str() == "-" { "standard output".into() } else { output.display().to_string() };
    console::say(&format!("{inputs} -> {output} ({from} to {to})"));
    for finding in conversion.report.findings.iter().filter(|f| in_full || f.severity > Severity::Info) {
        console::say(&format!("  {}: {}", finding.severity.word(), finding.fault));
    }
    for loss in &conversion.report.losses {
        match loss {
            Loss::Kept { what } if in_full => console::say(&format!("  kept: {what}")),
            Loss::Kept { .. } => {}
            Loss::Approximated { what, max_error: e, bound } => console::say(&format!(
                "  approximated: {what}; at most {} off ({} at {}){}",
                e.unit.in_words(e.value),
                e.target,
                time(e.time),
                bound.map_or(String::new(), |bound| format!("; never more than {}", e.unit.in_words(bound)))
            )),
            Loss::Dropped { what, why } => console::say(&format!("  dropped: {what}: {why}")),
        }
    }
    Ok(())
}
