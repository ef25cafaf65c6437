//! Curves of every law keep their shape: what an operation makes plays as the source does at the time that it stands for.

use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::model::{
    Basis, Blend, Channel, Clip, Curve, Handles, Law, Laws, Outside, Property, Scene, Target, TargetKind,
    Times, Timing, Track,
};
use dopesheet_core::times::{RangeSpec, TimeValue};
use dopesheet_core::units::Seconds;
use dopesheet_edit::{Kept, KeyChange, Keys, Loop, Operation, Pace, Trim};
use dopesheet_motion::{Side, channel_at};
use proptest::prelude::*;

/// Length of all clips here, in seconds.
pub(crate) const END: f64 = 4.0;

/// A curve of numbers with keys at 0 and the end, of one law.
pub(crate) fn curves() -> impl Strategy<Value = Curve> {
    let times = prop::collection::btree_set(1u16..1000, 1..6);
    let handle = 0.0f32..=1.0;
    let timing = prop_oneof![
        Just(Timing::Linear),
        (handle.clone(), handle.clone(), handle.clone(), handle)
            .prop_map(|(x1, y1, x2, y2)| Timing::Bezier { x1, y1, x2, y2 }),
    ];
    let law = prop_oneof![
        timing.prop_map(|timing| Law { timing, blend: Blend::Lerp }),
        Just(Law::HERMITE),
        Just(Law::STEP),
    ];
    (times, law, prop::collection::vec(-2.0f32..2.0, 24)).prop_map(|(between, law, numbers)| {
        let between = between.into_iter().map(|t| END * f64::from(t) / 1000.0);
        let times: Vec<f64> = std::iter::once(0.0).chain(between).chain([END]).collect();
        let (keys, column) = (times.len(), |from: usize| numbers[from..].to_vec());
        let mut curve =
            Curve::new(Times::Seconds(times.into()), 1, column(0)[..keys].to_vec(), Laws::uniform(law));
        let (arriving, leaving) = (column(8)[..keys].to_vec(), column(16)[..keys].to_vec());
        curve.handles = Some(Box::new(Handles { arriving, leaving }));
        curve
    })
}

pub(crate) fn scene(curve: Curve) -> Scene {
    let target = Target::new(TargetKind::Custom, "x", 0, None);
    let tracks = vec![Track { target, channels: vec![Channel::whole(Property::Value, curve)] }];
    let clip = Clip { duration: Seconds(END), tracks, ..Clip::default() };
    Scene { clips: vec![clip], ..Scene::new(Basis::GLTF) }
}

pub(crate) fn apply(scene: &mut Scene, operation: &Operation) {
    operation.apply(scene, 0, &mut Report::default()).unwrap();
}

/// Applies an operation, and yields the largest error that its report tells.
pub(crate) fn told(scene: &mut Scene, operation: &Operation) -> f64 {
    let mut report = Report::default();
    operation.apply(scene, 0, &mut report).unwrap();
    let told = report.losses.iter().filter_map(|loss| match loss {
        Loss::Approximated { max_error, .. } => Some(max_error.value),
        _ => None,
    });
    told.fold(0.0, f64::max)
}

pub(crate) fn value(scene: &Scene, time: f64) -> f64 {
    let mut out = Vec::new();
    channel_at(&scene.clips[0].tracks[0].channels[0], Seconds(time), Side::At, &mut out);
    out[0]
}

