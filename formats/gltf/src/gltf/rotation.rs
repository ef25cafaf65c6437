//! Quaternions stored in f32 by files.

use dopesheet_curve::{SHORT_ONE, quat_normalise_or_identity};

/// Largest difference from 1 of the length of a unit quaternion whose components were rounded to f32.
const ROUNDING: f64 = 2e-7;

/// The same where components were rounded to multiples of [`STEP`].
const STEP_ROUNDING: f64 = 1e-6;
/// Unit of compressed rotations: their components are multiples of this number.
const STEP: f64 = 1.0 / (1 << 21) as f64;
/// The same where components were rounded to 16-bit integers.
const SHORT_ROUNDING: f64 = 6.2e-5;
/// Largest distance, in units of 16-bit integers, of an f32 from the integer it stands for.
const WHOLE: f64 = 4e-3;

/// A quaternion of unit length, or as near to unit length as f32 or 16-bit integers allow: near quaternions
/// are left as they are, so that reading and writing again changes nothing. Quaternions without a direction
/// become the identity.
pub(super) fn near_unit(q: [f64; 4]) -> [f64; 4] {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let off = (length - 1.0).abs();
    let is_stepped = |x: &f64| (x / STEP).fract() == 0.0;
    let is_near = off <= ROUNDING
        || (off <= STEP_ROUNDING && q.iter().all(is_stepped))
        || (off <= SHORT_ROUNDING && is_short(q));
    if is_near { q } else { quat_normalise_or_identity(q) }
}

/// True if all components stand for normalised 16-bit integers.
fn is_short(q: [f64; 4]) -> bool {
    let off = |x: f64| (x * f64::from(SHORT_ONE) - (x * f64::from(SHORT_ONE)).round()).abs();
    q.into_iter().all(|x| off(x) <= WHOLE)
}
