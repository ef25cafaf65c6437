//! The handles in whole bytes, as MikuMikuDance has them, whose timing curve is nearest to one with any handles.

use super::timing::{Held, search};
use dopesheet_core::order::by_number;
use dopesheet_curve::{BezierTiming, EasedWay};
use std::cell::RefCell;
use std::ops::RangeInclusive;

/// Number of answers that each thread remembers.
const REMEMBERED: usize = 512;

/// Answers by a place that follows from the handles: tracks that are cut in one frame mostly have few different handles, and so have the
/// motions of one author.
type Answers = Vec<Option<([u64; 4], [u8; 4])>>;

thread_local! {
    static ANSWERS: RefCell<Answers> = RefCell::new(vec![None; REMEMBERED]);
}

/// The curve of whole bytes that is nearest to a curve, of those within [`REACH`] of the rounded one; control points of that may lie
/// outside the unit square.
pub(super) fn nearest_timing(exact: &BezierTiming) -> BezierTiming {
    if exact.is_linear() {
        return BezierTiming::LINEAR;
    }
    let handles = [exact.x1, exact.y1, exact.x2, exact.y2].map(f64::to_bits);
    let mixed = handles
        .iter()
        .fold(0u64, |all, part| (all ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29));
    let place = mixed as usize % REMEMBERED;
    ANSWERS.with_borrow_mut(|answers| match answers.get_mut(place) {
        Some(Some((known, bytes))) if *known == handles => BezierTiming::from_bytes(*bytes),
        slot => {
            let bytes = nearest_bytes(exact);
            if let Some(slot) = slot {
                *slot = Some((handles, bytes));
            }
            BezierTiming::from_bytes(bytes)
        }
    })
}

/// Times at which a timing curve is compared with one of whole bytes.
const PLACES: u32 = 24;

/// Steps of the grid by which the best numbers of a handle are looked for beside the rounded ones.
const REACH: u8 = 6;

/// Upper bound of the times that a search goes on around what it found.
const MOVES: usize = 8;

/// Full scale of a byte of a handle.
const FULL: f64 = 127.0;

/// Bounds leave room for so much rounding, so that no curve is left out that is as near.
const ROUNDING: f64 = 1e-12;

/// A place on a curve.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Parameter there.
    parameter: f64,
    /// Share of the time that has passed.
    time: f64,
    /// Share of the way that is covered.
    way: f64,
}

/// Places of a curve, by its parameter, because it may leave the square; each of them far from the one before, so that curves which
/// are not near are given up early.
fn places([x1, y1, x2, y2]: [f64; 4]) -> Vec<Place> {
    const FIRST: u32 = 5;
    const STEP: u32 = 7;
    const COUNT: u32 = PLACES - 1;
    let at = |a: f64, b: f64, s: f64| 3.0 * (1.0 - s) * s * ((1.0 - s) * a + s * b) + s * s * s;
    let place = |n: u32| {
        let parameter = f64::from(n.saturating_add(1)) / f64::from(PLACES);
        let [time, way] = [at(x1, x2, parameter), at(y1, y2, parameter)].map(|share| share.clamp(0.0, 1.0));
        Place { parameter, time, way }
    };
    (0..COUNT).map(|n| place(n.saturating_mul(STEP).saturating_add(FIRST) % COUNT)).collect()
}

fn nearest_bytes(exact: &BezierTiming) -> [u8; 4] {
    let handles = [exact.x1, exact.y1, exact.x2, exact.y2];
    let places = places(handles);
    let is_inside = handles.iter().all(|part| (0.0..=1.0).contains(part));
    let mut centre = handles.map(|part| part.clamp(0.0, 1.0));
    if !is_inside {
        let mut samples: Vec<(f64, f64)> = places.iter().map(|place| (place.time, place.way)).collect();
        by_number(&mut samples, |sample| sample.0);
        centre = search(&samples, centre, 0.0, Held::None);
    }
    let [x1, y1, x2, y2] = centre;
    let rounded = BezierTiming { x1, y1, x2, y2 }.to_bytes();
    let mut best = best_around(rounded, REACH, &places);
    // What was limited to the square to be rounded is only somewhere near.
    for _ in 0..if is_inside { 0 } else { MOVES } {
        best = match best_around(best, REACH, &places) {
            same if same == best => break,
            better => better,
        };
    }
    best
}

