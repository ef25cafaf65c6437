//! Reading and writing are inverse, and no bytes lead astray.

use crate::animation::fixtures::{all, documented, head_and_gaze, version_1_0};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source, WriteOptions};
use dopesheet_mrtk2::Mrtk2;
use dopesheet_testkit::{assert_every_flip, assert_every_prefix, assert_identity};

#[test]
fn every_accepted_fixture_is_written_back_as_it_was() {
    let mut count = 0;
    for (kind, name, bytes) in all().into_iter().filter(|(kind, ..)| *kind != "invalid") {
        assert_identity::<Mrtk2>(&bytes, &format!("{kind}/{name}"));
        count += 1;
    }
    assert_eq!(count, 26);
}

#[test]
fn a_file_may_only_end_after_its_last_curve() {
    let bytes = head_and_gaze();
    assert_every_prefix::<Mrtk2>(&bytes, &[bytes.len() - (4 + 9 + 15)]);
    let bytes = documented();
    assert_every_prefix::<Mrtk2>(&bytes, &[bytes.len() - (4 + 5)]);
    let bytes = version_1_0();
    assert_every_prefix::<Mrtk2>(&bytes, &[bytes.len() - 4]);
}

#[test]
fn every_flipped_byte_is_an_error_or_kept() {
    let mut count = 0;
    for (_, _, bytes) in all().into_iter().filter(|(_, _, bytes)| bytes.len() < 1000) {
        assert_every_flip::<Mrtk2>(&bytes);
        count += 1;
    }
    assert!(count >= 28, "{count} files");
}

#[test]
fn lenient_reading_yields_files_that_can_be_read() {
    let mut count = 0;
    for (_, name, bytes) in all().into_iter().filter(|(kind, ..)| *kind == "invalid") {
        let options = ReadOptions { lenient: true, ..ReadOptions::default() };
        if let Ok(document) = Mrtk2::read(&Source::new(&bytes), &options, &mut Report::default()) {
            let written = Mrtk2::write(&document, &WriteOptions::default()).unwrap().main;
            assert!(written.len() < bytes.len(), "{name}");
            assert_identity::<Mrtk2>(&written, name);
            count += 1;
        }
    }
    assert_eq!(count, 2);
}
