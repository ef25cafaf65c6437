//! Formats that key all channels of a target together.

use crate::sample::{Side, curve_at};
use crate::single::narrow;
use dopesheet_core::model::{Clip, Composition, Curve, TargetKind, Times, Track, ValueKind};
use std::cmp::Ordering;

/// Distance below which keys of different channels become one.
const NEAR_S: f64 = 1e-6;

/// Gives all channels of each node the union of their key times. A key inserted into a straight segment gets
/// the value of the segment, so the only change is that keys move by less than [`NEAR_S`].
///
/// Channels must be straight wherever the channels of a node differ in their key times. Returns true if any
/// key was moved.
pub(in crate::conform) fn share_times(clip: &mut Clip) -> bool {
    let joints = clip.tracks.iter_mut().filter(|track| track.target.kind == TargetKind::Joint);
    let mut moves = false;
    for track in joints {
        moves |= share_in(track);
    }
    moves
}

fn share_in(track: &mut Track) -> bool {
    let mut curves: Vec<&mut Curve> = Vec::new();
    let mut rotates = Vec::new();
    for channel in &mut track.channels {
        rotates.push(channel.property.kind() == ValueKind::Rotation);
        match &mut channel.composition {
            Composition::Whole(curve) => curves.push(curve),
            _ => return false,
        }
    }
    if curves.array_windows().all(|[a, b]| a.times == b.times) {
        return false;
    }
    let (union, moves) = union(&mut curves);
    for (curve, rotates) in curves.into_iter().zip(rotates) {
        resample(curve, rotates, &union);
    }
    moves
}

/// All times of all curves, each as often as in the curve with the most keys at that time (a jump has two);
/// and true if a key was moved.
fn union(curves: &mut [&mut Curve]) -> (Times, bool) {
    if let Some(frames) = union_of_frames(curves) {
        return (frames, false);
    }
    let (mut union, mut moves) = (Vec::<f64>::new(), false);
    for curve in curves {
        let times = snapped(&curve.times, &union);
        union = merged(&union, &times, f64::total_cmp);
        moves |= curve.times.iter().zip(&times).any(|(own, shared)| own.0 != *shared);
        curve.times = Times::Seconds(times.into());
    }
    (Times::Seconds(union.into()), moves)
}

fn union_of_frames(curves: &[&mut Curve]) -> Option<Times> {
    let Times::Frames { rate, .. } = curves.first()?.times else { return None };
    let mut union: Vec<i64> = Vec::new();
    for curve in curves {
        match &curve.times {
            Times::Frames { rate: other, frames } if *other == rate => {
                union = merged(&union, frames, Ord::cmp);
            }
            _ => return None,
        }
    }
    Some(Times::Frames { rate, frames: union.into() })
}

/// Times, each moved to the nearest time of a list within [`NEAR_S`].
fn snapped(times: &Times, list: &[f64]) -> Vec<f64> {
    let nearest = |time: f64| {
        let after = list.partition_point(|t| *t < time);
        let around = [after.checked_sub(1), Some(after)].into_iter().flatten();
        let candidates = around.filter_map(|at| list.get(at)).copied();
        candidates
            .filter(|t| (t - time).abs() <= NEAR_S)
            .min_by(|a, b| (a - time).abs().total_cmp(&(b - time).abs()))
    };
    times.iter().map(|t| nearest(t.0).unwrap_or(t.0)).collect()
}

/// Two ascending lists as one; a common value is taken as often as in the list with more of it.
fn merged<T: Copy>(a: &[T], b: &[T], order: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let mut out = Vec::with_capacity(a.len().max(b.len()));
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (None, None) => return out,
            (Some(_), None) => a.next(),
            (None, Some(_)) => b.next(),
            (Some(x), Some(y)) => match order(x, y) {
                Ordering::Less => a.next(),
                Ordering::Greater => b.next(),
                Ordering::Equal => b.next().and(a.next()),
            },
        };
        out.extend(next);
    }
}

fn resample(curve: &mut Curve, rotates: bool, times: &Times) {
    if curve.times == *times {
        curve.times = times.clone();
        return;
    }
    let mut values: Vec<f32> = Vec::with_capacity(times.len().saturating_mul(curve.width));
    let mut value = Vec::new();
    for key in 0..times.len() {
        let Some(time) = times.get(key) else { break };
        let repeats = times.get(key.saturating_add(1)) == Some(time);
        curve_at(curve, time, if repeats { Side::Before } else { Side::After }, &mut value);
        let previous = values.len().checked_sub(curve.width).and_then(|at| values.get(at..));
        let sign = if rotates && previous.is_some_and(|old| dot(old, &value) < 0.0) { -1.0 } else { 1.0 };
        values.extend(value.iter().map(|v| narrow(sign * v)));
    }
    (curve.times, curve.values) = (times.clone(), values);
}

fn dot(a: &[f32], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| f64::from(*x) * y).sum()
}
