//! The law of identity, prefixes, flips, and what a lenient reader keeps.

use crate::pmx::bytes::{BONES, File, MORPHS, PLAIN, bone, morph};
use crate::pmx::everything::everything;
use crate::pmx::fixtures::{accepted, all};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, Limits, ReadOptions, Source};
use dopesheet_mmd::Pmx;
use dopesheet_mmd::pmx::{Document, Version};
use dopesheet_testkit::{assert_every_flip, assert_every_prefix, assert_identity, read};

#[test]
fn every_accepted_fixture_is_written_back_byte_for_byte() {
    let count = accepted().into_iter().map(|(_, name, bytes)| assert_identity::<Pmx>(&bytes, name)).count();
    assert_eq!(count, 45);
}

/// Where a file may end: behind its last section, and of version 2.1 also behind the joints.
fn legal_ends(bytes: &[u8]) -> Vec<usize> {
    let document = read::<Pmx>(bytes);
    let end = bytes.len() - document.trailing.len();
    let without = Document { soft_bodies: None, trailing: Vec::new(), ..document.clone() };
    let joints = Pmx::write(&without, &Default::default()).unwrap().main.len();
    let first = if document.header.version == Version::V2_1 { Some(joints) } else { None };
    first.into_iter().chain(end..bytes.len()).collect()
}

#[test]
fn every_prefix_is_an_error_or_ends_between_sections() {
    for (_, _, bytes) in accepted() {
        assert_every_prefix::<Pmx>(&bytes, &legal_ends(&bytes));
    }
}

#[test]
#[ignore = "costly"]
fn every_flip_is_an_error_or_comes_back_as_it_was() {
    for (_, _, bytes) in all() {
        assert_every_flip::<Pmx>(&bytes);
    }
}

fn lenient(bytes: &[u8]) -> (Document, Vec<String>) {
    let mut report = Report::default();
    let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    let document = Pmx::read(&Source::new(bytes), &options, &mut report).unwrap();
    (document, report.findings.iter().map(ToString::to_string).collect())
}

#[test]
fn a_lenient_reader_keeps_the_records_in_front_of_a_fault() {
    let file = File::small().with(BONES, bone(PLAIN, "目", [0.0; 3], 1));
    let whole = file.done();
    let morphs = file.sections[MORPHS].concat().len() + 4 + file.sections[6].concat().len() + 4 + 8;
    let (document, findings) = lenient(&whole[..whole.len() - morphs - 3]);
    assert_eq!((document.bones.len(), document.morphs.len(), document.trailing.len()), (2, 0, 0));
    insta::assert_snapshot!(findings.join("\n"), @"error mmd-truncated: byte 0x1d1 (bones[2].tail): expected 4 bytes, found 1 byte left (kept 2 bones, and nothing behind them)");
}

#[test]
fn a_lenient_reader_keeps_what_fits_of_an_impossible_count() {
    let mut bytes = File::small().done();
    let vertices = File::small().header.len() + File::small().texts.len();
    bytes[vertices..vertices + 4].copy_from_slice(&[0xff, 0xff, 0xff, 0x7f]);
    let (document, findings) = lenient(&bytes);
    // The faces and what follows look like a fifth vertex.
    assert_eq!((document.vertices.len(), document.bones.len()), (5, 0));
    insta::assert_snapshot!(findings.join("\n"), @"error mmd-count: byte 0x2b (vertices count): expected at most 11 records (449 bytes left, 38 each), found 2,147,483,647 (kept 5 vertices, and nothing behind them)");
}

#[test]
fn a_lenient_reader_keeps_additional_coordinates_of_whole_vertices_only() {
    let bytes = everything();
    for length in 0..bytes.len() {
        let options = ReadOptions { lenient: true, ..ReadOptions::default() };
        let Ok(cut) = Pmx::read(&Source::new(&bytes[..length]), &options, &mut Report::default()) else {
            continue;
        };
        assert_eq!(
            cut.additional_uvs.each_ref().map(Vec::len),
            [cut.vertices.len(), cut.vertices.len(), 0, 0]
        );
    }
}

#[test]
fn lenient_reading_changes_nothing_about_sound_files() {
    for (_, name, bytes) in accepted().into_iter().filter(|(_, name, _)| *name != "nonfinite") {
        assert_eq!(lenient(&bytes), (read::<Pmx>(&bytes), Vec::new()), "{name}");
    }
}

#[test]
fn files_beyond_the_limit_are_refused() {
    let options =
        ReadOptions { limits: Limits { max_bytes: 8, ..Limits::default() }, ..ReadOptions::default() };
    let error = Pmx::read(&Source::new(&File::small().done()), &options, &mut Report::default()).unwrap_err();
    assert_eq!(error.fault.code, "mmd-file-too-long");
}

#[test]
fn a_morph_of_many_offsets_is_read_back() {
    let offset = [&[3_u8][..], &[0; 12]].concat();
    let file = File::small().replacing(MORPHS, 0, morph(PLAIN, "あ", 1, &vec![offset; 300]));
    assert_identity::<Pmx>(&file.done(), "300 offsets");
}
