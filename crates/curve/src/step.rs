//! The law of jumping values.

/// Holds `a` for the whole segment and gives `b` from the end of the segment on.
///
/// * Formula: `a` for `u < 1`, `b` for `u ≥ 1`.
/// * Domain: any `u`. Negative or NaN `u` gives `a`.
/// * Source: glTF 2.0 specification, Appendix C, step interpolation; the same in every format.
/// * Error: none, the result is one of the two arguments.
///
/// ```
/// use dopesheet_curve::step;
///
/// assert_eq!(step("open", "closed", 0.999), "open");
/// assert_eq!(step("open", "closed", 1.0), "closed");
/// ```
pub fn step<T>(a: T, b: T, u: f64) -> T {
    if u >= 1.0 { b } else { a }
}
