//! What reading and checking say, word by word.

use crate::fixtures::all;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, Limits, ReadOptions, Source};
use dopesheet_mmd::Vpd;
use std::fmt::Write as _;

#[test]
fn every_message_about_the_fixtures() {
    let mut text = String::new();
    for (kind, name, bytes) in all() {
        let mut report = Report::default();
        let result = Vpd::read(&Source::new(&bytes), &ReadOptions::default(), &mut report);
        let _ = writeln!(text, "{kind}/{name}.vpd");
        match result {
            Err(error) => {
                let _ = writeln!(text, "  {}: {error}", error.fault.code);
            }
            Ok(document) => {
                Vpd::check(&document, &mut report);
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
    let lines = Vpd::INFO.checks.iter().map(|c| format!("{} {}: {}\n", c.severity.word(), c.code, c.about));
    insta::assert_snapshot!(lines.collect::<String>());
}

#[test]
fn summaries_name_model_and_counts() {
    let mut text = String::new();
    for (kind, name, bytes) in
        all().into_iter().filter(|(kind, name, _)| *kind == "valid" || *name == "trailing-text")
    {
        let summary = Vpd::summary(&dopesheet_testkit::read::<Vpd>(&bytes));
        let _ = writeln!(text, "{kind}/{name}.vpd {summary:?}");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_file_beyond_the_callers_limit_is_refused() {
    let bytes = crate::fixtures::pose();
    let limits = Limits { max_bytes: 10, ..Limits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let error = Vpd::read(&Source::new(&bytes), &options, &mut Report::default()).unwrap_err();
    assert_eq!(error.fault.code, "mmd-file-too-long");
}
