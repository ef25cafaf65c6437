//! Components with separate keys → a curve of components with common key times, the form of curves in the
//! file.

use super::lanes::{WeightedLane, narrow};
use crate::animation::curves::weighted_mode;
use crate::animation::document::{AnimationCurve, Keyframe, THIRD};
use dopesheet_core::model::{Blend, Weighted, WeightedKey};
use dopesheet_core::order::by_number;
use dopesheet_curve::{WeightedEnd, hermite, lerp, split_weighted_bezier};

/// True if components can be put into one curve without a change of their playback: repeating components must
/// all repeat alike and have the same keys.
pub(super) fn can_share(lanes: &[WeightedLane]) -> bool {
    let same_times = |pair: &[WeightedLane]| pair[0].times().eq(pair[1].times());
    let same_ends = |pair: &[WeightedLane]| {
        (pair[0].pre_infinity, pair[0].post_infinity) == (pair[1].pre_infinity, pair[1].post_infinity)
    };
    let repeats = lanes.iter().any(WeightedLane::repeats);
    !repeats || lanes.windows(2).all(|pair| same_times(pair) && same_ends(pair))
}

/// A curve of `N` components.
pub(super) struct Merged<const N: usize> {
    pub(super) curve: AnimationCurve<N>,
    /// Number of keys inserted into single components.
    pub(super) inserted: usize,
    /// Number of each key in the clip it comes from.
    pub(super) sources: Vec<Option<u32>>,
}

/// The curve of `N` components; keys inserted into a component divide its segments without changing its
/// values.
pub(super) fn merged<const N: usize>(lanes: &[WeightedLane]) -> Merged<N> {
    let mut lanes: Vec<WeightedLane> = lanes.to_vec();
    lanes.resize(N, WeightedLane::default());
    let mut inserted = 0;
    if lanes.windows(2).any(|pair| !pair[0].times().eq(pair[1].times())) {
        let mut union: Vec<f32> = lanes.iter().flat_map(|lane| lane.times().collect::<Vec<_>>()).collect();
        by_number(&mut union, |time| (*time).into());
        union.dedup();
        for lane in &mut lanes {
            inserted += with_times(lane, &union);
        }
    }
    let count = lanes.iter().map(|lane| lane.keys.len()).min().unwrap_or(0);
    let keys = (0..count).map(|key| key_of(&lanes, key)).collect();
    let source = |key: usize| lanes.iter().find_map(|lane| lane.sources.get(key).copied().flatten());
    let sources = (0..count).map(source).collect();
    let first = lanes.first();
    let curve = AnimationCurve {
        keys,
        pre_infinity: first.map_or(2, |lane| lane.pre_infinity),
        post_infinity: first.map_or(2, |lane| lane.post_infinity),
        ..AnimationCurve::default()
    };
    Merged { curve, inserted, sources }
}

/// A key of all components. They have a common mode: a weight effective in any component is effective in all,
/// with a third for the components without a weight.
fn key_of<const N: usize>(lanes: &[WeightedLane], key: usize) -> Keyframe<N> {
    let keys: [WeightedKey; N] = std::array::from_fn(|n| {
        lanes.get(n).and_then(|lane| lane.keys.get(key)).copied().unwrap_or_default()
    });
    let any = Weighted {
        arriving: keys.iter().any(|key| key.weighted.arriving),
        leaving: keys.iter().any(|key| key.weighted.leaving),
    };
    let weight = |any: bool, has_weight: bool, weight: f32| if any && !has_weight { THIRD } else { weight };
    Keyframe {
        time: keys.first().map_or(0.0, |key| key.time),
        value: keys.map(|key| key.value),
        in_slope: keys.map(|key| key.in_slope),
        out_slope: keys.map(|key| key.out_slope),
        tangent_mode: 0,
        weighted_mode: weighted_mode(any),
        in_weight: keys.map(|key| weight(any.arriving, key.weighted.arriving, key.in_weight)),
        out_weight: keys.map(|key| weight(any.leaving, key.weighted.leaving, key.out_weight)),
    }
}

