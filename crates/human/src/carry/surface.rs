//! Second sets of leg bones, which carry the surface.

use crate::body::figure::LEGS;
use crate::who::names::Vocabulary;
use dopesheet_core::model::{Humanoid, NodeIndex, Scene, Target, Track};
use std::collections::HashMap;

/// The bones from which the surface of a figure hangs; legs of MikuMikuDance's models have a second set of
/// bones for the surface.
#[must_use]
pub fn carrying_surface(scene: &Scene, humanoid: &Humanoid) -> Humanoid {
    let mut carrying = humanoid.clone();
    let by_name: HashMap<&str, usize> =
        scene.nodes.iter().enumerate().map(|(index, node)| (node.name.as_str(), index)).collect();
    for (_, node) in carrying.bones.iter_mut().filter(|(bone, _)| LEGS.as_flattened().contains(bone)) {
        let name = scene.node(*node).map(|node| node.name.as_str()).filter(|name| !name.is_ascii());
        let second = name.map(|name| format!("{name}{}", Vocabulary::CARRIES_SURFACE));
        if let Some(second) = second.and_then(|name| by_name.get(name.as_str())) {
            *node = NodeIndex(*second);
        }
    }
    carrying
}

/// Moves leg bones like the bones beside them that carry the surface, where a rig moved the latter like the former. Programs take legs by
/// their plain names.
pub(super) fn move_alike(scene: &mut Scene, plain: &Humanoid, carrying: &Humanoid) {
    let Scene { nodes, clips, .. } = scene;
    let mut pairs: Vec<(NodeIndex, NodeIndex)> = Vec::new();
    for (bone, node) in &plain.bones {
        let Some(carrier) = carrying.bones.get(bone).filter(|carrier| *carrier != node) else { continue };
        let Some((plain_node, carrier_node)) = nodes.get(node.0).zip(nodes.get(carrier.0)) else { continue };
        let parents = plain_node.parent.zip(carrier_node.parent);
        let hangs_alike = parents.is_some_and(|pair| pair.0 == pair.1 || pairs.contains(&pair));
        if !hangs_alike || plain_node.rest != carrier_node.rest {
            continue;
        }
        pairs.push((*node, *carrier));
        let target = |kind| Target::new(kind, &plain_node.name, node.0, Some(*node));
        for clip in &mut *clips {
            let of_carrier = clip.tracks.iter().filter(|track| track.target.node == Some(*carrier));
            let copies = of_carrier.map(|track| Track { target: target(track.target.kind), ..track.clone() });
            let copies: Vec<Track> = copies.collect();
            clip.tracks.extend(copies);
        }
    }
}
