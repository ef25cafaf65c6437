//! The cubic of time and value: slopes with weights, as in Unity's AnimationCurve.

use crate::bezier_timing::{ordinate, root};
use crate::{hermite, lerp};

/// Weight of a handle without influence on time.
const THIRD: f64 = 1.0 / 3.0;

/// Largest distinguished magnitude of a weight, so that its square stays in range.
const LARGEST_WEIGHT: f64 = 1e60;

/// One key as seen by the segment on one side of the key, for [`weighted_bezier`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedEnd {
    /// Value of the key.
    pub value: f64,
    /// Slope of the curve at the key in value units **per segment**: slopes per second are multiplied by the
    /// segment's length in seconds first. Infinite means that the segment holds its first value; NaN counts
    /// as 0.
    pub slope: f64,
    /// Reach of the handle into the segment, as a share of the segment's length; `0..=1` in Unity's editor.
    /// NaN and infinite weights count as one third, and magnitudes above 1e60 as 1e60.
    pub weight: f64,
}

impl WeightedEnd {
    /// Effective weight of a key with its own weight switched off, one third.
    pub const UNUSED_WEIGHT: f64 = THIRD;

    fn weight(&self) -> f64 {
        if self.weight.is_finite() { self.weight.clamp(-LARGEST_WEIGHT, LARGEST_WEIGHT) } else { THIRD }
    }

    /// Slope times weight, in thirds: the slope of the same value curve over the curve's parameter.
    fn pull(&self) -> f64 {
        if self.slope.is_nan() { 0.0 } else { 3.0 * self.weight() * self.slope }
    }
}

/// Value of the curve from `from` to `to` when the fraction `u` of the segment's time has passed.
///
/// * Formula: a Bézier curve in the plane of time and value. With the weights p and q of `from` and `to` the
///   control points are `(0, v0)`, `(p, v0 + p·m0)`, `(1 − q, v1 − q·m1)`, `(1, v1)`; the result is the
///   ordinate where the abscissa `X(t) = 3(1−t)²t·p + 3(1−t)t²·(1−q) + t³` is `u`.
/// * Steps: if either slope is infinite, of either sign, the result is `v0` for `u < 1`, for all weights. The
///   same goes for slopes so large that their product with the weight is infinite.
/// * Special cases: `p = q = ⅓` is [`hermite`] bit for bit, and `p = q = 0` the straight [`lerp`].
/// * Weights outside `0..=1`: time may run back and forth along the curve; the first point with the wanted
///   time counts. So a weight of 10⁶ at the first key is all but a step at the start, and such a weight at
///   the last key all but a step at the end.
/// * Domain: `u` in `0..=1`; numbers below count as 0, above as 1, NaN as 0. Both ends are exact. The result
///   is finite if the values are and slope times weight stays below 1e300.
/// * Source: Unity's AnimationCurve with `Keyframe.inWeight`, `outWeight` and `weightedMode`; Unity's
///   documentation gives one third for unused weights. Unity's own solver works in `f32` with a closed
///   formula and is off by up to about 1e-3 of the segment where the formula degenerates; this is the exact
///   curve.
/// * Method: for weights in `0..=1` the method of [`bezier_timing`](crate::bezier_timing()), measured from
///   the nearer end of time; other curves are first cut where time turns round, and the decisive piece is
///   solved from the nearer end of the parameter. At most 76 rounds, usually 3 to 6.
/// * Error, for weights in `0..=1`: the result is exact for a time off by at most 2.5e-15 of its distance
///   from the nearer end, besides 4e-15 of the largest of the values and pulls `3p·m0`, `3q·m1`. Where the
///   curve is vertical, in the middle of `p = q = 1`, this means a result off by up to 1.1e-5 of the largest
///   for times within 1e-6 of `u = ½`.
/// * Error, for other weights up to 10⁶: 1e-11 of the largest of values and pulls, growing next to a turn of time, where
///   the curve jumps anyway.
///
/// ```
/// use dopesheet_curve::{WeightedEnd, hermite, weighted_bezier};
///
/// let end = |value, slope, weight| WeightedEnd { value, slope, weight };
/// let third = WeightedEnd::UNUSED_WEIGHT;
/// let plain = weighted_bezier(end(1.0, 2.0, third), end(5.0, -3.0, third), 0.3);
/// assert_eq!(plain, hermite(1.0, 2.0, 5.0, -3.0, 0.3));
///
/// let straight = weighted_bezier(end(1.0, 2.0, 0.0), end(5.0, -3.0, 0.0), 0.25);
/// assert_eq!(straight, 2.0);
///
/// let held = weighted_bezier(end(1.0, f64::NEG_INFINITY, 0.5), end(5.0, 0.0, 0.5), 0.99);
/// assert_eq!(held, 1.0);
/// ```
pub fn weighted_bezier(from: WeightedEnd, to: WeightedEnd, u: f64) -> f64 {
    if u.is_nan() || u <= 0.0 {
        return from.value;
    }
    if u >= 1.0 {
        return to.value;
    }
    let (leaving, arriving) = (from.pull(), to.pull());
    if !(leaving.is_finite() && arriving.is_finite()) {
        return from.value;
    }
    match parameter(from.weight(), to.weight(), u) {
        Parameter::Straight => lerp(from.value, to.value, u),
        Parameter::FromStart(t) => hermite(from.value, leaving, to.value, arriving, t),
        Parameter::FromEnd(t) => hermite(to.value, -arriving, from.value, -leaving, t),
    }
}