/// Times strictly between keys, where steps have one value.
pub(crate) fn probes(scene: &Scene) -> Vec<f64> {
    let Channel { composition, .. } = &scene.clips[0].tracks[0].channels[0];
    let times: Vec<f64> =
        composition.curves().flat_map(|curve| curve.times.iter()).map(|time| time.0).collect();
    times.windows(2).flat_map(|pair| [0.1, 0.5, 0.9].map(|u| pair[0] + u * (pair[1] - pair[0]))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(256)))]

    #[test]
    fn a_reversed_curve_has_each_value_as_far_from_its_end(curve in curves()) {
        let forth = scene(curve);
        let mut back = forth.clone();
        apply(&mut back, &Operation::Reverse);
        for time in probes(&forth) {
            let (a, b) = (value(&forth, time), value(&back, END - time));
            prop_assert!((a - b).abs() < 1e-5, "{time}: {a} and {b}");
        }
    }

    #[test]
    fn a_curve_reversed_twice_is_itself(curve in curves()) {
        let forth = scene(curve);
        let mut twice = forth.clone();
        apply(&mut twice, &Operation::Reverse);
        apply(&mut twice, &Operation::Reverse);
        let keys = |scene: &Scene| {
            let mut curves = scene.clips[0].tracks[0].channels[0].composition.curves();
            curves.next().map(Curve::len)
        };
        prop_assert_eq!(keys(&twice), keys(&forth));
        for time in probes(&forth).into_iter().chain([0.0, END]) {
            let (a, b) = (value(&forth, time), value(&twice, time));
            prop_assert!((a - b).abs() < 1e-6, "{time}: {a} and {b}");
        }
    }

    #[test]
    fn a_retimed_curve_has_each_value_at_its_new_time(curve in curves(), speed in 0.1f64..10.0) {
        let forth = scene(curve);
        let mut faster = forth.clone();
        apply(&mut faster, &Operation::Retime(Pace::Speed(speed).into()));
        prop_assert!((faster.clips[0].duration.0 - END / speed).abs() < 1e-12);
        for time in probes(&forth) {
            let (a, b) = (value(&forth, time), value(&faster, time / speed));
            prop_assert!((a - b).abs() < 1e-5, "{time}: {a} and {b}");
        }
    }

    #[test]
    fn a_trimmed_curve_plays_as_the_part_of_the_whole(curve in curves(), start in 0.0f64..1.9, length in 0.1f64..2.0) {
        let whole = scene(curve.clone());
        let mut part = scene(curve);
        let range = RangeSpec {
            start: TimeValue::Seconds(start),
            end: TimeValue::Seconds(start + length),
        };
        let trim = Trim { range, keep_time: false, snap: false };
        let told = told(&mut part, &Operation::Trim(trim));
        for probe in 1..100 {
            let time = length * f64::from(probe) / 100.0;
            let (a, b) = (value(&whole, start + time), value(&part, time));
            prop_assert!((a - b).abs() <= told * 1.01 + 1e-5, "{time}: {a} and {b}, told {told}");
        }
    }
}

/// A step, a way to the last key, and a step after a way: keys of both kinds beside each other.
#[test]
fn steps_beside_ways_are_reversed_twice_to_themselves_with_the_last_pose() {
    let laws = |laws: &[Law]| Laws::from_segments(laws.to_vec());
    let (s, l) = (Law::STEP, Law::LINEAR);
    for (times, values, laws) in [
        (vec![0.0, 1.0, 4.0], vec![0.0, 1.0, 2.0], laws(&[s, l])),
        (vec![0.0, 1.0, 4.0], vec![0.0, 1.0, 2.0], laws(&[l, s])),
        (vec![0.0, 1.0, 2.0, 3.0], vec![0.0, 1.0, 2.0, 3.0], laws(&[s, s, l])),
        (vec![0.0, 1.0, 4.0], vec![0.0, 1.0, 2.0], laws(&[s, s])),
        (vec![0.5, 1.0, 2.0], vec![0.0, 1.0, 2.0], laws(&[s, s])),
        (vec![1.0], vec![3.0], laws(&[l])),
    ] {
        let forth = scene(Curve::new(Times::Seconds(times.clone().into()), 1, values, laws));
        let mut back = forth.clone();
        apply(&mut back, &Operation::Reverse);
        for time in [0.25, 0.75, 1.5, 2.5, 3.5] {
            let (a, b) = (value(&forth, time), value(&back, END - time));
            assert!((a - b).abs() < 1e-9, "{times:?} at {time}: {a} and {b}");
        }
        assert_eq!(value(&forth, END), value(&back, 0.0), "{times:?}");
        apply(&mut back, &Operation::Reverse);
        let curve = |scene: &Scene| {
            let curves = scene.clips[0].tracks[0].channels[0].composition.curves();
            curves.map(|own| (own.values.clone(), own.laws.clone())).collect::<Vec<_>>()
        };
        assert_eq!(curve(&back), curve(&forth), "{times:?}");
        let keys = back.clips[0].tracks[0].channels[0].composition.curves().flat_map(|own| own.times.iter());
        assert!(keys.zip(&times).all(|(key, time)| (key.0 - time).abs() < 1e-6), "{times:?}");
    }
}

