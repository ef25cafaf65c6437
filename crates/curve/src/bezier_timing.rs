//! Time eased by a cubic Bézier curve from (0, 0) to (1, 1).

use crate::lerp;

/// Shape of an eased segment: the two inner control points of a Bézier curve from (0, 0) to (1, 1). The
/// abscissa is the fraction of time passed, the ordinate is the fraction of the way covered.
///
/// All four numbers belong in `0..=1`. [`bezier_timing`] reads numbers below as 0, above as 1 and NaN as 0.
/// With abscissae in this range time never runs backwards, and with ordinates in this range the value does
/// not overshoot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BezierTiming {
    /// Abscissa (time) of the handle at the earlier key, `0..=1`.
    pub x1: f64,
    /// Ordinate (progress) of the handle at the earlier key, `0..=1`.
    pub y1: f64,
    /// Abscissa (time) of the handle at the later key, `0..=1`.
    pub x2: f64,
    /// Ordinate (progress) of the handle at the later key, `0..=1`.
    pub y2: f64,
}

/// Full scale of a control byte: MikuMikuDance's curve editor is a grid of 0..=127 on each side.
const FULL_BYTE: f64 = 127.0;

impl BezierTiming {
    /// The straight line in the form written by MikuMikuDance, control bytes 20, 20, 107, 107.
    pub const LINEAR: Self = Self::from_bytes([20, 20, 107, 107]);

    /// Shape from four control bytes in the order x1, y1, x2, y2, each divided by 127.
    ///
    /// Bytes above 127 occur in damaged files and count as 127. Files store the four bytes in various orders;
    /// the reader brings the bytes into this order.
    pub const fn from_bytes(bytes: [u8; 4]) -> Self {
        let [x1, y1, x2, y2] = bytes;
        Self { x1: from_byte(x1), y1: from_byte(y1), x2: from_byte(x2), y2: from_byte(y2) }
    }

    /// Nearest control bytes in the order x1, y1, x2, y2: exactly the bytes given to [`Self::from_bytes`], if
    /// the bytes were at most 127, and otherwise off by at most half a step (1/254) each.
    pub fn to_bytes(&self) -> [u8; 4] {
        // The cast cannot leave 0..=127, since every number is a fraction first.
        self.fractions().map(|v| (v * FULL_BYTE).round() as u8)
    }

    /// True if both handles lie on the diagonal, so that progress equals time exactly.
    pub fn is_linear(&self) -> bool {
        self.x1 == self.y1 && self.x2 == self.y2
    }

    pub(crate) fn fractions(&self) -> [f64; 4] {
        [self.x1, self.y1, self.x2, self.y2].map(fraction)
    }
}

const fn from_byte(byte: u8) -> f64 {
    let byte = if byte > 127 { 127 } else { byte };
    byte as f64 / FULL_BYTE
}

/// `v` limited to `0..=1`, NaN read as 0.
fn fraction(v: f64) -> f64 {
    if v > 0.0 { v.min(1.0) } else { 0.0 }
}

/// Fraction of the way covered when the fraction `u` of the segment's time has passed.
///
/// * Formula: with `X(t) = 3(1−t)²t·x1 + 3(1−t)t²·x2 + t³` and `Y(t)` alike, the value `Y(t)` at the `t` in
///   `0..=1` with `X(t) = u`.
/// * Domain: `u` in `0..=1`; numbers below count as 0, above as 1, NaN as 0. The result is in `0..=1` for
///   every input, NaN and infinite control points included, and both ends are exact. A curve with both
///   handles on the diagonal returns `u` itself.
/// * Source: interpolation curves of bone and camera keys in VMD. MikuMikuDance has published no specification:
///   the control bytes are those on the VMD page of the MikuMikuDance wiki, and the curve is the one that
///   nanoem, saba, babylon-mmd, three-mmd-loader, MMD.js and Blender's MMD tools agree on. Precision of
///   MikuMikuDance itself: unknown. The construction is that of `cubic-bezier()` of CSS Easing Functions
///   Level 1, where ordinates may overshoot as well.
/// * Method: measured from the nearer end, so that a mirrored curve gives mirrored results. Three quick steps
///   of Halley's iteration from `t = u`, then careful steps inside a shrinking bracket until the time is met,
///   with bisection where a step would leave the bracket or fails to halve the previous step; on control
///   bytes (127, ·, 0, ·) both derivatives are zero at `t = ½`. From round 24 on there is only bisection, so
///   no call takes more than 76.
/// * Error: the result is exact for a time off by at most 2.5e-15 of its distance from the nearer end, or the
///   result is within 1e-15 of exact. For every curve given by bytes but (127, ·, 0, ·) this bound keeps the
///   result within 1e-12. The exception is vertical in the middle: there a time off by 1.25e-15 means a
///   result off by up to 1.1e-5, and already 3e-12 at a distance of 1e-6 from `u = ½`.
///
/// ```
/// use dopesheet_curve::{BezierTiming, bezier_timing};
///
/// let slow_start_and_end = BezierTiming::from_bytes([64, 0, 64, 127]);
/// assert!((bezier_timing(&slow_start_and_end, 0.1) - 0.014384).abs() < 5e-7);
/// assert_eq!(bezier_timing(&BezierTiming::LINEAR, 0.1), 0.1);
/// assert_eq!(bezier_timing(&slow_start_and_end, 1.5), 1.0);
/// ```
pub fn bezier_timing(timing: &BezierTiming, u: f64) -> f64 {
    bezier_timing_at(timing, u).progress
}

