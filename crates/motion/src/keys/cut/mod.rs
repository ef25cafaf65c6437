//! Curves that end where a range does, with the keys and laws that they have within it.

mod divide;

use super::columns::{inserted, with_columns};
use super::plan::KeyPlan;
use crate::difference::Worst;
use crate::difference::difference;
use crate::sample::timing::bezier;
use crate::sample::{Sampler, Side};
use divide::{Kept, with_key};
use dopesheet_core::model::{Blend, Channel, Composition, Curve, Law, Laws, Outside, Times};
use dopesheet_core::order::ascend;
use dopesheet_core::units::Seconds;
use dopesheet_curve::lerp;
use std::ops::Range;

/// Number of steps along each curve of a segment that was divided, at which it is compared with what it was.
const PROBES: usize = 24;

/// Steps that halve the place of a parameter.
const PARAMETER_STEPS: usize = 20;

/// Steps that bring a peak between two of those nearer, by a third each.
const PEAK_STEPS: usize = 5;

/// Share of the largest difference that was met, up to which a peak between probes is none of the largest.
const PEAK: f64 = 0.5;

/// Rounding of a value that is divided, in single precision, as a share of it: half a step for the value, and as much for
/// each slope beside it.
const ROUNDING: f64 = 4.0 * f32::EPSILON as f64;

/// A channel within a range, and how far it is from what it was there.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The channel, with its own keys within the range.
    pub channel: Channel,
    /// Largest difference from what it was, where a segment was divided.
    pub worst: Worst,
}

/// A channel with the keys that it has within the range of a plan and at most one more at each end of a curve; `None` if
/// nothing lies outside, or if a curve cannot be divided where the range ends.
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

/// A channel with the keys that it has from `start` (without one, from its first key) to `end`, and at most one more at each end
/// of a curve, where a segment is divided; `None` if nothing lies outside, or if a curve has no halves of its own kind there.
#[must_use]
pub fn cut_to(channel: &Channel, start: Option<Seconds>, end: Seconds) -> Option<Cut> {
    let mut curves = channel.composition.curves();
    if curves.all(|curve| is_inside(curve, start, end)) {
        return None;
    }
    let mut made = channel.clone();
    for curve in made.composition.curves_mut().into_iter().filter(|curve| !curve.is_empty()) {
        *curve = within(curve, start, end)?;
    }
    let worst = worst(channel, &made, (start.unwrap_or(Seconds(f64::MIN)), end));
    Some(Cut { channel: made, worst })
}

/// True of a channel that is a curve without segments to divide.
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

/// A curve that has keys, between two times; from its first key on without a start.
fn within(curve: &Curve, start: Option<Seconds>, end: Seconds) -> Option<Curve> {
    let repeats = |rule: &Outside| matches!(rule, Outside::Loop | Outside::PingPong);
    if repeats(&curve.after) || repeats(&curve.before) || curve.validate().is_err() {
        return None;
    }
    let mut made = unrolled(curve)?;
    if let Some(start) = start.filter(|start| segment_at(&made, *start).is_some()) {
        made = with_key(&made, start, Kept::After)?;
    }
    // What is held at the end is held there without a key.
    if segment_at(&made, end).is_some_and(|key| made.laws.get(key).blend != Blend::Step) {
        made = with_key(&made, end, Kept::Before)?;
    }
    // At a jump at the start only its new value counts.
    let from = start.map_or(0, |start| made.times.count_until(start).saturating_sub(1));
    let mut made = rows(&made, from..made.times.count_until(end).max(from.saturating_add(1)));
    let alone = made.times.get(0).filter(|_| made.len() == 1);
    if alone.is_some_and(|key| key.0 > end.0 || start.is_some_and(|start| key.0 < start.0)) {
        made.times = Times::Seconds([start.unwrap_or(end).0].into());
        if let Times::Frames { rate, .. } = curve.times {
            let frame = rate.frame(start.unwrap_or(end));
            made.times = Times::Frames { rate, frames: [frame.floor() as i64].into() };
        }
    }
    Some(rolled(made, curve))
}

