//! Rotations as matrices, as two columns of one, and as vectors along their axis.

use dopesheet_curve::{
    QUAT_IDENTITY, matrix_from_quat, quat_angle, quat_from_matrix, quat_from_rotation_vector,
    quat_from_two_columns, quat_normalise, rotation_vector_from_quat, two_columns_from_quat,
};
use glam::{DQuat, DVec3};
use proptest::prelude::*;
use std::f64::consts::PI;

fn any_rotation() -> impl Strategy<Value = [f64; 4]> {
    prop::array::uniform4(-1.0..1.0_f64).prop_filter_map("no direction", quat_normalise)
}

fn length(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[test]
fn columns_are_where_the_axes_go() {
    let half = 0.5_f64.sqrt();
    // A quarter turn about X takes Y to Z.
    assert_eq!(two_columns_from_quat([half, 0.0, 0.0, half])[0], [1.0, 0.0, 0.0]);
    let second = two_columns_from_quat([half, 0.0, 0.0, half])[1];
    assert!((second[2] - 1.0).abs() < 1e-15 && second[1].abs() < 1e-15);
}

#[test]
fn what_a_network_makes_is_set_right() {
    let q = quat_from_two_columns([3.0, 0.0, 0.0], [5.0, 0.5, 0.0]);
    assert!(quat_angle(q, QUAT_IDENTITY) < 1e-15, "{q:?}");
}

#[test]
fn what_has_no_direction_is_the_identity() {
    for (a, b) in [
        ([0.0; 3], [0.0, 1.0, 0.0]),
        ([1.0, 0.0, 0.0], [2.0, 0.0, 0.0]),
        ([f64::NAN, 0.0, 0.0], [0.0, 1.0, 0.0]),
        ([1.0, 0.0, 0.0], [f64::INFINITY, 1.0, 0.0]),
    ] {
        assert_eq!(quat_from_two_columns(a, b), QUAT_IDENTITY, "{a:?} {b:?}");
    }
}

proptest! {
    #[test]
    fn a_matrix_turns_as_its_quaternion(q in any_rotation(), v in prop::array::uniform3(-1.0..1.0_f64)) {
        let rows = matrix_from_quat(q);
        let turned = DQuat::from_array(q) * DVec3::from(v);
        for (row, expected) in rows.iter().zip(turned.to_array()) {
            let found: f64 = row.iter().zip(v).map(|(a, b)| a * b).sum();
            prop_assert!((found - expected).abs() < 4e-15);
        }
    }

    #[test]
    fn there_and_back_is_the_same_rotation(q in any_rotation()) {
        prop_assert!(quat_angle(quat_from_matrix(matrix_from_quat(q)), q) < 4e-15);
        let [a, b] = two_columns_from_quat(q);
        prop_assert!(quat_angle(quat_from_two_columns(a, b), q) < 4e-15);
        let vector = rotation_vector_from_quat(q);
        prop_assert!(length(vector) <= PI + 1e-15);
        prop_assert!(quat_angle(quat_from_rotation_vector(vector), q) < 4e-15);
    }
}
