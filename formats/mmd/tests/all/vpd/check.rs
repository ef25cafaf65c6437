//! Messages of reading and checking, word by word.

use crate::vpd::fixtures::all;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, Limits, ReadOptions, Source};
use dopesheet_mmd::Vpd;
use dopesheet_testkit::{codes_and_meanings, messages_about, summaries};

#[test]
fn every_message_about_the_fixtures() {
    insta::assert_snapshot!(messages_about::<Vpd>(&all(), "vpd", &ReadOptions::default()));
}

#[test]
fn every_code_and_what_it_means() {
    insta::assert_snapshot!(codes_and_meanings::<Vpd>());
}

#[test]
fn summaries_name_model_and_counts() {
    insta::assert_snapshot!(summaries::<Vpd>(&all(), "vpd", &["trailing-text"]));
}

#[test]
fn a_file_beyond_the_callers_limit_is_refused() {
    let bytes = crate::vpd::fixtures::pose();
    let limits = Limits { max_bytes: 10, ..Limits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let error = Vpd::read(&Source::new(&bytes), &options, &mut Report::default()).unwrap_err();
    assert_eq!(error.fault.code, "mmd-file-too-long");
}
