//! Time with a gentle start and stop.

/// Fraction of the way covered when the fraction `u` of the segment's time has passed, speeding up evenly
/// over the first `a` of the time and slowing down evenly over the last `b`.
///
/// * Formula, with `k = 1/(2 − a − b)`: `(k/a)·u²` for `u < a`, `k·(2u − a)` for `u < 1 − b`, and
///   `1 − (k/b)·(1 − u)²` from there on. If `a + b > 1` both are divided by their sum first; if the sum is 0
///   the result is `u`.
/// * Domain: `u`, `a` and `b` in `0..=1`; numbers below count as 0, above as 1, NaN as 0. The result is in
///   `0..=1` and never runs backwards; both ends are exact.
/// * Source: ease from and ease to of 3ds Max TCB keys, `easeFrom` of the earlier key as `a` and `easeTo` of
///   the later key as `b`; NeL, lib3ds and MORE (Myst IV: Revelation) agree.
/// * Method: as written, with `u/a` and `(1 − u)/b` divided first, so that tiny shares do no harm.
/// * Error: at most 4e-16.
///
/// ```
/// use dopesheet_curve::ease;
///
/// assert_eq!(ease(0.25, 0.5, 0.5), 0.125);
/// assert!((ease(0.1, 0.25, 0.5) - 0.032).abs() < 1e-15);
/// ```
pub fn ease(u: f64, a: f64, b: f64) -> f64 {
    let [u, a, b] = [u, a, b].map(fraction);
    let sum = a + b;
    if sum == 0.0 || u == 0.0 || u == 1.0 {
        return u;
    }
    let [a, b] = if sum > 1.0 { [a / sum, b / sum] } else { [a, b] };
    let k = 1.0 / (2.0 - a - b);
    let left = 1.0 - u;
    if u < a {
        k * u * (u / a)
    } else if left > b {
        k * (2.0 * u - a)
    } else {
        1.0 - k * left * (left / b)
    }
}

/// `v` limited to `0..=1`, NaN read as 0.
fn fraction(v: f64) -> f64 {
    if v > 0.0 { v.min(1.0) } else { 0.0 }
}
