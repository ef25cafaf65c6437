//! Slopes from tension, continuity and bias.

/// The three dials of a key after Kochanek and Bartels, each in `-1..=1` and 0 by default. Other numbers are
/// used as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tcb {
    /// Tightness of the curve at the key; at 1 both slopes vanish.
    pub tension: f64,
    /// Sharpness of the bend at the key: below 0 the curve makes a corner, above 0 the curve swings out
    /// first.
    pub continuity: f64,
    /// Balance of the neighbours: above 0 the earlier neighbour pulls more, so that the curve overshoots the
    /// key.
    pub bias: f64,
}

impl Tcb {
    /// Shares `[A, B, C, D]` of the steps before and after the key: A and B make the arriving slope, C and D
    /// the leaving slope. `pace` corrects for neighbours at different distances, before and after.
    pub(crate) fn shares(&self, pace: [f64; 2]) -> [f64; 4] {
        let [arrives, leaves] = pace.map(|f| 0.5 * (1.0 - self.tension) * f);
        let (c, b) = (self.continuity, self.bias);
        [
            (1.0 - c) * (1.0 + b) * arrives,
            (1.0 + c) * (1.0 - b) * arrives,
            (1.0 + c) * (1.0 + b) * leaves,
            (1.0 - c) * (1.0 - b) * leaves,
        ]
    }

    /// Corrections for keys at the times `[before, here, after]`: twice the share of time on either side,
    /// brought towards 1 by `|continuity|`. Equal times need no corrections.
    pub(crate) fn pace(&self, [before, here, after]: [f64; 3]) -> [f64; 2] {
        let half = 0.5 * (after - before);
        if !(half > 0.0 && half.is_finite()) {
            return [1.0; 2];
        }
        [here - before, after - here].map(|side| {
            let f = side / half;
            f + self.continuity.abs() * (1.0 - f)
        })
    }
}

/// Key of a curve of `N` numbers, with slopes from tension, continuity and bias.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TcbKey<const N: usize> {
    /// Time in any unit; keys are in ascending order.
    pub time: f64,
    /// Value of the key.
    pub value: [f64; N],
    /// Its dials.
    pub tcb: Tcb,
}

/// A key's slopes, per segment, or control quaternions, for the segments on either side of the key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TcbHandles<const N: usize> {
    /// For the segment before the key.
    pub arriving: [f64; N],
    /// For the segment after the key.
    pub leaving: [f64; N],
}

/// Slopes of the key `n` of `keys`, in value units **per segment**, ready for [`hermite`](crate::hermite()).
///
/// * Formula, with the steps `d⁻` and `d⁺` from the key before and to the key after, tension t, continuity c,
///   bias b and the times T: `arriving = ½(1−t)·f⁻·[(1−c)(1+b)·d⁻ + (1+c)(1−b)·d⁺]`,
///   `leaving = ½(1−t)·f⁺·[(1+c)(1+b)·d⁻ + (1−c)(1−b)·d⁺]`, where `f⁻ = (T − T⁻)/h` and `f⁺ = (T⁺ − T)/h` with
///   `h = (T⁺ − T⁻)/2`, both replaced by `f + |c|(1 − f)`. With all dials at 0 and even times this is the curve of
///   Catmull and Rom.
/// * Ends: the first key leaves with `½(1−t)·(3·d⁺ − arriving of the next)` and the last key arrives with
///   `½(1−t)·(3·d⁻ − leaving of the previous)`, so that the curvature vanishes at the ends at tension 0. Of
///   two keys only, both slopes are `(1−t)·d`. Slopes without a segment are 0.
/// * Domain: finite numbers; an `n` past the end gives zeros. Where three keys share one time, `f` is 1.
/// * Source: D. Kochanek and R. Bartels, "Interpolating Splines with Local Tension, Continuity, and Bias
///   Control", 1984; `f` and the ends as in NeL (track_tcb.h). lib3ds and CryEngine have the same factors; CryEngine's
///   slopes at the ends differ and are not followed.
/// * Error: at most 8e-15 of the largest step for dials in `-1..=1`.
///
/// ```
/// use dopesheet_curve::{Tcb, TcbKey, tcb_slopes};
///
/// let keys = [0.0, 1.0, 4.0, 9.0].map(|v: f64| TcbKey { time: v.sqrt(), value: [v], tcb: Tcb::default() });
/// assert_eq!(tcb_slopes(&keys, 1).leaving, [2.0]);
/// assert_eq!(tcb_slopes(&keys, 0).leaving, [0.5]);
/// ```
pub fn tcb_slopes<const N: usize>(keys: &[TcbKey<N>], n: usize) -> TcbHandles<N> {
    let key = |n: usize| keys.get(n);
    let before = n.checked_sub(1);
    match (before.and_then(key), key(n), key(n.saturating_add(1))) {
        (Some(previous), Some(here), Some(next)) => inner(previous, here, next),
        (None, Some(here), Some(next)) => {
            let beyond = n.checked_add(2).and_then(key).map(|beyond| inner(here, next, beyond).arriving);
            TcbHandles { arriving: [0.0; N], leaving: outer(here, step(here, next), beyond) }
        }
        (Some(previous), Some(here), None) => {
            let beyond = n.checked_sub(2).and_then(key).map(|beyond| inner(beyond, previous, here).leaving);
            TcbHandles { arriving: outer(here, step(previous, here), beyond), leaving: [0.0; N] }
        }
        _ => TcbHandles { arriving: [0.0; N], leaving: [0.0; N] },
    }
}

fn step<const N: usize>(from: &TcbKey<N>, to: &TcbKey<N>) -> [f64; N] {
    combined(&to.value, &from.value, |to, from| to - from)
}

/// Results of a function of each two numbers of two arrays.
pub(crate) fn combined<const N: usize>(a: &[f64; N], b: &[f64; N], f: impl Fn(f64, f64) -> f64) -> [f64; N] {
    let mut out = *a;
    for (a, b) in out.iter_mut().zip(b) {
        *a = f(*a, *b);
    }
    out
}

fn inner<const N: usize>(previous: &TcbKey<N>, key: &TcbKey<N>, next: &TcbKey<N>) -> TcbHandles<N> {
    let [a, b, c, d] = key.tcb.shares(key.tcb.pace([previous.time, key.time, next.time]));
    let (before, after) = (step(previous, key), step(key, next));
    TcbHandles {
        arriving: combined(&before, &after, |before, after| a * before + b * after),
        leaving: combined(&before, &after, |before, after| c * before + d * after),
    }
}

/// Slope at an end, from the only step at the end and the slope at the other side of the step, unless the
/// other side is an end too.
fn outer<const N: usize>(here: &TcbKey<N>, step: [f64; N], beyond: Option<[f64; N]>) -> [f64; N] {
    let slack = 1.0 - here.tcb.tension;
    match beyond {
        Some(beyond) => combined(&step, &beyond, |step, beyond| 0.5 * slack * (3.0 * step - beyond)),
        None => step.map(|step| slack * step),
    }
}
