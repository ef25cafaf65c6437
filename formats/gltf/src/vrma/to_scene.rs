//! Document → scene: a glTF scene with a known figure and with its expressions as morphs.

use super::Vrma;
use super::document::{Document, Extension};
use crate::gltf;
use crate::gltf::parts::Index;
use dopesheet_core::diag::{ConvertError, Report};
use dopesheet_core::format::{Format, ToScene};
use dopesheet_core::model::{
    Channel, Clip, Composition, Expression, HumanBone, Humanoid, LookAt, NodeIndex, Property, Scene, Target,
    TargetKind, Track,
};
use dopesheet_core::order;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn to_scene(
    document: &Document,
    options: &ToScene,
    report: &mut Report,
) -> Result<Scene, ConvertError> {
    let mut scene = gltf::to_scene(Vrma::INFO.id, &document.glb, options, report)?;
    let Some(extension) = &document.extension else { return Ok(scene) };
    let nodes = scene.nodes.iter().enumerate();
    let places = order::map(nodes.filter_map(|(number, node)| Some((node.source_index?, NodeIndex(number)))));
    let node_index = |index: Index| places.get(&(index as usize)).copied();
    scene.humanoid = Some(humanoid(extension, node_index));
    let faces = extension.expressions().filter_map(|(name, node)| Some((node_index(*node)?, name.as_str())));
    let faces = order::map(faces);
    for clip in &mut scene.clips {
        weigh(clip, &faces, report);
    }
    remove(&mut scene, &faces.into_keys().collect());
    Ok(scene)
}

fn humanoid(extension: &Extension, find: impl Fn(Index) -> Option<NodeIndex>) -> Humanoid {
    let bones =
        extension.bones.iter().filter_map(|(word, node)| Some((HumanBone::from_word(word)?, find(*node)?)));
    let expressions = extension.expressions();
    let look_at = extension.look_at.and_then(|look_at| {
        let offset_from_head = look_at.offset_from_head.unwrap_or_default();
        Some(LookAt { node: find(look_at.node)?, offset_from_head })
    });
    Humanoid {
        bones: order::map(bones),
        root_motion: extension.root_motion.and_then(&find),
        expressions: expressions
            .map(|(name, _)| Expression { name: name.clone(), morphs: Vec::new() })
            .collect(),
        look_at,
        rests_in_t_pose: true,
    }
}

/// Positions of the expressions' nodes become weights.
fn weigh(clip: &mut Clip, faces: &BTreeMap<NodeIndex, &str>, report: &mut Report) {
    let mut weights = Vec::new();
    clip.tracks.retain(|track| {
        let Some(name) = track.target.node.and_then(|node| faces.get(&node)) else { return true };
        for channel in &track.channels {
            match (&channel.property, &channel.composition) {
                (Property::Translation, Composition::Whole(curve)) if curve.width == 3 => {
                    let target = Target::new(TargetKind::Morph, *name, weights.len(), None);
                    let channel = Channel::whole(Property::Weight, curve.component(0));
                    weights.push(Track { target, channels: vec![channel] });
                }
                (property, _) => {
                    let why = "an expression has a weight and nothing else";
                    report.dropped(format!("the {} of {name}", property.word()), why);
                }
            }
        }
        false
    });
    clip.tracks.extend(weights);
}

/// Takes out nodes that represent nothing but a number. Nodes with children stay.
fn remove(scene: &mut Scene, unwanted: &BTreeSet<NodeIndex>) {
    let carrying = order::set(scene.nodes.iter().filter_map(|node| node.parent));
    let goes = |node: NodeIndex| unwanted.contains(&node) && !carrying.contains(&node);
    let mut kept = 0;
    let moved: Vec<Option<NodeIndex>> = (0..scene.nodes.len())
        .map(|node| {
            let stays = !goes(NodeIndex(node));
            kept += usize::from(stays);
            stays.then(|| NodeIndex(kept - 1))
        })
        .collect();
    let new = |old: NodeIndex| moved.get(old.0).copied().flatten();
    let mut next = 0;
    scene.nodes.retain(|_| {
        next += 1;
        !goes(NodeIndex(next - 1))
    });
    for node in &mut scene.nodes {
        node.parent = node.parent.and_then(new);
    }
    for track in scene.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        track.target.node = track.target.node.and_then(new);
    }
    for joint in scene.skins.iter_mut().flat_map(|skin| &mut skin.joints) {
        *joint = new(*joint).unwrap_or(*joint);
    }
    if let Some(humanoid) = &mut scene.humanoid {
        humanoid.bones =
            order::map(humanoid.bones.iter().filter_map(|(bone, node)| Some((*bone, new(*node)?))));
        humanoid.root_motion = humanoid.root_motion.and_then(new);
        humanoid.look_at =
            humanoid.look_at.and_then(|look_at| Some(LookAt { node: new(look_at.node)?, ..look_at }));
    }
}
