//! Join a motion and the model it moves.

use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{
    CameraIndex, Hierarchy, LightIndex, Node, NodeIndex, Scene, Target, TargetKind, Track, rebase,
};
use std::collections::HashMap;

/// The model with the motion's clips on its nodes, matched by name; of equal names the first in depth-first order.
///
/// Tracks of nodes that the model lacks are left out and listed. Cameras and lights of the motion join the model as
/// nodes of their own.
#[must_use]
pub fn bind(mut motion: Scene, mut model: Scene, names: &NameMap, report: &mut Report) -> Scene {
    if motion.basis != model.basis {
        rebase(&mut motion, &model.basis, None);
    }
    let by_name = first_by_name(&model);
    let adopted = adopt_optics(&motion, &mut model);
    let mut missing = Vec::new();
    for clip in &mut motion.clips {
        clip.tracks.retain_mut(|track| {
            let bound = rebind(&mut track.target, names, &by_name, &adopted);
            if !bound {
                missing.push(track.target.name.clone());
            }
            bound
        });
    }
    report_missing(&mut missing, report);
    model.clips = motion.clips;
    model.hierarchy = Hierarchy::Known;
    model
}

/// Points a target at its node in the model; `false` if it needs one and there is none.
fn rebind(
    target: &mut Target,
    names: &NameMap,
    by_name: &HashMap<String, NodeIndex>,
    adopted: &HashMap<NodeIndex, NodeIndex>,
) -> bool {
    match target.kind {
        TargetKind::Joint => {
            target.node = by_name.get(names.get(&target.name)).copied();
            target.node.is_some()
        }
        TargetKind::Camera | TargetKind::Light => {
            target.node = target.node.and_then(|node| adopted.get(&node)).copied();
            true
        }
        TargetKind::Morph | TargetKind::Hand | TargetKind::Custom => true,
    }
}

fn report_missing(missing: &mut Vec<String>, report: &mut Report) {
    missing.sort();
    missing.dedup();
    if missing.is_empty() {
        return;
    }
    let fault = Fault::new(
        "unbound-track",
        Place::File,
        "a node in the model for every moving node",
        format!("none for {}: {}", missing.len(), missing.join(", ")),
    );
    report.warn(fault);
    report.dropped(
        format!("tracks of {} nodes: {}", missing.len(), missing.join(", ")),
        "the model has no such nodes",
    );
}

/// The first node of each name in depth-first order.
fn first_by_name(scene: &Scene) -> HashMap<String, NodeIndex> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); scene.nodes.len()];
    let mut stack = Vec::new();
    for (index, node) in scene.nodes.iter().enumerate().rev() {
        match node.parent {
            Some(parent) => children[parent.0].push(index),
            None => stack.push(index),
        }
    }
    let mut found = HashMap::new();
    while let Some(index) = stack.pop() {
        found.entry(scene.nodes[index].name.clone()).or_insert(NodeIndex(index));
        stack.extend(&children[index]);
    }
    found
}

/// Copies the motion's camera and light nodes into the model; yields old node → new node.
fn adopt_optics(motion: &Scene, model: &mut Scene) -> HashMap<NodeIndex, NodeIndex> {
    let mut adopted = HashMap::new();
    for (index, node) in motion.nodes.iter().enumerate() {
        if node.camera.is_none() && node.light.is_none() {
            continue;
        }
        let mut copy = Node::new(node.name.clone(), None, node.rest);
        copy.camera = node.camera.and_then(|camera| motion.cameras.get(camera.0)).map(|camera| {
            model.cameras.push(camera.clone());
            CameraIndex(model.cameras.len() - 1)
        });
        copy.light = node.light.and_then(|light| motion.lights.get(light.0)).map(|light| {
            model.lights.push(light.clone());
            LightIndex(model.lights.len() - 1)
        });
        adopted.insert(NodeIndex(index), model.push_node(copy));
    }
    adopted
}

/// Leaves out the tracks of the first animated node of each clip, as converters that take it for a root do.
pub fn skip_first_node(scene: &mut Scene) {
    for clip in &mut scene.clips {
        let is_joint = |t: &&Track| t.target.kind == TargetKind::Joint;
        if let Some(first) = clip.tracks.iter().find(is_joint).map(|t| t.target.index) {
            clip.tracks.retain(|t| t.target.kind != TargetKind::Joint || t.target.index != first);
        }
    }
}
