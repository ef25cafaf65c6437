//! Rotations as vectors along their axis.

use crate::quaternion::{QUAT_IDENTITY, quat_normalise_or_identity};

/// Vector along the axis of `q`, as long as **half** its angle in radians.
///
/// * Formula: `φ·n` for `q = (n·sin φ, cos φ)` with `φ` in `0..=π`.
/// * Domain: unit quaternions; other quaternions are normalised first, and quaternions without direction
///   count as the identity. The result for `−1` (a whole turn, about any axis) is the zero vector.
/// * Source: K. Shoemake, "Quaternions", 1994.
/// * Method: `φ = atan2(|v|, w)`, accurate at every angle.
/// * Error: at most 2e-15.
///
/// ```
/// use dopesheet_curve::{quat_exp, quat_log};
///
/// assert_eq!(quat_log([0.0, 1.0, 0.0, 0.0]), [0.0, std::f64::consts::FRAC_PI_2, 0.0]);
/// assert_eq!(quat_exp([0.0; 3]), [0.0, 0.0, 0.0, 1.0]);
/// ```
pub fn quat_log(q: [f64; 4]) -> [f64; 3] {
    let [x, y, z, w] = quat_normalise_or_identity(q);
    let sine = (x * x + y * y + z * z).sqrt();
    if sine == 0.0 {
        return [0.0; 3];
    }
    let scale = libm::atan2(sine, w) / sine;
    [x * scale, y * scale, z * scale]
}

/// Unit quaternion of the rotation about the direction of `v` by twice the length of `v` in radians.
///
/// * Formula: `(n·sin φ, cos φ)` for `v = φ·n`; the inverse of [`quat_log`].
/// * Domain: finite vectors of any length; other vectors give the identity.
/// * Source: K. Shoemake, "Quaternions", 1994.
/// * Error: at most 4e-16 in each component, besides the rounding of the length.
pub fn quat_exp(v: [f64; 3]) -> [f64; 4] {
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    if !length.is_finite() {
        return QUAT_IDENTITY;
    }
    let scale = if length == 0.0 { 1.0 } else { libm::sin(length) / length };
    let [x, y, z] = v.map(|x| x * scale);
    quat_normalise_or_identity([x, y, z, libm::cos(length)])
}

/// Rotation vector of `q`: along its axis, as long as its angle in radians.
///
/// * Formula: twice [`quat_log`] of `q` or `−q`, with the smaller turn of the two, so that the length is in
///   `0..=π`.
/// * Domain: as [`quat_log`]. Half a turn has two vectors; the result is the vector of `q` itself, not of
///   `−q`.
/// * Error: at most 4e-15.
///
/// ```
/// use dopesheet_curve::{quat_from_rotation_vector, rotation_vector_from_quat};
///
/// let q = quat_from_rotation_vector([0.0, 3.0, 0.0]);
/// assert!((rotation_vector_from_quat(q.map(|x| -x))[1] - 3.0).abs() < 1e-14);
/// ```
pub fn rotation_vector_from_quat(q: [f64; 4]) -> [f64; 3] {
    let q = if q[3] < 0.0 { q.map(|x| -x) } else { q };
    quat_log(q).map(|x| 2.0 * x)
}

/// Unit quaternion of the rotation about the direction of `v` by its length in radians: "axis-angle" in three numbers.
///
/// * Formula: [`quat_exp`] of half the vector; the inverse of [`rotation_vector_from_quat`].
/// * Domain and error: as [`quat_exp`].
pub fn quat_from_rotation_vector(v: [f64; 3]) -> [f64; 4] {
    quat_exp(v.map(|x| 0.5 * x))
}
