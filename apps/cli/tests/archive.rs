//! `dopesheet list`, `extract` and `ARCHIVE:ENTRY` keep their contract.

mod common;

use common::Folder;
use dopesheet_testkit::{bytes, workspace};

/// A folder with `pack.m4b`, the archive fixture that holds another archive.
fn folder() -> (Folder, Vec<String>) {
    let folder = Folder::new();
    let fixtures = workspace().join("formats/more/src/m4b/fixtures/valid");
    let nested = dopesheet_testkit::files(&fixtures, &["m4b"], 1)
        .into_iter()
        .find(|p| p.to_string_lossy().contains("nest"));
    folder.put(
        "pack.m4b",
        &bytes(&nested.unwrap_or_else(|| panic!("no nested archive in {}", fixtures.display()))),
    );
    let listed = folder.run(&["list", "pack.m4b", "--json"]).json("list.json");
    let paths = listed.iter().map(|e| e["path"].as_str().unwrap().to_owned()).collect();
    (folder, paths)
}

#[test]
fn entries_are_listed_and_taken_out_byte_for_byte() {
    let (folder, paths) = folder();
    assert!(!paths.is_empty());
    let ran = folder.run(&["extract", "pack.m4b", "-o", "out", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let taken = ran.json("extract.json");
    assert_eq!(taken.len(), paths.len());
    for (entry, path) in taken.iter().zip(&paths) {
        let length = folder.get(&format!("out/{path}")).len() as u64;
        assert_eq!(entry["bytes"].as_u64(), Some(length), "{path}");
    }
}

#[test]
fn nested_archives_are_followed_when_asked() {
    let (folder, paths) = folder();
    let all = folder.run(&["list", "pack.m4b", "-r", "--json"]).json("list.json");
    assert!(all.len() > paths.len(), "{} entries with -r", all.len());
}

#[test]
fn what_is_not_there_is_said() {
    let (folder, _) = folder();
    let missing = folder.run(&["info", "pack.m4b:nowhere/to/be.found"]);
    assert_eq!(missing.code, Some(1));
    assert!(missing.err.contains("expected an entry of the archive"), "{}", missing.err);
    assert_eq!(folder.run(&["list", "door.json"]).code, Some(2));
    assert_eq!(folder.run(&["extract", "pack.m4b", "-o", "out", "none*"]).code, Some(2));
}

#[test]
fn nothing_is_overwritten_without_force() {
    let (folder, paths) = folder();
    folder.put(&format!("out/{}", paths[0]), b"mine");
    assert_eq!(folder.run(&["extract", "pack.m4b", "-o", "out"]).code, Some(1));
    assert_eq!(folder.get(&format!("out/{}", paths[0])), b"mine");
    assert_eq!(folder.run(&["extract", "pack.m4b", "-o", "out", "--force"]).code, Some(0));
}
