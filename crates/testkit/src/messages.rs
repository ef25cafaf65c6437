//! Messages of a room about its fixtures, as text to be compared with a snapshot.

use crate::{Fixture, read};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source};
use std::fmt::Write as _;

/// Messages of reading and checking for each file: the error that stops reading, or all findings.
#[must_use]
pub fn messages_about<F: Format>(fixtures: &[Fixture], extension: &str, options: &ReadOptions) -> String {
    let mut text = String::new();
    for (kind, name, bytes) in fixtures {
        let mut report = Report::default();
        let _ = writeln!(text, "{kind}/{name}.{extension}");
        match F::read(&Source::new(bytes), options, &mut report) {
            Err(error) => _ = writeln!(text, "  {}: {error}", error.fault.code),
            Ok(document) => {
                F::check(&document, &mut report);
                report.findings.iter().for_each(|finding| _ = writeln!(text, "  {finding}"));
            }
        }
    }
    text
}

/// Every code of a format with its severity and what it is about, a line each.
///
/// # Panics
/// If they are not sorted, or one is there twice.
#[must_use]
pub fn codes_and_meanings<F: Format>() -> String {
    assert!(F::INFO.checks.is_sorted_by(|a, b| a.code < b.code), "codes are sorted and unique");
    F::INFO.checks.iter().map(|c| format!("{} {}: {}\n", c.severity.word(), c.code, c.about)).collect()
}

/// The summary of each valid file, and of those others that are named, a line each.
///
/// # Panics
/// If one of them cannot be read.
#[must_use]
pub fn summaries<F: Format>(fixtures: &[Fixture], extension: &str, others: &[&str]) -> String {
    let is_wanted = |(kind, name, _): &&Fixture| *kind == "valid" || others.contains(name);
    let line = |(kind, name, bytes): &Fixture| {
        format!("{kind}/{name}.{extension} {:?}\n", F::summary(&read::<F>(bytes)))
    };
    fixtures.iter().filter(is_wanted).map(line).collect()
}
