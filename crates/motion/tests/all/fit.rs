//! Keys chosen by a tolerance keep to it wherever one looks.

use crate::kit::*;
use dopesheet_core::diag::{ErrorUnit, Loss, Report};
use dopesheet_core::format::{Capabilities, KeyCost, KeyStorage, Rounding};
use dopesheet_core::model::{
    Blend, Channel, Composition, Curve, Law, Laws, NodeIndex, Property, Scene, Times, Timing, ValueKind,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_motion::keys::{Allowance, KeyPlan, SharedTimes, linearise};
use dopesheet_motion::{Animation, Conform, Side, Tolerance, compare, conform, reduce};
use proptest::prelude::*;

fn plan(end: f64) -> KeyPlan {
    KeyPlan {
        range: (Seconds(0.0), Seconds(end)),
        rate: FrameRate::FPS_60,
        only_on_grid: false,
        every_frame: false,
    }
}

/// Whether a time is so near to a frame of the channel's grid that it is that frame, or to a key of it that the two
/// cannot be told apart in single precision.
fn is_hidden(channel: &Channel, time: f64) -> bool {
    channel.composition.curves().any(|curve| {
        let beside = |rate: FrameRate| rate.snap(Seconds(time)) != Seconds(time);
        let is_beside = matches!(curve.times, Times::Frames { rate, .. } if beside(rate));
        is_beside || curve.times.iter().any(|key| (key.0 - time).abs() < 1e-6)
    })
}

/// Whether a channel may run vertically, or turn to the opposite direction at once, so that no key is near enough to
/// the next.
fn is_vertical(channel: &Channel) -> bool {
    let aims = matches!(channel.composition, Composition::Aim { .. } | Composition::Swing { .. });
    aims || channel.composition.curves().any(|curve| {
        let steep = |law: Law| match law.timing {
            Timing::Bezier { x1, x2, .. } => x1 > 0.9 || x2 < 0.1,
            _ => law.blend == Blend::WeightedBezier,
        };
        !curve.laws.all(|law| !steep(law)) || !matches!(curve.before, dopesheet_core::model::Outside::Hold)
    })
}

fn scene_of(channels: Vec<Vec<Channel>>, end: f64) -> Scene {
    let rests = vec![Default::default(); channels.len()];
    let mut scene = chain(&rests);
    let tracks = channels.into_iter().enumerate().map(|(n, channels)| {
        let mut track = joint(&format!("n{n}"), n, channels);
        track.target.node = Some(NodeIndex(n));
        track
    });
    scene.clips.push(clip(end, tracks.collect()));
    scene
}

fn conformed(scene: &Scene, capabilities: &Capabilities, options: &Conform) -> (Scene, Report) {
    let (mut made, mut report) = (scene.clone(), Report::default());
    conform(&mut made, capabilities, options, &mut report);
    (made, report)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(64)))]

    #[test]
    fn straight_pieces_keep_to_their_allowance(
        channel in any_channel().prop_filter("smooth", |channel| {
            !is_vertical(channel) && channel.property.kind() != ValueKind::Discrete
        }),
        end in 0.5..3.0f64,
        allowed in prop::sample::select(vec![1e-3, 1e-2, 0.1]),
    ) {
        let allowance = Allowance { value: allowed, angle_rad: allowed };
        let Some(made) = linearise(&channel, &plan(end), Some(allowance), &mut SharedTimes::default()) else {
            return Ok(());
        };
        for (part, worst) in made.channels.iter().zip(&made.largest) {
            prop_assert!(worst.value <= allowed * 1.001, "{:?}", worst);
            for n in 0..1500 {
                let time = end * (f64::from(n) + 0.382) / 1500.0;
                if is_hidden(&channel, time) || is_hidden(part, time) {
                    continue;
                }
                let exact = value(&channel, time, Side::At);
                let exact = match (&channel.property, &part.property) {
                    (Property::Placement, Property::Translation) => exact[..3].to_vec(),
                    (Property::Placement, _) => exact[3..].to_vec(),
                    _ => exact,
                };
                let error = apart_by(&part.property, &exact, &value(part, time, Side::At));
                prop_assert!(error <= allowed * 1.05 + 1e-5, "{} at {}", error, time);
            }
        }
    }

    #[test]
    fn no_point_of_the_model_is_off_by_more_than_the_tolerance(
        turns in prop::collection::vec(smooth_turn(), 1..6),
        exponent in -5.0..-2.0f64,
        lossy in any::<bool>(),
    ) {
        let channels = turns.into_iter().enumerate().map(|(n, turn)| {
            let along = wide(frames(&[0, 60]), 3, &[0.3, 0.0, 0.0, 0.3, 0.05 * n as f32, 0.0], eased(Blend::Lerp));
            vec![turn, Channel::whole(Property::Translation, along)]
        });
        let scene = scene_of(channels.collect(), 2.0);
        let tolerance = Tolerance { length_m: 10f64.powf(exponent), shell_m: None };
        let options = Conform { tolerance, lossy, ..Conform::default() };
        let (made, report) = conformed(&scene, &like_gltf(), &options);
        let of = |scene| Animation { scene, clip: &scene.clips[0] };
        let found = compare(of(&scene), of(&made), &tolerance);
        prop_assert!(found.is_within, "{:?}", found.largest);
        let reported = model_error(&report);
        prop_assert!(reported.is_some_and(|most| most > 0.0 && most <= tolerance.length_m), "{:?}", report);
    }

    #[test]
    fn the_tolerance_holds_for_values_as_they_are_stored(
        turns in prop::collection::vec(smooth_turn(), 1..6),
        exponent in -3.5..-2.0f64,
        lossy in any::<bool>(),
        rotations in prop::sample::select(vec![
            Rounding::Multiples(-21), Rounding::Shorts, Rounding::SmallestThree,
        ]),
    ) {
        let scene = scene_of(turns.into_iter().map(|turn| vec![turn]).collect(), 2.0);
        let tolerance = Tolerance { length_m: 10f64.powf(exponent), shell_m: None };
        let cost = Some(KeyCost { time: 3.0, list: 100.0, rotation: 3.0, number: 2.0 });
        let storage = KeyStorage { rotations, numbers: Rounding::Multiples(-19), cost, ..KeyStorage::default() };
        let options = Conform { tolerance, lossy, storage, ..Conform::default() };
        let (made, _) = conformed(&scene, &like_gltf(), &options);
        let of = |scene| Animation { scene, clip: &scene.clips[0] };
        let found = compare(of(&scene), of(&made), &tolerance);
        prop_assert!(found.is_within, "{:?}", found.largest);
        let curves = made.clips[0].tracks.iter().flat_map(|t| &t.channels).flat_map(|c| c.composition.curves());
        let one = if rotations == Rounding::Multiples(-21) { 2f64.powi(21) } else { 32767.0 };
        for value in curves.flat_map(|curve| &curve.values) {
            let whole = f64::from(*value) * one;
            prop_assert!((whole - whole.round()).abs() < 2e-3, "{} is not stored as it is", value);
        }
    }

    #[test]
    fn reduced_curves_keep_to_their_allowance(values in prop::collection::vec(-1.0f32..1.0, 3..200), allowed in 0.01..1.0f64) {
        let times: Vec<f64> = (0..values.len()).map(|n| n as f64 / 30.0).collect();
        let curve = Curve::new(seconds(&times), 1, values, Laws::uniform(Law::LINEAR));
        let allowance = Allowance { value: allowed, angle_rad: allowed };
        let Some(made) = reduce(&curve, &Property::Weight, &allowance) else { return Ok(()) };
        prop_assert!(made.len() < curve.len());
        for n in 0..1000 {
            let time = times.last().unwrap() * f64::from(n) / 999.0;
            prop_assert!((at(&curve, time) - at(&made, time)).abs() <= allowed + 1e-6);
        }
    }
}

