//! Messages of reading and checking, word by word.

use crate::pmx::fixtures::all;
use dopesheet_core::format::ReadOptions;
use dopesheet_mmd::Pmx;
use dopesheet_testkit::{codes_and_meanings, messages_about, summaries};

#[test]
fn every_message_about_the_fixtures() {
    insta::assert_snapshot!(messages_about::<Pmx>(&all(), "pmx", &ReadOptions::default()));
}

#[test]
fn every_code_and_what_it_means() {
    insta::assert_snapshot!(codes_and_meanings::<Pmx>());
}

#[test]
fn summaries_name_version_model_and_counts() {
    insta::assert_snapshot!(summaries::<Pmx>(&all(), "pmx", &["trailing-bytes"]));
}
