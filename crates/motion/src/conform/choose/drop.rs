//! Drop keys and movement whose effect is within the tolerance.

use crate::difference::{ChannelError, difference, rotation_start, straight_at};
use crate::keys::reduce::{is_nearly, reduce};
use crate::keys::{Allowance, Worst};
use crate::single::narrow;
use dopesheet_core::model::{Blend, Channel, Composition, Curve, Law, Outside, Property, Times};
use std::f64::consts::FRAC_PI_2;

/// A channel with fewer keys, and its error against the given channel; the same channel where no key can be
/// dropped.
///
/// A curve within the allowance of `rest` becomes one key there, so that formats may leave it out; a curve
/// within the allowance of its first value becomes one key of this value.
pub(in crate::conform) fn lighter(
    channel: Channel,
    rest: Option<&[f32]>,
    allowance: &Allowance,
) -> (Channel, ChannelError) {
    let Composition::Whole(curve) = &channel.composition else { return (channel, ChannelError::default()) };
    let holds = curve.before == Outside::Hold && curve.after == Outside::Hold;
    let fewer =
        match [rest, curve.value(0)].into_iter().flatten().find(|v| fits(curve, v, &channel, allowance)) {
            Some(value) if holds => Some(constant(curve, value.to_vec())),
            _ => reduce(curve, &channel.property, allowance),
        };
    let Some(fewer) = fewer else { return (channel, ChannelError::default()) };
    let largest = largest_difference(curve, &fewer, &channel.property);
    let error = ChannelError { largest, bound: between_keys(curve, &channel.property, largest.value) };
    (Channel { composition: Composition::Whole(fewer), ..channel }, error)
}

fn fits(curve: &Curve, value: &[f32], channel: &Channel, allowance: &Allowance) -> bool {
    let is_near = |curve: &Curve| is_nearly(curve, &channel.property, value, allowance);
    curve.len() > 1
        && value.len() == curve.width
        && is_near(curve)
        && handle_ends(curve).is_none_or(|c| is_near(&c))
}

/// End points of the tangents of a curve's cubic segments, a third of the way to the next key: no cubic
/// leaves the hull of its keys and these points. `None` without cubic segments.
pub(in crate::conform) fn handle_ends(curve: &Curve) -> Option<Curve> {
    let handles = curve.handles.as_deref().filter(|_| !curve.laws.all(|law| law.blend != Blend::Hermite))?;
    let mut values = Vec::with_capacity(curve.values.len().saturating_mul(2));
    for (key, next) in (0..).zip(1..curve.len()) {
        let third = (curve.times.get(next)?.0 - curve.times.get(key)?.0) / 3.0;
        let mut push = |key: usize, slopes: &[f32], by: f64| {
            let slopes = curve.row(slopes, key);
            let ends = curve.value(key).into_iter().flatten().zip(slopes.into_iter().flatten());
            values.extend(ends.map(|(value, slope)| narrow(f64::from(*value) + by * f64::from(*slope))));
        };
        push(key, &handles.leaving, third);
        push(next, &handles.arriving, -third);
    }
    Some(Curve { values, handles: None, ..curve.clone() })
}

fn constant(curve: &Curve, value: Vec<f32>) -> Curve {
    let times = match &curve.times {
        Times::Seconds(times) => Times::Seconds(times.iter().take(1).copied().collect()),
        Times::Frames { rate, frames } => {
            Times::Frames { rate: *rate, frames: frames.iter().take(1).copied().collect() }
        }
    };
    let (handles, weights, weighted, turns) = (None, None, None, None);
    Curve { times, values: value, handles, weights, weighted, turns, ..curve.clone() }
}

/// Upper bound of the distance between a curve and straight segments over some of its keys, from the largest
/// distance at the keys; infinite for curves that are not straight.
///
/// Two lines are farthest apart at ends. Two great arcs of length L on the unit sphere are farther apart in between by no more than the
/// factor 1 / cos(L / 2) (Rauch's comparison of Jacobi fields), and a rotation's arc is half its angle.
fn between_keys(curve: &Curve, property: &Property, at_keys: f64) -> f64 {
    if curve.laws.all(|law| law == Law::LINEAR || law == Law::STEP) {
        return at_keys;
    }
    if !curve.laws.all(|law| law == Law::SLERP || law == Law::STEP) {
        return ChannelError::UNKNOWN;
    }
    let rows = curve.values.chunks_exact(curve.width.max(1));
    let turns = rows.clone().zip(rows.skip(1)).map(|(from, to)| difference(property, from, to));
    let longest = 0.5 * turns.fold(0.0, f64::max) + at_keys;
    if longest < FRAC_PI_2 { at_keys / libm::cos(0.5 * longest) } else { ChannelError::UNKNOWN }
}

/// The largest difference at the dropped keys. Between keys both curves are straight.
fn largest_difference(curve: &Curve, reduced: &Curve, property: &Property) -> Worst {
    let (mut largest, mut value, mut exact) = (Worst::default(), Vec::new(), Vec::new());
    let mut next = 0usize;
    for key in 0..curve.len() {
        let (Some(time), Some(own)) = (curve.times.get(key), curve.value(key)) else { break };
        while reduced.times.get(next).is_some_and(|t| t.0 <= time.0) {
            next = next.saturating_add(1);
        }
        let before = next.saturating_sub(1);
        let after = next.min(reduced.len().saturating_sub(1));
        let (Some(from), Some(to)) = (reduced.value(before), reduced.value(after)) else { break };
        let (a, b) = (reduced.times.get(before).unwrap_or(time), reduced.times.get(after).unwrap_or(time));
        let share = if b.0 > a.0 { (time.0 - a.0) / (b.0 - a.0) } else { 0.0 };
        straight_at(from, to, share, rotation_start(property), &mut value);
        exact.clear();
        exact.extend(own.iter().map(|x| f64::from(*x)));
        let is_jump =
            reduced.times.get(before) == Some(time) && curve.times.get(key.saturating_add(1)) == Some(time);
        if !is_jump {
            largest.note(difference(property, &exact, &value), time);
        }
    }
    largest
}
