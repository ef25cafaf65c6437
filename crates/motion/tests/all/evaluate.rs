//! The reference evaluator: every law, composition and rule at the ends.

use crate::kit::*;
use dopesheet_core::model::{
    Blend, Channel, Composition, Curve, EulerOrder, JumpSide, Law, Laws, Orbit, Outside, Property, Times,
    Timing,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_motion::Sampler;
use dopesheet_motion::sample::stored_at;
use dopesheet_motion::{Side, channel_at, curve_at, joined_angles, native_parts};
use proptest::prelude::*;

const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;

fn ramp(start: f64, from: f32, law: Law) -> Outside {
    Outside::Ramp { start: Seconds(start), from: [from].into(), law }
}

#[test]
fn a_curve_without_keys_has_no_value() {
    let mut out = vec![1.0];
    assert!(!curve_at(&line(&[], &[], Law::LINEAR), Seconds(0.0), Side::At, &mut out));
    assert!(out.is_empty());
    assert!(!channel_at(&weight(line(&[], &[], Law::LINEAR)), Seconds(0.0), Side::At, &mut out));
}

#[test]
fn one_key_counts_at_all_times() {
    for blend in [Blend::Step, Blend::Lerp, Blend::Hermite, Blend::WeightedBezier] {
        let curve = line(&[2.0], &[7.0], law(blend));
        for time in [-1e300, 0.0, 2.0, 5.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            assert_eq!(before_at_after(&curve, time), [7.0; 3]);
        }
    }
}

#[test]
fn a_step_holds_until_the_next_key() {
    let curve = line(&[0.0, 1.0], &[3.0, 5.0], Law::STEP);
    assert_eq!(at(&curve, 0.999_999_999), 3.0);
    assert_eq!(before_at_after(&curve, 1.0), [3.0, 5.0, 5.0]);
    assert_eq!(at(&Curve { jump: JumpSide::Before, ..curve }, 1.0), 5.0, "exactly on a key its value counts");
}

#[test]
fn lerp_is_straight() {
    let curve = line(&[1.0, 3.0], &[10.0, 20.0], Law::LINEAR);
    assert_eq!([0.0, 1.0, 1.5, 3.0, 4.0].map(|t| at(&curve, t)), [10.0, 10.0, 12.5, 20.0, 20.0]);
}

#[test]
fn bezier_timing_eases_the_way() {
    let curve = line(&[0.0, 1.0], &[0.0, 10.0], eased(Blend::Lerp));
    assert_eq!(at(&curve, 0.5), 5.0);
    assert!(at(&curve, 0.25) < 2.0 && at(&curve, 0.75) > 8.0);
    let linear = Timing::Bezier { x1: 0.2, y1: 0.2, x2: 0.8, y2: 0.8 };
    let curve = line(&[0.0, 1.0], &[0.0, 10.0], Law { timing: linear, blend: Blend::Lerp });
    assert_eq!(at(&curve, 0.3), 3.0);
}

#[test]
fn each_segment_has_its_own_law() {
    let laws = Laws::from_segments([Law::STEP, Law::LINEAR, eased(Blend::Lerp)]);
    let curve = Curve::new(seconds(&[0.0, 1.0, 2.0, 3.0]), 1, vec![0.0, 1.0, 2.0, 3.0], laws);
    assert_eq!([0.9, 1.9, 2.5].map(|t| (at(&curve, t) * 1e9).round() / 1e9), [0.0, 1.9, 2.5]);
}

#[test]
fn slerp_takes_the_shorter_great_arc() {
    let [a, b] = [turn([0.0, 1.0, 0.0], 0.0), turn([0.0, 1.0, 0.0], 90.0)];
    for sign in [1.0, -1.0] {
        let values = [a, b.map(|v| sign * v)].concat();
        let channel = Channel::whole(Property::Rotation, wide(seconds(&[0.0, 1.0]), 4, &values, Law::SLERP));
        let expected = (1.0f64 / 3.0 * std::f64::consts::FRAC_PI_4).sin();
        assert!((value(&channel, 1.0 / 3.0, Side::At)[1] - expected).abs() < 1e-7);
    }
}

#[test]
fn nlerp_ends_in_the_same_places_at_another_speed() {
    let values = [turn([0.0, 1.0, 0.0], 0.0), turn([0.0, 1.0, 0.0], 150.0)].concat();
    let of = |blend| {
        value(
            &Channel::whole(Property::Rotation, wide(seconds(&[0.0, 1.0]), 4, &values, law(blend))),
            0.2,
            Side::At,
        )
    };
    let (slerp, nlerp) = (of(Blend::Slerp), of(Blend::Nlerp));
    assert!((slerp[1] - nlerp[1]).abs() > 0.01);
    assert!((nlerp.iter().map(|v| v * v).sum::<f64>() - 1.0).abs() < 1e-12);
}

#[test]
fn rotations_are_unit_quaternions_and_zero_is_no_rotation() {
    let values = [0.0, 3.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0];
    let channel = Channel::whole(Property::Rotation, wide(seconds(&[0.0, 1.0]), 4, &values, Law::SLERP));
    assert_eq!(value(&channel, 0.0, Side::At), [0.0, 0.6, 0.0, 0.8]);
    assert_eq!(value(&channel, 1.0, Side::At), [0.0, 0.0, 0.0, 1.0]);
    let mut stored = Vec::new();
    stored_at(&channel, 0, Seconds(0.0), &mut stored);
    assert_eq!(stored, [0.0, 3.0, 0.0, 4.0]);
}

#[test]
fn hermite_tangents_are_slopes_per_second() {
    let curve = hermite(&[0.0, 2.0], &[0.0, 4.0], &[9.0, 2.0], &[2.0, 9.0]);
    assert_eq!(at(&curve, 0.5), 1.0);
    let flat = hermite(&[0.0, 2.0], &[0.0, 4.0], &[0.0, 0.0], &[0.0, 0.0]);
    assert_eq!(at(&flat, 0.5), 4.0 * (3.0 * 0.0625 - 2.0 * 0.015625));
}

#[test]
fn an_infinite_tangent_holds_its_component() {
    let inf = f32::INFINITY;
    let mut curve = hermite(&[0.0, 1.0], &[1.0, 2.0], &[0.0, inf], &[0.0, 0.0]);
    assert_eq!(at(&curve, 0.9), 1.0);
    assert_eq!(before_at_after(&curve, 1.0), [1.0, 2.0, 2.0]);
    curve.handles.as_mut().unwrap().arriving[1] = 0.0;
    curve.handles.as_mut().unwrap().leaving[0] = -inf;
    assert_eq!(at(&curve, 0.5), 1.0);
}

#[test]
fn quaternion_laws_on_other_widths_are_straight() {
    for blend in [Blend::Slerp, Blend::Nlerp, Blend::Squad, Blend::Turn] {
        assert_eq!(at(&line(&[0.0, 1.0], &[0.0, 4.0], law(blend)), 0.25), 1.0);
    }
}

#[test]
fn of_two_keys_at_one_time_the_jump_side_chooses() {
    let mut curve = line(&[0.0, 1.0, 1.0, 2.0], &[0.0, 1.0, 5.0, 6.0], Law::LINEAR);
    assert_eq!(before_at_after(&curve, 1.0), [1.0, 5.0, 5.0]);
    curve.jump = JumpSide::Before;
    assert_eq!(before_at_after(&curve, 1.0), [1.0, 1.0, 5.0]);
    assert_eq!([0.5, 1.5].map(|t| at(&curve, t)), [0.5, 5.5]);
}

#[test]
fn of_many_keys_at_one_time_only_the_outer_ones_count() {
    let mut curve = line(&[0.0, 1.0, 1.0, 1.0, 2.0], &[0.0, 1.0, 9.0, 5.0, 6.0], Law::LINEAR);
    assert_eq!(before_at_after(&curve, 1.0), [1.0, 5.0, 5.0]);
    curve.jump = JumpSide::Before;
    assert_eq!(before_at_after(&curve, 1.0), [1.0, 1.0, 5.0]);
    let all_at_once = line(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0], Law::LINEAR);
    assert_eq!([0.0, 1.0, 2.0].map(|t| at(&all_at_once, t)), [1.0, 3.0, 3.0]);
}