/// A place on the curve of a [`BezierTiming`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimingPoint {
    /// The fraction of the time passed: `X(t) = u` in the formula of [`bezier_timing`].
    pub time: f64,
    /// The fraction of the way covered, `Y(t)`.
    pub progress: f64,
    /// The `t` of the formula. If both handles lie on the diagonal, time and way have passed alike at any
    /// `t`; then the parameter is the fraction of the time.
    pub parameter: f64,
}

impl TimingPoint {
    /// The start of every curve.
    pub const START: Self = Self { time: 0.0, progress: 0.0, parameter: 0.0 };

    /// The end of every curve.
    pub const END: Self = Self { time: 1.0, progress: 1.0, parameter: 1.0 };
}

/// [`bezier_timing`] with the place on the curve.
pub fn bezier_timing_at(timing: &BezierTiming, u: f64) -> TimingPoint {
    let u = fraction(u);
    if timing.is_linear() || u == 0.0 || u == 1.0 {
        return TimingPoint { time: u, progress: u, parameter: u };
    }
    let [x1, y1, x2, y2] = timing.fractions();
    if u <= 0.5 {
        let t = parameter(x1, x2, u);
        TimingPoint { time: u, progress: ordinate(y1, y2, t), parameter: t }
    } else {
        let t = parameter(1.0 - x2, 1.0 - x1, 1.0 - u);
        TimingPoint { time: u, progress: 1.0 - ordinate(1.0 - y2, 1.0 - y1, t), parameter: 1.0 - t }
    }
}

/// The curve of a timing, split into two timings at the fraction `u` of its time; each half runs from its own
/// start (0, 0) to its own end (1, 1).
///
/// * Formula: de Casteljau's subdivision of the curve in the plane of time and way. With `P` the way covered at `u`, the
///   timing at a time `v` is `P` times the first half at `v / u` up to `u`, and from there on `P` and `1 − P` times the second
///   half at `(v − u) / (1 − u)`.
/// * Domain: `u` inside `0..1`; elsewhere, and for a half without any way to cover, the halves are straight.
///   The control points of the halves may lie outside `0..=1` where the curve is steep at one end and `u`
///   near this end; players with the rules of [`bezier_timing`] limit such control points.
/// * Source: P. de Casteljau's construction.
/// * Error: halves within `0..=1` are off by at most 1e-12 of their own way, unless the curve is upright at
///   `u`, like (127, ·, 0, ·) at one half.
///
/// ```
/// use dopesheet_curve::{BezierTiming, bezier_timing, split_bezier_timing};
///
/// let whole = BezierTiming::from_bytes([64, 0, 64, 127]);
/// let [first, second] = split_bezier_timing(&whole, 0.25);
/// let covered = bezier_timing(&whole, 0.25);
/// assert!((covered * bezier_timing(&first, 0.5) - bezier_timing(&whole, 0.125)).abs() < 1e-12);
/// let later = covered + (1.0 - covered) * bezier_timing(&second, 0.5);
/// assert!((later - bezier_timing(&whole, 0.625)).abs() < 1e-12);
/// ```
pub fn split_bezier_timing(timing: &BezierTiming, u: f64) -> [BezierTiming; 2] {
    let TimingPoint { time, progress, parameter: t } = bezier_timing_at(timing, u);
    if timing.is_linear() || time == 0.0 || time == 1.0 {
        return [BezierTiming::LINEAR; 2];
    }
    let [x1, y1, x2, y2] = timing.fractions();
    let between = |a: [f64; 2], b: [f64; 2]| [lerp(a[0], b[0], t), lerp(a[1], b[1], t)];
    let (p1, p2) = ([x1, y1], [x2, y2]);
    let (a, b, c) = (between([0.0; 2], p1), between(p1, p2), between(p2, [1.0; 2]));
    let (d, e, middle) = (between(a, b), between(b, c), [time, progress]);
    [part(a, d, [0.0; 2], middle), part(e, c, middle, [1.0; 2])]
}

