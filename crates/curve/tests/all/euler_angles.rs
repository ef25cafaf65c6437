//! Euler angles in all six orders, to quaternions and back, and the choice among equal triples.

use dopesheet_curve::{
    EULER_YXZ, EULER_ZYX, EulerAxes, QUAT_IDENTITY, euler_bend, euler_from_quat, nearest_equivalent_euler,
    nearest_equivalent_zyx_degrees, quat_angle, quat_from_euler, quat_from_euler_degrees_zyx, slerp,
    wrap_angle,
};
use glam::{DMat3, DQuat};
use proptest::prelude::*;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, PI, TAU};

/// The product of the axes, by multiplying three single rotations.
fn product(axes: EulerAxes, [x, y, z]: [f64; 3]) -> [f64; 4] {
    let turns = [DQuat::from_rotation_x(x), DQuat::from_rotation_y(y), DQuat::from_rotation_z(z)];
    let [left, middle, right] = axes.map(|axis| turns[axis]);
    (left * middle * right).to_array()
}

/// All six orders.
const ORDERS: [EulerAxes; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

fn close(a: [f64; 4], b: [f64; 4], bound: f64) -> bool {
    (0..4).all(|n| (a[n] - b[n]).abs() <= bound)
}

fn order() -> impl Strategy<Value = EulerAxes> {
    proptest::sample::select(ORDERS.to_vec())
}

/// Angles with right angles, and their close neighbourhood, well represented.
fn angle() -> impl Strategy<Value = f64> {
    let right = (-4..=4_i32).prop_map(|n| f64::from(n) * FRAC_PI_2);
    let near = (-4..=4_i32, 1.0..17.0_f64).prop_map(|(n, e)| f64::from(n) * FRAC_PI_2 + 10.0_f64.powf(-e));
    prop_oneof![2 => -TAU..TAU, 1 => right, 1 => near]
}

fn quaternion() -> impl Strategy<Value = [f64; 4]> {
    [-1.0..=1.0, -1.0..=1.0, -1.0..=1.0, -1.0..=1.0_f64]
        .prop_filter("some length", |q| q.iter().map(|v| v * v).sum::<f64>() > 0.01)
}

/// PlayCanvas 2.23.3: rest rotations of one of the engine's own models and of hand-made keys.
#[test]
fn playcanvas_degrees_give_the_quaternions_of_the_engine() {
    let cases = [
        ([-90.0, -110.675, 0.0], [-0.4021608367, -0.5816069647, -0.5816069647, 0.4021608367]),
        ([-89.9989, -85.0, -0.00099184], [-0.5213329349, -0.4777144905, -0.4777143438, 0.5213346741]),
        ([-18.1612, -3.21846, -9.10051], [-0.1594642119, -0.01512754748, -0.08272645968, 0.9836150951]),
        ([1.33402e-8, -2.66804e-8, 0.0], [1.164152064e-10, -2.328304129e-10, 0.0, 1.0]),
        ([90.0, 60.0, 120.0], [0.0, FRAC_1_SQRT_2, 0.3535533906, 0.6123724357]),
        ([0.0, 170.0, 0.0], [0.0, 0.9961946981, 0.0, 0.08715574275]),
    ];
    for (degrees, expected) in cases {
        let got = quat_from_euler_degrees_zyx(degrees);
        assert!(close(got, expected, 6e-11), "{degrees:?}: {got:?}");
    }
}

/// The remainder of half a turn that decides the direction of travel, to the last bit.
#[test]
fn half_turns_leave_the_remainder_of_the_engine() {
    assert_eq!(quat_from_euler_degrees_zyx([0.0, 180.0, 0.0]), [0.0, 1.0, 0.0, 6.123233995736766e-17]);
    assert_eq!(quat_from_euler_degrees_zyx([0.0, -180.0, 0.0]), [0.0, -1.0, 0.0, 6.123233995736766e-17]);
    assert!((quat_from_euler_degrees_zyx([90.0, 60.0, 120.0])[0] - 5.551115123e-17).abs() < 1e-25);
}

#[test]
fn zyx_turns_about_x_first() {
    let q = DQuat::from_array(quat_from_euler_degrees_zyx([90.0, 90.0, 0.0]));
    let moved = q * glam::DVec3::Y;
    // X takes +Y to +Z, then Y takes +Z to +X.
    assert!((moved - glam::DVec3::X).length() < 1e-15, "{moved}");
}

#[test]
fn camera_angles_are_those_of_the_rotation_matrix() {
    let angles = [0.4, -2.0, 0.7];
    let q = quat_from_euler(EULER_YXZ, angles);
    let m = DMat3::from_quat(DQuat::from_array(q));
    let m = |row: usize, column: usize| m.col(column)[row];
    let from_matrix = [(-m(1, 2)).asin(), m(0, 2).atan2(m(2, 2)), m(1, 0).atan2(m(1, 1))];
    let got = euler_from_quat(EULER_YXZ, q);
    for n in 0..3 {
        assert!((from_matrix[n] - angles[n]).abs() < 1e-14 && (got[n] - angles[n]).abs() < 1e-14);
    }
}

/// Keys of a walk cycle that stand on the Y pole, in degrees.
#[test]
fn angles_on_the_pole_are_right_together() {
    let keys = [[180.0, 90.0, -4.79044e-7], [180.0, -89.6784, -9.34235e-6], [-180.0, 90.0, 9.37929e-6]];
    for degrees in keys {
        let q = quat_from_euler_degrees_zyx(degrees);
        let back = euler_from_quat(EULER_ZYX, q);
        assert!(quat_angle(quat_from_euler(EULER_ZYX, back), q) <= 4e-15, "{degrees:?}: {back:?}");
    }
}

#[test]
fn exact_poles_leave_the_outer_left_angle_at_zero() {
    for degrees in [[30.0, 90.0, 0.0], [-50.0, -90.0, 0.0]] {
        let back = euler_from_quat(EULER_ZYX, quat_from_euler_degrees_zyx(degrees));
        assert!((back[1].abs() - FRAC_PI_2).abs() < 1e-15);
        assert!((0..3).all(|n| (back[n].to_degrees() - degrees[n]).abs() < 1e-6), "{back:?}");
    }
}

#[test]
fn quaternions_without_direction_have_no_angles() {
    for q in [[0.0; 4], [f64::NAN; 4], [f64::INFINITY, 0.0, 0.0, 1.0]] {
        for order in ORDERS {
            assert_eq!(euler_from_quat(order, q), [0.0; 3]);
        }
    }
    assert_eq!(euler_from_quat(ORDERS[0], QUAT_IDENTITY), [0.0; 3]);
}

#[test]
fn an_angle_that_is_no_number_makes_no_rotation() {
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for order in ORDERS {
            for n in 0..3 {
                let mut angles = [0.1, 0.2, 0.3];
                angles[n] = odd;
                assert!(quat_from_euler(order, angles).iter().all(|v| v.is_nan()));
            }
        }
        assert!(quat_from_euler_degrees_zyx([odd, 0.5, 0.25]).iter().all(|v| v.is_nan()));
        assert!(wrap_angle(odd).is_nan());
        let zyx = |angles, previous| nearest_equivalent_euler(EULER_ZYX, angles, previous);
        assert_eq!(zyx([0.1, 0.2, 0.3], [odd, 0.0, 0.0])[0], 0.1);
        assert_eq!(zyx([odd, 0.2, 0.3], [0.1, 0.2, 0.3])[0].to_bits(), odd.to_bits());
    }
}

