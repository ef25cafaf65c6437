//! Motions on avatars of both versions of VRM: what stays, what is left out, and what is said.
#![cfg(all(feature = "gltf", feature = "bvh"))]

use dopesheet::core::diag::{Loss, Report, Severity};
use dopesheet::core::model::{HumanBone, Scene};
use dopesheet::human::propose;
use dopesheet::{Conversion, ConvertOptions, Error, Opened, ReadOptions, convert, open, registry};
use dopesheet_testkit::workspace;
use serde_json::{Value, json};

pub(crate) fn sample(name: &str) -> Opened {
    open(&workspace().join("samples").join(name), None, &ReadOptions::default()).unwrap()
}

pub(crate) fn read(name: &str, bytes: &[u8]) -> Opened {
    dopesheet::read(name, bytes, &ReadOptions::default(), &mut |_| None).unwrap()
}

/// JSON of a GLB, and the chunks behind it.
pub(crate) fn parts(glb: &[u8]) -> (Value, &[u8]) {
    let end = 20 + u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    (serde_json::from_slice(&glb[20..end]).unwrap(), &glb[end..])
}

pub(crate) fn glb(json: &Value, rest: &[u8]) -> Vec<u8> {
    let mut text = json.to_string();
    while !text.len().is_multiple_of(4) {
        text.push(' ');
    }
    let length = (20 + text.len() + rest.len()) as u32;
    let head =
        [*b"glTF", 2u32.to_le_bytes(), length.to_le_bytes(), (text.len() as u32).to_le_bytes(), *b"JSON"];
    [&head.concat(), text.as_bytes(), rest].concat()
}

/// Versions of VRM.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Version {
    Zero,
    One,
}

/// Our character as an avatar with springs, a toon material and a constraint that turns its right lower arm. `meta` is what its author
/// allows.
pub(crate) fn avatar(version: Version, meta: Value) -> Vec<u8> {
    let bytes = std::fs::read(workspace().join("samples/character.glb")).unwrap();
    let (mut document, rest) = parts(&bytes);
    let scene = scene(&read("character.glb", &bytes));
    let bones = propose(&scene, &Default::default()).humanoid.bones;
    let node = |bone: HumanBone| scene.nodes[bones[&bone].0].source_index.unwrap();
    let driven = node(HumanBone::RightLowerArm);
    document["nodes"][driven]["extensions"] = json!({"VRMC_node_constraint": {"specVersion": "1.0", "constraint": {"rotation": {"source": node(HumanBone::LeftLowerArm)}}}});
    document["materials"][0]["extensions"] = json!({"VRMC_materials_mtoon": {"specVersion": "1.0"}});
    let (name, model) = match version {
        Version::One => {
            let bones = bones.keys().map(|bone| (bone.word().to_owned(), json!({"node": node(*bone)})));
            let bones: serde_json::Map<String, Value> = bones.collect();
            ("VRMC_vrm", json!({"specVersion": "1.0", "meta": meta, "humanoid": {"humanBones": bones}}))
        }
        Version::Zero => {
            let bones: Vec<Value> =
                bones.keys().map(|bone| json!({"bone": bone.word(), "node": node(*bone)})).collect();
            ("VRM", json!({"specVersion": "0.0", "meta": meta, "humanoid": {"humanBones": bones}}))
        }
    };
    document["extensionsUsed"] =
        json!([name, "VRMC_springBone", "VRMC_node_constraint", "VRMC_materials_mtoon"]);
    document["extensionsRequired"] = document["extensionsUsed"].clone();
    document["extensions"] = json!({name: model, "VRMC_springBone": {"specVersion": "1.0"}});
    glb(&document, rest)
}

pub(crate) fn allowing(version: Version) -> Value {
    match version {
        Version::One => {
            json!({"name": "Free", "modification": "allowModificationRedistribution", "allowRedistribution": true})
        }
        Version::Zero => json!({"title": "Free", "licenseName": "CC0"}),
    }
}

fn scene(opened: &Opened) -> Scene {
    opened.format().to_scene(&opened.document, &Default::default(), &mut Report::default()).unwrap()
}

