//! How far two animations are apart.

use crate::kit::*;
use dopesheet_core::diag::{ErrorUnit, Loss, Report};
use dopesheet_core::format::{KeyStorage, TimeRounding};
use dopesheet_core::model::{
    Blend, Channel, Clip, Composition, Curve, Hierarchy, Law, MorphSet, MorphSetIndex, NodeIndex,
    PoseRelation, Property, Scene, Target, TargetKind, Times, Timing, Track, Transform,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_motion::compare::{ChannelDifference, joint_differences_at};
use dopesheet_motion::sample::pose::{local_pose, model_pose};
use dopesheet_motion::{Animation, Comparison, Conform, Tolerance, compare, conform};
use glam::{DAffine3, DVec3};
use proptest::prelude::*;

fn arm() -> Scene {
    let bone = |x: f64| Transform { translation: [x, 0.0, 0.0], ..Transform::IDENTITY };
    chain(&[bone(0.0), bone(0.3), bone(0.25)])
}

fn turning(degrees: f64) -> Channel {
    let values = [turn([0.0, 0.0, 1.0], 0.0), turn([0.0, 0.0, 1.0], degrees)].concat();
    Channel::whole(Property::Rotation, wide(seconds(&[0.0, 2.0]), 4, &values, Law::SLERP))
}

fn moving(times: Times, values: &[f32], law: Law) -> Channel {
    Channel::whole(Property::Translation, wide(times, 3, values, law))
}

fn compared(scene: &Scene, a: &Clip, b: &Clip) -> Comparison {
    compare(Animation { scene, clip: a }, Animation { scene, clip: b }, &Tolerance::DEFAULT)
}

fn channel<'a>(found: &'a Comparison, target: &str, channel: &str) -> &'a ChannelDifference {
    let of_target = found.tracks.iter().filter(|t| t.target == target).flat_map(|t| &t.channels);
    of_target
        .into_iter()
        .find(|d| d.channel == channel)
        .unwrap_or_else(|| panic!("{target} {channel}: {found:?}"))
}

/// Equal but for the rounding of quaternions to f32.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 3e-7
}

#[test]
fn an_animation_is_not_apart_from_itself() {
    let scene = arm();
    let numbers = weight(line(&[0.0, 1.0], &[f32::NAN, 1.0], Law::LINEAR));
    let tracks = vec![joint("n0", 0, vec![turning(170.0)]), track(TargetKind::Morph, "smile", vec![numbers])];
    let clip = clip(2.0, tracks);
    let same = compared(&scene, &clip, &clip);
    assert!(same.is_within && same.largest.is_none(), "{same:?}");
    assert_eq!((same.tracks.len(), same.end), (2, Seconds(2.0)));
}

#[test]
fn a_turned_shoulder_moves_the_hand_in_model_space() {
    let scene = arm();
    let a = clip(2.0, vec![joint("n0", 0, vec![turning(90.0)])]);
    let b = clip(2.0, vec![joint("n0", 0, vec![turning(91.0)])]);
    let found = compared(&scene, &a, &b);
    let worst = found.largest.clone().unwrap();
    let chord = 2.0 * 0.5_f64.to_radians().sin();
    assert_eq!((worst.target.as_str(), worst.difference.time), ("n2", Seconds(2.0)));
    assert!(near(worst.model_space_m.unwrap(), chord * (0.55 + Tolerance::SHELL_M)), "{worst:?}");
    assert!(near(worst.rotation_rad.unwrap(), 1.0_f64.to_radians()), "{worst:?}");
    assert!(!found.is_within && found.only_in_a.is_empty());
    assert!(near(channel(&found, "n0", "model-space").value, chord * Tolerance::SHELL_M));
    assert!(near(channel(&found, "n0", "rotation").value, 1.0_f64.to_radians()));
    assert_eq!(channel(&found, "n0", "rotation").limit, None, "model space stands for it");
}

#[test]
fn without_a_hierarchy_each_joint_is_alone_and_its_shell_a_metre() {
    let scene = Scene { hierarchy: Hierarchy::Unknown, ..arm() };
    let a = clip(2.0, vec![joint("n0", 0, vec![turning(90.0)])]);
    let b = clip(2.0, vec![joint("n0", 0, vec![turning(91.0)])]);
    let found = compared(&scene, &a, &b);
    assert_eq!((found.hierarchy, found.shell_m, found.tracks.len()), (Hierarchy::Unknown, 1.0, 1));
    assert!(near(channel(&found, "n0", "model-space").value, 2.0 * 0.5_f64.to_radians().sin()));
}

