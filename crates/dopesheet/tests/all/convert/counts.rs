//! Counts and numbers of reports are of what is written.
#![cfg(all(feature = "gltf", feature = "mmd", feature = "mrtk2", feature = "bvh", feature = "more"))]

use crate::convert::stated_losses::{apart, codes, measured, opened};
use crate::convert::vmd::{made, options};
use dopesheet::core::diag::{Loss, Report};
use dopesheet::core::format::ToScene;
use dopesheet::core::model::{
    Basis, Channel, Clip, Curve, Law, Laws, Node, NodeIndex, Property, Scene, Target, TargetKind, Times,
    Track, Transform,
};
use dopesheet::core::units::Seconds;
use dopesheet::{ConvertOptions, Tolerance};

/// Nodes that turn about Z by some degrees in a time; each with its parent and its place there.
fn turning(nodes: &[(&str, Option<usize>, f64)], degrees: f64, seconds: f64) -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    let mut tracks = Vec::new();
    let half = (0.5 * degrees).to_radians();
    for (index, (name, parent, x)) in nodes.iter().enumerate() {
        let rest = Transform { translation: [*x, 0.0, 0.0], ..Transform::IDENTITY };
        scene.push_node(Node::new(*name, parent.map(NodeIndex), rest));
        let values = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half.sin() as f32, half.cos() as f32];
        let times = Times::Seconds([0.0, f64::from(seconds as f32)].into());
        let curve = Curve::new(times, 4, values, Laws::uniform(Law::SLERP));
        let target = Target::new(TargetKind::Joint, *name, index, Some(NodeIndex(index)));
        tracks.push(Track { target, channels: vec![Channel::whole(Property::Rotation, curve)] });
    }
    let duration = Seconds(f64::from(seconds as f32));
    scene.clips.push(Clip { name: Some("turn".into()), duration, tracks, ..Clip::default() });
    scene
}

fn kept(report: &Report) -> Vec<&str> {
    let kept = report.losses.iter().filter_map(|loss| match loss {
        Loss::Kept { what } => Some(what.as_str()),
        _ => None,
    });
    kept.collect()
}

#[test]
fn a_recording_that_cannot_follow_a_hand_within_the_tolerance_says_so_with_the_measured_error() {
    let scene = turning(&[("spin", None, 0.0), ("Left_Wrist", Some(0), 10.0)], 170.0, 0.1);
    let source = opened(scene);
    let tolerance = Some(Tolerance { length_m: 1e-4, shell_m: None });
    let (_, conversion) = made(&source, &ConvertOptions { tolerance, ..options("mrtk2") });
    assert!(codes(&conversion).contains(&"tolerance-exceeded"), "{:?}", conversion.report.report);
    assert!(measured(&conversion).unwrap() > 5e-4);
}

#[test]
fn a_recording_counts_as_kept_only_the_hands_that_it_has() {
    let nodes = [("Left_Wrist", None, 0.0), ("Hat", None, 1.0), ("Coat", None, 2.0)];
    let (_, conversion) = made(&opened(turning(&nodes, 30.0, 1.0)), &options("mrtk2"));
    let report = &conversion.report.report;
    assert!(kept(report).contains(&"rotation: 1 channel, 2 keys"), "{:?}", report.losses);
    let lost =
        |loss: &Loss| matches!(loss, Loss::Dropped { what, .. } if what == "motion of 2 nodes: Coat, Hat");
    assert_eq!(report.losses.iter().filter(|loss| lost(loss)).count(), 1, "{:?}", report.losses);
}

#[test]
fn a_number_that_a_dance_has_no_place_for_is_lost_and_not_approximated_too() {
    let mut scene = turning(&[("bone", None, 0.0)], 30.0, 1.0);
    let times = Times::Seconds([0.0, 0.31, 1.0].into());
    let curve = Curve::new(times, 1, vec![0.0, 1.0, 0.5], Laws::uniform(Law::LINEAR));
    let target = Target::new(TargetKind::Custom, "steam", 1, None);
    let channels = vec![Channel::whole(Property::Value, curve)];
    scene.clips[0].tracks.push(Track { target, channels });
    let (_, conversion) = made(&opened(scene), &options("vmd"));
    let losses = &conversion.report.report.losses;
    let told: Vec<String> =
        losses.iter().map(ToString::to_string).filter(|line| line.contains("value")).collect();
    assert_eq!(told, ["dropped: 1 custom value channel: the format has no place for them"]);
}

#[test]
fn parents_that_an_animation_of_more_does_not_have_are_told() {
    let nodes = [("hips", None, 0.0), ("spine", Some(0), 0.2), ("head", Some(1), 0.4)];
    let (_, conversion) = made(&opened(turning(&nodes, 30.0, 1.0)), &options("more"));
    let losses = &conversion.report.report.losses;
    let lost = |loss: &Loss| matches!(loss, Loss::Dropped { what, .. } if what == "the parents and rest poses of 2 joints");
    assert!(losses.iter().any(lost), "{losses:?}");
}

#[test]
fn frames_are_those_of_the_keys_of_a_glb_and_the_error_is_that_of_a_comparison() {
    let mut scene = turning(&[("root", None, 0.0), ("arm", Some(0), 0.5), ("hand", Some(1), 0.5)], 0.0, 1.0);
    let times: Vec<f64> = (0..49).map(|frame| f64::from(frame as f32 / 24.0)).collect();
    for track in &mut scene.clips[0].tracks {
        let turn = |key: usize| 0.5 * f64::from((key as u32 * 7) % 5) * 0.2;
        let values =
            (0..49).flat_map(|key| [0.0, 0.0, turn(key).sin() as f32, turn(key).cos() as f32]).collect();
        let curve = Curve::new(Times::Seconds(times.clone().into()), 4, values, Laws::uniform(Law::SLERP));
        track.channels = vec![Channel::whole(Property::Rotation, curve)];
    }
    scene.clips[0].duration = Seconds(2.0);
    let source = opened(scene);
    for to in ["bvh", "npz"] {
        if dopesheet::registry::by_id(to).is_none() {
            continue;
        }
        let (frames, conversion) = made(&source, &options(to));
        let scene =
            frames.format().to_scene(&frames.document, &ToScene::default(), &mut Report::default()).unwrap();
        assert_eq!(scene.clips[0].grid.unwrap().fps(), 24.0, "{to}");
        assert_eq!(codes(&conversion), Vec::<&str>::new(), "{to}");
        assert!(apart(&source, &frames) < 2e-6, "{to}: {}", apart(&source, &frames));
    }
}