#[test]
fn a_ramp_leads_to_the_first_key_and_holds_before_its_start() {
    let curve = Curve { before: ramp(0.0, 2.0, Law::LINEAR), ..line(&[1.0, 2.0], &[4.0, 8.0], Law::LINEAR) };
    assert_eq!([-5.0, 0.0, 0.25, 1.0, 1.5].map(|t| at(&curve, t)), [2.0, 2.0, 2.5, 4.0, 6.0]);
    assert_eq!(before_at_after(&curve, 1.0), [4.0; 3]);
}

#[test]
fn a_ramp_has_a_law_of_its_own() {
    let mut curve = Curve { before: ramp(0.0, 0.0, eased(Blend::Lerp)), ..line(&[1.0], &[4.0], Law::STEP) };
    assert!(at(&curve, 0.25) < 0.8);
    curve.before = ramp(0.0, 0.0, Law::STEP);
    assert_eq!(at(&curve, 0.99), 0.0);
    assert_eq!(before_at_after(&curve, 1.0), [0.0, 4.0, 4.0]);
}

#[test]
fn a_ramp_that_starts_too_late_or_does_not_fit_is_none() {
    for before in [ramp(1.0, 9.0, Law::STEP), ramp(2.0, 9.0, Law::STEP)] {
        let curve = Curve { before, ..line(&[1.0], &[4.0], Law::LINEAR) };
        assert_eq!(at(&curve, 0.0), 4.0);
        assert_eq!(before_at_after(&curve, 1.0), [4.0; 3]);
    }
    let before = Outside::Ramp { start: Seconds(0.0), from: [1.0, 2.0].into(), law: Law::LINEAR };
    assert_eq!(at(&Curve { before, ..line(&[1.0], &[4.0], Law::LINEAR) }, 0.5), 4.0);
    let behind = Curve { after: ramp(0.0, 9.0, Law::LINEAR), ..line(&[1.0], &[4.0], Law::LINEAR) };
    assert_eq!(at(&behind, 3.0), 4.0, "a ramp is only ever before");
}

