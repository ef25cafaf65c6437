//! Rotations as products of turns about axes, and the angles of a rotation that continue from angles before.

use dopesheet_core::model::EulerOrder;
use dopesheet_curve as curve;

/// A rotation, x y z w.
pub(super) type Quat = [f64; 4];

/// A turn about an axis.
pub(super) fn about(axis: usize, angle_rad: f64) -> Quat {
    let (sin, cos) = libm::sincos(0.5 * angle_rad);
    let mut q = [0.0, 0.0, 0.0, cos];
    if let Some(part) = q.get_mut(axis) {
        *part = sin;
    }
    q
}

/// The rotation of three angles about x, y and z, in radians.
pub(super) fn rotation(order: EulerOrder, angles_rad: [f64; 3]) -> Quat {
    curve::quat_from_euler(order.axes(), angles_rad)
}

/// Largest distance of the middle angle from a quarter turn, in radians, at which the outer two count as
/// turns about one axis. There only their sum matters, and the first angle keeps its previous value.
const POLE_RAD: f64 = 1e-6;

/// The angles of a rotation about x, y and z, in radians, as near as possible to the angles of the frame
/// before.
pub(super) fn angles(order: EulerOrder, q: Quat, before: Option<[f64; 3]>) -> [f64; 3] {
    let nearest = curve::euler_from_quat(order.axes(), q);
    let Some(before) = before else { return nearest };
    let [first, middle, last] = order.axes();
    let mut nearest = nearest;
    if nearest[middle].abs() > std::f64::consts::FRAC_PI_2 - POLE_RAD {
        let mut held = [0.0; 3];
        held[first] = before[first];
        held[middle] = nearest[middle];
        let rest = curve::quat_product(curve::quat_inverse(rotation(order, held)), q);
        held[last] = 2.0 * libm::atan2(rest[last], rest[3]);
        nearest = held;
    }
    curve::nearest_equivalent_euler(order.axes(), nearest, before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn at_the_pole_the_first_angle_stays() {
        let before = [FRAC_PI_2 - 0.01, 0.3, 0.8];
        let q = rotation(EulerOrder::Zxy, [FRAC_PI_2, 0.4, 0.8]);
        let result = angles(EulerOrder::Zxy, q, Some(before));
        for (result, wanted) in result.into_iter().zip([FRAC_PI_2, 0.4, 0.8]) {
            assert!((result - wanted).abs() < 1e-7, "{result}, {wanted}");
        }
    }

    #[test]
    fn angles_run_on_over_whole_turns() {
        let mut before = None;
        for step in 0..200 {
            let wanted = [0.2, 0.1, f64::from(step) * 0.1];
            let result = angles(EulerOrder::Yxz, rotation(EulerOrder::Yxz, wanted), before);
            assert!(result.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9), "{result:?}, {wanted:?}");
            before = Some(result);
        }
    }

    #[test]
    fn vectors_turn_as_their_quaternions_say() {
        let [x, y, z] = curve::quat_rotate(about(2, FRAC_PI_2), [1.0, 0.0, 3.0]);
        assert!(x.abs() < 1e-15 && (y - 1.0).abs() < 1e-15 && (z - 3.0).abs() < 1e-15);
    }
}
