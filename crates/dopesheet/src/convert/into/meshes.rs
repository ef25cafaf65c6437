//! Weights of morphs that are named after a mesh, for a file whose nodes show that mesh.

use dopesheet_core::diag::Report;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{Node, Property, Scene, Target, Track};
use dopesheet_core::order::distinct;
use dopesheet_core::words::agreeing;

/// Replaces each track of weights that is named after a mesh by one track for each node of `target` that shows
/// the mesh, with the node's name. A track that has the name of a node keeps it.
pub(in crate::convert) fn rename(scene: &mut Scene, target: &Scene, names: &NameMap, report: &mut Report) {
    let mut renamed = Vec::new();
    for clip in &mut scene.clips {
        for track in std::mem::take(&mut clip.tracks) {
            let nodes = nodes_of(&track, target, names);
            if nodes.is_empty() {
                clip.tracks.push(track);
                continue;
            }
            let mesh = names.get(&track.target.name);
            let word = agreeing(nodes.len(), "node", "nodes");
            renamed.push(format!("weights of the mesh {mesh}, for the {word} {}", nodes.join(", ")));
            clip.tracks.extend(nodes.into_iter().map(|node| {
                let target = Target { name: node, ..track.target.clone() };
                Track { target, channels: track.channels.clone() }
            }));
        }
    }
    distinct(&mut renamed);
    renamed.into_iter().for_each(|what| report.kept(what));
}

/// Names of the nodes that show the mesh after which a track of weights is named; empty if a node has the
/// track's name.
fn nodes_of(track: &Track, target: &Scene, names: &NameMap) -> Vec<String> {
    let is_of_weights = track.channels.iter().all(|channel| channel.property == Property::Weights);
    let mesh = names.get(&track.target.name);
    if !is_of_weights || target.nodes.iter().any(|node| node.name == mesh) {
        return Vec::new();
    }
    let shows = |node: &&Node| {
        let set = node.morphs.and_then(|set| target.morph_sets.get(set.0));
        // A name that stands for another one would lead there.
        set.is_some_and(|set| set.name == mesh) && names.get(&node.name) == node.name
    };
    let mut nodes: Vec<String> = target.nodes.iter().filter(shows).map(|node| node.name.clone()).collect();
    nodes.retain(|name| !name.is_empty());
    distinct(&mut nodes);
    nodes
}
