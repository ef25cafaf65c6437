//! 4×4 matrices of nodes ↔ translation, rotation and scale.

use dopesheet_core::model::Transform;
use glam::{DMat3, DQuat, DVec3};

/// Largest cosine between the axes of a matrix that counts as a right angle; f32 rounding leaves some 1e-7.
const SHEAR_TOLERANCE: f64 = 1e-4;

/// A matrix taken apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Decomposed {
    pub(super) transform: Transform,
    /// True if some axes are not at right angles, which the transform cannot give back.
    pub(super) sheared: bool,
    /// True if it is no transform at all: a last row other than 0 0 0 1.
    pub(super) projective: bool,
}

/// Takes a column-major matrix apart. A mirrored one gets a negative scale along X; an axis of length 0 gets the
/// direction that completes the others.
pub(super) fn decompose(matrix: &[f64; 16]) -> Decomposed {
    let [a, b, c, t] = [0, 4, 8, 12].map(|at| DVec3::new(matrix[at], matrix[at + 1], matrix[at + 2]));
    let mut axes = [a, b, c];
    let mut scale = axes.map(DVec3::length);
    if DMat3::from_cols(a, b, c).determinant() < 0.0 {
        scale[0] = -scale[0];
    }
    for (axis, length) in axes.iter_mut().zip(scale) {
        *axis = if length == 0.0 { DVec3::ZERO } else { *axis / length };
    }
    let cosines = [axes[0].dot(axes[1]), axes[1].dot(axes[2]), axes[2].dot(axes[0])];
    let last_row = [matrix[3], matrix[7], matrix[11], matrix[15] - 1.0];
    let far = |value: &f64| value.is_nan() || value.abs() > SHEAR_TOLERANCE;
    complete(&mut axes);
    let q = DQuat::from_mat3(&DMat3::from_cols(axes[0], axes[1], axes[2])).normalize();
    let rotation = if q.is_finite() { q.to_array() } else { Transform::IDENTITY.rotation };
    Decomposed {
        transform: Transform { translation: t.to_array(), rotation, scale },
        sheared: cosines.iter().any(far),
        projective: last_row.iter().any(far),
    }
}

/// Gives axes without length a direction that makes all three a right-handed frame.
fn complete(axes: &mut [DVec3; 3]) {
    for _ in 0..3 {
        let Some(missing) = axes.iter().position(|axis| *axis == DVec3::ZERO) else {
            return;
        };
        let (next, after) = (axes[(missing + 1) % 3], axes[(missing + 2) % 3]);
        axes[missing] = match (next == DVec3::ZERO, after == DVec3::ZERO) {
            (false, false) => next.cross(after).normalize(),
            (false, true) => next.any_orthonormal_vector(),
            (true, false) => after.any_orthonormal_vector(),
            (true, true) => [DVec3::X, DVec3::Y, DVec3::Z][missing],
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compose(transform: &Transform) -> [f64; 16] {
        glam::DMat4::from_scale_rotation_translation(
            transform.scale.into(),
            DQuat::from_array(transform.rotation),
            transform.translation.into(),
        )
        .to_cols_array()
    }

    fn assert_gives_back(matrix: [f64; 16]) {
        let parts = decompose(&matrix);
        assert!(!parts.sheared && !parts.projective, "{matrix:?}");
        for (x, y) in compose(&parts.transform).iter().zip(matrix) {
            assert!((x - y).abs() < 1e-12, "{:?} gives {:?}", parts, compose(&parts.transform));
        }
    }

    #[test]
    fn sound_matrices_come_back() {
        assert_gives_back([0., 2., 0., 0., -2., 0., 0., 0., 0., 0., 2., 0., 5., 6., 7., 1.]);
        assert_gives_back([-1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 3., 0., 0., 0., 0., 1.]);
        assert_gives_back([-1., 0., 0., 0., 0., -2., 0., 0., 0., 0., -3., 0., 0., 0., 0., 1.]);
        assert_gives_back([0., 0., 0., 0., 0., 0., 2., 0., 0., 3., 0., 0., 0., 0., 0., 1.]);
        assert_gives_back([0., 0., 0., 0., 0., 0., 0., 0., 0., 3., 0., 0., 0., 0., 0., 1.]);
        assert_gives_back([0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 1., 2., 3., 1.]);
    }

    #[test]
    fn a_mirror_is_a_negative_scale_along_x() {
        let mirror = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., -1., 0., 0., 0., 0., 1.];
        assert_eq!(decompose(&mirror).transform.scale, [-1.0, 1.0, 1.0]);
    }

    #[test]
    fn shear_and_perspective_are_noticed() {
        let shear = [1., 0., 0., 0., 0.1, 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];
        let perspective = [1., 0., 0., 0.5, 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];
        assert!(decompose(&shear).sheared);
        assert!(decompose(&perspective).projective);
    }
}
