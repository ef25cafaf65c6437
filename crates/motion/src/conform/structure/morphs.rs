//! One track per morph, and one track for all morphs of a node.

use crate::single::narrow;
use dopesheet_core::model::{
    Channel, Clip, Composition, Curve, Law, Laws, MorphSet, MorphSetIndex, Node, NodeIndex, Property, Scene,
    Target, TargetKind, Times, Track, Transform,
};
use std::collections::{HashMap, HashSet};

/// The name of the node that carries morphs of a motion without a model.
const MORPH_NODE: &str = "Morphs";

/// Tracks of single morphs become one track of weights per node with such morphs; exact, because each weight
/// keeps its curve. Of equal names the last counts. Tracks of morphs without a node stay.
pub(in crate::conform) fn merge(scene: &mut Scene) {
    if !scene.tracks().any(moves_a_morph) {
        return;
    }
    let carriers = carriers(scene);
    for clip in &mut scene.clips {
        let weights = merged(clip, &carriers, &scene.nodes, &scene.morph_sets);
        let names: HashSet<&str> =
            carriers.iter().filter_map(|c| scene.morph_sets.get(c.1.0)).flat_map(names).collect();
        clip.tracks.retain(|t| !moves_a_morph(t) || !names.contains(t.target.name.as_str()));
        clip.tracks.extend(weights);
    }
}

fn names(set: &MorphSet) -> impl Iterator<Item = &str> {
    set.morphs.iter().map(String::as_str)
}

fn merged(
    clip: &Clip,
    carriers: &[(NodeIndex, MorphSetIndex)],
    nodes: &[Node],
    sets: &[MorphSet],
) -> Vec<Track> {
    let weights = clip.tracks.iter().filter_map(|t| Some((t.target.name.as_str(), weight_channel(t)?)));
    let by_name: HashMap<_, _> = weights.collect();
    let mut out = Vec::new();
    for &(node, set) in carriers {
        let (Some(own), Some(set)) = (nodes.get(node.0), sets.get(set.0)) else { continue };
        if names(set).any(|name| by_name.contains_key(name)) {
            // Several nodes may have one mesh, and each its own name. One without is called as its mesh.
            let name = if own.name.is_empty() { &set.name } else { &own.name };
            out.push(weights_track(Target::new(TargetKind::Morph, name, node.0, Some(node)), set, &by_name));
        }
    }
    out
}

fn moves_a_morph(track: &Track) -> bool {
    weight_channel(track).is_some()
}

/// The channel of a track that moves one morph, and its only curve.
fn weight_channel(track: &Track) -> Option<(&Channel, &Curve)> {
    let is_weight = |c: &&Channel| track.target.kind == TargetKind::Morph && c.property == Property::Weight;
    let channel = track.channels.iter().find(is_weight)?;
    match &channel.composition {
        Composition::Whole(curve) if curve.width == 1 => Some((channel, curve)),
        Composition::Components(curves) if curves.len() == 1 => Some((channel, curves.first()?)),
        _ => None,
    }
}

/// A curve in the unit of weights: vectors of weights have no native unit.
fn in_weights(mut curve: Curve, channel: &Channel) -> Curve {
    let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
    if scale == 1.0 {
        return curve;
    }
    curve
        .change_rows(|row, _| row.iter_mut().for_each(|number| *number = narrow(f64::from(*number) * scale)));
    curve
}

