//! One track per morph, and one track for all morphs of a node.

use dopesheet_core::model::{
    Channel, Clip, Composition, Curve, MorphSet, MorphSetIndex, Node, NodeIndex, Property, Scene, Target,
    TargetKind, Times, Track, Transform,
};
use std::collections::HashMap;

/// The name of the node that carries morphs of a motion without a model.
const MORPH_NODE: &str = "Morphs";

/// Tracks of single morphs become one track of weights per node that has such morphs; exact, because each weight keeps
/// its own curve.
pub(super) fn merge(scene: &mut Scene) {
    let has_morphs = |clip: &Clip| clip.tracks.iter().any(is_single_morph);
    if !scene.clips.iter().any(has_morphs) {
        return;
    }
    let carriers = carriers(scene);
    let sets = scene.morph_sets.clone();
    for clip in &mut scene.clips {
        let (singles, mut rest): (Vec<Track>, Vec<Track>) = clip.tracks.drain(..).partition(is_single_morph);
        let by_name: HashMap<&str, &Track> = singles.iter().map(|t| (t.target.name.as_str(), t)).collect();
        for &(node, set) in &carriers {
            let Some(set) = sets.get(set.0) else { continue };
            if set.morphs.iter().any(|name| by_name.contains_key(name.as_str())) {
                rest.push(weights_track(node, set, &by_name));
            }
        }
        clip.tracks = rest;
    }
}

fn is_single_morph(track: &Track) -> bool {
    track.target.kind == TargetKind::Morph && track.channels.iter().any(|c| c.property == Property::Weight)
}

/// The nodes that answer to morphs. A motion without a model gets one node for all of them.
fn carriers(scene: &mut Scene) -> Vec<(NodeIndex, MorphSetIndex)> {
    let found: Vec<_> =
        scene.nodes.iter().enumerate().filter_map(|(i, n)| Some((NodeIndex(i), n.morphs?))).collect();
    if !found.is_empty() {
        return found;
    }
    let mut names: Vec<String> = Vec::new();
    for track in scene.clips.iter().flat_map(|c| &c.tracks).filter(|t| is_single_morph(t)) {
        if !names.contains(&track.target.name) {
            names.push(track.target.name.clone());
        }
    }
    scene.morph_sets = vec![MorphSet { name: MORPH_NODE.into(), morphs: names, rest: Vec::new() }];
    let node = Node { morphs: Some(MorphSetIndex(0)), ..Node::new(MORPH_NODE, None, Transform::IDENTITY) };
    vec![(scene.push_node(node), MorphSetIndex(0))]
}

fn weights_track(node: NodeIndex, set: &MorphSet, by_name: &HashMap<&str, &Track>) -> Track {
    let curves = set.morphs.iter().enumerate().map(|(index, name)| {
        let own = by_name.get(name.as_str()).and_then(|t| t.channels.first()).map(|c| &c.composition);
        match own {
            Some(Composition::Whole(curve)) => curve.clone(),
            _ => resting(set.rest.get(index).copied().unwrap_or(0.0)),
        }
    });
    let weights = Channel {
        property: Property::Weights,
        composition: Composition::Components(curves.collect()),
        native: None,
    };
    Track {
        target: Target::new(TargetKind::Morph, set.name.clone(), node.0, Some(node)),
        channels: vec![weights],
    }
}

/// A weight that nothing moves.
fn resting(weight: f32) -> Curve {
    let law = dopesheet_core::model::Law::LINEAR;
    Curve::new(Times::Seconds([0.0].into()), 1, vec![weight], dopesheet_core::model::Laws::uniform(law))
}

/// A track of weights becomes one track per morph.
pub(super) fn split(scene: &mut Scene) {
    let (nodes, sets) = (&scene.nodes, &scene.morph_sets);
    for clip in &mut scene.clips {
        let mut singles: Vec<Track> = Vec::new();
        for track in &mut clip.tracks {
            let set = track.target.node.and_then(|n| nodes.get(n.0)?.morphs).and_then(|m| sets.get(m.0));
            track.channels.retain(|channel| {
                if channel.property != Property::Weights {
                    return true;
                }
                add_singles(&mut singles, &channel.composition, set);
                false
            });
        }
        clip.tracks.retain(|t| !t.channels.is_empty());
        clip.tracks.append(&mut singles);
    }
}

fn add_singles(singles: &mut Vec<Track>, composition: &Composition, set: Option<&MorphSet>) {
    let curves: Vec<Curve> = match composition {
        Composition::Components(curves) => curves.clone(),
        Composition::Whole(curve) => (0..curve.width).map(|column| one_column(curve, column)).collect(),
        _ => Vec::new(),
    };
    for (index, curve) in curves.into_iter().enumerate() {
        let name = set.and_then(|s| s.morphs.get(index)).cloned().unwrap_or_else(|| format!("morph_{index}"));
        if singles.iter().any(|t| t.target.name == name) {
            continue;
        }
        let target = Target::new(TargetKind::Morph, name, singles.len(), None);
        singles.push(Track { target, channels: vec![Channel::whole(Property::Weight, curve)] });
    }
}

fn one_column(curve: &Curve, column: usize) -> Curve {
    let pick =
        |values: &[f32]| values.chunks_exact(curve.width.max(1)).map(|row| row[column]).collect::<Vec<_>>();
    let handles = curve.handles.as_ref().map(|h| {
        Box::new(dopesheet_core::model::Handles { arriving: pick(&h.arriving), leaving: pick(&h.leaving) })
    });
    Curve { width: 1, values: pick(&curve.values), handles, ..curve.clone() }
}
