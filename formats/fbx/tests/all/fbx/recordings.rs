//! Recordings: properties with keys on most frames, laid out as programs lay them out.

use crate::fbx::chain::{self, Chain, assemble, joint, moves, on, property};
use crate::fbx::exact::{SLOPED, sloped};
use crate::fbx::records::{self, Record};
use crate::fbx::to_scene::{scene, stored_scene};
use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::model::{Clip, Composition, NodeIndex, Property, Scene, SolvedChannel};
use dopesheet_core::units::Seconds;
use dopesheet_motion::sample::pose::local_pose;
use dopesheet_testkit::rotation_angle;

/// Numbers of the format for 60 and 30 frames per second.
const FPS: [(f64, i32); 2] = [(60.0, 3), (30.0, 6)];

/// A turn about an axis that is far from straight, in degrees.
fn swing(time_s: f64) -> f64 {
    60.0 * (5.0 * time_s).sin() + 20.0 * (23.0 * time_s).cos()
}

/// Keys of [`swing`] at times.
fn keys(times: impl IntoIterator<Item = f64>) -> Vec<(f64, f64)> {
    times.into_iter().map(|time_s| (time_s, swing(time_s))).collect()
}

/// All frames of a second at a rate.
fn frames(fps: f64) -> impl Iterator<Item = f64> {
    (0..=fps as u32).map(move |frame| f64::from(frame) / fps)
}

/// `Hips`, turned before its angles as Mixamo's joints are, with a curve about each of its first axes.
fn hips(time_mode: i32, curves: Vec<Record>) -> Vec<u8> {
    let turned = vec![
        property("RotationActive", "bool", vec![1.into()]),
        property("PreRotation", "Vector3D", vec![10.0.into(), 20.0.into(), 30.0.into()]),
    ];
    let mut objects = vec![
        joint(1, "Hips", turned),
        chain::take(10, "Walk", 0),
        chain::layer(11, "Base", 0),
        chain::curves(20, "R", [5.0; 3]),
    ];
    let mut connections = vec![on(1, 0), on(11, 10), on(20, 11), moves(20, 1, "Lcl Rotation")];
    for (at, axis) in (0..curves.len()).zip(["d|X", "d|Y", "d|Z"]) {
        connections.push(moves(30 + at as i64, 20, axis));
    }
    objects.extend(curves);
    records::binary(&assemble(&Chain { unit: 100.0, time_mode, ..Chain::default() }, objects, connections))
}

fn rotation(clip: &Clip) -> &Composition {
    let channels = &clip.tracks[0].channels;
    &channels.iter().find(|channel| channel.property == Property::Rotation).unwrap().composition
}

/// Number of keys of the rotation.
fn count(scene: &Scene) -> usize {
    rotation(&scene.clips[0]).curves().map(dopesheet_core::model::Curve::len).max().unwrap()
}

/// Largest difference in radians from the library's rotation at times.
fn off_rad(bytes: &[u8], scene: &Scene, times: impl IntoIterator<Item = f64>) -> f64 {
    let file = ufbx::load_memory(bytes, ufbx::LoadOpts::default()).ok().unwrap();
    let node = file.nodes.iter().find(|node| node.element.name.as_ref() == "Hips").unwrap();
    let off = |time_s: f64| {
        let q = ufbx::evaluate_transform(&file.anim_stacks[0].anim, node, time_s).rotation;
        rotation_angle(
            local_pose(scene, &scene.clips[0], Seconds(time_s)).0[0].rotation,
            [q.x, q.y, q.z, q.w],
        )
    };
    times.into_iter().map(off).fold(0.0, f64::max)
}

/// Times between the frames of a second.
fn between(fps: f64) -> impl Iterator<Item = f64> {
    (1..4 * fps as u32).map(move |quarter| f64::from(quarter) / 4.0 / fps)
}

/// The error of the line about rotations with some words.
fn told(report: &Report, words: &str) -> f64 {
    let lines = report.losses.iter().filter_map(|loss| match loss {
        Loss::Approximated { what, max_error, .. } | Loss::Unsampled { what, max_error } => {
            what.contains(words).then_some(max_error)
        }
        _ => None,
    });
    lines.map(|error| error.value).fold(0.0, f64::max)
}

#[test]
fn a_recording_with_turns_before_its_angles_is_its_frames() {
    for (fps, time_mode) in FPS {
        let curves = vec![
            chain::curve(30, &keys(frames(fps)), chain::CUBIC),
            chain::curve(31, &frames(fps).map(|t| (t, 30.0 * t)).collect::<Vec<_>>(), chain::LINEAR),
        ];
        let bytes = hips(time_mode, curves);
        let (recorded, report) = scene(&bytes);
        assert_eq!(count(&recorded), fps as usize + 1);
        assert!(recorded.clips[0].solved.is_empty(), "the frames are the recorder's");
        assert!(off_rad(&bytes, &recorded, frames(fps)) < 1e-6);
        let bent = off_rad(&bytes, &recorded, between(fps));
        let said = told(&report, "rotations of take \"Walk\", recorded for 1 node");
        assert!(bent > 1e-3 && (said - bent).abs() < 1e-6, "{fps}: {bent}, told {said}");

        let stored = stored_scene(&bytes);
        assert!(count(&stored) > 2 * fps as usize);
        assert!(off_rad(&bytes, &stored, between(fps)) < 6e-5);
        let channel = SolvedChannel { node: NodeIndex(0), property: Property::Rotation };
        assert!(stored.clips[0].solved.contains(&channel), "nobody authored what is added");
    }
}

