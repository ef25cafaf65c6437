//! Size of a clip in a file, about.

use super::Coarseness;
use super::grid::Grid;
use crate::conform::tally::key_count;
use crate::sample::moving::changes;
use dopesheet_core::format::{KeyCost, Rounding};
use dopesheet_core::model::{Channel, Clip, Composition, Curve, Times, ValueKind};
use dopesheet_core::order::by_key;

/// Bits of a component of a rotation that hardly differs from the previous component.
const LEAST_BITS: f64 = 1.5;

/// Size of the keys of a clip, in bytes.
pub(in crate::conform) fn room(clip: &Clip, cost: &KeyCost, coarseness: Option<&Coarseness>) -> f64 {
    let mut lists: Vec<&Times> = Vec::new();
    let mut bytes = 0.0;
    for track in &clip.tracks {
        let node = track.target.node.map(|node| node.0);
        for channel in &track.channels {
            // What never changes is not written, or with one key.
            if !changes(channel) {
                continue;
            }
            for curve in channel.composition.curves().filter(|curve| curve.len() > 1) {
                if !lists.iter().any(|list| list.is_same_list(&curve.times)) {
                    lists.push(&curve.times);
                }
            }
            let of = |list: &[f64]| node.and_then(|node| list.get(node)).copied();
            let allowed = coarseness.and_then(|all| match channel.property.kind() {
                ValueKind::Rotation => of(&all.angles_rad),
                ValueKind::Position => of(&all.lengths),
                _ => None,
            });
            bytes += values(channel, cost, allowed);
        }
    }
    by_key(&mut lists, |list| list.len());
    lists.dedup_by(|a, b| a == b);
    bytes + lists.iter().map(|list| cost.list + cost.time * list.len() as f64).sum::<f64>()
}

/// Bytes of the values of a channel, given how coarse they may be.
fn values(channel: &Channel, cost: &KeyCost, allowed: Option<f64>) -> f64 {
    let rotates = channel.property.kind() == ValueKind::Rotation;
    let per_key = if rotates { cost.rotation } else { cost.number * width(channel) };
    let tangents = if channel.composition.curves().any(|c| c.handles.is_some()) { 3.0 } else { 1.0 };
    let plain = per_key * key_count(channel) as f64 * tangents;
    match (&channel.composition, allowed) {
        (Composition::Whole(curve), Some(allowed)) if curve.len() > 1 && curve.handles.is_none() => {
            if rotates { turns(curve, allowed) } else { ways(curve, allowed) }
        }
        _ => plain,
    }
}

fn width(channel: &Channel) -> f64 {
    channel.composition.curves().map(|curve| curve.width).sum::<usize>() as f64
}

/// Bytes of rotations with three components stored as differences.
fn turns(curve: &Curve, allowed_rad: f64) -> f64 {
    let Grid::Three(fineness) = Grid::of_rotations(Rounding::SmallestThree, Some(allowed_rad)) else {
        return 0.0;
    };
    let scale = std::f64::consts::SQRT_2 * f64::from(fineness);
    bits(curve, 3.0 / 4.0, |difference| difference.abs() * scale) / 8.0
}

/// Bytes of numbers stored as differences.
fn ways(curve: &Curve, allowed: f64) -> f64 {
    let step = libm::exp2(libm::log2(allowed).floor());
    bits(curve, 1.0, |difference| difference.abs() / step) / 8.0
}

/// Bits of the differences from key to key, in `steps`.
fn bits(curve: &Curve, part: f64, steps: impl Fn(f64) -> f64) -> f64 {
    let rows = || curve.values.chunks_exact(curve.width);
    let one = |a: &f32, b: &f32| LEAST_BITS + libm::log2(1.0 + steps(f64::from(*a) - f64::from(*b)));
    let pairs = rows().zip(rows().skip(1));
    pairs.flat_map(|(a, b)| a.iter().zip(b)).map(|(a, b)| one(a, b)).sum::<f64>() * part
}
