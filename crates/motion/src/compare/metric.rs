//! The error metric: the largest distance of a point within a shell around a joint from its true position.
//!
//! A joint moves its points by its model transform x ↦ M·x + p, with x in the axes of the joint, or of the
//! world at rest (`rests.rs`). Between two such transforms, a point at a distance up to `shell` from the
//! joint is displaced by at most |Δp| + shell·‖ΔM‖, with the spectral norm ‖ΔM‖; for rotations θ apart this
//! norm is 2·sin(θ/2). Some point of the shell reaches the bound where both parts have the same direction,
//! and none exceeds the bound. The idea is ACL's (`transform_error_metrics.h`), with three points of the
//! shell instead of a bound.

use super::eight::{Models, squares};
use fearless_simd::{Simd, f32x8, prelude::*};
use glam::{DAffine3, DMat3, DQuat};

/// Upper bound of the displacement of any point within `shell` of a joint between two model transforms;
/// infinite where only one of them has NaNs or infinities, or other ones than the other.
pub(super) fn displacement(a: &DAffine3, b: &DAffine3, shell: f64) -> f64 {
    let moved = a.translation.distance(b.translation);
    sound(moved + shell * spectral_norm(a.matrix3 - b.matrix3), a, b)
}

/// Spectral norm of the difference of two rotations by its Frobenius norm, rounding included.
pub(super) const RIGID: f32 = std::f32::consts::FRAC_1_SQRT_2 * (1.0 + 4.0 * f32::EPSILON);

/// Larger and cheaper than [`displacement`], in f32 and at eight samples, to find the times worth an exact
/// evaluation: the Frobenius norm, which takes no root of a cubic, is at most √3 times the spectral norm.
#[inline(always)]
pub(super) fn rough_displacement<S: Simd>(simd: S, [a, b]: [&Models; 2], shell: f32) -> f32x8<S> {
    let linear = squares(simd, &a.linear, &b.linear).sqrt();
    linear.mul_add(f32x8::splat(simd, shell), squares(simd, &a.translation, &b.translation).sqrt())
}

fn sound(displacement: f64, a: &DAffine3, b: &DAffine3) -> f64 {
    match displacement.is_nan() {
        true if is_same(a, b) => 0.0,
        true => f64::INFINITY,
        false => displacement,
    }
}

/// True of two transforms that are equal to the last bit.
fn is_same(a: &DAffine3, b: &DAffine3) -> bool {
    a.to_cols_array().map(f64::to_bits) == b.to_cols_array().map(f64::to_bits)
}

/// Angle between two unit quaternions in radians, whatever their signs: 0..=π.
pub(super) fn angle(a: DQuat, b: DQuat) -> f64 {
    2.0 * libm::asin((b * a.conjugate()).xyz().length().min(1.0))
}

/// Rotation of a linear part whose columns may be scaled.
pub(super) fn rotation_of(linear: &DMat3) -> DQuat {
    let sign = linear.determinant().signum();
    let columns = DMat3::from_cols(
        linear.x_axis.normalize_or_zero() * sign,
        linear.y_axis.normalize_or_zero(),
        linear.z_axis.normalize_or_zero(),
    );
    DQuat::from_mat3(&columns).normalize()
}

/// Largest length of a unit vector after a matrix: the square root of the largest eigenvalue of MᵀM.
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
    let largest = mean + 2.0 * spread * libm::cos(libm::acos(cosine) / 3.0);
    size * largest.max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::eight::EIGHT;
    use super::*;
    use fearless_simd::{Level, dispatch};
    use glam::DVec3;
    use proptest::prelude::*;

    fn rotation(axis: [f64; 3], angle: f64) -> DQuat {
        DQuat::from_axis_angle(DVec3::from(axis).normalize_or(DVec3::X), angle)
    }

    #[test]
    fn tiny_angles_are_told_from_none() {
        let (a, b) = (rotation([1.0, 2.0, 3.0], 1.0), rotation([1.0, 2.0, 3.0], 1.0 + 1e-9));
        assert!((angle(a, b) - 1e-9).abs() < 1e-15);
        assert_eq!(angle(a, -a), 0.0);
    }

    #[test]
    fn a_rotation_is_found_in_a_scaled_and_mirrored_matrix() {
        let turned = rotation([1.0, 2.0, 3.0], 1.0);
        for scale in [DVec3::new(2.0, 0.5, 1.0), DVec3::new(-2.0, 0.5, 1.0)] {
            let linear = DMat3::from_quat(turned) * DMat3::from_diagonal(scale);
            assert!(angle(rotation_of(&linear), turned) < 1e-12, "{scale}");
        }
    }

    proptest! {
        #[test]
        fn two_rotations_are_twice_the_sine_of_half_their_angle_apart(
            axes in prop::array::uniform2(prop::array::uniform3(-1.0f64..1.0)),
            angles in prop::array::uniform2(-3.0f64..3.0),
        ) {
            let (a, b) = (rotation(axes[0], angles[0]), rotation(axes[1], angles[1]));
            let norm = spectral_norm(DMat3::from_quat(a) - DMat3::from_quat(b));
            prop_assert!((norm - 2.0 * (0.5 * angle(a, b)).sin()).abs() < 1e-7);
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
        fn no_point_of_the_shell_is_displaced_farther_however_joints_are_sheared(
            numbers in prop::array::uniform2(prop::array::uniform12(-2.0f64..2.0)),
            point in prop::array::uniform3(-1.0f64..1.0),
        ) {
            let [a, b] = numbers.map(|numbers| DAffine3::from_cols_array(&numbers));
            let point = DVec3::from(point).normalize_or(DVec3::X) * 0.3;
            let off = a.transform_point3(point).distance(b.transform_point3(point));
            let exact = displacement(&a, &b, 0.3);
            prop_assert!(off <= exact + 1e-12);
            let [a, b] = [a, b].map(|side| Models {
                linear: side.matrix3.to_cols_array().map(|x| [x as f32; EIGHT]),
                translation: side.translation.to_array().map(|x| [x as f32; EIGHT]),
            });
            let rough = dispatch!(Level::new(), simd => rough_displacement(simd, [&a, &b], 0.3).to_array()[0]);
            prop_assert!(exact <= f64::from(rough) + 1e-5);
        }
    }
}
