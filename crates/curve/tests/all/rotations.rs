//! `slerp`, `nlerp`, normalising and the angle between rotations.

use dopesheet_curve::{
    GreatArc, QUAT_IDENTITY, QUAT_MIN_LENGTH, hermite, nlerp, quat_angle, quat_normalise,
    quat_normalise_above, quat_normalise_or_identity, slerp,
};
use glam::{DQuat, DVec3};
use proptest::prelude::*;
use std::f64::consts::{FRAC_1_SQRT_2, PI};

fn length(q: [f64; 4]) -> f64 {
    q.iter().map(|v| v * v).sum::<f64>().sqrt()
}

fn negated(q: [f64; 4]) -> [f64; 4] {
    q.map(|v| -v)
}

fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    (0..4).map(|n| a[n] * b[n]).sum()
}

/// Rotation about an axis, the definition of a quaternion.
fn turn(axis: DVec3, angle: f64) -> DQuat {
    DQuat::from_axis_angle(axis, angle)
}

fn about_y(degrees: f64) -> [f64; 4] {
    turn(DVec3::Y, degrees.to_radians()).to_array()
}

/// The formula of the glTF specification, chord below 1e-4 included.
fn gltf_slerp(a: [f64; 4], b: [f64; 4], u: f64) -> [f64; 4] {
    let d = dot(a, b);
    let (sign, angle) = (d.signum(), d.abs().min(1.0).acos());
    let [wa, wb] = if angle < 1e-4 {
        [1.0 - u, u]
    } else {
        [(angle * (1.0 - u)).sin() / angle.sin(), (u * angle).sin() / angle.sin()]
    };
    std::array::from_fn(|n| wa * a[n] + sign * wb * b[n])
}

fn axis() -> impl Strategy<Value = DVec3> {
    (-1.0..=1.0, 0.0..2.0 * PI).prop_map(|(z, a): (f64, f64)| {
        let r = (1.0 - z * z).sqrt();
        DVec3::new(r * a.cos(), r * a.sin(), z).normalize()
    })
}

fn rotation() -> impl Strategy<Value = [f64; 4]> {
    (axis(), -PI..PI).prop_map(|(axis, angle)| turn(axis, angle).normalize().to_array())
}

/// Angles up to half a turn with tiny ones well represented.
fn arc() -> impl Strategy<Value = f64> {
    prop_oneof![0.0..PI, (0.0..16.0_f64).prop_map(|e| PI * 10.0_f64.powf(-e))]
}

#[test]
fn slerp_takes_the_shorter_way_round() {
    let middle = slerp(about_y(170.0), about_y(-170.0), 0.5);
    assert!(quat_angle(middle, about_y(180.0)) < 1e-15);
    let middle = slerp(QUAT_IDENTITY, about_y(200.0), 0.5);
    assert!(quat_angle(middle, about_y(-80.0)) < 1e-15);
}

/// PlayCanvas 2.23.3, keys [0,0,0] to [200,0,0] and [0,0,0] to [90,60,120] degrees.
#[test]
fn slerp_gives_the_poses_of_the_playcanvas_engine() {
    let over_180 = [0.984807753012208, 0.0, 0.0, -0.17364817766693033];
    let tilted = [5.551115123e-17, FRAC_1_SQRT_2, 0.3535533905932738, 0.6123724356957945];
    let poses = [
        (over_180, 0.0714285714, [-0.09956784656, 0.0, 0.0, 0.9950307754]),
        (over_180, 0.785714286, [-0.889871809, 0.0, 0.0, 0.456210657]),
        (tilted, 0.269408266, [1.707439792e-17, 0.2174954452, 0.1087477226, 0.9699843628]),
        (tilted, 0.785714286, [4.610764334e-17, 0.5873239258, 0.2936619629, 0.7541970947]),
    ];
    for (end, u, expected) in poses {
        let got = slerp(QUAT_IDENTITY, end, u);
        assert!((0..4).all(|n| (got[n] - expected[n]).abs() < 1e-9), "{end:?} at {u}: {got:?}");
    }
}

/// Half a turn leaves a w of 6e-17, whose sign says which way to go.
#[test]
fn slerp_over_half_a_turn_goes_the_way_of_the_last_bit() {
    let (forth, back) = (about_y(180.0), about_y(-180.0));
    assert!(slerp(QUAT_IDENTITY, forth, 0.5)[1] > 0.7);
    assert!(slerp(QUAT_IDENTITY, back, 0.5)[1] < -0.7);
}

