//! What reading and checking say, word by word.

use crate::fixtures::{all, everything};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, Limits, ReadOptions, Source};
use dopesheet_mmd::Pmd;
use std::fmt::Write as _;

#[test]
fn every_message_about_the_fixtures() {
    let mut text = String::new();
    for (kind, name, bytes) in all() {
        let mut report = Report::default();
        let result = Pmd::read(&Source::new(&bytes), &ReadOptions::default(), &mut report);
        let _ = writeln!(text, "{kind}/{name}.pmd");
        match result {
            Err(error) => {
                let _ = writeln!(text, "  {}: {error}", error.fault.code);
            }
            Ok(document) => {
                Pmd::check(&document, &mut report);
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
    let lines = Pmd::INFO.checks.iter().map(|c| format!("{} {}: {}\n", c.severity.word(), c.code, c.about));
    insta::assert_snapshot!(lines.collect::<String>());
}

#[test]
fn summaries_name_version_model_and_counts() {
    let mut text = String::new();
    for (kind, name, bytes) in all()
        .into_iter()
        .filter(|(kind, name, _)| *kind == "valid" || ["trailing-bytes", "short-file"].contains(name))
    {
        let summary = Pmd::summary(&dopesheet_testkit::read::<Pmd>(&bytes));
        let _ = writeln!(text, "{kind}/{name}.pmd {summary:?}");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_file_beyond_the_callers_limit_is_refused() {
    let limits = Limits { max_bytes: 10, ..Limits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let error = Pmd::read(&Source::new(&everything().done()), &options, &mut Report::default()).unwrap_err();
    assert_eq!(error.fault.code, "mmd-file-too-long");
}