/// The curve of [`weighted_bezier`], split into two such curves at the fraction `u` of its time.
///
/// Each half is given by its ends, with slopes per segment **of the half** and weights as shares of the half;
/// the value in the middle is the result of [`weighted_bezier`].
///
/// * Formula: de Casteljau's subdivision of the curve in the plane of time and value.
/// * Domain: `u` inside `0..1`, finite slopes, weights in `0..=1`. Elsewhere the halves meet, without any
///   further guarantee.
/// * Where the curve is upright in the middle, only at `u = ½` of the weights 1 and 1, a steep slope stands
///   for the upright slope, off by 1e-7 of the half's time.
/// * Source: as [`weighted_bezier`]; P. de Casteljau's construction.
/// * Error: values of the halves are off by at most 1e-12 of the largest of the values and pulls, unless a weight is above
///   0.999 and `u` within 1e-3 of ½.
///
/// ```
/// use dopesheet_curve::{WeightedEnd, split_weighted_bezier, weighted_bezier};
///
/// let from = WeightedEnd { value: 1.0, slope: 2.0, weight: 0.9 };
/// let to = WeightedEnd { value: 5.0, slope: -3.0, weight: 0.2 };
/// let [[a, b], [c, d]] = split_weighted_bezier(from, to, 0.25);
/// assert!((weighted_bezier(a, b, 0.5) - weighted_bezier(from, to, 0.125)).abs() < 1e-12);
/// assert!((weighted_bezier(c, d, 0.5) - weighted_bezier(from, to, 0.625)).abs() < 1e-12);
/// ```
pub fn split_weighted_bezier(from: WeightedEnd, to: WeightedEnd, u: f64) -> [[WeightedEnd; 2]; 2] {
    let (p, q) = (from.weight(), to.weight());
    let t = match parameter(p, q, u) {
        Parameter::FromStart(t) => t,
        Parameter::FromEnd(t) => 1.0 - t,
        Parameter::Straight => {
            let value = lerp(from.value, to.value, u);
            let end = |value| WeightedEnd { value, slope: 0.0, weight: 0.0 };
            let [first, last] = [from, to].map(|end| WeightedEnd { weight: 0.0, ..end });
            return [[first, end(value)], [end(value), last]];
        }
    };
    let slope = |end: &WeightedEnd| if end.slope.is_nan() { 0.0 } else { end.slope };
    let between = |a: [f64; 2], b: [f64; 2]| [lerp(a[0], b[0], t), lerp(a[1], b[1], t)];
    let (p0, p3) = ([0.0, from.value], [1.0, to.value]);
    let p1 = [p, from.value + p * slope(&from)];
    let p2 = [1.0 - q, to.value - q * slope(&to)];
    let (a, b, c) = (between(p0, p1), between(p1, p2), between(p2, p3));
    let (d, e) = (between(a, b), between(b, c));
    let middle = [u, weighted_bezier(from, to, u)];
    let rest = 1.0 - u;
    [
        [
            WeightedEnd { slope: slope(&from) * u, weight: a[0] / u, ..from },
            handle([middle[0] - d[0], middle[1] - d[1]], u, middle[1]),
        ],
        [
            handle([e[0] - middle[0], e[1] - middle[1]], rest, middle[1]),
            WeightedEnd { slope: slope(&to) * rest, weight: (1.0 - c[0]) / rest, ..to },
        ],
    ]
}

