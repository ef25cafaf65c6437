//! Joins a motion and the model that it moves.

use crate::conform::split_weights;
use crate::sample::{Side, channel_at};
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{
    CameraIndex, Channel, Clip, LightIndex, MorphSet, Node, NodeIndex, PoseRelation, Property, Scene,
    TargetKind, Track, rebase,
};
use dopesheet_core::order::distinct;
use dopesheet_core::words::{counted, number};
use std::collections::HashMap;

/// The model with the motion's clips on its nodes, matched by name; of equal names the first in depth-first
/// order, of joints for places, and of nodes with a mesh for weights.
///
/// Tracks of nodes missing in the model are left out and listed. Cameras and lights of the motion join the
/// model as nodes of their own, below the model's nodes with the names of their parents. Weights go by the
/// names of the morphs: a vector of weights becomes single tracks unless the model's node has the same morphs
/// in the same order.
#[must_use]
pub fn bind(mut motion: Scene, mut model: Scene, names: &NameMap, report: &mut Report) -> Scene {
    if motion.basis != model.basis {
        rebase(&mut motion, &model.basis, None);
    }
    let by_name = FirstNodes::of(&model);
    if !weights_match(&motion, &model, names, &by_name) {
        split_weights(&mut motion);
    }
    let adopted = adopt_optics(&motion, &mut model, names, &by_name);
    let model_nodes = ModelNodes { nodes: &motion.nodes, names, by_name: &by_name, adopted: &adopted };
    let (mut all, mut missing) = (Vec::new(), Vec::new());
    for clip in &mut motion.clips {
        clip.tracks.retain_mut(|track| {
            let bound = model_nodes.rebind(track);
            if track.target.kind == TargetKind::Joint {
                all.push(track.target.name.clone());
            }
            if !bound {
                missing.push(track.target.name.clone());
            }
            bound
        });
    }
    distinct(&mut all);
    report_missing(missing, all.len(), report);
    check_root_scales(&motion.clips, &model, |track| track.target.node, report);
    model.clips = motion.clips;
    model
}

/// Nodes of the model for the motion's targets: nodes of the same name, else adopted cameras and lights.
struct ModelNodes<'a> {
    nodes: &'a [Node],
    names: &'a NameMap,
    by_name: &'a FirstNodes,
    adopted: &'a HashMap<NodeIndex, NodeIndex>,
}

impl ModelNodes<'_> {
    /// Points a track's target at its node in the model, or at its morph; `false` if the target needs a node
    /// and there is none.
    fn rebind(&self, track: &mut Track) -> bool {
        let switches = track.channels.iter().any(|channel| channel.property == Property::Enabled);
        let target = &mut track.target;
        let source_node = target.node;
        let adopted = || source_node.and_then(|node| self.adopted.get(&node)).copied();
        let is_weighed = target.kind == TargetKind::Morph;
        let named = |name: &str| self.by_name.get(self.names.get(name), is_weighed);
        target.node = match target.kind {
            TargetKind::Joint => named(&target.name).or_else(adopted),
            TargetKind::Camera | TargetKind::Light => adopted(),
            // What is switched on and off is what a joint does, such as to be the goal of a chain.
            TargetKind::Custom if switches => named(&target.name),
            TargetKind::Morph | TargetKind::Hand | TargetKind::Custom => {
                source_node.and_then(|node| named(&self.nodes.get(node.0)?.name)).or_else(adopted)
            }
        };
        if target.kind == TargetKind::Morph {
            target.name = self.names.get(&target.name).to_owned();
        }
        target.kind != TargetKind::Joint || target.node.is_some()
    }
}

fn report_missing(mut missing: Vec<String>, all: usize, report: &mut Report) {
    distinct(&mut missing);
    if missing.is_empty() {
        return;
    }
    let (count, list) = (missing.len(), missing.join(", "));
    let fault = Fault::new(
        UNBOUND_TRACK,
        Place::File,
        "a node in the model for every moving node",
        format!("none for {count} of {all}: {list}"),
    );
    report.warn(fault);
    report.dropped(format!("tracks of {}: {list}", counted(count, "node")), "the model has no such nodes");
}

