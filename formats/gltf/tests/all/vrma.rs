//! VRM animations: bytes made by hand, rules and the scenes they mean.

use crate::common;
use crate::common::{Draft, floats};
use dopesheet_core::diag::{ConvertErrorKind, Loss, Report};
use dopesheet_core::format::{Confidence, Format, FromScene, Hint, ToScene, WriteOptions};
use dopesheet_core::model::{
    Basis, Channel, Clip, Curve, Expression, HumanBone, Humanoid, Law, Laws, LookAt, Node, NodeIndex,
    Property, Scene, Target, TargetKind, Times, Track, Transform,
};
use dopesheet_core::units::Seconds;
use dopesheet_gltf::vrma::Document;
use dopesheet_gltf::{Glb, Vrma};
use dopesheet_testkit as testkit;
use proptest::prelude::*;
use std::fmt::Write;
use std::path::Path;

/// The bones that every figure has, what each hangs on, and where.
const BONES: [(&str, &str, [f64; 3]); 15] = [
    ("hips", "", [0.0, 1.0, 0.0]),
    ("spine", "hips", [0.0, 0.1, 0.0]),
    ("head", "spine", [0.0, 0.5, 0.0]),
    ("leftUpperLeg", "hips", [0.1, -0.05, 0.0]),
    ("leftLowerLeg", "leftUpperLeg", [0.0, -0.4, 0.0]),
    ("leftFoot", "leftLowerLeg", [0.0, -0.45, 0.0]),
    ("rightUpperLeg", "hips", [-0.1, -0.05, 0.0]),
    ("rightLowerLeg", "rightUpperLeg", [0.0, -0.4, 0.0]),
    ("rightFoot", "rightLowerLeg", [0.0, -0.45, 0.0]),
    ("leftUpperArm", "spine", [0.15, 0.4, 0.0]),
    ("leftLowerArm", "leftUpperArm", [0.25, 0.0, 0.0]),
    ("leftHand", "leftLowerArm", [0.25, 0.0, 0.0]),
    ("rightUpperArm", "spine", [-0.15, 0.4, 0.0]),
    ("rightLowerArm", "rightUpperArm", [-0.25, 0.0, 0.0]),
    ("rightHand", "rightLowerArm", [-0.25, 0.0, 0.0]),
];

