//! What reading and checking say, word by word.

use crate::fixtures::all;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source, ToScene};
use dopesheet_more::M4b;
use std::fmt::Write as _;

#[test]
fn every_message_about_the_fixtures() {
    let mut text = String::new();
    for (kind, name, bytes) in all() {
        let mut report = Report::default();
        let _ = writeln!(text, "{kind}/{name}.m4b");
        match M4b::read(&Source::new(&bytes), &ReadOptions::default(), &mut report) {
            Err(error) => {
                let _ = writeln!(text, "  {}: {error}", error.fault.code);
            }
            Ok(document) => {
                M4b::check(&document, &mut report);
                let _ = writeln!(text, "  {:?}", M4b::summary(&document).facts);
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
    assert!(M4b::INFO.checks.is_sorted_by(|a, b| a.code < b.code));
    let lines = M4b::INFO.checks.iter().map(|c| format!("{} {}: {}\n", c.severity.word(), c.code, c.about));
    insta::assert_snapshot!(lines.collect::<String>());
}

#[test]
fn an_archive_is_no_scene() {
    let document = dopesheet_testkit::read::<M4b>(&crate::fixtures::nested());
    let error = M4b::to_scene(&document, &ToScene::default(), &mut Report::default()).unwrap_err();
    insta::assert_snapshot!(error, @"m4b: BigFile archive of Myst IV (m4b) holds files, not motions; convert its entries (archive:path/of/entry)");
}