/// An end with a handle of the given reach in time and value, in a segment of the given length.
fn handle([time, value]: [f64; 2], length: f64, at: f64) -> WeightedEnd {
    const UPRIGHT: f64 = 1e-7;
    let weight = (time / length).max(if value == 0.0 { 0.0 } else { UPRIGHT });
    let slope = if weight > 0.0 { value / weight } else { 0.0 };
    WeightedEnd { value: at, slope, weight }
}

/// A position on the curve, measured without a loss of digits.
enum Parameter {
    /// Time and value run along the same polynomial, so that no position is needed.
    Straight,
    /// From 0 at the first key to 1 at the second.
    FromStart(f64),
    /// From 0 at the second key to 1 at the first.
    FromEnd(f64),
}

/// The first place with `X = u` on the curve with the weights `p` and `q`, for `u` inside `0..1`.
fn parameter(p: f64, q: f64, u: f64) -> Parameter {
    if p == THIRD && q == THIRD {
        return Parameter::FromStart(u);
    }
    if p == 0.0 && q == 0.0 {
        return Parameter::Straight;
    }
    let is_one_way = (0.0..=1.0).contains(&p) && (0.0..=1.0).contains(&q);
    let [low, high] = if is_one_way { [0.0, 1.0] } else { first_piece(p, 1.0 - q, u) };
    let is_early = if is_one_way { u <= 0.5 } else { low + high < 1.0 };
    if is_early {
        Parameter::FromStart(root(p, 1.0 - q, u, [low, high], start(p, u)))
    } else {
        Parameter::FromEnd(root(q, 1.0 - p, 1.0 - u, [1.0 - high, 1.0 - low], start(q, 1.0 - u)))
    }
}

/// First guess of the parameter at the time `u`: for a steep start by the slope at the start, good over many
/// orders of magnitude, and else by evenly running time.
fn start(weight: f64, u: f64) -> f64 {
    if weight > 1.0 { u / (3.0 * weight) } else { u }
}

/// The first stretch of the parameter, cut at the turns of `X`, on which `X` rises past `u`.
fn first_piece(c1: f64, c2: f64, u: f64) -> [f64; 2] {
    let mut low = 0.0;
    for turn in turns(c1, c2) {
        if turn > low && turn < 1.0 {
            if ordinate(c1, c2, turn) >= u {
                return [low, turn];
            }
            low = turn;
        }
    }
    [low, 1.0]
}

/// Roots of the derivative of `X`, `X′(t)/3 = (1 + 3c1 − 3c2)·t² + 2(c2 − 2c1)·t + c1`, in ascending order;
/// NaN or infinite for missing roots.
fn turns(c1: f64, c2: f64) -> [f64; 2] {
    let half = c2 - 2.0 * c1;
    let square = 1.0 + 3.0 * (c1 - c2);
    // Of opposite signs nothing cancels.
    let larger = -half - (half * half - square * c1).sqrt().copysign(half);
    let (a, b) = (larger / square, c1 / larger);
    if a < b { [a, b] } else { [b, a] }
}
