//! Joints while a pose is solved.

use glam::{DQuat, DVec3};

/// A joint during solving.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joint {
    /// Rotation relative to rest.
    pub(crate) turn: DQuat,
    /// Local translation, rest included.
    pub(crate) translation: DVec3,
}

impl Joint {
    pub(crate) const IDENTITY: Self = Self { turn: DQuat::IDENTITY, translation: DVec3::ZERO };
}

/// A joint on the way from a chain's topmost link to its effector, while the chain is solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) joint: Joint,
    /// The rest rotation, if different from the identity.
    pub(crate) rest: Option<DQuat>,
    /// Rotation and position as seen from the scene.
    pub(crate) turn: DQuat,
    pub(crate) at: DVec3,
}

impl Step {
    pub(crate) const IDENTITY: Self =
        Self { joint: Joint::IDENTITY, rest: None, turn: DQuat::IDENTITY, at: DVec3::ZERO };

    /// The joint's frame for turns: the rotation of its parent times its own rest rotation.
    pub(crate) fn frame(&self, parent: DQuat) -> DQuat {
        self.rest.map_or(parent, |rest| parent * rest)
    }
}
