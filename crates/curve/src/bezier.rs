//! The cubic given by two values and two handles, and its exact change into the Hermite form.
//!
//! Handles here stand at one third and two thirds of the segment's time, which makes time itself run
//! evenly. A curve with handles elsewhere in time eases its time too: see
//! [`bezier_timing`](crate::bezier_timing()).

/// Cubic Bézier with the control values `points`, from `points[0]` at `u = 0` to `points[3]` at `u = 1`.
///
/// * Formula: `(1−u)³·p0 + 3(1−u)²u·p1 + 3(1−u)u²·p2 + u³·p3`.
/// * Domain: any finite `u`; outside `0..=1` the same polynomial goes on. Non-finite arguments give what
///   the arithmetic gives, usually NaN.
/// * Source: S. N. Bernstein's basis of degree three.
/// * Method: the sum as written; both ends are exact.
/// * Error: at most 2e-15 of the largest control value's magnitude for `u` in `0..=1`.
pub fn bezier(points: [f64; 4], u: f64) -> f64 {
    let [p0, p1, p2, p3] = points;
    let v = 1.0 - u;
    v * v * v * p0 + 3.0 * v * v * u * p1 + 3.0 * v * u * u * p2 + u * u * u * p3
}

/// Control values of the cubic that [`hermite`](crate::hermite()) draws with the same arguments.
///
/// * Formula: `[p0, p0 + m0/3, p1 − m1/3, p1]`; slopes are in value units per segment, so slopes per
///   second are multiplied by the segment's length first.
/// * Domain: finite numbers.
/// * Error: none in exact arithmetic; rounding moves the curve by at most 4e-15 of the largest argument's
///   magnitude.
pub fn bezier_from_hermite(p0: f64, m0: f64, p1: f64, m1: f64) -> [f64; 4] {
    [p0, p0 + m0 / 3.0, p1 - m1 / 3.0, p1]
}

/// Arguments `[p0, m0, p1, m1]` with which [`hermite`](crate::hermite()) draws the cubic with the control
/// values `points`.
///
/// * Formula: `p0`, `m0 = 3·(p1 − p0)`, `p3`, `m1 = 3·(p3 − p2)`; slopes are in value units per segment, to
///   be divided by the segment's length for slopes per second (glTF `CUBICSPLINE`).
/// * Domain: finite numbers.
/// * Error: none in exact arithmetic; rounding changes a third of a slope by at most 1e-15 of the
///   largest control value's magnitude.
///
/// ```
/// use dopesheet_curve::{bezier, hermite, hermite_from_bezier};
///
/// let points = [0.0, 1.0, 5.0, 6.0];
/// let [p0, m0, p1, m1] = hermite_from_bezier(points);
/// assert_eq!([m0, m1], [3.0, 3.0]);
/// assert_eq!(hermite(p0, m0, p1, m1, 0.25), bezier(points, 0.25));
/// ```
pub fn hermite_from_bezier(points: [f64; 4]) -> [f64; 4] {
    let [p0, p1, p2, p3] = points;
    [p0, 3.0 * (p1 - p0), p3, 3.0 * (p3 - p2)]
}
