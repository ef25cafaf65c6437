//! FBX: what builds without it say, and that it is read.

use dopesheet::{Error, ReadOptions, open, open::detect, registry};
use dopesheet_testkit::workspace;

const CHAIN: &str = "formats/fbx/src/fbx/fixtures/valid/chain.fbx";

#[test]
fn what_is_said_without_the_feature_is_what_the_format_says_of_itself() {
    let own = registry::optional().iter().find(|format| format.id == "fbx").unwrap();
    let info = registry::by_id(own.id).unwrap().info();
    assert_eq!((own.name, own.extensions), (info.name, info.extensions));
    assert!(info.magics.iter().all(|magic| own.starts.contains(&magic.bytes)));
}

#[test]
fn a_file_is_read_by_its_bytes_or_its_name() {
    let opened = open(&workspace().join(CHAIN), None, &ReadOptions::default()).unwrap();
    assert_eq!(opened.format().info().id, "fbx");
    let text = dopesheet_testkit::bytes(&workspace().join(CHAIN.replace("chain", "chain-text")));
    assert_eq!(detect("x", &text).unwrap().info().id, "fbx");
}

#[test]
fn other_bytes_are_still_unknown() {
    assert!(matches!(detect("x.unknown", b"?"), Err(Error::UnknownFormat { .. })));
}
