//! Messages of reading and checking, word by word.

use crate::npz::fixtures::{PLAIN, all, clip, f8, named, npz, with};
use dopesheet_core::diag::{Place, Report};
use dopesheet_core::format::{Format, ReadOptions, Source};
use dopesheet_numpy::Npz;
use std::fmt::Write as _;

#[test]
fn every_message_about_the_fixtures() {
    let mut text = String::new();
    for (kind, name, bytes) in all() {
        let mut report = Report::default();
        let result = Npz::read(&Source::new(&bytes), &ReadOptions::default(), &mut report);
        let _ = writeln!(text, "{kind}/{name}.npz");
        match result {
            Err(error) => {
                let _ = writeln!(text, "  {}: {error}", error.fault.code);
            }
            Ok(document) => {
                Npz::check(&document, &mut report);
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
    let lines = Npz::INFO.checks.iter().map(|c| format!("{} {}: {}\n", c.severity.word(), c.code, c.about));
    insta::assert_snapshot!(lines.collect::<String>());
}

#[test]
fn a_number_that_is_not_finite_is_named_with_its_byte() {
    let mut values = vec![0.0; 12];
    values[7] = f64::NAN;
    let bytes = npz(&with(clip(), "offsets", f8("(2, 3)", &[0.0; 6])), PLAIN);
    assert!(dopesheet_testkit::codes_of::<Npz>(&bytes).is_empty());
    let bytes = npz(&with(clip(), "translations", f8("(2, 2, 3)", &values)), PLAIN);
    let (_, report) = dopesheet_testkit::read_reporting::<Npz>(&bytes);
    let fault = &report.findings[0].fault;
    assert_eq!((fault.code, fault.path.as_str()), ("npz-nonfinite", "translations[1, 0, 1]"));
    let Place::Byte(at) = fault.place else { panic!("{:?}", fault.place) };
    let at = usize::try_from(at.0).unwrap();
    assert!(f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()).is_nan());
}

#[test]
fn summaries_list_the_arrays() {
    let summary = Npz::summary(&dopesheet_testkit::read::<Npz>(&named("clip-deflated")));
    let facts: Vec<String> = summary.facts.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    assert_eq!(
        facts[..3],
        ["layout: rotations of joints", "members: 8, 8 of them compressed", "array: fps '<f8' ()"]
    );
    assert_eq!(facts.last().unwrap(), "array: rotations '<f8' (2, 2, 4)");
}
