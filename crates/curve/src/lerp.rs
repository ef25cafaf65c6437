//! The law of evenly moving values.

/// Straight line from `a` at `u = 0` to `b` at `u = 1`.
///
/// * Formula: `(1 − u)·a + u·b`.
/// * Domain: any finite `u`; outside `0..=1` the line goes on. Non-finite arguments give the result of the
///   arithmetic, usually NaN.
/// * Source: glTF 2.0 specification, Appendix C, linear interpolation.
/// * Method: measured from the nearer end, `a + (b − a)·u` or `b − (b − a)·(1 − u)`. Both ends are exact, and
///   between equal values the result is the same value to the last bit, so a constant stays constant.
/// * Error: at most 5e-16 of the larger magnitude for `u` in `0..=1`, where the result never leaves the
///   range between `a` and `b`. `b − a` must not overflow.
///
/// ```
/// use dopesheet_curve::lerp;
///
/// assert_eq!(lerp(10.0, 20.0, 0.25), 12.5);
/// assert_eq!(lerp(0.1, 0.1, 0.7), 0.1);
/// ```
pub fn lerp(a: f64, b: f64, u: f64) -> f64 {
    if u < 0.5 { a + (b - a) * u } else { b - (b - a) * (1.0 - u) }
}
