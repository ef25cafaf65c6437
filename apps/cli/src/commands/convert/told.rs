//! Lines printed about conversions.

use crate::args::ConvertArgs;
use crate::console;
use dopesheet::core::diag::ErrorUnit;
use dopesheet::{
    Error, Loss, convert::ConversionReport, convert::LineKind, convert::ReportLine,
    convert::TOLERANCE_EXCEEDED, convert::Telling,
};
use std::collections::BTreeMap;
use std::path::Path;

/// Way to the full report.
const WAY_TO_MORE: &str = "--verbose";

/// Code of the finding about a motion of a model and a camera in one file, which `--split` makes two of.
pub(super) const CAMERA_WITH_BONES: &str = "mmd-camera-with-bones";

/// Prints the report of one conversion.
pub(super) fn show(
    inputs: &str,
    output: &Path,
    conversion: &ConversionReport,
    args: &ConvertArgs,
) -> Result<(), Error> {
    if args.run.json {
        console::line(&conversion.to_json(&output.to_string_lossy()).to_string())?;
    }
    let is_piped = output.as_os_str() == "-";
    let output = if is_piped { "standard output".into() } else { output.display().to_string() };
    let telling = Telling { inputs, output: &output, way_to_more: WAY_TO_MORE };
    let lines = if args.run.verbose { conversion.full(&telling) } else { conversion.brief(&telling) };
    // That a tolerance was not kept is hidden by no option.
    let is_said = |line: &&ReportLine| !args.run.batch.quiet || line.code == Some(TOLERANCE_EXCEEDED);
    lines.iter().filter(is_said).for_each(say);
    Ok(())
}

fn say(line: &ReportLine) {
    let code = format!(" [{CAMERA_WITH_BONES}]");
    match line.kind {
        LineKind::Error => console::say_error(&line.text),
        LineKind::Warning => {
            console::say_warning(&line.text.replacen(&code, &format!(" (--split writes two files){code}"), 1))
        }
        LineKind::Result | LineKind::Plain => console::say(&line.text),
    }
}

/// Everything that is said of many conversions at their end.
#[derive(Default)]
pub(super) struct Totals {
    files: usize,
    /// For each code of a finding that is worse than a remark: the first of it, and the number of files that have one.
    warnings: BTreeMap<&'static str, (ReportLine, usize)>,
    /// For each unit the largest error, in words with its file.
    largest: Vec<(f64, ErrorUnit, String)>,
    /// Number of files of which something is not there.
    with_losses: usize,
}

impl Totals {
    /// Prints the report of one conversion of many as far as it is wanted now, and counts the rest.
    pub(super) fn show(
        &mut self,
        inputs: &str,
        output: &Path,
        conversion: &ConversionReport,
        args: &ConvertArgs,
    ) -> Result<(), Error> {
        if args.run.verbose || args.run.batch.quiet {
            return show(inputs, output, conversion, args);
        }
        if args.run.json {
            console::line(&conversion.to_json(&output.to_string_lossy()).to_string())?;
        }
        self.add(inputs, conversion);
        Ok(())
    }

    fn add(&mut self, inputs: &str, conversion: &ConversionReport) {
        self.files += 1;
        let telling = Telling { inputs, output: "", way_to_more: WAY_TO_MORE };
        for line in conversion.brief(&telling) {
            if let Some(code) = line.code {
                self.warnings.entry(code).or_insert_with(|| (line, 0)).1 += 1;
            }
        }
        for error in conversion.largest_errors() {
            let said = || (error.value, error.unit, error.of_file(inputs));
            match self.largest.iter_mut().find(|(_, unit, _)| *unit == error.unit) {
                Some((known, ..)) if *known >= error.value => {}
                Some(known) => *known = said(),
                None => self.largest.push(said()),
            }
        }
        let is_dropped = |loss: &Loss| matches!(loss, Loss::Dropped { .. });
        self.with_losses += usize::from(conversion.report.losses.iter().any(is_dropped));
    }

    /// Says it.
    pub(super) fn say(&self) {
        for (line, files) in self.warnings.values() {
            match files - 1 {
                0 => say(line),
                others => {
                    let others = dopesheet::core::words::counted(others, "other file");
                    say(&ReportLine { text: format!("{} (and {others})", line.text), ..line.clone() });
                }
            }
        }
        let errors: Vec<&str> = self.largest.iter().map(|(.., said)| said.as_str()).collect();
        if !errors.is_empty() {
            console::say(&format!("largest error: {}", errors.join("; ")));
        }
        if self.with_losses > 0 {
            console::say(&format!(
                "something was lost in {} of {} files: {WAY_TO_MORE} or --report FILE says what",
                self.with_losses, self.files
            ));
        }
    }
}
