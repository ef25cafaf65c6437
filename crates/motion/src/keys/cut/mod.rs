//! Curves cut at the ends of a range, with their keys and laws inside.

mod divide;

use super::columns::inserted;
use super::plan::{Allowance, KeyPlan, largest};
use super::straight::linearise;
use super::times::SharedTimes;
use crate::difference::{Worst, difference};
use divide::{Kept, with_key};
use dopesheet_core::model::{Blend, Channel, Composition, Curve, Laws, Outside, Property, Times};
use dopesheet_core::units::{FrameRate, Seconds};
use std::ops::Range;

/// Rounding of a divided value, in single precision, as a share of the value: half a step for the value, and
/// as much for each slope beside it.
const ROUNDING: f64 = 4.0 * f32::EPSILON as f64;

/// A channel within a range, and its difference from the source there.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The channel, with its own keys within the range.
    pub channel: Channel,
    /// Largest difference from the source, at a divided segment, or anywhere if the channel was baked.
    pub largest: Worst,
    /// True if a curve has no halves of its own kind, so that the channel got straight segments.
    pub is_baked: bool,
}

/// A channel with its keys within the range of a plan and at most one additional key at each end of a curve;
/// `None` if nothing lies outside, or if a curve cannot be divided at the end of the range.
///
/// Keys before the start stay where a format has negative times.
pub(crate) fn cut(channel: &Channel, plan: &KeyPlan, negative_times: bool) -> Option<Cut> {
    let mut ends = plan.range;
    if plan.only_on_grid {
        ends.1 = plan.rate.seconds(plan.rate.frame(ends.1).floor());
    }
    let start = (!negative_times).then_some(ends.0);
    if only_holds(channel) {
        return None;
    }
    cut_to(channel, start, ends.1)
}

/// A channel with its keys from `start` (without a start, from its first key) to `end`, and at most one
/// additional key at each end of a curve, where a segment is divided; `None` if nothing lies outside, or if a
/// curve has no halves of its own kind there.
#[must_use]
pub fn cut_to(channel: &Channel, start: Option<Seconds>, end: Seconds) -> Option<Cut> {
    let mut curves = channel.composition.curves();
    if curves.all(|curve| is_inside(curve, start, end)) {
        return None;
    }
    let mut cut = channel.clone();
    let mut ends = [Worst::default(); 2];
    let scale = channel.native.as_ref().map_or(1.0, |native| native.scale.abs());
    for curve in cut.composition.curves_mut().into_iter().filter(|curve| !curve.is_empty()) {
        let misses;
        (*curve, misses) = within(curve, &channel.property, start, end)?;
        for (largest, miss) in ends.iter_mut().zip(misses) {
            largest.note(libm::hypot(largest.value, scale * miss.value), miss.time);
        }
    }
    let [mut largest, last] = ends;
    largest.note(last.value, last.time);
    Some(Cut { channel: cut, largest, is_baked: false })
}

/// As [`cut_to`], but a channel with an indivisible or repeating curve gets straight segments within an
/// allowance. `None` if nothing lies outside, or if the channel is a placement with such a curve.
#[must_use]
pub fn cut_or_baked(
    channel: &Channel,
    start: Option<Seconds>,
    end: Seconds,
    allowance: Allowance,
) -> Option<Cut> {
    if channel.composition.curves().all(|curve| is_inside(curve, start, end)) {
        return None;
    }
    cut_to(channel, start, end).or_else(|| baked(channel, start, end, allowance))
}

/// A channel with straight segments within an allowance, from `start` (without a start, from its first key)
/// to `end`; `None` for a placement.
#[must_use]
pub fn baked(channel: &Channel, start: Option<Seconds>, end: Seconds, allowance: Allowance) -> Option<Cut> {
    let firsts = channel.composition.curves().filter_map(first_time);
    let first = firsts.fold(end.0, |first, time| first.min(time.0));
    let plan = KeyPlan {
        range: (start.unwrap_or(Seconds(first)), end),
        rate: FrameRate::FPS_60,
        only_on_grid: false,
        every_frame: false,
    };
    let linearised = linearise(channel, &plan, Some(allowance), &mut SharedTimes::default())?;
    match (<[Channel; 1]>::try_from(linearised.channels), linearised.largest.first()) {
        (Ok([channel]), Some(largest)) => Some(Cut { channel, largest: *largest, is_baked: true }),
        _ => None,
    }
}

/// The time at which a curve begins to move.
fn first_time(curve: &Curve) -> Option<Seconds> {
    match &curve.before {
        Outside::Ramp { start, .. } if has_ramp(curve) => Some(*start),
        _ => curve.times.get(0),
    }
}

/// True of a channel with a single curve that has no segments to divide.
fn only_holds(channel: &Channel) -> bool {
    let holds = |curve: &Curve| curve.laws.all(|law| law.blend == Blend::Step);
    matches!(&channel.composition, Composition::Whole(curve) if holds(curve))
}

fn is_inside(curve: &Curve, start: Option<Seconds>, end: Seconds) -> bool {
    let is_late = |time: Seconds| start.is_none_or(|start| start.0 <= time.0);
    let ramp_is_inside = match &curve.before {
        Outside::Ramp { start: ramp, .. } => is_late(*ramp),
        _ => true,
    };
    let Some((first, last)) = curve.times.span() else { return true };
    ramp_is_inside && is_late(first) && last.0 <= end.0
}

