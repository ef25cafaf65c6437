//! Avatars: bytes made by hand, and what is read from them.

use crate::common::{Draft, floats, walk};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{
    Confidence, Format, FromScene, Hint, ReadOptions, Source, ToScene, WriteOptions,
};
use dopesheet_core::model::{Basis, Marker, Scene};
use dopesheet_core::units::Seconds;
use dopesheet_gltf::vrm::{Terms, driven_nodes, is_avatar};
use dopesheet_gltf::{Document, Glb, Vrm};
use dopesheet_testkit as testkit;
use std::path::Path;

/// Two nodes below a third, of which the last follows the first, with an extension of the root.
fn avatar(extension: &str) -> Draft {
    let json = [
        r#"{"asset":{"version":"2.0"},"extensionsUsed":["VRMC_vrm","VRM","VRMC_node_constraint"],"scene":0,"scenes":[{"nodes":[0]}],"#,
        r#""nodes":[{"name":"Root","children":[1,2]},{"name":"Arm"},{"name":"Twist","extensions":{"VRMC_node_constraint":"#,
        r#"{"specVersion":"1.0","constraint":{"roll":{"source":1,"rollAxis":"X"}}}}}],"#,
        r#""buffers":[{@BUFFER}],"extensions":{"#,
        extension,
        "}}",
    ]
    .concat();
    Draft { json, data: floats(&[0.0]) }
}

const ONE: &str = concat!(
    r#""VRMC_vrm":{"specVersion":"1.0","humanoid":{"humanBones":{"hips":{"node":0}}},"#,
    r#""meta":{"name":"Ours","authors":["A","B"],"licenseUrl":"https://vrm.dev/licenses/1.0/","#,
    r#""modification":"allowModificationRedistribution","allowRedistribution":true}}"#
);

const ZERO: &str = concat!(
    r#""VRM":{"specVersion":"0.0","humanoid":{"humanBones":[{"bone":"hips","node":0}]},"#,
    r#""meta":{"title":"Ours","author":"A","licenseName":"CC_BY","allowedUserName":"Everyone","#,
    r#""violentUssageName":"Disallow","commercialUssageName":"Allow","otherPermissionUrl":""}}"#
);