#[test]
fn what_rests_on_the_other_side_is_no_difference_and_what_moves_there_is_listed() {
    let scene = arm();
    let rest = moving(seconds(&[0.0]), &[0.3, 0.0, 0.0], Law::LINEAR);
    let off = moving(seconds(&[0.0]), &[0.3, 0.5, 0.0], Law::LINEAR);
    let empty = clip(2.0, vec![]);
    let resting = compared(&scene, &clip(2.0, vec![joint("n1", 1, vec![rest])]), &empty);
    assert!(resting.is_within && resting.only_in_a.is_empty(), "{resting:?}");
    let moved = compared(&scene, &empty, &clip(2.0, vec![joint("n1", 1, vec![off])]));
    assert!(!moved.is_within && moved.only_in_a.is_empty());
    let names: Vec<_> = moved.only_in_b.iter().map(|l| l.target.as_str()).collect();
    assert_eq!(names, ["n1"]);
    assert!(near(channel(&moved, "n1", "translation").value, 0.5));
}

#[test]
fn a_joint_that_the_other_side_lacks_is_compared_with_its_own_rest() {
    let (a, mut b) = (arm(), arm());
    b.nodes.truncate(2);
    let empty = clip(2.0, vec![]);
    let tail = |degrees| clip(2.0, vec![joint("n2", 2, vec![turning(degrees)])]);
    let lone = |clip_a: &Clip| {
        compare(
            Animation { scene: &a, clip: clip_a },
            Animation { scene: &b, clip: &empty },
            &Tolerance::DEFAULT,
        )
    };
    assert!(lone(&tail(0.0)).is_within);
    assert_eq!(lone(&tail(20.0)).only_in_a[0].target, "n2");
}

#[test]
fn equal_names_are_matched_by_position() {
    let mut scene = arm();
    scene.nodes[2].name = "n1".into();
    let tracks = |first: f64, second: f64| {
        vec![joint("n1", 1, vec![turning(first)]), joint("n1", 2, vec![turning(second)])]
    };
    assert!(compared(&scene, &clip(2.0, tracks(10.0, 20.0)), &clip(2.0, tracks(10.0, 20.0))).is_within);
    assert!(!compared(&scene, &clip(2.0, tracks(10.0, 20.0)), &clip(2.0, tracks(20.0, 10.0))).is_within);
}

/// Keys of glTF: times are f32, and a jump is two keys one step apart.
fn as_gltf(curve: &Curve) -> Curve {
    let mut times: Vec<f32> = times_of(curve).iter().map(|t| *t as f32).collect();
    for key in 1..times.len() {
        if times[key] <= times[key - 1] {
            times[key - 1] = times[key].next_down();
        }
    }
    Curve { times: Times::Seconds(times.into_iter().map(f64::from).collect()), ..curve.clone() }
}

#[test]
fn a_jump_and_its_rounding_in_a_file_are_the_same() {
    let scene = arm();
    let stepped = |law: Law| {
        let values: Vec<f32> = (0..40).flat_map(|n| [(n % 3) as f32, 0.0, 0.0]).collect();
        wide(frames(&(0..40).map(|n| n * 7 / 2).collect::<Vec<_>>()), 3, &values, law)
    };
    let values: Vec<f32> = [0.0, 1.0, 5.0, 6.0].iter().flat_map(|x| [*x, 0.0, 0.0]).collect();
    let jump = wide(seconds(&[0.0, 0.7, 0.7, 1.9]), 3, &values, Law::LINEAR);
    for curve in [stepped(Law::STEP), jump] {
        let end = curve.times.span().unwrap().1.0;
        let own = |curve: Curve| {
            let channel = Channel::whole(Property::Translation, curve);
            clip(end, vec![joint("n1", 1, vec![channel])])
        };
        let (a, b) = (own(curve.clone()), own(as_gltf(&curve)));
        let found = compared(&scene, &a, &b);
        assert!(found.is_within, "{:?}", found.largest);
    }
}