/// The key after which a time lies that is no key's and not behind the last one.
fn segment_at(curve: &Curve, time: Seconds) -> Option<usize> {
    let until = curve.times.count_until(time);
    let key = until.checked_sub(1)?;
    (until < curve.len() && curve.times.get(key)?.0 < time.0).then_some(key)
}

/// The curve with the way to its first key as a segment; `None` if that starts beside the curve's grid.
fn unrolled(curve: &Curve) -> Option<Curve> {
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

/// The curve with its first segment as the way to its first key, where that is what it was.
fn rolled(made: Curve, source: &Curve) -> Curve {
    match (&source.before, made.value(0)) {
        (Outside::Ramp { start, .. }, Some(from))
            if has_ramp(source) && made.len() > 1 && made.times.get(0) == Some(*start) =>
        {
            let before = Outside::Ramp { start: *start, from: from.into(), law: made.laws.get(0) };
            Curve { before, ..rows(&made, 1..made.len()) }
        }
        _ => made,
    }
}

/// Some keys of a curve, with the laws between them.
fn rows(curve: &Curve, keys: Range<usize>) -> Curve {
    let segments = keys.start..keys.end.saturating_sub(1).max(keys.start.saturating_add(1));
    let laws = Laws::from_segments(segments.map(|segment| curve.laws.get(segment)));
    Curve { laws, ..with_columns(curve, &keys.collect::<Vec<_>>()) }
}

/// The largest difference of what is made from what it was, in the segments that were divided.
fn worst(source: &Channel, made: &Channel, range: (Seconds, Seconds)) -> Worst {
    let (mut exact, mut own) = (Vec::new(), Vec::new());
    let (mut from, mut to) = (Sampler::new(source), Sampler::new(made));
    let mut error_at = |time: f64| {
        from.value_at(Seconds(time), Side::At, &mut exact);
        to.value_at(Seconds(time), Side::At, &mut own);
        let error = difference(&made.property, &exact, &own);
        // What single precision alone makes of a value is no approximation.
        let largest = exact.iter().fold(1.0f64, |most, x| most.max(x.abs()));
        if error > ROUNDING * largest { error } else { 0.0 }
    };
    let mut worst = Worst::default();
    for segment in divided(source, made, range) {
        let times = segment.probes();
        let errors: Vec<f64> = times.iter().map(|time| error_at(*time)).collect();
        for (time, error) in times.iter().zip(&errors) {
            worst.meet(*error, Seconds(*time));
        }
        let least = PEAK * worst.value;
        for (around, when) in errors.array_windows::<3>().zip(times.array_windows::<3>()) {
            let ([before, error, after], [start, time, end]) = (*around, *when);
            if error > least && error >= before && error >= after {
                let (error, time) = peak(&mut error_at, start, end, (error, time));
                worst.meet(error, Seconds(time));
            }
        }
    }
    worst
}

/// A segment that was divided.
struct DividedSegment {
    /// Where it starts and ends.
    ends: (Seconds, Seconds),
    /// Laws of the source and of what was made of it, each with the segment that it is of.
    laws: [(Law, (Seconds, Seconds)); 2],
}

impl DividedSegment {
    /// Times at which it is compared with what it was: evenly along the timing curve of that, so that there are many where it is steep.
    /// Its halves are as steep there.
    fn probes(&self) -> Vec<f64> {
        let (start, end) = self.ends;
        let even = |share: f64| lerp(start.0, end.0, share);
        let shares = (0..=PROBES).map(|probe| probe as f64 / PROBES as f64);
        let (law, (from, to)) = self.laws[0];
        let Some(timing) = bezier(law.timing) else { return shares.map(even).collect() };
        let time = |s: f64| {
            let r = 1.0 - s;
            lerp(from.0, to.0, 3.0 * r * s * (r * timing.x1 + s * timing.x2) + s * s * s)
        };
        let [first, last] = [start, end].map(|end| parameter(time, end.0));
        let mut times = vec![start.0, end.0];
        times.extend(shares.map(|share| time(lerp(first, last, share)).clamp(start.0, end.0)));
        ascend(&mut times);
        times.dedup();
        times
    }
}

/// The parameter at which an ascending function has a value, as near as probes need it.
fn parameter(f: impl Fn(f64) -> f64, value: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..PARAMETER_STEPS {
        let middle = f64::midpoint(low, high);
        (low, high) = if f(middle) < value { (middle, high) } else { (low, middle) };
    }
    f64::midpoint(low, high)
}

/// The largest value of a function that rises and falls between two times, and when that is.
fn peak(f: &mut impl FnMut(f64) -> f64, start: f64, end: f64, mut best: (f64, f64)) -> (f64, f64) {
    let (mut start, mut end) = (start, end);
    for _ in 0..PEAK_STEPS {
        let thirds = [1.0, 2.0].map(|third| lerp(start, end, third / 3.0));
        let [left, right] = thirds.map(&mut *f);
        best = [(left, thirds[0]), (right, thirds[1])]
            .into_iter()
            .fold(best, |a, b| if b.0 > a.0 { b } else { a });
        (start, end) = if left < right { (thirds[0], end) } else { (start, thirds[1]) };
    }
    best
}

/// The segments at the ends of curves that may differ from what they were: those that end at a key which was not there, and did not
/// run straight.
fn divided(source: &Channel, made: &Channel, range: (Seconds, Seconds)) -> Vec<DividedSegment> {
    let mut all: Vec<DividedSegment> = Vec::new();
    for (old, curve) in source.composition.curves().zip(made.composition.curves()) {
        let Some((first, last)) = curve.times.span() else { continue };
        let is_new = |time: Seconds| old.times.count_until(time) == old.times.count_before(time);
        let mut meet = |law: Law, ends: (Seconds, Seconds)| {
            let source = law_towards(old, ends.1, range.0);
            let laws = [source, (law, ends)];
            let is_known = || all.iter().any(|known| known.ends == ends && known.laws == laws);
            let moves = || !rests(old, ends) || !rests(curve, ends);
            if !is_straight(source.0) && ends.0.0 < ends.1.0 && moves() && !is_known() {
                all.push(DividedSegment { ends, laws });
            }
        };
        if let Outside::Ramp { law, .. } = &curve.before {
            meet(*law, (range.0, first));
        }
        if let (Some(second), true) = (curve.times.get(1), is_new(first)) {
            meet(curve.laws.get(0), (first, second));
        }
        if let (Some(key), true) = (curve.len().checked_sub(2), is_new(last)) {
            meet(curve.laws.get(key), (curve.times.get(key).unwrap_or(last), last));
        }
    }
    all
}

/// The law by which a curve comes to a time, and the segment that it is of.
fn law_towards(curve: &Curve, time: Seconds, start: Seconds) -> (Law, (Seconds, Seconds)) {
    let next = curve.times.count_before(time);
    let end = curve.times.get(next).unwrap_or(time);
    match (next.checked_sub(1), &curve.before) {
        (Some(key), _) => (curve.laws.get(key), (curve.times.get(key).unwrap_or(start), end)),
        (None, Outside::Ramp { start, law, .. }) => (*law, (*start, end)),
        (None, _) => (Law::STEP, (start, end)),
    }
}

/// True if a curve has one value between two times in one segment, because its law leads from a value to the same one.
fn rests(curve: &Curve, (start, end): (Seconds, Seconds)) -> bool {
    let first = match (curve.times.count_until(start).checked_sub(1), &curve.before) {
        (Some(key), _) => curve.value(key),
        (None, Outside::Ramp { from, .. }) => Some(&from[..]),
        (None, _) => None,
    };
    let law = law_towards(curve, end, start).0;
    matches!(law.blend, Blend::Step | Blend::Lerp | Blend::Slerp)
        && first.is_some()
        && first == curve.value(curve.times.count_before(end))
}

/// True if halves of a segment are the same curve, but for rounding.
fn is_straight(law: Law) -> bool {
    law.timing.is_linear() && matches!(law.blend, Blend::Step | Blend::Lerp | Blend::Slerp)
}
