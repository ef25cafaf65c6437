//! Shares of other joints' motion.

use crate::joint::Joint;
use crate::place::{RestNode, seen_from_scene};
use crate::turn::{bounded, share_of};
use dopesheet_core::model::Append;
use glam::{DQuat, DVec3};

/// An append of a joint, with the needed data of its source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    pub(crate) node: usize,
    pub(crate) source: usize,
    ratio: f64,
    rotation: bool,
    translation: bool,
    /// The source's rest pose as seen from the scene, for a local append only.
    scene_rest: Option<(DQuat, DVec3)>,
}

/// A joint with an append: the joint before the append, and its rotation with the append, before chains turn
/// the joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shared {
    unshared: Joint,
    turn: DQuat,
}

impl Shared {
    pub(crate) const NONE: Self = Self { unshared: Joint::IDENTITY, turn: DQuat::IDENTITY };

    /// Takes the append out of the joint again; turns by chains stay.
    pub(crate) fn leave_out(&mut self, joint: &mut Joint) {
        joint.turn *= self.turn.conjugate() * self.unshared.turn;
        self.turn = self.unshared.turn;
    }
}

impl Share {
    pub(crate) fn new(node: usize, append: &Append, scene_rest: (DQuat, DVec3)) -> Self {
        Self {
            node,
            source: append.source.0,
            ratio: bounded(append.ratio),
            rotation: append.rotation,
            translation: append.translation,
            scene_rest: append.local.then_some(scene_rest),
        }
    }

    /// True if the source's motion counts as seen from the scene.
    pub(crate) fn is_local(&self) -> bool {
        self.scene_rest.is_some()
    }

    /// Adds the share to the joint. The source counts in its present state, including its own append and
    /// turns by chains.
    pub(crate) fn add(&self, nodes: &[RestNode], state: &mut [Joint], shared: &mut Shared) {
        let Some(before) = state.get(self.node) else { return };
        shared.unshared = *before;
        let joint = self.added(nodes, state, shared.unshared);
        shared.turn = joint.turn;
        self.store(state, joint);
    }

    /// Replaces the share by a new share of the source's present motion; turns of the joint by chains stay.
    pub(crate) fn add_again(&self, nodes: &[RestNode], state: &mut [Joint], shared: &mut Shared) {
        let Some(now) = state.get(self.node) else { return };
        let chains = now.turn * shared.turn.conjugate();
        let joint = self.added(nodes, state, shared.unshared);
        shared.turn = joint.turn;
        self.store(state, Joint { turn: chains * joint.turn, ..joint });
    }

    fn store(&self, state: &mut [Joint], joint: Joint) {
        if let Some(slot) = state.get_mut(self.node) {
            *slot = joint;
        }
    }

    fn added(&self, nodes: &[RestNode], state: &[Joint], mut joint: Joint) -> Joint {
        let (turn, moved) = self.motion(nodes, state);
        if self.translation {
            joint.translation += (moved * self.ratio).map(bounded);
        }
        if self.rotation {
            joint.turn *= share_of(turn, self.ratio);
        }
        joint
    }

    /// The source's rotation and translation relative to rest: in its parent, or for a local append as seen
    /// from the scene (as in babylon-mmd; other programs read the flag for local appends differently).
    fn motion(&self, nodes: &[RestNode], state: &[Joint]) -> (DQuat, DVec3) {
        match self.scene_rest {
            None => {
                let joint = state.get(self.source).copied().unwrap_or(Joint::IDENTITY);
                let rest = nodes.get(self.source).map_or(DVec3::ZERO, |node| node.translation);
                (joint.turn, joint.translation - rest)
            }
            Some((rest_turn, rest_at)) => {
                let (turn, at) = seen_from_scene(nodes, state, self.source);
                (turn * rest_turn.conjugate(), at - rest_at)
            }
        }
    }
}