#[test]
fn a_jump_at_the_very_start_has_no_before() {
    let scene = arm();
    let values: Vec<f32> = [1.0, 2.0, 3.0].iter().flat_map(|x| [*x, 0.0, 0.0]).collect();
    let jump = wide(seconds(&[0.0, 0.0, 1.0]), 3, &values, Law::LINEAR);
    let without = wide(seconds(&[0.0, 1.0]), 3, &values[3..], Law::LINEAR);
    let own = |curve| clip(1.0, vec![joint("n1", 1, vec![Channel::whole(Property::Translation, curve)])]);
    assert!(compared(&scene, &own(jump), &own(without)).is_within);
}

#[test]
fn what_rounding_key_times_to_f32_costs_is_counted() {
    let scene = arm();
    // Half a step of f32 near 2 s is 0.12 µs: 0.18 mm at 1500 m/s.
    let values: Vec<f32> = [0.0, 50.0, 0.0].iter().flat_map(|x| [*x, 0.0, 0.0]).collect();
    let own = |curve| clip(2.2, vec![joint("n1", 1, vec![Channel::whole(Property::Translation, curve)])]);
    let fast = wide(frames(&[64, 65, 66]), 3, &values, Law::LINEAR);
    let found = compared(&scene, &own(fast.clone()), &own(as_gltf(&fast)));
    let displaced = channel(&found, "n1", "model-space").value;
    assert!((1e-4..1.8e-4).contains(&displaced), "{displaced}");
    let slow = Curve { values: values.iter().map(|x| x / 100.0).collect(), ..fast };
    let found = compared(&scene, &own(slow.clone()), &own(as_gltf(&slow)));
    let displaced = channel(&found, "n1", "model-space").value;
    assert!((1e-6..1.8e-6).contains(&displaced), "{displaced}");
}

#[test]
fn what_the_keys_of_a_joint_are_rounded_by_is_no_time_of_the_joints_it_hangs_on() {
    let scene = arm();
    // The shoulder moves at 1500 m/s, the same on both sides; what hangs on it has keys in the midst of that.
    let x = |list: &[f32]| list.iter().flat_map(|x| [*x, 0.0, 0.0]).collect::<Vec<f32>>();
    let fast = moving(seconds(&[2.0, 2.25]), &x(&[0.0, 375.0]), Law::LINEAR);
    let slow = wide(frames(&[60, 61, 64, 65, 67]), 3, &x(&[0.0, 0.1, 0.0, 0.1, 0.0]), Law::LINEAR);
    let own = |curve: Curve| {
        let hanging = Channel::whole(Property::Translation, curve);
        clip(2.25, vec![joint("n0", 0, vec![fast.clone()]), joint("n1", 1, vec![hanging])])
    };
    let found = compared(&scene, &own(slow.clone()), &own(as_gltf(&slow)));
    let farthest = channel(&found, "n1", "model-space").value;
    // Half a step of f32 at 1500 m/s is 0.18 mm.
    assert!(farthest < 1e-6, "{farthest}");
}

#[test]
fn what_a_conversion_says_of_joints_on_something_steep_is_what_a_comparison_finds() {
    let scene = arm();
    // A metre, steepest at half a frame: a time between two f32.
    let steep = Law { timing: Timing::Bezier { x1: 1.0, y1: 0.0, x2: 0.0, y2: 1.0 }, blend: Blend::Lerp };
    let steep = moving(frames(&[4773, 4774]), &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0], steep);
    let rate = FrameRate::FPS_60;
    let times = Times::Frames { rate, frames: [9545, 9547, 9549].into() };
    let hanging = wide(times, 3, &[0.0, 0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0], Law::LINEAR);
    let tracks = |steep: Channel, hanging: Curve| {
        let hanging = Channel::whole(Property::Translation, hanging);
        vec![joint("n0", 0, vec![steep]), joint("n1", 1, vec![hanging])]
    };
    let source = clip(rate.seconds(9549.0).0, tracks(steep, hanging.clone()));
    let storage = KeyStorage { times: TimeRounding::Single, ..KeyStorage::default() };
    let mut made = Scene { clips: vec![source.clone()], ..scene.clone() };
    let mut report = Report::default();
    conform(&mut made, &like_gltf(), &Conform { storage, ..Conform::default() }, &mut report);
    let steep = made.clips.remove(0).tracks.remove(0).channels.remove(0);
    let keys = times_of(only_curve(&steep));
    assert!(keys.iter().all(|time| f64::from(*time as f32) == *time) && keys.len() > 20, "{keys:?}");
    let made = clip(source.duration.0, tracks(steep, as_gltf(&hanging)));
    let found = compared(&scene, &source, &made);
    let in_model_space = |loss: &Loss| match loss {
        Loss::Approximated { what, max_error, .. } => what
            .starts_with("model space")
            .then(|| (max_error.target.clone(), max_error.value, max_error.time)),
        _ => None,
    };
    let largest = found.largest.unwrap();
    let measured = (largest.target, largest.difference.value, largest.difference.time);
    assert_eq!(report.losses.iter().find_map(in_model_space), Some(measured));
    assert_eq!(report.findings.is_empty(), found.is_within);
}

