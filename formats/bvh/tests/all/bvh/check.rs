//! Messages of reading and checking, word by word.

use crate::bvh::fixtures::{all, plain};
use dopesheet_bvh::Bvh;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, Limits, ReadOptions, Source};
use std::fmt::Write as _;

#[test]
fn every_message_about_the_fixtures() {
    let mut text = String::new();
    for (kind, name, bytes) in all() {
        let mut report = Report::default();
        let result = Bvh::read(&Source::new(&bytes), &ReadOptions::default(), &mut report);
        let _ = writeln!(text, "{kind}/{name}.bvh");
        match result {
            Err(error) => {
                let _ = writeln!(text, "  {}: {error}", error.fault.code);
            }
            Ok(document) => {
                Bvh::check(&document, &mut report);
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
    let lines = Bvh::INFO.checks.iter().map(|c| format!("{} {}: {}\n", c.severity.word(), c.code, c.about));
    insta::assert_snapshot!(lines.collect::<String>());
}

#[test]
fn summaries_count_joints_and_frames() {
    let summary = Bvh::summary(&dopesheet_testkit::read::<Bvh>(plain().as_bytes()));
    let facts: Vec<String> = summary.facts.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let expected = [
        "roots: 1",
        "joints: 2",
        "end sites: 1",
        "channels: 9",
        "frames: 2",
        "frame time: 0.04 s, taken as 25 fps",
    ];
    assert_eq!(facts, expected);
}

#[test]
fn a_file_beyond_the_callers_limit_is_refused() {
    let limits = Limits { max_bytes: 10, ..Limits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let error = Bvh::read(&Source::new(plain().as_bytes()), &options, &mut Report::default()).unwrap_err();
    assert_eq!(error.fault.code, "bvh-file-too-long");
}
