//! Rotations as matrices and as the first two columns of a matrix, and a matrix as a rotation and scales.

use crate::quaternion::{QUAT_IDENTITY, quat_normalise_or_identity};
use glam::{DMat3, DQuat, DVec3};

/// Length below which a column, or its part across the other column, has no direction.
const MIN_LENGTH: f64 = 1e-12;

/// Rotation matrix of `q`, row by row; it acts on column vectors.
///
/// * Formula: `R·v = q·v·q⁻¹`.
/// * Domain: unit quaternions; other quaternions are normalised first, and quaternions without direction
///   count as the identity.
/// * Error: at most 1e-15 in each element.
///
/// ```
/// use dopesheet_curve::matrix_from_quat;
///
/// let half = 0.5_f64.sqrt();
/// let turn = matrix_from_quat([0.0, 0.0, half, half]); // a quarter turn about Z takes X to Y
/// assert!((turn[1][0] - 1.0).abs() < 1e-15 && turn[0][0].abs() < 1e-15);
/// ```
pub fn matrix_from_quat(q: [f64; 4]) -> [[f64; 3]; 3] {
    DMat3::from_quat(DQuat::from_array(quat_normalise_or_identity(q))).transpose().to_cols_array_2d()
}

/// Unit quaternion of the rotation nearest to a matrix, row by row, by the first two columns of the matrix.
///
/// * Domain: rotation matrices. The first column keeps its direction, the second loses its part along the
///   first, and the third is ignored, as in [`quat_from_two_columns`]; a matrix with columns without
///   direction gives the identity.
/// * Error: at most 2e-15 radians for a matrix correct to the last bit.
pub fn quat_from_matrix(rows: [[f64; 3]; 3]) -> [f64; 4] {
    let [[ax, bx, _], [ay, by, _], [az, bz, _]] = rows;
    quat_from_two_columns([ax, ay, az], [bx, by, bz])
}

/// The first two columns of the rotation matrix of `q`: the images of X and Y.
///
/// * Source: Y. Zhou et al., "On the Continuity of Rotation Representations in Neural Networks", 2019: six
///   numbers that change smoothly with the rotation, unlike angles and quaternions.
/// * Domain and error: as [`matrix_from_quat`].
pub fn two_columns_from_quat(q: [f64; 4]) -> [[f64; 3]; 2] {
    let [[ax, bx, _], [ay, by, _], [az, bz, _]] = matrix_from_quat(q);
    [[ax, ay, az], [bx, by, bz]]
}

/// Unit quaternion of the rotation that takes X along `first`, and Y as near to `second` as then possible.
///
/// * Formula: the matrix with the columns `a = first/|first|`, `b` (the part of `second` across `a`, at
///   length 1) and `a×b`.
/// * Source: as [`two_columns_from_quat`], the inverse of this function; numbers made by a network need not
///   be unit vectors or at right angles.
/// * Domain: finite vectors. The identity if `first`, or the part of `second` across `first`, is shorter than
///   1e-12.
/// * Error: at most 2e-15 radians for columns at right angles.
pub fn quat_from_two_columns(first: [f64; 3], second: [f64; 3]) -> [f64; 4] {
    let direction = |v: DVec3| (v.is_finite() && v.length() >= MIN_LENGTH).then(|| v.normalize());
    let Some(a) = direction(DVec3::from(first)) else { return QUAT_IDENTITY };
    let second = DVec3::from(second);
    let Some(b) = direction(second - a * a.dot(second)) else { return QUAT_IDENTITY };
    let turn = DQuat::from_mat3(&DMat3::from_cols(a, b, a.cross(b)));
    quat_normalise_or_identity(turn.to_array())
}

/// Rotation and scales of a linear map, column by column: the unit quaternion `r` and the factors `s` such
/// that `r·diag(s)` is the map, or near the map where its columns are not at right angles.
///
/// * Formula: the scales are the lengths of the columns, the first negated if the determinant is negative;
///   the rotation is the normalised rotation of the columns divided by their scales.
/// * Source: three.js, `Matrix4.decompose`, the meaning in every tool that shows a world matrix as three
///   parts. Of a sheared map the rotation is a choice, not a fact: three.js yields the same direction without
///   normalising the quaternion.
/// * Domain: finite columns. A column of length 0 has scale 0 and the direction that completes the other
///   columns to a right-handed frame; where no rotation can be told, the rotation is the identity.
/// * Error: at most 4e-15 in each element of `r·diag(s)`, relative to the longest column, for columns at right angles.
pub fn decompose(columns: [[f64; 3]; 3]) -> ([f64; 4], [f64; 3]) {
    let mut axes = columns.map(DVec3::from);
    let mut scale = axes.map(DVec3::length);
    if DMat3::from_cols_array_2d(&columns).determinant() < 0.0 {
        scale[0] = -scale[0];
    }
    for (axis, length) in axes.iter_mut().zip(scale) {
        *axis = if length == 0.0 { DVec3::ZERO } else { *axis / length };
    }
    complete(&mut axes);
    let q = DQuat::from_mat3(&DMat3::from_cols(axes[0], axes[1], axes[2])).normalize();
    (if q.is_finite() { q.to_array() } else { QUAT_IDENTITY }, scale)
}

/// Gives axes without length a direction, so that all three axes form a right-handed frame.
fn complete(axes: &mut [DVec3; 3]) {
    for _ in 0..3 {
        let Some(missing) = axes.iter().position(|axis| *axis == DVec3::ZERO) else { return };
        axes.rotate_left(missing);
        let [first, next, after] = axes;
        *first = match (*next == DVec3::ZERO, *after == DVec3::ZERO) {
            (false, false) => next.cross(*after).normalize(),
            (false, true) => next.any_orthonormal_vector(),
            (true, false) => after.any_orthonormal_vector(),
            // Then the first axis is missing, too.
            (true, true) => DVec3::X,
        };
        axes.rotate_right(missing);
    }
}
