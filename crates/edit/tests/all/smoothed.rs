//! Jitter taken out, and feet that stay.

use crate::assert_says;
use dopesheet_core::diag::{Loss, Report, Severity};
use dopesheet_core::model::{
    Basis, Channel, Clip, Composition, Curve, EulerOrder, Handles, Hierarchy, Law, Laws, Native, Node,
    NodeIndex, Property, Scene, Target, TargetKind, Times, Track, Transform,
};
use dopesheet_core::units::FrameRate;
use dopesheet_edit::{Filter, Kept, Operation, Reason, Smooth};
use dopesheet_motion::sample::pose::{local_pose, model_pose};
use glam::{DQuat, DVec3};
use proptest::prelude::*;
use std::f64::consts::PI;

const FPS: FrameRate = FrameRate::FPS_60;
const FRAMES: i64 = 181;

fn smooth(cutoff_hz: f64) -> Smooth {
    Smooth { on: Kept::default(), filter: Filter::ZeroPhase { cutoff_hz }, lets_feet_slide: false }
}

fn apply(scene: &mut Scene, options: Smooth) -> Result<Report, Reason> {
    let mut report = Report::default();
    Operation::Smooth(options).apply(scene, 0, &mut report).map_err(|refused| refused.reason)?;
    Ok(report)
}

fn every_frame(width: usize, value: impl Fn(f64) -> Vec<f64>, law: Law) -> Curve {
    let values = (0..FRAMES).flat_map(|frame| value(FPS.seconds(frame as f64).0));
    let times = Times::Frames { rate: FPS, frames: (0..FRAMES).collect() };
    Curve::new(times, width, values.map(|x| x as f32).collect(), Laws::uniform(law))
}

fn joint(name: &str, node: usize, channels: Vec<Channel>) -> Track {
    Track { target: Target::new(TargetKind::Joint, name, node, Some(NodeIndex(node))), channels }
}

fn scene(nodes: Vec<Node>, tracks: Vec<Track>) -> Scene {
    let duration = FPS.seconds((FRAMES - 1) as f64);
    let clip = Clip { duration, tracks, grid: Some(FPS), ..Clip::default() };
    Scene { nodes, clips: vec![clip], ..Scene::new(Basis::GLTF) }
}

fn alone(channel: Channel) -> Scene {
    scene(vec![Node::new("a", None, Transform::IDENTITY)], vec![joint("a", 0, vec![channel])])
}

fn only(scene: &Scene) -> &Channel {
    &scene.clips[0].tracks[0].channels[0]
}

fn curve_of(channel: &Channel) -> &Curve {
    channel.composition.curves().next().unwrap()
}

/// Largest difference of the values of a curve from a function of the time.
fn off(curve: &Curve, value: impl Fn(f64) -> Vec<f64>) -> f64 {
    let rows = curve.values.chunks_exact(curve.width).zip(curve.times.iter());
    let apart = rows.flat_map(|(row, time)| {
        let should = value(time.0);
        row.iter().zip(should).map(|(a, b)| (f64::from(*a) - b).abs()).collect::<Vec<_>>()
    });
    apart.fold(0.0, f64::max)
}

fn jitter(time: f64) -> f64 {
    0.01 * (2.0 * PI * 24.0 * time).sin()
}

#[test]
fn jitter_goes_and_what_is_slow_stays_at_the_same_times() {
    let slow = |time: f64| vec![(2.0 * PI * 0.5 * time).sin(), time, -1.0];
    let shaken = |time: f64| slow(time).into_iter().map(|x| x + jitter(time)).collect();
    let mut scene = alone(Channel::whole(Property::Translation, every_frame(3, shaken, Law::LINEAR)));
    let before = scene.clone();
    let report = apply(&mut scene, smooth(6.0)).unwrap();
    let (old, new) = (curve_of(only(&before)), curve_of(only(&scene)));
    assert_eq!((&old.times, &old.laws), (&new.times, &new.laws));
    assert!(off(old, slow) > 9e-3 && off(new, slow) < 1e-3, "{}", off(new, slow));
    // What is meant is no error. All three components shake together.
    let Some(Loss::Kept { what }) = report.losses.first() else { panic!("{report:?}") };
    let size =
        what.strip_prefix("1 curve smoothed, by at most ").and_then(|size| size.split_once(" cm (a at"));
    let size: f64 = size.unwrap().0.parse().unwrap();
    assert!((size - 3f64.sqrt()).abs() < 0.2, "{what}");
}

