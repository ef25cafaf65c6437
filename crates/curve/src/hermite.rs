//! The cubic given by two values and two slopes.

use crate::lerp;

/// Cubic from `p0` to `p1`, leaving with slope `m0` and arriving with slope `m1`, both in value units **per
/// segment** (change of value if the slope lasted for the whole segment).
///
/// * Formula: `(2u³−3u²+1)·p0 + (u³−2u²+u)·m0 + (−2u³+3u²)·p1 + (u³−u²)·m1`.
/// * Domain: any finite `u`; outside `0..=1` the same polynomial goes on. Non-finite arguments give the
///   result of the arithmetic, usually NaN: a format with a meaning of "hold" for infinite slopes must test
///   for infinite slopes first and use [`step`](crate::step).
/// * Source: C. Hermite's interpolation in the form of glTF 2.0 specification, Appendix C.5.
/// * Method: `lerp(p0, p1, u²(3−2u)) + u(1−u)·((1−u)·m0 − u·m1)`, the same polynomial with both ends exact
///   and, for equal values and zero slopes, exactly constant.
/// * Error: at most 2e-15 of the largest argument's magnitude for `u` in `0..=1`.
///
/// For slopes per second, as stored by glTF and Unity, see [`hermite_per_second`].
pub fn hermite(p0: f64, m0: f64, p1: f64, m1: f64, u: f64) -> f64 {
    let v = 1.0 - u;
    lerp(p0, p1, u * u * (3.0 - 2.0 * u)) + u * v * (v * m0 - u * m1)
}

/// Cubic from `p0` to `p1` over `d_s` seconds with slopes in value units **per second**.
///
/// * Formula: [`hermite`] with `m0 = d_s·m0_per_s` and `m1 = d_s·m1_per_s`.
/// * Domain: `d_s > 0`, the length of the segment in seconds. With `d_s = 0` the slopes have no effect.
///   Otherwise as [`hermite`].
/// * Source: glTF 2.0 specification, Appendix C.5, where tangents are stored unscaled and multiplied by
///   the interval at evaluation; Unity's `Keyframe.inTangent` and `outTangent` likewise.
/// * Error: as [`hermite`], with the scaled slopes as arguments.
///
/// ```
/// use dopesheet_curve::hermite_per_second;
///
/// // Two metres in four seconds at a steady half metre per second.
/// assert_eq!(hermite_per_second(1.0, 0.5, 3.0, 0.5, 4.0, 0.25), 1.5);
/// ```
pub fn hermite_per_second(p0: f64, m0_per_s: f64, p1: f64, m1_per_s: f64, d_s: f64, u: f64) -> f64 {
    hermite(p0, m0_per_s * d_s, p1, m1_per_s * d_s, u)
}

/// Weights of the four arguments of [`hermite`] at `u`, in their order `p0`, `m0`, `p1`, `m1`: its value is linear in them.
///
/// ```
/// use dopesheet_curve::{hermite, hermite_weights};
///
/// let [a, b, c, d] = hermite_weights(0.25);
/// assert_eq!(2.0 * a + b + 4.0 * c - 3.0 * d, hermite(2.0, 1.0, 4.0, -3.0, 0.25));
/// ```
pub fn hermite_weights(u: f64) -> [f64; 4] {
    let v = 1.0 - u;
    [(1.0 + 2.0 * u) * v * v, u * v * v, u * u * (3.0 - 2.0 * u), -u * u * v]
}

/// Slope at `u` of the cubic of [`hermite`], from its `chord`, `p1 − p0`, and the slopes at its ends. A part of a cubic is the cubic with
/// these slopes at its ends.
///
/// ```
/// use dopesheet_curve::hermite_slope;
///
/// // u³ from 0 to 1.
/// assert_eq!(hermite_slope(1.0, 0.0, 3.0, 0.5), 0.75);
/// ```
pub fn hermite_slope(chord: f64, m0: f64, m1: f64, u: f64) -> f64 {
    let v = 1.0 - u;
    6.0 * u * v * chord + v * (1.0 - 3.0 * u) * m0 + u * (1.0 - 3.0 * v) * m1
}
