//! Messages of reading and checking, word by word.

use crate::m4b::fixtures::all;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, ToScene};
use dopesheet_more::M4b;
use dopesheet_testkit::{codes_and_meanings, messages_about, summaries};

#[test]
fn every_message_about_the_fixtures() {
    insta::assert_snapshot!(messages_about::<M4b>(&all(), "m4b", &ReadOptions::default()));
}

#[test]
fn every_code_and_what_it_means() {
    insta::assert_snapshot!(codes_and_meanings::<M4b>());
}

#[test]
fn summaries_count_entries() {
    insta::assert_snapshot!(summaries::<M4b>(&all(), "m4b", &[]));
}

#[test]
fn an_archive_is_no_scene() {
    let document = dopesheet_testkit::read::<M4b>(&crate::m4b::fixtures::nested());
    let error = M4b::to_scene(&document, &ToScene::default(), &mut Report::default()).unwrap_err();
    insta::assert_snapshot!(error, @"m4b: BigFile archive of Myst IV (m4b) holds files, not motions; convert its entries (archive:path/of/entry)");
}