#[test]
fn a_jump_that_comes_a_frame_late_is_a_difference() {
    let scene = arm();
    let step = |at: f64| {
        let channel = moving(seconds(&[0.0, at, 2.0]), &[0., 0., 0., 1., 0., 0., 1., 0., 0.], Law::STEP);
        clip(2.0, vec![joint("n1", 1, vec![channel])])
    };
    let found = compared(&scene, &step(1.0), &step(1.0 + 1.0 / 30.0));
    assert!(near(found.largest.unwrap().model_space_m.unwrap(), 1.0));
    let found = compared(&scene, &step(1.0), &step(1.0 + 1e-5));
    assert!(!found.is_within, "also much less than a frame");
}

#[test]
fn a_bulge_between_equal_keys_is_met() {
    let scene = arm();
    let straight = moving(seconds(&[0.0, 2.0]), &[0.0; 6], Law::LINEAR);
    let mut bulged = only_curve(&straight).clone();
    let slopes = vec![0.0, 1.0, 0.0, 0.0, -1.0, 0.0];
    let handles = dopesheet_core::model::Handles { arriving: slopes.clone(), leaving: slopes };
    bulged.handles = Some(Box::new(handles));
    bulged.laws = dopesheet_core::model::Laws::uniform(law(Blend::Hermite));
    let bulged = Channel::whole(Property::Translation, bulged);
    let own = |channel| clip(2.0, vec![joint("n1", 1, vec![channel])]);
    let found = compared(&scene, &own(straight), &own(bulged));
    // The height is 0.5; the nearest of 8 points misses its top by a 36th of the segment.
    let height = channel(&found, "n1", "translation").value;
    assert!((0.49..=0.5).contains(&height), "{height}");
}

#[test]
fn the_longer_one_says_how_far_it_goes() {
    let scene = arm();
    let (short, long) = (moving(seconds(&[0.0, 1.0]), &[0., 0., 0., 1., 0., 0.], Law::LINEAR), turning(0.0));
    let a = clip(1.0, vec![joint("n1", 1, vec![short.clone()])]);
    let b = clip(3.0, vec![joint("n1", 1, vec![short, long])]);
    let found = compared(&scene, &a, &b);
    assert_eq!(found.end, Seconds(3.0));
    assert!(found.is_within);
}

#[test]
fn a_loop_that_ends_with_its_clip_does_not_start_again() {
    let scene = arm();
    let channel = moving(seconds(&[0.0, 0.9]), &[0., 0., 0., 1., 0., 0.], Law::LINEAR);
    let curve = only_curve(&channel).clone();
    let looped = Curve { after: dopesheet_core::model::Outside::Loop, ..curve.clone() };
    let own = |curve: Curve, end: f64| {
        clip(end, vec![joint("n1", 1, vec![Channel::whole(Property::Translation, curve)])])
    };
    let b = as_gltf(&curve);
    let end = b.times.span().unwrap().1.0;
    let found = compared(&scene, &own(looped, 0.9), &own(b, end));
    assert!(found.is_within, "{:?}", found.largest);
}

#[test]
fn every_kind_of_channel_has_its_limit() {
    let scene = arm();
    let one = |kind, property: Property, values: &[f32], law| {
        let curve = wide(seconds(&[0.0]), values.len(), values, law);
        clip(1.0, vec![track(kind, "it", vec![Channel::whole(property, curve)])])
    };
    use TargetKind::{Camera, Custom, Light, Morph};
    for (kind, property, a, good, bad, unit) in [
        (Morph, Property::Weight, vec![0.5], vec![0.5009], vec![0.502], ErrorUnit::One),
        (Light, Property::Color, vec![0.5, 0., 0.], vec![0.5039, 0., 0.], vec![0.51, 0., 0.], ErrorUnit::One),
        (Camera, Property::YFov, vec![0.5], vec![0.5001], vec![0.5003], ErrorUnit::Radian),
        (
            Light,
            Property::Direction,
            vec![1., 0., 0.],
            vec![2., 2e-4, 0.],
            vec![2., 1e-3, 0.],
            ErrorUnit::Radian,
        ),
        (Custom, Property::Value, vec![1000.0], vec![1000.9], vec![1001.1], ErrorUnit::One),
        (Custom, Property::Visible, vec![0.0], vec![0.0], vec![1.0], ErrorUnit::One),
    ] {
        let base = one(kind, property.clone(), &a, Law::LINEAR);
        for (other, is_within) in [(good, true), (bad, false)] {
            let found = compared(&scene, &base, &one(kind, property.clone(), &other, Law::LINEAR));
            assert_eq!(found.is_within, is_within, "{property:?} {other:?}: {found:?}");
            assert_eq!(found.tracks[0].channels[0].unit, unit, "{property:?}");
        }
    }
}

