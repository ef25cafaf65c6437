//! Cameras of MikuMikuDance, in its own frame and mirrored into that of glTF.

use dopesheet_curve::{EULER_YXZ, OrbitConvention, nearest_equivalent_euler, quat_angle};
use glam::{DQuat, DVec3};
use proptest::prelude::*;

/// Metres per unit of MikuMikuDance.
const SCALE: f64 = 0.08;

struct Golden {
    target: [f64; 3],
    angles_deg: [f64; 3],
    distance: f64,
    eye: [f64; 3],
    gltf_eye_m: [f64; 3],
    gltf_rotation: [f64; 4],
}

/// Printed to six decimals; computed from the formulas in `f64`.
const GOLDEN: [Golden; 3] = [
    Golden {
        target: [0.0, 10.0, 0.0],
        angles_deg: [0.0, 0.0, 0.0],
        distance: -45.0,
        eye: [0.0, 10.0, -45.0],
        gltf_eye_m: [0.0, 0.8, 3.6],
        gltf_rotation: [0.0, 0.0, 0.0, 1.0],
    },
    Golden {
        target: [0.0, 10.0, 0.0],
        angles_deg: [-20.0, 30.0, 0.0],
        distance: -45.0,
        eye: [21.143084, 25.390906, -36.620896],
        gltf_eye_m: [1.691447, 2.031273, 2.929672],
        gltf_rotation: [-0.167731, 0.254887, 0.044943, 0.951251],
    },
    Golden {
        target: [1.0, 12.0, 3.0],
        angles_deg: [10.0, -135.0, 15.0],
        distance: -30.0,
        eye: [-19.890927, 6.790555, 23.890927],
        gltf_eye_m: [-1.591274, 0.543244, -1.911274],
        gltf_rotation: [0.153199, -0.908137, 0.030072, 0.388476],
    },
];

fn assert_digits(got: &[f64], expected: &[f64]) {
    assert!(got.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 5.1e-7), "{got:?}, not {expected:?}");
}

fn mirrored([x, y, z]: [f64; 3]) -> [f64; 3] {
    [x, y, -z]
}

/// The convention of MikuMikuDance in the right-handed frame of glTF: seen in a mirror that turns Z around.
const GLTF: OrbitConvention = OrbitConvention { angle_signs: [1.0, 1.0, -1.0], axis: [0.0, 0.0, -1.0] };

#[test]
fn cameras_stand_where_mikumikudance_puts_them() {
    for golden in &GOLDEN {
        let angles = golden.angles_deg.map(f64::to_radians);
        assert_digits(&OrbitConvention::MMD.eye(golden.target, angles, golden.distance), &golden.eye);
    }
}

#[test]
fn mirrored_cameras_stand_and_look_as_gltf_has_them() {
    for golden in &GOLDEN {
        let angles = golden.angles_deg.map(f64::to_radians);
        let target = mirrored(golden.target.map(|v| SCALE * v));
        assert_digits(&GLTF.eye(target, angles, SCALE * golden.distance), &golden.gltf_eye_m);
        assert_digits(&GLTF.rotation(angles), &golden.gltf_rotation);
    }
}

#[test]
fn a_positive_x_angle_puts_the_eye_below_the_target() {
    assert!(OrbitConvention::MMD.eye([0.0, 10.0, 0.0], [0.3, 0.0, 0.0], -45.0)[1] < 10.0);
}

#[test]
fn a_positive_distance_puts_the_target_behind_the_camera() {
    let angles = [0.2, 1.0, 0.3];
    let eye = OrbitConvention::MMD.eye([0.0; 3], angles, 10.0);
    let forward = DQuat::from_array(OrbitConvention::MMD.rotation(angles)) * DVec3::Z;
    assert!(forward.dot(DVec3::from_array(eye)) > 9.999);
}

#[test]
fn roll_leaves_the_eye_where_it_is() {
    let eye =
        |roll: f64| DVec3::from_array(OrbitConvention::MMD.eye([1.0, 2.0, 3.0], [0.4, 0.5, roll], -20.0));
    assert!((eye(0.0) - eye(1.3)).length() < 1e-13);
}

#[test]
fn a_camera_without_distance_stands_in_its_target() {
    assert_eq!(OrbitConvention::MMD.eye([1.0, 2.0, 3.0], [0.4, 0.5, 0.6], 0.0), [1.0, 2.0, 3.0]);
}

#[test]
fn numbers_that_are_none_spread_and_do_no_harm() {
    for odd in [f64::NAN, f64::INFINITY] {
        assert!(OrbitConvention::MMD.eye([0.0; 3], [odd, 0.0, 0.0], -45.0).iter().all(|v| v.is_nan()));
        assert!(OrbitConvention::MMD.eye([odd, 0.0, 0.0], [0.0; 3], -45.0)[0].is_nan() == odd.is_nan());
    }
    assert_eq!(OrbitConvention::MMD.angles([0.0; 4]).map(f64::abs), [0.0; 3]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(4000)))]

    #[test]
    fn mirrored_camera_is_the_mirror_image(
        target in [-50.0..50.0, -50.0..50.0, -50.0..50.0], angles in [-7.0..7.0, -7.0..7.0, -7.0..7.0],
        distance in -100.0..100.0_f64,
    ) {
        let eye = OrbitConvention::MMD.eye(target, angles, distance);
        let image = GLTF.eye(mirrored(target), angles, distance);
        prop_assert!((0..3).all(|n| (mirrored(eye)[n] - image[n]).abs() <= 4e-13));
        let [x, y, z, w] = OrbitConvention::MMD.rotation(angles);
        prop_assert!(quat_angle([-x, -y, z, w], GLTF.rotation(angles)) <= 2e-15);
    }

    #[test]
    fn eye_is_the_distance_from_the_target_along_the_axis(
        target in [-50.0..50.0, -50.0..50.0, -50.0..50.0], angles in [-7.0..7.0, -7.0..7.0, -7.0..7.0_f64],
        distance in -100.0..100.0_f64,
    ) {
        let [x, y, z] = angles.map(|a| -a);
        let pitched = DQuat::from_rotation_x(x) * (DQuat::from_rotation_z(z) * DVec3::Z);
        let turned = DQuat::from_rotation_y(y) * pitched;
        let eye = DVec3::from_array(OrbitConvention::MMD.eye(target, angles, distance));
        let target = DVec3::from_array(target);
        let size = target.abs().max_element().max(distance.abs());
        prop_assert!((eye - (target + turned * distance)).abs().max_element() <= 2e-15 * size);
    }

    #[test]
    fn angles_of_a_rotation_lead_back_to_it(angles in [-7.0..7.0, -7.0..7.0, -7.0..7.0_f64]) {
        for convention in [OrbitConvention::MMD, GLTF] {
            let q = convention.rotation(angles);
            let found = convention.angles(q);
            prop_assert!(quat_angle(q, convention.rotation(found)) <= 4e-15);
            let continued = nearest_equivalent_euler(EULER_YXZ, found, angles);
            prop_assert!((0..3).all(|n| (continued[n] - angles[n]).abs() <= 1e-9) || angles[0].cos().abs() < 1e-5);
        }
    }
}
