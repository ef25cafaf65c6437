//! Messages of reading and checking, word by word.

use crate::fbx::fixtures::{all, named};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, Limits, ReadOptions, Source};
use dopesheet_fbx::Fbx;
use std::fmt::Write as _;

#[test]
fn every_message_about_the_fixtures() {
    let mut text = String::new();
    for (kind, name, bytes) in all() {
        let mut report = Report::default();
        let _ = writeln!(text, "{kind}/{name}.fbx");
        match Fbx::read(&Source::new(&bytes), &ReadOptions::default(), &mut report) {
            Err(error) => {
                let _ = writeln!(text, "  {}: {error}", error.fault.code);
            }
            Ok(document) => {
                Fbx::check(&document, &mut report);
                for finding in &report.findings {
                    let _ = writeln!(text, "  {finding}");
                }
            }
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn summaries_say_how_a_file_counts() {
    let summary = Fbx::summary(&dopesheet_testkit::read::<Fbx>(&named("chain")));
    let facts: Vec<String> = summary.facts.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let expected = [
        "encoding: binary",
        "creator: made by hand",
        "axes: up +z, front -y, left +x",
        "unit: 0.01 m",
        "frame rate: 30 fps",
        "nodes: 2",
        "meshes: 0",
        "takes: 2",
        "layers: 2, 1",
    ];
    assert_eq!(facts, expected);
    assert_eq!(summary.version.as_deref(), Some("7.4"));
}

#[test]
fn summaries_tell_starts_of_takes_and_layers_where_they_mean_something() {
    for (name, told) in [
        ("take-start", Some(("takes begin at", "0.5 s, 0.5 s"))),
        ("chain", Some(("layers", "2, 1"))),
        ("face", None),
    ] {
        let summary = Fbx::summary(&dopesheet_testkit::read::<Fbx>(&named(name)));
        let facts = summary.facts.iter().map(|(fact, value)| (*fact, value.as_str()));
        let of_takes: Vec<_> =
            facts.filter(|(fact, _)| ["takes begin at", "layers"].contains(fact)).collect();
        assert_eq!(of_takes, told.into_iter().collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn a_file_beyond_the_callers_limit_is_refused() {
    let limits = Limits { max_bytes: 10, ..Limits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let error = Fbx::read(&Source::new(&named("chain")), &options, &mut Report::default()).unwrap_err();
    assert_eq!(error.fault.code, "fbx-file-too-long");
}
