//! Rotations that make something look along a direction.

use glam::{DMat3, DQuat, DVec3};

/// A direction this close to straight up or down (as the sine of the angle) has no usable roll about Y.
const NEAR_VERTICAL: f64 = 1e-3;

/// The rotation that turns the local `axis` to `direction` with the local up as near to +Y as possible, and to +Z
/// where the direction is within 1e-3 of ±Y.
///
/// `axis` must be along Z. A zero or not-finite direction yields the identity.
#[must_use]
pub(crate) fn look_rotation(direction: [f64; 3], axis: [f64; 3]) -> [f64; 4] {
    let Some(forward) = DVec3::from(direction).try_normalize() else { return [0.0, 0.0, 0.0, 1.0] };
    let z = forward * axis[2].signum();
    let sideways = DVec3::Y.cross(z);
    let up = if sideways.length() < NEAR_VERTICAL { DVec3::Z } else { DVec3::Y };
    let x = up.cross(z).normalize_or(DVec3::X);
    DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z)).normalize().to_array()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_ends_up_along_the_direction() {
        for direction in
            [[0.0, 0.0, -1.0], [0.5, -1.0, 0.3], [0.0, 1.0, 0.0], [0.0, -2.0, 0.0], [-1.0, 0.0, 0.0]]
        {
            let q = DQuat::from_array(look_rotation(direction, [0.0, 0.0, -1.0]));
            let looks = q * DVec3::NEG_Z;
            assert!((looks - DVec3::from(direction).normalize()).length() < 1e-12, "{direction:?}");
        }
    }

    #[test]
    fn no_direction_is_no_rotation() {
        assert_eq!(look_rotation([0.0; 3], [0.0, 0.0, -1.0]), [0.0, 0.0, 0.0, 1.0]);
    }
}