/// Code of the finding about tracks of nodes that the model lacks.
pub const UNBOUND_TRACK: &str = "unbound-track";

/// Code of the finding about a clip that resizes a model.
pub const ROOT_SCALE: &str = "root-scale";

/// Largest relative difference between scales that count as equal.
const SAME_SCALE: f64 = 0.01;

/// Warns of clips whose scale of a root is at no key the model's scale, as where a model in centimetres is
/// scaled by 0.01 and the clip by 1: the model grows or shrinks as soon as it moves. `node_of` finds the
/// model's node of a track.
pub fn check_root_scales(
    clips: &[Clip],
    model: &Scene,
    node_of: impl Fn(&Track) -> Option<NodeIndex>,
    report: &mut Report,
) {
    let absolute = clips.iter().filter(|clip| clip.relation == PoseRelation::Absolute);
    for track in absolute.flat_map(|clip| &clip.tracks) {
        let Some(root) = node_of(track).and_then(|node| model.node(node)) else { continue };
        let scale = track.channels.iter().find(|channel| channel.property == Property::Scale);
        let Some(scale) = scale.filter(|_| root.parent.is_none()) else { continue };
        let Some(other) = first_other_scale(scale, root.rest.scale) else { continue };
        let largest = |scale: [f64; 3]| scale.into_iter().map(f64::abs).fold(0.0, f64::max);
        let expected =
            format!("the model's own scale of its root {:?}, {}", root.name, said(root.rest.scale));
        let actual = format!(
            "a clip that sets it to {}: what hangs on it becomes {} times as large (--skip-first leaves a first node out)",
            said(other),
            number(largest(other) / largest(root.rest.scale))
        );
        report.warn(Fault::new(ROOT_SCALE, Place::File, expected, actual));
    }
}

/// The first of a channel's scales if none of its scales is the scale of the rest pose.
fn first_other_scale(scale: &Channel, rest: [f64; 3]) -> Option<[f64; 3]> {
    let times = scale.composition.curves().flat_map(|curve| curve.times.iter());
    let mut value = Vec::new();
    let mut first = None;
    for time in times {
        let is_known = channel_at(scale, time, Side::At, &mut value);
        let sample = value.first_chunk::<3>().filter(|_| is_known)?;
        let is_same = |(a, b): (&f64, f64)| (a - b).abs() <= SAME_SCALE * b.abs();
        if sample.iter().zip(rest).all(is_same) {
            return None;
        }
        first = first.or(Some(*sample));
    }
    first
}

/// A scale in words: one number where all three numbers are the same.
fn said(scale: [f64; 3]) -> String {
    let numbers = scale.map(number);
    match &numbers {
        [x, y, z] if x == y && y == z => x.clone(),
        _ => numbers.join(" "),
    }
}

/// The first joint of each name in depth-first order, and the first node with a mesh.
#[derive(Default)]
struct FirstNodes(HashMap<String, [Option<NodeIndex>; 2]>);

impl FirstNodes {
    /// The node of a name: a joint if there is one, or with `is_weighed` a node with a mesh.
    fn get(&self, name: &str, is_weighed: bool) -> Option<NodeIndex> {
        let [joint, mesh] = *self.0.get(name)?;
        if is_weighed { mesh.or(joint) } else { joint.or(mesh) }
    }

