//! Clips that are taken apart and put together: where they meet, and what they are beside it.

use crate::assert_says;
use crate::identities::{END, apply, curves, probes, scene, told, value};
use dopesheet_core::diag::Report;
use dopesheet_core::model::{
    Channel, Clip, Composition, Curve, Law, Laws, Marker, PoseRelation, Property, Scene, Times, Timing,
};
use dopesheet_core::times::{RangeSpec, TimeValue};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_edit::{Concat, Delete, Loop, Merge, Operation, Reason, Repeat, Trim};
use proptest::prelude::*;
use std::sync::Arc;

fn trim(start: f64, end: f64) -> Operation {
    let range = RangeSpec { start: TimeValue::Seconds(start), end: TimeValue::Seconds(end) };
    Operation::Trim(Trim { range, keep_time: false, snap: false })
}

fn delete(start: TimeValue, end: TimeValue) -> Operation {
    Operation::Delete(Delete { range: RangeSpec { start, end }, snap: false })
}

fn concat(other: Scene) -> Operation {
    Operation::Concat(Concat { others: vec![Arc::new(other)], ..Concat::default() })
}

fn curve(scene: &Scene) -> &Curve {
    scene.clips[0].tracks[0].channels[0].composition.curves().next().unwrap()
}

/// A scene at 30 frames a second of straight keys.
fn framed(keys: &[(i64, f32)]) -> Scene {
    let frames: Vec<i64> = keys.iter().map(|key| key.0).collect();
    let times = Times::Frames { rate: FrameRate::FPS_30, frames: frames.into() };
    let values = keys.iter().map(|key| key.1).collect();
    let mut made = scene(Curve::new(times, 1, values, Laws::uniform(Law::LINEAR)));
    made.clips[0].grid = Some(FrameRate::FPS_30);
    made.clips[0].duration = FrameRate::FPS_30.seconds(keys[keys.len() - 1].0 as f64);
    made
}

fn keys(scene: &Scene) -> Vec<(i64, f32)> {
    let curve = curve(scene);
    (0..curve.len()).map(|key| (curve.times.frame(key).unwrap().0, curve.values[key])).collect()
}

