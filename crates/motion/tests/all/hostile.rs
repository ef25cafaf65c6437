//! Whatever a scene holds, what conversion makes of it are numbers at ascending times, and not many more of them.

use crate::kit::*;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Capabilities, LawSet};
use dopesheet_core::model::{
    Blend, Channel, Clip, Composition, Curve, Handles, Law, Laws, Outside, Property, Scene, TargetKind,
    Timing, Transform,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_motion::{Conform, Tolerance, arrange, conform};
use proptest::prelude::*;

/// Numbers that files hold although nobody means them.
fn odd_number() -> impl Strategy<Value = f32> {
    let odd = vec![
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        1e-45,
        1e6,
        -1e6,
        1e25,
        0.0,
        -0.0,
        1.0,
    ];
    prop_oneof![2 => prop::sample::select(odd), 3 => -1.0f32..1.0]
}

/// Times in any order, some of them twice, some nearer than f32 can tell or beyond it.
fn odd_times() -> impl Strategy<Value = Vec<f64>> {
    let odd = vec![0.0, -0.0, 1.0, 1.0 + 1e-9, 1.0 + 1e-7, -5.0, 1e5, 1e5 + 1e-4, 1e12, 1e300, -1e300];
    let time = prop_oneof![1 => prop::sample::select(odd), 3 => -1.0..3.0f64];
    (prop::collection::vec(time, 0..6), prop::bool::weighted(0.8)).prop_map(|(mut times, sorted)| {
        if sorted {
            times.sort_by(f64::total_cmp);
        }
        times
    })
}

fn odd_law() -> impl Strategy<Value = Law> {
    use Blend::{Hermite, Lerp, Nlerp, Slerp, Squad, Step, Turn, WeightedBezier};
    let blends = vec![Step, Lerp, Slerp, Nlerp, Hermite, WeightedBezier, Squad, Turn];
    let number = || prop_oneof![3 => 0.0f32..=1.0, 1 => odd_number()];
    let bezier = (number(), number(), number(), number()).prop_map(|(x1, y1, x2, y2)| Timing::Bezier {
        x1,
        y1,
        x2,
        y2,
    });
    let ease = (number(), number()).prop_map(|(from, to)| Timing::Ease { from, to });
    (prop_oneof![Just(Timing::Linear), bezier, ease], prop::sample::select(blends))
        .prop_map(|(timing, blend)| Law { timing, blend })
}

fn odd_curve(width: usize) -> impl Strategy<Value = Curve> {
    let outside =
        || prop::sample::select(vec![Outside::Hold, Outside::Hold, Outside::Loop, Outside::PingPong]);
    (odd_times(), outside(), outside()).prop_flat_map(move |(times, before, after)| {
        let column = || prop::collection::vec(odd_number(), times.len() * width);
        let columns = (column(), column(), column(), column(), column());
        let laws = prop::collection::vec(odd_law(), times.len());
        (columns, laws).prop_map(move |((values, arriving, leaving, a, b), laws)| {
            let (handles, weights) = (Handles { arriving, leaving }, Handles { arriving: a, leaving: b });
            Curve {
                handles: Some(Box::new(handles)),
                weights: Some(Box::new(weights)),
                turns: Some(vec![[1e6, 0.0, f32::NAN, 0.0]; times.len()].into()),
                before: before.clone(),
                after: after.clone(),
                ..Curve::new(seconds(&times), width, values, Laws::from_segments(laws))
            }
        })
    })
}

fn odd_channel() -> impl Strategy<Value = Channel> {
    let whole = |property: Property, width| {
        odd_curve(width).prop_map(move |curve| Channel::whole(property.clone(), curve)).boxed()
    };
    let axes = prop::collection::vec(odd_curve(1), 3)
        .prop_map(|curves| composed(Property::Translation, Composition::Components(curves)));
    let quaternion = prop::collection::vec(odd_curve(1), 4)
        .prop_map(|curves| composed(Property::Rotation, Composition::ComponentsNormalised(curves)));
    let order = dopesheet_core::model::EulerOrder::Yxz;
    let angles = odd_curve(3).prop_map(move |curve| {
        composed(Property::Rotation, Composition::Euler { order, angles: vec![curve] })
    });
    prop_oneof![
        whole(Property::Translation, 3),
        whole(Property::Rotation, 4),
        whole(Property::Scale, 3),
        axes.boxed(),
        quaternion.boxed(),
        angles.boxed(),
    ]
}

fn targets() -> Vec<Capabilities> {
    let cubic = LawSet { hermite: true, ..like_gltf().vector_laws };
    let own = LawSet { mixed: true, ..cubic };
    let with = |laws| Capabilities { vector_laws: laws, rotation_laws: laws, ..like_gltf() };
    vec![like_gltf(), with(cubic), with(own), like_playcanvas(), like_vmd()]
}

fn converted(scene: &Scene, target: &Capabilities, options: &Conform) -> Scene {
    let mut made = scene.clone();
    arrange(&mut made, target);
    conform(&mut made, target, options, &mut Report::default());
    made
}

/// Whether all tangents are numbers. Where segments have laws of their own, infinite ones say that a segment holds, but those
/// of cubic segments are numbers there, too.
fn has_tangents(curve: &Curve, target: &Capabilities) -> bool {
    let is_cubic = |key: usize| key + 1 < curve.len() && curve.laws.get(key).blend == Blend::Hermite;
    // Tangents that no law needs are written nowhere.
    let Some(handles) = curve.handles.iter().find(|_| curve.laws.runs().any(|l| l.blend == Blend::Hermite))
    else {
        return true;
    };
    let may_hold = target.vector_laws.mixed;
    let is_written = |x: &f32, is_cubic: bool| x.is_finite() || (may_hold && !is_cubic && x.is_infinite());
    let row = |column: &[f32], key: usize, is_cubic: bool| {
        column[key * curve.width..(key + 1) * curve.width].iter().all(|x| is_written(x, is_cubic))
    };
    (0..curve.len()).all(|key| {
        row(&handles.arriving, key, key > 0 && is_cubic(key - 1)) && row(&handles.leaving, key, is_cubic(key))
    })
}

/// What is wrong with a curve.
fn fault(curve: &Curve, target: &Capabilities) -> Option<String> {
    let times = times_of(curve);
    let most = if target.grid.is_some() { 1_000_002 } else { 100_000 };
    match () {
        () if curve.validate().is_err() => Some(format!("{:?}", curve.validate())),
        () if curve.values.iter().any(|x| !x.is_finite()) => Some("not a number".into()),
        () if !has_tangents(curve, target) => Some("a tangent that is not a number".into()),
        () if times.iter().any(|t| *t < 0.0) => Some("before 0".into()),
        () if times.len() > most => Some(format!("{} keys", times.len())),
        () => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(48)))]

    #[test]
    fn nothing_that_is_written_is_no_number(
        channels in prop::collection::vec(odd_channel(), 1..4),
        duration in prop::sample::select(vec![0.0, 1e-9, 2.0, 5.0]),
        which in 0usize..5,
        (cubic, lossy) in any::<(bool, bool)>(),
        length_m in prop::sample::select(vec![1e-5, 1e-4, 1e-2]),
    ) {
        let mut scene = chain(&[Transform::IDENTITY; 3]);
        let tracks = channels.into_iter().enumerate().map(|(n, c)| joint(&format!("n{n}"), n, vec![c]));
        scene.clips.push(Clip { grid: FrameRate::new(30, 1), ..clip(duration, tracks.collect()) });
        let target = &targets()[which];
        let tolerance = Tolerance { length_m, shell_m: None };
        let made = converted(&scene, target, &Conform { tolerance, lossy, cubic, ..Conform::default() });
        for channel in made.clips[0].tracks.iter().flat_map(|t| &t.channels) {
            for curve in channel.composition.curves() {
                prop_assert_eq!(fault(curve, target), None);
            }
        }
    }
}

