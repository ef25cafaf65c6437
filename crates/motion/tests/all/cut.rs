//! Motions cut to a range, or with fewer keys, in formats that have their laws: what was authored stays.

use crate::kit::*;
use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::{Capabilities, LawSet};
use dopesheet_core::model::{
    Blend, Channel, Composition, Curve, Handles, Law, Laws, Outside, PoseRelation, Property, Scene, Timing,
    Transform, Weighted,
};
use dopesheet_core::units::Seconds;
use dopesheet_motion::keys::cut::cut_to;
use dopesheet_motion::{Conform, Range, Side, Tolerance, conform, trim};

/// A timing by four of MikuMikuDance's bytes.
fn bytes([x1, y1, x2, y2]: [u8; 4]) -> Timing {
    let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(|byte| f32::from(byte) / 127.0);
    Timing::Bezier { x1, y1, x2, y2 }
}

const SLOW: [u8; 4] = [64, 0, 64, 127];
const LATE: [u8; 4] = [100, 10, 120, 60];
const QUICK: [u8; 4] = [10, 90, 30, 127];

/// One joint on a grid of 30 frames a second, eased as VMD eases: an axis each and the rotation, from rest at frame 0.
fn eased_joint(keys: &[i64]) -> Scene {
    let (turns, law) = ([10.0f32, -60.0, 20.0, 75.0, 0.0, 40.0], |blend| {
        let timings = [SLOW, LATE, QUICK];
        move |n: usize| Law { timing: bytes(timings[n % 3]), blend }
    });
    let rows = || keys.iter().enumerate();
    let axis = |by: f32| {
        let values: Vec<f32> = rows().map(|(n, _)| by * turns[n % 6] / 50.0).collect();
        let laws = Laws::from_segments((1..keys.len()).map(law(Blend::Lerp)));
        let before = Outside::Ramp { start: Seconds(0.0), from: [0.0].into(), law: law(Blend::Lerp)(0) };
        Curve { before, ..Curve::new(frames(keys), 1, values, laws) }
    };
    let values: Vec<f32> = rows().flat_map(|(n, _)| turn([0.0, 0.6, 0.8], turns[n % 6].into())).collect();
    let rotation = Curve {
        before: Outside::Ramp {
            start: Seconds(0.0),
            from: [0.0, 0.0, 0.0, 1.0].into(),
            law: law(Blend::Slerp)(0),
        },
        ..Curve::new(frames(keys), 4, values, Laws::from_segments((1..keys.len()).map(law(Blend::Slerp))))
    };
    let translation =
        composed(Property::Translation, Composition::Components([1.0, -2.0, 0.5].map(axis).into()));
    let mut scene = chain(&[Transform::IDENTITY]);
    let channels = vec![translation, Channel::whole(Property::Rotation, rotation)];
    let mut clip = clip(keys[keys.len() - 1] as f64 / 30.0, vec![joint("n0", 0, channels)]);
    (clip.relation, clip.grid) = (PoseRelation::OnTopOfRest, Some(FPS_30));
    scene.clips.push(clip);
    scene
}

fn channels(scene: &Scene) -> &[Channel] {
    &scene.clips[0].tracks[0].channels
}

fn cut(source: &Scene, first: f64, last: f64, capabilities: &Capabilities) -> (Scene, Report) {
    let (mut scene, mut report) = (source.clone(), Report::default());
    trim(&mut scene.clips[0], Range { start: Seconds(first / 30.0), end: Seconds(last / 30.0) });
    conform(&mut scene, capabilities, &Conform::default(), &mut report);
    (scene, report)
}

/// The largest difference of a property between a source from a frame on and what was cut from it.
fn farthest(source: &Scene, made: &Scene, first: f64, last: f64) -> Vec<f64> {
    let pairs = channels(source).iter().zip(channels(made));
    let farthest = |(a, b): (&Channel, &Channel)| {
        assert_eq!(a.property, b.property);
        let steps = ((last - first) * 16.0) as usize;
        let error = |step: usize| {
            let frame = step as f64 / 16.0;
            let [x, y] = [(a, first + frame), (b, frame)].map(|(c, at)| value(c, at / 30.0, Side::At));
            apart(&a.property, &x, &y)
        };
        (0..=steps).map(error).fold(0.0, f64::max)
    };
    pairs.map(farthest).collect()
}

