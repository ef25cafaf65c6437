//! Keys on a format's grid: timing curves, jumps, and rest poses that turn.

use crate::kit::*;
use dopesheet_core::diag::{ErrorUnit, Loss, Report};
use dopesheet_core::model::{
    Blend, Channel, Composition, Curve, JumpSide, Law, PoseRelation, Property, Scene, Timing, Transform,
};
use dopesheet_core::units::Seconds;
use dopesheet_motion::sample::pose::{local_pose, model_pose, rest_pose};
use dopesheet_motion::{Conform, Side, Tolerance, conform};
use glam::{DQuat, DVec3};
use proptest::prelude::*;

fn on_grid(scene: &Scene, tolerance: Tolerance) -> (Scene, Report) {
    let (mut made, mut report) = (scene.clone(), Report::default());
    conform(&mut made, &like_vmd(), &Conform { tolerance, ..Conform::default() }, &mut report);
    (made, report)
}

fn moving(channel: Channel, rest: Transform) -> Scene {
    let mut scene = chain(&[rest; 2]);
    scene.clips.push(clip(2.0, vec![joint("n1", 1, vec![channel])]));
    scene
}

fn turned() -> Transform {
    let rotation = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 1.2).to_array();
    Transform { translation: [0.1, 0.9, -0.2], rotation, ..Transform::IDENTITY }
}

fn channel_of(scene: &Scene, property: &Property) -> Channel {
    let channels = scene.clips[0].tracks.iter().flat_map(|t| &t.channels);
    channels.into_iter().find(|c| c.property == *property).expect("the channel").clone()
}

#[test]
fn timing_curves_of_rotations_survive_a_rest_pose_that_turns() {
    let values = [turn([0.0, 1.0, 0.0], 10.0), turn([1.0, 0.0, 0.0], 80.0)].concat();
    let eased = wide(frames(&[0, 45]), 4, &values, eased(Blend::Slerp));
    let (made, report) =
        on_grid(&moving(Channel::whole(Property::Rotation, eased.clone()), turned()), Tolerance::DEFAULT);
    assert_eq!(made.clips[0].relation, PoseRelation::OnTopOfRest);
    let rotation = channel_of(&made, &Property::Rotation);
    let own = only_curve(&rotation);
    assert_eq!((&own.times, &own.laws), (&eased.times, &eased.laws));
    assert!(report.losses.iter().all(|loss| matches!(loss, Loss::Kept { .. })), "{report:?}");
}

#[test]
fn timing_curves_of_translations_are_found_for_the_axes_that_are_written() {
    // One axis of the file moves with one timing; turned, all three do, each with its own.
    let axis = |way: f32, law| wide(seconds(&[0.0, 1.5]), 1, &[0.0, way], law);
    let slow = Law { timing: Timing::Bezier { x1: 0.8, y1: 0.0, x2: 0.9, y2: 0.6 }, blend: Blend::Lerp };
    let dense: Vec<f64> = (0..=90).map(|n| f64::from(n) / 60.0).collect();
    let (x, z) = (axis(1.0, eased(Blend::Lerp)), axis(-0.5, slow));
    let values: Vec<f32> = dense.iter().flat_map(|t| [at(&x, *t) as f32, 0.0, at(&z, *t) as f32]).collect();
    let curve = wide(seconds(&dense), 3, &values, Law::LINEAR);
    let tolerance = Tolerance { length_m: 1e-3, shell_m: None };
    let options = Conform { tolerance, lossy: true, ..Conform::default() };
    let (mut made, mut report) =
        (moving(Channel::whole(Property::Translation, curve), turned()), Report::default());
    conform(&mut made, &like_vmd(), &options, &mut report);
    let translation = channel_of(&made, &Property::Translation);
    let Composition::Components(axes) = &translation.composition else { panic!("{translation:?}") };
    assert!(axes[0].len() < 12, "{} keys", axes[0].len());
    let measured = report.losses.iter().find_map(|loss| match loss {
        Loss::Approximated { what, max_error, .. } if what.starts_with("model space") => Some(max_error),
        _ => None,
    });
    let measured = measured.expect("measured");
    assert!(
        measured.unit == ErrorUnit::Metre && measured.value > 0.0 && measured.value <= 1e-3,
        "{measured:?}"
    );
}