fn repeated(rule: Outside, jump: JumpSide) -> Curve {
    let curve = line(&[1.0, 2.0, 3.0], &[0.0, 4.0, 10.0], Law::LINEAR);
    Curve { before: rule.clone(), after: rule, jump, ..curve }
}

#[test]
fn a_loop_starts_again_on_both_sides() {
    let curve = repeated(Outside::Loop, JumpSide::After);
    assert_eq!([3.5, 4.0, 5.5, 101.5].map(|t| at(&curve, t)), [2.0, 4.0, 2.0, 2.0]);
    assert_eq!([0.5, 0.0, -1.5, -99.5].map(|t| at(&curve, t)), [7.0, 4.0, 7.0, 7.0]);
}

#[test]
fn the_seam_of_a_loop_is_a_jump() {
    let curve = repeated(Outside::Loop, JumpSide::After);
    assert_eq!(before_at_after(&curve, 3.0), [10.0, 10.0, 0.0], "the last key counts at its own time");
    assert_eq!(before_at_after(&curve, 1.0), [10.0, 0.0, 0.0]);
    assert_eq!(before_at_after(&curve, 5.0), [10.0, 0.0, 0.0]);
    let curve = repeated(Outside::Loop, JumpSide::Before);
    assert_eq!(before_at_after(&curve, 5.0), [10.0, 10.0, 0.0]);
    assert_eq!(before_at_after(&curve, -1.0), [10.0, 10.0, 0.0]);
}

#[test]
fn ping_pong_runs_back_and_forth() {
    let curve = repeated(Outside::PingPong, JumpSide::After);
    assert_eq!([3.5, 4.0, 5.0, 6.0, 7.0].map(|t| at(&curve, t)), [7.0, 4.0, 0.0, 4.0, 10.0]);
    assert_eq!([0.5, 0.0, -1.0, -2.0, -3.0].map(|t| at(&curve, t)), [2.0, 4.0, 10.0, 4.0, 0.0]);
    assert_eq!(before_at_after(&curve, 3.0), [10.0; 3]);
    assert_eq!(before_at_after(&curve, 5.0), [0.0; 3]);
}

#[test]
fn on_the_way_back_jumps_are_seen_from_the_other_side() {
    let steps = line(&[0.0, 1.0, 2.0], &[0.0, 1.0, 2.0], Law::STEP);
    let curve = Curve { after: Outside::PingPong, ..steps };
    assert_eq!(before_at_after(&curve, 2.0), [1.0, 2.0, 1.0]);
    assert_eq!([2.5, 3.5].map(|t| at(&curve, t)), [1.0, 0.0]);
    assert_eq!(before_at_after(&curve, 3.0), [1.0, 1.0, 0.0]);
    let pair = line(&[0.0, 1.0, 1.0, 2.0], &[0.0, 1.0, 5.0, 6.0], Law::LINEAR);
    let curve = Curve { after: Outside::PingPong, ..pair };
    assert_eq!(before_at_after(&curve, 3.0), [5.0, 1.0, 1.0]);
}