#[test]
fn a_cut_keeps_every_key_inside_and_adds_at_most_one_at_each_end() {
    let keys = [5i64, 20, 31, 60, 95, 130];
    let source = eased_joint(&keys);
    for (first, last) in [(30, 90), (20, 95), (2, 70), (0, 40), (6, 7), (96, 130), (2, 3), (0, 4)] {
        let (made, report) = cut(&source, first as f64, last as f64, &like_vmd());
        let inside: Vec<i64> =
            keys.iter().filter(|key| (first..=last).contains(*key)).map(|key| key - first).collect();
        for curve in channels(&made).iter().flat_map(|c| c.composition.curves()) {
            let times: Vec<i64> = curve.times.iter().map(|t| (t.0 * 30.0).round() as i64).collect();
            let is_more = |time: &&i64| !inside.contains(time);
            let more: Vec<i64> = times.iter().filter(is_more).copied().collect();
            assert!(inside.iter().all(|key| times.contains(key)), "{first}..{last}: {times:?}");
            assert!(more.iter().all(|key| [0, last - first].contains(key)), "{first}..{last}: {times:?}");
        }
        let [moved, turned] = farthest(&source, &made, first as f64, last as f64)[..] else { panic!() };
        assert!(moved < 0.03 && turned < 0.01, "{first}..{last}: {moved} and {turned}");
        let told = report.losses.iter().any(|loss| matches!(loss, Loss::Approximated { .. }));
        assert_eq!(told, moved > 1e-6 || turned > 1e-6, "{first}..{last}: {:?}", report.losses);
    }
}

#[test]
fn segments_between_the_ends_of_a_cut_keep_their_laws() {
    let source = eased_joint(&[0, 20, 50, 80, 110]);
    let (made, _) = cut(&source, 30.0, 90.0, &like_vmd());
    let pairs = channels(&source).iter().zip(channels(&made));
    for (a, b) in pairs.flat_map(|(a, b)| a.composition.curves().zip(b.composition.curves())) {
        assert_eq!(b.laws.get(1), a.laws.get(2), "from frame 50 to 80");
        assert_eq!(b.value(1), a.value(2));
    }
}

#[test]
fn dropping_keys_starts_from_authored_segments() {
    let keys = [0i64, 3, 4, 9, 11, 12, 30, 34, 60];
    let source = eased_joint(&keys);
    for millimetres in [0.01, 1.0, 20.0, 200.0] {
        let (mut made, mut report) = (source.clone(), Report::default());
        let tolerance = Tolerance { length_m: millimetres / 1e3, shell_m: None };
        let options = Conform { tolerance, lossy: true, ..Conform::default() };
        conform(&mut made, &like_vmd(), &options, &mut report);
        for curve in channels(&made).iter().flat_map(|c| c.composition.curves()) {
            assert!(curve.len() <= keys.len(), "{} keys within {millimetres} mm", curve.len());
        }
        let [moved, turned] = farthest(&source, &made, 0.0, 60.0)[..] else { panic!() };
        assert!(moved <= tolerance.length_m && turned <= tolerance.length_m, "{moved} and {turned}");
    }
}

#[test]
fn a_key_that_only_divides_a_segment_is_dropped() {
    let source = eased_joint(&[0, 40]);
    let (whole, _) = cut(&source, 0.0, 40.0, &like_vmd());
    let mut divided = whole.clone();
    let (left, _) = cut(&source, 0.0, 25.0, &like_vmd());
    let (right, _) = cut(&source, 25.0, 40.0, &like_vmd());
    let halves = channels(&left).iter().zip(channels(&right)).map(|(left, right)| {
        let curves = left.composition.curves().zip(right.composition.curves());
        let joined: Vec<Curve> = curves
            .map(|(a, b)| {
                let row = a.value(0).unwrap().iter().chain(b.values.iter()).copied().collect();
                let laws = Laws::from_segments([a.laws.get(0), b.laws.get(0)]);
                Curve { before: a.before.clone(), ..Curve::new(frames(&[0, 25, 40]), a.width, row, laws) }
            })
            .collect();
        match <[Curve; 1]>::try_from(joined) {
            Ok([curve]) => Channel::whole(left.property.clone(), curve),
            Err(curves) => composed(left.property.clone(), Composition::Components(curves)),
        }
    });
    divided.clips[0].tracks[0].channels = halves.collect();
    let tolerance = Tolerance { length_m: 0.3, shell_m: None };
    let options = Conform { tolerance, lossy: true, ..Conform::default() };
    conform(&mut divided, &like_vmd(), &options, &mut Report::default());
    for curve in channels(&divided).iter().flat_map(|c| c.composition.curves()) {
        assert_eq!(times_of(curve), [0.0, 40.0 / 30.0]);
    }
}

fn like_unity() -> Capabilities {
    let laws = LawSet { hermite: true, weighted: true, mixed: true, ..like_gltf().vector_laws };
    Capabilities { vector_laws: laws, negative_times: true, ..like_gltf() }
}

fn moving(curve: Curve) -> Scene {
    let mut scene = chain(&[Transform::IDENTITY]);
    let channel = Channel::whole(Property::Translation, curve);
    scene.clips.push(clip(4.0, vec![joint("n0", 0, vec![channel])]));
    scene
}

fn slopes(by: f32) -> Box<Handles> {
    let column = |sign: f32| (0..9).map(|n| sign * by * ((n * 7 % 5) as f32 - 2.0)).collect();
    Box::new(Handles { arriving: column(1.0), leaving: column(-0.5) })
}

const PLACES: [f32; 9] = [0.0, 1.0, 2.0, 3.0, -1.0, 0.5, -2.0, 4.0, 1.0];

