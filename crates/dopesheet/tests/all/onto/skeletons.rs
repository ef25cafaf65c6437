//! Human figures put onto other figures, of any format and with any names.
#![cfg(all(feature = "mmd", feature = "gltf", feature = "bvh"))]

use crate::onto::avatars::parts;
use dopesheet::core::diag::Report;
use dopesheet::core::format::NameMap;
use dopesheet::core::model::{Basis, HumanBone as B, Property, Scene, rebase};
use dopesheet::core::units::Seconds;
use dopesheet::human::{Planted, carrying_surface, propose};
use dopesheet::motion::sample::pose::{local_pose, model_pose};
use dopesheet::{Conversion, ConvertOptions, Error, Opened, ReadOptions, convert, open, registry};
use dopesheet_testkit::workspace;

/// Bones of limbs, each with the one at its end.
const LIMBS: [[B; 2]; 8] = [
    [B::LeftUpperLeg, B::LeftLowerLeg],
    [B::LeftLowerLeg, B::LeftFoot],
    [B::RightUpperLeg, B::RightLowerLeg],
    [B::RightLowerLeg, B::RightFoot],
    [B::LeftUpperArm, B::LeftLowerArm],
    [B::LeftLowerArm, B::LeftHand],
    [B::RightUpperArm, B::RightLowerArm],
    [B::RightLowerArm, B::RightHand],
];

fn sample(name: &str) -> Opened {
    open(&workspace().join("samples").join(name), None, &ReadOptions::default()).unwrap()
}

fn try_onto(input: &Opened, target: &Opened, format: &str, motion_only: bool) -> Result<Conversion, Error> {
    let to = registry::by_id(format).unwrap();
    let planted = Planted::Nothing;
    let options = ConvertOptions { onto: Some(target), motion_only, planted, ..ConvertOptions::to(to) };
    convert(std::slice::from_ref(input), &options)
}

fn read(format: &str, made: &Conversion) -> Opened {
    let to = registry::by_id(format).unwrap();
    let name = format!("x.{format}");
    open::read_as(to, &name, &made.output.main, &ReadOptions::default(), &mut |_| None).unwrap()
}

fn onto(input: &Opened, target: &Opened, format: &str) -> Opened {
    read(format, &try_onto(input, target, format, false).unwrap())
}

fn scene(opened: &Opened) -> Scene {
    let mut scene =
        opened.format().to_scene(&opened.document, &Default::default(), &mut Report::default()).unwrap();
    rebase(&mut scene, &Basis::GLTF, None);
    scene
}

/// Places of bones of a figure at a time of its last clip.
fn places(scene: &Scene, time: f64) -> impl Fn(B) -> glam::DVec3 {
    let humanoid = propose(scene, &NameMap::default()).humanoid;
    let pose = model_pose(scene, &local_pose(scene, scene.clips.last().unwrap(), Seconds(time))).0;
    move |bone| pose[humanoid.bones[&bone].0].translation
}

/// Largest angle in degrees between limbs of two figures.
fn apart(a: &Scene, b: &Scene) -> f64 {
    apart_in(a, b, &LIMBS)
}

/// Largest angle in degrees between some limbs of two figures.
fn apart_in(a: &Scene, b: &Scene, limbs: &[[B; 2]]) -> f64 {
    let end = a.clips.last().unwrap().end().0;
    let mut worst: f64 = 0.0;
    for n in 0..=40 {
        let time = end * f64::from(n) / 40.0;
        let (a, b) = (places(a, time), places(b, time));
        for [from, to] in limbs.iter().copied() {
            worst = worst.max((a(to) - a(from)).angle_between(b(to) - b(from)).to_degrees());
        }
    }
    worst
}

#[test]
fn a_capture_moves_a_character_that_keeps_all_it_has() {
    let (jump, character) = (sample("jump.bvh"), sample("character.glb"));
    let (theirs, before) = (scene(&jump), scene(&character));
    let after = scene(&onto(&jump, &character, "glb"));
    let off = apart(&theirs, &after);
    assert!(off < 0.1, "{off}°");
    assert_eq!(after.meshes.len(), before.meshes.len());
    assert_eq!(after.skins.len(), before.skins.len());
    let names = |scene: &Scene| scene.nodes.iter().map(|node| node.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&after), names(&before));
    assert_eq!(after.clips.len(), before.clips.len() + 1);
    // The hips go up and down as far as legs are long.
    let height = |scene: &Scene, time| places(scene, time)(B::Hips).y;
    let rise = |scene: &Scene, time| height(scene, time) - height(scene, 0.0);
    let ratio = rise(&after, 0.5) / rise(&theirs, 0.5);
    assert!((0.5..1.5).contains(&ratio), "{ratio}");
    for time in [0.8, 1.1, 1.4] {
        let (a, b) = (rise(&theirs, time) * ratio, rise(&after, time));
        assert!((a - b).abs() < 1e-3, "{a} and {b} at {time}");
    }
}

