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
/// let found = fit_timing(&samples, 0.002).unwrap();
/// assert!(samples.iter().all(|(u, y)| (bezier_timing(&found, *u) - y).abs() <= 0.002));
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
    let found = search(samples, start(samples), bound, Held::None);
    as_bytes(found, samples, bound)
}

/// Share of the squares before a step that is left after it, from which a search beside the best curve ends.
const FOUND: f64 = 0.9;

/// A search for the curve that passes samples within a bound.
pub(super) type Fit = fn(&[(f64, f64)], f64) -> Option<BezierTiming>;

/// Bytes on each side of the nearest handle at which [`fit_timing_closely`] looks.
const FARTHEST_BYTE: i16 = 14;

/// A curve that misses samples by more than so many times what is allowed, though its handles are not whole bytes, is of no use there.
const NEAR: f64 = 4.0;

/// Beyond so much of the way besides, samples are of another shape than any curve's.
const CLUELESS: f64 = 0.01;

/// As [`fit_timing`], but looks longer.
///
/// Along a narrow valley all four handles move together and next to nothing is gained or lost, while whole bytes are on it in few places
/// only. So the first handle is set to each byte in turn, and the others follow.
pub(super) fn fit_timing_closely(samples: &[(f64, f64)], bound: f64) -> Option<BezierTiming> {
    if let found @ Some(_) = fit_timing(samples, bound) {
        return found;
    }
    let nearest = search(samples, start(samples), bound, Held::None);
    if system(samples, nearest, Held::None).3 > NEAR * bound + CLUELESS {
        return None;
    }
    let byte = (nearest[0] * 127.0).round() as i16;
    let mut sides = [(1, nearest), (-1, nearest)];
    for away in 0..=FARTHEST_BYTE {
        for (sign, last) in &mut sides {
            let [_, y1, x2, y2] = *last;
            let x1 = f64::from((byte + *sign * away).clamp(0, 127)) / 127.0;
            *last = search(samples, [x1, y1, x2, y2], bound, Held::First);
            let is_near = system(samples, *last, Held::First).3 <= NEAR * bound;
            if let Some(found) = is_near.then(|| as_bytes(*last, samples, bound)).flatten() {
                return Some(found);
            }
        }
    }
    None
}

/// Parts that a search leaves as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    None,
    /// The time of the first handle.
    First,
}

