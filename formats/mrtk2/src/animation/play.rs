//! Playback of a curve's keys, equal to Unity's.

use super::document::{Keyframe, NumberCurve, Wrap};
use super::wrap;
use dopesheet_core::model::{Blend, Outside, WeightedKey};
use dopesheet_core::order::by_number;
use dopesheet_curve::{WeightedEnd, lerp, weighted_bezier, wrap_loop, wrap_ping_pong};

/// Law of the segment between two keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Segment {
    /// The first key is held: a tangent is infinite.
    Step,
    /// Both weights are 0, or both slopes equal the slope of the straight line.
    Straight,
    /// Tangents without weights, per second.
    Hermite([f32; 2]),
    /// Tangents per second and their weights; an unused weight is a third.
    Weighted([f32; 2], [f32; 2]),
}

impl Segment {
    /// Law of the segment from one key to the next.
    pub(super) fn between(from: &Keyframe, to: &Keyframe) -> Self {
        let (from, to) = (WeightedKey::from(from), WeightedKey::from(to));
        let slope = |slope: f32| if slope.is_nan() { 0.0 } else { slope };
        let slopes = [slope(from.out_slope), slope(to.in_slope)];
        match (from.law_to(&to).blend, from.weights_to(&to)) {
            (Blend::Step, _) => Self::Step,
            (Blend::Hermite, _) => Self::Hermite(slopes),
            (Blend::WeightedBezier, Some(weights)) => Self::Weighted(slopes, weights),
            _ => Self::Straight,
        }
    }
}

/// The keys of a curve in the order of their times; keys of equal times in the order of the file.
pub(super) fn sorted(curve: &NumberCurve) -> Vec<Keyframe> {
    let mut keys: Vec<Keyframe> = curve.keys.iter().filter(|key| key.time.is_finite()).collect();
    if !keys.is_sorted_by(|a, b| a.time <= b.time) {
        by_number(&mut keys, |key| key.time.into());
    }
    keys
}

/// A curve prepared for evaluation.
#[derive(Clone, Debug)]
pub(super) struct Player {
    keys: Vec<Keyframe>,
    wrap: Wrap,
}

impl Player {
    pub(super) fn new(curve: &NumberCurve) -> Self {
        Self { keys: sorted(curve), wrap: curve.wrap }
    }

    /// The keys in the order of their times.
    pub(super) fn keys(&self) -> &[Keyframe] {
        &self.keys
    }

    /// The value at a time in seconds; 0 without keys.
    pub(super) fn value(&self, time_s: f64) -> f64 {
        let (Some(first), Some(last)) = (self.keys.first(), self.keys.last()) else { return 0.0 };
        let (start, end) = (f64::from(first.time), f64::from(last.time));
        let mode = if time_s < start { self.wrap.before } else { self.wrap.after };
        let time_s = match wrap::outside(mode) {
            Outside::Loop => wrap_loop(time_s, start, end),
            Outside::PingPong => wrap_ping_pong(time_s, start, end),
            Outside::Hold | Outside::Ramp { .. } => time_s.clamp(start, end),
        };
        let until = self.keys.partition_point(|key| f64::from(key.time) <= time_s);
        let from = until.checked_sub(1).and_then(|at| self.keys.get(at)).unwrap_or(first);
        match self.keys.get(until) {
            Some(to) => value_between(from, to, time_s),
            None => from.value.into(),
        }
    }
}

/// The value between two keys; the second key must be later.
pub(super) fn value_between(from: &Keyframe, to: &Keyframe, time_s: f64) -> f64 {
    let (a, b) = (f64::from(from.value), f64::from(to.value));
    let length = f64::from(to.time) - f64::from(from.time);
    let share = (time_s - f64::from(from.time)) / length;
    let end =
        |value, slope: f32, weight: f64| WeightedEnd { value, slope: f64::from(slope) * length, weight };
    let third = WeightedEnd::UNUSED_WEIGHT;
    match Segment::between(from, to) {
        Segment::Step => a,
        Segment::Straight => lerp(a, b, share),
        Segment::Hermite([m, n]) => weighted_bezier(end(a, m, third), end(b, n, third), share),
        Segment::Weighted([m, n], [p, q]) => weighted_bezier(end(a, m, p.into()), end(b, n, q.into()), share),
    }
}