/// A figure (nodes 1 to 15 below node 0) that bends its head, opens its mouth (16), pouts (17) and looks aside (18).
fn nod() -> Draft {
    let parent = |name: &str| BONES.iter().position(|bone| bone.0 == name).map_or(0, |bone| bone + 1);
    let mut nodes = String::from(r#"{"name":"Root","children":[1,16,17]}"#);
    let mut bones = String::new();
    for (index, (name, _, [x, y, z])) in BONES.iter().enumerate() {
        let mut children: Vec<String> = Vec::new();
        children.extend(
            (0..15).filter(|child| parent(BONES[*child].1) == index + 1).map(|child| (child + 1).to_string()),
        );
        children.extend((*name == "head").then(|| "18".to_owned()));
        let children = if children.is_empty() {
            String::new()
        } else {
            format!(r#","children":[{}]"#, children.join(","))
        };
        let _ = write!(nodes, r#",{{"name":"{name}"{children},"translation":[{x},{y},{z}]}}"#);
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(bones, r#"{comma}"{name}":{{"node":{}}}"#, index + 1);
    }
    nodes.push_str(r#",{"name":"aa"},{"name":"pout"},{"name":"LookAt","translation":[0,0.06,0]}"#);
    let json = [
        r#"{"asset":{"version":"2.0"},"extensionsUsed":["VRMC_vrm_animation"],"scene":0,"scenes":[{"nodes":[0]}],"nodes":["#,
        &nodes,
        r#"],"animations":[{"name":"nod","channels":["#,
        r#"{"sampler":0,"target":{"node":1,"path":"translation"}},"#,
        r#"{"sampler":1,"target":{"node":3,"path":"rotation"}},"#,
        r#"{"sampler":2,"target":{"node":16,"path":"translation"}},"#,
        r#"{"sampler":2,"target":{"node":17,"path":"translation"}},"#,
        r#"{"sampler":1,"target":{"node":18,"path":"rotation"}}],"#,
        r#""samplers":[{"input":0,"output":1},{"input":0,"output":2},{"input":0,"output":3}]}],"#,
        r#""accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[0.5]},"#,
        r#"{"bufferView":1,"componentType":5126,"count":2,"type":"VEC3"},"#,
        r#"{"bufferView":2,"componentType":5126,"count":2,"type":"VEC4"},"#,
        r#"{"bufferView":3,"componentType":5126,"count":2,"type":"VEC3"}],"#,
        r#""bufferViews":[{"buffer":0,"byteLength":8},{"buffer":0,"byteOffset":8,"byteLength":24},"#,
        r#"{"buffer":0,"byteOffset":32,"byteLength":32},{"buffer":0,"byteOffset":64,"byteLength":24}],"#,
        r#""buffers":[{@BUFFER}],"extensions":{"VRMC_vrm_animation":{"specVersion":"1.0","humanoid":{"humanBones":{"#,
        &bones,
        r#"}},"expressions":{"preset":{"aa":{"node":16}},"custom":{"pout":{"node":17}}},"#,
        r#""lookAt":{"node":18,"offsetFromHeadBone":[0,0.06,0]}}}}"#,
    ]
    .concat();
    let times = [0.0, 0.5];
    let places = [0.0, 1.0, 0.0, 0.0, 0.75, 0.25];
    let turns = [0.0, 0.0, 0.0, 1.0, 0.6, 0.0, 0.0, 0.8];
    let weights = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let data = floats(times.iter().chain(&places).chain(&turns).chain(&weights));
    Draft { json, data }
}

/// Name, and what is replaced by what.
type Changed = (&'static str, &'static [(&'static str, &'static str)]);

const HEAD: &str = r#"{"node":3,"path":"rotation"}"#;
const MOUTH: &str = r#"{"node":16,"path":"translation"}"#;
const VERSION: &str = r#""specVersion":"1.0""#;

#[rustfmt::skip]
const INVALID: &[Changed] = &[
    ("bone-missing", &[(r#","leftFoot":{"node":6}"#, "")]),
    ("bone-node-twice", &[(r#""aa":{"node":16}"#, r#""aa":{"node":17}"#), (MOUTH, r#"{"node":0,"path":"rotation"}"#), (r#"{"sampler":2,"target":{"node":0"#, r#"{"sampler":1,"target":{"node":0"#)]),
    ("bone-order", &[(r#""leftFoot":{"node":6}"#, r#""leftFoot":{"node":0}"#)]),
    ("bone-parent", &[(r#""head":{"node":3}"#, r#""head":{"node":3},"leftThumbDistal":{"node":19}"#), (r#","translation":[0,0.06,0]}]"#, r#","translation":[0,0.06,0]},{"name":"thumb"}]"#), (r#"{"name":"leftHand","#, r#"{"name":"leftHand","children":[19],"#)]),
    ("expression-channel", &[(r#"{"sampler":2,"target":{"node":16,"path":"translation"}}"#, r#"{"sampler":1,"target":{"node":16,"path":"rotation"}}"#)]),
    ("expression-custom", &[(r#""custom":{"pout""#, r#""custom":{"happy""#)]),
    ("expression-look", &[(r#""preset":{"aa""#, r#""preset":{"lookUp""#)]),
    ("expression-preset", &[(r#""preset":{"aa""#, r#""preset":{"ah""#)]),
    ("extension-missing", &[(r#""extensions":{"VRMC_vrm_animation""#, r#""extras":{"VRMC_vrm_animation""#)]),
    ("eye", &[(r#""head":{"node":3}"#, r#""head":{"node":3},"leftEye":{"node":19}"#), (r#","translation":[0,0.06,0]}]"#, r#","translation":[0,0.06,0]},{"name":"eye"}]"#), (r#""children":[18]"#, r#""children":[18,19]"#)]),
    ("scale", &[(r#"{"node":1,"path":"translation"}"#, r#"{"node":1,"path":"scale"}"#)]),
    ("structure-node-nowhere", &[(r#""hips":{"node":1}"#, r#""hips":{"node":99}"#)]),
    ("structure-bones-list", &[(r#""custom":{"pout":{"node":17}}"#, r#""custom":[]"#)]),
    ("structure-version-number", &[(VERSION, r#""specVersion":1"#)]),
    ("structure-offset-short", &[(r#""offsetFromHeadBone":[0,0.06,0]"#, r#""offsetFromHeadBone":[0,0.06]"#)]),
    ("translation", &[(r#"{"node":1,"path":"translation"}"#, r#"{"node":2,"path":"translation"}"#)]),
];

#[rustfmt::skip]
const QUIRK: &[Changed] = &[
    ("between", &[(r#""children":[3,10,13]"#, r#""children":[3,10,19]"#), (r#"{"name":"aa"}"#, r#"{"name":"aa"}"#), (r#","translation":[0,0.06,0]}]"#, r#","translation":[0,0.06,0]},{"name":"shawl","children":[13]}]"#), (HEAD, r#"{"node":19,"path":"rotation"}"#)]),
    ("bone-unknown", &[(r#""head":{"node":3}"#, r#""head":{"node":3},"tail":{"node":19}"#), (r#","translation":[0,0.06,0]}]"#, r#","translation":[0,0.06,0]},{"name":"tail"}]"#), (r#""children":[1,16,17]"#, r#""children":[1,16,17,19]"#)]),
    ("clips", &[(r#""samplers":[{"input":0,"output":1},{"input":0,"output":2},{"input":0,"output":3}]}]"#, r#""samplers":[{"input":0,"output":1},{"input":0,"output":2},{"input":0,"output":3}]},{"channels":[{"sampler":0,"target":{"node":3,"path":"rotation"}}],"samplers":[{"input":0,"output":2}]}]"#)]),
    ("cubic", &[(r#""samplers":[{"input":0,"output":1}"#, r#""samplers":[{"input":0,"interpolation":"STEP","output":1}"#)]),
    ("hips-height", &[(r#""translation":[0,1,0]"#, r#""translation":[0,-0.1,0]"#)]),
    ("look-at-channel", &[(r#"{"sampler":1,"target":{"node":18,"path":"rotation"}}"#, r#"{"sampler":0,"target":{"node":18,"path":"translation"}}"#)]),
    ("model", &[(r#""extensionsUsed":["VRMC_vrm_animation"]"#, r#""extensionsUsed":["VRMC_vrm_animation","VRMC_vrm"]"#), (r#""extensions":{"VRMC_vrm_animation""#, r#""extensions":{"VRMC_vrm":{},"VRMC_vrm_animation""#)]),
    ("node-scale", &[(r#"{"name":"head","#, r#"{"name":"head","scale":[2,2,2],"#)]),
    ("pointer", &[(r#""extensionsUsed":["VRMC_vrm_animation"]"#, r#""extensionsUsed":["VRMC_vrm_animation","KHR_animation_pointer"]"#), (r#"{"node":18,"path":"rotation"}"#, r#"{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/nodes/18/rotation"}}}"#)]),
    ("t-pose", &[(r#"{"name":"leftLowerArm","children":[12],"translation":[0.25,0,0]}"#, r#"{"name":"leftLowerArm","children":[12],"translation":[0.2,-0.15,0]}"#)]),
    ("version-missing", &[(r#""specVersion":"1.0","#, "")]),
    ("version", &[(VERSION, r#""specVersion":"1.0-draft""#)]),
];

fn changed((name, swaps): &Changed) -> (&'static str, Vec<u8>) {
    let swaps = swaps.iter().filter(|(from, to)| from != to);
    (name, swaps.fold(nod(), |draft, (from, to)| draft.swap(from, to)).glb())
}

fn fixtures() -> Vec<testkit::Fixture> {
    let mut quirk: Vec<_> = QUIRK.iter().map(changed).collect();
    let alone = nod().swap(r#","custom":{"pout":{"node":17}}"#, "");
    quirk.push(("weight-range", alone.float(19, 1.5).glb()));
    let invalid = INVALID.iter().map(changed).collect();
    testkit::fixtures(vec![("as-written", as_written()), ("nod", nod().glb())], invalid, quirk)
}

fn read(bytes: &[u8]) -> Document {
    testkit::read::<Vrma>(bytes)
}

fn scene_of(document: &Document) -> (Scene, Report) {
    let mut report = Report::default();
    (Vrma::to_scene(document, &ToScene::default(), &mut report).unwrap(), report)
}

fn written(scene: &Scene) -> (Document, Report) {
    let mut report = Report::default();
    (Vrma::from_scene(scene, &FromScene::default(), &mut report).unwrap(), report)
}

#[test]
fn the_fixtures_on_disk_are_those_built_here() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/vrma/fixtures");
    testkit::assert_fixtures_on_disk(&folder, "vrma", &fixtures());
}

#[test]
fn every_code_has_a_fixture_that_shows_it_and_nothing_else() {
    let of_glb: Vec<_> = Glb::INFO.checks.iter().map(|check| check.code).collect();
    testkit::assert_every_code_has_a_fixture::<Vrma>(&fixtures(), "vrma-", &of_glb, &["NODE_EMPTY"]);
}

#[test]
fn a_file_without_a_version_is_read_as_players_do_and_warned_of() {
    let bytes = changed(&("version-missing", &[(r#""specVersion":"1.0","#, "")])).1;
    let mut report = Report::default();
    let source = dopesheet_core::format::Source::new(&bytes);
    let document = Vrma::read(&source, &Default::default(), &mut report).unwrap();
    let [warning] = &report.findings[..] else { panic!("{report:?}") };
    assert!(warning.to_string().starts_with("warning vrma-version"), "{warning}");
    assert_eq!(scene_of(&document).0.clips, scene_of(&read(&nod().glb())).0.clips);
    assert_eq!(Vrma::write(&document, &WriteOptions::default()).unwrap().main, bytes);
}

#[test]
fn only_invalid_files_have_errors_and_the_sound_one_is_clean() {
    let mut lines = String::new();
    for (folder, name, bytes) in fixtures() {
        let mut report = Report::default();
        let source = dopesheet_core::format::Source::new(&bytes);
        let said: Vec<String> = match Vrma::read(&source, &Default::default(), &mut report) {
            Err(error) => vec![format!("error {}: {error}", error.fault.code)],
            Ok(document) => {
                Vrma::check(&document, &mut report);
                let findings = report.findings.iter().filter(|finding| finding.fault.code != "NODE_EMPTY");
                findings.map(ToString::to_string).collect()
            }
        };
        let has_error = said.iter().any(|text| text.starts_with("error"));
        assert_eq!(has_error, folder == "invalid", "{name}: {said:?}");
        assert_eq!(said.is_empty(), folder == "valid", "{name}: {said:?}");
        let _ = writeln!(lines, "{name}\n  {}", said.join("\n  "));
    }
    insta::assert_snapshot!(lines);
}

#[test]
fn accepted_files_are_written_back_byte_for_byte_and_damaged_ones_never_panic() {
    let mut accepted = 0;
    for (folder, name, bytes) in fixtures() {
        if !name.starts_with("structure") {
            testkit::assert_identity::<Vrma>(&bytes, name);
            accepted += 1;
        }
        if folder == "valid" {
            testkit::assert_every_prefix::<Vrma>(&bytes, &[]);
            testkit::assert_every_flip::<Vrma>(&bytes);
        }
    }
    assert_eq!(accepted, 27);
}

#[test]
fn a_file_is_known_by_its_extension_in_both_meanings() {
    let (vrma, named) = (nod().glb(), Hint::from_file_name("x.vrma"));
    assert_eq!(Vrma::probe(&vrma, &Hint::default()), Confidence::Certain);
    assert_eq!(Vrma::probe(&common::walk().glb(), &Hint::default()), Confidence::No);
    assert_eq!(Vrma::probe(&common::walk().glb(), &named), Confidence::Certain);
    assert_eq!(Vrma::probe(b"{", &named), Confidence::ByName);
}

#[test]
fn the_scene_knows_its_figure_its_faces_and_its_gaze() {
    let (scene, report) = scene_of(&read(&nod().glb()));
    assert!(report.findings.is_empty() && report.losses.is_empty(), "{report:?}");
    let names: Vec<_> = scene.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(
        (names.len(), names[15], names[16]),
        (17, "rightHand", "LookAt"),
        "expressions are no nodes: {names:?}"
    );
    let humanoid = scene.humanoid.as_ref().unwrap();
    assert_eq!(humanoid.bones.len(), 15);
    assert!(humanoid.rests_in_t_pose && humanoid.missing().is_empty());
    assert_eq!(scene.node(humanoid.bones[&HumanBone::Head]).unwrap().name, "head");
    assert_eq!(scene.node(humanoid.look_at.unwrap().node).unwrap().name, "LookAt");
    let tracks: Vec<_> =
        scene.clips[0].tracks.iter().map(|track| (track.target.kind, track.target.name.as_str())).collect();
    let expected = [
        (TargetKind::Joint, "hips"),
        (TargetKind::Joint, "head"),
        (TargetKind::Joint, "LookAt"),
        (TargetKind::Morph, "aa"),
        (TargetKind::Morph, "pout"),
    ];
    assert_eq!(tracks, expected);
    let mouth = scene.clips[0].tracks[3].channels[0].composition.curves().next().unwrap();
    assert_eq!((mouth.width, mouth.values.as_slice()), (1, &[0.0, 1.0][..]));
}

#[test]
fn a_scene_without_a_figure_is_refused() {
    let error = Vrma::from_scene(&Scene::new(Basis::GLTF), &FromScene::default(), &mut Report::default())
        .unwrap_err();
    assert!(matches!(error.kind, ConvertErrorKind::Unsupported(_)));
    assert_eq!(error.to_string(), "vrma: it holds only the motion of a humanoid, and the scene has none");
}

#[test]
fn what_a_figure_cannot_do_is_left_out_and_said() {
    let mut scene = figure(&[0.0; 3]);
    let weight =
        Curve::new(Times::Seconds([0.0, 1.0].into()), 1, vec![-0.5, 1.5], Laws::uniform(Law::LINEAR));
    let target = Target::new(TargetKind::Morph, "aa", 0, None);
    let stretch = curve(3, &[0.0, 1.0], &[0.0, 0.1, 0.0, 0.0, 0.2, 0.0], Law::LINEAR);
    let spine = joint(&scene, 2, vec![Channel::whole(Property::Translation, stretch)]);
    let aa = Track { target, channels: vec![Channel::whole(Property::Weight, weight)] };
    scene.clips.push(Clip { duration: Seconds(1.0), tracks: vec![spine, aa], ..Clip::default() });
    let (document, report) = written(&scene);
    let lost: Vec<String> = report
        .losses
        .iter()
        .map(|loss| match loss {
            Loss::Dropped { what, .. } => what.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        lost,
        ["translation of 1 node", "2 keys of expressions below 0 or above 1, by the nearer of the two"]
    );
    let (back, _) = scene_of(&document);
    let values = |track: usize| {
        back.clips[0].tracks[track].channels[0].composition.curves().next().unwrap().values.clone()
    };
    assert_eq!((back.clips[0].tracks.len(), values(0)), (1, vec![0.0, 1.0]));
}

#[test]
fn a_model_says_which_nodes_are_its_bones_in_both_versions_of_vrm() {
    let bones = |list: bool| -> String {
        let bones = BONES.iter().enumerate().map(|(index, (name, ..))| match list {
            true => format!(r#"{{"bone":"{name}","node":{}}}"#, index + 1),
            false => format!(r#""{name}":{{"node":{}}}"#, index + 1),
        });
        bones.collect::<Vec<_>>().join(",")
    };
    let plain = nod().json;
    let start = plain.find(r#""extensions":{"VRMC_vrm_animation""#).unwrap();
    let one =
        format!(r#""extensions":{{"VRMC_vrm":{{"humanoid":{{"humanBones":{{{}}}}}}}}}}}"#, bones(false));
    let zero = format!(
        r#""extensions":{{"VRM":{{"humanoid":{{"humanBones":[{},{{"bone":"leftThumbProximal","node":16}}]}}}}}}}}"#,
        bones(true)
    );
    for (extension, thumbs) in [(one, 0), (zero, 1)] {
        let draft = Draft { json: format!("{}{extension}", &plain[..start]), data: nod().data };
        let document = testkit::read::<Glb>(&draft.glb());
        let scene = Glb::to_scene(&document, &ToScene::default(), &mut Report::default()).unwrap();
        let humanoid = scene.humanoid.unwrap();
        assert!(humanoid.missing().is_empty() && humanoid.rests_in_t_pose);
        assert_eq!(humanoid.bones.len(), 15 + thumbs);
        assert_eq!(humanoid.bones.contains_key(&HumanBone::LeftThumbMetacarpal), thumbs == 1);
    }
}

/// Bytes that our writer makes of a figure that steps, turns, looks and makes faces; stored, so that a change of it is seen.
fn as_written() -> Vec<u8> {
    let mut scene = figure(&[0.0; 3]);
    let times = [0.0, 0.5, 1.0];
    let turn = |q: [f32; 4]| {
        let values = [[0.0, 0.0, 0.0, 1.0], q, [0.0, 0.0, 0.0, 1.0]].concat();
        Channel::whole(Property::Rotation, curve(4, &times, &values, Law::SLERP))
    };
    let places = [0.0, 1.0, 0.0, 0.25, 0.75, 0.5, 0.0, 1.0, 1.0];
    let step = Channel::whole(Property::Translation, curve(3, &times, &places, Law::LINEAR));
    let face = |index, name: &str| {
        let weight = curve(1, &times, &[0.0, 1.0, 0.25], Law::LINEAR);
        let target = Target::new(TargetKind::Morph, name, index, None);
        Track { target, channels: vec![Channel::whole(Property::Weight, weight)] }
    };
    let tracks = vec![
        joint(&scene, 1, vec![step.clone(), turn([0.0, 0.6, 0.0, 0.8])]),
        joint(&scene, 3, vec![turn([0.6, 0.0, 0.0, 0.8])]),
        joint(&scene, 10, vec![turn([0.0, 0.0, -0.6, 0.8])]),
        joint(&scene, 16, vec![step]),
        joint(&scene, 17, vec![turn([0.0, 0.28, 0.0, 0.96])]),
        face(0, "aa"),
        face(1, "にこり"),
    ];
    scene.clips.push(Clip { name: Some("step".into()), duration: Seconds(1.0), tracks, ..Clip::default() });
    Vrma::write(&written(&scene).0, &WriteOptions::default()).unwrap().main
}

/// A figure below a root, moved by an offset, with a node that carries it and one that looks.
fn figure(offset: &[f64; 3]) -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    let mut humanoid = Humanoid { rests_in_t_pose: true, ..Humanoid::default() };
    let place = |translation| Transform { translation, ..Transform::IDENTITY };
    scene.push_node(Node::new("Root", None, Transform::IDENTITY));
    for (name, parent, [x, y, z]) in BONES {
        let above = BONES.iter().position(|bone| bone.0 == parent).map_or(0, |bone| bone + 1);
        let at = [x + offset[0], y + offset[1], z + offset[2]].map(|x| (x * 64.0).round() / 64.0);
        let node = scene.push_node(Node::new(name, Some(NodeIndex(above)), place(at)));
        humanoid.bones.insert(HumanBone::from_word(name).unwrap(), node);
    }
    humanoid.root_motion =
        Some(scene.push_node(Node::new("RootMotion", Some(NodeIndex(0)), Transform::IDENTITY)));
    let node = scene.push_node(Node::new(
        "LookAt",
        Some(humanoid.bones[&HumanBone::Head]),
        place([0.0, 0.0625, 0.0]),
    ));
    humanoid.look_at = Some(LookAt { node, offset_from_head: [0.0, 0.0625, 0.0] });
    scene.humanoid = Some(humanoid);
    scene
}

fn joint(scene: &Scene, node: usize, channels: Vec<Channel>) -> Track {
    let target = Target::new(TargetKind::Joint, scene.nodes[node].name.clone(), node, Some(NodeIndex(node)));
    Track { target, channels }
}

fn curve(width: usize, times: &[f64], values: &[f32], law: Law) -> Curve {
    Curve::new(Times::Seconds(times.into()), width, values.to_vec(), Laws::uniform(law))
}

fn unit(q: [f32; 4]) -> [f32; 4] {
    // Less than half a turn from each other, where the way round is not a matter of rounding.
    let q = [q[0] * 0.3, q[1] * 0.3, q[2] * 0.3, 1.0].map(f64::from);
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| (x / length) as f32)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(64)))]

    #[test]
    fn what_is_written_is_read_back_as_the_same_scene(
        offset in prop::array::uniform3(-0.01f64..0.01),
        turns in prop::collection::vec((1usize..18, prop::array::uniform4(-1.0f32..1.0)), 1..9),
        places in prop::collection::vec(-3.0f32..3.0, 3),
        weights in prop::collection::vec((prop::sample::select(vec!["aa", "blink", "にこり", "a/b~"]), 0.01f32..1.0), 0..4),
        end in 1u32..1000,
    ) {
        let mut scene = figure(&offset);
        let times = [0.0, f64::from(end) / 64.0];
        let mut tracks: std::collections::BTreeMap<usize, Track> = Default::default();
        let hips = curve(3, &times, &[0.0, 0.5, 0.0, places[0], places[1] + 4.0, places[2]], Law::LINEAR);
        tracks.insert(1, joint(&scene, 1, vec![Channel::whole(Property::Translation, hips)]));
        for (node, q) in turns {
            let values = [unit([0.5, 0.5, 0.5, 1.0]), unit(q)].concat();
            let channel = Channel::whole(Property::Rotation, curve(4, &times, &values, Law::SLERP));
            let track = tracks.entry(node).or_insert_with(|| joint(&scene, node, Vec::new()));
            track.channels.retain(|own| own.property != Property::Rotation);
            track.channels.push(channel);
        }
        let mut tracks: Vec<Track> = tracks.into_values().collect();
        let faces: std::collections::BTreeMap<&str, f32> = weights.into_iter().collect();
        for (index, (name, weight)) in faces.iter().enumerate() {
            let channel = Channel::whole(Property::Weight, curve(1, &times, &[0.0, *weight], Law::LINEAR));
            tracks.push(Track { target: Target::new(TargetKind::Morph, *name, index, None), channels: vec![channel] });
        }
        scene.clips.push(Clip { name: Some("dance".into()), duration: Seconds(times[1]), tracks, ..Clip::default() });
        let expressions = faces.keys().map(|name| Expression { name: (*name).to_owned(), morphs: Vec::new() });
        scene.humanoid.as_mut().unwrap().expressions = expressions.collect();
        let (document, report) = written(&scene);
        prop_assert!(report.findings.is_empty() && report.losses.is_empty(), "{:?}", report);
        let bytes = Vrma::write(&document, &WriteOptions::default()).unwrap().main;
        let again = read(&bytes);
        prop_assert_eq!(&again, &document);
        let mut checked = Report::default();
        Vrma::check(&again, &mut checked);
        checked.findings.retain(|finding| finding.fault.code != "NODE_EMPTY");
        prop_assert!(checked.findings.is_empty(), "{:?}", checked.findings);
        let (mut back, _) = scene_of(&again);
        for node in &mut back.nodes {
            node.source_index = None;
        }
        let sort = |humanoid: &mut Option<Humanoid>| {
            humanoid.as_mut().unwrap().expressions.sort_by(|a, b| a.name.cmp(&b.name));
        };
        sort(&mut back.humanoid);
        sort(&mut scene.humanoid);
        prop_assert_eq!(&back.clips, &scene.clips);
        prop_assert_eq!(back, scene);
    }
}