/// A timing curve as the law of a segment.
pub(super) fn law_of(found: BezierTiming) -> Timing {
    if found.is_linear() {
        return Timing::Linear;
    }
    let [x1, y1, x2, y2] = [found.x1, found.y1, found.x2, found.y2].map(narrow);
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

fn search(samples: &[(f64, f64)], start: [f64; 4], bound: f64, held: Held) -> [f64; 4] {
    let (mut best, mut damping) = (start, 1e-3);
    let (mut normal, mut gradient, mut cost, mut worst) = system(samples, best, held);
    for _ in 0..MAX_STEPS {
        if worst <= 0.3 * bound {
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
            (normal, gradient, cost, worst) = tried;
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
    let (mut normal, mut gradient, mut cost, mut worst) = (DMat4::ZERO, DVec4::ZERO, 0.0, 0.0f64);
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
        worst = worst.max(miss.abs());
    }
    (normal, gradient, cost, worst)
}

/// Times at which a timing curve is compared with one of whole bytes.
const PLACES: u32 = 24;

/// The curve that the bytes of MikuMikuDance can express and that is nearest to a curve; control points of that may lie
/// outside the unit square.
#[must_use]
pub fn nearest_timing(exact: &BezierTiming) -> BezierTiming {
    if exact.is_linear() {
        return BezierTiming::LINEAR;
    }
    let BezierTiming { x1, y1, x2, y2 } = *exact;
    // By its parameter, because it may leave the square.
    let at = |a: f64, b: f64, s: f64| 3.0 * (1.0 - s) * s * ((1.0 - s) * a + s * b) + s * s * s;
    let places = (1..PLACES).map(|n| f64::from(n) / f64::from(PLACES));
    let samples: Vec<_> =
        places.map(|s| (at(x1, x2, s).clamp(0.0, 1.0), at(y1, y2, s).clamp(0.0, 1.0))).collect();
    let is_inside = [x1, y1, x2, y2].iter().all(|part| (0.0..=1.0).contains(part));
    let start = [x1, y1, x2, y2].map(|part| part.clamp(0.0, 1.0));
    let found = if is_inside { start } else { search(&samples, start, 0.0, Held::None) };
    let near = descend(found, &samples, 0.0, 127).1;
    let [x1, y1, x2, y2] = found;
    let rounded = BezierTiming { x1, y1, x2, y2 }.to_bytes();
    BezierTiming::from_bytes(best_around(rounded, REACH, &samples, near).unwrap_or(rounded))
}

/// Steps of the grid by which the best numbers of a handle are looked for beside the rounded ones.
const REACH: u8 = 6;

/// The bytes of which none is further than `reach` from those of `centre` and whose curve misses the samples least; `None` if all miss
/// by more than `bound`.
///
/// For a pair of times of both handles the parameters of the samples are found once. Then a curve is a sum of both progresses, and
/// each of one of them leaves an interval for the other. Most pairs are given up after a few samples that leave none.
fn best_around(centre: [u8; 4], reach: u8, samples: &[(f64, f64)], bound: f64) -> Option<[u8; 4]> {
    let around = |byte: u8| byte.saturating_sub(reach)..=byte.saturating_add(reach).min(127);
    // Bounds are met as they are: rounding must not leave out what is as near.
    let (mut best, mut least) = (None, bound * (1.0 + 1e-12) + 1e-15);
    let (probes, others): (Vec<_>, Vec<_>) =
        samples.iter().enumerate().partition(|(place, _)| place % PROBES == PROBES / 2);
    let mut rows: Vec<[f64; 3]> = Vec::with_capacity(samples.len());
    for x1 in around(centre[0]) {
        for x2 in around(centre[2]) {
            let ease = EasedWay::new(&BezierTiming::from_bytes([x1, 0, x2, 0]));
            let row = |s: &mut f64, (u, y): &(f64, f64)| {
                *s = ease.parameter_near(*u, *s);
                let (s, r) = (*s, 1.0 - *s);
                [3.0 * r * r * s / FULL, 3.0 * r * s * s / FULL, s * s * s - y]
            };
            rows.clear();
            let mut s = 0.0;
            rows.extend(probes.iter().map(|(_, sample)| row(&mut s, sample)));
            if !around(centre[1]).any(|y1| interval(&rows, f64::from(y1), least).is_some()) {
                continue;
            }
            let mut s = 0.0;
            rows.extend(others.iter().map(|(_, sample)| row(&mut s, sample)));
            for y1 in around(centre[1]) {
                let Some((low, high)) = interval(&rows, f64::from(y1), least) else { continue };
                for y2 in around(centre[3]).filter(|y2| (low..=high).contains(&f64::from(*y2))) {
                    let [a, b] = [y1, y2].map(f64::from);
                    let miss =
                        rows.iter().map(|[p, q, rest]| (p * a + q * b + rest).abs()).fold(0.0, f64::max);
                    if miss < least {
                        (best, least) = (Some([x1, y1, x2, y2]), miss);
                    }
                }
            }
        }
    }
    best
}

/// One of so many samples is tried before the others.
const PROBES: usize = 5;

/// Full scale of a byte of a handle.
const FULL: f64 = 127.0;

/// Range of the progress of the second handle, in bytes, in which no sample is missed by more than `least`; `None` if nowhere.
fn interval(rows: &[[f64; 3]], y1: f64, least: f64) -> Option<(f64, f64)> {
    rows.iter().try_fold((0.0f64, FULL), |(low, high), [p, q, rest]| {
        let base = p * y1 + rest;
        let (low, high) = (low.max((-least - base) / q - 1e-9), high.min((least - base) / q + 1e-9));
        (low <= high).then_some((low, high))
    })
}

/// The nearest curve of whole bytes that keeps to the bound, looked for around the exact one.
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

/// The largest miss, if it is below a bound. Most curves that are tried miss the first samples by more.
fn miss_below(timing: &BezierTiming, samples: &[(f64, f64)], bound: f64) -> Option<f64> {
    samples.iter().try_fold(0.0f64, |largest, (u, y)| {
        let largest = largest.max((bezier_timing(timing, *u) - y).abs());
        (largest < bound).then_some(largest)
    })
}

/// The bytes nearest to a curve, moved one by one as long as that brings them nearer to the samples and they miss a bound.
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
            for by in [-1i16, 1] {
                let mut tried = best;
                let Some(byte) = u8::try_from(i16::from(tried[number]) + by).ok().filter(|b| *b <= 127)
                else {
                    continue;
                };
                tried[number] = byte;
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
        let mut found = 0;
        let mut tried = 0;
        for x1 in [0, 20, 64, 107] {
            for y1 in [0, 20, 107, 127] {
                for (x2, y2) in [(64, 127), (107, 107), (20, 100), (90, 0)] {
                    let exact = samples(&BezierTiming::from_bytes([x1, y1, x2, y2]), 20);
                    tried += 1;
                    if let Some(timing) = fit_timing(&exact, 0.004) {
                        found += 1;
                        assert!(exact.iter().all(|(u, y)| (bezier_timing(&timing, *u) - y).abs() <= 0.004));
                    }
                }
            }
        }
        assert!(found * 10 >= tried * 9, "{found} of {tried}");
    }

    /// Both halves of a curve, and the samples that their whole numbers are judged by.
    fn halves(bytes: [u8; 4], at: f64) -> Vec<(BezierTiming, Vec<(f64, f64)>)> {
        let halves = dopesheet_curve::split_bezier_timing(&BezierTiming::from_bytes(bytes), at);
        let places = || (1..PLACES).map(|n| f64::from(n) / f64::from(PLACES));
        let point = |a: f64, b: f64, s: f64| 3.0 * (1.0 - s) * s * ((1.0 - s) * a + s * b) + s * s * s;
        let inside = halves.into_iter().filter(|half| {
            [half.x1, half.y1, half.x2, half.y2].iter().all(|part| (0.0..=1.0).contains(part))
        });
        inside
            .map(|half| {
                let at = |s| (point(half.x1, half.x2, s), point(half.y1, half.y2, s));
                (half, places().map(at).collect())
            })
            .collect()
    }

    /// The largest miss of the nearest bytes, and the least of all bytes within a reach of the rounded ones, each tried.
    fn misses(half: &BezierTiming, samples: &[(f64, f64)], reach: u8) -> [f64; 2] {
        let found = largest_miss(&nearest_timing(half), samples);
        let around = |byte: u8| byte.saturating_sub(reach)..=byte.saturating_add(reach).min(127);
        let [x1, y1, x2, y2] = half.to_bytes().map(around);
        let mut least = f64::INFINITY;
        for (x1, x2) in x1.flat_map(|x1| x2.clone().map(move |x2| (x1, x2))) {
            for (y1, y2) in y1.clone().flat_map(|y1| y2.clone().map(move |y2| (y1, y2))) {
                let tried = BezierTiming::from_bytes([x1, y1, x2, y2]);
                least = miss_below(&tried, samples, least).unwrap_or(least);
            }
        }
        [found, least]
    }

    #[test]
    fn no_whole_numbers_within_six_of_the_rounded_ones_are_nearer_to_half_a_curve() {
        let mut tried = 0;
        for (bytes, at) in [
            ([64, 0, 64, 127], 0.5),
            ([20, 10, 70, 120], 0.3),
            ([107, 20, 20, 107], 0.55),
            ([0, 64, 127, 64], 0.4),
            ([38, 111, 81, 121], 0.71),
            ([90, 5, 127, 60], 0.86),
        ] {
            for (half, samples) in halves(bytes, at) {
                let [found, least] = misses(&half, &samples, REACH);
                assert!(found <= least + 1e-9, "{bytes:?} at {at}: {found} and {least}");
                tried += 1;
            }
        }
        assert!(tried >= 10, "{tried}");
    }

    /// Tries 268 million curves for each of three where many random cases are asked for.
    #[test]
    fn no_whole_numbers_at_all_are_nearer_to_half_a_curve() {
        if dopesheet_testkit::cases(1) == 1 {
            return;
        }
        for (bytes, at) in DEEP {
            let (half, samples) = halves(bytes, at).swap_remove(0);
            let [found, least] = misses(&half, &samples, 127);
            assert!(found <= least + 1e-9, "{bytes:?} at {at}: {found} and {least}");
        }
    }

    const DEEP: [([u8; 4], f64); 3] =
        [([64, 0, 64, 127], 0.5), ([20, 10, 70, 120], 0.3), ([107, 20, 20, 107], 0.55)];

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
