//! Nodes at rest, and where they are as seen from the scene.

use crate::error::RigError;
use crate::joint::Joint;
use crate::turn::{bounded, bounded_vector, unit};
use dopesheet_core::model::{Node, NodeIndex};
use glam::{DQuat, DVec3};

/// A node at rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) parent: Option<usize>,
    pub(crate) place: DVec3,
    /// Number of nodes above it.
    pub(crate) depth: usize,
    /// The rest rotation, where there is one.
    pub(crate) turn: Option<DQuat>,
}

impl Place {
    /// The frame in which the node turns: its parent's rotation with its own at rest.
    pub(crate) fn frame(&self, parent: DQuat) -> DQuat {
        self.turn.map_or(parent, |turn| parent * turn)
    }
}

/// The nodes of a scene at rest.
///
/// # Errors
/// If one stands before its parent.
pub(crate) fn places(nodes: &[Node]) -> Result<Vec<Place>, RigError> {
    let mut places: Vec<Place> = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        let parent = node.parent.map(|p| p.0);
        if parent.is_some_and(|p| p >= index) {
            return Err(RigError::ParentAfterChild { node: NodeIndex(index) });
        }
        let turn = unit(node.rest.rotation);
        places.push(Place {
            parent,
            place: bounded_vector(node.rest.translation),
            depth: parent.map_or(0, |p| places[p].depth + 1),
            turn: (turn != DQuat::IDENTITY).then_some(turn),
        });
    }
    Ok(places)
}

/// Rotation and position of each node at rest, as seen from the scene.
pub(crate) fn rest_seen_from_scene(nodes: &[Place]) -> Vec<(DQuat, DVec3)> {
    let mut rest: Vec<(DQuat, DVec3)> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let (turn, at) = node.parent.map_or((DQuat::IDENTITY, DVec3::ZERO), |p| rest[p]);
        rest.push((node.frame(turn), (at + turn * node.place).map(bounded)));
    }
    rest
}

/// Rotation and position of a node as seen from the scene, as the joints are by now.
pub(crate) fn seen_from_scene(nodes: &[Place], state: &[Joint], node: usize) -> (DQuat, DVec3) {
    let (mut turn, mut at) = (nodes[node].frame(DQuat::IDENTITY) * state[node].turn, state[node].place);
    let mut above = nodes[node].parent;
    while let Some(node) = above {
        let own = nodes[node].frame(DQuat::IDENTITY) * state[node].turn;
        turn = own * turn;
        at = state[node].place + own * at;
        above = nodes[node].parent;
    }
    (turn, at)
}
