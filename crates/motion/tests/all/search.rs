//! The search for keys looks where the error is.

use crate::kit::*;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{KeyStorage, Rounding};
use dopesheet_core::model::{Blend, Channel, Curve, Law, Laws, Property, Scene, Transform};
use dopesheet_motion::{Animation, Conform, Tolerance, arrange, compare, conform};

/// Joints of an arm.
const JOINTS: usize = 8;

fn arm(channels: impl Iterator<Item = Channel>, end_s: f64) -> Scene {
    let place = Transform { translation: [0.2, 0.0, 0.0], ..Transform::IDENTITY };
    let mut scene = chain(&[place; JOINTS]);
    let tracks = channels.enumerate().map(|(n, channel)| joint(&format!("n{n}"), n, vec![channel]));
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
