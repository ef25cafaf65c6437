//! Messages of reading and checking, word by word.

use crate::more::fixtures::{all, motion, rare};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions};
use dopesheet_more::More;
use dopesheet_testkit::{codes_and_meanings, messages_about, read, summaries};

#[test]
fn every_message_about_the_fixtures() {
    insta::assert_snapshot!(messages_about::<More>(&all(), "ubi", &ReadOptions::default()));
}

#[test]
fn every_code_and_what_it_means() {
    insta::assert_snapshot!(codes_and_meanings::<More>());
}

#[test]
fn summaries_name_version_class_and_counts() {
    insta::assert_snapshot!(summaries::<More>(&all(), "ubi", &["opaque-resource"]));
}

#[test]
fn guesses_are_said_with_the_words_that_choose_otherwise() {
    let said = |bytes: &[u8]| {
        let mut report = Report::default();
        More::check(&read::<More>(bytes), &mut report);
        let guesses = report.findings.iter().filter(|finding| finding.fault.code.starts_with("guessed-"));
        guesses.map(|finding| finding.to_string()).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!("guesses_of_a_motion", said(&motion()));
    insta::assert_snapshot!("guesses_of_rare_types", said(&rare()));
}
