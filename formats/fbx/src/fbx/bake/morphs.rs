//! Weights of the shapes of a morph.

use super::Key;
use super::clock::Clock;
use super::path::padded;
use crate::fbx::document::MorphChannel;
use crate::fbx::play::Shapes;
use dopesheet_core::model::{
    Channel, Curve, Law, Laws, Node, NodeIndex, Property, Scene, Target, TargetKind, Track,
};
use dopesheet_curve::lerp;
use std::collections::BTreeMap;

/// Weight of the shapes of a morph over time.
pub(super) struct MorphWeights<'a> {
    pub(super) channel: &'a MorphChannel,
    /// Weights of the channel in the first place; 1 is full effect.
    pub(super) keys: Vec<Key>,
}

/// Keys of a channel, with a further key at each weight at which another pair of shapes takes turns.
pub(super) fn with_turns(shapes: &Shapes, keys: Vec<Key>) -> Vec<Key> {
    if shapes.0.len() < 2 {
        return keys;
    }
    let mut turns: Vec<f64> = shapes.0.iter().copied().chain([0.0]).collect();
    turns.sort_by(f64::total_cmp);
    let mut all: Vec<Key> = Vec::with_capacity(keys.len());
    for key in keys {
        if let Some(last) = all.last().copied() {
            let (from, to) = (last.value[0], key.value[0]);
            let is_between = |turn: &&f64| (from.min(to)..from.max(to)).contains(turn) && **turn != from;
            let at = |turn: f64| last.time_s + (key.time_s - last.time_s) * (turn - from) / (to - from);
            let passed = turns.iter().filter(is_between);
            let passed = passed.map(|turn| Key { time_s: at(*turn), value: padded([*turn]) });
            let first = all.len();
            all.extend(passed.filter(|turn| turn.time_s < key.time_s));
            if to < from {
                all[first..].reverse();
            }
        }
        all.push(key);
    }
    all
}

/// Tracks of all morphs of each node. Keys of a track are those of all its channels, which is exact, because all are straight in between.
pub(super) fn tracks(all: &[MorphWeights<'_>], scene: &Scene, clock: &mut Clock) -> Vec<Track> {
    let mut by_mesh: BTreeMap<usize, Vec<&MorphWeights<'_>>> = BTreeMap::new();
    for moved in all {
        by_mesh.entry(moved.channel.mesh.0).or_default().push(moved);
    }
    let track = |(index, node): (usize, &Node)| {
        let moved = by_mesh.get(&node.mesh?.0)?;
        let set = scene.morph_sets.get(node.morphs?.0)?;
        let (mut times, mut values) = (Vec::new(), Vec::new());
        for (time_s, jumps) in key_times(moved) {
            let sides = if jumps { &[time_s.next_down(), time_s][..] } else { &[time_s] };
            for side_s in sides {
                times.push(time_s);
                let mut weights = set.rest.clone();
                for MorphWeights { channel, keys } in moved {
                    let shares = channel.shapes.shares(weight(keys, *side_s));
                    let slots = weights.iter_mut().skip(channel.first_morph);
                    slots.zip(shares).for_each(|(slot, share)| *slot = share as f32);
                }
                values.extend(weights);
            }
        }
        let curve = Curve::new(clock.times(&times), set.morphs.len(), values, Laws::uniform(Law::LINEAR));
        let target = Target::new(TargetKind::Morph, &node.name, index, Some(NodeIndex(index)));
        Some(Track { target, channels: vec![Channel::whole(Property::Weights, curve)] })
    };
    scene.nodes.iter().enumerate().filter_map(track).collect()
}

/// Times of all keys of several lists, ascending, each with true at a jump of any list.
fn key_times(moved: &[&MorphWeights<'_>]) -> Vec<(f64, bool)> {
    let jumps = |keys: &[Key], at: usize| at > 0 && keys[at - 1].time_s == keys[at].time_s;
    let lists = moved.iter().map(|moved| moved.keys.as_slice());
    let all = lists.flat_map(|keys| (0..keys.len()).map(move |at| (keys[at].time_s, jumps(keys, at))));
    let mut times: Vec<(f64, bool)> = all.collect();
    times.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    times.dedup_by_key(|(time_s, _)| *time_s);
    times
}

/// The weight at a time, straight between keys.
fn weight(keys: &[Key], time_s: f64) -> f64 {
    let next = keys.partition_point(|key| key.time_s <= time_s);
    let before = next.checked_sub(1).and_then(|at| keys.get(at));
    match (before, keys.get(next)) {
        (Some(from), Some(to)) => {
            lerp(from.value[0], to.value[0], (time_s - from.time_s) / (to.time_s - from.time_s))
        }
        (Some(key), None) | (None, Some(key)) => key.value[0],
        (None, None) => 0.0,
    }
}