#[test]
fn only_the_skeleton_is_written_if_that_is_asked_for() {
    let (jump, character) = (sample("jump.bvh"), sample("character.glb"));
    let made = scene(&read("glb", &try_onto(&jump, &character, "glb", true).unwrap()));
    assert_eq!((made.meshes.len(), made.skins.len(), made.clips.len()), (0, 0, 1));
    assert!(apart(&scene(&jump), &made) < 0.1);
}

#[test]
fn a_dance_without_its_model_is_the_puppet_s_and_moves_a_character() {
    let made = scene(&onto(&sample("walk.vmd"), &sample("character.glb"), "glb"));
    let (start, later) = (places(&made, 0.0), places(&made, 1.0));
    assert!(start(B::Hips).distance(later(B::Hips)) > 0.1, "the hips go somewhere");
    let bend = |at: &dyn Fn(B) -> glam::DVec3| {
        let (hip, knee, foot) = (at(B::LeftUpperLeg), at(B::LeftLowerLeg), at(B::LeftFoot));
        (knee - hip).angle_between(foot - knee).to_degrees()
    };
    let most = (0..40).map(|n| bend(&places(&made, f64::from(n) / 10.0))).fold(0.0, f64::max);
    assert!(most > 15.0, "knees bend by {most}°");
}

#[test]
fn legs_of_a_model_of_mikumikudance_move_with_the_bones_that_carry_their_surface() {
    let puppet = dopesheet::puppet::standard_model().unwrap();
    let jump = sample("jump.bvh");
    let made = scene(&onto(&jump, &puppet, "glb"));
    let moved: Vec<&str> = made.clips[0].tracks.iter().map(|track| track.target.name.as_str()).collect();
    for name in ["左足D", "左ひざD", "左足首D", "右足D", "右ひざD", "右足首D"] {
        assert!(moved.contains(&name), "{name} is not among {moved:?}");
    }
}

#[test]
fn legs_beside_those_that_carry_the_surface_move_alike() {
    let made = scene(&onto(&sample("jump.bvh"), &dopesheet::puppet::standard_model().unwrap(), "glb"));
    let plain = propose(&made, &Default::default()).humanoid;
    let carrying = carrying_surface(&made, &plain);
    assert_ne!(plain.bones[&B::LeftFoot], carrying.bones[&B::LeftFoot]);
    for time in [0.0, 0.7, 0.9, 1.25, 1.6] {
        let pose = model_pose(&made, &local_pose(&made, &made.clips[0], Seconds(time))).0;
        for (bone, node) in &plain.bones {
            let off_m = pose[node.0].translation.distance(pose[carrying.bones[bone].0].translation);
            assert!(off_m < 1e-6, "{bone:?} {off_m} m at {time} s");
        }
    }
}

#[test]
fn motion_that_a_rig_carries_on_to_the_legs_is_not_said_to_be_lost() {
    let made = try_onto(&sample("walk.vmd"), &sample("character.glb"), "glb", false).unwrap();
    let said: Vec<String> = made.report.report.losses.iter().map(|loss| format!("{loss:?}")).collect();
    let of_legs = |line: &&String| line.contains("左足ＩＫ");
    let carried = said.iter().filter(of_legs).any(|line| line.contains("which the rig carried on"));
    let lost = said.iter().filter(of_legs).find(|line| line.starts_with("Dropped"));
    assert!(carried, "{said:#?}");
    assert_eq!(lost, None);
}

#[test]
fn a_face_that_the_figure_lacks_is_lost_and_not_said_to_be_kept() {
    for (target, has_face) in [("character.glb", false), ("avatar.vrm", true)] {
        let format = if has_face { "vrm" } else { "glb" };
        let made = try_onto(&sample("bow.vmd"), &sample(target), format, false).unwrap();
        let said: Vec<String> = made.report.report.losses.iter().map(|loss| format!("{loss:?}")).collect();
        let says = |start: &str, part: &str| said.iter().any(|l| l.starts_with(start) && l.contains(part));
        assert_eq!(says("Kept", "the face by"), has_face, "{said:#?}");
        assert!(!says("Kept", "preset expression"), "{said:#?}");
        assert_eq!(says("Dropped", "まばたき"), !has_face, "{said:#?}");
        let (document, _) = parts(&made.output.main);
        let moved = document["animations"][0]["channels"].as_array().unwrap().iter().filter_map(|channel| {
            let is_face = channel["target"]["path"] == "weights";
            is_face
                .then(|| document["nodes"][channel["target"]["node"].as_u64()? as usize]["name"].as_str())?
        });
        // Both eyes have one mesh.
        let expected: &[&str] = if has_face { &["left eye", "right eye", "mouth"] } else { &[] };
        assert_eq!(moved.collect::<Vec<_>>(), expected);
    }
}

