//! Whole turns added to or taken from an angle.

use std::f64::consts::{PI, TAU};

/// The same direction as `angle` (radians) written in `(−π, π]`.
///
/// * Formula: `angle − 2π·⌈(angle − π) / 2π⌉`.
/// * Domain: finite angles; non-finite ones give NaN.
/// * Error: at most 3e-16 of the larger of π and the argument's magnitude.
pub fn wrap_angle(angle: f64) -> f64 {
    if angle > -PI && angle <= PI {
        return angle;
    }
    let wrapped = angle - TAU * ((angle - PI) / TAU).ceil();
    // Rounding may land a hair outside, on either side of the seam.
    if wrapped <= -PI || wrapped > PI { PI } else { wrapped }
}

/// The same direction as `angle` written with the whole turns that bring it nearest to `previous`, both in
/// radians.
///
/// * Formula: `angle + 2π·round((previous − angle) / 2π)`.
/// * Domain: finite angles. If either is not finite, `angle` is returned as it is.
/// * Half a turn away either choice is as near; the one with more turns, counted from zero, is taken.
/// * Error: at most 4e-16 of the largest of π and both magnitudes. An angle that is nearest already comes
///   back bit for bit.
///
/// ```
/// use dopesheet_curve::unwrap_angle;
/// use std::f64::consts::TAU;
///
/// let unwrapped = unwrap_angle(-3.1, 3.0);
/// assert_eq!(unwrapped, -3.1 + TAU);
/// ```
pub fn unwrap_angle(angle: f64, previous: f64) -> f64 {
    unwrap(angle, previous, TAU)
}

/// [`unwrap_angle`] in degrees, where whole turns are exact numbers.
///
/// ```
/// use dopesheet_curve::unwrap_angle_degrees;
///
/// assert_eq!(unwrap_angle_degrees(170.0, -178.0), -190.0);
/// ```
pub fn unwrap_angle_degrees(angle: f64, previous: f64) -> f64 {
    unwrap(angle, previous, 360.0)
}

/// [`unwrap_angle`] for any size of a whole turn.
pub(crate) fn unwrap(angle: f64, previous: f64, turn: f64) -> f64 {
    let turns = ((previous - angle) / turn).round();
    if turns == 0.0 || !turns.is_finite() { angle } else { angle + turn * turns }
}
