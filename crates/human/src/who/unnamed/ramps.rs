//! Shares of a range as the fit of the measures of a body.

/// Share of the way from a number to another number, from 0 to 1.
pub(crate) fn ramp(x: f64, from: f64, to: f64) -> f64 {
    ((x - from) / (to - from)).clamp(0.0, 1.0)
}

/// 1 between the second and the third number, 0 outside of the first and the last.
pub(crate) fn between(x: f64, [lowest, low, high, highest]: [f64; 4]) -> f64 {
    ramp(x, lowest, low).min(ramp(x, highest, high))
}