/// The nodes with morphs. A motion without a model gets one node for all of them; a model, which has meshes,
/// gets none, because no mesh would answer to it.
fn carriers(scene: &mut Scene) -> Vec<(NodeIndex, MorphSetIndex)> {
    let carriers: Vec<_> =
        scene.nodes.iter().enumerate().filter_map(|(i, n)| Some((NodeIndex(i), n.morphs?))).collect();
    if !carriers.is_empty() || scene.nodes.iter().any(|node| node.mesh.is_some()) {
        return carriers;
    }
    let mut seen = HashSet::new();
    let tracks = scene.tracks().filter(|t| moves_a_morph(t));
    let names = tracks.map(|t| &t.target.name).filter(|name| seen.insert(*name)).cloned().collect();
    let set = MorphSetIndex(scene.morph_sets.len());
    scene.morph_sets.push(MorphSet { name: MORPH_NODE.into(), morphs: names, rest: Vec::new() });
    let node = Node { morphs: Some(set), ..Node::new(MORPH_NODE, None, Transform::IDENTITY) };
    vec![(scene.push_node(node), set)]
}

fn weights_track(target: Target, set: &MorphSet, by_name: &HashMap<&str, (&Channel, &Curve)>) -> Track {
    let curves = set.morphs.iter().enumerate().map(|(index, name)| match by_name.get(name.as_str()) {
        Some((channel, curve)) => in_weights((*curve).clone(), channel),
        None => resting(rest(Some(set), index)),
    });
    let weights = Channel {
        property: Property::Weights,
        composition: Composition::Components(curves.collect()),
        native: None,
    };
    Track { target, channels: vec![weights] }
}

/// A morph's weight at rest.
fn rest(set: Option<&MorphSet>, index: usize) -> f32 {
    set.and_then(|set| set.rest.get(index)).copied().unwrap_or(0.0)
}

/// A weight at rest as a curve.
fn resting(weight: f32) -> Curve {
    Curve::new(Times::Seconds([0.0].into()), 1, vec![weight], Laws::uniform(Law::LINEAR))
}

/// A track of weights becomes one track per morph, named after the morph. Weights that rest at 0 get no
/// track, and of equal tracks only the first stays.
pub fn split(scene: &mut Scene) {
    let (nodes, sets) = (&scene.nodes, &scene.morph_sets);
    for clip in &mut scene.clips {
        let mut singles = Singles::default();
        for track in &mut clip.tracks {
            let set = track.target.node.and_then(|n| nodes.get(n.0)?.morphs).and_then(|m| sets.get(m.0));
            track
                .channels
                .retain(|channel| channel.property != Property::Weights || !singles.add(channel, set));
        }
        clip.tracks.retain(|t| !t.channels.is_empty());
        clip.tracks.append(&mut singles.tracks);
    }
}

/// Tracks of single morphs under construction.
#[derive(Default)]
struct Singles {
    tracks: Vec<Track>,
    by_name: HashMap<String, Vec<usize>>,
}

impl Singles {
    /// Adds the weights of a channel; `false` if they cannot be told apart.
    fn add(&mut self, channel: &Channel, set: Option<&MorphSet>) -> bool {
        match &channel.composition {
            Composition::Components(curves) => {
                for (index, curve) in curves.iter().enumerate() {
                    self.add_one(in_weights(curve.clone(), channel), index, set);
                }
            }
            Composition::Whole(curve) => {
                for index in 0..curve.width {
                    let column =
                        Curve { weighted: None, turns: None, sources: None, ..curve.component(index) };
                    self.add_one(in_weights(column, channel), index, set);
                }
            }
            _ => return false,
        }
        true
    }

    fn add_one(&mut self, curve: Curve, index: usize, set: Option<&MorphSet>) {
        if rest(set, index) == 0.0 && curve == resting(0.0) {
            return;
        }
        let name = set.and_then(|s| s.morphs.get(index)).cloned().unwrap_or_else(|| format!("morph_{index}"));
        let places = self.by_name.entry(name.clone()).or_default();
        let channel = Channel::whole(Property::Weight, curve);
        let tracks = &self.tracks;
        if places.iter().filter_map(|place| tracks.get(*place)).any(|t| t.channels.contains(&channel)) {
            return;
        }
        places.push(self.tracks.len());
        let target = Target::new(TargetKind::Morph, name, self.tracks.len(), None);
        self.tracks.push(Track { target, channels: vec![channel] });
    }
}
