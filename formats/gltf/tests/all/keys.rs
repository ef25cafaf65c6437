//! The rules by which keys are stored: times, jumps, constants, rotations, ends.

use crate::common::*;
use dopesheet_core::format::FromScene;
use dopesheet_core::model::*;
use dopesheet_core::units::Seconds;
use serde_json::json;

const STILL: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// One node "a" under "root", moved by these channels.
fn one(duration: f64, channels: Vec<Channel>) -> Scene {
    let mut scene = scene(&[("root", None), ("a", Some(0))]);
    let track = joint(&scene, 1, channels);
    scene.clips.push(clip("one", duration, vec![track]));
    scene
}

/// The curve that a written channel is read back as.
fn stored(name: &str, scene: &Scene) -> Curve {
    let (document, _) = written(name, scene);
    let Composition::Whole(curve) = &to_scene(&document).0.clips[0].tracks[0].channels[0].composition else {
        panic!()
    };
    curve.clone()
}

fn times(curve: &Curve) -> Vec<f32> {
    curve.times.iter().map(|time| time.0 as f32).collect()
}

#[test]
fn a_jump_is_the_old_value_just_before_and_the_new_one_at_its_time() {
    let scene = one(
        2.0,
        vec![moves(&[0.0, 0.7, 0.7, 2.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 5.0, 0.0, 0.0, 6.0, 0.0, 0.0])],
    );
    let curve = stored("jump", &scene);
    assert_eq!(times(&curve), [0.0, 0.7f32.next_down(), 0.7, 2.0]);
    assert_eq!(curve.value(1), Some(&[1.0, 0.0, 0.0][..]));
    assert_eq!(curve.value(2), Some(&[5.0, 0.0, 0.0][..]));
}

#[test]
fn of_many_keys_at_one_time_the_first_and_the_last_count() {
    let values: Vec<f32> = (0..6).flat_map(|n| [n as f32, 0.0, 0.0]).collect();
    let scene = one(2.0, vec![moves(&[0.0, 1.0, 1.0, 1.0, 1.0, 2.0], &values)]);
    let curve = stored("run", &scene);
    assert_eq!(times(&curve), [0.0, 1.0f32.next_down(), 1.0, 2.0]);
    assert_eq!(curve.value(2).unwrap()[0], 4.0);
}

#[test]
fn a_step_needs_no_key_before_its_jump() {
    let values = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 5.0, 0.0, 0.0];
    let steps = Channel::whole(Property::Translation, curve(&[0.0, 0.7, 0.7], 3, &values, Law::STEP));
    let curve = stored("step-jump", &one(0.7, vec![steps]));
    assert_eq!(times(&curve), [0.0, 0.7]);
    assert_eq!(curve.value(1).unwrap()[0], 5.0);
}

#[test]
fn a_jump_at_the_start_leaves_the_new_value() {
    let scene = one(1.0, vec![moves(&[0.0, 0.0, 1.0], &[9.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0])]);
    let curve = stored("jump-at-0", &scene);
    assert_eq!(times(&curve), [0.0, 1.0]);
    assert_eq!(curve.value(0).unwrap()[0], 1.0);
}

#[test]
fn times_that_round_to_one_f32_move_apart_unless_their_values_are_equal() {
    let t = [0.0, 20_000.0, 20_000.000_1, 20_000.000_2, 30_000.0];
    let values = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, 0.0];
    let curve = stored("collision", &one(30_000.0, vec![moves(&t, &values)]));
    assert_eq!(times(&curve), [0.0, 20_000.0, 20_000f32.next_up(), 30_000.0]);
    assert_eq!(curve.value(2).unwrap()[0], 2.0);
}

