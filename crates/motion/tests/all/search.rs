//! The search for keys looks where the error is.

use crate::kit::*;
use dopesheet_core::diag::{Loss, Report};
use dopesheet_core::format::{KeyStorage, Rounding};
use dopesheet_core::model::{Blend, Channel, Curve, Law, Laws, Property, Scene, Timing, Transform};
use dopesheet_motion::{Animation, Conform, Tolerance, arrange, compare, conform};

/// Joints of an arm.
const JOINTS: usize = 8;

fn arm(channels: impl Iterator<Item = Channel>, end_s: f64) -> Scene {
    let place = Transform { translation: [0.2, 0.0, 0.0], ..Transform::IDENTITY };
    let channels: Vec<Channel> = channels.collect();
    let mut scene = chain(&vec![place; channels.len()]);
    let tracks =
        channels.into_iter().enumerate().map(|(n, channel)| joint(&format!("n{n}"), n, vec![channel]));
    scene.clips.push(clip(end_s, tracks.collect()));
    scene
}

fn conformed(scene: &Scene, options: &Conform<'_>) -> (Scene, Report) {
    let (mut made, mut report) = (scene.clone(), Report::default());
    arrange(&mut made, &like_gltf());
    conform(&mut made, &like_gltf(), options, &mut report);
    (made, report)
}

fn is_within(a: &Scene, b: &Scene, tolerance: &Tolerance) -> bool {
    let of = |scene| Animation { scene, clip: &scene.clips[0] };
    compare(of(a), of(b), tolerance).is_within
}

/// A rotation by so many degrees at frames, with one law between them.
fn turns(list: &[i64], degrees: &[f64], law: Law) -> Channel {
    let values: Vec<f32> = degrees.iter().flat_map(|angle| turn([0.0, 0.0, 1.0], *angle)).collect();
    let curve = Curve::new(frames(list), 4, values, Laws::uniform(law));
    Channel::whole(Property::Rotation, curve)
}

#[test]
fn a_stretch_in_which_errors_of_a_chain_add_up_gets_more_keys_and_the_same_turn_elsewhere_does_not() {
    let law = eased(Blend::Slerp);
    let first = turns(&[0, 30, 570, 600], &[0.0, 50.0, 50.0, 0.0], law);
    let others = (1..JOINTS).map(|_| turns(&[0, 570, 600], &[0.0, 0.0, 50.0], law));
    let scene = arm([first].into_iter().chain(others), 20.0);
    let (made, report) = conformed(&scene, &Conform::default());
    assert_eq!(report.findings, []);
    assert!(is_within(&scene, &made, &Tolerance::DEFAULT));
    let curve = made.clips[0].tracks[0].channels[0].composition.curves().next().unwrap();
    let keys = |from: f64, to: f64| curve.times.iter().filter(|time| from < time.0 && time.0 < to).count();
    let [alone, together] = [keys(0.0, 1.0), keys(19.0, 20.0)];
    assert!(alone < together, "{alone} keys alone, {together} together");
}

#[test]
fn rotations_of_sixteen_bits_whose_rounding_adds_up_become_finer_before_all_keys_are_kept() {
    let list: Vec<i64> = (0..=240).collect();
    let degrees = |n: usize| list.iter().map(move |frame| (0.02 * (*frame as f64) + n as f64).sin());
    let channels = (0..JOINTS).map(|n| turns(&list, &degrees(n).collect::<Vec<_>>(), Law::SLERP));
    let scene = arm(channels, 8.0);
    let storage =
        KeyStorage { rotations: Rounding::Shorts, fine_rotations: Rounding::None, ..KeyStorage::default() };
    let authored = JOINTS * list.len();
    for length_m in [5e-5, 8e-5, 1e-4, 1.2e-4, 1.5e-4, 2e-4, 3e-4, 5e-4] {
        let tolerance = Tolerance { length_m, ..Tolerance::DEFAULT };
        let options = Conform { storage, tolerance, lossy: true, ..Conform::default() };
        let (made, report) = conformed(&scene, &options);
        assert_eq!(report.findings, [], "{length_m}");
        assert!(is_within(&scene, &made, &tolerance), "{length_m}");
        let curves = made.clips[0].tracks.iter().flat_map(|track| &track.channels);
        let keys: usize = curves.flat_map(|channel| channel.composition.curves()).map(Curve::len).sum();
        assert!(keys * 2 < authored, "{length_m}: {keys} of {authored}");
    }
}

/// An arm whose first joints swing to and fro, each at its own frames and with an ease of its own between 0 and `steepest`.
fn swinging(seed: u32, (moving, joints): (u32, u32), frames: i64, steepest: f32) -> Scene {
    let channels = (0..joints).map(|n| {
        let keys = if n < moving { 0..=frames / 9 } else { 0..=0 };
        let list: Vec<i64> = keys.map(|key| 9 * key + (key * 5 + i64::from(n * 3 + seed)) % 7).collect();
        let degrees = (n..).take(list.len()).map(|n| if n % 2 == 0 { 0.0 } else { 4.0 + f64::from(n % 5) });
        let part =
            |k: u32| (0.5 - steepest / 2.0) + steepest * ((seed * 7 + (n + k) * 13) % 11) as f32 / 10.0;
        let timing = Timing::Bezier { x1: part(0), y1: part(1), x2: part(2), y2: part(3) };
        turns(&list, &degrees.collect::<Vec<_>>(), Law { blend: Blend::Slerp, timing })
    });
    arm(channels, frames as f64 / 30.0)
}

/// The largest error that a conversion tells, and that of all samples.
fn told_and_true(scene: &Scene) -> [f64; 2] {
    let (made, report) = conformed(scene, &Conform::default());
    let told = report.losses.iter().filter_map(|loss| match loss {
        Loss::Approximated { what, max_error, .. } if what.starts_with("model space") => {
            Some(max_error.value)
        }
        _ => None,
    });
    let of = |scene| Animation { scene, clip: &scene.clips[0] };
    let all = compare(of(scene), of(&made), &Tolerance::DEFAULT);
    [told.fold(0.0, f64::max), all.largest.unwrap().difference.value]
}

#[test]
#[ignore = "costly"]
fn the_error_told_of_steep_eases_on_a_long_arm_is_that_of_all_samples() {
    for (seed, joints) in [(2, 8), (7, 8), (12, 12), (13, 12), (14, 12), (8, 36), (22, 48)] {
        let [told, all] = told_and_true(&swinging(seed, (joints, joints), 222, 1.0));
        assert!(
            told > 0.99 * all && all <= 1e-4,
            "{seed}, {joints} joints: {told} told, {all} at all samples"
        );
    }
}

#[test]
#[ignore = "costly"]
fn the_error_told_where_very_many_keys_are_no_samples_is_that_of_all_samples() {
    for seed in 0..4 {
        let [told, all] = told_and_true(&swinging(seed, (24, 60), 900, 0.5));
        assert!(told > 0.99 * all && all <= 1e-4, "{seed}: {told} told, {all} at all samples");
    }
}
