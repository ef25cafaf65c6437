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

/// The direction of `angle`, written with the number of whole turns nearest to `previous`.
///
/// * Formula: `angle + turn·round((previous − angle) / turn)`.
/// * Domain: finite angles. If either angle is not finite, `angle` is returned unchanged.
/// * Exactly half a turn away both choices are equally near; the choice with more turns, counted from zero,
///   is taken.
pub(crate) fn unwrap(angle: f64, previous: f64, turn: f64) -> f64 {
    let turns = ((previous - angle) / turn).round();
    if turns == 0.0 || !turns.is_finite() { angle } else { angle + turn * turns }
}
