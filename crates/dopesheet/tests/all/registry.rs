//! Rules that every registered format keeps.
#![cfg(all(
    feature = "bvh",
    feature = "mmd",
    feature = "more",
    feature = "mrtk2",
    feature = "playcanvas",
    feature = "gltf",
    feature = "unity",
    feature = "numpy",
    feature = "research"
))]

use dopesheet::core::model::{Basis, Scene};
use dopesheet::{
    ConvertOptions, Opened, ReadOptions, convert, core::format::AnyFormat, core::format::Role, open, registry,
};
use dopesheet_testkit::workspace;
use std::collections::BTreeSet;
use std::fmt::Write;

#[test]
fn ids_and_extensions_are_sound() {
    let ids: Vec<_> = registry::formats().iter().map(|f| f.info().id).collect();
    assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len(), "{ids:?}");
    for format in registry::formats() {
        let info = format.info();
        assert!(
            info.id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
            "{}",
            info.id
        );
        assert!(!info.extensions.is_empty(), "{}", info.id);
        assert!(info.extensions.iter().all(|e| e.to_lowercase() == **e && !e.contains('.')), "{}", info.id);
        assert!(!info.specifications.is_empty(), "{}: where is it described?", info.id);
        assert_eq!(registry::by_id(info.id).map(|f| f.info().id), Some(info.id));
    }
}

#[test]
fn markers_do_not_shadow_each_other() {
    let magics: Vec<_> =
        registry::formats().iter().flat_map(|f| f.info().magics.iter().map(|m| (f.info().id, m))).collect();
    for (index, (a, x)) in magics.iter().enumerate() {
        for (b, y) in &magics[index + 1..] {
            let shadows = a != b
                && x.offset == y.offset
                && (x.bytes.starts_with(y.bytes) || y.bytes.starts_with(x.bytes));
            assert!(!shadows, "{a} and {b} start alike");
        }
    }
}

#[test]
fn codes_are_unique_and_explained() {
    for format in registry::formats() {
        let info = format.info();
        let codes: BTreeSet<_> = info.checks.iter().map(|c| c.code).collect();
        assert_eq!(codes.len(), info.checks.len(), "{}", info.id);
        for check in info.checks {
            assert!(
                check.about.len() > 12 && check.about.ends_with('.'),
                "{} {}: {}",
                info.id,
                check.code,
                check.about
            );
        }
    }
}

#[test]
fn what_builds_say_of_formats_that_they_lack_is_what_the_formats_say_of_themselves() {
    let recording = workspace().join("formats/webxr/src/iwer/fixtures/valid/both.json");
    let starts = |own: &registry::Optional| {
        own.starts.iter().any(|start| dopesheet_testkit::bytes(&recording).starts_with(start))
    };
    let mut all = registry::optional().iter();
    let own = all.find(|own| own.id == "iwer" && starts(own)).unwrap();
    let info = registry::by_id(own.id).unwrap().info();
    assert_eq!(own.name, info.name);
}

/// One file of each format that reads.
fn one_of_each() -> Vec<Opened> {
    let files = [
        "samples/bow.vmd",
        "formats/mmd/src/vpd/fixtures/valid/pose.vpd",
        "formats/mmd/src/pmd/fixtures/valid/everything.pmd",
        "formats/mmd/src/pmx/fixtures/valid/everything.pmx",
        "formats/mrtk2/src/animation/fixtures/valid/hands.bin",
        "formats/more/src/more/fixtures/valid/motion.ubi",
        "formats/more/src/m4b/fixtures/valid/by-hand.m4b",
        "samples/door.json",
        "samples/door.model.json",
        "formats/gltf/src/vrma/fixtures/valid/as-written.vrma",
        "formats/gltf/src/vrm/fixtures/valid/one.vrm",
        "samples/character.glb",
        "formats/bvh/src/bvh/fixtures/valid/plain.bvh",
        "formats/fbx/src/fbx/fixtures/valid/chain.fbx",
        "formats/unity/src/animation/fixtures/valid/plain.anim",
        "formats/numpy/src/npz/fixtures/valid/clip.npz",
        "formats/webxr/src/iwer/fixtures/valid/both.json",
    ];
    let found = files.map(|name| open(&workspace().join(name), None, &ReadOptions::default()).unwrap());
    let mut found: Vec<Opened> = found.into();
    let text =
        br#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"Hinge"}]}"#;
    found.push(dopesheet::read("node.gltf", text, &ReadOptions::default(), &mut |_| None).unwrap());
    let ids: BTreeSet<_> = found.iter().map(|o| o.format().info().id).collect();
    let all: BTreeSet<_> = registry::formats().iter().copied().map(|f| f.info().id).collect();
    assert_eq!(ids, all, "a format has no file here");
    found
}

/// Archives have no scene; everything else has one.
fn scene(opened: &Opened) -> Scene {
    let scene = opened.format().to_scene(&opened.document, &Default::default(), &mut Default::default());
    match opened.format().info().role {
        Role::Archive => {
            scene.map_or_else(|_| Scene::new(Basis::GLTF), |_| panic!("{}: a scene", opened.name))
        }
        _ => scene.unwrap(),
    }
}

fn counts(scene: &Scene) -> String {
    let tracks: usize = scene.clips.iter().map(|c| c.tracks.len()).sum();
    let channels = scene.clips.iter().flat_map(|c| &c.tracks).flat_map(|t| &t.channels);
    let keys: usize = channels.map(|c| c.composition.curves().map(|k| k.len()).max().unwrap_or(0)).sum();
    let markers: usize = scene.clips.iter().map(|c| c.markers.len()).sum();
    format!("{tracks} tracks, {keys} keys, {markers} events")
}

fn pair(from: &Opened, to: &'static dyn AnyFormat) -> String {
    match convert(std::slice::from_ref(from), &ConvertOptions::to(to)) {
        Ok(conversion) => {
            let name = format!("out.{}", to.info().extensions[0]);
            let back =
                open::read_as(to, &name, &conversion.output.main, &ReadOptions::default(), &mut |wanted| {
                    conversion.output.resources.iter().find(|(n, _)| n == wanted).map(|(_, b)| b.clone())
                });
            let back =
                back.unwrap_or_else(|e| panic!("{} to {}: {e}", from.format().info().id, to.info().id));
            counts(&scene(&back))
        }
        Err(error) => error.to_string(),
    }
}

#[test]
fn every_pair_of_formats_converts_or_says_why_not() {
    let mut table = String::new();
    for from in &one_of_each() {
        let id = from.format().info().id;
        let _ = writeln!(table, "{id} ({}): {}", from.stem(), counts(&scene(from)));
        for to in registry::formats().iter().copied() {
            let _ = writeln!(table, "  to {}: {}", to.info().id, pair(from, to));
        }
    }
    insta::assert_snapshot!(table);
}

#[test]
fn models_are_models_and_motions_move() {
    for opened in one_of_each() {
        let scene = scene(&opened);
        match opened.format().info().role {
            Role::Motion => assert!(scene.clips.iter().any(|c| !c.tracks.is_empty()), "{}", opened.name),
            Role::Model => assert!(scene.clips.is_empty() && !scene.nodes.is_empty(), "{}", opened.name),
            Role::Scene => assert!(!scene.nodes.is_empty(), "{}", opened.name),
            Role::Archive => assert!(scene.clips.is_empty() && scene.nodes.is_empty(), "{}", opened.name),
        }
    }
}