/// A curve of a property with keys, between two times; from its first key on without a start. Also returns
/// the errors of the divisions at its start and at its end.
fn within(
    curve: &Curve,
    property: &Property,
    start: Option<Seconds>,
    end: Seconds,
) -> Option<(Curve, [Worst; 2])> {
    let repeats = |rule: &Outside| matches!(rule, Outside::Loop | Outside::PingPong);
    if repeats(&curve.after) || repeats(&curve.before) || curve.validate().is_err() {
        return None;
    }
    let kept = unrolled(curve)?;
    // Nothing else counts, and divided curves are written anew.
    let first = start.map_or(0, |start| kept.times.count_until(start).saturating_sub(1));
    let mut kept = rows(
        &kept,
        first..kept.times.count_until(end).saturating_add(1).min(kept.len()).max(first.saturating_add(1)),
    );
    let (mut at_start, mut at_end) = (Worst::default(), Worst::default());
    let mut new_key = None;
    if let Some((start, key)) = start.and_then(|start| Some((start, segment_at(&kept, start)?))) {
        (kept, at_start) = with_key(&kept, start, Kept::After)?;
        new_key = key.checked_add(1);
        at_start.value = shifted(&kept, property, new_key, at_start.value);
    }
    // What is held at the end is held there without a key.
    if let Some(key) = segment_at(&kept, end).filter(|key| kept.laws.get(*key).blend != Blend::Step) {
        (kept, at_end) = with_key(&kept, end, Kept::Before)?;
        at_end.value = shifted(&kept, property, Some(key), at_end.value);
        if new_key == Some(key) {
            // The same segment was divided twice.
            at_end = at_end.and(std::mem::take(&mut at_start));
        }
    }
    // At a jump at the start only its new value counts.
    let from = start.map_or(0, |start| kept.times.count_until(start).saturating_sub(1));
    let mut kept = rows(&kept, from..kept.times.count_until(end).max(from.saturating_add(1)));
    let alone = kept.times.get(0).filter(|_| kept.len() == 1);
    if alone.is_some_and(|key| key.0 > end.0 || start.is_some_and(|start| key.0 < start.0)) {
        kept.times = Times::Seconds([start.unwrap_or(end).0].into());
        if let Times::Frames { rate, .. } = curve.times {
            let frame = rate.frame(start.unwrap_or(end));
            kept.times = Times::Frames { rate, frames: [frame.floor() as i64].into() };
        }
    }
    Some((rolled(kept, curve), [at_start, at_end]))
}

/// Difference of values by a share of the difference from a key to the next, 0 where rounding explains it.
fn shifted(curve: &Curve, property: &Property, key: Option<usize>, share: f64) -> f64 {
    let values = key.and_then(|key| curve.value(key).zip(curve.value(key.checked_add(1)?)));
    let Some((from, to)) = values else { return 0.0 };
    let off = share * difference(property, from, to);
    if off > ROUNDING * largest(from, to).max(1.0) { off } else { 0.0 }
}

/// The key before a time strictly between two keys; `None` at keys and outside.
fn segment_at(curve: &Curve, time: Seconds) -> Option<usize> {
    let until = curve.times.count_until(time);
    let key = until.checked_sub(1)?;
    (until < curve.len() && curve.times.get(key)?.0 < time.0).then_some(key)
}

/// The curve with the ramp to its first key as a segment; `None` if the ramp starts beside the curve's grid.
#[must_use]
pub fn unrolled(curve: &Curve) -> Option<Curve> {
    let held = Curve { before: Outside::Hold, ..curve.clone() };
    let Outside::Ramp { start, from, law } = &curve.before else { return Some(held) };
    if !has_ramp(curve) {
        return Some(held);
    }
    let laws = (0..curve.len().saturating_sub(1)).map(|segment| curve.laws.get(segment));
    inserted(&held, 0, *start, from, Laws::from_segments([*law].into_iter().chain(laws)))
}

/// True if there is a way to the first key.
fn has_ramp(curve: &Curve) -> bool {
    match &curve.before {
        Outside::Ramp { start, from, .. } => {
            from.len() == curve.width && curve.times.get(0).is_some_and(|first| start.0 < first.0)
        }
        _ => false,
    }
}

/// The curve with its first segment as the ramp to its first key, if the source has such a ramp.
fn rolled(curve: Curve, source: &Curve) -> Curve {
    match (&source.before, curve.value(0)) {
        (Outside::Ramp { start, .. }, Some(from))
            if has_ramp(source) && curve.len() > 1 && curve.times.get(0) == Some(*start) =>
        {
            let before = Outside::Ramp { start: *start, from: from.into(), law: curve.laws.get(0) };
            Curve { before, ..rows(&curve, 1..curve.len()) }
        }
        _ => curve,
    }
}

/// Some keys of a curve, with the laws between them.
fn rows(curve: &Curve, keys: Range<usize>) -> Curve {
    let segments = keys.start..keys.end.saturating_sub(1).max(keys.start.saturating_add(1));
    let laws = Laws::from_segments(segments.map(|segment| curve.laws.get(segment)));
    Curve { laws, ..curve.picked(&keys.collect::<Vec<_>>()) }
}
