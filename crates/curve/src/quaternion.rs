//! Unit quaternions x y z w: length, sign and the angle between two of them.

use glam::DQuat;

/// The rotation without any change, `[0, 0, 0, 1]`.
pub const QUAT_IDENTITY: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

/// Length below which a quaternion has no direction for [`quat_normalise`].
///
/// Far below any meaningful length in a file, and far above the rounding left over when equal and opposite
/// quaternions cancel. Formats with a limit of their own use [`quat_normalise_above`].
pub const QUAT_MIN_LENGTH: f64 = 1e-12;

/// Largest difference from 1 of the squared length of a quaternion, up to which normalising is not needed.
/// Normalising itself leaves up to 1.4e-15, so that a second normalising changes nothing.
const UNIT_SLACK: f64 = 2e-15;

/// Squared lengths without a loss of digits: far enough from the largest and the smallest numbers.
const SQUARES: std::ops::Range<f64> = 1e-200..1e200;

/// `q` scaled to unit length, or `None` for a quaternion without direction: some component is not finite, or
/// the length is below [`QUAT_MIN_LENGTH`].
///
/// * Formula: `q / |q|`.
/// * Domain: any four numbers. Components too large to be squared are handled.
/// * Policy: the caller decides on a substitute for a quaternion without direction;
///   [`quat_normalise_or_identity`] is the usual choice. The sign of `q` is kept.
/// * Error: length within 1e-15 of 1. A quaternion with such a length already comes back bit for bit.
///
/// ```
/// use dopesheet_curve::quat_normalise;
///
/// assert_eq!(quat_normalise([0.0, 3.0, 0.0, 4.0]), Some([0.0, 0.6, 0.0, 0.8]));
/// assert_eq!(quat_normalise([0.0; 4]), None);
/// ```
pub fn quat_normalise(q: [f64; 4]) -> Option<[f64; 4]> {
    quat_normalise_above(q, QUAT_MIN_LENGTH)
}

/// [`quat_normalise`] with a limit of the caller's: `None` if some component is not finite or the length is
/// below `min_length` or zero. A NaN limit accepts every finite quaternion but zero.
pub fn quat_normalise_above(q: [f64; 4], min_length: f64) -> Option<[f64; 4]> {
    let square = dot(q, q);
    if (square - 1.0).abs() <= UNIT_SLACK && 1.0 >= min_length {
        return Some(q);
    }
    if SQUARES.contains(&square) {
        let length = square.sqrt();
        return (length >= min_length || min_length.is_nan()).then(|| q.map(|v| v / length));
    }
    let largest = q.iter().fold(0.0_f64, |peak, v| peak.max(v.abs()));
    if q.iter().any(|v| !v.is_finite()) || largest == 0.0 {
        return None;
    }
    // Scaling by the largest component first keeps the squares of huge and tiny ones in range.
    let scaled = q.map(|v| v / largest);
    let length = dot(scaled, scaled).sqrt();
    if length * largest < min_length {
        return None;
    }
    Some(scaled.map(|v| v / length))
}

/// `q` scaled to unit length, and the identity for a quaternion without direction in the sense of
/// [`quat_normalise`].
///
/// MikuMikuDance motions contain all-zero quaternions; MMD tools show the rest pose for such quaternions, and
/// so does this policy.
pub fn quat_normalise_or_identity(q: [f64; 4]) -> [f64; 4] {
    quat_normalise(q).unwrap_or(QUAT_IDENTITY)
}

/// Angle in radians, `0..=π`, of the rotation that leads from `a` to `b`.
///
/// * Formula: `4·asin(|a ∓ b| / 2)` with the sign of the shorter chord; `q` and `−q` are the same rotation.
/// * Domain: unit quaternions. Other quaternions are normalised first, and quaternions without direction
///   count as the identity.
/// * Method: half the chord instead of the usual `2·acos|a·b|`, since the `acos` cannot tell angles below
///   3e-8 from zero.
/// * Error: at most 4e-15 radians, at every angle.
///
/// ```
/// use dopesheet_curve::{QUAT_IDENTITY, quat_angle};
///
/// let tiny = [0.5e-9, 0.0, 0.0, 1.0];
/// assert!((quat_angle(QUAT_IDENTITY, tiny) - 1e-9).abs() < 1e-15);
/// ```
pub fn quat_angle(a: [f64; 4], b: [f64; 4]) -> f64 {
    let a = quat_normalise_or_identity(a);
    let b = toward(a, quat_normalise_or_identity(b));
    (2.0 * arc(a, b)).min(std::f64::consts::PI)
}

/// Angle in radians between two unit quaternions seen as points of the sphere, half the angle of the rotation
/// between them. Accurate for points up to a quarter circle apart, as ensured by [`toward`].
pub(crate) fn arc(a: [f64; 4], b: [f64; 4]) -> f64 {
    let chord = [a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]];
    2.0 * libm::asin((0.5 * dot(chord, chord).sqrt()).min(1.0))
}

/// `b` or `−b`, whichever is nearer to `a`; `b` itself if both are equally near.
pub(crate) fn toward(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    if dot(a, b) < 0.0 { b.map(|v| -v) } else { b }
}

/// Scalar product. `w` comes first, as in the engine PlayCanvas, because between rotations half a turn apart
/// the last bit of this sum decides the direction of the motion.
pub(crate) fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `wa·a + wb·b`.
pub(crate) fn weighted_sum(a: [f64; 4], wa: f64, b: [f64; 4], wb: f64) -> [f64; 4] {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [wa * ax + wb * bx, wa * ay + wb * by, wa * az + wb * bz, wa * aw + wb * bw]
}

/// Hamilton product of quaternions x y z w: the rotation by `b`, then by `a`.
#[must_use]
pub fn quat_product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    (DQuat::from_array(a) * DQuat::from_array(b)).to_array()
}

/// Inverse of a unit quaternion x y z w.
#[must_use]
pub const fn quat_inverse([x, y, z, w]: [f64; 4]) -> [f64; 4] {
    [-x, -y, -z, w]
}

/// A vector rotated by a unit quaternion x y z w.
#[must_use]
pub fn quat_rotate(q: [f64; 4], [x, y, z]: [f64; 3]) -> [f64; 3] {
    let [x, y, z, _] = quat_product(quat_product(q, [x, y, z, 0.0]), quat_inverse(q));
    [x, y, z]
}
