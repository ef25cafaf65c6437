//! Cubic segments across authored keys are few, keep to the tolerance, and leave alone what holds or jumps.

use crate::kit::*;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Capabilities, KeyStorage, LawSet, Rounding};
use dopesheet_core::model::{Blend, Channel, Curve, Handles, Law, Property, Scene, Transform};
use dopesheet_motion::{Animation, Conform, Side, Tolerance, compare, conform};
use proptest::prelude::*;

const FPS: f64 = 60.0;

const TOLERANCE: Tolerance = Tolerance { length_m: 1e-4, shell_m: Some(0.03) };

fn like_cubic_gltf() -> Capabilities {
    let laws = LawSet { hermite: true, ..like_gltf().vector_laws };
    Capabilities { vector_laws: laws, rotation_laws: laws, ..like_gltf() }
}

fn conformed(scene: &Scene, lossy: bool, cubic: bool) -> (Scene, Report) {
    with_storage(scene, lossy, cubic, KeyStorage::default())
}

fn with_storage(scene: &Scene, lossy: bool, cubic: bool, storage: KeyStorage) -> (Scene, Report) {
    let options = Conform { tolerance: TOLERANCE, lossy, cubic, storage, ..Conform::default() };
    let (mut made, mut report) = (scene.clone(), Report::default());
    conform(&mut made, &like_cubic_gltf(), &options, &mut report);
    (made, report)
}

/// Joints one on the other, each with these channels.
fn moving(joints: Vec<Vec<Channel>>, end: f64) -> Scene {
    let mut scene = chain(&vec![Transform::IDENTITY; joints.len()]);
    let tracks = joints.into_iter().enumerate().map(|(n, channels)| joint(&format!("n{n}"), n, channels));
    scene.clips.push(clip(end, tracks.collect()));
    scene
}

fn curves(scene: &Scene) -> Vec<&Curve> {
    let channels = scene.clips[0].tracks.iter().flat_map(|track| &track.channels);
    channels.map(only_curve).collect()
}

fn keys(scene: &Scene) -> usize {
    curves(scene).iter().map(|curve| curve.len()).sum()
}

fn is_cubic(curve: &Curve) -> bool {
    curve.laws.all(|own| own == law(Blend::Hermite))
}

fn is_within(source: &Scene, made: &Scene) -> bool {
    let of = |scene| Animation { scene, clip: &scene.clips[0] };
    compare(of(source), of(made), &TOLERANCE).is_within
}

/// Straight segments from frame to frame of a motion.
fn way(count: usize, at: impl Fn(f64) -> [f64; 3]) -> Channel {
    let times: Vec<f64> = (0..count).map(|n| n as f64 / FPS).collect();
    let values: Vec<f32> = times.iter().flat_map(|time| at(*time)).map(|x| x as f32).collect();
    Channel::whole(Property::Translation, wide(seconds(&times), 3, &values, Law::LINEAR))
}

/// Great arcs from frame to frame, with quaternions of either sign.
fn turns(count: usize, degrees: impl Fn(f64) -> f64, flips: impl Fn(usize) -> bool) -> Channel {
    let times: Vec<f64> = (0..count).map(|n| n as f64 / FPS).collect();
    let rotation = |(n, time): (usize, &f64)| {
        let sign = if flips(n) { -1.0 } else { 1.0 };
        turn([0.6, 0.0, 0.8], degrees(*time)).map(|x| sign * x)
    };
    let values: Vec<f32> = times.iter().enumerate().flat_map(rotation).collect();
    Channel::whole(Property::Rotation, wide(seconds(&times), 4, &values, Law::SLERP))
}

#[test]
fn a_smooth_motion_takes_a_fifth_of_its_keys() {
    let swing = |time: f64| [0.3 * (2.0 * time).sin(), 0.2 * (1.5 * time).cos(), 0.1 * time];
    let joints = vec![
        vec![way(241, swing), turns(241, |time| 40.0 * (2.5 * time).sin(), |_| false)],
        vec![turns(241, |time| 170.0 + 30.0 * (2.0 * time).cos(), |n| n % 3 == 0)],
    ];
    let scene = moving(joints, 4.0);
    let (made, report) = conformed(&scene, true, true);
    assert!(curves(&made).into_iter().all(is_cubic));
    assert!(5 * keys(&made) <= keys(&scene), "{} of {} keys", keys(&made), keys(&scene));
    assert!(is_within(&scene, &made), "{report:?}");
    let (straight, _) = conformed(&scene, true, false);
    assert!(2 * keys(&made) <= keys(&straight), "{} of {} keys", keys(&made), keys(&straight));
}

#[test]
fn both_must_be_asked_for() {
    let scene = moving(vec![vec![way(121, |time| [(3.0 * time).sin(), 0.0, 0.0])]], 2.0);
    assert_eq!(conformed(&scene, false, true).0.clips, scene.clips);
    assert!(!curves(&conformed(&scene, true, false).0).into_iter().any(is_cubic));
}

#[test]
fn what_goes_straight_stays_straight() {
    let zigzag = |time: f64| [(2.0 * time).rem_euclid(2.0).min(2.0 - (2.0 * time).rem_euclid(2.0)), 0.0, 0.0];
    let scene = moving(vec![vec![way(241, zigzag)]], 4.0);
    let made = conformed(&scene, true, true).0;
    assert_eq!(keys(&made), 9);
    assert_eq!(made.clips, conformed(&scene, true, false).0.clips);
}