#[test]
fn cubic_segments_are_cut_into_cubic_segments() {
    let cubic = wide(seconds(&[0.0, 2.0, 4.0]), 3, &PLACES, law(Blend::Hermite));
    let source = moving(Curve { handles: Some(slopes(1.5)), ..cubic });
    let laws = LawSet { hermite: true, ..like_gltf().vector_laws };
    let capabilities = Capabilities { vector_laws: laws, ..like_gltf() };
    let (made, report) = cut(&source, 15.0, 75.0, &capabilities);
    let curve = only_curve(&channels(&made)[0]);
    assert_eq!((times_of(curve), &curve.laws), (vec![0.0, 1.5, 2.0], &Laws::uniform(Law::HERMITE)));
    assert!(farthest(&source, &made, 15.0, 75.0)[0] < 1e-5);
    assert!(report.losses.iter().all(|loss| matches!(loss, Loss::Kept { .. })), "{:?}", report.losses);
}

#[test]
fn weighted_segments_are_cut_into_weighted_segments() {
    let weighted = wide(seconds(&[0.0, 2.0, 4.0]), 3, &PLACES, law(Blend::WeightedBezier));
    let weights = Handles { arriving: vec![0.7; 9], leaving: vec![0.2; 9] };
    let counts = [true, false, true].map(|leaving| Weighted { arriving: true, leaving });
    let source = moving(Curve {
        handles: Some(slopes(1.5)),
        weights: Some(Box::new(weights)),
        weighted: Some(counts.into()),
        ..weighted
    });
    let (made, report) = cut(&source, 15.0, 75.0, &like_unity());
    let curve = only_curve(&channels(&made)[0]);
    // A format with negative times keeps what comes before the start.
    assert_eq!((times_of(curve), &curve.laws), (vec![-0.5, 1.5, 2.0], &Laws::uniform(Law::WEIGHTED)));
    assert!(farthest(&source, &made, 15.0, 75.0)[0] < 1e-5);
    assert!(report.losses.iter().all(|loss| matches!(loss, Loss::Kept { .. })), "{:?}", report.losses);
}

#[test]
fn what_is_held_at_the_end_of_a_cut_needs_no_key_there() {
    let laws = Laws::from_segments([Law::STEP, Law::LINEAR]);
    let curve = Curve { laws, ..wide(seconds(&[0.0, 2.0, 4.0]), 3, &PLACES, Law::STEP) };
    let (made, _) = cut(&moving(curve.clone()), 15.0, 45.0, &like_unity());
    assert_eq!(times_of(only_curve(&channels(&made)[0])), [-0.5]);
    let (made, _) = cut(&moving(curve), 15.0, 75.0, &like_unity());
    assert_eq!(times_of(only_curve(&channels(&made)[0])), [-0.5, 1.5, 2.0]);
}

/// Channels of three axes, one of them with a timing that another does not have, and of a rotation.
fn between_two_keys(handles: [[u8; 4]; 3]) -> [Channel; 2] {
    let axis = |(handles, by): ([u8; 4], f32)| {
        let law = Law { timing: bytes(handles), blend: Blend::Lerp };
        Curve::new(frames(&[0, 30]), 1, vec![0.0, by], Laws::uniform(law))
    };
    let [first, second, third] = handles;
    let axes = [(first, 1.0), (second, -2.0), (third, 0.5)].map(axis);
    let law = Law { timing: bytes(first), blend: Blend::Slerp };
    let values = [0.0, 100.0].into_iter().flat_map(|angle| turn([0.0, 0.6, 0.8], angle)).collect();
    let rotation = Curve::new(frames(&[0, 30]), 4, values, Laws::uniform(law));
    [
        composed(Property::Translation, Composition::Components(axes.into())),
        Channel::whole(Property::Rotation, rotation),
    ]
}

#[test]
fn the_error_that_is_said_of_a_cut_is_the_largest() {
    let mut least = 1.0f64;
    for n in 0..60u32 {
        let handles = [3, 5, 11].map(|by| [29, 53, 71, 101].map(|byte| (n * byte * by % 128) as u8));
        let first = f64::from(1 + n % 28);
        let ends =
            (Seconds(first / 30.0), Seconds((first + 1.0 + f64::from(n % 3)).min(29.5).floor() / 30.0));
        for channel in between_two_keys(handles) {
            for (start, end) in [(ends.0, Seconds(1.0)), (Seconds(0.0), ends.0), ends] {
                let Some(cut) = cut_to(&channel, Some(start), end) else { continue };
                let error = |step: u32| {
                    let time = start.0 + (end.0 - start.0) * f64::from(step) / 3000.0;
                    let of = |channel: &Channel| value(channel, time, Side::At);
                    apart(&channel.property, &of(&channel), &of(&cut.channel))
                };
                let farthest = (0..=3000).map(error).fold(0.0, f64::max);
                if farthest > 1e-5 {
                    least = least.min(cut.largest.value / farthest);
                }
            }
        }
    }
    assert!(least > 0.999, "{least}");
}
