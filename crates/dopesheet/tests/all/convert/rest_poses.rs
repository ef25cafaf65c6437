//! Rest poses of motions whose formats state none.
#![cfg(all(feature = "gltf", feature = "mmd", feature = "more", feature = "playcanvas", feature = "unity"))]

use crate::convert::vmd::{made, options};
use dopesheet::core::diag::{Report, Severity};
use dopesheet::core::format::{RestFrom, ToScene};
use dopesheet::core::model::{Property, RestPose, Scene, TargetKind};
use dopesheet::core::units::Seconds;
use dopesheet::motion::{Side, channel_at};
use dopesheet::{Conversion, ConvertOptions, Opened, ReadOptions, open};
use dopesheet_testkit::workspace;
use std::collections::BTreeMap;

fn wave() -> Opened {
    open(&workspace().join("samples/wave.json"), None, &ReadOptions::default()).unwrap()
}

/// The same motion in formats that state no rest pose.
fn motions() -> Vec<(&'static str, Opened)> {
    let wave = wave();
    let of = |id: &'static str| (id, made(&wave, &options(id)).0);
    vec![of("unity-anim"), of("more"), ("playcanvas", wave.clone())]
}

fn scene(opened: &Opened) -> Scene {
    opened.format().to_scene(&opened.document, &ToScene::default(), &mut Report::default()).unwrap()
}

/// The value of a property of each joint when a motion starts.
fn starts(opened: &Opened, property: &Property) -> BTreeMap<String, Vec<f64>> {
    let scene = scene(opened);
    let joints = scene.clips[0].tracks.iter().filter(|track| track.target.kind == TargetKind::Joint);
    let start = |track: &dopesheet::core::model::Track| {
        let channel = track.channels.iter().find(|channel| channel.property == *property)?;
        let mut value = Vec::new();
        channel_at(channel, Seconds(0.0), Side::At, &mut value).then(|| (track.target.name.clone(), value))
    };
    joints.filter_map(start).collect()
}

/// Half the angle of each rotation when a motion starts, as its cosine: no axes change that.
fn turns(opened: &Opened) -> BTreeMap<String, f64> {
    starts(opened, &Property::Rotation).into_iter().map(|(name, value)| (name, value[3].abs())).collect()
}

fn found(conversion: &Conversion) -> Vec<(Severity, String)> {
    let findings = conversion.report.report.findings.iter();
    let own = findings.filter(|finding| finding.fault.code == "rest-assumed");
    own.map(|finding| (finding.severity, finding.fault.found.to_string())).collect()
}

#[test]
fn a_first_key_turns_no_rest_pose_so_that_rotations_stay_as_in_the_file() {
    for (id, motion) in motions() {
        assert_eq!(scene(&motion).rest, RestPose::Unknown, "{id}");
        let (vmd, conversion) = made(&motion, &options("vmd"));
        let (before, after) = (turns(&motion), turns(&vmd));
        let shared: Vec<_> =
            after.iter().filter_map(|(name, own)| before.get(name).map(|other| (own, other))).collect();
        assert!(shared.len() > 5, "{id}: {after:?}");
        assert!(shared.iter().all(|(own, other)| (*own - *other).abs() < 1e-5), "{id}: {before:?} {after:?}");
        assert!(shared.iter().any(|(own, _)| **own < 0.999), "{id}: something is turned at the start");
        let places = starts(&vmd, &Property::Translation);
        let is_zero = |place: &Vec<f64>| place.iter().all(|x| x.abs() < 1e-6);
        assert!(places.values().all(is_zero), "{id}: translations come on top of the first key: {places:?}");
        let [(Severity::Warning, text)] = &found(&conversion)[..] else { panic!("{id}: {conversion:?}") };
        assert!(text.contains("not turned (--rest first"), "{text}");
    }
}

#[test]
fn the_whole_first_key_is_the_rest_pose_where_that_is_asked_for() {
    for (id, motion) in motions() {
        let first = ConvertOptions { rest: RestFrom::First, ..options("vmd") };
        let (vmd, conversion) = made(&motion, &first);
        assert!(turns(&vmd).values().all(|half| *half > 1.0 - 1e-9), "{id}: {:?}", turns(&vmd));
        assert_eq!(found(&conversion).len(), 1, "{id}");
        // A file that states rest poses may have any, and it is a remark.
        let (glb, conversion) = made(&motion, &ConvertOptions { rest: RestFrom::First, ..options("glb") });
        assert!(scene(&glb).nodes.iter().any(|node| node.rest.rotation[3] < 0.999), "{id}");
        assert_eq!(found(&conversion)[0].0, Severity::Info, "{id}");
        let (glb, _) = made(&motion, &options("glb"));
        assert!(scene(&glb).nodes.iter().all(|node| node.rest.rotation == [0.0, 0.0, 0.0, 1.0]), "{id}");
    }
}

#[test]
fn a_model_says_how_a_motion_rests_and_nothing_is_assumed() {
    let wave = wave();
    let (model, _) = made(&wave, &ConvertOptions { rest: RestFrom::First, ..options("glb") });
    for (id, motion) in motions() {
        for to in ["vmd", "bvh", "glb"] {
            let (_, conversion) = made(&motion, &ConvertOptions { model: Some(&model), ..options(to) });
            assert!(found(&conversion).is_empty(), "{id} to {to}");
        }
        // Poses alone need no rest pose.
        assert!(found(&made(&motion, &options("playcanvas")).1).is_empty(), "{id}");
    }
}