#[test]
fn bounds_are_those_of_the_stored_times() {
    let scene = one(1.0 / 3.0, vec![moves(&[0.1, 1.0 / 3.0], &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0])]);
    let (document, _) = written("bounds", &scene);
    let input = &document.parts.accessors[0];
    assert_eq!((input.min[0] as f32, input.max[0] as f32), (0.1, 1.0 / 3.0));
    assert!(document.json.contains(r#""min":[0.1],"max":[0.33333334]"#));
}

#[test]
fn a_constant_channel_needs_one_key_and_one_at_rest_none() {
    let moving = moves(&[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let constant = turns(&[0.0, 0.5, 1.0], &[0.0, 0.6, 0.0, 0.8].repeat(3));
    let rest = Channel::whole(Property::Scale, curve(&[0.0, 1.0], 3, &[1.0; 6], Law::LINEAR));
    let scene = one(1.0, vec![moving, constant, rest]);
    let channels = |options: &FromScene| {
        let (document, _) = written_with("constant", &scene, options);
        let track = to_scene(&document).0.clips[0].tracks[0].clone();
        track.channels.iter().map(|c| c.composition.curves().next().unwrap().len()).collect::<Vec<_>>()
    };
    assert_eq!(channels(&FromScene::default()), [2, 1]);
    assert_eq!(channels(&FromScene { keep_constant: true, ..FromScene::default() }), [2, 1, 1]);
}

#[test]
fn a_clip_in_which_nothing_moves_keeps_its_duration() {
    let constant = turns(&[0.0, 2.0], &[0.0, 0.6, 0.0, 0.8].repeat(2));
    let curve = stored("still", &one(2.0, vec![constant]));
    assert_eq!(times(&curve), [0.0, 2.0]);
    let at_rest = turns(&[0.0, 2.0], &STILL.repeat(2));
    assert_eq!(times(&stored("at-rest", &one(2.0, vec![at_rest]))), [0.0, 2.0]);
    let pose = turns(&[0.0], &[0.0, 0.6, 0.0, 0.8]);
    assert_eq!(times(&stored("pose", &one(0.0, vec![pose]))), [0.0]);
}

#[test]
fn a_trailing_hold_is_one_more_key_on_the_first_channel() {
    let scene = one(
        3.0,
        vec![
            moves(&[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
            turns(&[0.0, 1.0], &[STILL, [0.0, 0.6, 0.0, 0.8]].concat()),
        ],
    );
    let (document, _) = written("hold", &scene);
    let back = to_scene(&document).0.clips[0].clone();
    assert_eq!(back.duration, Seconds(3.0));
    let keys: Vec<usize> =
        back.tracks[0].channels.iter().map(|c| c.composition.curves().next().unwrap().len()).collect();
    assert_eq!(keys, [3, 2]);
    assert!(!document.json.contains("extras"));
}

#[test]
fn a_duration_shorter_than_the_keys_is_written_down() {
    let (document, _) =
        written("short", &one(0.5, vec![moves(&[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0])]));
    assert_eq!(value(&document)["animations"][0]["extras"], json!({"duration": 0.5}));
    assert_eq!(to_scene(&document).0.clips[0].duration, Seconds(0.5));
}

#[test]
fn rotations_are_unit_and_do_not_change_sign() {
    let keys = [[0.0, 1.2, 0.0, 1.6], [0.0, -0.6, 0.0, -0.8], [0.0, 0.0, -0.1, -0.1], [0.0; 4]];
    let curve = stored("signs", &one(3.0, vec![turns(&[0.0, 1.0, 2.0, 3.0], &keys.concat())]));
    let q: Vec<&[f32]> = (0..4).map(|k| curve.value(k).unwrap()).collect();
    for key in &q {
        let length = key.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
        assert!((length - 1.0).abs() < 1e-6);
    }
    for pair in q.windows(2) {
        assert!(pair[0].iter().zip(pair[1]).map(|(a, b)| a * b).sum::<f32>() >= 0.0);
    }
    assert_eq!((q[0], q[3]), (&[0.0, 0.6, 0.0, 0.8][..], &STILL[..]));
}

#[test]
fn cubic_tangents_shrink_with_their_keys_and_signs_stay() {
    let values = [[0.0, 1.2, 0.0, 1.6], [0.0, -0.6, 0.0, -0.8]].concat();
    let slopes = [[0.0, 2.0, 0.0, 4.0], [0.0, 1.0, 0.0, 3.0]].concat();
    let channel = Channel::whole(Property::Rotation, cubic(&[0.0, 1.0], 4, &values, &slopes, &slopes));
    let handles = stored("cubic-signs", &one(1.0, vec![channel])).handles.unwrap();
    assert_eq!(handles.leaving[..4], [0.0, 1.0, 0.0, 2.0]);
    assert_eq!(handles.arriving[4..], [0.0, 1.0, 0.0, 3.0]);
    assert_eq!(
        (&handles.arriving[..4], &handles.leaving[4..]),
        (&[0.0; 4][..], &[0.0; 4][..]),
        "unused ones are zero"
    );
}

#[test]
fn wide_arcs_get_a_key_in_their_middle() {
    let scene = one(2.0, vec![turns(&[0.0, 1.0, 2.0], &[STILL, [0.0, 1.0, 0.0, 0.0], STILL].concat())]);
    let (document, report) = written("half-turn", &scene);
    let back = to_scene(&document).0;
    let Composition::Whole(curve) = &back.clips[0].tracks[0].channels[0].composition else { panic!() };
    assert_eq!(times(curve), [0.0, 0.5, 1.0, 1.5, 2.0]);
    assert_eq!(
        report.findings[0].to_string(),
        "warning gltf-w-half-turn: file: expected rotation keys less than half a turn apart, found 2 that are not; each got a key in its middle"
    );
}

#[test]
fn a_cubic_spline_spans_the_whole_clip() {
    let values = [1.0, 0.0, 0.0, 2.0, 0.0, 0.0];
    let slopes = [7.0; 6];
    let mut scene = one(
        4.0,
        vec![Channel::whole(Property::Translation, cubic(&[1.0, 2.0], 3, &values, &slopes, &slopes))],
    );
    scene.clips[0].tracks[0]
        .channels
        .push(Channel::whole(Property::Scale, cubic(&[0.0, 2.0], 3, &values, &slopes, &slopes)));
    let (document, _) = written("cubic-ends", &scene);
    for channel in &to_scene(&document).0.clips[0].tracks[0].channels {
        let curve = channel.composition.curves().next().unwrap();
        let handles = curve.handles.as_ref().unwrap();
        let (first, last) = (curve.times.get(0).unwrap().0, curve.times.get(curve.len() - 1).unwrap().0);
        assert_eq!((first, last), (0.0, 4.0));
        let end = curve.len() - 1;
        assert_eq!(handles.leaving[(end - 1) * 3..], [0.0; 6], "held to the end");
        assert_eq!(handles.arriving[end * 3..], [0.0; 3]);
        if channel.property == Property::Translation {
            assert_eq!((&handles.leaving[..3], &handles.arriving[3..6]), (&[0.0; 3][..], &[0.0; 3][..]));
        }
    }
}

#[test]
fn components_with_equal_keys_are_one_vector_and_a_ramp_is_a_key() {
    let part = |v: [f32; 2]| curve(&[1.0, 2.0], 1, &v, Law::LINEAR);
    let parts = Composition::Components(vec![part([1.0, 2.0]), part([3.0, 4.0]), part([5.0, 6.0])]);
    let joined = Channel { property: Property::Translation, composition: parts, native: None };
    let curve = stored("components", &one(2.0, vec![joined]));
    assert_eq!(curve.values, [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
    let Composition::Whole(mut ramp) = moves(&[1.0, 2.0], &[1.0, 0.0, 0.0, 2.0, 0.0, 0.0]).composition else {
        panic!()
    };
    ramp.before = Outside::Ramp { start: Seconds(0.5), from: [9.0, 0.0, 0.0].into(), law: Law::LINEAR };
    let curve = stored("ramp", &one(2.0, vec![Channel::whole(Property::Translation, ramp)]));
    assert_eq!(times(&curve), [0.5, 1.0, 2.0]);
    assert_eq!(curve.value(0).unwrap()[0], 9.0);
}
#[test]
fn channels_of_one_target_without_a_place_come_back_as_one_track() {
    let mut scene = one(1.0, vec![moves(&[0.0, 1.0], &[0.0; 6])]);
    let named = |name: &'static str, values: &[f32]| {
        Channel::whole(Property::Named(name.into()), curve(&[0.0, 1.0], 1, values, Law::STEP))
    };
    let target = |index| Target::new(TargetKind::Custom, "self-shadow", index, None);
    let both = vec![named("mode", &[1.0, 2.0]), named("distance", &[0.05, 0.07])];
    scene.clips[0].tracks.push(Track { target: target(0), channels: both });
    let other = vec![named("mode", &[0.0, 1.0])];
    scene.clips[0].tracks.push(Track { target: target(1), channels: other });
    let (document, _) = written("one-target", &scene);
    assert_eq!(to_scene(&document).0.clips, scene.clips);
}