#[test]
fn a_single_key_cannot_repeat() {
    for rule in [Outside::Loop, Outside::PingPong] {
        let curve = Curve { before: rule.clone(), after: rule, ..line(&[1.0], &[4.0], Law::LINEAR) };
        assert_eq!([-1.0, 1.0, 3.0, f64::INFINITY].map(|t| at(&curve, t)), [4.0; 4]);
    }
}

#[test]
fn a_time_that_is_not_a_number_is_the_first_key() {
    let curve = Curve { before: ramp(0.0, 0.0, Law::LINEAR), ..line(&[1.0, 2.0], &[4.0, 5.0], Law::LINEAR) };
    assert_eq!(at(&curve, f64::NAN), 4.0);
}

#[test]
fn huge_times_stay_finite() {
    let [low, high] = [f64::MIN, f64::MAX];
    let curve = line(&[low, high], &[-1.0, 1.0], Law::LINEAR);
    assert_eq!([low, low / 2.0, 0.0, high].map(|t| at(&curve, t)), [-1.0, -0.5, 0.0, 1.0]);
    let looped = Curve { after: Outside::Loop, ..line(&[0.0, 1e-300], &[0.0, 1.0], Law::LINEAR) };
    assert!(at(&looped, 1e300).is_finite());
    let steep = hermite(&[low, high], &[f32::MIN, f32::MAX], &[f32::MAX; 2], &[f32::MIN; 2]);
    assert_eq!(at(&steep, 0.0), f64::from(f32::MIN));
    let tiny = line(&[0.0, f64::from_bits(1)], &[0.0, 1.0], Law::LINEAR);
    assert_eq!(at(&tiny, 0.0), 0.0);
}

#[test]
fn twenty_thousand_frames_of_steps_are_found_given_as_fraction_as_f32_and_as_frame() {
    let count = 20_001i64;
    let list: Vec<i64> = (0..count).collect();
    let values: Vec<f32> = list.iter().map(|n| *n as f32).collect();
    let curve = wide(frames(&list), 1, &values, Law::STEP);
    for n in 0..count {
        let fraction = n as f64 / 30.0;
        let expected = n as f64;
        assert_eq!(at(&curve, fraction), expected, "as n/30");
        assert_eq!(at(&curve, f64::from(fraction as f32)), expected, "as f32");
        assert_eq!(at(&curve, FPS_30.seconds(n as f64).0), expected, "as a frame");
        assert_eq!(at(&curve, fraction + 0.5 / 30.0), expected, "between frames");
    }
}

#[test]
fn a_time_near_a_frame_is_that_frame_on_a_grid_only() {
    let near = 1.0 - 0.9e-3 / 30.0;
    assert_eq!(at(&wide(frames(&[0, 30]), 1, &[0.0, 1.0], Law::STEP), near), 1.0);
    assert_eq!(at(&line(&[0.0, 1.0], &[0.0, 1.0], Law::STEP), near), 0.0);
    let far = 1.0 - 1.1e-3 / 30.0;
    assert_eq!(at(&wide(frames(&[0, 30]), 1, &[0.0, 1.0], Law::STEP), far), 0.0);
}

#[test]
fn components_have_keys_of_their_own() {
    let x = line(&[0.0, 2.0], &[0.0, 2.0], Law::LINEAR);
    let y = line(&[1.0, 1.5], &[5.0, 6.0], Law::STEP);
    let z = line(&[], &[], Law::LINEAR);
    let channel = composed(Property::Translation, Composition::Components(vec![x, y, z]));
    assert_eq!(value(&channel, 1.0, Side::At), [1.0, 5.0, 0.0], "without keys: 0");
    let none = composed(Property::Translation, Composition::Components(vec![line(&[], &[], Law::LINEAR); 3]));
    assert!(!channel_at(&none, Seconds(0.0), Side::At, &mut Vec::new()));
}

