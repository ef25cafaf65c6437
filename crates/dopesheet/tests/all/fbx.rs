//! FBX behind its feature: what the registry says of it with and without, and that it reads when it is there.

use dopesheet::core::format::Hint;
use dopesheet::{Error, ReadOptions, open, open::detect, registry};
use dopesheet_testkit::workspace;

const CHAIN: &str = "formats/fbx/src/fbx/fixtures/valid/chain.fbx";

#[test]
fn the_registry_says_which_feature_it_takes() {
    let own = registry::optional().iter().find(|format| format.id == "fbx").unwrap();
    assert_eq!(own.is_built(), cfg!(feature = "fbx"));
    assert!(own.how_to_get_it().ends_with("--features fbx"));
    assert!(Hint::from_file_name("x.FBX").is_one_of(own.extensions));
}

#[cfg(feature = "fbx")]
#[test]
fn what_is_said_without_the_feature_is_what_the_format_says_of_itself() {
    let own = registry::optional().iter().find(|format| format.id == "fbx").unwrap();
    let info = registry::by_id(own.id).unwrap().info();
    assert_eq!((own.name, own.extensions), (info.name, info.extensions));
    assert!(info.magics.iter().all(|magic| own.starts.contains(&magic.bytes)));
}

#[cfg(feature = "fbx")]
#[test]
fn a_file_is_read_by_its_bytes_or_its_name() {
    let opened = open(&workspace().join(CHAIN), None, &ReadOptions::default()).unwrap();
    assert_eq!(opened.format().info().id, "fbx");
    let text = dopesheet_testkit::bytes(&workspace().join(CHAIN.replace("chain", "chain-text")));
    assert_eq!(detect("x", &text).unwrap().info().id, "fbx");
}

#[cfg(not(feature = "fbx"))]
#[test]
fn a_build_without_it_says_so_in_words() {
    let error = open(&workspace().join(CHAIN), None, &ReadOptions::default()).unwrap_err();
    assert!(matches!(error, Error::NotBuilt(_)), "{error:?}");
    assert_eq!(
        error.to_string(),
        "fbx: file: expected a build with the feature fbx, which this one lacks (cargo install --path apps/cli --features \
         fbx), found Autodesk FBX"
    );
    assert_eq!(error.finding().fault.code, "not-built");
    assert!(matches!(detect("x.fbx", b"?"), Err(Error::NotBuilt(_))), "by its name");
    assert!(matches!(registry::wanted("fbx"), Err(Error::NotBuilt(_))));
}

#[test]
fn other_bytes_are_still_unknown() {
    assert!(matches!(detect("x.unknown", b"?"), Err(Error::UnknownFormat { .. })));
}
