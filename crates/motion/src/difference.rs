//! Differences of two values.

use dopesheet_core::diag::ErrorUnit;
use dopesheet_core::model::{Property, ValueKind};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_curve as curve;
use std::ops::Range;

/// The largest difference so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worst {
    /// Size: units of length for positions, radians for rotations, else the property's own unit.
    pub value: f64,
    /// Time of the difference.
    pub time: Seconds,
}

impl Worst {
    /// Takes note of a difference.
    pub fn note(&mut self, value: f64, time: Seconds) {
        if value > self.value {
            *self = Self { value, time };
        }
    }

    /// The largest possible sum of two successive changes, at the time of the larger.
    pub(crate) fn and(self, other: Self) -> Self {
        let larger = if other.value > self.value { other } else { self };
        Self { value: self.value + other.value, ..larger }
    }
}

/// Error of a channel against its source channel.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ChannelError {
    /// Largest measured difference.
    pub(crate) largest: Worst,
    /// Upper bound of the difference at any time; infinite where no bound is known.
    pub(crate) bound: f64,
}

impl ChannelError {
    /// The bound where none is known.
    pub(crate) const UNKNOWN: f64 = f64::INFINITY;

    /// A difference sampled at some times only; its bound is unknown, unless the difference is 0.
    pub(crate) fn sampled(largest: Worst) -> Self {
        Self { largest, bound: if largest.value == 0.0 { 0.0 } else { Self::UNKNOWN } }
    }

    /// A difference that is an upper bound for all times.
    pub(crate) const fn bounded(largest: Worst) -> Self {
        Self { largest, bound: largest.value }
    }

    /// Error after two changes one after the other.
    pub(crate) fn and(self, other: Self) -> Self {
        Self { largest: self.largest.and(other.largest), bound: self.bound + other.bound }
    }
}

/// Unit of differences of a property, and the factor from [`Worst::value`] to it.
pub fn unit(property: &Property, metres_per_unit: Option<f64>) -> (ErrorUnit, f64) {
    match property.kind() {
        ValueKind::Position => (ErrorUnit::Metre, metres_per_unit.unwrap_or(1.0)),
        ValueKind::Rotation => (ErrorUnit::Radian, 1.0),
        _ => (ErrorUnit::One, 1.0),
    }
}

/// Difference of two values of a property: distance for positions and scales, in their unit; angle for rotations, in radians; the largest
/// of a component for everything else.
pub fn difference<T: Copy + Into<f64>>(property: &Property, a: &[T], b: &[T]) -> f64 {
    let apart = a.iter().zip(b).map(|(x, y)| (*x).into() - (*y).into());
    match (property.kind(), a, b) {
        (ValueKind::Position, ..) => length(apart),
        _ if *property == Property::Scale => length(apart),
        (ValueKind::Rotation, &[ax, ay, az, aw], &[bx, by, bz, bw]) => {
            curve::quat_angle([ax, ay, az, aw].map(T::into), [bx, by, bz, bw].map(T::into))
        }
        _ => apart.map(f64::abs).fold(0.0, f64::max),
    }
}

fn length(parts: impl Iterator<Item = f64>) -> f64 {
    parts.map(|part| part * part).sum::<f64>().sqrt()
}

/// The value between two keys of a straight segment; the four numbers from `rotation` on are a quaternion.
pub(crate) fn straight_at(from: &[f32], to: &[f32], share: f64, rotation: Option<usize>, out: &mut Vec<f64>) {
    out.clear();
    let plain = rotation.unwrap_or(from.len()).min(from.len());
    let line = from.iter().zip(to).take(plain);
    out.extend(line.map(|(a, b)| curve::lerp((*a).into(), (*b).into(), share)));
    let quaternion = |v: &[f32]| v.get(plain..).and_then(|v| v.first_chunk::<4>()).map(|q| q.map(f64::from));
    if let (Some(a), Some(b)) = (quaternion(from), quaternion(to)) {
        out.extend(curve::slerp(a, b, share));
    }
}

/// The properties of a value, and the range of its numbers for each.
pub(crate) fn parts(property: &Property, width: usize) -> Vec<(Property, Range<usize>)> {
    match property {
        Property::Placement => vec![(Property::Translation, 0..3), (Property::Rotation, 3..7)],
        other => vec![(other.clone(), 0..width)],
    }
}

/// Index of the quaternion's first number in a value of a property.
pub(crate) const fn rotation_start(property: &Property) -> Option<usize> {
    match property {
        Property::Placement => Some(3),
        Property::Rotation => Some(0),
        _ => None,
    }
}

/// The time at a share of the way between two times, and the share at this time: next to a frame of the
/// measured channel's grid, the time is the frame. A share of 0 or 1 means that the time is an end, with a
/// possible jump.
pub(crate) fn seen(grid: Option<FrameRate>, a: Seconds, b: Seconds, share: f64) -> (Seconds, f64) {
    let time = Seconds(curve::lerp(a.0, b.0, share));
    let on_grid = |time: Seconds| grid.map_or(time, |rate| rate.snap(time));
    match on_grid(time) {
        // An end that is this frame need not be there exactly: times given as f32 lie a little beside it, and a share by rounding.
        frame if on_grid(a) == frame => (a, 0.0),
        frame if on_grid(b) == frame => (b, 1.0),
        frame if frame == time => (time, share),
        frame => (frame, ((frame.0 - a.0) / (b.0 - a.0)).clamp(0.0, 1.0)),
    }
}

/// True if a share of a way is neither of its ends.
pub(crate) fn is_inside(share: f64) -> bool {
    0.0 < share && share < 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_that_rounds_to_an_end_is_that_end() {
        let (a, b) = (Seconds(0.6), Seconds(1.5));
        assert_eq!(seen(None, a, b, 4e-17), (a, 0.0));
        assert_eq!(seen(None, a, b, 1.0 - f64::EPSILON / 2.0), (b, 1.0));
        assert_eq!(seen(Some(FrameRate::FPS_60), a, b, 1e-12), (a, 0.0));
        assert_eq!(seen(None, a, b, 0.5), (Seconds(1.05), 0.5));
    }
}