fn refused(scene: &Scene, operation: &Operation) -> Reason {
    operation.apply(&mut scene.clone(), 0, &mut Report::default()).unwrap_err().reason
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(dopesheet_testkit::cases(256)) })]

    #[test]
    fn a_curve_cut_at_a_key_and_put_together_is_itself(curve in curves(), at in 1usize..6) {
        prop_assume!(at + 1 < curve.len());
        let whole = scene(curve.clone());
        let (mut first, mut second) = (whole.clone(), whole.clone());
        let time = curve.times.get(at).unwrap().0;
        apply(&mut first, &trim(0.0, time));
        apply(&mut second, &trim(time, END));
        apply(&mut first, &concat(second));
        let made = super::seams::curve(&first);
        prop_assert_eq!(&made.values, &curve.values);
        prop_assert_eq!(&made.handles, &curve.handles);
        for (a, b) in made.times.iter().zip(curve.times.iter()) {
            prop_assert!((a.0 - b.0).abs() < 1e-12);
        }
        for segment in 0..curve.len() - 1 {
            prop_assert_eq!(made.laws.get(segment), curve.laws.get(segment));
        }
    }

    #[test]
    fn a_curve_cut_anywhere_and_put_together_plays_as_before(curve in curves(), time in 0.1f64..3.9) {
        let whole = scene(curve);
        let (mut first, mut second) = (whole.clone(), whole.clone());
        let error = told(&mut first, &trim(0.0, time)).max(told(&mut second, &trim(time, END)));
        apply(&mut first, &concat(second));
        prop_assert!((first.clips[0].duration.0 - END).abs() < 1e-12);
        for probe in probes(&whole) {
            let (a, b) = (value(&whole, probe), value(&first, probe));
            prop_assert!((a - b).abs() <= error * 1.01 + 1e-5, "{probe}: {a} and {b}, told {error}");
        }
    }

    #[test]
    fn what_is_beside_a_deleted_range_plays_as_before(curve in curves(), start in 0.1f64..1.9, length in 0.1f64..2.0) {
        let whole = scene(curve);
        let mut part = whole.clone();
        let error = told(&mut part, &delete(TimeValue::Seconds(start), TimeValue::Seconds(start + length)));
        prop_assert!((part.clips[0].duration.0 - (END - length)).abs() < 1e-12);
        for probe in 1..100 {
            let time = (END - length) * f64::from(probe) / 100.0;
            let source = if time < start { time } else { time + length };
            let (a, b) = (value(&whole, source), value(&part, time));
            prop_assert!((a - b).abs() <= error * 1.01 + 1e-5, "{time}: {a} and {b}, told {error}");
        }
    }

    #[test]
    fn a_closed_loop_ends_as_it_starts_and_is_as_before_until_the_stretch(curve in curves(), over in 0.2f64..3.5) {
        // Halves of timing curves are rounded.
        prop_assume!(curve.laws.get(0) != Law::STEP && curve.laws.get(0).timing == Timing::Linear);
        let source = scene(curve);
        let mut made = source.clone();
        apply(&mut made, &Operation::Loop(Loop { over: Some(TimeValue::Seconds(over)), travels: false }));
        prop_assert!((value(&made, 0.0) - value(&made, END)).abs() < 1e-6);
        for probe in probes(&source).into_iter().filter(|probe| *probe < END - over) {
            let (a, b) = (value(&source, probe), value(&made, probe));
            prop_assert!((a - b).abs() < 1e-5, "{probe}: {a} and {b}");
        }
    }

    #[test]
    fn a_repeated_curve_starts_again(curve in curves(), times in 1usize..5) {
        let once = scene(curve);
        let mut often = once.clone();
        apply(&mut often, &Operation::Repeat(Repeat { times }));
        prop_assert!((often.clips[0].duration.0 - END * times as f64).abs() < 1e-9);
        for probe in probes(&once) {
            for turn in 0..times {
                let (a, b) = (value(&once, probe), value(&often, probe + END * turn as f64));
                prop_assert!((a - b).abs() < 1e-5, "{probe} in turn {turn}: {a} and {b}");
            }
        }
    }
}

/// A scene of a straight curve with keys at such times.
fn straight(keys: &[(f64, f32)]) -> Scene {
    let times: Vec<f64> = keys.iter().map(|key| key.0).collect();
    let values = keys.iter().map(|key| key.1).collect();
    scene(Curve::new(Times::Seconds(times.into()), 1, values, Laws::uniform(Law::LINEAR)))
}

#[test]
fn what_is_before_a_deleted_range_stays_where_a_curve_begins_in_it() {
    for keys in
        [&[(1.5, 2.0), (2.5, 5.0), (3.5, 8.0)][..], &[(1.5, 2.0), (2.5, 5.0)], &[(2.0, 2.0)], &[(3.5, 8.0)]]
    {
        let whole = straight(keys);
        let mut part = whole.clone();
        apply(&mut part, &delete(TimeValue::Seconds(1.0), TimeValue::Seconds(3.0)));
        for time in [0.0, 0.5, 0.99, 1.01, 1.5, 2.0] {
            let source = if time < 1.0 { time } else { time + 2.0 };
            let (a, b) = (value(&whole, source), value(&part, time));
            assert!((a - b).abs() < 1e-6, "{keys:?} at {time}: {a} and {b}");
        }
    }
    let mut framed = framed(&[(45, 2.0), (75, 5.0), (105, 8.0)]);
    apply(&mut framed, &delete(TimeValue::Frames(30.0), TimeValue::Frames(90.0)));
    assert_eq!(keys(&framed), [(29, 2.0), (30, 6.5), (45, 8.0)]);
}

#[test]
fn an_empty_range_is_not_deleted_but_refused() {
    let at = TimeValue::Frames(10.0);
    let found = refused(&framed(&[(0, 0.0), (30, 1.0)]), &delete(at, at));
    assert_says(&found, "expected a range that ends after it starts");
}