#[test]
fn keys_far_apart_hold_no_jitter_and_stay() {
    let times = Times::Seconds((0..30).map(|key| 0.1 * f64::from(key)).collect());
    let values: Vec<f32> = (0..30).map(|key| if key % 2 == 0 { 0.0 } else { 1.0 }).collect();
    let sparse = Curve::new(times, 1, values, Laws::uniform(Law::LINEAR));
    let mut scene = alone(Channel::whole(Property::Scale, sparse));
    let before = scene.clone();
    let refused = apply(&mut scene, smooth(6.0)).unwrap_err();
    assert_says(&refused, "expected keys closer than");
    assert!(refused.to_string().contains("0.083 s"), "{refused}");
    assert_eq!(scene, before);
    assert!(apply(&mut scene, smooth(4.0)).is_ok());
    assert_ne!(scene, before);
}

#[test]
fn steps_and_faces_stay() {
    let shaken = |time: f64| vec![jitter(time)];
    let mut scene = alone(Channel::whole(Property::Value, every_frame(1, shaken, Law::STEP)));
    assert_says(&apply(&mut scene, smooth(6.0)).unwrap_err(), "expected keys closer than");
    scene.clips[0].tracks[0].channels[0] =
        Channel::whole(Property::Weight, every_frame(1, shaken, Law::LINEAR));
    scene.clips[0].tracks[0].target.kind = TargetKind::Morph;
    assert_says(&apply(&mut scene, smooth(6.0)).unwrap_err(), "expected keys between which something moves");
    let faces = Kept { kinds: vec![TargetKind::Morph], ..Kept::default() };
    assert!(apply(&mut scene, Smooth { on: faces, ..smooth(6.0) }).is_ok());
}

#[test]
fn a_cutoff_that_is_none_is_refused() {
    let mut scene = alone(Channel::whole(Property::Value, every_frame(1, |t| vec![t], Law::LINEAR)));
    for cutoff in [0.0, -1.0, f64::INFINITY] {
        assert_says(&apply(&mut scene, smooth(cutoff)).unwrap_err(), "expected a number above 0");
    }
    let filter = Filter::OneEuro { min_cutoff_hz: 1.0, beta: -2.0 };
    let refused = apply(&mut scene, Smooth { filter, ..smooth(1.0) }).unwrap_err();
    assert_says(&refused, "expected a number above 0, found -2");
}

#[test]
fn slopes_become_those_of_the_filtered_course() {
    let wave = |time: f64| vec![(2.0 * PI * 0.5 * time).sin() + jitter(time)];
    let slope = |time: f64| (PI * (PI * time).cos() + 0.01 * 48.0 * PI * (48.0 * PI * time).cos()) as f32;
    let slopes: Vec<f32> = (0..FRAMES).map(|frame| slope(FPS.seconds(frame as f64).0)).collect();
    let handles = Handles { arriving: slopes.clone(), leaving: slopes };
    let curve = Curve { handles: Some(Box::new(handles)), ..every_frame(1, wave, Law::HERMITE) };
    let mut scene = alone(Channel::whole(Property::Value, curve));
    apply(&mut scene, smooth(6.0)).unwrap();
    let made = curve_of(only(&scene)).handles.as_ref().unwrap();
    for (frame, slope) in made.leaving.iter().enumerate().skip(30).take(120) {
        let should = PI * (PI * FPS.seconds(frame as f64).0).cos();
        assert!((f64::from(*slope) - should).abs() < 0.05, "{frame}: {slope} {should}");
    }
}

/// Turns evenly about an axis, more than once around, with a shake about another one.
fn turning(time: f64) -> DQuat {
    DQuat::from_axis_angle(DVec3::Y, 4.0 * time) * DQuat::from_axis_angle(DVec3::X, jitter(time))
}

fn plain(time: f64) -> DQuat {
    DQuat::from_axis_angle(DVec3::Y, 4.0 * time)
}

fn rotation_off(channel: &Channel) -> f64 {
    let (mut worst, mut value) = (0.0f64, Vec::new());
    for frame in 0..FRAMES {
        let time = FPS.seconds(frame as f64);
        dopesheet_motion::channel_at(channel, time, dopesheet_motion::Side::At, &mut value);
        let found = DQuat::from_slice(&value);
        worst = worst.max(found.angle_between(plain(time.0)).min((-found).angle_between(plain(time.0))));
    }
    worst
}