/// The vendor's clip runs −178.946, −186.726, −188.706 where a plain conversion jumps to +173.
#[test]
fn nearest_triple_continues_past_half_a_turn() {
    let mut previous = [-178.946, 0.0, 0.0];
    for x in [-186.726, -188.706] {
        let plain = [x + 360.0, 0.0, 0.0];
        previous = nearest_equivalent_zyx_degrees(plain, previous);
        assert!((previous[0] - x).abs() < 1e-12 && previous[1] == 0.0 && previous[2] == 0.0);
    }
}

#[test]
fn nearest_triple_prefers_the_given_one_when_both_are_as_near() {
    assert_eq!(nearest_equivalent_zyx_degrees([90.0, 90.0, 90.0], [180.0, 90.0, 180.0]), [90.0, 90.0, 90.0]);
    assert_eq!(nearest_equivalent_zyx_degrees([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]);
}

#[test]
fn degrees_are_unwrapped_without_rounding() {
    let unwrapped =
        |angle, previous| nearest_equivalent_zyx_degrees([angle, 0.0, 0.0], [previous, 0.0, 0.0])[0];
    assert_eq!(unwrapped(-10.5, 3595.0), 3589.5);
    assert_eq!(unwrapped(10.5, -725.0), -709.5);
    assert_eq!(unwrapped(0.1, 0.2), 0.1);
}

#[test]
fn half_turns_wrap_to_the_positive_side() {
    assert_eq!(wrap_angle(PI), PI);
    assert_eq!(wrap_angle(-PI), PI);
    assert_eq!(wrap_angle(0.25), 0.25);
    assert!((wrap_angle(5.0 * FRAC_PI_2) - FRAC_PI_2).abs() < 1e-15);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(6000)))]

    #[test]
    fn quaternions_are_the_named_product(order in order(), angles in [angle(), angle(), angle()]) {
        let q = quat_from_euler(order, angles);
        prop_assert!(close(q, product(order, angles), 8e-16));
    }

    #[test]
    fn degrees_are_the_same_rotation_as_radians(degrees in [-720.0..720.0, -720.0..720.0, -720.0..720.0]) {
        let q = quat_from_euler(EULER_ZYX, degrees.map(f64::to_radians));
        prop_assert!(close(quat_from_euler_degrees_zyx(degrees), q, 2e-15));
    }

    #[test]
    fn rotation_survives_the_way_through_angles(order in order(), angles in [angle(), angle(), angle()]) {
        let q = quat_from_euler(order, angles);
        let back = euler_from_quat(order, q);
        prop_assert!(quat_angle(q, quat_from_euler(order, back)) <= 4e-15, "{:?}", back);
        prop_assert!(back[order[1]].abs() <= FRAC_PI_2);
        prop_assert!(back.iter().all(|a| *a > -PI && *a <= PI));
    }

    #[test]
    fn any_quaternion_survives_the_way_through_angles(order in order(), q in quaternion()) {
        prop_assert!(quat_angle(q, quat_from_euler(order, euler_from_quat(order, q))) <= 4e-15);
    }

    #[test]
    fn angles_away_from_the_pole_come_back(
        order in order(), [outer, inner] in [-3.1..3.1, -3.1..3.1_f64], middle in -1.4..1.4_f64,
    ) {
        let mut angles = [outer, inner, inner];
        angles[order[1]] = middle;
        let back = euler_from_quat(order, quat_from_euler(order, angles));
        prop_assert!((0..3).all(|n| (back[n] - angles[n]).abs() <= 1e-14), "{:?}", back);
    }

    #[test]
    fn nearest_triple_is_the_same_rotation(
        order in order(), angles in [angle(), angle(), angle()],
        previous in [-30.0..30.0, -30.0..30.0, -30.0..30.0],
    ) {
        let nearest = nearest_equivalent_euler(order, angles, previous);
        let size = angles.iter().chain(&previous).fold(1.0, |most: f64, a| most.max(a.abs()));
        let apart = quat_angle(quat_from_euler(order, angles), quat_from_euler(order, nearest));
        prop_assert!(apart <= 2e-15 * size, "{} at {}", apart, size);
    }

    #[test]
    fn no_equal_triple_is_nearer(
        angles in [angle(), angle(), angle()], previous in [-9.0..9.0, -9.0..9.0, -9.0..9.0_f64],
        [i, j, k] in [-3..=3_i32, -3..=3, -3..=3], twin in any::<bool>(),
    ) {
        let [x, y, z] = angles;
        let other = if twin { [x + PI, PI - y, z + PI] } else { angles };
        let turns = [i, j, k].map(|n| TAU * f64::from(n));
        let distance = |t: [f64; 3]| -> f64 { (0..3).map(|n| (t[n] - previous[n]).abs()).sum() };
        let nearest = distance(nearest_equivalent_euler(EULER_ZYX, angles, previous));
        prop_assert!(nearest <= distance(std::array::from_fn(|n| other[n] + turns[n])) + 1e-13);
    }

    #[test]
    fn unwrapped_angles_are_within_half_a_turn_and_point_the_same_way(
        [angle, previous] in [-1e3..1e3, -1e3..1e3_f64],
    ) {
        let unwrapped = nearest_equivalent_euler(EULER_ZYX, [angle, 0.0, 0.0], [previous, 0.0, 0.0])[0];
        let bound = 4e-16 * angle.abs().max(previous.abs()).max(PI);
        prop_assert!((unwrapped - previous).abs() <= PI + bound);
        let turns = ((unwrapped - angle) / TAU).round();
        prop_assert!((unwrapped - angle - turns * TAU).abs() <= bound);
    }

    #[test]
    fn wrapped_angles_are_in_range_and_point_the_same_way(angle in -1e3..1e3_f64) {
        let wrapped = wrap_angle(angle);
        prop_assert!(wrapped > -PI && wrapped <= PI);
        let turns = ((angle - wrapped) / TAU).round();
        prop_assert!((angle - wrapped - turns * TAU).abs() <= 3e-16 * angle.abs().max(PI));
    }
}