#[test]
fn keys_that_have_slopes_keep_them() {
    let times: Vec<f64> = (0..=120).map(|n| f64::from(n) / FPS).collect();
    let column = |at: fn(f64) -> f64| -> Vec<f32> {
        times.iter().flat_map(|time| [0.0, 0.05 * at(*time) as f32, 0.0]).collect()
    };
    let slopes = column(|time| 2.0 * (2.0 * time).cos());
    let handles = Handles { arriving: slopes.clone(), leaving: slopes.clone() };
    let values = column(|time| (2.0 * time).sin());
    let curve = wide(seconds(&times), 3, &values, law(Blend::Hermite));
    let curve = Curve { handles: Some(Box::new(handles)), ..curve };
    let scene = moving(vec![vec![Channel::whole(Property::Translation, curve)]], 2.0);
    let (made, report) = conformed(&scene, true, true);
    let own = curves(&made)[0];
    assert!(own.len() < 20, "{} keys: {report:?}", own.len());
    let handles = own.handles.as_deref().expect("tangents");
    for (key, time) in times_of(own).into_iter().enumerate() {
        let slope = slopes[3 * (time * FPS).round() as usize + 1];
        // Nothing arrives at the first key and nothing leaves the last.
        assert!(key == 0 || handles.arriving[3 * key + 1] == slope, "at {time}");
        assert!(key + 1 == own.len() || handles.leaving[3 * key + 1] == slope, "at {time}");
    }
}

#[test]
fn straight_segments_stay_where_they_are_stored_shorter() {
    let scene = moving(vec![vec![turns(121, |time| 40.0 * (2.5 * time).sin(), |_| false)]], 2.0);
    let shorts = KeyStorage { rotations: Rounding::Shorts, ..KeyStorage::default() };
    assert!(!curves(&with_storage(&scene, true, true, shorts).0).into_iter().any(is_cubic));
}

#[test]
fn what_holds_stays_still_and_what_jumps_jumps() {
    // Moves for a second, holds for one, moves for one, jumps, and moves again.
    let height = |time: f64| match time {
        t if t < 1.0 => 0.05 * (3.0 * t).sin(),
        t if t < 2.0 => 0.05 * 3f64.sin(),
        t => 0.05 * (3f64.sin() + 1.0 - (4.0 * (t - 2.0)).cos()),
    };
    let mut times: Vec<f64> = (0..=240).map(|n| f64::from(n) / FPS).collect();
    let mut heights: Vec<f64> = times.iter().map(|time| height(*time)).collect();
    heights[180..].iter_mut().for_each(|height| *height += 2.0);
    times.insert(180, 3.0);
    heights.insert(180, height(3.0));
    let values: Vec<f32> = heights.iter().flat_map(|y| [0.0, *y as f32, 0.0]).collect();
    let curve = wide(seconds(&times), 3, &values, Law::LINEAR);
    let scene = moving(vec![vec![Channel::whole(Property::Translation, curve.clone())]], 4.0);
    let (made, report) = conformed(&scene, true, true);
    let own = curves(&made)[0];
    assert!(is_cubic(own) && 5 * own.len() <= curve.len(), "{} keys: {report:?}", own.len());
    assert!(is_within(&scene, &made), "{report:?}");
    for n in 0..=50 {
        let time = 1.0 + f64::from(n) / 50.0;
        assert_eq!(curve_value(own, time, Side::At), curve_value(&curve, 1.5, Side::At), "at {time}");
    }
    for side in [Side::Before, Side::After] {
        assert_eq!(curve_value(own, 3.0, side), curve_value(&curve, 3.0, side));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(48)))]

    #[test]
    fn no_point_is_off_by_more_than_is_reported(
        waves in prop::collection::vec((0.01..0.5f64, 0.5..12.0f64, 0.0..6.3f64), 3),
        (noise, seed) in (-6.0..-2.0f64, 0u32..1000),
        count in 20usize..200,
    ) {
        let noise = 10f64.powf(noise);
        let rough = |n: u32| (f64::from(n.wrapping_mul(2_654_435_761) >> 16) / 65_536.0 - 0.5) * noise;
        let at = |time: f64| {
            let frame = (time * FPS).round() as u32;
            std::array::from_fn(|n| {
                let (size, speed, phase) = waves[n];
                size * (speed * time + phase).sin() + rough(3 * frame + n as u32 + seed)
            })
        };
        let channel = way(count, at);
        let end = (count - 1) as f64 / FPS;
        let scene = moving(vec![vec![channel.clone()]], end);
        let (made, report) = conformed(&scene, true, true);
        let reported = model_error(&report);
        let reported = reported.unwrap_or_default();
        prop_assert!(reported <= TOLERANCE.length_m && is_within(&scene, &made), "{:?}", report);
        let own = &made.clips[0].tracks[0].channels[0];
        for n in 0..3000 {
            let time = end * (f64::from(n) + 0.382) / 3000.0;
            let (exact, own) = (value(&channel, time, Side::At), value(own, time, Side::At));
            let off = exact.iter().zip(&own).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
            // The report tells what was met at eight times from key to key, between which cubics rise a little.
            prop_assert!(off <= reported * 1.02 + 1e-9, "{} beyond {} at {}", off, reported, time);
            prop_assert!(off <= TOLERANCE.length_m, "{} at {}", off, time);
        }
    }
}
