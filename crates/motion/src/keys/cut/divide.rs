//! An additional key in a curve, between two of its own: exact but for timing curves, which are rounded to
//! the bytes of MikuMikuDance.

use crate::difference::Worst;
use crate::keys::columns::inserted;
use crate::keys::timing::{Held, law_of, search};
use crate::sample::timing::{bezier, share};
use crate::sample::{Side, curve_at};
use crate::single::narrow;
use dopesheet_core::model::{Blend, Curve, Law, Laws, Timing, Weighted};
use dopesheet_core::order::by_number;
use dopesheet_core::units::Seconds;
use dopesheet_curve::{
    BezierTiming, EasedWay, WeightedEnd, lerp, split_bezier_timing, split_weighted_bezier,
};

/// The kept side of a curve at a new key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    Before,
    After,
}

/// Number of points along a timing curve for the comparison with curves of whole bytes.
const PLACES: u32 = 16;

/// Number of points for the reported difference.
const CLOSELY: u32 = 256;

/// Distances for moving the times of handles of whole bytes, one after the other.
const STEPS: [i16; 7] = [1, 6, 4, 3, 2, 1, 1];

/// Directions for moving the times of both handles.
const AROUND: [[i16; 2]; 8] = [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]];

/// Sufficiently small error of a curve: an eighth of a byte.
const ENOUGH: f64 = 1e-3;

/// Full scale of a byte of a handle.
const FULL: f64 = 127.0;

/// The curve with a key at a time strictly between two of its keys. The timing curve on the kept side has
/// whole bytes of MikuMikuDance near the exact half. Also returns the largest difference of the two along the
/// half's path, as a share of the path, and its time.
///
/// `None` where the law there has no halves of its own kind, or the time is no frame of the curve's grid.
pub(super) fn with_key(curve: &Curve, at: Seconds, kept: Kept) -> Option<(Curve, Worst)> {
    let key = curve.times.count_until(at).checked_sub(1)?;
    let (a, b) = (curve.times.get(key)?, curve.times.get(key.checked_add(1)?)?);
    let (u, law) = (share(a, b, at), curve.laws.get(key));
    let (laws, miss) = match (law.blend, law.timing) {
        (Blend::Step | Blend::Hermite | Blend::WeightedBezier, Timing::Linear) => {
            ([law; 2], Worst::default())
        }
        (Blend::Lerp | Blend::Slerp, timing) => {
            let (timings, miss) = timings(timing, u, kept)?;
            let (start, end) = if kept == Kept::Before { (a, at) } else { (at, b) };
            let time = Seconds(lerp(start.0, end.0, miss.time.0));
            (timings.map(|timing| Law { timing, ..law }), Worst { time, ..miss })
        }
        _ => return None,
    };
    let mut divided = with_row(curve, key, at, laws)?;
    if matches!(law.blend, Blend::Hermite | Blend::WeightedBezier) {
        for component in 0..curve.width {
            divide_cubic(curve, &mut divided, key, component, u)?;
        }
    }
    Some((divided, miss))
}

/// The halves of a timing, straight on the side not kept, and the error of the kept half; `None` if the
/// timing has no halves of its own kind.
fn timings(timing: Timing, u: f64, kept: Kept) -> Option<([Timing; 2], Worst)> {
    match timing {
        Timing::Linear => Some(([timing; 2], Worst::default())),
        Timing::Bezier { .. } => {
            let [before, after] = split_bezier_timing(&bezier(timing)?, u);
            let (nearest, miss) = in_bytes(if kept == Kept::Before { &before } else { &after });
            let nearest = law_of(nearest);
            let timings = match kept {
                Kept::Before => [nearest, Timing::Linear],
                Kept::After => [Timing::Linear, nearest],
            };
            Some((timings, miss))
        }
        // Its halves start or end at full speed.
        Timing::Ease { .. } => None,
    }
}

