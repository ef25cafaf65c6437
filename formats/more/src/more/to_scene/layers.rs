//! Several simultaneous motions of one property, mixed by their weights.
//!
//! The file states nothing about mixing except the blendings. Here each number is the mean by weight of all
//! its layers, and each rotation the direction of such a mean.

use super::segments::{Drift, Segment, Value, followed};
use super::timeline::Timeline;
use dopesheet_core::model::{Blend, Law};
use dopesheet_core::order::ascend;
use dopesheet_curve as laws;

/// A motion to be mixed with others.
pub(super) struct Layer {
    /// Above 0.
    pub(super) weight: f64,
    pub(super) timeline: Timeline,
    /// True if its numbers are angles, applied about X, then Y, then Z.
    pub(super) is_angles: bool,
}

/// The mean of numbers: exact, except for timings not expressible as a cubic.
pub(super) fn numbers(layers: &[Layer], drift: &mut Drift) -> Timeline {
    let width = layers.first().map_or(1, |layer| layer.timeline.width);
    let mut segments = Vec::new();
    for (start, end) in intervals(layers) {
        let parts = parts(layers, start, end);
        match common_law(&parts) {
            Some(law) => segments.push(sum(&parts, start, end, law)),
            None => {
                let value = |time: f64| mean(&parts, |part| part.at(part.share(time)));
                segments.extend(followed(start, end, width, &value, drift));
            }
        }
    }
    let last = mean(&parts_at_end(layers), |part| part.from);
    Timeline::of(width, segments, last)
}

/// The mean of rotations, followed by straight pieces.
pub(super) fn rotations(layers: &[Layer], drift: &mut Drift) -> Timeline {
    let are_angles: Vec<bool> = layers.iter().map(|layer| layer.is_angles).collect();
    let mut segments = Vec::new();
    for (start, end) in intervals(layers) {
        let parts = parts(layers, start, end);
        let value = |time: f64| direction(&parts, &are_angles, |part| part.at(part.share(time)));
        if parts.iter().all(|(_, part)| part.is_still()) {
            segments.push(Segment::straight(start, end, value(start), value(start), Law::SLERP));
        } else {
            segments.extend(followed(start, end, 4, &value, drift));
        }
    }
    let last = direction(&parts_at_end(layers), &are_angles, |part| part.from);
    Timeline::of(4, segments, last)
}

/// Shares of the whole and the segment of each layer in an interval.
type Parts = Vec<(f64, Segment)>;

fn parts(layers: &[Layer], start: f64, end: f64) -> Parts {
    let total: f64 = layers.iter().map(|layer| layer.weight).sum();
    let part = |layer: &Layer| (layer.weight / total, layer.timeline.part(start, end));
    layers.iter().map(part).collect()
}

fn parts_at_end(layers: &[Layer]) -> Parts {
    let total: f64 = layers.iter().map(|layer| layer.weight).sum();
    let last = |layer: &Layer| {
        let last = layer.timeline.last;
        (layer.weight / total, Segment::straight(0.0, 1.0, last, last, Law::STEP))
    };
    layers.iter().map(last).collect()
}

/// The times between any two neighbouring ends of segments.
fn intervals(layers: &[Layer]) -> Vec<(f64, f64)> {
    let mut times: Vec<f64> =
        layers.iter().flat_map(|l| &l.timeline.segments).flat_map(|s| [s.start, s.end]).collect();
    ascend(&mut times);
    times.dedup();
    times.windows(2).filter_map(|pair| Some((*pair.first()?, *pair.last()?))).collect()
}

fn mean(parts: &Parts, value: impl Fn(&Segment) -> Value) -> Value {
    let shares = parts.iter().map(|(share, part)| value(part).map(|x| x * share));
    shares.fold([0.0; 4], |sum, part| std::array::from_fn(|i| sum[i] + part[i]))
}

/// The law of the sum of segments; `None` if there is none.
fn common_law(parts: &Parts) -> Option<Law> {
    let blends = || parts.iter().map(|(_, part)| part.law.blend);
    if !parts.iter().all(|(_, part)| part.is_divisible()) {
        return None;
    }
    let blend = [Blend::Hermite, Blend::Lerp].into_iter().find(|blend| blends().any(|b| b == *blend));
    Some(blend.map_or(Law::STEP, |blend| Law { blend, ..Law::LINEAR }))
}

fn sum(parts: &Parts, start: f64, end: f64, law: Law) -> Segment {
    // In company of others a step stays where it is until the end.
    let arrives = |part: &Segment| if part.law.blend == Blend::Step { part.from } else { part.to };
    let straight = Segment::straight(start, end, mean(parts, |part| part.from), mean(parts, arrives), law);
    if law.blend != Blend::Hermite {
        return straight;
    }
    Segment {
        leaving: mean(parts, |part| part.slope(0.0)),
        arriving: mean(parts, |part| part.slope(1.0)),
        ..straight
    }
}

/// The direction of the mean of rotations, using for each rotation the quaternion nearer to the first
/// layer's.
fn direction(parts: &Parts, are_angles: &[bool], value: impl Fn(&Segment) -> Value) -> Value {
    let mut sum = [0.0; 4];
    let mut first = None;
    for ((share, part), is_angles) in parts.iter().zip(are_angles) {
        let [x, y, z, w] = value(part);
        let q = match is_angles {
            true => laws::quat_from_euler(laws::EULER_ZYX, [x, y, z]),
            false => laws::quat_normalise_or_identity([x, y, z, w]),
        };
        let reference = *first.get_or_insert(q);
        let side: f64 = q.iter().zip(reference).map(|(a, b)| a * b).sum();
        let share = if side < 0.0 { -share } else { *share };
        sum.iter_mut().zip(q).for_each(|(sum, x)| *sum += share * x);
    }
    laws::quat_normalise_above(sum, 1e-9).or(first).unwrap_or(laws::QUAT_IDENTITY)
}
