//! How far two placed joints are apart.

use super::stage::Place;
use glam::{DMat3, DQuat};

/// Half the angle between two rotations as its sine, whatever their signs: 0..=1. Rises with the angle.
pub(super) fn half_sine(a: DQuat, b: DQuat) -> f64 {
    let between = b * a.conjugate();
    between.xyz().length()
}

/// The angle of a [`half_sine`] in radians, 0..=π.
pub(super) fn angle(half_sine: f64) -> f64 {
    2.0 * half_sine.min(1.0).asin()
}

/// How far apart a joint is in two places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gap {
    /// |Δp|, the distance of its positions.
    pub(super) moved: f64,
    /// ‖ΔM‖, the spectral norm of the difference of both linear parts: 2·sin(θ/2) for two rotations θ apart.
    pub(super) turned: f64,
}

impl Gap {
    pub(super) const NOTHING: Self = Self { moved: 0.0, turned: 0.0 };

    /// Where nothing is known.
    pub(super) const UNKNOWN: Self = Self { moved: f64::INFINITY, turned: f64::INFINITY };

    /// Between two places, each with whether it is rigid.
    pub(super) fn between(a: (&Place, bool), b: (&Place, bool)) -> Self {
        let (a, a_is_rigid) = a;
        let (b, b_is_rigid) = b;
        let turned = if a_is_rigid && b_is_rigid {
            2.0 * half_sine(a.rotation, b.rotation)
        } else {
            spectral_norm(a.linear(a_is_rigid) - b.linear(b_is_rigid))
        };
        Self { moved: a.position.distance(b.position), turned }
    }

    /// The farthest that a point within `shell` of the joint is apart.
    pub(super) fn reaches(&self, shell: f64) -> f64 {
        self.moved + shell * self.turned
    }
}

/// The farthest that a point which hangs on a joint, within `shell` of it, is apart in two places: no point is farther
/// apart than |Δp| + shell·‖ΔM‖, and where both parts point the same way one point is.
pub(super) fn displacement(a: (&Place, bool), b: (&Place, bool), shell: f64) -> f64 {
    displaced(a.0, b.0, &Gap::between(a, b), shell)
}

/// [`displacement`], of which the gap is known.
pub(super) fn displaced(a: &Place, b: &Place, gap: &Gap, shell: f64) -> f64 {
    let apart = gap.reaches(shell);
    match apart.is_nan() {
        true if a == b => 0.0,
        true => f64::INFINITY,
        false => apart,
    }
}

/// The longest that a matrix makes a unit vector: the square root of the largest eigenvalue of MᵀM.
///
/// By the trigonometric solution of the characteristic equation (O. K. Smith, Communications of the ACM 4, 1961).
pub(super) fn spectral_norm(m: DMat3) -> f64 {
    // Scaled first, so that squares of tiny differences keep their digits.
    let size = m.to_cols_array().iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    if size == 0.0 || !size.is_finite() {
        return if m.is_finite() { size } else { f64::NAN };
    }
    let m = m * size.recip();
    let square = m.transpose() * m;
    let mean = (square.x_axis.x + square.y_axis.y + square.z_axis.z) / 3.0;
    let off = square - DMat3::from_diagonal(glam::DVec3::splat(mean));
    let spread = (off.to_cols_array().iter().map(|x| x * x).sum::<f64>() / 6.0).sqrt();
    if spread <= f64::EPSILON * mean {
        return size * mean.sqrt();
    }
    let cosine = ((off * spread.recip()).determinant() / 2.0).clamp(-1.0, 1.0);
    let largest = mean + 2.0 * spread * (cosine.acos() / 3.0).cos();
    size * largest.max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use proptest::prelude::*;

    fn rotation(axis: [f64; 3], angle: f64) -> DQuat {
        DQuat::from_axis_angle(DVec3::from(axis).normalize_or(DVec3::X), angle)
    }

    #[test]
    fn tiny_angles_are_told_from_none() {
        let (a, b) = (rotation([1.0, 2.0, 3.0], 1.0), rotation([1.0, 2.0, 3.0], 1.0 + 1e-9));
        assert!((angle(half_sine(a, b)) - 1e-9).abs() < 1e-15);
        assert_eq!(angle(half_sine(a, -a)), 0.0);
    }

    proptest! {
        #[test]
        fn two_rotations_are_twice_the_sine_of_half_their_angle_apart(
            axes in prop::array::uniform2(prop::array::uniform3(-1.0f64..1.0)),
            angles in prop::array::uniform2(-3.0f64..3.0),
        ) {
            let (a, b) = (rotation(axes[0], angles[0]), rotation(axes[1], angles[1]));
            let norm = spectral_norm(DMat3::from_quat(a) - DMat3::from_quat(b));
            prop_assert!((norm - 2.0 * half_sine(a, b)).abs() < 1e-7);
        }

        #[test]
        fn no_vector_becomes_longer_than_the_norm_and_some_nearly_does(
            numbers in prop::array::uniform9(-2.0f64..2.0), scale in 1e-9f64..1e9,
        ) {
            let m = DMat3::from_cols_array(&numbers) * scale;
            let norm = spectral_norm(m);
            // Power iteration, from three starts.
            let grown = |start: DVec3| {
                let v = (0..200).fold(start, |v, _| (m.transpose() * (m * v)).normalize_or(v));
                (m * v).length()
            };
            let longest = [DVec3::X, DVec3::Y, DVec3::Z].map(grown).into_iter().fold(0.0, f64::max);
            prop_assert!(longest <= norm * (1.0 + 1e-7), "{longest} {norm}");
            prop_assert!(longest >= norm * (1.0 - 1e-2), "{longest} {norm}");
        }

        #[test]
        fn no_point_of_the_shell_is_farther_apart(
            axes in prop::array::uniform2(prop::array::uniform3(-1.0f64..1.0)),
            angle in -3.0f64..3.0, at in prop::array::uniform3(-1.0f64..1.0), point in prop::array::uniform3(-1.0f64..1.0),
        ) {
            let place = |position, rotation| Place { position, rotation, linear: DMat3::IDENTITY };
            let (a, b) = (place(DVec3::ZERO, DQuat::IDENTITY), place(DVec3::from(at), rotation(axes[0], angle)));
            let offset = DVec3::from(point).normalize_or(DVec3::X) * 0.3;
            let apart = (a.rotation * offset).distance(b.position + b.rotation * offset);
            prop_assert!(apart <= displacement((&a, true), (&b, true), 0.3) + 1e-12);
        }
    }
}
