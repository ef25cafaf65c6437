//! A Bezier timing curve through samples.

use crate::single::narrow;
use dopesheet_core::model::Timing;
use dopesheet_curve::{BezierTiming, EasedWay, bezier_timing};
use glam::{DMat4, DVec4};

/// Steps of the search; it has mostly ended after five.
const MAX_STEPS: usize = 12;

/// The curve that passes all samples, as the bytes of MikuMikuDance can express it; `None` if there is none.
///
/// `samples` are pairs of time and progress, ascending in time, both as shares of the segment (0..=1); no sample is
/// missed by more than `bound`. The search is Levenberg's and Marquardt's over the two control points, from handles of
/// a third of the way along the samples' own slopes.
///
/// ```
/// use dopesheet_curve::{BezierTiming, bezier_timing};
/// use dopesheet_motion::keys::timing::fit_timing;
///
/// let slow = BezierTiming::from_bytes([64, 0, 64, 127]);
/// let samples: Vec<_> = (1..10).map(|n| f64::from(n) / 10.0).map(|u| (u, bezier_timing(&slow, u))).collect();
/// let timing = fit_timing(&samples, 0.002).unwrap();
/// assert!(samples.iter().all(|(u, y)| (bezier_timing(&timing, *u) - y).abs() <= 0.002));
/// ```
#[must_use]
pub fn fit_timing(samples: &[(f64, f64)], bound: f64) -> Option<BezierTiming> {
    if samples.iter().all(|(u, y)| (u - y).abs() <= bound) {
        return Some(BezierTiming::LINEAR);
    }
    // Control points within the unit square never lead back, nor beyond the ends.
    let mut highest = 0.0f64;
    for &(_, y) in samples {
        if y < highest - 2.0 * bound || !(-bound..=1.0 + bound).contains(&y) {
            return None;
        }
        highest = highest.max(y);
    }
    let handles = search(samples, start(samples), bound, Held::None);
    as_bytes(handles, samples, bound)
}

/// Share of the sum of squares left by a step, from which on a search beside the best curve ends.
const FOUND: f64 = 0.9;

/// A search for a curve through samples, within a bound.
pub(super) type TimingFit = fn(&[(f64, f64)], f64) -> Option<BezierTiming>;

/// Bytes on each side of the nearest handle at which [`fit_timing_closely`] looks.
const FARTHEST_BYTE: i16 = 14;

/// Multiple of the bound beyond which a curve without whole bytes is of no use for a closer search.
const NEAR: f64 = 4.0;

/// Additional error, as a share of the path, beyond which no curve has the shape of the samples.
const CLUELESS: f64 = 0.01;

/// As [`fit_timing`], with a longer search.
///
/// Along a narrow valley all four handles move together with hardly any change of the error, while few points
/// of the valley are whole bytes. So the first handle is set to each byte in turn, and the others follow.
pub(super) fn fit_timing_closely(samples: &[(f64, f64)], bound: f64) -> Option<BezierTiming> {
    if let timing @ Some(_) = fit_timing(samples, bound) {
        return timing;
    }
    let nearest = search(samples, start(samples), bound, Held::None);
    if system(samples, nearest, Held::None).3 > NEAR * bound + CLUELESS {
        return None;
    }
    let byte = (nearest[0] * 127.0).round() as i16;
    let mut sides = [(1i16, nearest), (-1, nearest)];
    for away in 0..=FARTHEST_BYTE {
        for (sign, last) in &mut sides {
            let [_, y1, x2, y2] = *last;
            let x1 = f64::from(byte.saturating_add(sign.saturating_mul(away)).clamp(0, 127)) / 127.0;
            *last = search(samples, [x1, y1, x2, y2], bound, Held::First);
            let is_near = system(samples, *last, Held::First).3 <= NEAR * bound;
            if let Some(timing) = is_near.then(|| as_bytes(*last, samples, bound)).flatten() {
                return Some(timing);
            }
        }
    }
    None
}

/// Parts left unchanged by a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    None,
    /// The time of the first handle.
    First,
}

/// A timing curve as the law of a segment.
pub(super) fn law_of(bezier: BezierTiming) -> Timing {
    if bezier.is_linear() {
        return Timing::Linear;
    }
    let [x1, y1, x2, y2] = [bezier.x1, bezier.y1, bezier.x2, bezier.y2].map(narrow);
    Timing::Bezier { x1, y1, x2, y2 }
}

/// Handles along the slopes at both ends.
fn start(samples: &[(f64, f64)]) -> [f64; 4] {
    let slope = |(run, rise): (f64, f64)| if run > 0.0 { (rise / run).clamp(0.0, 20.0) } else { 1.0 };
    let first = samples.first().map_or(1.0, |s| slope(*s));
    let last = samples.last().map_or(1.0, |(u, y)| slope((1.0 - u, 1.0 - y)));
    let handle = |slope: f64| {
        let length = 0.45 / (1.0 + slope * slope).sqrt();
        (length, length * slope)
    };
    let ((x1, y1), (x2, y2)) = (handle(first), handle(last));
    [x1, y1, 1.0 - x2, 1.0 - y2]
}

pub(super) fn search(samples: &[(f64, f64)], start: [f64; 4], bound: f64, held: Held) -> [f64; 4] {
    let (mut best, mut damping) = (start, 1e-3);
    let (mut normal, mut gradient, mut cost, mut largest) = system(samples, best, held);
    for _ in 0..MAX_STEPS {
        if largest <= 0.3 * bound {
            break;
        }
        let damped = normal + DMat4::from_diagonal(DVec4::splat(damping));
        let step = damped.inverse() * gradient;
        let next = (DVec4::from_array(best) - step).clamp(DVec4::ZERO, DVec4::ONE).to_array();
        if !next.iter().all(|x| x.is_finite()) {
            break;
        }
        let tried = system(samples, next, held);
        if tried.2 < cost {
            let is_found = held == Held::First && tried.2 > FOUND * cost;
            best = next;
            (normal, gradient, cost, largest) = tried;
            damping = (damping * 0.2).max(1e-9);
            if is_found {
                break;
            }
        } else {
            damping *= 10.0;
            if damping > 1e3 {
                break;
            }
        }
    }
    best
}