#[test]
fn a_marker_where_a_clip_was_cut_is_there_once_when_its_parts_are_put_together() {
    let mut whole = framed(&[(0, 0.0), (60, 1.0), (120, 0.0)]);
    let marker = |frame: f64, name: &str| Marker {
        time: FrameRate::FPS_30.seconds(frame),
        name: name.to_owned(),
        data: None,
    };
    whole.clips[0].markers = [0.0, 30.0, 60.0, 60.0, 120.0].map(|frame| marker(frame, "step")).to_vec();
    whole.clips[0].markers.push(marker(60.0, "turn"));
    let parts = dopesheet_edit::split(&whole.clips[0], &dopesheet_edit::Split::default()).unwrap();
    let mut parts = parts.into_iter().map(|part| {
        let mut scene = whole.clone();
        apply(&mut scene, &Operation::Trim(part));
        scene
    });
    let (mut first, others) = (parts.next().unwrap(), parts.map(Arc::new).collect());
    apply(&mut first, &Operation::Concat(Concat { others, ..Concat::default() }));
    let told = |scene: &Scene| -> Vec<(f64, String)> {
        let markers = scene.clips[0].markers.iter();
        let mut told: Vec<_> =
            markers.map(|own| (FrameRate::FPS_30.frame(own.time), own.name.clone())).collect();
        told.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        told
    };
    assert_eq!(told(&first), told(&whole));
}

#[test]
fn a_curve_that_begins_within_the_stretch_of_a_loop_stays_as_it_was_before_it() {
    let mut late = framed(&[(22, 1.0), (26, 2.0), (30, 4.0)]);
    late.clips[0].duration = FrameRate::FPS_30.seconds(30.0);
    apply(&mut late, &Operation::Loop(Loop { over: Some(TimeValue::Frames(10.0)), travels: false }));
    let found: Vec<f64> = [0.0, 10.0, 20.0, 30.0].map(|frame| value(&late, frame / 30.0)).into();
    assert_eq!(found, [1.0, 1.0, 1.0, 1.0]);
}

#[test]
fn a_loop_of_a_clip_shorter_than_the_usual_stretch_takes_all_of_it() {
    let mut short = framed(&[(0, 0.0), (9, 1.0)]);
    apply(&mut short, &Operation::Loop(Loop::default()));
    assert_eq!(keys(&short), [(0, 0.0), (9, 0.0)]);
}

#[test]
fn keys_behind_a_deleted_range_come_earlier() {
    let mut scene = framed(&[(0, 0.0), (10, 1.0), (20, 1.0), (30, 3.0)]);
    let marker =
        |frame: f64| Marker { time: FrameRate::FPS_30.seconds(frame), name: String::new(), data: None };
    scene.clips[0].markers = vec![marker(5.0), marker(15.0), marker(20.0)];
    apply(&mut scene, &delete(TimeValue::Frames(10.0), TimeValue::Frames(20.0)));
    assert_eq!(keys(&scene), [(0, 0.0), (10, 1.0), (20, 3.0)]);
    let frames: Vec<f64> =
        scene.clips[0].markers.iter().map(|marker| FrameRate::FPS_30.frame(marker.time)).collect();
    assert_eq!(frames, [5.0, 10.0]);
    assert_eq!(scene.clips[0].duration, FrameRate::FPS_30.seconds(20.0));
}

#[test]
fn where_a_range_goes_between_other_poses_the_last_frame_before_it_keeps_its_pose() {
    let mut scene = framed(&[(0, 0.0), (10, 1.0), (20, 5.0), (30, 3.0)]);
    apply(&mut scene, &delete(TimeValue::Frames(10.0), TimeValue::Frames(20.0)));
    assert_eq!(keys(&scene), [(0, 0.0), (9, 0.9), (10, 5.0), (20, 3.0)]);
}

#[test]
fn a_start_is_deleted_as_if_it_were_cut_off() {
    let mut scene = framed(&[(0, 0.0), (10, 1.0), (20, 5.0), (30, 3.0)]);
    apply(&mut scene, &delete(TimeValue::Frames(0.0), TimeValue::Frames(10.0)));
    assert_eq!(keys(&scene), [(0, 1.0), (10, 5.0), (20, 3.0)]);
}

