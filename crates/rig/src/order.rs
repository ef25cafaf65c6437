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
        let (pass, level) = joints[index].map_or((false, 0), |j| (j.after_physics, j.level));
        (pass, level, nodes[index].source_index.unwrap_or(index), index)
    };
    let mut sorted: Vec<usize> = (0..nodes.len()).collect();
    by_key(&mut sorted, |index| key(*index));
    let mut placed = vec![false; nodes.len()];
    let mut order = Vec::with_capacity(nodes.len());
    let mut waiting = Vec::new();
    for index in sorted {
        waiting.push(index);
        while let Some(parent) = parent(nodes, waiting[waiting.len() - 1]).filter(|p| !placed[*p]) {
            let node = waiting[waiting.len() - 1];
            if !placed[node] && key(parent) > key(node) {
                findings
                    .push(RigFinding::ParentSolvedLater { node: NodeIndex(node), parent: NodeIndex(parent) });
            }
            waiting.push(parent);
        }
        for next in waiting.drain(..).rev() {
            if !std::mem::replace(&mut placed[next], true) {
                order.push(next);
            }
        }
    }
    order
}

fn parent(nodes: &[Node], index: usize) -> Option<usize> {
    nodes[index].parent.map(|p| p.0)
}

/// Appends that lead back to the joint they start from: one finding for each circle.
pub(crate) fn append_cycles(joints: &[Option<&RigJoint>], findings: &mut Vec<RigFinding>) {
    let source = |index: usize| joints[index].and_then(|j| j.append).map(|a| a.source.0);
    // The start of the walk that came by each joint first, so that each joint is walked once.
    let mut walked = vec![usize::MAX; joints.len()];
    for start in 0..joints.len() {
        let mut at = start;
        while walked[at] == usize::MAX {
            walked[at] = start;
            at = source(at).unwrap_or(at);
        }
        // A walk that ends on its own trail has gone round a circle, or stands on a joint that takes from nobody.
        if let Some(next) = source(at).filter(|_| walked[at] == start) {
            findings.push(RigFinding::AppendCycle { node: NodeIndex(at), source: NodeIndex(next) });
        }
    }
}
