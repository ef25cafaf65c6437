//! The law of identity, prefixes, flips, and what a lenient reader keeps.

use crate::m4b::bytes::File;
use crate::m4b::fixtures::{all, by_hand, nested};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, Limits, ReadOptions, Source};
use dopesheet_more::M4b;
use dopesheet_more::m4b::{Directory, Document, File as Entry};
use dopesheet_more::text::Name;
use dopesheet_testkit::{assert_every_flip, assert_identity, read};

#[test]
fn an_archive_by_hand_both_ways() {
    let name = |bytes: &[u8]| Name(bytes.into());
    let file = |bytes: &[u8], size, position| Entry { name: name(bytes), size, position };
    let anims = Directory {
        name: name(b"anims\0"),
        directories: Vec::new(),
        files: vec![file(b"door.ubi\0", 4, 88)],
    };
    let root =
        Directory { name: name(b""), directories: vec![anims], files: vec![file(b"plain.txt", 3, 85)] };
    let document = Document { root, data: b"abcDOORgap".to_vec() };
    assert_eq!(read::<M4b>(&by_hand()), document);
    assert_eq!(document.to_bytes().unwrap(), by_hand());
    let door = &document.root.directories[0].files[0];
    assert_eq!(document.bytes_of(door), Some(&b"DOOR"[..]));
    assert_eq!(document.bytes_of(&file(b"", 4, 3)), None, "the index is no data");
}

#[test]
fn every_accepted_fixture_is_written_back_byte_for_byte() {
    let accepted = all().into_iter().filter(|(kind, name, _)| *kind != "invalid" || *name == "unsafe-name");
    let count = accepted.map(|(_, name, bytes)| assert_identity::<M4b>(&bytes, name)).count();
    assert_eq!(count, 8);
}

/// A cut archive is an error as long as a file is missing a byte.
#[test]
fn every_prefix_that_lacks_a_file_is_an_error() {
    let whole = nested();
    for length in 0..whole.len() {
        let result =
            M4b::read(&Source::new(&whole[..length]), &ReadOptions::default(), &mut Report::default());
        assert!(result.is_err(), "{length} of {} bytes were accepted", whole.len());
    }
}

#[test]
fn every_flip_is_an_error_or_comes_back_as_it_was() {
    for (_, _, bytes) in all() {
        assert_every_flip::<M4b>(&bytes);
    }
}

#[test]
fn a_limit_on_the_length_is_obeyed() {
    let limits = Limits { max_bytes: 10, ..Limits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let error = M4b::read(&Source::new(&nested()), &options, &mut Report::default()).unwrap_err();
    assert_eq!(error.fault.code, "file-too-long");
}

#[test]
fn a_lenient_reader_leaves_out_files_that_are_not_there() {
    let mut file = File::root(2);
    let bytes = file.file(b"here\0", 1, 62).file(b"gone\0", 100, 62).raw(b"x").done();
    let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    let mut report = Report::default();
    let document = M4b::read(&Source::new(&bytes), &options, &mut report).unwrap();
    assert_eq!(document.root.files.len(), 1);
    insta::assert_snapshot!(report.findings[0], @r#"error entry-out-of-bounds: byte 0x2d (file): expected a file that ends within the archive's 63 bytes, found "gone" at byte 62 with 100 bytes (left out)"#);
}

/// The index gets shorter by the entry, and everything behind it would come nearer.
#[test]
fn files_keep_their_places_behind_an_entry_that_was_left_out() {
    let mut file = File::root(2);
    let bytes = file.file(b"gone\0", 100, 62).file(b"here\0", 1, 62).raw(b"x").done();
    let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    let document = M4b::read(&Source::new(&bytes), &options, &mut Report::default()).unwrap();
    let written = document.to_bytes().unwrap();
    let again = read::<M4b>(&written);
    assert_eq!(again, document);
    assert_eq!(again.bytes_of(&again.root.files[0]), Some(&b"x"[..]));
}
