//! Files are written back as they were read, and damaged bytes never do worse than fail.

use crate::pmd::fixtures::{all, everything};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source};
use dopesheet_mmd::Pmd;
use dopesheet_testkit::{assert_every_flip, assert_every_prefix, assert_identity};

#[test]
fn every_fixture_is_written_back_byte_for_byte() {
    let mut seen = 0;
    for (kind, name, bytes) in all() {
        if kind != "invalid" || ["nonfinite", "index", "parent-cycle"].contains(&name) {
            assert_identity::<Pmd>(&bytes, name);
            seen += 1;
        }
    }
    assert_eq!(seen, 36);
}

#[test]
fn a_file_may_end_between_the_parts_of_its_end_and_nowhere_else() {
    let file = everything().done();
    let joints = file.len() - (4 + 124);
    let bodies = joints - (4 + 2 * 83);
    let toons = bodies - 1000;
    let english = toons - (1 + 20 + 256 + 5 * 20 + 20 + 50);
    assert_every_prefix::<Pmd>(&file, &[english, toons, bodies, joints]);
}

#[test]
fn any_byte_may_be_changed() {
    let file = everything();
    assert_every_flip::<Pmd>(&file.done());
}

#[test]
fn a_lenient_reader_takes_every_prefix_behind_the_header() {
    let file = everything().done();
    let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    for length in 283..file.len() {
        let mut report = Report::default();
        let document = Pmd::read(&Source::new(&file[..length]), &options, &mut report);
        let document = document.unwrap_or_else(|e| panic!("{length}: {e}"));
        Pmd::check(&document, &mut report);
        let _ = Pmd::to_scene(&document, &Default::default(), &mut report);
    }
}
