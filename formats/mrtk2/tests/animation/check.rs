//! What reading and checking say, word by word.

use crate::fixtures::all;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source};
use dopesheet_mrtk2::Mrtk2;
use std::fmt::Write as _;

fn said(bytes: &[u8], lenient: bool) -> String {
    let (mut text, mut report) = (String::new(), Report::default());
    let options = ReadOptions { lenient, ..ReadOptions::default() };
    match Mrtk2::read(&Source::new(bytes), &options, &mut report) {
        Err(error) => {
            let _ = writeln!(text, "  {}: {error}", error.fault.code);
        }
        Ok(document) => {
            Mrtk2::check(&document, &mut report);
            for finding in &report.findings {
                let _ = writeln!(text, "  {finding}");
            }
        }
    }
    text
}

#[test]
fn every_message_about_the_fixtures() {
    let mut text = String::new();
    for (kind, name, bytes) in all() {
        let _ = write!(text, "{kind}/{name}.bin\n{}", said(&bytes, false));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn what_lenient_reading_leaves_out_is_said() {
    let mut text = String::new();
    for (kind, name, bytes) in all().into_iter().filter(|(kind, ..)| *kind == "invalid") {
        let _ = write!(text, "{kind}/{name}.bin\n{}", said(&bytes, true));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn every_code_and_what_it_means() {
    let lines = Mrtk2::INFO.checks.iter().map(|c| format!("{} {}: {}\n", c.severity.word(), c.code, c.about));
    insta::assert_snapshot!(lines.collect::<String>());
}

#[test]
fn summaries_name_version_shape_and_counts() {
    let mut text = String::new();
    for (kind, name, bytes) in
        all().into_iter().filter(|(kind, name, _)| *kind == "valid" || *name == "doc-shape")
    {
        let summary = Mrtk2::summary(&dopesheet_testkit::read::<Mrtk2>(&bytes));
        let _ = writeln!(text, "{kind}/{name}.bin {summary:?}");
    }
    insta::assert_snapshot!(text);
}