#[test]
fn a_few_keys_far_away_cost_no_more_than_a_bound() {
    let law = Law { timing: EASED, blend: Blend::Lerp };
    let times: Vec<i64> = (0..20).map(|n| n * 97).collect();
    let values: Vec<f32> = (0..60u8).map(|n| if n % 2 == 0 { 1e25 } else { f32::from(n) }).collect();
    let tracks = (0..3).map(|n| {
        let channel = Channel::whole(Property::Translation, wide(frames(&times), 3, &values, law));
        joint(&format!("n{n}"), n, vec![channel])
    });
    let mut scene = chain(&[Transform::IDENTITY; 3]);
    scene.clips.push(clip(70.0, tracks.collect()));
    for (target, cubic) in targets().into_iter().zip([false, true, false, false, false]) {
        let made = converted(&scene, &target, &Conform { cubic, ..Conform::default() });
        let keys: usize = made.clips[0]
            .tracks
            .iter()
            .flat_map(|t| &t.channels)
            .flat_map(|c| c.composition.curves())
            .map(Curve::len)
            .sum();
        assert!(keys < 80_000, "{keys} keys of 60");
    }
}

#[test]
fn weights_of_a_million_and_tangents_without_end_are_written_as_numbers() {
    let weights = hermite(&[0.0, 1.0], &[1e6, -1e6], &[0.0, f32::NEG_INFINITY], &[f32::INFINITY, 0.0]);
    let mut scene = chain(&[Transform::IDENTITY]);
    let channel = Channel::whole(Property::Weights, weights);
    scene.clips.push(clip(1.0, vec![track(TargetKind::Morph, "face", vec![channel])]));
    for target in targets().into_iter().take(3) {
        let made = converted(&scene, &target, &Conform { cubic: true, ..Conform::default() });
        let curve = only_curve(&made.clips[0].tracks[0].channels[0]);
        assert_eq!(fault(curve, &target), None);
        assert_eq!([0.0, 0.5, 1.0].map(|t| at(curve, t)), [1e6, 1e6, -1e6], "an infinite tangent holds");
        assert_eq!(Seconds(1.0), curve.times.span().unwrap().1);
    }
}

#[test]
fn tangents_that_no_segment_needs_are_written_as_numbers_too() {
    let nan = f32::NAN;
    let alone = hermite(&[1.0], &[0.5], &[nan], &[nan]);
    let ends = hermite(&[0.0, 1.0], &[0.5, 1.0], &[nan, 2.0], &[1.0, f32::INFINITY]);
    for (curve, law) in [(alone, None), (ends, Some(Blend::Hermite))] {
        let mut scene = chain(&[Transform::IDENTITY]);
        let channel = Channel::whole(Property::Weights, curve.clone());
        scene.clips.push(clip(1.0, vec![track(TargetKind::Morph, "face", vec![channel])]));
        let target = &targets()[1];
        let made = converted(&scene, target, &Conform::default());
        let written = only_curve(&made.clips[0].tracks[0].channels[0]);
        assert_eq!(fault(written, target), None);
        assert!(law.is_none_or(|law| written.laws.get(0).blend == law), "cubic segments stay");
        for time in [0.0, 0.3, 1.0] {
            assert_eq!(at(written, time), at(&curve, time), "at {time} s");
        }
    }
}
