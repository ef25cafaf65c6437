//! Rotations that make something look along a direction.

use glam::{DMat3, DQuat, DVec3};

/// A direction this close to straight up or down (as the sine of the angle) has no usable roll about Y.
const NEAR_VERTICAL: f64 = 1e-3;

/// The rotation that turns the local `axis` to `direction` with the local up as near to +Y as possible, and to +Z
/// where the direction is within 1e-3 of ±Y.
///
/// An `axis` that is not along Z is first turned to Z the shortest way. A direction that is zero or not finite yields
/// the identity.
#[must_use]
pub(crate) fn look_rotation(direction: [f64; 3], axis: [f64; 3]) -> [f64; 4] {
    let Some(forward) = DVec3::from(direction).try_normalize() else { return [0.0, 0.0, 0.0, 1.0] };
    let Some(axis) = DVec3::from(axis).try_normalize() else { return [0.0, 0.0, 0.0, 1.0] };
    let sign = if axis.z < 0.0 { -1.0 } else { 1.0 };
    let z = forward * sign;
    let sideways = DVec3::Y.cross(z);
    let up = if sideways.length() < NEAR_VERTICAL { DVec3::Z } else { DVec3::Y };
    let x = up.cross(z).normalize_or(DVec3::X);
    let looks = DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z));
    let to_z = DQuat::from_rotation_arc(axis, DVec3::Z * sign);
    (looks * to_z).normalize().to_array()
}

/// A direction this close to opposite an axis, as 1 plus the cosine of the angle between them (0.08°), has no shortest
/// way.
const NEAR_OPPOSITE: f64 = 1e-6;

/// The rotation that turns the local `axis` to `direction` the shortest way.
///
/// The opposite direction is half a turn about Y, or about X for an axis along Y. A direction that is zero or not
/// finite yields the identity.
#[must_use]
pub fn swing_rotation(direction: [f64; 3], axis: [f64; 3]) -> [f64; 4] {
    let Some(to) = DVec3::from(direction).try_normalize() else { return [0.0, 0.0, 0.0, 1.0] };
    let Some(from) = DVec3::from(axis).try_normalize() else { return [0.0, 0.0, 0.0, 1.0] };
    let w = 1.0 + from.dot(to);
    if w < NEAR_OPPOSITE {
        return if from.y.abs() < 0.5 { [0.0, 1.0, 0.0, 0.0] } else { [1.0, 0.0, 0.0, 0.0] };
    }
    let [x, y, z] = from.cross(to).to_array();
    DQuat::from_xyzw(x, y, z, w).normalize().to_array()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIRECTIONS: [[f64; 3]; 6] = [
        [0.0, 0.0, -1.0],
        [0.5, -1.0, 0.3],
        [0.0, 1.0, 0.0],
        [0.0, -2.0, 0.0],
        [-1.0, 0.0, 0.0],
        [1e-4, 1.0, 0.0],
    ];

    #[test]
    fn the_axis_ends_up_along_the_direction() {
        for axis in [DVec3::NEG_Z, DVec3::Z, DVec3::X, DVec3::NEG_Y] {
            for direction in DIRECTIONS {
                let q = DQuat::from_array(look_rotation(direction, axis.to_array()));
                let off = (q * axis - DVec3::from(direction).normalize()).length();
                assert!(off < 1e-12, "{axis} to {direction:?}");
            }
        }
    }

    #[test]
    fn a_swing_goes_the_shortest_way() {
        for axis in [DVec3::NEG_Z, DVec3::Z, DVec3::X, DVec3::NEG_Y] {
            for direction in DIRECTIONS {
                let q = DQuat::from_array(swing_rotation(direction, axis.to_array()));
                let wanted = DVec3::from(direction).normalize();
                let bound = if axis.dot(wanted) < NEAR_OPPOSITE - 1.0 { 2e-3 } else { 1e-7 };
                assert!((q * axis - wanted).length() < bound, "{axis} to {direction:?}");
                assert!((q.to_axis_angle().1 - axis.angle_between(wanted)).abs() < bound);
            }
        }
        assert_eq!(swing_rotation([0.0, 0.0, -2.0], [0.0, 0.0, 1.0]), [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(swing_rotation([0.0; 3], [0.0, 0.0, 1.0]), [0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn up_stays_up() {
        let q = DQuat::from_array(look_rotation([0.5, -1.0, 0.3], [0.0, 0.0, -1.0]));
        let (right, up) = (q * DVec3::X, q * DVec3::Y);
        assert!(right.y.abs() < 1e-12 && up.y > 0.0);
    }

    #[test]
    fn no_direction_is_no_rotation() {
        for direction in [[0.0; 3], [f64::NAN, 0.0, 0.0], [f64::INFINITY, 0.0, 0.0]] {
            assert_eq!(look_rotation(direction, [0.0, 0.0, -1.0]), [0.0, 0.0, 0.0, 1.0]);
        }
    }
}
