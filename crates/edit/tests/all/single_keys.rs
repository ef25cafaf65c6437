//! Single keys, markers, and other numbers of keys.

use crate::assert_says;
use crate::identities::{END, apply, curves, probes, scene, told, value};
use dopesheet_core::diag::Report;
use dopesheet_core::model::{Curve, Law, Laws, Scene, Times};
use dopesheet_core::times::{RangeSpec, TimeValue};
use dopesheet_core::units::FrameRate;
use dopesheet_edit::{
    Kept, KeyChange, KeyLaw, Keys, MarkerChange, Markers, Operation, Reason, Reduce, Resample,
};
use proptest::prelude::*;

fn keys(change: KeyChange) -> Operation {
    Operation::Keys(Keys { on: Kept::default(), change, snap: false })
}

fn range(start: f64, end: f64) -> RangeSpec {
    RangeSpec { start: TimeValue::Frames(start), end: TimeValue::Frames(end) }
}

/// A scene at 30 frames a second of straight keys 0, 10, 20 and 30.
fn framed() -> Scene {
    let times = Times::Frames { rate: FrameRate::FPS_30, frames: [0, 10, 20, 30].into() };
    let mut made = scene(Curve::new(times, 1, vec![0.0, 1.0, 2.0, 4.0], Laws::uniform(Law::LINEAR)));
    made.clips[0].grid = Some(FrameRate::FPS_30);
    made.clips[0].duration = FrameRate::FPS_30.seconds(30.0);
    made
}

fn list(scene: &Scene) -> Vec<(i64, f32)> {
    let curve = curve(scene);
    (0..curve.len()).map(|key| (curve.times.frame(key).unwrap().0, curve.values[key])).collect()
}

fn curve(scene: &Scene) -> &Curve {
    scene.clips[0].tracks[0].channels[0].composition.curves().next().unwrap()
}

fn changed(change: KeyChange) -> Vec<(i64, f32)> {
    let mut scene = framed();
    apply(&mut scene, &keys(change));
    list(&scene)
}

fn refused(operation: &Operation) -> Reason {
    operation.apply(&mut framed(), 0, &mut Report::default()).unwrap_err().reason
}

#[test]
fn keys_are_moved_left_out_copied_and_scaled_and_all_others_stay() {
    let by = TimeValue::Frames(5.0);
    assert_eq!(
        changed(KeyChange::Move { range: range(10.0, 20.0), by }),
        [(0, 0.0), (15, 1.0), (25, 2.0), (30, 4.0)]
    );
    assert_eq!(changed(KeyChange::Delete { range: range(5.0, 20.0) }), [(0, 0.0), (30, 4.0)]);
    assert_eq!(
        changed(KeyChange::Copy { range: range(0.0, 10.0), to: TimeValue::Frames(20.0) }),
        [(0, 0.0), (10, 1.0), (20, 0.0), (30, 1.0)]
    );
    assert_eq!(
        changed(KeyChange::Scale { range: range(0.0, 20.0), factor: 0.5 }),
        [(0, 0.0), (5, 1.0), (10, 2.0), (30, 4.0)]
    );
    assert_eq!(
        changed(KeyChange::Insert { at: TimeValue::Frames(15.0) }),
        [(0, 0.0), (10, 1.0), (15, 1.5), (20, 2.0), (30, 4.0)]
    );
    assert_eq!(changed(KeyChange::Insert { at: TimeValue::Frames(10.0) }), list(&framed()));
}

#[test]
fn a_key_behind_the_last_one_or_before_the_first_holds_the_value_there() {
    let at = |frame| KeyChange::Insert { at: TimeValue::Frames(frame) };
    assert_eq!(changed(at(40.0)), [(0, 0.0), (10, 1.0), (20, 2.0), (30, 4.0), (40, 4.0)]);
    assert_eq!(changed(at(-5.0)), [(-5, 0.0), (0, 0.0), (10, 1.0), (20, 2.0), (30, 4.0)]);
}

#[test]
fn a_law_is_that_of_the_way_to_the_next_key() {
    let mut scene = framed();
    apply(&mut scene, &keys(KeyChange::SetLaw { range: range(10.0, 10.0), law: KeyLaw::Step }));
    let laws: Vec<Law> = (0..3).map(|segment| curve(&scene).laws.get(segment)).collect();
    assert_eq!(laws, [Law::LINEAR, Law::STEP, Law::LINEAR]);
}

#[test]
fn changes_that_keys_cannot_take_are_refused() {
    let by = |frames: f64| KeyChange::Move { range: range(10.0, 10.0), by: TimeValue::Frames(frames) };
    for frames in [10.0, 15.0, -10.0, -11.0] {
        assert_says(&refused(&keys(by(frames))), "expected keys to stay apart");
    }
    assert_says(
        &refused(&keys(KeyChange::Delete { range: range(0.0, 30.0) })),
        "expected a key to be left of each curve",
    );
    assert_says(
        &refused(&keys(KeyChange::Delete { range: range(11.0, 12.0) })),
        "expected a key of those that are meant",
    );
    let scale = |factor| keys(KeyChange::Scale { range: range(0.0, 30.0), factor });
    assert_says(&refused(&scale(0.0)), "expected a number above 0");
    assert!(matches!(refused(&scale(0.25)), Reason::OffGrid { .. }));
    let law = KeyLaw::Bezier([1.5, 0.0, 0.5, 1.0]);
    assert_says(
        &refused(&keys(KeyChange::SetLaw { range: range(0.0, 0.0), law })),
        "expected control points with times from 0 to 1",
    );
}