#[test]
fn rotations_of_any_sign_are_filtered_as_turns() {
    // Files may store either sign from key to key.
    let row = |time: f64| {
        let sign = if (time * 60.0).round() as i64 % 3 == 0 { -1.0 } else { 1.0 };
        (turning(time) * sign).to_array().to_vec()
    };
    let mut scene = alone(Channel::whole(Property::Rotation, every_frame(4, row, Law::SLERP)));
    let before = scene.clone();
    assert!(rotation_off(only(&before)) > 9e-3);
    apply(&mut scene, smooth(6.0)).unwrap();
    assert!(rotation_off(only(&scene)) < 1e-3, "{}", rotation_off(only(&scene)));
    let signs =
        |scene: &Scene| curve_of(only(scene)).values.chunks_exact(4).map(|q| q[1] < 0.0).collect::<Vec<_>>();
    let (old, new) = (signs(&before), signs(&scene));
    assert!(old.iter().zip(&new).filter(|(a, b)| a != b).count() < 4, "signs are those of the file");
}

#[test]
fn angles_that_wrap_are_filtered_as_turns() {
    let row = |time: f64| {
        let [x, y, z] =
            dopesheet_curve::euler_from_quat(dopesheet_curve::EULER_ZYX, turning(time).to_array());
        vec![x.to_degrees(), y.to_degrees(), z.to_degrees()]
    };
    let angles = vec![every_frame(3, row, Law::SLERP)];
    let composition = Composition::Euler { order: EulerOrder::Zyx, angles };
    let native = Some(Native { name: "degrees".into(), scale: 1f64.to_radians() });
    let mut scene = alone(Channel { property: Property::Rotation, composition, native });
    apply(&mut scene, smooth(6.0)).unwrap();
    assert!(rotation_off(only(&scene)) < 1e-3, "{}", rotation_off(only(&scene)));
}

#[test]
fn only_what_is_named_is_smoothed() {
    let shaken = |time: f64| vec![jitter(time); 3];
    let channel = || Channel::whole(Property::Translation, every_frame(3, shaken, Law::LINEAR));
    let nodes = ["a", "b"].map(|name| Node::new(name, None, Transform::IDENTITY));
    let mut scene = scene(nodes.into(), vec![joint("a", 0, vec![channel()]), joint("b", 1, vec![channel()])]);
    let before = scene.clone();
    let on = Kept { names: vec!["b".parse().unwrap()], ..Kept::default() };
    apply(&mut scene, Smooth { on, ..smooth(6.0) }).unwrap();
    assert_eq!(scene.clips[0].tracks[0], before.clips[0].tracks[0]);
    assert_ne!(scene.clips[0].tracks[1], before.clips[0].tracks[1]);
}

/// Name, parent and offset of a figure that stands with bent knees.
const FIGURE: &[(&str, usize, [f64; 3])] = &[
    ("Hips", 0, [0.0, 0.9, 0.0]),
    ("LeftUpLeg", 0, [0.1, 0.0, 0.0]),
    ("LeftLeg", 1, [0.0, -0.4, 0.15]),
    ("LeftFoot", 2, [0.0, -0.4, -0.15]),
    ("RightUpLeg", 0, [-0.1, 0.0, 0.0]),
    ("RightLeg", 4, [0.0, -0.4, 0.15]),
    ("RightFoot", 5, [0.0, -0.4, -0.15]),
];

/// Hips that sway slowly and shake, over feet that stand: each thigh turns so that its ankle stays below where the hip rests.
pub(crate) fn standing(sway: f64) -> Scene {
    let nodes: Vec<Node> = FIGURE
        .iter()
        .enumerate()
        .map(|(at, (name, parent, offset))| {
            let rest = Transform { translation: *offset, ..Transform::IDENTITY };
            Node::new(*name, (at > 0).then_some(NodeIndex(*parent)), rest)
        })
        .collect();
    let hips = move |time: f64| {
        vec![sway * (PI * time).sin() + jitter(time), 0.85 + 0.2 * jitter(time + 0.01), 0.5 * jitter(time)]
    };
    let mut scene = scene(nodes, Vec::new());
    let mut tracks = vec![joint(
        "Hips",
        0,
        vec![Channel::whole(Property::Translation, every_frame(3, hips, Law::LINEAR))],
    )];
    for (side, x) in [("Left", 0.1), ("Right", -0.1)] {
        let first = if side == "Left" { 1 } else { 4 };
        let turns = move |time: f64| {
            let hip = DVec3::from_slice(&hips(time)) + DVec3::new(x, 0.0, 0.0);
            let to = DVec3::new(x, 0.1, 0.0) - hip;
            let far = to.length();
            // Thigh and shin are as long as each other, so that the knee bends by twice what the thigh does.
            let own = (0.4f64 * 0.4 + 0.15 * 0.15).sqrt();
            let bent = 2.0 * (far / 2.0 / own).clamp(-1.0, 1.0).acos();
            let at_rest = 2.0 * (0.4 / own).acos();
            let knee = DQuat::from_axis_angle(DVec3::X, bent - at_rest);
            let reached = DVec3::new(0.0, -0.4, 0.15) + knee * DVec3::new(0.0, -0.4, -0.15);
            let hip = DQuat::from_rotation_arc(reached.normalize(), to.normalize());
            (hip, knee)
        };
        let thigh = every_frame(4, |time| turns(time).0.to_array().to_vec(), Law::SLERP);
        let shin = every_frame(4, |time| turns(time).1.to_array().to_vec(), Law::SLERP);
        let foot =
            every_frame(4, |time| (turns(time).0 * turns(time).1).inverse().to_array().to_vec(), Law::SLERP);
        for (name, curve) in [("UpLeg", thigh), ("Leg", shin), ("Foot", foot)] {
            let at = FIGURE.iter().position(|(own, ..)| *own == format!("{side}{name}")).unwrap();
            assert!(at >= first);
            tracks.push(joint(FIGURE[at].0, at, vec![Channel::whole(Property::Rotation, curve)]));
        }
    }
    scene.clips[0].tracks = tracks;
    scene
}

