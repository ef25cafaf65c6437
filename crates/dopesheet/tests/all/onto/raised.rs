//! Figures raised or lowered as a whole, and figures that lie.
#![cfg(all(feature = "mmd", feature = "gltf", feature = "bvh", feature = "unity"))]

use dopesheet::core::diag::{Loss, Measure, MeasureKind, Report};
use dopesheet::core::format::{FromScene, NameMap, WriteOptions};
use dopesheet::core::model::{Basis, HumanBone as B, Property, Scene, Transform, rebase};
use dopesheet::core::units::Seconds;
use dopesheet::human::{Planted, propose};
use dopesheet::motion::sample::pose::{local_pose, model_pose, rest_pose};
use dopesheet::{Conversion, ConvertOptions, Opened, ReadOptions, convert, open, puppet, registry};
use dopesheet_testkit::workspace;
use glam::{DQuat, DVec3};

fn sample(name: &str) -> Opened {
    open(&workspace().join("samples").join(name), None, &ReadOptions::default()).unwrap()
}

fn onto(motion: &Opened, figure: &Opened, format: &str, (planted, raised_m): (Planted, f64)) -> Conversion {
    let to = registry::by_id(format).unwrap();
    let options = ConvertOptions { onto: Some(figure), planted, raised_m, ..ConvertOptions::to(to) };
    convert(std::slice::from_ref(motion), &options).unwrap()
}

/// The scene of a result, in glTF's axes and metres.
fn scene(made: &Conversion, format: &str) -> Scene {
    let name = format!("x.{format}");
    let opened = dopesheet::read(&name, &made.output.main, &ReadOptions::default(), &mut |_| None).unwrap();
    let mut scene = opened.scene().unwrap();
    rebase(&mut scene, &Basis::GLTF, None);
    scene
}

/// The local poses of the first clip over time, and the places of the hips.
fn played(scene: &Scene) -> Vec<(Vec<Transform>, DVec3)> {
    let hips = propose(scene, &NameMap::default()).humanoid.bones[&B::Hips];
    let clip = &scene.clips[0];
    let at = |n: u32| {
        let pose = local_pose(scene, clip, Seconds(clip.end().0 * f64::from(n) / 30.0));
        let place = model_pose(scene, &pose).0[hips.0].translation;
        (pose.0, place)
    };
    (0..=30).map(at).collect()
}

/// Findings without the joint and the time of the largest error: steps of both feet may be equally far off.
fn warnings(made: &Conversion) -> Vec<String> {
    let findings = made.report.report.findings.iter().map(|finding| finding.fault.to_string());
    findings.map(|text| text.split(" (").next().unwrap_or_default().to_owned()).collect()
}

fn is_told(made: &Conversion, words: &str) -> bool {
    let kept = made.report.report.losses.iter().filter_map(|loss| match loss {
        Loss::Kept { what } => Some(what.as_str()),
        _ => None,
    });
    kept.filter(|what| *what == words).count() == 1
}

#[test]
fn a_raised_figure_moves_up_by_exactly_that_and_bends_no_leg() {
    let (jump, walk) = (sample("jump.bvh"), sample("walk.vmd"));
    let (avatar, character) = (sample("avatar.vrm"), sample("character.glb"));
    let pairs = [
        (&jump, &avatar, "glb", Planted::Feet),
        (&jump, &avatar, "vrm", Planted::All),
        (&walk, &avatar, "vrma", Planted::Feet),
        (&walk, &character, "glb", Planted::Nothing),
        (&walk, &jump, "bvh", Planted::Feet),
        (&jump, &character, "bvh", Planted::Feet),
    ];
    for (motion, figure, format, planted) in pairs {
        let (usual, what) =
            (onto(motion, figure, format, (planted, 0.0)), format!("{} {format}", figure.name));
        let before = played(&scene(&usual, format));
        for (raised_m, words) in
            [(0.03, "raised by 3 cm"), (-0.02, "lowered by 2 cm"), (0.5, "raised by 50 cm")]
        {
            let made = onto(motion, figure, format, (planted, raised_m));
            assert!(
                is_told(&made, &format!("the figure {words}")),
                "{what}: {:?}",
                made.report.report.losses
            );
            for ((pose, hips), (pose_before, hips_before)) in
                played(&scene(&made, format)).iter().zip(&before)
            {
                let off = (*hips - *hips_before).distance(DVec3::Y * raised_m);
                assert!(off < 2e-6, "{what}, {raised_m}: {off}");
                for (node, node_before) in pose.iter().zip(pose_before) {
                    assert_eq!(node.rotation, node_before.rotation, "{what}, {raised_m}");
                }
            }
            // Nothing is said of soles above or below the ground that was asked for.
            assert_eq!(warnings(&made), warnings(&usual), "{what}, {raised_m}");
            let soles = |made: &Conversion| {
                made.report.report.verdicts[0].measure(MeasureKind::Soles).map_or(0.0, Measure::size)
            };
            let [after, before] = [&made, &usual].map(soles);
            assert!((after - before).abs() < 1e-5, "{what}, {raised_m}: {after} {before}");
        }
    }
}

