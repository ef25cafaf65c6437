//! Transforms of nodes at any time, beside the library's own evaluation of the same curves.

use dopesheet_core::model::NodeIndex;
use dopesheet_fbx::fbx::{Document, Player};
use std::collections::HashMap;

/// Number of times of a take.
const TIMES: u32 = 23;

/// Largest differences of places, rotations and scales, as ratios of one and of the value.
const TOLERANCE: f64 = 1e-6;

/// The library's nodes in the order of a scene.
fn nodes(file: &ufbx::Scene) -> Vec<&ufbx::Node> {
    let mut waiting: Vec<&ufbx::Node> = file.root_node.children.iter().rev().map(AsRef::as_ref).collect();
    let mut nodes = Vec::new();
    while let Some(node) = waiting.pop() {
        // Views of an editor are no nodes of a scene.
        if node.children.is_empty() && is_view(node) {
            continue;
        }
        nodes.push(node);
        waiting.extend(node.children.iter().rev().map(AsRef::as_ref));
    }
    nodes
}

/// True of a view of MotionBuilder's, and of the switcher between its views.
pub(crate) fn is_view(node: &ufbx::Node) -> bool {
    let is_camera = node.camera.is_some() && node.element.name.starts_with("Producer ");
    is_camera || node.attrib_type == ufbx::ElementType::CameraSwitcher
}

/// Differences between the document's transforms and the library's, and the number of those compared.
pub(crate) fn differences(document: &Document, file: &ufbx::Scene) -> (Vec<String>, usize) {
    let (nodes, mut odd, mut count) = (nodes(file), Vec::new(), 0);
    for (take, stack) in document.takes.iter().zip(&file.anim_stacks) {
        let player = Player {
            curves: &document.curves,
            layers: &take.layers,
            ticks_per_s: document.header.ticks_per_second,
        };
        let moving: HashMap<NodeIndex, _> = take.motions.iter().map(|chain| (chain.node, chain)).collect();
        // Cameras and lights look along other axes.
        let plain =
            nodes.iter().enumerate().filter(|(_, node)| node.camera.is_none() && node.light.is_none());
        for (index, node) in plain {
            let rest = document.still.nodes[index].rest;
            for step in 0..TIMES {
                let length = take.end.0 - take.begin.0;
                let time = take.begin.0 + length * (f64::from(step) - 1.0) / f64::from(TIMES - 3);
                let theirs = ufbx::evaluate_transform(&stack.anim, node, time);
                let ours = moving.get(&NodeIndex(index)).map_or([rest.translation, rest.scale], |chain| {
                    [chain.translation_at(&player, time), chain.scale_at(&player, time)]
                });
                let turn = moving
                    .get(&NodeIndex(index))
                    .map_or(rest.rotation, |chain| chain.rotation_at(&player, time));
                let apart = |a: [f64; 3], b: &ufbx::Vec3| {
                    let each = a.into_iter().zip([b.x, b.y, b.z]);
                    each.map(|(a, b)| (a - b).abs() / (1.0 + b.abs())).fold(0.0, f64::max)
                };
                let q = &theirs.rotation;
                let dot: f64 = turn.iter().zip([q.x, q.y, q.z, q.w]).map(|(a, b)| a * b).sum();
                let off = apart(ours[0], &theirs.translation)
                    .max(apart(ours[1], &theirs.scale))
                    .max(1.0 - dot.abs());
                count += 1;
                if off > TOLERANCE && odd.len() < 5 {
                    let name = node.element.name.as_ref();
                    odd.push(format!("take {:?} node {name:?} at {time} s: {off}", take.name));
                }
            }
        }
    }
    (odd, count)
}