/// Gives a component keys at all times of an ascending list, which contains its present key times; yields the
/// number of inserted keys.
fn with_times(component: &mut WeightedLane, times: &[f32]) -> usize {
    let mut out: Vec<WeightedKey> = Vec::with_capacity(times.len());
    let mut own_sources = std::mem::take(&mut component.sources).into_iter();
    let mut sources: Vec<Option<u32>> = Vec::with_capacity(times.len());
    let mut rest = std::mem::take(&mut component.keys).into_iter();
    let mut next = rest.next();
    let mut inserted = 0;
    for time in times {
        if let Some(mut merged_key) = next.filter(|key| key.time <= *time) {
            let mut source = own_sources.next().flatten();
            next = rest.next();
            // Of further keys at one time the last one counts from there on.
            while let Some(again) = next.filter(|key| key.time <= *time) {
                source = own_sources.next().flatten();
                let arriving = Weighted { arriving: merged_key.weighted.arriving, ..again.weighted };
                merged_key = WeightedKey {
                    in_slope: merged_key.in_slope,
                    in_weight: merged_key.in_weight,
                    weighted: arriving,
                    ..again
                };
                next = rest.next();
            }
            out.push(merged_key);
            sources.push(source);
            continue;
        }
        let middle = match (out.last_mut(), next.as_mut()) {
            (Some(from), Some(to)) => divide(from, to, *time),
            (Some(last), None) => {
                (last.out_slope, last.weighted.leaving) = (0.0, false);
                WeightedKey::flat(*time, last.value)
            }
            (None, Some(first)) => {
                (first.in_slope, first.weighted.arriving) = (0.0, false);
                WeightedKey::flat(*time, first.value)
            }
            (None, None) => WeightedKey::flat(*time, 0.0),
        };
        out.push(middle);
        sources.push(None);
        inserted += 1;
    }
    (component.keys, component.sources) = (out, sources);
    inserted
}

/// The key that divides a segment; both halves together play like the whole.
fn divide(from: &mut WeightedKey, to: &mut WeightedKey, time: f32) -> WeightedKey {
    let [start, end, time_s] = [from.time, to.time, time].map(f64::from);
    let (length, [a, b]) = (end - start, [from.value, to.value].map(f64::from));
    let u = (time_s - start) / length;
    let smooth = |slope: f64, value: f64| {
        let slope = narrow(slope);
        WeightedKey { in_slope: slope, out_slope: slope, ..WeightedKey::flat(time, narrow(value)) }
    };
    let [leaving, arriving] = [from.out_slope, to.in_slope].map(|slope| f64::from(slope) * length);
    let weights = from.weights_to(to);
    match from.law_to(to).blend {
        Blend::Step => {
            let step = f32::INFINITY;
            WeightedKey { in_slope: step, out_slope: step, ..WeightedKey::flat(time, from.value) }
        }
        Blend::Hermite => {
            // The derivative of the cubic by time.
            let v = 1.0 - u;
            let slope =
                6.0 * u * v * (b - a) + v * (1.0 - 3.0 * u) * leaving + u * (3.0 * u - 2.0) * arriving;
            smooth(slope / length, hermite(a, leaving, b, arriving, u))
        }
        Blend::WeightedBezier => {
            let [p, q] = weights.map_or([WeightedEnd::UNUSED_WEIGHT; 2], |weights| weights.map(wide));
            let whole = [
                WeightedEnd { value: a, slope: leaving, weight: p },
                WeightedEnd { value: b, slope: arriving, weight: q },
            ];
            let [[first, left], [right, last]] = split_weighted_bezier(whole[0], whole[1], u);
            let (early, late) = (length * u, length * (1.0 - u));
            (from.out_slope, from.out_weight) = (narrow(first.slope / early), narrow(first.weight));
            (to.in_slope, to.in_weight) = (narrow(last.slope / late), narrow(last.weight));
            (from.weighted.leaving, to.weighted.arriving) = (true, true);
            WeightedKey {
                in_slope: narrow(left.slope / early),
                out_slope: narrow(right.slope / late),
                weighted: Weighted { arriving: true, leaving: true },
                in_weight: narrow(left.weight),
                out_weight: narrow(right.weight),
                ..WeightedKey::flat(time, narrow(left.value))
            }
        }
        _ => {
            let chord = (b - a) / length;
            (from.out_slope, to.in_slope) = (narrow(chord), narrow(chord));
            (from.weighted.leaving, to.weighted.arriving) = (false, false);
            smooth(chord, lerp(a, b, u))
        }
    }
}

/// A weight with all its digits: the nearest f32 to one third means one third.
fn wide(weight: f32) -> f64 {
    if weight == THIRD { WeightedEnd::UNUSED_WEIGHT } else { f64::from(weight) }
}