#[test]
fn markers_are_added_in_order_moved_and_removed() {
    let mut scene = framed();
    let mut change = |change: MarkerChange| {
        apply(&mut scene, &Operation::Markers(Markers { change, snap: false }));
        let names: Vec<String> = scene.clips[0].markers.iter().map(|marker| marker.name.clone()).collect();
        names.join(" ")
    };
    let at = TimeValue::Frames;
    assert_eq!(change(MarkerChange::Add { at: at(20.0), name: "b".into() }), "b");
    assert_eq!(change(MarkerChange::Add { at: at(10.0), name: "a".into() }), "a b");
    assert_eq!(change(MarkerChange::Move { marker: "a".into(), to: at(30.0) }), "b a");
    assert_eq!(change(MarkerChange::Remove { marker: "20f".into() }), "a");
    let remove = MarkerChange::Remove { marker: "b".into() };
    assert_says(
        &refused(&Operation::Markers(Markers { change: remove, snap: false })),
        "expected the name or the time of a marker",
    );
    let late = MarkerChange::Add { at: at(31.0), name: "c".into() };
    assert_says(
        &refused(&Operation::Markers(Markers { change: late, snap: false })),
        "expected a range within the clip",
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(256)))]

    #[test]
    fn a_key_that_is_inserted_leaves_the_curve_as_it_plays(curve in curves(), time in 0.1f64..3.9) {
        let source = scene(curve);
        let mut made = source.clone();
        let error = told(&mut made, &keys(KeyChange::Insert { at: TimeValue::Seconds(time) }));
        for probe in probes(&source) {
            let (a, b) = (value(&source, probe), value(&made, probe));
            prop_assert!((a - b).abs() <= error * 1.01 + 1e-5, "{probe}: {a} and {b}, told {error}");
        }
    }

    #[test]
    fn a_resampled_curve_has_its_values_on_frames_and_a_reduced_one_within_the_tolerance(curve in curves()) {
        let source = scene(curve);
        let mut made = source.clone();
        let rate = FrameRate::FPS_60;
        apply(&mut made, &Operation::Resample(Resample { rate }));
        let (own, all) = (super::single_keys::curve(&made), (END * 60.0) as usize + 1);
        match own.laws.get(0) {
            Law::STEP => prop_assert!(own.values.windows(2).all(|pair| pair[0] != pair[1])),
            _ => prop_assert_eq!(own.len(), all),
        }
        let sampled = made.clone();
        let mut report = Report::default();
        let reduce = Operation::Reduce(Reduce::default());
        reduce.apply(&mut made, 0, &mut report).unwrap();
        for frame in 0..=(END * 60.0) as u32 {
            let time = rate.seconds(f64::from(frame)).0;
            let (a, b, c) = (value(&source, time), value(&sampled, time), value(&made, time));
            prop_assert!((a - b).abs() < 1e-5, "{time}: {a} and {b}");
            prop_assert!((b - c).abs() < 1.1e-3, "{time}: {b} and {c}");
        }
        let is_told = report.losses.iter().any(|loss| loss.to_string().contains("left out"));
        prop_assert_eq!(is_told, super::single_keys::curve(&made).len() < super::single_keys::curve(&sampled).len());
    }
}

#[test]
fn what_steps_has_keys_where_it_changes_after_it_was_sampled_or_reduced() {
    let times = Times::Frames { rate: FrameRate::FPS_30, frames: [0, 10, 20, 30].into() };
    let mut source = scene(Curve::new(times, 1, vec![1.0, 1.0, 0.0, 0.0], Laws::uniform(Law::STEP)));
    source.clips[0].grid = Some(FrameRate::FPS_30);
    source.clips[0].duration = FrameRate::FPS_30.seconds(30.0);
    let resample = Operation::Resample(Resample { rate: FrameRate::FPS_30 });
    for operation in [resample, Operation::Reduce(Reduce::default())] {
        let mut made = source.clone();
        apply(&mut made, &operation);
        assert_eq!(list(&made), [(0, 1.0), (20, 0.0)]);
    }
}

#[test]
fn keys_scaled_between_frames_go_to_the_nearest_if_they_may() {
    let scale = KeyChange::Scale { range: range(0.0, 30.0), factor: 0.75 };
    let snapped = Operation::Keys(Keys { on: Kept::default(), change: scale, snap: true });
    let mut scene = framed();
    apply(&mut scene, &snapped);
    assert_eq!(list(&scene), [(0, 0.0), (8, 1.0), (15, 2.0), (23, 4.0)]);
    assert!(matches!(refused(&keys(scale)), Reason::OffGrid { .. }));
}