#[test]
fn recorders_may_leave_out_straight_stretches_and_filters_may_add_keys_between_frames() {
    let left_out = frames(30.0).filter(|t| !(0.3..0.4).contains(t) && *t > 0.1);
    let added = frames(30.0).chain([0.51, 0.512, 0.514]);
    let mut added: Vec<f64> = added.collect();
    added.sort_by(f64::total_cmp);
    for times in [left_out.collect(), added] {
        let bytes = hips(6, vec![chain::curve(30, &keys(times.clone()), chain::CUBIC)]);
        let (recorded, _) = scene(&bytes);
        let first = (times[0] * 30.0).round() as usize;
        assert_eq!(count(&recorded), 31 - first);
        assert!(off_rad(&bytes, &recorded, frames(30.0)) < 1e-6);
    }
}

#[test]
fn a_take_divided_evenly_is_recorded_on_no_frames_of_the_file() {
    let times = || (0..=27).map(|at| f64::from(at) / 27.0);
    let bytes = hips(6, vec![chain::curve(30, &keys(times()), chain::CUBIC)]);
    let (recorded, _) = scene(&bytes);
    assert_eq!(count(&recorded), 28);
    assert!(off_rad(&bytes, &recorded, times()) < 1e-6);
}

#[test]
fn keys_on_every_second_frame_and_steps_are_no_recording() {
    let second = frames(15.0);
    for (times, how) in [(second.collect::<Vec<_>>(), chain::CUBIC), (frames(30.0).collect(), chain::STEP)] {
        let bytes = hips(6, vec![chain::curve(30, &keys(times), how)]);
        let (scene, report) = scene(&bytes);
        assert!(count(&scene) > 31 && told(&report, "recorded") == 0.0, "{}", count(&scene));
        let beside_steps = between(30.0).filter(|t| (t * 30.0).fract() > 0.01);
        assert!(off_rad(&bytes, &scene, beside_steps) < 6e-5);
    }
}

#[test]
fn noise_of_a_recorder_is_a_single_key_and_told() {
    let noise = |scale: f64| {
        let keys: Vec<(f64, f64)> =
            frames(30.0).enumerate().map(|(at, t)| (t, (at % 3) as f64 * scale)).collect();
        hips(6, vec![chain::curve(30, &keys, chain::CUBIC)])
    };
    let (quiet, report) = scene(&noise(4e-5));
    assert_eq!(count(&quiet), 1);
    let said = told(&report, "rotations of take \"Walk\": 1 node recorded as still but for noise");
    assert!((said - 8e-5f64.to_radians()).abs() < 1e-8, "{said}");
    assert_eq!(count(&scene(&noise(1e-3)).0), 31);
}

#[test]
fn curves_that_swing_out_between_equal_frames_are_told() {
    let keys: Vec<(f64, f64)> = frames(30.0).map(|time_s| (time_s, 5.0)).collect();
    let bytes = hips(6, vec![sloped(30, &keys, SLOPED, 100.0, [3333, 3333])]);
    let (still, report) = scene(&bytes);
    assert_eq!(count(&still), 1);
    let (bent, said) = (
        off_rad(&bytes, &still, between(30.0)),
        told(&report, "rotations of take \"Walk\", recorded for 1 node"),
    );
    assert!(bent > 1e-3 && (said - bent).abs() < 1e-6, "{bent}, told {said}");
}

#[test]
fn keys_before_the_start_of_the_take_stay_before_0() {
    let times = (-10..=30).map(|frame| f64::from(frame) / 30.0);
    let bytes = hips(6, vec![chain::curve(30, &keys(times), chain::CUBIC)]);
    let (recorded, _) = scene(&bytes);
    assert_eq!(count(&recorded), 41);
    let span = rotation(&recorded.clips[0]).curves().next().unwrap().times.span().unwrap();
    assert!((span.0.0 + 10.0 / 30.0).abs() < 1e-9, "{span:?}");
    assert!(off_rad(&bytes, &recorded, frames(30.0)) < 1e-6);
}

#[test]
fn angles_that_wrap_between_frames_turn_the_shorter_way() {
    let wrapped = |time_s: f64| (400.0 * time_s + 180.0).rem_euclid(360.0) - 180.0;
    let keys: Vec<(f64, f64)> = frames(30.0).map(|time_s| (time_s, wrapped(time_s))).collect();
    let bytes = hips(6, vec![chain::curve(30, &keys, chain::CUBIC)]);
    let (recorded, report) = scene(&bytes);
    let pose = |time_s: f64| local_pose(&recorded, &recorded.clips[0], Seconds(time_s)).0[0].rotation;
    let step = |time_s: f64| rotation_angle(pose(time_s), pose(time_s - 0.25 / 30.0)).to_degrees();
    let largest = between(30.0).map(step).fold(0.0, f64::max);
    assert!((largest - 400.0 / 120.0).abs() < 1e-3, "{largest}");
    // The curve of the file goes the long way in a single frame.
    assert!(told(&report, "rotations of take \"Walk\", recorded for 1 node") > 2.5);
}
