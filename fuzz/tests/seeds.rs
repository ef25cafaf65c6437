//! The targets on all seeds, without a fuzzer: what was found once is not found again.

use dopesheet::registry;
use dopesheet_testkit::{bytes, workspace};
use std::path::{Path, PathBuf};

/// The files from which the fuzzer starts: samples, fixtures of all rooms, and inputs in `formats/*/fuzz/seeds`.
fn seeds() -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(&workspace().join("samples"), true, &mut files);
    collect(&workspace().join("formats"), false, &mut files);
    assert!(files.len() > 200, "expected the fixtures of all rooms, found {} files", files.len());
    files
}

/// All files in a folder, or only those below a folder of seeds.
fn collect(folder: &Path, all: bool, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for path in entries.map(|entry| entry.unwrap().path()) {
        let holds_seeds = path.ends_with("fixtures") || path.ends_with("fuzz/seeds");
        match path.is_dir() {
            true => collect(&path, all || holds_seeds, found),
            false if all => found.push(path),
            false => {}
        }
    }
}

fn assert_holds(target: fn(&[u8])) {
    let holds = |seed: &PathBuf| std::panic::catch_unwind(|| target(&bytes(seed))).is_ok();
    let failed: Vec<_> = seeds().into_iter().filter(|seed| !holds(seed)).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn every_seed_is_read_or_refused() {
    assert_holds(dopesheet_fuzz::read);
}

#[test]
fn every_seed_is_written_as_it_was_read() {
    assert_holds(dopesheet_fuzz::roundtrip);
}

/// Longer files than the fuzzer makes are converted in one of the ways only.
const ALL_WAYS_BYTES: usize = 4096;

#[test]
fn every_seed_is_converted_soundly_or_refused() {
    assert_holds(|data| match data.len() {
        0..=ALL_WAYS_BYTES => dopesheet_fuzz::convert_in_all_ways(data),
        _ => dopesheet_fuzz::convert(data),
    });
}

/// Files with as few bytes are edited in all ways.
const ALL_EDITS_BYTES: usize = 2048;

#[test]
fn every_seed_is_edited_soundly_or_refused() {
    assert_holds(|data| match data.len() {
        0..=ALL_EDITS_BYTES => dopesheet_fuzz::edit_in_all_ways(data),
        _ => dopesheet_fuzz::edit(data),
    });
    let path = workspace().join("samples/bow.vmd");
    dopesheet_fuzz::edit(&[&b"- trim {\"range\":[0,1]}\n- reverse\n- concat\n"[..], &bytes(&path)].concat());
}

#[test]
fn every_seed_is_equal_to_itself() {
    assert_holds(dopesheet_fuzz::diff);
}

#[test]
fn every_format_has_a_seed_that_it_reads() {
    let seeds: Vec<Vec<u8>> = seeds().iter().map(|seed| bytes(seed)).collect();
    for &format in registry::formats() {
        let reads = |data: &Vec<u8>| {
            dopesheet::open::read_as(format, "seed", data, &Default::default(), &mut |_| None).is_ok()
        };
        assert!(seeds.iter().any(reads), "{}", format.info().id);
    }
}
