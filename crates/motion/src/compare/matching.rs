//! Matching of joints and channels of two animations.

use super::sides::Side;
use crate::sample::player::Slot;
use dopesheet_core::model::{Channel, NodeIndex, Property, Scene, TargetKind, Track};
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// Positions of the same item on both sides, or of an item on one side alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub(super) a: Option<usize>,
    pub(super) b: Option<usize>,
}

/// Joins equal keys, the first with the first, the second with the second; then items of A alone in its
/// order, and items of B alone behind. An item without a key stays alone.
fn join<K: Hash + Eq>(a: &[Option<K>], b: &[Option<K>]) -> Vec<Match> {
    let mut places: HashMap<&K, VecDeque<usize>> = HashMap::new();
    for (place, key) in b.iter().enumerate() {
        if let Some(key) = key {
            places.entry(key).or_default().push_back(place);
        }
    }
    let mut taken = vec![false; b.len()];
    let mut matches: Vec<Match> = Vec::with_capacity(a.len());
    for (place, key) in a.iter().enumerate() {
        let there = key.as_ref().and_then(|key| places.get_mut(key)?.pop_front());
        if let Some(taken) = there.and_then(|there| taken.get_mut(there)) {
            *taken = true;
        }
        matches.push(Match { a: Some(place), b: there });
    }
    let rest = taken.iter().enumerate().filter(|(_, taken)| !**taken);
    matches.extend(rest.map(|(place, _)| Match { a: None, b: Some(place) }));
    matches
}

/// The nodes of two scenes.
pub(super) struct Nodes {
    pub(super) matches: Vec<Match>,
    /// For each node of A, its match.
    of_a: Vec<usize>,
    /// For each node of B, its match.
    of_b: Vec<usize>,
}

impl Nodes {
    /// Joins nodes by their names; of equal names the first with the first, and so on.
    pub(super) fn new(a: &Scene, b: &Scene) -> Self {
        let names = |scene: &Scene| scene.nodes.iter().map(|n| Some(n.name.clone())).collect::<Vec<_>>();
        let matches = join(&names(a), &names(b));
        let (mut of_a, mut of_b) = (vec![0; a.nodes.len()], vec![0; b.nodes.len()]);
        for (place, found) in matches.iter().enumerate() {
            for (places, node) in [(&mut of_a, found.a), (&mut of_b, found.b)] {
                if let Some(own) = node.and_then(|node| places.get_mut(node)) {
                    *own = place;
                }
            }
        }
        Self { matches, of_a, of_b }
    }

    /// Position of the match of a node of A.
    pub(super) fn of_a(&self, node: usize) -> Option<usize> {
        self.of_a.get(node).copied()
    }

    /// The node of A matched with a node of B.
    pub(super) fn in_a(&self, b: Option<usize>) -> Option<usize> {
        self.matches.get(*self.of_b.get(b?)?)?.a
    }

    /// The node of B matched with a node of A.
    pub(super) fn in_b(&self, a: Option<usize>) -> Option<usize> {
        self.matches.get(*self.of_a.get(a?)?)?.b
    }
}

/// A channel that places no joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spare<'a> {
    pub(super) track: &'a Track,
    pub(super) channel: &'a Channel,
    /// The channel's numbers among the player's.
    pub(super) slot: Slot,
    /// The node of the channel: for a field of view or a colour, the node with the camera or light.
    pub(super) node: Option<usize>,
}

/// The channels of a side that place no joint and have keys.
pub(super) fn spares<'a>(side: &Side<'a>) -> Vec<Spare<'a>> {
    let (scene, clip) = (side.animation.scene, side.animation.clip);
    let spare = |slot: &Slot| {
        let track = clip.tracks.get(slot.track)?;
        let target_node = track.target.node.filter(|node| node.0 < scene.nodes.len());
        let node = target_node.map(|node| optic(scene, track.target.kind, node));
        Some(Spare { track, channel: track.channels.get(slot.channel)?, slot: *slot, node })
    };
    side.player.slots().iter().filter_map(spare).collect()
}

/// The node with the camera or light of a track's node: itself, or a child that turns it to the axis of its
/// direction.
fn optic(scene: &Scene, kind: TargetKind, NodeIndex(node): NodeIndex) -> usize {
    let has = |node: &dopesheet_core::model::Node| match kind {
        TargetKind::Camera => node.camera.is_some(),
        TargetKind::Light => node.light.is_some(),
        _ => true,
    };
    if scene.nodes.get(node).is_none_or(has) {
        return node;
    }
    let is_child = |n: &dopesheet_core::model::Node| n.parent == Some(NodeIndex(node)) && has(n);
    scene.nodes.iter().position(is_child).unwrap_or(node)
}

/// Joins spare channels by kind, name and property, and the rest by the node and property. Weights of all
/// morphs of a node are joined by the node alone, because files name them differently.
pub(super) fn channels(a: &[Spare<'_>], b: &[Spare<'_>], nodes: &Nodes) -> Vec<Match> {
    let by_name = |spare: &Spare<'_>| {
        let target = &spare.track.target;
        (spare.channel.property != Property::Weights)
            .then(|| (target.kind, target.name.clone(), spare.channel.property.clone()))
    };
    let keys = |spares: &[Spare<'_>]| spares.iter().map(by_name).collect::<Vec<_>>();
    let matches = join(&keys(a), &keys(b));
    let (whole, halves): (Vec<_>, Vec<_>) = matches.into_iter().partition(|m| m.a.is_some() && m.b.is_some());
    let left_a: Vec<usize> = halves.iter().filter_map(|m| m.a).collect();
    let left_b: Vec<usize> = halves.iter().filter_map(|m| m.b).collect();
    let by_node = |spares: &[Spare<'_>], left: &[usize], places: &[usize]| {
        let key = |spare: &Spare<'_>| Some((*places.get(spare.node?)?, spare.channel.property.clone()));
        left.iter().map(|at| spares.get(*at).and_then(key)).collect::<Vec<_>>()
    };
    let rest = join(&by_node(a, &left_a, &nodes.of_a), &by_node(b, &left_b, &nodes.of_b));
    let of = |left: &[usize], at: Option<usize>| left.get(at?).copied();
    let rest = rest.iter().map(|m| Match { a: of(&left_a, m.a), b: of(&left_b, m.b) });
    whole.into_iter().chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_joined_by_position_and_the_others_left_over() {
        let names = |list: &[&str]| list.iter().map(|n| Some((*n).to_owned())).collect::<Vec<_>>();
        let matches =
            join(&names(&["root", "hand", "hand", "tail"]), &names(&["hand", "lens", "root", "hand"]));
        let pairs: Vec<_> = matches.iter().map(|m| (m.a, m.b)).collect();
        let expected =
            [(Some(0), Some(2)), (Some(1), Some(0)), (Some(2), Some(3)), (Some(3), None), (None, Some(1))];
        assert_eq!(pairs, expected);
    }
}
