//! The cubic given by two values and two handles.
//!
//! Handles here stand at one third and two thirds of the segment's time, so that time itself runs evenly. A
//! curve with handles at other times eases its time too: see [`bezier_timing`](crate::bezier_timing()).

/// Cubic Bézier with the control values `points`, from `points[0]` at `u = 0` to `points[3]` at `u = 1`.
///
/// * Formula: `(1−u)³·p0 + 3(1−u)²u·p1 + 3(1−u)u²·p2 + u³·p3`.
/// * Domain: any finite `u`; outside `0..=1` the same polynomial goes on. Non-finite arguments give the
///   result of the arithmetic, usually NaN.
/// * Source: S. N. Bernstein's basis of degree three.
/// * Method: the sum as written; both ends are exact.
/// * Error: at most 2e-15 of the largest control value's magnitude for `u` in `0..=1`.
pub fn bezier(points: [f64; 4], u: f64) -> f64 {
    let [p0, p1, p2, p3] = points;
    let v = 1.0 - u;
    v * v * v * p0 + 3.0 * v * v * u * p1 + 3.0 * v * u * u * p2 + u * u * u * p3
}