#[test]
fn a_raised_model_has_its_centre_and_its_feet_higher_and_turns_as_before() {
    let (jump, puppet) = (sample("jump.bvh"), puppet::standard_model().unwrap());
    let keys = |raised_m| {
        let made = onto(&jump, &puppet, "vmd", (Planted::Feet, raised_m));
        (warnings(&made), scene(&made, "vmd"))
    };
    let ((told_before, before), (told, after)) = (keys(0.0), keys(0.04));
    assert_eq!(told, told_before);
    let mut raised = Vec::new();
    for (track, track_before) in after.clips[0].tracks.iter().zip(&before.clips[0].tracks) {
        assert_eq!(track.target, track_before.target);
        for (channel, channel_before) in track.channels.iter().zip(&track_before.channels) {
            let curves = channel.composition.curves().zip(channel_before.composition.curves());
            let off = curves.flat_map(|(curve, before)| {
                curve
                    .values
                    .iter()
                    .zip(before.values.clone())
                    .map(|(after, before)| after - before)
                    .collect::<Vec<_>>()
            });
            let most = off.map(f32::abs).fold(0.0, f32::max);
            match channel.property {
                Property::Translation => {
                    // Bones that only turn have places all the same.
                    assert!(most == 0.0 || (most - 0.04).abs() < 1e-5, "{} {most}", track.target.name);
                    raised.extend((most > 0.0).then_some(track.target.name.as_str()));
                }
                _ => assert!(most < 1e-6, "{} {most}", track.target.name),
            }
        }
    }
    assert_eq!(raised, ["センター", "左足ＩＫ", "右足ＩＫ"]);
}

/// A figure turned over by a node above all its nodes, or by its bones alone.
fn lying(by_node: bool) -> Opened {
    let mut scene = sample("character.glb").scene().unwrap();
    let turn = DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2);
    let placed = model_pose(&scene, &rest_pose(&scene)).0;
    for (node, place) in scene.nodes.iter_mut().zip(&placed).filter(|(node, _)| node.parent.is_none()) {
        let translation = (turn * place.translation).to_array();
        let rotation = (turn * DQuat::from_array(node.rest.rotation)).to_array();
        node.rest = Transform { translation, rotation, ..node.rest };
    }
    let glb = registry::by_id("glb").unwrap();
    if !by_node {
        let places: Vec<DVec3> =
            model_pose(&scene, &rest_pose(&scene)).0.iter().map(|node| node.translation).collect();
        for (index, node) in scene.nodes.iter_mut().enumerate() {
            let above = node.parent.map_or(DVec3::ZERO, |parent| places[parent.0]);
            node.rest = Transform { translation: (places[index] - above).to_array(), ..Transform::IDENTITY };
        }
    }
    let scene = Scene { clips: Vec::new(), ..scene };
    let document = glb.from_scene(&scene, &FromScene::default(), &mut Report::default()).unwrap();
    let bytes = glb.write(&document, &WriteOptions::default()).unwrap().main;
    dopesheet::read("lying.glb", &bytes, &ReadOptions::default(), &mut |_| None).unwrap()
}

#[test]
fn a_figure_that_lies_by_its_root_is_told_with_its_node_and_a_way_out() {
    let told = |figure: &Opened| {
        let made = onto(&sample("jump.bvh"), figure, "glb", (Planted::Feet, 0.0));
        let findings = made.report.report.findings.iter();
        let mut lies = findings.filter(|finding| finding.fault.code == "figure-lies");
        lies.next().map(ToString::to_string)
    };
    assert_eq!(told(&sample("character.glb")), None);
    assert_eq!(told(&sample("avatar.vrm")), None);
    insta::assert_snapshot!(told(&lying(true)).unwrap());
    insta::assert_snapshot!(told(&lying(false)).unwrap());
}

#[test]
fn a_lying_figure_is_raised_along_its_own_way_up() {
    let figure = lying(true);
    let hips = |raised_m| {
        played(&scene(&onto(&sample("jump.bvh"), &figure, "glb", (Planted::Feet, raised_m)), "glb"))
    };
    for ((_, after), (_, before)) in hips(0.05).iter().zip(&hips(0.0)) {
        assert!((*after - *before).distance(DVec3::NEG_Z * 0.05) < 2e-6, "{after} {before}");
    }
}