fn options(to: &str) -> ConvertOptions<'static> {
    ConvertOptions::to(registry::by_id(to).unwrap())
}

fn made(input: &Opened, options: &ConvertOptions<'_>) -> Result<Conversion, Error> {
    convert(std::slice::from_ref(input), options)
}

fn onto(input: &Opened, target: &Opened, to: &str, motion_only: bool) -> Conversion {
    made(input, &ConvertOptions { onto: Some(target), motion_only, ..options(to) }).unwrap()
}

fn warnings(report: &Report) -> Vec<String> {
    let some = report.findings.iter().filter(|finding| finding.severity == Severity::Warning);
    some.map(|finding| format!("{}: {}", finding.fault.code, finding.fault)).collect()
}

#[test]
fn an_avatar_with_a_motion_keeps_all_that_it_has() {
    for version in [Version::Zero, Version::One] {
        let bytes = avatar(version, allowing(version));
        let target = read("hero.vrm", &bytes);
        assert_eq!(target.format().info().id, "vrm");
        let out = onto(&sample("jump.bvh"), &target, "vrm", false);
        let (before, after) = (parts(&bytes).0, parts(&out.output.main).0);
        for member in ["extensions", "extensionsUsed", "materials", "meshes", "nodes", "skins"] {
            assert_eq!(after[member], before[member], "{version:?}: {member}");
        }
        let count = |document: &Value| document["animations"].as_array().map_or(0, Vec::len);
        assert_eq!(count(&after), count(&before) + 1);
        assert_eq!(out.report.to, "vrm");
        read("out.vrm", &out.output.main);
    }
}

#[test]
fn nodes_that_constraints_turn_get_no_keys_and_the_report_names_them() {
    for version in [Version::Zero, Version::One] {
        let bytes = avatar(version, allowing(version));
        let target = read("hero.vrm", &bytes);
        let out = onto(&sample("jump.bvh"), &target, "vrm", false);
        let said: Vec<String> = out.report.report.losses.iter().map(Loss::to_string).collect();
        assert!(
            said.iter().any(|line| line.contains("RightForeArm") && line.contains("VRMC_node_constraint")),
            "{said:#?}"
        );
        let moved = |opened: &Opened| -> Vec<String> {
            scene(opened).clips.last().unwrap().tracks.iter().map(|track| track.target.name.clone()).collect()
        };
        let names = moved(&read("out.vrm", &out.output.main));
        assert!(
            names.contains(&"LeftForeArm".into()) && !names.contains(&"RightForeArm".into()),
            "{names:?}"
        );
        // The skeleton alone has no constraints, so that nothing else turns the arm.
        let alone = onto(&sample("jump.bvh"), &target, "glb", true);
        let names = moved(&read("out.glb", &alone.output.main));
        assert!(names.contains(&"RightForeArm".into()), "{names:?}");
    }
}

#[test]
fn the_report_says_that_players_take_motions_from_vrma() {
    let target = read("hero.vrm", &avatar(Version::One, allowing(Version::One)));
    for to in ["vrm", "glb"] {
        let out = onto(&sample("jump.bvh"), &target, to, false);
        let said = warnings(&out.report.report);
        assert!(
            said.iter().any(|line| line.starts_with("vrm-players") && line.contains("autoUpdateHumanBones")),
            "{said:#?}"
        );
        assert_eq!(parts(&out.output.main).0["extensions"]["VRMC_vrm"]["specVersion"], "1.0", "{to}");
    }
    let alone = onto(&sample("jump.bvh"), &target, "glb", true);
    assert!(warnings(&alone.report.report).iter().all(|line| !line.starts_with("vrm-")));
}