/// The timing of the part between two points of a curve, with the given control points; straight if the part
/// covers no way.
fn part(first: [f64; 2], second: [f64; 2], from: [f64; 2], to: [f64; 2]) -> BezierTiming {
    let (time, progress) = (to[0] - from[0], to[1] - from[1]);
    if progress <= 0.0 {
        return BezierTiming::LINEAR;
    }
    let [[x1, y1], [x2, y2]] =
        [first, second].map(|point| [(point[0] - from[0]) / time, (point[1] - from[1]) / progress]);
    BezierTiming { x1, y1, x2, y2 }
}

/// The `t` with `X(t) = u`, within the accuracy of [`root`], for `u` up to one half: times nearer to the
/// other end are measured from the other end.
pub(crate) fn parameter(x1: f64, x2: f64, u: f64) -> f64 {
    let near = approach(x1, x2, u);
    root(x1, x2, u, [0.0, 1.0], if near > 0.0 && near < 1.0 { near } else { u })
}

/// Steps of [`approach`].
const STEPS: u32 = 3;

/// A guess at the `t` with `X(t) = u`, without any guarantee, by some unguarded steps of Halley's from
/// `t = u` on sums of powers. These steps take fewer operations than the steps of [`root`], and mostly leave
/// [`root`] nothing but to confirm the guess.
fn approach(x1: f64, x2: f64, u: f64) -> f64 {
    let [a, b, c] = [3.0 * x1, 3.0 * (x2 - 2.0 * x1), 1.0 + 3.0 * (x1 - x2)];
    let mut t = u;
    for _ in 0..STEPS {
        let excess = t * (a + t * (b + t * c)) - u;
        let (slope, bend) = (a + t * (2.0 * b + t * 3.0 * c), 2.0 * b + t * 6.0 * c);
        t -= 2.0 * excess * slope / (2.0 * slope * slope - excess * bend);
    }
    t
}

/// Largest remaining difference between `X(t)` and the wanted time, as a fraction of the wanted time: a
/// little above the rounding of [`ordinate`], since a smaller limit could not be met reliably.
const RESIDUAL: f64 = 1.5e-15;

/// Rounds with an attempted step of Halley's.
const HALLEY_ROUNDS: u32 = 24;

/// Rounds in all. The remaining 52 halve the bracket below 2.3e-16, next to nothing even where only the
/// smallest times are so hard to find.
const ROUNDS: u32 = HALLEY_ROUNDS + 52;

/// The `t` in the bracket with `X(t) = u` within [`RESIDUAL`] if the handles are in `0..=1`, and else as near
/// as rounding allows. In the bracket `X` must rise past `u`; `start` is the first `t` to try.
pub(crate) fn root(x1: f64, x2: f64, u: f64, bracket: [f64; 2], start: f64) -> f64 {
    let [mut low, mut high] = bracket;
    let mut t = if start > low && start < high { start } else { 0.5 * (low + high) };
    let mut last_move = 1.0_f64;
    for round in 0..ROUNDS {
        let excess = ordinate(x1, x2, t) - u;
        if excess.abs() <= RESIDUAL * u {
            break;
        }
        if excess > 0.0 {
            high = t;
        } else {
            low = t;
        }
        let (slope, bend) = (slope(x1, x2, t), bend(x1, x2, t));
        // No number where the slope and the bend are zero; the tests below then fail.
        let halley = t - 2.0 * excess * slope / (2.0 * slope * slope - excess * bend);
        let halves = (halley - t).abs() <= 0.5 * last_move;
        let next = if round < HALLEY_ROUNDS && halves && halley > low && halley < high {
            halley
        } else {
            0.5 * (low + high)
        };
        last_move = (next - t).abs();
        t = next;
    }
    t
}

/// Value at `t` of the Bézier polynomial with control values 0, `c1`, `c2`, 1. With `c1` and `c2` in `0..=1`
/// all terms are positive, so the relative error is a few units in the last place everywhere.
pub(crate) fn ordinate(c1: f64, c2: f64, t: f64) -> f64 {
    let s = 1.0 - t;
    t * (3.0 * s * (s * c1 + t * c2) + t * t)
}

/// Derivative of [`ordinate`] by `t`.
fn slope(c1: f64, c2: f64, t: f64) -> f64 {
    let s = 1.0 - t;
    3.0 * (s * s * c1 + 2.0 * s * t * (c2 - c1) + t * t * (1.0 - c2))
}

/// Second derivative of [`ordinate`] by `t`.
fn bend(c1: f64, c2: f64, t: f64) -> f64 {
    6.0 * ((1.0 - t) * (c2 - 2.0 * c1) + t * (1.0 + c1 - 2.0 * c2))
}
