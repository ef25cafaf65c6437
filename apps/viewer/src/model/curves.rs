//! Curves as points: the law between keys, sampled as finely as the window can show.

use crate::model::rows::{Span, channel_of, component_names, is_rotation};
use dopesheet::Seconds;
use dopesheet::core::model::{Clip, Curve};
use dopesheet::core::order;
use dopesheet::motion::{Sampler, Side, cubic, curve_at};
use dopesheet::rotation::turn_degrees;

/// Distance of two samples of a law, in points.
const STEP: f32 = 1.5;
/// Smallest width of a segment with handles, in points.
const HANDLES: f32 = 24.0;
/// Largest number of keys in sight; with more, no key is drawn.
const MOST_KEYS: usize = 600;

/// One component of a value over a stretch of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Trace {
    pub(crate) name: String,
    /// Times in seconds and values, in the order of the line through them.
    pub(crate) points: Vec<[f64; 2]>,
    /// Keys: times in seconds and values. Empty with more than [`MOST_KEYS`] in sight.
    pub(crate) keys: Vec<[f64; 2]>,
    /// Handles, each from its key to its end.
    pub(crate) handles: Vec<[[f64; 2]; 2]>,
}

/// The components of a channel of a clip over a span; a rotation as its angles about x, y and z at once, in degrees.
pub(crate) fn traces(clip: &Clip, place: [usize; 3], keys: &[f64], span: &Span) -> Vec<Trace> {
    let Some((channel, curves)) = channel_of(clip, place) else { return Vec::new() };
    let times = times(keys, span);
    let in_sight = keys.iter().filter(|key| (span.from..=span.to).contains(*key));
    let shows_keys = in_sight.clone().count() <= MOST_KEYS;
    let wanted: Vec<f64> = if shows_keys { in_sight.copied().collect() } else { Vec::new() };
    if is_rotation(channel) {
        return turns(&mut Sampler::new(channel), &times, &wanted);
    }
    let width: usize = curves.iter().map(|curve| curve.width).sum();
    let names = component_names(channel, width);
    let mut traces: Vec<Trace> = Vec::with_capacity(width);
    for curve in curves {
        let first = traces.len();
        let components = names.iter().skip(first).take(curve.width);
        traces.extend(components.map(|name| Trace { name: name.clone(), ..Trace::default() }));
        trace(curve, &times, &mut traces[first..]);
        if shows_keys {
            mark(curve, span, &mut traces[first..]);
        }
    }
    traces
}

/// Sample times, [`STEP`] points apart, and on both sides of each key, where the value may jump.
fn times(keys: &[f64], span: &Span) -> Vec<(f64, Side)> {
    let count = (span.width / STEP).ceil().clamp(2.0, 8192.0) as usize;
    let even = (0..=count).map(|i| (span.from + (span.to - span.from) * i as f64 / count as f64, Side::At));
    let first = keys.partition_point(|key| *key < span.from);
    let last = keys.partition_point(|key| *key <= span.to);
    let mut all: Vec<(f64, Side)> = even.collect();
    // Between keys that are nearer than samples, samples are enough.
    if last - first <= count {
        all.extend(keys[first..last].iter().flat_map(|key| [(*key, Side::Before), (*key, Side::After)]));
    }
    let rank = |side: &Side| match side {
        Side::Before => 0,
        Side::At => 1,
        Side::After => 2,
    };
    order::by_key(&mut all, |(_, side)| rank(side));
    order::by_number(&mut all, |(time, _)| *time);
    all
}

fn trace(curve: &Curve, times: &[(f64, Side)], out: &mut [Trace]) {
    let mut value = Vec::new();
    for (time, side) in times {
        if curve_at(curve, Seconds(*time), *side, &mut value) {
            out.iter_mut().zip(&value).for_each(|(trace, value)| trace.points.push([*time, *value]));
        }
    }
}

/// Adds the keys in sight, and the handles of segments at least [`HANDLES`] points wide.
fn mark(curve: &Curve, span: &Span, out: &mut [Trace]) {
    let first = curve.times.count_before(Seconds(span.from)).saturating_sub(1);
    let last = curve.times.count_until(Seconds(span.to));
    for key in first..last {
        let (Some(time), Some(values)) = (curve.times.get(key), curve.value(key)) else { continue };
        for (component, (trace, value)) in out.iter_mut().zip(values).enumerate() {
            trace.keys.push([time.0, f64::from(*value)]);
            let Some(segment) = cubic(curve, component, key) else { continue };
            let is_curved = !curve.laws.get(key).timing.is_linear() || curve.handles.is_some();
            let is_wide = span.at(segment.to[0]) - span.at(segment.from[0]) >= HANDLES;
            let moves = segment.from[1] != segment.to[1] || segment.leaving[1] != segment.from[1];
            if is_curved && is_wide && moves {
                trace.handles.extend([[segment.from, segment.leaving], [segment.to, segment.arriving]]);
            }
        }
    }
}