#[test]
fn equal_poses_at_a_seam_are_one_key_and_other_poses_are_a_frame_apart() {
    let mut same = framed(&[(0, 0.0), (10, 1.0)]);
    apply(&mut same, &concat(framed(&[(0, 1.0), (5, 2.0)])));
    assert_eq!(keys(&same), [(0, 0.0), (10, 1.0), (15, 2.0)]);
    let mut other = framed(&[(0, 0.0), (10, 1.0)]);
    apply(&mut other, &concat(framed(&[(0, 3.0), (5, 2.0)])));
    assert_eq!(keys(&other), [(0, 0.0), (10, 1.0), (11, 3.0), (16, 2.0)]);
    assert_eq!(other.clips[0].duration, FrameRate::FPS_30.seconds(16.0));
}

#[test]
fn a_blend_goes_straight_from_pose_to_pose() {
    let mut scene = framed(&[(0, 0.0), (10, 1.0)]);
    let others = vec![Arc::new(framed(&[(0, 3.0), (5, 2.0)]))];
    let concat = Concat { others, blend: Some(TimeValue::Frames(10.0)), snap: false };
    apply(&mut scene, &Operation::Concat(concat));
    assert_eq!(keys(&scene), [(0, 0.0), (10, 1.0), (20, 3.0), (25, 2.0)]);
    assert_eq!(value(&scene, 0.5), 2.0);
}

#[test]
fn a_motion_without_frames_takes_one_of_any_frames_behind_it() {
    let mut scene = framed(&[(0, 0.0), (10, 1.0)]);
    scene.clips[0].grid = None;
    apply(&mut scene, &concat(framed(&[(0, 3.0), (15, 2.0)])));
    let third = 10.0 / 30.0;
    assert_eq!([0.0, 0.1, third, 0.4].map(|time| value(&scene, time) as f32), [0.0, 0.3, 3.0, 2.8666666]);
    assert!((scene.clips[0].duration.0 - (third + 0.5)).abs() < 1e-12);
}

#[test]
fn what_one_of_two_motions_does_not_move_is_at_rest_there() {
    let joint = |name: &str, keys: &[(i64, f32)]| {
        let mut scene = framed(keys);
        let clip: &mut Clip = &mut scene.clips[0];
        clip.relation = PoseRelation::OnTopOfRest;
        let track = &mut clip.tracks[0];
        track.target.kind = dopesheet_core::model::TargetKind::Joint;
        track.target.name = name.to_owned();
        track.channels[0].property = Property::Translation;
        let curves = vec![curve_of(track.channels[0].composition.clone()); 3];
        track.channels[0].composition = Composition::Components(curves);
        scene
    };
    let mut scene = joint("a", &[(0, 0.0), (10, 1.0)]);
    apply(&mut scene, &concat(joint("b", &[(0, 2.0), (10, 0.0)])));
    let names: Vec<&str> = scene.clips[0].tracks.iter().map(|track| &*track.target.name).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(keys(&scene), [(0, 0.0), (10, 1.0), (11, 0.0)]);
    scene.clips[0].tracks.remove(0);
    assert_eq!(keys(&scene), [(0, 0.0), (10, 0.0), (11, 2.0), (21, 0.0)]);
}

#[test]
fn channels_with_the_same_keys_keep_them_where_one_of_them_is_at_rest() {
    let mut scene = framed(&[(0, 0.0), (7, 0.0), (10, 0.0)]);
    let clip: &mut Clip = &mut scene.clips[0];
    (clip.relation, clip.duration) = (PoseRelation::OnTopOfRest, FrameRate::FPS_30.seconds(20.0));
    let track = &mut clip.tracks[0];
    track.target.kind = dopesheet_core::model::TargetKind::Joint;
    let still = curve_of(track.channels[0].composition.clone());
    let moving = Curve { values: vec![1.0, 2.0, 3.0], ..still.clone() };
    let channel = |property, curve: &Curve| Channel {
        composition: Composition::Components(vec![curve.clone(); 3]),
        ..Channel::whole(property, curve.clone())
    };
    track.channels = vec![channel(Property::Translation, &still), channel(Property::Scale, &moving)];
    let mut other = framed(&[(0, 2.0), (10, 1.0)]);
    other.clips[0].relation = PoseRelation::OnTopOfRest;
    other.clips[0].tracks[0].target.name = "y".to_owned();
    apply(&mut scene, &concat(other));
    let frames = |channel: usize| {
        let curve = scene.clips[0].tracks[0].channels[channel].composition.curves().next().unwrap();
        (0..curve.len()).map(|key| curve.times.frame(key).unwrap().0).collect::<Vec<_>>()
    };
    assert_eq!((frames(0), frames(1)), (vec![0, 7, 10, 20, 21], vec![0, 7, 10, 20, 21]));
}