#[test]
fn a_capture_takes_the_skeleton_of_another() {
    let (jump, character) = (sample("jump.bvh"), sample("character.glb"));
    let other = onto(&jump, &character, "bvh");
    let again = scene(&onto(&other, &jump, "bvh"));
    let off = apart(&scene(&jump), &again);
    assert!(off < 0.5, "{off}°");
}

#[test]
fn what_goes_to_a_character_and_back_again_points_where_it_pointed() {
    let (walk, character) = (sample("walk.vmd"), sample("character.glb"));
    let puppet = dopesheet::puppet::standard_model().unwrap();
    let glb = registry::by_id("glb").unwrap();
    let model = ConvertOptions { model: Some(&puppet), ..ConvertOptions::to(glb) };
    let first = read("glb", &convert(&[&walk], &model).unwrap());
    for (planted, limbs) in [(Planted::Nothing, &LIMBS[..]), (Planted::All, &LIMBS[4..])] {
        let put = |input: &Opened, target: &Opened| {
            let options =
                ConvertOptions { onto: Some(target), motion_only: true, planted, ..ConvertOptions::to(glb) };
            read("glb", &convert(std::slice::from_ref(input), &options).unwrap())
        };
        let there = put(&first, &character);
        let again = put(&put(&there, &first), &character);
        let off = apart_in(&scene(&there), &scene(&again), limbs);
        assert!(off < 0.5, "{planted:?}: {off}°");
    }
}

#[test]
fn keys_for_a_model_are_those_that_it_gets_with_m() {
    let (jump, puppet) = (sample("jump.bvh"), dopesheet::puppet::standard_model().unwrap());
    let onto = try_onto(&jump, &puppet, "vmd", false).unwrap();
    let to = registry::by_id("vmd").unwrap();
    let options =
        ConvertOptions { model: Some(&puppet), planted: Planted::Nothing, ..ConvertOptions::to(to) };
    let with = convert(&[&jump], &options).unwrap();
    assert_eq!(onto.output.main, with.output.main);
}

#[test]
fn faces_are_made_with_the_morphs_of_the_target() {
    let (bow, puppet) = (sample("bow.vmd"), dopesheet::puppet::standard_model().unwrap());
    let model =
        ConvertOptions { model: Some(&puppet), ..ConvertOptions::to(registry::by_id("glb").unwrap()) };
    let avatar = read("glb", &convert(&[&sample("walk.vmd")], &model).unwrap());
    let made = try_onto(&bow, &avatar, "glb", false).unwrap();
    let weights = |scene: &Scene| {
        let clip = scene.clips.last().unwrap();
        let channels = clip.tracks.iter().flat_map(|track| &track.channels);
        channels.filter(|channel| channel.property == Property::Weights).count()
    };
    assert_eq!(weights(&scene(&read("glb", &made))), 1, "one track of weights for the mesh");
    let warnings = made.report.report.findings.iter().filter(|finding| finding.fault.code.contains("SKIN"));
    assert_eq!(warnings.count(), 0, "weights of a skinned mesh have an effect");
    let without = try_onto(&bow, &sample("character.glb"), "glb", false).unwrap();
    assert_eq!(weights(&scene(&read("glb", &without))), 0);
    assert!(without.report.report.losses.iter().any(|loss| format!("{loss:?}").contains("no such morph")));
}

#[test]
fn what_cannot_be_put_onto_a_figure_is_refused_with_the_reason() {
    let (jump, hands, character) = (sample("jump.bvh"), sample("hands.bin"), sample("character.glb"));
    let said = |made: Result<Conversion, Error>| made.unwrap_err().to_string();
    let texts = [
        said(try_onto(&jump, &hands, "glb", false)),
        said(try_onto(&hands, &character, "glb", false)),
        said(try_onto(&jump, &sample("walk.vmd"), "glb", false)),
    ];
    let folder = format!("{}/", workspace().join("samples").display());
    insta::assert_snapshot!(texts.join("\n").replace(&folder, ""));
}

#[test]
fn a_result_that_the_figure_makes_large_names_the_way_to_a_small_one() {
    let (jump, character) =
        (sample("jump.bvh"), std::fs::read(workspace().join("samples/character.glb")).unwrap());
    let (mut json, rest) = parts(&character);
    json["extras"] = "long ".repeat(600_000).into();
    let large = crate::onto::avatars::read("large.glb", &crate::onto::avatars::glb(&json, rest));
    let first = |target: &Opened, motion_only: bool| {
        let made = try_onto(&jump, target, "glb", motion_only).unwrap();
        made.report.report.losses[0].to_string()
    };
    let told = "kept: all of the figure, 3 MB with the clips (--motion-only leaves out its meshes)";
    assert_eq!(first(&large, false), told);
    assert!(!first(&large, true).contains("--motion-only"));
    assert!(!first(&sample("character.glb"), false).contains("--motion-only"));
}