fn fixtures() -> Vec<testkit::Fixture> {
    let valid = vec![("one", avatar(ONE).glb()), ("zero", avatar(ZERO).glb())];
    let clips = walk()
        .swap(
            r#"{"asset":{"version":"2.0"},"#,
            r#"{"asset":{"version":"2.0"},"extensionsUsed":["VRMC_vrm"],"#,
        )
        .swap(r#""buffers":[{@BUFFER}]}"#, &format!(r#""buffers":[{{@BUFFER}}],"extensions":{{{ONE}}}}}"#));
    let invalid = vec![("extension-missing", walk().glb())];
    testkit::fixtures(valid, invalid, vec![("clips", clips.glb())])
}

fn read(extension: &str) -> Document {
    testkit::read::<Vrm>(&avatar(extension).glb())
}

fn fact<'a>(facts: &'a [(&'static str, String)], name: &str) -> Option<&'a str> {
    facts.iter().find(|(own, _)| *own == name).map(|(_, value)| value.as_str())
}

#[test]
fn the_fixtures_on_disk_are_those_built_here() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/vrm/fixtures");
    testkit::assert_fixtures_on_disk(&folder, "vrm", &fixtures());
}

#[test]
fn every_code_has_a_fixture_that_shows_it_and_nothing_else() {
    let of_glb: Vec<_> = Glb::INFO.checks.iter().map(|check| check.code).collect();
    testkit::assert_every_code_has_a_fixture::<Vrm>(&fixtures(), "vrm-", &of_glb, &["NODE_EMPTY"]);
}

#[test]
fn accepted_files_are_written_back_byte_for_byte_and_damaged_ones_never_panic() {
    for (folder, name, bytes) in fixtures() {
        if folder != "invalid" {
            testkit::assert_identity::<Vrm>(&bytes, name);
            testkit::assert_every_prefix::<Vrm>(&bytes, &[]);
        }
        testkit::assert_every_flip::<Vrm>(&bytes);
    }
}

#[test]
fn a_file_is_an_avatar_by_its_name_or_where_it_has_none_by_its_extension() {
    let (avatar, plain) = (avatar(ZERO).glb(), walk().glb());
    let named = Hint::from_file_name("x.vrm");
    assert_eq!(Vrm::probe(&avatar, &Hint::default()), Confidence::Certain);
    assert_eq!(Vrm::probe(&plain, &Hint::default()), Confidence::No);
    assert_eq!(Vrm::probe(&avatar, &Hint::from_file_name("x.glb")), Confidence::No);
    assert_eq!(Vrm::probe(&plain, &named), Confidence::Certain);
    assert_eq!(Vrm::probe(b"{", &named), Confidence::ByName);
}

#[test]
fn a_glb_that_is_no_avatar_is_neither_read_nor_written_as_one() {
    let plain = walk().glb();
    let error = Vrm::read(&Source::new(&plain), &ReadOptions::default(), &mut Report::default()).unwrap_err();
    assert!(error.to_string().contains("expected an avatar"), "{error}");
    let document = testkit::read::<Glb>(&plain);
    assert!(!is_avatar(&document) && Terms::of(&document).is_none());
    let error = Vrm::write(&document, &WriteOptions::default()).unwrap_err();
    assert!(error.to_string().contains("expected an avatar"), "{error}");
    Vrm::from_scene(&Scene::new(Basis::GLTF), &FromScene::default(), &mut Report::default()).unwrap_err();
}

#[test]
fn an_edit_that_would_cost_the_avatar_is_refused() {
    let clips = fixtures().into_iter().find(|(_, name, _)| *name == "clips").unwrap().2;
    let mut document = testkit::read::<Vrm>(&clips);
    let before = document.clone();
    let mut scene = Vrm::to_scene(&document, &ToScene::to_update(), &mut Report::default()).unwrap();
    // Markers have a place in the extras of the scene alone where nothing moves.
    for clip in &mut scene.clips {
        clip.tracks.clear();
        clip.markers.push(Marker { time: Seconds(0.5), name: "here".into(), data: None });
    }
    let error =
        Vrm::update(&mut document, &scene, &FromScene::default(), &mut Report::default()).unwrap_err();
    assert!(error.to_string().contains("written anew"), "{error}");
    assert_eq!(document, before);
    scene.clips.clear();
    Vrm::update(&mut document, &scene, &FromScene::default(), &mut Report::default()).unwrap();
    assert!(is_avatar(&document) && document.parts.animations.is_empty());
}

#[test]
fn a_summary_has_the_terms_by_the_words_of_the_file() {
    let one = Vrm::summary(&read(ONE));
    assert_eq!(one.version.as_deref(), Some("VRM 1.0"));
    for (name, value) in [
        ("authors", Some("A, B")),
        ("modification", Some("allowModificationRedistribution")),
        ("allowRedistribution", Some("true")),
        ("avatarPermission", Some("onlyAuthor (not said)")),
        ("licenseUrl", Some("https://vrm.dev/licenses/1.0/")),
        ("otherLicenseUrl", None),
    ] {
        assert_eq!(fact(&one.facts, name), value, "{name}");
    }
    let zero = Vrm::summary(&read(ZERO));
    assert_eq!(zero.version.as_deref(), Some("VRM 0.x"));
    for (name, value) in [
        ("licenseName", Some("CC_BY")),
        ("allowedUserName", Some("Everyone")),
        ("violentUssageName", Some("Disallow")),
        ("commercialUssageName", Some("Allow")),
        ("otherPermissionUrl", None),
    ] {
        assert_eq!(fact(&zero.facts, name), value, "{name}");
    }
}

#[test]
fn terms_prohibit_what_they_say_and_in_the_newer_version_what_they_do_not_allow() {
    let of = |extension: &str| Terms::of(&read(extension)).unwrap();
    assert_eq!(of(ONE).prohibited, [""; 0]);
    assert_eq!((of(ONE).name().to_owned(), of(ZERO).name().to_owned()), ("Ours".into(), "Ours".into()));
    let silent =
        ONE.replace(r#","modification":"allowModificationRedistribution","allowRedistribution":true"#, "");
    assert_eq!(of(&silent).prohibited, ["modification", "redistribution"]);
    let own_use = ONE.replace("allowModificationRedistribution", "allowModification");
    assert_eq!(of(&own_use).prohibited, ["redistribution of a modified model"]);
    for (licence, prohibited) in [
        ("CC0", &[][..]),
        ("CC_BY_NC_SA", &[]),
        ("CC_BY_ND", &["modification"]),
        ("CC_BY_NC_ND", &["modification"]),
        ("Redistribution_Prohibited", &["redistribution"]),
        ("Other", &[]),
    ] {
        assert_eq!(of(&ZERO.replace("CC_BY", licence)).prohibited, prohibited, "{licence}");
    }
}

#[test]
fn nodes_with_a_constraint_are_driven() {
    assert_eq!(driven_nodes(&read(ONE)), [2]);
    for kind in ["aim", "rotation"] {
        let other = avatar(ONE).swap(r#""roll""#, &format!("\"{kind}\""));
        assert_eq!(driven_nodes(&testkit::read::<Vrm>(&other.glb())), [2], "{kind}");
    }
    let none = avatar(ONE).swap(r#"{"roll":{"source":1,"rollAxis":"X"}}"#, "{}");
    assert_eq!(driven_nodes(&testkit::read::<Vrm>(&none.glb())), [0; 0]);
}
