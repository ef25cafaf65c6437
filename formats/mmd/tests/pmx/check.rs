//! What reading and checking say, word by word.

use crate::fixtures::all;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source};
use dopesheet_mmd::Pmx;
use std::fmt::Write as _;

#[test]
fn every_message_about_the_fixtures() {
    let mut text = String::new();
    for (kind, name, bytes) in all() {
        let mut report = Report::default();
        let result = Pmx::read(&Source::new(&bytes), &ReadOptions::default(), &mut report);
        let _ = writeln!(text, "{kind}/{name}.pmx");
        match result {
            Err(error) => {
                let _ = writeln!(text, "  {}: {error}", error.fault.code);
            }
            Ok(document) => {
                Pmx::check(&document, &mut report);
                for finding in &report.findings {
                    let _ = writeln!(text, "  {finding}");
                }
            }
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn every_code_and_what_it_means() {
    let lines = Pmx::INFO.checks.iter().map(|c| format!("{} {}: {}\n", c.severity.word(), c.code, c.about));
    insta::assert_snapshot!(lines.collect::<String>());
}

#[test]
fn summaries_name_version_model_and_counts() {
    let mut text = String::new();
    for (kind, name, bytes) in
        all().into_iter().filter(|(kind, name, _)| *kind == "valid" || *name == "trailing-bytes")
    {
        let summary = Pmx::summary(&dopesheet_testkit::read::<Pmx>(&bytes));
        let _ = writeln!(text, "{kind}/{name}.pmx {summary:?}");
    }
    insta::assert_snapshot!(text);
}
