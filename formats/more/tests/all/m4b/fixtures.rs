//! The files of `src/m4b/fixtures`: built here, compared with those on disk; `UPDATE_FIXTURES=1` writes them.

use crate::m4b::bytes::File;
use dopesheet_more::M4b;
use dopesheet_more::m4b::Document;
use dopesheet_testkit::Fixture;
use std::path::{Path, PathBuf};

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/m4b/fixtures")
}

/// An archive inside an archive, a folder inside a folder, and an empty file.
pub(crate) fn nested() -> Vec<u8> {
    let inner = Document::pack([("anim/x.ubi", &b"inner"[..])]).unwrap().to_bytes().unwrap();
    let files = [("world/w1.m4b", inner.as_slice()), ("world/deep/y.txt", b"deep"), ("zero.bin", b"")];
    Document::pack(files).unwrap().to_bytes().unwrap()
}

/// A folder with a file and one beside it, by hand: names with and without NUL, data out of order, a gap.
pub(crate) fn by_hand() -> Vec<u8> {
    let mut file = File::new();
    file.text(b"").u8(1);
    file.text(b"anims\0").u8(0).u32(1).file(b"door.ubi\0", 4, 88);
    file.u32(1).file(b"plain.txt", 3, 85);
    assert_eq!(file.len(), 85, "the index ends where the first file begins");
    file.raw(b"abcDOORgap").done()
}

fn one(name: &[u8]) -> Vec<u8> {
    let mut file = File::root(1);
    let position = file.len() + 12 + name.len() as u32;
    file.file(name, 1, position).raw(b"x").done()
}

fn valid() -> Vec<(&'static str, Vec<u8>)> {
    vec![("nested", nested()), ("by-hand", by_hand()), ("empty", File::root(0).done())]
}

/// One file per code that is an error, named after it.
fn invalid() -> Vec<(&'static str, Vec<u8>)> {
    let mut deep = File::new();
    deep.text(b"");
    (0..65).for_each(|_| {
        deep.u8(1).text(b"d\0");
    });
    vec![
        (
            "bad-archive-version",
            File::new().raw(b"").done().into_iter().take(15).chain([2, 0, 0, 0]).collect(),
        ),
        ("bad-magic", b"\x0b\0\0\0UBI_BF_SIX\0\x01\0\0\0".to_vec()),
        ("count-exceeds-data", File::root(0xFFFF_FFFF).raw(&[0; 40]).done()),
        ("entry-out-of-bounds", File::root(1).file(b"a\0", 0xFFFF_FF00, 0x200).done()),
        ("nesting-too-deep", deep.raw(&[0; 700]).done()),
        ("string-exceeds-data", File::new().u32(0x500).raw(&[0; 0x600]).done()),
        ("truncated", File::new().text(b"").done()),
        ("unsafe-name", one(b"..\\evil.ubi\0")),
    ]
}

/// One file per code that only checking reports and that is no error, named after it.
fn quirk() -> Vec<(&'static str, Vec<u8>)> {
    let mut twins = File::root(2);
    twins.file(b"a\0", 1, 56).file(b"a\0", 1, 57);
    let mut cases = File::root(2);
    cases.file(b"a\0", 1, 56).file(b"A\0", 1, 57);
    let mut overlap = File::root(2);
    overlap.file(b"a\0", 2, 56).file(b"b\0", 2, 57);
    vec![
        ("duplicate-entry-name", twins.raw(b"xy").done()),
        ("empty-name", one(b"\0")),
        ("entry-overlap", overlap.raw(b"xyz").done()),
        ("name-case", cases.raw(b"xy").done()),
    ]
}

/// All fixtures.
pub(crate) fn all() -> Vec<Fixture> {
    dopesheet_testkit::fixtures(valid(), invalid(), quirk())
}

#[test]
fn the_files_on_disk_are_those_built_here() {
    dopesheet_testkit::assert_fixtures_on_disk(&folder(), "m4b", &all());
}

#[test]
fn every_code_has_a_fixture_that_shows_it() {
    dopesheet_testkit::assert_every_code_has_a_fixture::<M4b>(
        &all(),
        "",
        &["file-too-long", "too-many-entries"],
        &["unsafe-name"],
    );
}