fn apart_by(property: &Property, a: &[f64], b: &[f64]) -> f64 {
    apart(property, a, b)
}

/// A rotation that turns to several poses with timing curves in between.
fn smooth_turn() -> impl Strategy<Value = Channel> {
    let timing = (0.0f32..0.8, 0.0f32..=1.0, 0.2f32..=1.0, 0.0f32..=1.0);
    let pose = (any_rotation(), 5i64..30, timing);
    prop::collection::vec(pose, 2..6).prop_map(|poses| {
        let (mut frame, mut list, mut values, mut laws) = (0, Vec::new(), Vec::new(), Vec::new());
        for (rotation, gap, (x1, y1, x2, y2)) in poses {
            list.push(frame);
            frame += gap;
            values.extend(rotation.map(|x| x as f32));
            laws.push(Law { timing: Timing::Bezier { x1, y1, x2, y2 }, blend: Blend::Slerp });
        }
        let curve = Curve::new(frames(&list), 4, values, Laws::from_segments(laws));
        Channel { property: Property::Rotation, composition: Composition::Whole(curve), native: None }
    })
}

#[test]
fn a_dense_dance_gets_few_keys_with_timing_curves_on_a_grid() {
    let keys: Vec<f64> = (0..=120).map(|n| f64::from(n) / 60.0).collect();
    let swing = |t: f64| turn([0.0, 0.0, 1.0], 60.0 * (1.0 - (std::f64::consts::PI * t).cos()));
    let values: Vec<f32> = keys.iter().flat_map(|t| swing(*t)).collect();
    let curve = Curve::new(seconds(&keys), 4, values, Laws::uniform(Law::SLERP));
    let scene = scene_of(vec![vec![Channel::whole(Property::Rotation, curve)]], 2.0);
    let tolerance = Tolerance { length_m: 1e-3, shell_m: Some(0.1) };
    let options = Conform { tolerance, ..Conform::default() };
    let (made, report) = conformed(&scene, &like_vmd(), &options);
    let curve = only_curve(&made.clips[0].tracks[0].channels[0]);
    assert!(curve.len() <= 12, "{} keys for two swings: {report:?}", curve.len());
    assert!(matches!(&curve.times, Times::Frames { rate, .. } if *rate == FrameRate::FPS_30));
    for n in 0..=200 {
        let time = f64::from(n) / 100.0;
        let exact = value(&scene.clips[0].tracks[0].channels[0], time, Side::At);
        let made = value(&made.clips[0].tracks[0].channels[0], time, Side::At);
        assert!(apart_by(&Property::Rotation, &exact, &made) < 0.011, "at {time}");
    }
}