/// Largest angle between a rotation whose angles run evenly and the great arc between its ends.
fn bent(order: EulerAxes, from: [f64; 3], changes: [f64; 3]) -> f64 {
    let at = |share: f64| quat_from_euler(order, std::array::from_fn(|n| from[n] + share * changes[n]));
    let (a, b) = (at(0.0), at(1.0));
    let shares = (1..32).map(|n| f64::from(n) / 32.0);
    shares.map(|share| quat_angle(at(share), slerp(a, b, share))).fold(0.0, f64::max)
}

proptest! {
    #[test]
    fn angles_that_run_evenly_bend_no_farther_than_is_said_and_at_times_half_as_far(
        order in order(),
        from in proptest::array::uniform3(-PI..PI),
        parts in proptest::array::uniform3(-1.0..1.0f64),
        turned in 1e-3..1.0f64,
    ) {
        let whole: f64 = parts.iter().map(|part| part.abs()).sum();
        let changes = parts.map(|part| part / whole * turned * (1.0 - 1e-12));
        let bend = euler_bend(changes).unwrap();
        prop_assert!(bent(order, from, changes) <= bend + 1e-9);
        let middle = |angle: f64| {
            let mut from = from;
            from[order[1]] = angle - 0.5 * changes[order[1]];
            from
        };
        let most = (-18..18).map(|n| bent(order, middle(f64::from(n) * PI / 18.0), changes)).fold(0.0, f64::max);
        prop_assert!(bend <= 2.0 * most + 1e-9, "{bend} where it is {most}");
    }
}

#[test]
fn nothing_is_said_of_how_far_angles_bend_that_turn_far() {
    assert_eq!(euler_bend([0.5, -0.5, 0.01]), None);
    assert_eq!(euler_bend([f64::NAN, 0.0, 0.0]), None);
    assert_eq!(euler_bend([0.0, -1.0, 0.0]), Some(0.0));
}