fn turns(sampler: &mut Sampler<'_>, times: &[(f64, Side)], keys: &[f64]) -> Vec<Trace> {
    let mut traces = ["x", "y", "z"].map(|name| Trace { name: name.to_owned(), ..Trace::default() });
    let (mut value, mut last) = (Vec::new(), None);
    for (time, side) in times {
        sampler.value_at(Seconds(*time), *side, &mut value);
        let Some(rotation) = value.first_chunk::<4>() else { continue };
        let turn = turn_degrees(*rotation, last);
        let is_key = *side == Side::After && keys.binary_search_by(|key| key.total_cmp(time)).is_ok();
        for (trace, angle) in traces.iter_mut().zip(turn) {
            trace.points.push([*time, angle]);
            if is_key {
                trace.keys.push([*time, angle]);
            }
        }
        last = Some(turn);
    }
    traces.into()
}

/// The least and the greatest value of the drawn traces, with room below and above.
pub(crate) fn bounds(traces: &[Trace]) -> [f64; 2] {
    let points = traces.iter().flat_map(|trace| trace.points.iter().chain(&trace.keys));
    let ends = traces.iter().flat_map(|trace| trace.handles.iter().map(|handle| &handle[1]));
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for [_, value] in points.chain(ends).filter(|[_, value]| value.is_finite()) {
        (least, most) = (least.min(*value), most.max(*value));
    }
    if !least.is_finite() {
        return [-1.0, 1.0];
    }
    let room = if least == most { least.abs().max(1.0) * 0.1 } else { (most - least) * 0.08 };
    [least - room, most + room]
}

/// The value of a trace at a time, between its neighbouring points.
pub(crate) fn value_at(trace: &Trace, time: f64) -> Option<f64> {
    let next = trace.points.partition_point(|point| point[0] < time).min(trace.points.len().checked_sub(1)?);
    let [b, after] = trace.points[next];
    let [a, before] = trace.points[next.saturating_sub(1)];
    let share = if b > a { ((time - a) / (b - a)).clamp(0.0, 1.0) } else { 1.0 };
    Some(before + (after - before) * share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet::core::model::{Channel, Law, Laws, Property, Target, TargetKind, Times, Track};

    fn clip(property: Property, width: usize, values: Vec<f32>, law: Law) -> Clip {
        let times: Vec<f64> = (0..values.len() / width).map(|i| i as f64).collect();
        let curve = Curve::new(Times::Seconds(times.into()), width, values, Laws::uniform(law));
        let channels = vec![Channel::whole(property, curve)];
        let target = Target::new(TargetKind::Joint, "Hip", 0, None);
        Clip { tracks: vec![Track { target, channels }], ..Clip::default() }
    }

    const SPAN: Span = Span { from: 0.0, to: 2.0, width: 200.0 };

    #[test]
    fn steps_jump_where_their_keys_are() {
        let clip = clip(Property::Weight, 1, vec![1.0, 5.0, 3.0], Law::STEP);
        let traces = traces(&clip, [0, 0, 0], &[0.0, 1.0, 2.0], &SPAN);
        let at_key: Vec<f64> = traces[0].points.iter().filter(|p| p[0] == 1.0).map(|p| p[1]).collect();
        assert!(at_key.first() == Some(&1.0) && at_key.last() == Some(&5.0), "{at_key:?}");
        assert_eq!(traces[0].keys, [[0.0, 1.0], [1.0, 5.0], [2.0, 3.0]]);
        let [low, high] = bounds(&traces);
        assert!(low < 1.0 && high > 5.0);
    }

    #[test]
    fn rotations_are_the_degrees_by_which_they_turn() {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let clip = clip(Property::Rotation, 4, vec![0.0, 0.0, 0.0, 1.0, 0.0, half, 0.0, half], Law::SLERP);
        let traces = traces(&clip, [0, 0, 0], &[0.0, 1.0], &SPAN);
        let middle = value_at(&traces[1], 0.5).unwrap();
        assert!((middle - 45.0).abs() < 0.1 && value_at(&traces[0], 0.5).unwrap().abs() < 1e-6, "{middle}");
        assert_eq!(traces[1].keys.len(), 2);
    }

    #[test]
    fn more_keys_than_samples_cost_no_more_than_samples() {
        let keys: Vec<f64> = (0..20_000).map(|i| f64::from(i) * 1e-4).collect();
        assert!(times(&keys, &SPAN).len() < 500);
    }

    #[test]
    fn places_that_are_not_there_have_no_traces() {
        let clip = clip(Property::Weight, 1, vec![1.0], Law::STEP);
        assert!(traces(&clip, [0, 1, 0], &[], &SPAN).is_empty());
        assert!(traces(&clip, [3, 0, 0], &[], &SPAN).is_empty());
        assert_eq!(bounds(&[]), [-1.0, 1.0]);
    }
}