/// The curve of whole bytes nearest to a given curve, found by moving its handles, and the largest difference
/// with its share of the time. Handles of the given curve may lie outside the unit square.
fn in_bytes(exact: &BezierTiming) -> (BezierTiming, Worst) {
    if exact.is_linear() {
        return (BezierTiming::LINEAR, Worst::default());
    }
    let BezierTiming { x1, y1, x2, y2 } = *exact;
    let rough = places(exact, PLACES);
    let mut handles = [x1, y1, x2, y2];
    if !handles.iter().all(|part| (0.0..=1.0).contains(part)) {
        let mut samples: Vec<(f64, f64)> =
            rough.iter().map(|[_, time, way]| (time.clamp(0.0, 1.0), way.clamp(0.0, 1.0))).collect();
        by_number(&mut samples, |sample| sample.0);
        handles = search(&samples, handles.map(|part| part.clamp(0.0, 1.0)), 0.0, Held::None);
    }
    let [x1, y1, x2, y2] = handles;
    let best = BezierTiming { x1, y1, x2, y2 }.to_bytes();
    let mut nearest = (best, Worst { value: f64::INFINITY, ..Worst::default() });
    note_heights(&rough, [best[0], best[2]], &mut nearest);
    for step in STEPS {
        if nearest.1.value < ENOUGH {
            break;
        }
        let ([x1, _, x2, _], _) = nearest;
        for [first, second] in AROUND {
            let moved = |byte: u8, by: i16| {
                i16::from(byte).saturating_add(by.saturating_mul(step)).clamp(0, 127) as u8
            };
            note_heights(&rough, [moved(x1, first), moved(x2, second)], &mut nearest);
        }
    }
    let timing = BezierTiming::from_bytes(nearest.0);
    let (way, mut miss) = (EasedWay::new(&timing), Worst::default());
    for [s, time, covered] in places(exact, CLOSELY) {
        miss.note((way.progress(way.parameter_near(time, s)) - covered).abs(), Seconds(time));
    }
    (timing, miss)
}

/// Places along a curve: its parameter, and the shares of the time and of the way there.
fn places(exact: &BezierTiming, count: u32) -> Vec<[f64; 3]> {
    let along = |a: f64, b: f64, s: f64| 3.0 * (1.0 - s) * s * ((1.0 - s) * a + s * b) + s * s * s;
    let row = |n: u32| {
        let s = f64::from(n) / f64::from(count);
        [s, along(exact.x1, exact.x2, s), along(exact.y1, exact.y2, s)]
    };
    (1..count).map(row).collect()
}

/// Takes note of a curve whose handles have the times `x1` and `x2` if its error at the points is below the
/// least so far.
fn note_heights(places: &[[f64; 3]], [x1, x2]: [u8; 2], nearest: &mut ([u8; 4], Worst)) {
    let eased = EasedWay::new(&BezierTiming::from_bytes([x1, 0, x2, 0]));
    // The part of the way that is left at each place for both heights, which count so much for each byte.
    let rows = places.iter().map(|[s, time, covered]| {
        let s = eased.parameter_near(*time, *s);
        let r = 1.0 - s;
        [3.0 * r * r * s / FULL, 3.0 * r * s * s / FULL, s * s * s - covered, *time]
    });
    let rows: Vec<[f64; 4]> = rows.collect();
    let [y1, y2] = heights(&rows).map(|byte| byte.saturating_sub(1)..=byte.saturating_add(1).min(127));
    for (y1, y2) in y1.flat_map(|y1| y2.clone().map(move |y2| (y1, y2))) {
        let mut miss = Worst::default();
        for [first, second, rest, time] in &rows {
            miss.note((first * f64::from(y1) + second * f64::from(y2) + rest).abs(), Seconds(*time));
            if miss.value >= nearest.1.value {
                break;
            }
        }
        if miss.value < nearest.1.value {
            *nearest = ([x1, y1, x2, y2], miss);
        }
    }
}

