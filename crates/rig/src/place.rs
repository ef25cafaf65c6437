//! Nodes at rest, and their positions as seen from the scene.

use crate::error::RigError;
use crate::joint::Joint;
use crate::turn::{bounded, bounded_vector, unit};
use dopesheet_core::model::{Node, NodeIndex};
use glam::{DQuat, DVec3};

/// A node at rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RestNode {
    pub(crate) parent: Option<usize>,
    pub(crate) translation: DVec3,
    /// Number of nodes above this node.
    pub(crate) depth: usize,
    /// The rest rotation, if different from the identity.
    pub(crate) turn: Option<DQuat>,
}

impl RestNode {
    /// The node's frame for turns: the rotation of its parent times its own rest rotation.
    pub(crate) fn frame(&self, parent: DQuat) -> DQuat {
        self.turn.map_or(parent, |turn| parent * turn)
    }
}

/// The nodes of a scene at rest.
///
/// # Errors
/// If a node stands before its parent.
pub(crate) fn places(nodes: &[Node]) -> Result<Vec<RestNode>, RigError> {
    let mut places: Vec<RestNode> = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        let parent = node.parent.map(|p| p.0);
        let depth = match parent.map(|parent| places.get(parent)) {
            None => 0,
            Some(Some(parent)) => parent.depth.saturating_add(1),
            Some(None) => return Err(RigError::ParentAfterChild { node: NodeIndex(index) }),
        };
        let turn = unit(node.rest.rotation);
        places.push(RestNode {
            parent,
            translation: bounded_vector(node.rest.translation),
            depth,
            turn: (turn != DQuat::IDENTITY).then_some(turn),
        });
    }
    Ok(places)
}

/// Rotation and position of each node at rest, as seen from the scene.
pub(crate) fn rest_seen_from_scene(nodes: &[RestNode]) -> Vec<(DQuat, DVec3)> {
    let mut rest: Vec<(DQuat, DVec3)> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let (turn, at) = node.parent.and_then(|p| rest.get(p)).copied().unwrap_or_default();
        rest.push((node.frame(turn), (at + turn * node.translation).map(bounded)));
    }
    rest
}

/// A node's parent; `None` for roots.
pub(crate) fn parent(nodes: &[RestNode], node: usize) -> Option<usize> {
    nodes.get(node)?.parent
}

/// A node at rest and its joint in the present state.
pub(crate) fn at_rest_and_now<'a>(
    nodes: &'a [RestNode],
    state: &'a [Joint],
    node: usize,
) -> Option<(&'a RestNode, &'a Joint)> {
    Some((nodes.get(node)?, state.get(node)?))
}

/// Rotation and position of a node as seen from the scene, as the joints are by now.
pub(crate) fn seen_from_scene(nodes: &[RestNode], state: &[Joint], node: usize) -> (DQuat, DVec3) {
    let now = |node: usize| at_rest_and_now(nodes, state, node);
    let Some((rest, joint)) = now(node) else { return (DQuat::IDENTITY, DVec3::ZERO) };
    let (mut turn, mut at) = (rest.frame(DQuat::IDENTITY) * joint.turn, joint.translation);
    let mut above = rest.parent;
    while let Some((rest, joint)) = above.and_then(now) {
        let local = rest.frame(DQuat::IDENTITY) * joint.turn;
        turn = local * turn;
        at = joint.translation + local * at;
        above = rest.parent;
    }
    (turn, at)
}
