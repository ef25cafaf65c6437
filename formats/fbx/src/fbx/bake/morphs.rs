//! Weights of the shapes of a morph.

use super::Key;
use super::clock::Clock;
use crate::fbx::play::Shapes;
use dopesheet_core::model::{
    Channel, Curve, Law, Laws, NodeIndex, Property, Scene, Target, TargetKind, Track,
};
use dopesheet_curve::lerp;
use std::collections::BTreeMap;

/// Weight of a morph over time.
pub(super) struct MorphWeights {
    pub(super) nodes: Vec<NodeIndex>,
    /// Position of the morph in the mesh.
    pub(super) morph: usize,
    /// Weights in the first place; 1 is full effect.
    pub(super) keys: Vec<Key>,
}

/// Weights of each shape of a channel over time, by the keys of the channel: straight in between, with a key at each weight at which
/// another pair of shapes takes turns.
pub(super) fn split(shapes: &Shapes, keys: &[Key]) -> Vec<Vec<Key>> {
    let mut turns: Vec<f64> = shapes.0.iter().copied().chain([0.0]).collect();
    turns.sort_by(f64::total_cmp);
    let mut all: Vec<Key> = Vec::with_capacity(keys.len());
    for key in keys {
        if let Some(last) = all.last().copied().filter(|_| shapes.0.len() > 1) {
            let (from, to) = (last.value[0], key.value[0]);
            let is_between = |turn: &f64| (from.min(to)..from.max(to)).contains(turn) && *turn != from;
            let at = |turn: f64| last.time_s + (key.time_s - last.time_s) * (turn - from) / (to - from);
            let passed = turns
                .iter()
                .copied()
                .filter(is_between)
                .map(|turn| Key { time_s: at(turn), value: [turn, 0.0, 0.0, 0.0] });
            let mut passed: Vec<Key> = passed.filter(|turn| turn.time_s < key.time_s).collect();
            if to < from {
                passed.reverse();
            }
            all.extend(passed);
        }
        all.push(*key);
    }
    let of = |shape: usize| {
        let weight = |key: &Key| shapes.shares(key.value[0]).get(shape).copied().unwrap_or_default();
        all.iter().map(|key| Key { value: [weight(key), 0.0, 0.0, 0.0], ..*key }).collect()
    };
    (0..shapes.0.len()).map(of).collect()
}

/// Track of all morphs of a node. Its keys are those of all its morphs, which is exact, because all are straight in between.
pub(super) fn tracks(all: &[MorphWeights], scene: &Scene, clock: &mut Clock) -> Vec<Track> {
    let mut by_node: BTreeMap<NodeIndex, BTreeMap<usize, &[Key]>> = BTreeMap::new();
    for moved in all {
        for node in &moved.nodes {
            by_node.entry(*node).or_default().insert(moved.morph, &moved.keys);
        }
    }
    let track = |(node, moved): (NodeIndex, BTreeMap<usize, &[Key]>)| {
        let set = scene.morph_sets.get(scene.node(node)?.morphs?.0)?;
        let (mut times, mut values) = (Vec::new(), Vec::new());
        for (time_s, jumps) in key_times(&moved) {
            let sides = if jumps { &[time_s.next_down(), time_s][..] } else { &[time_s] };
            for side_s in sides {
                times.push(time_s);
                let rest = |morph: usize| set.rest.get(morph).copied().unwrap_or(0.0);
                let weight = |morph: usize| moved.get(&morph).map(|keys| weight(keys, *side_s) as f32);
                values
                    .extend((0..set.morphs.len()).map(|morph| weight(morph).unwrap_or_else(|| rest(morph))));
            }
        }
        let curve = Curve::new(clock.times(&times), set.morphs.len(), values, Laws::uniform(Law::LINEAR));
        let channels = vec![Channel::whole(Property::Weights, curve)];
        let name = scene.node(node).map_or("", |node| &node.name);
        Some(Track { target: Target::new(TargetKind::Morph, name, node.0, Some(node)), channels })
    };
    by_node.into_iter().filter_map(track).collect()
}

/// Times of all keys of several lists, ascending, each with true at a jump of any list.
fn key_times(moved: &BTreeMap<usize, &[Key]>) -> Vec<(f64, bool)> {
    let jumps = |keys: &[Key], at: usize| at > 0 && keys[at - 1].time_s == keys[at].time_s;
    let of_list =
        |keys: &&[Key]| -> Vec<_> { (0..keys.len()).map(|at| (keys[at].time_s, jumps(keys, at))).collect() };
    let mut times: Vec<(f64, bool)> = moved.values().flat_map(of_list).collect();
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