#[test]
fn cameras_are_held_to_a_hundredth_of_a_degree() {
    let mut scene = arm();
    let found = |scene: &Scene| {
        let own = |degrees| clip(2.0, vec![joint("n2", 2, vec![turning(degrees)])]);
        compared(scene, &own(30.0), &own(30.02))
    };
    assert!(found(&scene).is_within, "0.02° moves skin by 0.01 mm");
    scene.nodes[2].camera = Some(dopesheet_core::model::CameraIndex(0));
    assert!(!found(&scene).is_within);
    assert!(near(channel(&found(&scene), "n2", "gaze").value, 0.02_f64.to_radians()));
}

#[test]
fn weights_are_matched_by_the_names_of_their_morphs() {
    let morphs = |names: &[&str]| {
        let mut scene = arm();
        let names = names.iter().map(|n| (*n).to_owned()).collect();
        scene.morph_sets.push(MorphSet { morphs: names, ..MorphSet::default() });
        scene.nodes[1].morphs = Some(MorphSetIndex(0));
        scene
    };
    let weights = |kind, name: &str, values: &[f32]| {
        let curve = wide(seconds(&[0.0]), values.len(), values, Law::LINEAR);
        let target = Target::new(kind, name, 0, Some(NodeIndex(1)));
        clip(1.0, vec![Track { target, channels: vec![Channel::whole(Property::Weights, curve)] }])
    };
    let (scene_a, scene_b) = (morphs(&["smile", "blink"]), morphs(&["blink", "smile"]));
    let clip_a = weights(TargetKind::Morph, "Morphs", &[0.25, 0.75]);
    for (values, is_within) in [(&[0.75, 0.25], true), (&[0.25, 0.75], false)] {
        let clip_b = weights(TargetKind::Joint, "n1", values);
        let (a, b) =
            (Animation { scene: &scene_a, clip: &clip_a }, Animation { scene: &scene_b, clip: &clip_b });
        let found = compare(a, b, &Tolerance::DEFAULT);
        assert_eq!(found.is_within, is_within, "{found:?}");
        assert!(found.only_in_a.is_empty() && found.only_in_b.is_empty());
        if !is_within {
            assert_eq!(found.largest.unwrap().difference.component.as_deref(), Some("smile"));
        }
    }
}

#[test]
fn a_switch_in_one_only_is_listed_unless_it_shows_what_is_there_anyway() {
    let scene = arm();
    let shown = |value| clip(1.0, vec![track(TargetKind::Custom, "model", vec![switch(value)])]);
    fn switch(value: f32) -> Channel {
        Channel::whole(Property::Visible, line(&[0.0], &[value], Law::STEP))
    }
    assert!(compared(&scene, &shown(1.0), &clip(1.0, vec![])).is_within);
    let hidden = compared(&scene, &shown(0.0), &clip(1.0, vec![]));
    assert_eq!((hidden.is_within, hidden.only_in_a.len()), (false, 1));
}

/// The largest displacement of a few points around each joint at some times, by the slow and simple pose.
fn brute(scene: &Scene, a: &Clip, b: &Clip, end: f64) -> f64 {
    let shell = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z, DVec3::ZERO];
    let mut most = 0.0_f64;
    for step in 0..=300 {
        let time = Seconds(end * f64::from(step) / 300.0);
        let [a, b] = [a, b].map(|clip| model_pose(scene, &local_pose(scene, clip, time)).0);
        for (a, b) in a.iter().zip(&b) {
            let at = |own: &DAffine3, p: DVec3| own.transform_point3(p * Tolerance::SHELL_M);
            most = shell.iter().map(|p| at(a, *p).distance(at(b, *p))).fold(most, f64::max);
        }
    }
    most
}