fn curve_of(composition: Composition) -> Curve {
    match composition {
        Composition::Whole(curve) => curve,
        other => panic!("{}", other.word()),
    }
}

#[test]
fn a_loop_takes_over_the_difference_bit_by_bit() {
    let mut scene = framed(&[(0, 0.0), (10, 1.0), (20, 1.0), (25, 1.0), (30, 1.0)]);
    let over = Some(TimeValue::Frames(10.0));
    apply(&mut scene, &Operation::Loop(Loop { over, travels: false }));
    assert_eq!(keys(&scene), [(0, 0.0), (10, 1.0), (20, 1.0), (25, 0.5), (30, 0.0)]);
    let over = Some(TimeValue::Frames(31.0));
    assert_says(
        &refused(&scene, &Operation::Loop(Loop { over, travels: false })),
        "expected a time above 0 and up to the length",
    );
}

#[test]
fn a_figure_that_travels_goes_on_from_where_it_is() {
    let mut scene = framed(&[(0, 0.0), (20, 1.0), (30, 2.0)]);
    scene.hierarchy = dopesheet_core::model::Hierarchy::Unknown;
    let track = &mut scene.clips[0].tracks[0];
    track.target.kind = dopesheet_core::model::TargetKind::Joint;
    track.channels[0].property = Property::Translation;
    track.channels[0].composition =
        Composition::Components(vec![curve_of(track.channels[0].composition.clone()); 3]);
    apply(&mut scene, &Operation::Loop(Loop { over: Some(TimeValue::Frames(10.0)), travels: true }));
    let ends: Vec<f32> = scene.clips[0].tracks[0].channels[0]
        .composition
        .curves()
        .map(|own| own.values[own.len() - 1])
        .collect();
    assert_eq!(ends, [2.0, 0.0, 2.0]);
}

#[test]
fn merged_motions_end_with_the_last_of_them() {
    let mut body = framed(&[(0, 0.0), (10, 1.0)]);
    let mut face = framed(&[(0, 3.0), (25, 2.0)]);
    face.clips[0].tracks[0].target.name = "y".to_owned();
    apply(&mut body, &Operation::Merge(Merge { others: vec![Arc::new(face)] }));
    assert_eq!(body.clips[0].tracks.len(), 2);
    assert_eq!(body.clips[0].duration, FrameRate::FPS_30.seconds(25.0));
}

#[test]
fn motions_that_do_not_fit_together_are_refused() {
    let own = framed(&[(0, 0.0), (10, 1.0)]);
    let merge = |other: Scene| Operation::Merge(Merge { others: vec![Arc::new(other)] });
    assert_says(&refused(&own, &merge(own.clone())), "expected motions of different things");
    let mut other = own.clone();
    other.clips[0].grid = None;
    assert_says(&refused(&own, &concat(other.clone())), "as the first one, found");
    other.clips.clear();
    assert_says(
        &refused(&own, &concat(other)),
        "expected a clip at position 0 of the other file, which has 0 clips",
    );
    assert_says(&refused(&own, &Operation::Concat(Concat::default())), "expected another motion");
    for times in [0, usize::MAX] {
        assert_says(
            &refused(&own, &Operation::Repeat(Repeat { times })),
            "expected a number of times from 1 up",
        );
    }
    let mut still = own.clone();
    still.clips[0].tracks.clear();
    let endless = Operation::Repeat(Repeat { times: usize::MAX });
    assert_says(&refused(&still, &endless), "expected a number of times from 1 up");
    let mut pose = own;
    pose.clips[0].duration = Seconds(0.0);
    assert_says(&refused(&pose, &Operation::Repeat(Repeat { times: 2 })), "expected a clip that lasts");
}