fn foot_off(scene: &Scene, foot: usize, place: DVec3) -> f64 {
    let places = (0..FRAMES).map(|frame| {
        let pose = local_pose(scene, &scene.clips[0], FPS.seconds(frame as f64));
        model_pose(scene, &pose).0[foot].translation.distance(place)
    });
    places.fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn feet_that_stand_stay_where_they_stood(sway in 0.0f64..0.12, cutoff in 1.0f64..8.0) {
        let before = standing(sway);
        for (foot, x) in [(3, 0.1), (6, -0.1)] {
            prop_assert!(foot_off(&before, foot, DVec3::new(x, 0.1, 0.0)) < 1e-5);
        }
        let (mut held, mut slid) = (before.clone(), before.clone());
        let report = apply(&mut held, smooth(cutoff)).unwrap();
        apply(&mut slid, Smooth { lets_feet_slide: true, ..smooth(cutoff) }).unwrap();
        prop_assert!(report.findings.is_empty(), "{:?}", report.findings);
        for (foot, x) in [(3, 0.1), (6, -0.1)] {
            let place = DVec3::new(x, 0.1, 0.0);
            prop_assert!(foot_off(&held, foot, place) < 1e-5, "{}", foot_off(&held, foot, place));
            prop_assert!(foot_off(&slid, foot, place) > 1e-5);
        }
        // The largest change that is said is that of legs, which were turned after they were filtered.
        let angle = |track: usize| {
            let [old, new] = [&before, &held].map(|scene| scene.clips[0].tracks[track].channels[0].clone());
            let rows = |channel: &Channel| curve_of(channel).values.as_chunks::<4>().0.to_vec();
            let pairs = rows(&old).into_iter().zip(rows(&new));
            let angles = pairs.map(|(a, b)| dopesheet_curve::quat_angle(a.map(f64::from), b.map(f64::from)));
            angles.fold(0.0, f64::max)
        };
        let largest = (1..7).map(angle).fold(0.0, f64::max);
        let said = report.losses.iter().find_map(|loss| match loss {
            Loss::Kept { what } => what.split_once("° (")?.0.rsplit(' ').next()?.parse::<f64>().ok(),
            _ => None,
        });
        let said = said.unwrap().to_radians();
        prop_assert!((said - largest).abs() < 0.01 * largest + 1e-5, "{said} {largest}");
        // The hips are as smooth as without.
        prop_assert_eq!(&held.clips[0].tracks[0], &slid.clips[0].tracks[0]);
    }
}

#[test]
fn feet_that_cannot_be_held_are_said_to_slide() {
    let said = |change: fn(&mut Scene)| {
        let mut scene = standing(0.1);
        change(&mut scene);
        let report = apply(&mut scene, smooth(6.0)).unwrap();
        report.findings.iter().map(|own| (own.fault.code, own.severity)).collect::<Vec<_>>()
    };
    let unknown = |scene: &mut Scene| {
        for node in &mut scene.nodes {
            node.name = format!("bone {}", node.name.len());
        }
    };
    assert_eq!(said(unknown), [("feet-not-held", Severity::Info)]);
    let side_by_side = |scene: &mut Scene| scene.hierarchy = Hierarchy::Unknown;
    assert_eq!(said(side_by_side), [("feet-not-held", Severity::Warning)]);
    let stiff = |scene: &mut Scene| scene.clips[0].tracks.retain(|track| track.target.name != "LeftLeg");
    assert_eq!(said(stiff), [("feet-not-held", Severity::Warning)]);
    assert_eq!(said(|_| {}), []);
}
