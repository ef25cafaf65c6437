//! Rotations as matrices, as two columns of one, and as vectors along their axis.

use dopesheet_curve::{
    QUAT_IDENTITY, decompose, matrix_from_quat, quat_angle, quat_from_matrix, quat_from_rotation_vector,
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

/// The columns of `r·diag(s)`.
fn columns(r: [f64; 4], s: [f64; 3]) -> [[f64; 3]; 3] {
    let r = DQuat::from_array(r);
    [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| r * (axis * DVec3::from(s))).map(|column| column.to_array())
}

/// Numbers of three.js r187: `Matrix4.decompose` of scales 2, 1, 0.5 followed by 45° about X, then by 30° about Y before
/// them; its quaternion is normalised here.
#[test]
fn a_sheared_matrix_is_taken_apart_as_three_js_does() {
    let turned = |axis, degrees: f64| DQuat::from_axis_angle(axis, degrees.to_radians());
    let map = glam::DMat3::from_quat(turned(DVec3::Y, 30.0))
        * glam::DMat3::from_diagonal(DVec3::new(2.0, 1.0, 0.5))
        * glam::DMat3::from_quat(turned(DVec3::X, 45.0));
    let (rotation, scale) = decompose(map.to_cols_array_2d());
    let theirs = [0.36809371623937276, 0.20780979231172225, -0.06421675742185047, 0.9039902180613849];
    assert!(quat_angle(rotation, theirs) < 4e-15, "{rotation:?}");
    let lengths = [2.0, 0.7905694150420948, 0.7905694150420949];
    assert!(scale.iter().zip(lengths).all(|(a, b)| (a - b).abs() < 4e-15), "{scale:?}");
}

#[test]
fn a_mirror_is_a_negative_scale_along_x() {
    for axis in 0..3 {
        let mut mirror = [1.0; 3];
        mirror[axis] = -1.0;
        let (rotation, scale) = decompose(columns(QUAT_IDENTITY, mirror));
        assert_eq!(scale, [-1.0, 1.0, 1.0]);
        assert_eq!(columns(rotation, scale), columns(QUAT_IDENTITY, mirror));
    }
}

#[test]
fn a_column_without_length_completes_the_others() {
    for scale in [[0.0, 2.0, 3.0], [2.0, 0.0, 3.0], [0.0, 0.0, 3.0], [0.0; 3]] {
        let map = columns(quat_from_rotation_vector([0.3, -0.2, 0.9]), scale);
        let (rotation, found) = decompose(map);
        for (a, b) in columns(rotation, found).iter().flatten().zip(map.iter().flatten()) {
            assert!((a - b).abs() < 1e-14, "{scale:?}");
        }
    }
    assert_eq!(decompose([[f64::NAN; 3]; 3]).0, QUAT_IDENTITY);
}

proptest! {
    #[test]
    fn a_map_without_shear_is_its_rotation_and_scales(
        q in any_rotation(),
        s in prop::array::uniform3((0.1..4.0_f64, any::<bool>()).prop_map(|(s, neg)| if neg { -s } else { s })),
    ) {
        let map = columns(q, s);
        let (rotation, scale) = decompose(map);
        for (a, b) in columns(rotation, scale).iter().flatten().zip(map.iter().flatten()) {
            prop_assert!((a - b).abs() < 4e-15 * 4.0);
        }
    }

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
