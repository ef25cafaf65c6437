//! Order of the joints' turns.

use crate::error::RigFinding;
use dopesheet_core::model::{Node, NodeIndex, RigJoint};
use dopesheet_core::order::by_key;

/// The nodes in the order of their turns: by pass, level and number in the file, but parents before their children.
pub(crate) fn order(
    nodes: &[Node],
    joints: &[Option<&RigJoint>],
    findings: &mut Vec<RigFinding>,
) -> Vec<usize> {
    let key = |index: usize| {
        let (pass, level) = stage(joints, index);
        let number = nodes.get(index).and_then(|node| node.source_index);
        (pass, level, number.unwrap_or(index), index)
    };
    let mut sorted: Vec<usize> = (0..nodes.len()).collect();
    by_key(&mut sorted, |index| key(*index));
    let mut placed = vec![false; nodes.len()];
    let mut order = Vec::with_capacity(nodes.len());
    let mut waiting = Vec::new();
    for index in sorted {
        waiting.push(index);
        let mut node = index;
        let waits = |node: usize| placed.get(node) == Some(&false);
        while let Some(parent) = parent(nodes, node).filter(|parent| waits(*parent)) {
            if waits(node) && key(parent) > key(node) {
                findings
                    .push(RigFinding::ParentSolvedLater { node: NodeIndex(node), parent: NodeIndex(parent) });
            }
            waiting.push(parent);
            node = parent;
        }
        for next in waiting.drain(..).rev() {
            let waited = placed.get_mut(next).is_some_and(|placed| !std::mem::replace(placed, true));
            order.extend(waited.then_some(next));
        }
    }
    order
}

/// The rig's entry for a joint.
pub(crate) fn entry<'a>(joints: &[Option<&'a RigJoint>], index: usize) -> Option<&'a RigJoint> {
    joints.get(index).copied().flatten()
}

/// Pass and level of a joint's turn; true is the pass after physics.
pub(crate) fn stage(joints: &[Option<&RigJoint>], index: usize) -> (bool, i32) {
    entry(joints, index).map_or((false, 0), |joint| (joint.after_physics, joint.level))
}

fn parent(nodes: &[Node], index: usize) -> Option<usize> {
    nodes.get(index)?.parent.map(|p| p.0)
}

/// Appends that lead back to their own joint: one finding for each circle.
pub(crate) fn append_cycles(joints: &[Option<&RigJoint>], findings: &mut Vec<RigFinding>) {
    let source = |index: usize| entry(joints, index)?.append.map(|a| a.source.0);
    // The start of the walk that came by each joint first, so that each joint is walked once.
    let mut walked = vec![usize::MAX; joints.len()];
    for start in 0..joints.len() {
        let mut at = start;
        while let Some(walk) = walked.get_mut(at).filter(|walk| **walk == usize::MAX) {
            *walk = start;
            at = source(at).unwrap_or(at);
        }
        // A walk that ends on its own trail has gone round a circle, or stands on a joint that takes from nobody.
        if let Some(next) = source(at).filter(|_| walked.get(at) == Some(&start)) {
            findings.push(RigFinding::AppendCycle { node: NodeIndex(at), source: NodeIndex(next) });
        }
    }
}