fn bent() -> impl Strategy<Value = Vec<Track>> {
    let key = (prop::array::uniform3(-1.0f32..1.0), -170.0f64..170.0);
    let keys = prop::collection::vec(key, 2..5);
    let move_ = prop::collection::vec(prop::array::uniform3(-0.5f32..0.5), 2..5);
    let joint_ = move |node: usize| {
        (keys.clone(), move_.clone()).prop_map(move |(turns, moves)| {
            let times =
                |n: usize| seconds(&(0..n).map(|i| 2.0 * i as f64 / (n - 1) as f64).collect::<Vec<_>>());
            let turned: Vec<f32> = turns
                .iter()
                .flat_map(|(axis, degrees)| {
                    let axis = DVec3::from(axis.map(f64::from)).normalize_or(DVec3::X);
                    turn(axis.to_array().map(|x| x as f32), *degrees)
                })
                .collect();
            let rotation =
                Channel::whole(Property::Rotation, wide(times(turns.len()), 4, &turned, Law::SLERP));
            let translation = moving(times(moves.len()), &moves.concat(), Law::LINEAR);
            joint(&format!("n{node}"), node, vec![rotation, translation])
        })
    };
    (joint_(0), joint_(1), joint_(2)).prop_map(|(a, b, c)| vec![a, b, c])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(48)))]

    #[test]
    fn no_point_is_ever_farther_apart_than_measured(
        a in bent(), b in bent(), scale in prop::sample::select(vec![1.0, 1.5, -0.5]), on_top in any::<bool>(),
    ) {
        let mut scene = arm();
        scene.nodes[0].rest.scale = [scale; 3];
        let relation = if on_top { PoseRelation::OnTopOfRest } else { PoseRelation::Absolute };
        let [a, b] = [a, b].map(|tracks| Clip { relation, ..clip(2.0, tracks) });
        let measured = compared(&scene, &a, &b).largest.unwrap().model_space_m.unwrap();
        let seen = brute(&scene, &a, &b, 2.0);
        // Between the measured times the difference may be a little larger.
        prop_assert!(seen <= measured * 1.02 + 1e-9, "{seen} {measured}");
        prop_assert!(measured <= seen + 2.0 * 2.0 * Tolerance::SHELL_M * scale.abs() + 0.1 * seen, "{seen} {measured}");
    }
}

#[test]
fn eased_components_are_compared_too() {
    let scene = arm();
    let component = |law: Law| {
        let curve =
            |y: f32| Curve::new(frames(&[0, 30]), 1, vec![0.0, y], dopesheet_core::model::Laws::uniform(law));
        composed(Property::Translation, Composition::Components(vec![curve(0.0), curve(1.0), curve(0.0)]))
    };
    let own = |law| clip(1.0, vec![joint("n1", 1, vec![component(law)])]);
    assert!(compared(&scene, &own(eased(Blend::Lerp)), &own(eased(Blend::Lerp))).is_within);
    assert!(!compared(&scene, &own(eased(Blend::Lerp)), &own(Law::LINEAR)).is_within);
}

#[test]
fn moments_are_measured_as_the_whole_is() {
    let scene = arm();
    let clips = [30.0, 34.0].map(|degrees| clip(2.0, vec![joint("n0", 0, vec![turning(degrees)])]));
    let [a, b] = clips.each_ref().map(|clip| Animation { scene: &scene, clip });
    let whole = compare(a, b, &Tolerance::DEFAULT);
    let worst = channel(&whole, "n2", "model-space");
    let now = joint_differences_at(a, b, worst.time, whole.shell_m);
    let tip = now.iter().find(|joint| joint.a == NodeIndex(2)).unwrap();
    assert!(near(tip.displacement_m, worst.value) && tip.displacement_m > 0.03, "{tip:?} {worst:?}");
    assert!(
        joint_differences_at(a, b, Seconds(0.0), whole.shell_m)
            .iter()
            .all(|joint| joint.displacement_m == 0.0)
    );

    let flat = Scene { hierarchy: Hierarchy::Unknown, ..arm() };
    let [a, b] = clips.each_ref().map(|clip| Animation { scene: &flat, clip });
    let alone = joint_differences_at(a, b, worst.time, 1.0);
    assert!(alone[0].displacement_m > 0.05 && alone[2].displacement_m == 0.0, "each by itself: {alone:?}");
}