#[test]
fn components_of_a_rotation_are_normalised_after_each_was_evaluated() {
    let of = |a: f32, b: f32| line(&[0.0, 1.0], &[a, b], Law::LINEAR);
    let curves = vec![of(0.0, 0.0), of(0.0, 1.0), of(0.0, 0.0), of(1.0, 0.0)];
    for composition in [Composition::ComponentsNormalised(curves.clone()), Composition::Components(curves)] {
        let q = value(&composed(Property::Rotation, composition), 0.5, Side::At);
        assert!((q[1] - HALF).abs() < 1e-15 && (q[3] - HALF).abs() < 1e-15);
    }
}

#[test]
fn euler_angles_are_interpolated_before_they_turn() {
    let angles = wide(seconds(&[0.0, 1.0]), 3, &[0.0, 0.0, 0.0, 0.0, 720.0, 0.0], Law::LINEAR);
    let euler = Composition::Euler { order: EulerOrder::Zyx, angles: vec![angles] };
    let channel = native(composed(Property::Rotation, euler), std::f64::consts::PI / 180.0);
    let q = value(&channel, 0.125, Side::At);
    assert!(
        (q[1] - HALF).abs() < 1e-12 && (q[3] - HALF).abs() < 1e-12,
        "90° of 720°, stored in degrees: {q:?}"
    );
    let mut stored = Vec::new();
    assert!(stored_at(&channel, 0, Seconds(0.125), &mut stored));
    assert_eq!((stored, native_parts(&channel)[0].0), (vec![0.0, 90.0, 0.0], "own"));
}

/// Angles in degrees in one curve, between whose keys the rotation takes the shorter way.
fn pose_angles(keys: &[f32]) -> Channel {
    let times: Vec<f64> = (0..keys.len() / 3).map(|key| key as f64).collect();
    let euler = Composition::Euler {
        order: EulerOrder::Zyx,
        angles: vec![wide(seconds(&times), 3, keys, Law::SLERP)],
    };
    native(composed(Property::Rotation, euler), std::f64::consts::PI / 180.0)
}

#[test]
fn angles_that_state_poses_take_the_shorter_way_between_them() {
    let channel = pose_angles(&[0.0, 0.0, 170.0, 0.0, 0.0, -170.0, 0.0, 0.0, 100.0]);
    let about_z = |degrees: f64| {
        let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
        [0.0, 0.0, sin, cos]
    };
    for (time, degrees) in
        [(-1.0, 170.0), (0.25, 175.0), (0.5, 180.0), (1.0, 190.0), (1.5, 145.0), (3.0, 100.0)]
    {
        let found: [f64; 4] = value(&channel, time, Side::At).try_into().unwrap();
        assert!(dopesheet_curve::quat_angle(found, about_z(degrees)) < 1e-12, "{time}: {found:?}");
    }
    assert_eq!(value(&channel, 1.0, Side::Before), value(&channel, 1.0, Side::After));
    let mut stored = Vec::new();
    assert!(stored_at(&channel, 0, Seconds(0.75), &mut stored));
    assert!((stored[2] - 185.0).abs() < 1e-9, "goes on from the key before: {stored:?}");
    assert!(stored_at(&channel, 0, Seconds(1.0), &mut stored));
    assert_eq!(stored, [0.0, 0.0, -170.0]);
}

#[test]
fn angles_that_state_poses_are_one_curve_of_quaternions() {
    let channel = pose_angles(&[10.0, 85.0, 20.0, -169.9, 94.8, -159.9, 3.0, -90.0, 300.0, 0.0, 0.0, -359.0]);
    let joined = joined_angles(&channel).unwrap();
    for step in -4..40 {
        let time = f64::from(step) / 11.0;
        let [a, b]: [[f64; 4]; 2] = [&channel, &joined].map(|c| value(c, time, Side::At).try_into().unwrap());
        assert!(dopesheet_curve::quat_angle(a, b) < 2e-7, "{time}: {a:?} {b:?}");
    }
    let Composition::Whole(curve) = &joined.composition else { panic!("one curve") };
    let signs = curve.values.windows(8).step_by(4).map(|w| (0..4).map(|n| w[n] * w[n + 4]).sum::<f32>());
    assert!(signs.into_iter().all(|dot| dot >= 0.0), "neighbours are on one side: {:?}", curve.values);
    let literal = wide(seconds(&[0.0, 1.0]), 3, &[0.0; 6], Law::LINEAR);
    let literal = Composition::Euler { order: EulerOrder::Zyx, angles: vec![literal] };
    assert_eq!(joined_angles(&composed(Property::Rotation, literal)), None);
}