#[test]
fn a_jump_at_the_first_or_last_key_has_both_its_values() {
    for jump in [JumpSide::Before, JumpSide::After] {
        for (times, before, after) in [(&[0.5, 0.5, 1.0][..], 14, 16), (&[0.5, 1.0, 1.0], 29, 31)] {
            let values: Vec<f32> = match before {
                14 => vec![1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0],
                _ => vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0],
            };
            let curve = Curve { jump, ..wide(seconds(times), 3, &values, Law::LINEAR) };
            let source = Channel::whole(Property::Translation, curve);
            let (made, _) = on_grid(&moving(source.clone(), Transform::IDENTITY), Tolerance::DEFAULT);
            let made = channel_of(&made, &Property::Translation);
            for frame in [0, before, after, 60] {
                let time = FPS_30.seconds(f64::from(frame)).0;
                let [exact, own] = [&source, &made].map(|channel| value(channel, time, Side::At));
                assert!(apart(&Property::Translation, &exact, &own) < 1e-3, "{jump:?} at {frame}: {own:?}");
            }
        }
    }
}

/// The result as it is to be played: on joints that rest unturned where those of the source rest.
fn flat(made: &Scene) -> Scene {
    let rests = model_pose(made, &rest_pose(made)).0;
    let mut flat = made.clone();
    for (index, node) in flat.nodes.iter_mut().enumerate() {
        let parent = node.parent.map_or(DVec3::ZERO, |p| rests[p.0].translation);
        let translation = (rests[index].translation - parent).to_array();
        node.rest = Transform { translation, ..Transform::IDENTITY };
    }
    flat
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(64)))]

    #[test]
    fn joints_on_turned_rests_stay_within_the_tolerance(
        joints in prop::collection::vec((any_rotation(), any_rotation(), any_rotation(), 10i64..40), 1..5),
        exponent in -5.0..-2.0f64,
    ) {
        let rest = |rotation| Transform { translation: [0.2, 0.1, 0.0], rotation, ..Transform::IDENTITY };
        let mut scene = chain(&joints.iter().map(|j| rest(j.0)).collect::<Vec<_>>());
        let tracks = joints.iter().enumerate().map(|(n, (_, from, to, gap))| {
            let values: Vec<f32> = [*from, *to, *from].concat().into_iter().map(|x| x as f32).collect();
            let times = frames(&[0, *gap, gap + 15]);
            let rotation = Channel::whole(Property::Rotation, wide(times.clone(), 4, &values, eased(Blend::Slerp)));
            let values = [0.2, 0.1, 0.0, 0.3, 0.0, 0.1 * n as f32, 0.2, 0.1, 0.0];
            let translation = Channel::whole(Property::Translation, wide(times, 3, &values, eased(Blend::Lerp)));
            joint(&format!("n{n}"), n, vec![translation, rotation])
        });
        scene.clips.push(clip(2.0, tracks.collect()));
        let tolerance = Tolerance { length_m: 10f64.powf(exponent), shell_m: None };
        let (made, _) = on_grid(&scene, tolerance);
        let flat = flat(&made);
        for step in 0..=540 {
            let time = Seconds(f64::from(step) / 270.0);
            let of = |scene: &Scene| model_pose(scene, &local_pose(scene, &scene.clips[0], time)).0;
            for (a, b) in of(&scene).iter().zip(&of(&flat)) {
                let apart = a.translation.distance(b.translation);
                prop_assert!(apart <= tolerance.length_m + 2e-6, "{} at {:?}", apart, time);
            }
        }
    }
}