/// The bytes of which none is further than `reach` from those of `centre` and whose curve misses the places least; of equally near ones
/// the least.
///
/// For a pair of times of both handles the parameters of the places are found once. Then a curve is a sum of both progresses: two places
/// leave few progresses of the first handle, and all known places an interval of the second one for each of them. Times are tried from
/// the centre on, so that the least miss is soon small and most pairs of times leave nothing.
fn best_around(centre: [u8; 4], reach: u8, places: &[Place]) -> [u8; 4] {
    let (mut best, mut least) = (centre, f64::INFINITY);
    let mut rows = Vec::with_capacity(places.len());
    for x1 in outwards(centre[0], reach) {
        for x2 in outwards(centre[2], reach) {
            let pair = Pair { way: EasedWay::new(&BezierTiming::from_bytes([x1, 0, x2, 0])), places };
            rows.clear();
            pair.extend(&mut rows, 2);
            for y1 in whole(first_progress(&rows, least + ROUNDING), centre[1], reach) {
                for y2 in whole(second_progress(&rows, y1, least + ROUNDING), centre[3], reach) {
                    let Some(miss) = pair.miss([y1, y2], least, &mut rows) else { continue };
                    let tried = [x1, y1, x2, y2];
                    if miss < least || tried < best {
                        (best, least) = (tried, miss);
                    }
                }
            }
        }
    }
    best
}

/// Bytes within a reach, the nearest first.
fn outwards(centre: u8, reach: u8) -> impl Iterator<Item = u8> {
    let beside = (1..=reach).flat_map(move |by| [centre.checked_sub(by), centre.checked_add(by)]);
    [Some(centre)].into_iter().chain(beside).flatten().filter(|byte| *byte <= 127)
}

/// Bytes within a reach and an interval.
fn whole((low, high): (f64, f64), centre: u8, reach: u8) -> RangeInclusive<u8> {
    let low = low.max(f64::from(centre.saturating_sub(reach))).ceil();
    let high = high.min(f64::from(centre.saturating_add(reach).min(127))).floor();
    if low <= high { low as u8..=high as u8 } else { RangeInclusive::new(1, 0) }
}

/// Curves whose handles have the same times.
struct Pair<'a> {
    way: EasedWay,
    places: &'a [Place],
}

/// Parts of both progresses, in bytes, in the way at the time of a place, and the rest of its difference from the place.
type Row = [f64; 3];

impl Pair<'_> {
    /// Makes so many rows known.
    fn extend(&self, rows: &mut Vec<Row>, count: usize) {
        for place in self.places.iter().take(count).skip(rows.len()) {
            let s = self.way.parameter_near(place.time, place.parameter);
            let r = 1.0 - s;
            rows.push([3.0 * r * r * s / FULL, 3.0 * r * s * s / FULL, s * s * s - place.way]);
        }
    }

    /// The largest miss of one of the curves, unless it is above `least`.
    fn miss(&self, [y1, y2]: [u8; 2], least: f64, rows: &mut Vec<Row>) -> Option<f64> {
        let mut miss = 0.0f64;
        for (place, count) in (0..self.places.len()).zip(1..) {
            self.extend(rows, count);
            let [p, q, rest] = rows.get(place)?;
            miss = miss.max((p * f64::from(y1) + q * f64::from(y2) + rest).abs());
            if miss > least {
                return None;
            }
        }
        Some(miss)
    }
}

