//! Rotations as files hold them, made fit to turn something.

use dopesheet_curve::quat_normalise_or_identity;

/// Largest difference of the squared length from 1 that is left unmended, as rounding to f32.
const ROUNDING: f64 = 1e-6;
/// Smallest reported difference of the length from 1; rounding in real files leaves differences up to this
/// one.
pub(crate) const REMARKABLE: f64 = 1e-3;

/// Repair of a rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mended {
    /// Nothing worth a word.
    No,
    /// The quaternion was all zero, which means no rotation.
    Zero,
    /// Its length differed from 1 by more than 0.001.
    Length,
}

/// A rotation of length 1 in place of a stored rotation; `as_stored` keeps lengths other than 0.
pub(crate) fn unit(rotation: [f32; 4], as_stored: bool) -> ([f32; 4], Mended) {
    let wide = rotation.map(f64::from);
    let square: f64 = wide.iter().map(|x| x * x).sum();
    if (square - 1.0).abs() <= ROUNDING {
        return (rotation, Mended::No);
    }
    if square == 0.0 {
        return ([0.0, 0.0, 0.0, 1.0], Mended::Zero);
    }
    if as_stored {
        return (rotation, Mended::No);
    }
    let is_remarkable = (square.sqrt() - 1.0).abs() > REMARKABLE;
    let mended = if is_remarkable { Mended::Length } else { Mended::No };
    (quat_normalise_or_identity(wide).map(|x| x as f32), mended)
}
