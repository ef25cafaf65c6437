//! The law of identity, prefixes, flips, and what a lenient reader keeps.

use crate::vmd::bytes::{CENTER, File, LEG_IK, MIKU};
use crate::vmd::fixtures::{self, all};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, Limits, ReadOptions, Source, WriteOptions};
use dopesheet_mmd::Vmd;
use dopesheet_mmd::text::Name;
use dopesheet_mmd::vmd::{Document, ModelName, Section, Version};
use dopesheet_testkit::{assert_every_flip, assert_every_prefix, assert_identity, read};

#[test]
fn every_accepted_fixture_is_written_back_byte_for_byte() {
    let accepted = all().into_iter().filter(|(kind, name, _)| *kind != "invalid" || *name == "nonfinite");
    let count = accepted.map(|(_, name, bytes)| assert_identity::<Vmd>(&bytes, name)).count();
    assert_eq!(count, 37);
}

/// The places where a file may end: before each section but the first.
fn legal_ends(bytes: &[u8]) -> Vec<usize> {
    let document = read::<Vmd>(bytes);
    let mut ends = Vec::new();
    for last in Section::ALL {
        let mut shorter = Document { last_section: last, trailing: Vec::new(), ..document.clone() };
        for section in Section::ALL.into_iter().filter(|s| *s > last) {
            match section {
                Section::Bones => {}
                Section::Morphs => shorter.morphs.clear(),
                Section::Cameras => shorter.cameras.clear(),
                Section::Lights => shorter.lights.clear(),
                Section::Shadows => shorter.shadows.clear(),
                Section::Models => shorter.models.clear(),
            }
        }
        ends.push(Vmd::write(&shorter, &WriteOptions::default()).unwrap().main.len());
    }
    let trailing = document.trailing.len();
    ends.extend(bytes.len() - trailing..bytes.len());
    ends
}

#[test]
fn every_prefix_is_an_error_or_ends_between_sections() {
    for (kind, name, bytes) in all() {
        if kind != "invalid" || name == "nonfinite" {
            assert_every_prefix::<Vmd>(&bytes, &legal_ends(&bytes));
        }
    }
}

#[test]
fn every_flip_is_an_error_or_comes_back_as_it_was() {
    for (_, _, bytes) in all() {
        assert_every_flip::<Vmd>(&bytes);
    }
}

#[test]
fn sections_with_keys_are_written_even_behind_the_stated_end() {
    let mut document = read::<Vmd>(&fixtures::camera());
    document.last_section = Section::Bones;
    let written = Vmd::write(&document, &WriteOptions::default()).unwrap().main;
    assert_eq!(written, fixtures::camera());
    document.trailing = vec![9];
    let written = Vmd::write(&document, &WriteOptions::default()).unwrap().main;
    assert_eq!(read::<Vmd>(&written).last_section, Section::Models);
    assert_eq!(read::<Vmd>(&written).trailing, [9]);
}

#[test]
fn a_signature_that_does_not_fit_its_name_field_is_not_written() {
    let mut document = Document::new(Version::V0002, &Name::EMPTY);
    document.model = ModelName::Short(Name::EMPTY);
    let error = Vmd::write(&document, &WriteOptions::default()).unwrap_err();
    assert_eq!(error.fault.code, "mmd-signature");
    insta::assert_snapshot!(error, @r#"vmd: byte 0x0 (signature): expected a known signature, with a model name of 10 bytes behind the old one and of 20 behind others, found "Vocaloid Motion Data 0002" and a model name of 10 bytes"#);
}

#[test]
fn a_limit_on_the_length_is_obeyed() {
    let limits = Limits { max_bytes: 10, ..Limits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let error = Vmd::read(&Source::new(&fixtures::motion()), &options, &mut Report::default()).unwrap_err();
    assert_eq!(error.fault.code, "mmd-file-too-long");
}

fn lenient(bytes: &[u8]) -> (Document, Report) {
    let mut report = Report::default();
    let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    let document = Vmd::read(&Source::new(bytes), &options, &mut report).unwrap();
    (document, report)
}

#[test]
fn a_lenient_reader_keeps_whole_records_and_says_so() {
    let whole = fixtures::motion();
    let (document, report) = lenient(&whole[..54 + 111 + 50]);
    assert_eq!((document.bones.len(), document.last_section), (1, Section::Bones));
    assert_eq!(report.findings.len(), 1);
    insta::assert_snapshot!(report.findings[0], @"error mmd-count: byte 0x32 (bone keys count): expected at most 1 record (161 bytes left, 111 each), found 3 (kept 1 of 3 bone keys)");

    let (document, report) = lenient(&whole[..54 + 333 + 2]);
    assert_eq!((document.bones.len(), document.morphs.len()), (3, 0));
    insta::assert_snapshot!(report.findings[0], @"error mmd-truncated: byte 0x183 (morph keys): expected 4 bytes, found 2 bytes left (kept 0 of 0 morph keys)");
}

#[test]
fn a_lenient_reader_keeps_whole_lists_only() {
    let mut file = File::new(MIKU);
    file.count(1).rest(CENTER, 0).empty(4).count(2).model(0, 1, &[(LEG_IK, 1)]).model(5, 1, &[(LEG_IK, 0)]);
    let bytes = file.done();
    let (document, report) = lenient(&bytes[..bytes.len() - 1]);
    assert_eq!((document.models.len(), document.models[0].ik.len()), (1, 1));
    insta::assert_snapshot!(report.findings[0], @"error mmd-count: byte 0xdc (show/IK keys[1].IK bones count): expected at most 0 records (20 bytes left, 21 each), found 1 (kept 1 of 2 show/IK keys)");
}

#[test]
fn a_lenient_reader_reads_sound_files_as_any_other() {
    for (_, name, bytes) in all().into_iter().filter(|(kind, _, _)| *kind == "valid") {
        let (document, report) = lenient(&bytes);
        assert_eq!(document, read::<Vmd>(&bytes), "{name}");
        assert_eq!(report, Report::default(), "{name}");
    }
}