/// Interval of the progress of the first handle in which some progress of the second one misses neither of the first two places by more
/// than `least`.
fn first_progress(rows: &[Row], least: f64) -> (f64, f64) {
    let &[[p, q, rest], [p_too, q_too, rest_too], ..] = rows else { return (0.0, FULL) };
    let apart = p * q_too - p_too * q;
    let (middle, wide) = ((rest_too * q - rest * q_too) / apart, least * (q + q_too) / apart.abs());
    let ends = (middle - wide, middle + wide);
    // No numbers where both places are ends of the curve, and infinite ones at first.
    if ends.0 <= ends.1 { ends } else { (0.0, FULL) }
}

/// Interval of the progress of the second handle in which no known place is missed by more than `least`.
fn second_progress(rows: &[Row], y1: u8, least: f64) -> (f64, f64) {
    rows.iter().filter(|[_, q, _]| *q > 0.0).fold((0.0, FULL), |(low, high), [p, q, rest]| {
        let base = p * f64::from(y1) + rest;
        (low.max((-least - base) / q), high.min((least - base) / q))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::timing::{largest_miss, miss_below};

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
        misses_around(&nearest_timing(half), samples, half, reach)
    }

    /// The largest miss of a curve, and the least of all bytes within a reach of those of another one, each tried.
    fn misses_around(
        found: &BezierTiming,
        samples: &[(f64, f64)],
        centre: &BezierTiming,
        reach: u8,
    ) -> [f64; 2] {
        let found = largest_miss(found, samples);
        let around = |byte: u8| byte.saturating_sub(reach)..=byte.saturating_add(reach).min(127);
        let [x1, y1, x2, y2] = centre.to_bytes().map(around);
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
            // Once none was found to be as near as the one that the search began with, which is the best.
            ([61, 49, 50, 109], 4.0 / 12.0),
            ([64, 40, 81, 97], 3.0 / 17.0),
        ] {
            for (half, samples) in halves(bytes, at) {
                let [found, least] = misses(&half, &samples, REACH);
                assert!(found <= least + 1e-9, "{bytes:?} at {at}: {found} and {least}");
                tried += 1;
            }
        }
        assert!(tried >= 10, "{tried}");
    }

    #[test]
    fn halves_that_leave_the_square_get_the_best_within_six_of_what_they_get() {
        for (bytes, at) in
            [([61, 121, 49, 9], 5.0 / 7.0), ([66, 118, 103, 0], 10.0 / 29.0), ([82, 115, 108, 0], 0.375)]
        {
            let halves = dopesheet_curve::split_bezier_timing(&BezierTiming::from_bytes(bytes), at);
            let is_outside = |half: &&BezierTiming| {
                [half.x1, half.y1, half.x2, half.y2].iter().any(|part| !(0.0..=1.0).contains(part))
            };
            let half = halves.iter().find(is_outside).unwrap();
            let samples: Vec<_> = places([half.x1, half.y1, half.x2, half.y2])
                .iter()
                .map(|place| (place.time, place.way))
                .collect();
            let found = nearest_timing(half);
            let [miss, least] = misses_around(&found, &samples, &found, REACH);
            assert!(miss <= least + 1e-9, "{bytes:?} at {at}: {miss} and {least}");
        }
    }

    #[test]
    fn what_is_remembered_is_what_is_found() {
        let half = |n: u32| {
            let bytes = [n * 7 % 128, n * 31 % 128, n * 53 % 128, n * 97 % 128].map(|byte| byte as u8);
            let [before, after] = dopesheet_curve::split_bezier_timing(&BezierTiming::from_bytes(bytes), 0.4);
            if n.is_multiple_of(2) { before } else { after }
        };
        // More than are remembered, and each twice.
        let count = REMEMBERED as u32 * 3 / 2;
        for half in (0..2 * count).map(|n| half(n % count)).filter(|half| !half.is_linear()) {
            assert_eq!(nearest_timing(&half), BezierTiming::from_bytes(nearest_bytes(&half)), "{half:?}");
        }
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
}
