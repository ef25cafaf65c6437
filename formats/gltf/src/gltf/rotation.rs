//! Quaternions that files store in f32.

use dopesheet_curve::quat_normalise_or_identity;

/// Largest difference from 1 of the length of a unit quaternion whose components were rounded to f32.
const ROUNDING: f64 = 2e-7;

/// A quaternion of unit length, or as near to it as f32 allows: those are left as they are, so that reading and
/// writing again changes nothing. Those without direction become the identity.
pub(super) fn near_unit(q: [f64; 4]) -> [f64; 4] {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if (length - 1.0).abs() <= ROUNDING { q } else { quat_normalise_or_identity(q) }
}
