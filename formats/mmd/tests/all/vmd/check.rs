//! Messages of reading and checking, word by word.

use crate::vmd::fixtures::all;
use dopesheet_core::format::ReadOptions;
use dopesheet_mmd::Vmd;
use dopesheet_testkit::{codes_and_meanings, messages_about, summaries};

#[test]
fn every_message_about_the_fixtures() {
    insta::assert_snapshot!(messages_about::<Vmd>(&all(), "vmd", &ReadOptions::default()));
}

#[test]
fn every_code_and_what_it_means() {
    insta::assert_snapshot!(codes_and_meanings::<Vmd>());
}

#[test]
fn summaries_name_version_model_and_counts() {
    insta::assert_snapshot!(summaries::<Vmd>(&all(), "vmd", &["trailing-bytes"]));
}