/// Normal matrix, gradient, sum of squares and largest miss of a curve.
fn system(samples: &[(f64, f64)], [x1, y1, x2, y2]: [f64; 4], held: Held) -> (DMat4, DVec4, f64, f64) {
    let (mut normal, mut gradient, mut cost, mut largest) = (DMat4::ZERO, DVec4::ZERO, 0.0, 0.0f64);
    let ease = EasedWay::new(&BezierTiming { x1, y1, x2, y2 });
    let mut s = 0.0;
    for &(u, y) in samples {
        s = ease.parameter_near(u, s);
        let r = 1.0 - s;
        let (b1, b2) = (3.0 * r * r * s, 3.0 * r * s * s);
        let miss = ease.progress(s) - y;
        let slope = |p1: f64, p2: f64| 3.0 * (r * r * p1 + 2.0 * r * s * (p2 - p1) + s * s * (1.0 - p2));
        let pull = -slope(y1, y2) / slope(x1, x2).max(1e-3);
        let first = if held == Held::First { 0.0 } else { pull * b1 };
        let row = DVec4::new(first, b1, pull * b2, b2);
        normal += DMat4::from_cols(row * row.x, row * row.y, row * row.z, row * row.w);
        gradient += row * miss;
        cost += miss * miss;
        largest = largest.max(miss.abs());
    }
    (normal, gradient, cost, largest)
}

/// The nearest curve of whole bytes within the bound, searched around the exact one.
fn as_bytes(found: [f64; 4], samples: &[(f64, f64)], bound: f64) -> Option<BezierTiming> {
    let [x1, y1, x2, y2] = found;
    let rounded = BezierTiming::from_bytes(BezierTiming { x1, y1, x2, y2 }.to_bytes());
    if largest_miss(&rounded, samples) > 4.0 * bound + 0.05 {
        return None;
    }
    let (best, least) = descend(found, samples, bound, 3);
    (least <= bound).then(|| BezierTiming::from_bytes(best))
}

fn largest_miss(timing: &BezierTiming, samples: &[(f64, f64)]) -> f64 {
    samples.iter().map(|(u, y)| (bezier_timing(timing, *u) - y).abs()).fold(0.0, f64::max)
}

/// The largest error, if below a bound. Most tried curves exceed the bound at the first samples.
fn miss_below(timing: &BezierTiming, samples: &[(f64, f64)], bound: f64) -> Option<f64> {
    samples.iter().try_fold(0.0f64, |largest, (u, y)| {
        let largest = largest.max((bezier_timing(timing, *u) - y).abs());
        (largest < bound).then_some(largest)
    })
}

/// The bytes nearest to a curve, moved one by one as long as each move reduces the error and the error
/// exceeds a bound.
fn descend(found: [f64; 4], samples: &[(f64, f64)], bound: f64, most_rounds: u32) -> ([u8; 4], f64) {
    let [x1, y1, x2, y2] = found;
    let mut best = BezierTiming { x1, y1, x2, y2 }.to_bytes();
    let mut least = largest_miss(&BezierTiming::from_bytes(best), samples);
    for _ in 0..most_rounds {
        let before = least;
        if least <= bound {
            break;
        }
        for number in 0..4 {
            for by in [-1, 1] {
                let mut tried = best;
                let Some(own) = tried.get_mut(number) else { continue };
                let Some(byte) = own.checked_add_signed(by).filter(|byte| *byte <= 127) else { continue };
                *own = byte;
                if let Some(found) = miss_below(&BezierTiming::from_bytes(tried), samples, least) {
                    (best, least) = (tried, found);
                }
            }
        }
        if least >= before {
            break;
        }
    }
    (best, least)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(timing: &BezierTiming, count: u32) -> Vec<(f64, f64)> {
        (1..count).map(|n| f64::from(n) / f64::from(count)).map(|u| (u, bezier_timing(timing, u))).collect()
    }

    #[test]
    fn curves_of_the_format_itself_are_found_again() {
        let mut passed = 0;
        let mut tried = 0;
        for x1 in [0, 20, 64, 107] {
            for y1 in [0, 20, 107, 127] {
                for (x2, y2) in [(64, 127), (107, 107), (20, 100), (90, 0)] {
                    let exact = samples(&BezierTiming::from_bytes([x1, y1, x2, y2]), 20);
                    tried += 1;
                    if let Some(timing) = fit_timing(&exact, 0.004) {
                        passed += 1;
                        assert!(exact.iter().all(|(u, y)| (bezier_timing(&timing, *u) - y).abs() <= 0.004));
                    }
                }
            }
        }
        assert!(passed * 10 >= tried * 9, "{passed} of {tried}");
    }

    #[test]
    fn what_leads_back_has_no_curve() {
        assert_eq!(fit_timing(&[(0.25, 0.6), (0.5, 0.3), (0.75, 0.9)], 0.01), None);
        assert_eq!(fit_timing(&[(0.5, 1.2)], 0.01), None);
    }

    #[test]
    fn straight_samples_are_linear() {
        assert_eq!(fit_timing(&[(0.25, 0.251), (0.75, 0.749)], 0.002), Some(BezierTiming::LINEAR));
    }
}
