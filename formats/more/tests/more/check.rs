//! What reading and checking say, word by word.

use crate::fixtures::all;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source};
use dopesheet_more::More;
use std::fmt::Write as _;

#[test]
fn every_message_about_the_fixtures() {
    let mut text = String::new();
    for (kind, name, bytes) in all() {
        let mut report = Report::default();
        let result = More::read(&Source::new(&bytes), &ReadOptions::default(), &mut report);
        let _ = writeln!(text, "{kind}/{name}.ubi");
        match result {
            Err(error) => {
                let _ = writeln!(text, "  {}: {error}", error.fault.code);
            }
            Ok(document) => {
                More::check(&document, &mut report);
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
    let lines = More::INFO.checks.iter().map(|c| format!("{} {}: {}\n", c.severity.word(), c.code, c.about));
    insta::assert_snapshot!(lines.collect::<String>());
}

#[test]
fn codes_are_sorted_and_unique() {
    assert!(More::INFO.checks.is_sorted_by(|a, b| a.code < b.code));
}

#[test]
fn summaries_name_version_class_and_counts() {
    let mut text = String::new();
    for (kind, name, bytes) in
        all().into_iter().filter(|(kind, name, _)| *kind == "valid" || *name == "opaque-resource")
    {
        let summary = More::summary(&dopesheet_testkit::read::<More>(&bytes));
        let _ = writeln!(text, "{kind}/{name}.ubi {summary:?}");
    }
    insta::assert_snapshot!(text);
}
