//! Time with a restart or a turn at the ends of a curve.

/// Remainder of `x` in steps of `length`, in `0..=length`.
///
/// * Formula: `x − ⌊x/length⌋·length`, limited to `0..=length`.
/// * Domain: finite `x` and positive `length`; other numbers give 0.
/// * Source: Unity's `Mathf.Repeat`.
/// * Error: the rounding of the formula, at most 2e-16 of the larger of `|x|` and `length`. Next to a seam
///   the error may be a whole `length`.
pub fn repeat(x: f64, length: f64) -> f64 {
    let remainder = x - (x / length).floor() * length;
    if length > 0.0 && remainder.is_finite() { remainder.clamp(0.0, length) } else { 0.0 }
}

/// Time within `a..=b` in place of `t`, on a curve with a restart at its ends.
///
/// * Formula: `t` itself within `a..=b`, so also at `b`; else `a + repeat(t − a, b − a)`. The time one whole
///   length after `b` is therefore `a` again.
/// * Domain: finite numbers with `a < b`. Otherwise the nearer of `a` and `b` is held; NaN gives `a`.
/// * Source: Unity's `WrapMode.Loop` on an AnimationCurve.
/// * Error: as [`repeat`].
///
/// ```
/// use dopesheet_curve::wrap_loop;
///
/// assert_eq!([-0.5, 2.0, 3.0, 3.5, 4.0].map(|t| wrap_loop(t, 1.0, 3.0)), [1.5, 2.0, 3.0, 1.5, 2.0]);
/// ```
pub fn wrap_loop(t: f64, a: f64, b: f64) -> f64 {
    wrapped(t, a, b, repeat)
}

/// Time within `a..=b` in place of `t`, on a curve running back and forth between its ends.
///
/// * Formula: `t` itself within `a..=b`; else with `l = b − a`: `a + (l − |repeat(t − a, 2l) − l|)`.
/// * Domain, error: as [`wrap_loop`].
/// * Source: Unity's `WrapMode.PingPong` on an AnimationCurve.
///
/// ```
/// use dopesheet_curve::wrap_ping_pong;
///
/// assert_eq!([-0.5, 2.0, 3.0, 3.5, 5.5].map(|t| wrap_ping_pong(t, 1.0, 3.0)), [2.5, 2.0, 3.0, 2.5, 1.5]);
/// ```
pub fn wrap_ping_pong(t: f64, a: f64, b: f64) -> f64 {
    wrapped(t, a, b, |offset, length| length - (repeat(offset, 2.0 * length) - length).abs())
}

fn wrapped(t: f64, a: f64, b: f64, along: impl Fn(f64, f64) -> f64) -> f64 {
    let (offset, length) = (t - a, b - a);
    if (t >= a && t <= b) || t.is_nan() {
        return if t.is_nan() { a } else { t };
    }
    if !(length > 0.0 && offset.is_finite() && (2.0 * length).is_finite()) {
        return if t > b { b } else { a };
    }
    (a + along(offset, length)).clamp(a, b)
}
