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

/// Code of the finding about a file with the motion of a model and of a camera, which `--split` writes as two
/// files.
pub(super) const CAMERA_WITH_BONES: &str = "mmd-camera-with-bones";

/// Prints the report of a conversion.
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

/// Summary of many conversions, printed at their end.
#[derive(Default)]
pub(super) struct Totals {
    files: usize,
    /// For each code of a finding worse than a remark: the first finding, and the number of files with the
    /// code.
    warnings: BTreeMap<&'static str, (ReportLine, usize)>,
    /// For each unit the largest error, in words with its file.
    largest: Vec<(f64, ErrorUnit, String)>,
    /// Number of files with losses.
    with_losses: usize,
}

impl Totals {
    /// Prints the immediate part of a report of one conversion among many, and counts the rest.
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
            let entry = || (error.value, error.unit, error.of_file(inputs));
            match self.largest.iter_mut().find(|(_, unit, _)| *unit == error.unit) {
                Some((largest, ..)) if *largest >= error.value => {}
                Some(largest) => *largest = entry(),
                None => self.largest.push(entry()),
            }
        }
        let is_dropped = |loss: &Loss| matches!(loss, Loss::Dropped { .. });
        self.with_losses += usize::from(conversion.report.losses.iter().any(is_dropped));
    }

    /// Prints the summary.
    pub(super) fn say(&self) {
        for (line, files) in self.warnings.values() {
            match files - 1 {
                0 => say(line),
                count => {
                    let count = dopesheet::core::words::counted(count, "other file");
                    say(&ReportLine { text: format!("{} (and {count})", line.text), ..line.clone() });
                }
            }
        }
        let errors: Vec<&str> = self.largest.iter().map(|(.., text)| text.as_str()).collect();
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
