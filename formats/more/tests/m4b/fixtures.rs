//! The files of `src/m4b/fixtures`: built here, compared with those on disk; `UPDATE_FIXTURES=1` writes them.

use crate::bytes::File;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source};
use dopesheet_more::M4b;
use dopesheet_more::m4b::Document;
use std::collections::BTreeMap;
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
    let mut overlap = File::root(2);
    overlap.file(b"a\0", 2, 56).file(b"b\0", 2, 57);
    vec![
        ("duplicate-entry-name", twins.raw(b"xy").done()),
        ("empty-name", one(b"\0")),
        ("entry-overlap", overlap.raw(b"xyz").done()),
    ]
}

/// All fixtures: folder, name, bytes.
pub(crate) fn all() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let folders = [("valid", valid()), ("invalid", invalid()), ("quirk", quirk())];
    let each = folders
        .into_iter()
        .flat_map(|(folder, files)| files.into_iter().map(move |(name, bytes)| (folder, name, bytes)));
    each.collect()
}

#[test]
fn the_files_on_disk_are_those_built_here() {
    let mut expected = BTreeMap::new();
    for (kind, name, bytes) in all() {
        let path = folder().join(kind).join(format!("{name}.m4b"));
        if std::env::var_os("UPDATE_FIXTURES").is_some() {
            std::fs::create_dir_all(folder().join(kind)).unwrap();
            std::fs::write(&path, &bytes).unwrap();
        }
        assert!(expected.insert(path, bytes).is_none(), "{kind}/{name} is built twice");
    }
    let mut found = Vec::new();
    for (kind, at_least) in [("valid", 3), ("invalid", 8), ("quirk", 3)] {
        found.extend(dopesheet_testkit::files(&folder().join(kind), &["m4b"], at_least));
    }
    assert_eq!(found.len(), expected.len());
    for path in found {
        assert_eq!(expected.get(&path), Some(&dopesheet_testkit::bytes(&path)), "{}", path.display());
    }
}

#[test]
fn every_code_has_a_fixture_that_shows_it() {
    let fixtures = all();
    let elsewhere = ["file-too-long", "too-many-entries"];
    for check in M4b::INFO.checks.iter().filter(|check| !elsewhere.contains(&check.code)) {
        let name = check.code;
        let (_, _, bytes) = fixtures
            .iter()
            .find(|(kind, n, _)| *n == name && *kind != "valid")
            .unwrap_or_else(|| panic!("no fixture {name}"));
        let mut report = Report::default();
        let mut codes: Vec<_> = match M4b::read(&Source::new(bytes), &ReadOptions::default(), &mut report) {
            Err(error) => vec![error.fault.code],
            Ok(document) => {
                M4b::check(&document, &mut report);
                report.findings.iter().map(|finding| finding.fault.code).collect()
            }
        };
        if name == "empty-name" {
            codes.retain(|code| *code != "unsafe-name");
        }
        assert_eq!(codes, [check.code], "{name}.m4b shows its fault and nothing else");
    }
}
