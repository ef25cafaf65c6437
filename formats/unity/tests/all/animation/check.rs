//! Messages of reading and checking, word by word.

use crate::animation::fixtures::{all, named};
use dopesheet_core::format::{Format, Limits, ReadOptions, Source};
use dopesheet_testkit::{codes_and_meanings, messages_about};
use dopesheet_unity::UnityAnim;

#[test]
fn every_message_about_the_fixtures() {
    insta::assert_snapshot!(messages_about::<UnityAnim>(&all(), "anim", &ReadOptions::default()));
}

#[test]
fn every_code_and_what_it_means() {
    insta::assert_snapshot!(codes_and_meanings::<UnityAnim>());
}

#[test]
fn a_file_beyond_the_limit_of_the_caller_is_refused() {
    let options =
        ReadOptions { limits: Limits { max_bytes: 10, ..Limits::default() }, ..ReadOptions::default() };
    let error =
        UnityAnim::read(&Source::new(&named("plain")), &options, &mut Default::default()).unwrap_err();
    assert_eq!(error.fault.code, "anim-file-too-long");
}

#[test]
fn sound_files_have_nothing_to_report() {
    let mut seen = 0;
    for (_, name, bytes) in all().into_iter().filter(|(kind, _, _)| *kind == "valid") {
        assert_eq!(dopesheet_testkit::codes_of::<UnityAnim>(&bytes), [""; 0], "{name}");
        seen += 1;
    }
    assert_eq!(seen, 10);
}

#[test]
fn what_is_in_each_file() {
    insta::assert_snapshot!(dopesheet_testkit::summaries::<UnityAnim>(
        &all(),
        "anim",
        &["compressed", "object-curves"]
    ));
}