/// Rx(40°) by −0.5 and 1.5: how MikuMikuDance scales the rotation a bone appends to another.
#[test]
fn slerp_from_the_identity_scales_a_rotation_by_any_ratio() {
    let source = turn(DVec3::X, 40_f64.to_radians()).to_array();
    for (ratio, expected) in [(-0.5, [-0.173648, 0.984808]), (1.5, [0.5, 0.866025])] {
        let got = slerp(QUAT_IDENTITY, source, ratio);
        assert!((got[0] - expected[0]).abs() < 5e-7 && (got[3] - expected[1]).abs() < 5e-7, "{got:?}");
        assert_eq!([got[1], got[2]], [0.0, 0.0]);
    }
}

#[test]
fn slerp_has_no_step_where_the_arc_gives_way_to_the_chord() {
    for angle in [0.9e-6, 1.1e-6, 1.9e-6, 1.999_999e-6, 2.000_001e-6, 2.1e-6, 1.9e-4, 2.1e-4] {
        for u in [0.1, 0.25, 0.5, 0.9] {
            let got = slerp(QUAT_IDENTITY, turn(DVec3::Z, angle).to_array(), u);
            assert!(quat_angle(got, turn(DVec3::Z, u * angle).to_array()) < 1e-15, "{angle} at {u}");
        }
    }
}

#[test]
fn slerp_moves_without_steps() {
    let (a, b) = (about_y(-60.0), turn(DVec3::new(0.6, 0.0, 0.8), 2.0).to_array());
    let pace = quat_angle(a, b) / 1000.0;
    let mut before = a;
    for n in 1..=1000 {
        let now = slerp(a, b, f64::from(n) / 1000.0);
        assert!((quat_angle(before, now) - pace).abs() < 4e-15, "step {n}");
        before = now;
    }
}

/// Largest angle between chord and arc, found over the whole segment.
#[test]
fn nlerp_stays_within_the_stated_angle_of_slerp() {
    let table = [(10.0, 0.0013), (30.0, 0.034), (60.0, 0.27), (90.0, 0.92), (120.0, 2.3), (180.0, 8.2)];
    for (degrees, bound) in table {
        let end = about_y(degrees);
        let worst = (0..=2000)
            .map(|n| f64::from(n) / 2000.0)
            .map(|u| quat_angle(slerp(QUAT_IDENTITY, end, u), nlerp(QUAT_IDENTITY, end, u)).to_degrees())
            .fold(0.0, f64::max);
        assert!(worst <= bound && worst > 0.9 * bound, "{degrees}°: {worst}°");
    }
}

#[test]
fn angle_of_half_and_whole_turns_is_exact() {
    assert_eq!(quat_angle(QUAT_IDENTITY, [1.0, 0.0, 0.0, 0.0]), PI);
    assert_eq!(quat_angle(QUAT_IDENTITY, negated(QUAT_IDENTITY)), 0.0);
    assert_eq!(quat_angle(about_y(33.0), about_y(33.0)), 0.0);
}

#[test]
fn quaternions_without_direction_are_refused() {
    let refused = [
        [0.0; 4],
        [-0.0; 4],
        [f64::NAN, 0.0, 0.0, 1.0],
        [0.0, f64::INFINITY, 0.0, 1.0],
        [0.0, 0.0, 0.0, f64::NEG_INFINITY],
        [0.0, 0.9 * QUAT_MIN_LENGTH, 0.0, 0.0],
        [5e-324, 0.0, 0.0, 0.0],
    ];
    for q in refused {
        assert_eq!(quat_normalise(q), None, "{q:?}");
        assert_eq!(quat_normalise_or_identity(q), QUAT_IDENTITY, "{q:?}");
    }
}

#[test]
fn huge_and_tiny_quaternions_with_direction_are_normalised() {
    for size in [1e300, 1e160, 1e-11, 2.0 * QUAT_MIN_LENGTH] {
        let got = quat_normalise([0.0, 0.6 * size, 0.0, -0.8 * size]).unwrap();
        assert!((got[1] - 0.6).abs() < 1e-15 && (got[3] + 0.8).abs() < 1e-15, "{size}: {got:?}");
    }
    assert_eq!(quat_normalise([f64::MAX; 4]), Some([0.5; 4]));
}