#[test]
fn a_ramp_to_angles_that_state_a_pose_takes_the_shorter_way() {
    let before = Outside::Ramp { start: Seconds(0.0), from: Box::new([0.0; 3]), law: Law::SLERP };
    let curve = Curve { before, ..wide(seconds(&[1.0]), 3, &[0.0, -1.0, 1.5], Law::STEP) };
    let composition = Composition::Euler { order: EulerOrder::Xyz, angles: vec![curve] };
    let channel = composed(Property::Rotation, composition);
    let [from, middle, to]: [[f64; 4]; 3] =
        [0.0, 0.5, 1.0].map(|time| value(&channel, time, Side::At).try_into().unwrap());
    let apart = dopesheet_curve::quat_angle(middle, dopesheet_curve::slerp(from, to, 0.5));
    assert!(apart < 1e-12, "{apart}");
}

#[test]
fn one_curve_of_three_angles_is_three_curves_of_one() {
    let three: Vec<Curve> = [0.3, 0.5, 0.7].map(|v| line(&[0.0], &[v], Law::LINEAR)).into();
    let one = vec![wide(seconds(&[0.0]), 3, &[0.3, 0.5, 0.7], Law::LINEAR)];
    use EulerOrder::{Xyz, Xzy, Yxz, Yzx, Zxy, Zyx};
    let mut seen: Vec<Vec<f64>> = Vec::new();
    for order in [Xyz, Xzy, Yxz, Yzx, Zxy, Zyx] {
        let of = |angles: &Vec<Curve>| {
            value(
                &composed(Property::Rotation, Composition::Euler { order, angles: angles.clone() }),
                0.0,
                Side::At,
            )
        };
        assert_eq!(of(&one), of(&three));
        assert!(!seen.contains(&of(&one)), "{order:?} is no other order");
        seen.push(of(&one));
    }
}

#[test]
fn an_orbit_is_the_camera_of_mikumikudance() {
    // The eye is at target + R·(0, 0, distance) with R = Ry(−ry)·Rx(−rx)·Rz(−rz).
    let target = [0.0, 10.0, 0.0].map(|v| line(&[0.0], &[v], Law::LINEAR)).into();
    let angles = wide(seconds(&[0.0]), 3, &[0.0, std::f32::consts::FRAC_PI_2, 0.0], Law::LINEAR);
    let orbit = Orbit {
        target,
        angles,
        distance: line(&[0.0, 1.0], &[-45.0, -55.0], Law::LINEAR),
        order: EulerOrder::Yxz,
        angle_signs: [-1.0; 3],
        axis: [0.0, 0.0, 1.0],
    };
    let channel = composed(Property::Placement, Composition::Orbit(Box::new(orbit)));
    let eye = value(&channel, 0.5, Side::At);
    let expected = [50.0, 10.0, 0.0, 0.0, -HALF, 0.0, HALF];
    assert!(apart(&channel.property, &eye, &expected) < 1e-5, "{eye:?}");
    let names: Vec<_> =
        native_parts(&channel).iter().map(|(name, curves)| (name.to_string(), curves.len())).collect();
    assert_eq!(names, [("target".into(), 3), ("angles_rad".into(), 1), ("distance".into(), 1)]);
}

#[test]
fn an_orbit_with_keys_in_any_part_has_a_value() {
    let empty = || wide(seconds(&[]), 3, &[], Law::LINEAR);
    let none = line(&[], &[], Law::LINEAR);
    let orbit = Orbit {
        target: vec![none.clone(); 3],
        angles: empty(),
        distance: line(&[0.0], &[-3.0], Law::LINEAR),
        order: EulerOrder::Yxz,
        angle_signs: [-1.0; 3],
        axis: [0.0, 0.0, 1.0],
    };
    let keyless = Orbit { distance: none, ..orbit.clone() };
    let channel = |orbit| composed(Property::Placement, Composition::Orbit(Box::new(orbit)));
    assert_eq!(value(&channel(orbit), 0.0, Side::At), [0.0, 0.0, -3.0, 0.0, 0.0, 0.0, 1.0]);
    assert!(!channel_at(&channel(keyless), Seconds(0.0), Side::At, &mut Vec::new()));
}