/// A stepped curve with keys two seconds apart in all, before and behind which the rules count.
fn stepped(first: f64, before: &Outside, after: &Outside) -> Curve {
    let times = Times::Seconds([first, first + 1.0, first + 2.0].into());
    let curve = Curve::new(times, 1, vec![0.1, 0.2, 0.3], Laws::uniform(Law::STEP));
    Curve { before: before.clone(), after: after.clone(), ..curve }
}

#[test]
fn a_stepped_curve_that_repeats_on_either_side_keeps_its_cycle_when_it_is_reversed() {
    let rules = [Outside::Hold, Outside::Loop, Outside::PingPong];
    let pairs = rules.iter().flat_map(|before| rules.iter().map(move |after| (before, after)));
    for (first, (before, after)) in pairs.flat_map(|pair| [0.0, 0.5].map(|first| (first, pair))) {
        let mut scene = scene(stepped(first, before, after));
        let source = scene.clone();
        apply(&mut scene, &Operation::Reverse);
        for time in [0.2, 0.7, 1.2, 1.7, 2.2, 2.7, 3.2, 3.7] {
            let words = format!("{before:?} and {after:?} from {first} s on at {time} s");
            assert_eq!(value(&scene, time), value(&source, END - time), "{words}");
        }
    }
}

#[test]
fn a_key_inserted_behind_the_last_key_leaves_what_a_curve_repeats_before_its_first_key() {
    for (before, after) in [(Outside::Loop, Outside::Hold), (Outside::Hold, Outside::PingPong)] {
        // The time is before or behind all keys of the curve.
        let (first, at) = if after == Outside::Hold { (1.5, 3.8) } else { (0.5, 0.3) };
        let times = Times::Seconds([first, first + 0.5, first + 1.0].into());
        let curve = Curve::new(times, 1, vec![0.1, 0.2, 0.5], Laws::uniform(Law::LINEAR));
        let mut scene = scene(Curve { before: before.clone(), after: after.clone(), ..curve });
        let source = scene.clone();
        let change = KeyChange::Insert { at: TimeValue::Seconds(at) };
        apply(&mut scene, &Operation::Keys(Keys { on: Kept::default(), change, snap: false }));
        let curve = scene.clips[0].curves().next().unwrap();
        assert!(curve.times.iter().any(|time| time.0 == at), "{:?}", curve.times);
        for time in [0.1, 0.2, 0.4, 0.6, 1.3, 1.9, 2.4, 2.9, 3.3, 3.9] {
            let error = (value(&scene, time) - value(&source, time)).abs();
            assert!(error < 1e-3, "{before:?} and {after:?} at {time} s: {error}");
        }
    }
}

#[test]
fn loop_closes_to_the_pose_at_zero_of_a_clip_with_keys_before_zero() {
    let times = Times::Seconds([-2.0, 0.0, 2.0, END].into());
    let mut scene = scene(Curve::new(times, 1, vec![9.0, 1.0, 2.0, 3.0], Laws::uniform(Law::LINEAR)));
    apply(&mut scene, &Operation::Loop(Loop { over: Some(TimeValue::Seconds(1.0)), travels: false }));
    assert_eq!([0.0, 2.0, END].map(|time| value(&scene, time)), [1.0, 2.0, 1.0]);
}