/// The bytes of both heights with the least sum of squared errors.
fn heights(rows: &[[f64; 4]]) -> [u8; 2] {
    let [a, b, c, d, e] = rows.iter().fold([0.0; 5], |[a, b, c, d, e], [p, q, rest, _]| {
        [a + p * p, b + p * q, c + q * q, d + p * rest, e + q * rest]
    });
    let whole = (a * c - b * b).max(f64::MIN_POSITIVE);
    [(b * e - c * d) / whole, (b * d - a * e) / whole].map(|height| height.round().clamp(0.0, FULL) as u8)
}

/// The curve with its own value as an additional key behind a key, joined to both neighbours by `laws`, still
/// without slopes.
fn with_row(curve: &Curve, key: usize, at: Seconds, laws: [Law; 2]) -> Option<Curve> {
    let mut value = Vec::with_capacity(curve.width);
    curve_at(curve, at, Side::At, &mut value);
    let mut value: Vec<f32> = value.into_iter().map(narrow).collect();
    if laws[0].blend == Blend::Slerp && dot(&value, curve.value(key)?) < 0.0 {
        value.iter_mut().for_each(|x| *x = -*x);
    }
    let before = (0..key).map(|segment| curve.laws.get(segment));
    let next = key.saturating_add(1);
    let after = (next..curve.len().saturating_sub(1)).map(|segment| curve.laws.get(segment));
    let laws = Laws::from_segments(before.chain(laws).chain(after));
    inserted(curve, next, at, &value, laws)
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
}

/// Gives one component of the row behind `key` the slopes and weights that divide the cubic at this row.
fn divide_cubic(curve: &Curve, divided: &mut Curve, key: usize, component: usize, u: f64) -> Option<()> {
    let next = key.checked_add(1)?;
    let length = curve.times.get(next)?.0 - curve.times.get(key)?.0;
    let is_weighted = curve.laws.get(key).blend == Blend::WeightedBezier;
    let weights = if is_weighted { curve.segment_weights(key, component) } else { [1.0 / 3.0; 2] };
    let handles = curve.handles.as_deref()?;
    let [from, to] = [key, next].map(|key| key.saturating_mul(curve.width).saturating_add(component));
    let end = |at: usize, slopes: &[f32], weight: f64| {
        let (value, slope) = (f64::from(*curve.values.get(at)?), f64::from(*slopes.get(at)?) * length);
        Some(WeightedEnd { value, slope, weight })
    };
    let whole = [end(from, &handles.leaving, weights[0])?, end(to, &handles.arriving, weights[1])?];
    let slopes = divided.handles.as_deref_mut()?;
    if whole.iter().any(|end| end.slope.is_infinite()) {
        // The whole segment holds its first value.
        *slopes.arriving.get_mut(to)? = f32::INFINITY;
        *slopes.leaving.get_mut(to)? = f32::INFINITY;
        return Some(());
    }
    let [[first, left], [right, last]] = split_weighted_bezier(whole[0], whole[1], u);
    let (early, late) = (length * u, length * (1.0 - u));
    *slopes.arriving.get_mut(to)? = narrow(left.slope / early);
    *slopes.leaving.get_mut(to)? = narrow(right.slope / late);
    if !is_weighted {
        return Some(());
    }
    let behind = to.saturating_add(curve.width);
    *slopes.leaving.get_mut(from)? = narrow(first.slope / early);
    *slopes.arriving.get_mut(behind)? = narrow(last.slope / late);
    let reach = divided.weights.as_deref_mut()?;
    *reach.leaving.get_mut(from)? = narrow(first.weight);
    *reach.arriving.get_mut(to)? = narrow(left.weight);
    *reach.leaving.get_mut(to)? = narrow(right.weight);
    *reach.arriving.get_mut(behind)? = narrow(last.weight);
    let counts = divided.weighted.as_deref_mut().and_then(|all| all.get_mut(key..)?.first_chunk_mut());
    if let Some([before, own, after]) = counts {
        (before.leaving, after.arriving) = (true, true);
        *own = Weighted { arriving: true, leaving: true };
    }
    Some(())
}