#[test]
fn an_aim_looks_along_its_direction() {
    let direction = wide(seconds(&[0.0, 1.0]), 3, &[0.0, -2.0, 0.0, 3.0, -2.0, 0.0], Law::LINEAR);
    let aim = Composition::Aim { direction: Box::new(direction), axis: [0.0, 0.0, -1.0] };
    let q = value(&composed(Property::Rotation, aim), 0.5, Side::At);
    let looks = glam::DQuat::from_slice(&q) * glam::DVec3::NEG_Z;
    assert!((looks - glam::DVec3::new(1.5, -2.0, 0.0).normalize()).length() < 1e-12);
}

#[test]
fn native_units_are_scaled() {
    let channel = native(Channel::whole(Property::YFov, line(&[0.0], &[30.0], Law::STEP)), 0.5);
    assert_eq!(value(&channel, 0.0, Side::At), [15.0]);
    assert_eq!(native_parts(&channel)[0].0, "own");
    assert_eq!(native_parts(&Channel { native: None, ..channel })[0].0, "yfov");
}

fn random_time() -> impl Strategy<Value = f64> {
    prop_oneof![-9.0..9.0, (-90i32..90).prop_map(|n| f64::from(n) / 30.0), any::<f64>()]
}

proptest! {
    #[test]
    fn every_value_is_finite_and_as_wide_as_its_property(channel in any_channel(), time in random_time()) {
        let width = match channel.property {
            Property::Placement => 7,
            Property::Rotation => 4,
            Property::Translation => 3,
            Property::Weights => 5,
            _ => 1,
        };
        for side in [Side::Before, Side::At, Side::After] {
            let value = value(&channel, time, side);
            prop_assert_eq!(value.len(), width);
            prop_assert!(value.iter().all(|v| v.is_finite()), "{:?}", value);
            if channel.property == Property::Rotation {
                prop_assert!((value.iter().map(|v| v * v).sum::<f64>() - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn without_steps_the_value_at_a_time_is_that_of_one_side(curve in any_curve(Recipe::smooth(1), true), time in random_time()) {
        let [before, here, after] = before_at_after(&held(curve), time);
        prop_assert!(here == before || here == after, "{} is neither {} nor {}", here, before, after);
    }

    #[test]
    fn sides_are_limits(curve in any_curve(Recipe::numbers(1), true), frame in -90i32..90) {
        let time = f64::from(frame) / 30.0;
        // Off the grid but next to it.
        let step = 1e-8;
        let curve = Curve { times: Times::Seconds(curve.times.iter().map(|t| t.0).collect()), ..curve };
        let [before, _, after] = before_at_after(&curve, time);
        // An eased segment may stand upright in its middle, where time counts with its cube root.
        let near = |a: f64, b: f64| (a - b).abs() < 0.2;
        prop_assert!(near(before, at(&curve, time - step)), "{} is not {}", before, at(&curve, time - step));
        prop_assert!(near(after, at(&curve, time + step)), "{} is not {}", after, at(&curve, time + step));
    }

    #[test]
    fn a_sampler_agrees_whatever_was_asked_before(channel in any_channel(), times in prop::collection::vec(random_time(), 1..40)) {
        let mut sampler = Sampler::new(&channel);
        let mut out = Vec::new();
        for time in times {
            for side in [Side::At, Side::After, Side::Before] {
                sampler.value_at(Seconds(time), side, &mut out);
                prop_assert_eq!(&out, &value(&channel, time, side));
            }
        }
    }

    #[test]
    fn laws_of_straight_segments_agree_with_the_formula(a in -1e3f32..1e3, b in -1e3f32..1e3, share in 0.0..1.0f64) {
        let curve = line(&[0.0, 1.0], &[a, b], Law::LINEAR);
        let expected = f64::from(a) * (1.0 - share) + f64::from(b) * share;
        prop_assert!((at(&curve, share) - expected).abs() < 1e-12 * 1e3);
    }
}

#[test]
fn a_rate_that_is_no_whole_number_keeps_its_frames() {
    let rate = FrameRate::new(30_000, 1001).unwrap();
    let list: Vec<i64> = (0..10_000).collect();
    let values: Vec<f32> = list.iter().map(|n| *n as f32).collect();
    let curve = wide(Times::Frames { rate, frames: list.into() }, 1, &values, Law::STEP);
    for n in (0..10_000).step_by(7) {
        let time = rate.seconds(f64::from(n)).0;
        assert_eq!(at(&curve, time), f64::from(n));
        assert_eq!(at(&curve, f64::from(time as f32)), f64::from(n), "as f32");
    }
}