#[test]
fn the_shortest_accepted_length_is_the_callers_choice() {
    assert_eq!(quat_normalise_above([0.0, 0.0, 0.0, 5e-7], 1e-6), None);
    assert_eq!(quat_normalise_above([0.0, 0.0, 0.0, 5e-7], 1e-7), Some(QUAT_IDENTITY));
    assert_eq!(quat_normalise_above([0.0, 0.0, 0.0, 1e-200], 0.0), Some(QUAT_IDENTITY));
    assert_eq!(quat_normalise_above(QUAT_IDENTITY, 2.0), None);
    assert_eq!(quat_normalise_above([0.0, 0.0, 0.0, 1e-200], f64::NAN), Some(QUAT_IDENTITY));
    assert_eq!(quat_normalise_above([0.0; 4], f64::NAN), None);
}

#[test]
fn blends_give_a_unit_quaternion_whatever_the_input() {
    let odd = [0.0, 1.0, -1.0, 1e-320, 1e200, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    let ends = odd.map(|v| [v, 0.5, v, -0.5]).into_iter().chain(odd.map(|v| [0.0, 0.0, 0.0, v]));
    for a in ends.clone() {
        for b in ends.clone() {
            for u in [0.0, 0.5, 1.0, -2.5, 40.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                for blend in [slerp, nlerp] {
                    let got = blend(a, b, u);
                    assert!((length(got) - 1.0).abs() < 2e-13, "{a:?} {b:?} {u}: {got:?}");
                }
            }
            assert!((0.0..=PI).contains(&quat_angle(a, b)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(4000)))]

    #[test]
    fn slerp_turns_at_constant_speed(start in rotation(), axis in axis(), angle in arc(), u in 0.0..=1.0) {
        let from = DQuat::from_array(start);
        let to = (from * turn(axis, angle)).to_array();
        let expected = (from * turn(axis, u * angle)).to_array();
        prop_assume!(dot(start, to) > 0.0);
        prop_assert!(quat_angle(slerp(start, to, u), expected) <= 4e-15);
    }

    #[test]
    fn slerp_stays_on_the_unit_sphere([a, b] in [rotation(), rotation()], u in 0.0..=1.0) {
        prop_assert!((length(slerp(a, b, u)) - 1.0).abs() <= 4e-15);
        prop_assert!((length(nlerp(a, b, u)) - 1.0).abs() <= 1e-15);
    }

    #[test]
    fn blends_are_exact_at_both_ends([a, b] in [rotation(), rotation()]) {
        let near_b = if dot(a, b) < 0.0 { negated(b) } else { b };
        prop_assume!(dot(a, b).abs() > 1e-15);
        let (a, near_b) = (quat_normalise(a).unwrap(), quat_normalise(near_b).unwrap());
        for blend in [slerp, nlerp] {
            prop_assert_eq!(blend(a, b, 0.0), a);
            prop_assert_eq!(blend(a, b, 1.0), near_b);
        }
    }

    #[test]
    fn slerp_backwards_is_the_same_path([a, b] in [rotation(), rotation()], u in 0.0..=1.0) {
        prop_assume!(dot(a, b).abs() > 1e-12);
        prop_assert!(quat_angle(slerp(a, b, u), slerp(b, a, 1.0 - u)) <= 4e-15);
    }

    #[test]
    fn the_sign_of_an_end_changes_nothing([a, b] in [rotation(), rotation()], u in 0.0..=1.0) {
        prop_assume!(dot(a, b).abs() > 1e-12);
        for blend in [slerp, nlerp] {
            prop_assert!(quat_angle(blend(a, b, u), blend(a, negated(b), u)) <= 4e-15);
            prop_assert!(quat_angle(blend(a, b, u), blend(negated(a), b, u)) <= 4e-15);
        }
    }

    /// The `acos` in the formula of the specification costs it half its digits for small arcs.
    #[test]
    fn slerp_is_within_3e_8_of_the_gltf_formula_as_written(
        a in rotation(), axis in axis(), angle in arc(), u in 0.0..=1.0,
    ) {
        let b = (DQuat::from_array(a) * turn(axis, angle)).to_array();
        prop_assume!(dot(a, b) > 1e-12);
        prop_assert!(quat_angle(slerp(a, b, u), gltf_slerp(a, b, u)) <= 3e-8);
    }

    #[test]
    fn chord_and_arc_agree_below_the_limit_of_gltf(axis in axis(), angle in 0.0..2e-4_f64, u in 0.0..=1.0) {
        let end = turn(axis, angle).to_array();
        prop_assert!(quat_angle(slerp(QUAT_IDENTITY, end, u), nlerp(QUAT_IDENTITY, end, u)) <= 3.3e-14);
    }

    #[test]
    fn angle_is_that_of_the_turn_between_rotations(a in rotation(), axis in axis(), angle in arc()) {
        let b = (DQuat::from_array(a) * turn(axis, angle)).to_array();
        prop_assert!((quat_angle(a, b) - angle).abs() <= 4e-15);
        prop_assert!((quat_angle(negated(a), b) - angle).abs() <= 4e-15);
        prop_assert_eq!(quat_angle(a, b), quat_angle(b, a));
    }

    #[test]
    fn normalising_keeps_the_direction_and_settles_at_once(q in [-1e3..1e3, -1e3..1e3, -1e3..1e3, 0.1..1e3_f64]) {
        let unit = quat_normalise(q).unwrap();
        prop_assert!((length(unit) - 1.0).abs() <= 1e-15);
        prop_assert!((dot(unit, q) / length(q) - 1.0).abs() <= 1e-15);
        prop_assert_eq!(quat_normalise(unit), Some(unit));
    }
}

#[test]
fn a_rotation_that_does_not_move_keeps_its_bits() {
    let q = quat_normalise_or_identity([-0.672_688_5, 0.043_387_216, -0.031_284_083, 0.737_989_86]);
    for step in 0..=100 {
        let u = f64::from(step) / 100.0;
        assert_eq!(slerp(q, q, u), q);
        assert_eq!(nlerp(q, q.map(|x| -x), u), q);
    }
}

/// The largest angle between the great arc of a turn and the cubic by its velocities.
fn cubic_off_the_arc(degrees: f64) -> f64 {
    let (a, b) = (about_y(20.0), about_y(20.0 + degrees));
    let arc = GreatArc::between(a, b);
    let (leaving, arriving) = (arc.velocity_at(0.0), arc.velocity_at(1.0));
    let off = |step: u32| {
        let u = f64::from(step) / 500.0;
        let cubic = std::array::from_fn(|n| hermite(a[n], leaving[n], arc.end()[n], arriving[n], u));
        quat_angle(quat_normalise_or_identity(cubic), arc.at(u))
    };
    (0..=500).map(off).fold(0.0, f64::max)
}

#[test]
fn cubics_by_the_velocities_of_an_arc_follow_it_with_the_fifth_power_of_its_angle() {
    for (degrees, bound) in [(1e-5, 1e-14), (10.0, 3.1e-9), (30.0, 7.4e-7), (60.0, 2.4e-5), (90.0, 1.8e-4)] {
        let found = cubic_off_the_arc(degrees);
        assert!(found <= bound, "{degrees}°: {found:e}");
        assert!(degrees < 1.0 || found > 0.5 * bound, "{degrees}°: {found:e} is far below what is stated");
    }
}

#[test]
fn the_velocity_of_an_arc_is_how_fast_it_runs() {
    for degrees in [0.0, 1e-5, 0.01, 35.0, 179.0] {
        let arc = GreatArc::between(about_y(5.0), about_y(5.0 + degrees));
        for u in [0.0, 0.25, 1.0] {
            let (before, after) = (arc.at(u - 1e-5), arc.at(u + 1e-5));
            for (n, found) in arc.velocity_at(u).into_iter().enumerate() {
                assert!((found - (after[n] - before[n]) / 2e-5).abs() < 1e-9, "{degrees}° at {u}");
            }
        }
    }
}

#[test]
fn an_arc_turns_about_its_axis() {
    let (a, b) = (
        quat_normalise_or_identity([0.3, -0.2, 0.5, 0.7]),
        quat_normalise_or_identity([-0.1, 0.6, 0.2, 0.4]),
    );
    let arc = GreatArc::between(a, b);
    for u in [-0.5, 0.25, 1.0, 1.3] {
        let (sine, cosine) = (arc.angle() * u).sin_cos();
        let [x, y, z] = arc.axis().map(|x| x * sine);
        assert!(quat_angle(quat_product([x, y, z, cosine], a), arc.at(u)) < 1e-14, "at {u}");
    }
    assert_eq!(GreatArc::between(a, a).axis(), [0.0; 3]);
}

fn quat_product([px, py, pz, pw]: [f64; 4], [qx, qy, qz, qw]: [f64; 4]) -> [f64; 4] {
    [
        pw * qx + px * qw + py * qz - pz * qy,
        pw * qy - px * qz + py * qw + pz * qx,
        pw * qz + px * qy - py * qx + pz * qw,
        pw * qw - px * qx - py * qy - pz * qz,
    ]
}