    fn of(scene: &Scene) -> Self {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); scene.nodes.len()];
        let mut stack = Vec::new();
        for (index, node) in scene.nodes.iter().enumerate().rev() {
            match node.parent.and_then(|parent| children.get_mut(parent.0)) {
                Some(siblings) => siblings.push(index),
                None => stack.push(index),
            }
        }
        let mut first = Self::default();
        while let Some(index) = stack.pop() {
            let Some((node, below)) = scene.nodes.get(index).zip(children.get_mut(index)) else { continue };
            let [joint, mesh] = first.0.entry(node.name.clone()).or_default();
            let slot = if node.mesh.is_none() { joint } else { mesh };
            slot.get_or_insert(NodeIndex(index));
            stack.append(below);
        }
        first
    }
}

/// True if every vector of weights of the motion means the same on the model.
fn weights_match(motion: &Scene, model: &Scene, names: &NameMap, by_name: &FirstNodes) -> bool {
    let has_weights = |t: &&Track| t.channels.iter().any(|c| c.property == Property::Weights);
    motion.tracks().filter(has_weights).all(|track| {
        let source = track.target.node.and_then(|node| motion.node(node));
        let there = source.and_then(|node| by_name.get(names.get(&node.name), true));
        match (source.and_then(|n| morphs(motion, n)), there.and_then(|n| morphs(model, model.node(n)?))) {
            (Some(a), Some(b)) => a.morphs == b.morphs,
            _ => false,
        }
    })
}

fn morphs<'a>(scene: &'a Scene, node: &Node) -> Option<&'a MorphSet> {
    scene.morph_sets.get(node.morphs?.0)
}

/// Copies the motion's camera and light nodes into the model, with the parents missing in the model; yields
/// old node → new node.
fn adopt_optics(
    motion: &Scene,
    model: &mut Scene,
    names: &NameMap,
    by_name: &FirstNodes,
) -> HashMap<NodeIndex, NodeIndex> {
    let mut adopted = HashMap::new();
    let has_optics = |node: &Node| node.camera.is_some() || node.light.is_some();
    let needed = with_ancestors(motion, has_optics);
    for ((index, node), _) in motion.nodes.iter().enumerate().zip(needed).filter(|(_, is_needed)| *is_needed)
    {
        let there = by_name.get(names.get(&node.name), false).filter(|_| !has_optics(node));
        let model_node = there.unwrap_or_else(|| {
            let parent = node.parent.and_then(|p| adopted.get(&p)).copied();
            adopt(node, parent, motion, model)
        });
        adopted.insert(NodeIndex(index), model_node);
    }
    adopted
}

/// For each node, true if the node or a node below passes a test.
fn with_ancestors(scene: &Scene, test: impl Fn(&Node) -> bool) -> Vec<bool> {
    let mut passes: Vec<bool> = scene.nodes.iter().map(test).collect();
    for (index, node) in scene.nodes.iter().enumerate().rev() {
        if passes.get(index) == Some(&true)
            && let Some(parent) = node.parent.and_then(|p| passes.get_mut(p.0))
        {
            *parent = true;
        }
    }
    passes
}

fn adopt(node: &Node, parent: Option<NodeIndex>, motion: &Scene, model: &mut Scene) -> NodeIndex {
    let mut copy = Node::new(node.name.clone(), parent, node.rest);
    copy.camera = node.camera.and_then(|camera| motion.cameras.get(camera.0)).map(|camera| {
        let index = CameraIndex(model.cameras.len());
        model.cameras.push(camera.clone());
        index
    });
    copy.light = node.light.and_then(|light| motion.lights.get(light.0)).map(|light| {
        let index = LightIndex(model.lights.len());
        model.lights.push(light.clone());
        index
    });
    model.push_node(copy)
}

/// Leaves out the tracks of the first animated node of each clip, as converters do that take the node for a
/// root.
pub fn skip_first_node(scene: &mut Scene) {
    for clip in &mut scene.clips {
        let is_joint = |t: &&Track| t.target.kind == TargetKind::Joint;
        if let Some(first) = clip.tracks.iter().find(is_joint).map(|t| t.target.index) {
            clip.tracks.retain(|t| t.target.kind != TargetKind::Joint || t.target.index != first);
        }
    }
}
