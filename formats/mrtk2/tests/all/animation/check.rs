//! Messages of reading and checking, word by word.

use crate::animation::fixtures::all;
use dopesheet_core::format::ReadOptions;
use dopesheet_mrtk2::Mrtk2;
use dopesheet_testkit::{codes_and_meanings, messages_about, summaries};

#[test]
fn every_message_about_the_fixtures() {
    insta::assert_snapshot!(messages_about::<Mrtk2>(&all(), "bin", &ReadOptions::default()));
}

#[test]
fn what_lenient_reading_leaves_out_is_said() {
    let mut invalid = all();
    invalid.retain(|(kind, ..)| *kind == "invalid");
    let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    insta::assert_snapshot!(messages_about::<Mrtk2>(&invalid, "bin", &options));
}

#[test]
fn every_code_and_what_it_means() {
    insta::assert_snapshot!(codes_and_meanings::<Mrtk2>());
}

#[test]
fn summaries_name_version_shape_and_counts() {
    insta::assert_snapshot!(summaries::<Mrtk2>(&all(), "bin", &["doc-shape"]));
}
