//! 4×4 matrices of nodes ↔ translation, rotation and scale.

use dopesheet_core::model::Transform;
use glam::DVec3;

/// Largest cosine between the axes of a matrix that counts as a right angle; f32 rounding leaves some 1e-7.
const SHEAR_TOLERANCE: f64 = 1e-4;

/// A matrix taken apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Decomposed {
    pub(super) transform: Transform,
    /// True if some axes are not at right angles, a shear that the transform cannot express.
    pub(super) sheared: bool,
    /// True if the matrix is no transform at all: a last row other than 0 0 0 1.
    pub(super) projective: bool,
}

/// Takes a column-major matrix apart, see [`dopesheet_curve::decompose`].
pub(super) fn decompose(matrix: &[f64; 16]) -> Decomposed {
    let [a, b, c, t] = [0, 4, 8, 12].map(|at| [matrix[at], matrix[at + 1], matrix[at + 2]]);
    let (rotation, scale) = dopesheet_curve::decompose([a, b, c]);
    // An axis of length 0 is at right angles to everything; what is no number is noticed.
    let axes =
        [a, b, c].map(DVec3::from).map(|axis| if axis == DVec3::ZERO { axis } else { axis / axis.length() });
    let cosines = [axes[0].dot(axes[1]), axes[1].dot(axes[2]), axes[2].dot(axes[0])];
    let last_row = [matrix[3], matrix[7], matrix[11], matrix[15] - 1.0];
    let far = |value: &f64| value.is_nan() || value.abs() > SHEAR_TOLERANCE;
    Decomposed {
        transform: Transform { translation: t, rotation, scale },
        sheared: cosines.iter().any(far),
        projective: last_row.iter().any(far),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compose(transform: &Transform) -> [f64; 16] {
        glam::DMat4::from_scale_rotation_translation(
            transform.scale.into(),
            glam::DQuat::from_array(transform.rotation),
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