#[test]
fn terms_that_prohibit_changes_are_a_warning_where_the_model_is_written() {
    let prohibiting = [
        (Version::Zero, json!({"title": "Mine", "licenseName": "CC_BY_ND"}), "modification"),
        (
            Version::Zero,
            json!({"title": "Mine", "licenseName": "Redistribution_Prohibited"}),
            "redistribution",
        ),
        (
            Version::One,
            json!({"name": "Mine", "modification": "allowModificationRedistribution"}),
            "redistribution",
        ),
        (Version::One, json!({"name": "Mine"}), "modification and redistribution"),
    ];
    for (version, meta, what) in prohibiting {
        let target = read("hero.vrm", &avatar(version, meta.clone()));
        let terms = |out: &Conversion| {
            let said = warnings(&out.report.report).into_iter();
            said.filter(|line| line.starts_with("vrm-terms")).collect::<Vec<_>>()
        };
        let jump = sample("jump.bvh");
        for (to, model) in [("vrm", None), ("glb", None), ("glb", Some(&target)), ("gltf", None)] {
            let out = match model {
                None => onto(&jump, &target, to, false),
                Some(_) => made(&target, &options(to)).unwrap(),
            };
            let said = terms(&out);
            assert_eq!(said.len(), 1, "{to}: {meta}: {said:?}");
            assert!(
                said[0].contains(&format!("prohibit {what};")) && said[0].contains("\"Mine\""),
                "{}",
                said[0]
            );
        }
        // The skeleton and its motion are none of the author's model, and neither is a motion for any avatar.
        assert_eq!(terms(&onto(&jump, &target, "glb", true)), [""; 0]);
        assert_eq!(terms(&onto(&jump, &target, "bvh", false)), [""; 0]);
        assert_eq!(terms(&made(&jump, &options("vrma")).unwrap()), [""; 0]);
    }
    for version in [Version::Zero, Version::One] {
        let target = read("hero.vrm", &avatar(version, allowing(version)));
        let said = warnings(&onto(&sample("jump.bvh"), &target, "vrm", false).report.report);
        assert!(said.iter().all(|line| !line.starts_with("vrm-terms")), "{said:?}");
    }
}

#[test]
fn an_avatar_is_made_of_an_avatar_only() {
    let target = read("hero.vrm", &avatar(Version::One, allowing(Version::One)));
    let jump = sample("jump.bvh");
    for refused in [
        options("vrm"),
        ConvertOptions { model: Some(&target), ..options("vrm") },
        ConvertOptions { onto: Some(&target), motion_only: true, ..options("vrm") },
    ] {
        let error = made(&jump, &refused).unwrap_err();
        assert!(matches!(error, Error::Usage(_)), "{error}");
        assert!(
            error.to_string().contains("--onto avatar.vrm") && error.to_string().contains("a vrma"),
            "{error}"
        );
    }
    let plain = sample("character.glb");
    let onto_none = ConvertOptions { onto: Some(&plain), ..options("vrm") };
    for refused in [made(&jump, &onto_none), made(&plain, &options("vrm"))] {
        let error = refused.unwrap_err().to_string();
        assert!(error.contains("expected an avatar"), "{error}");
    }
}

#[test]
fn an_avatar_is_copied_to_the_byte_and_edited_as_one() {
    let bytes = avatar(Version::Zero, allowing(Version::Zero));
    let own = read("hero.vrm", &bytes);
    assert_eq!(made(&own, &options("vrm")).unwrap().output.main, bytes);
    assert_eq!(made(&own, &options("glb")).unwrap().output.main, bytes);
    // By its name it is a GLB; nothing but the name is another one as an avatar.
    let glb = read("hero.glb", &bytes);
    assert_eq!(glb.format().info().id, "glb");
    assert_eq!(made(&glb, &options("vrm")).unwrap().output.main, bytes);
}

#[test]
fn a_glb_takes_the_motion_of_a_gltf_figure_with_all_that_the_figure_has() {
    let bytes = avatar(Version::One, allowing(Version::One));
    let target = read("hero.glb", &bytes);
    let text = made(&target, &ConvertOptions { file_name: Some("hero.gltf".into()), ..options("gltf") })
        .unwrap()
        .output;
    let resources = text.resources;
    let text = dopesheet::read("hero.gltf", &text.main, &ReadOptions::default(), &mut |wanted| {
        resources.iter().find(|(name, _)| name == wanted).map(|(_, bytes)| bytes.clone())
    });
    let out = onto(&sample("jump.bvh"), &text.unwrap(), "glb", false);
    assert_eq!(parts(&out.output.main).0["extensions"], parts(&bytes).0["extensions"]);
}
