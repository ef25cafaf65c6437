//! Weights of the shapes of a morph.

use super::Key;
use crate::fbx::play::Shapes;

/// Weights of each shape of a channel over time, by the keys of the channel: straight in between, with a key at each weight at which
/// another pair of shapes takes turns.
pub(super) fn split(shapes: &Shapes, keys: &[Key<1>]) -> Vec<Vec<Key<1>>> {
    let mut turns: Vec<f64> = shapes.0.iter().copied().chain([0.0]).collect();
    turns.sort_by(f64::total_cmp);
    let mut all: Vec<Key<1>> = Vec::with_capacity(keys.len());
    for key in keys {
        if let Some(last) = all.last().copied().filter(|_| shapes.0.len() > 1) {
            let [from, to] = [last.value[0], key.value[0]];
            let is_between = |turn: &f64| (from.min(to)..from.max(to)).contains(turn) && *turn != from;
            let at = |turn: f64| last.time_s + (key.time_s - last.time_s) * (turn - from) / (to - from);
            let passed =
                turns.iter().copied().filter(is_between).map(|turn| Key { time_s: at(turn), value: [turn] });
            let mut passed: Vec<Key<1>> = passed.filter(|turn| turn.time_s < key.time_s).collect();
            if to < from {
                passed.reverse();
            }
            all.extend(passed);
        }
        all.push(*key);
    }
    let of = |shape: usize| {
        let weight = |key: &Key<1>| shapes.shares(key.value[0]).get(shape).copied().unwrap_or_default();
        all.iter().map(|key| Key { value: [weight(key)], ..*key }).collect()
    };
    (0..shapes.0.len()).map(of).collect()
}