#[test]
fn without_lossy_authored_keys_stay() {
    let times: Vec<f64> = (0..=60).map(|n| f64::from(n) / 30.0).collect();
    let values: Vec<f32> = times.iter().flat_map(|t| [*t as f32, 0.0, 0.0]).collect();
    let curve = wide(seconds(&times), 3, &values, Law::LINEAR);
    let scene = scene_of(vec![vec![Channel::whole(Property::Translation, curve)]], 2.0);
    let keys = |lossy| {
        let (made, _) = conformed(&scene, &like_gltf(), &Conform { lossy, ..Conform::default() });
        only_curve(&made.clips[0].tracks[0].channels[0]).len()
    };
    assert_eq!((keys(false), keys(true)), (61, 2));
}

#[test]
fn with_lossy_there_are_never_more_keys() {
    // Few of the keys are authored, so that there is little to drop; and what goes nowhere takes nothing of the tolerance.
    let turn = |n: u16| {
        let angles: Vec<f32> = (0..9).map(|key| (f32::from(key * (n + 2)) * 1.3).sin()).collect();
        let keys: Vec<f32> =
            angles.iter().flat_map(|angle| [(angle / 2.0).sin(), 0.0, 0.0, (angle / 2.0).cos()]).collect();
        let curve = wide(frames(&[0, 9, 18, 30, 41, 50, 62, 75, 90]), 4, &keys, eased(Blend::Slerp));
        let still = wide(frames(&[0, 30, 60, 90]), 3, &[0.3; 12], eased(Blend::Lerp));
        vec![Channel::whole(Property::Rotation, curve), Channel::whole(Property::Translation, still)]
    };
    let scene = scene_of(vec![turn(0)], 3.0);
    let keys = |lossy| {
        let (made, _) = conformed(&scene, &like_gltf(), &Conform { lossy, ..Conform::default() });
        let channels = made.clips[0].tracks.iter().flat_map(|track| &track.channels);
        channels.filter(|c| c.property == Property::Rotation).map(|c| only_curve(c).len()).sum::<usize>()
    };
    let (all, fewest) = (keys(false), keys(true));
    assert!(all > 50 && fewest <= all, "{all} keys, {fewest} with lossy");
}

#[test]
fn eased_segments_get_as_many_keys_as_the_tolerance_needs() {
    let moved = wide(frames(&[0, 30]), 3, &[0.0, 0.0, 0.0, 3.0, 4.0, 0.0], eased(Blend::Lerp));
    let source = scene_of(vec![vec![Channel::whole(Property::Translation, moved)]], 1.0);
    let mut most = usize::MAX;
    for (length_m, at_least) in [(1e-4, 100), (1e-2, 10), (1.0, 2)] {
        let tolerance = Tolerance { length_m, shell_m: None };
        let options = Conform { tolerance, ..Conform::default() };
        let (scene, report) = conformed(&source, &like_gltf(), &options);
        let keys = only_curve(&scene.clips[0].tracks[0].channels[0]).len();
        assert!((at_least..most).contains(&keys), "{keys} keys for {length_m} m");
        most = keys;
        let [Loss::Approximated { what, max_error, .. }, whole] = report.losses.as_slice() else {
            panic!("{report:?}")
        };
        assert!(whole.to_string().contains("model space, up to 3 cm from any joint"), "{whole}");
        let expected =
            format!("translation: 1 channel, 2 keys became {keys}, as many as the tolerance needs");
        assert_eq!(*what, expected);
        assert_eq!((max_error.unit, max_error.target.as_str()), (ErrorUnit::Metre, "n0"));
        assert!(max_error.value > 0.0 && max_error.value <= length_m);
    }
}
