//! Input and output of a solver.

use crate::append::Shared;
use crate::compile::Solver;
use dopesheet_core::model::Transform;
use glam::{DQuat, DVec3};

/// Pose as a motion keys it, at one time.
#[derive(Clone, Copy, Debug, Default)]
pub struct RigPose<'a> {
    /// Local transforms in the order of the nodes, as a motion keys them; nodes beyond the end are at rest.
    pub local: &'a [Transform],
    /// Weights in the order of the rig's morphs; morphs beyond the end have weight 0.
    pub morphs: &'a [f64],
    /// Switches of the chains, in the order of the rig's chains; true is on, and chains beyond the end are
    /// on.
    pub ik: &'a [bool],
}

/// Pose after the rig is solved. Made by [`Solver::pose`] and reused for each time.
#[derive(Clone, Debug)]
pub struct SolvedPose {
    /// Local transforms in the order of the nodes. Scales are those of the input.
    pub local: Vec<Transform>,
    /// The same as seen from the scene, with all scales 1.
    pub model: Vec<Transform>,
    /// Weights in the order of the rig's morphs, with what groups and flips add.
    pub morphs: Vec<f64>,
    pub(crate) state: Vec<Joint>,
    pub(crate) path: Vec<Step>,
    pub(crate) seen: Vec<DVec3>,
    pub(crate) shared: Vec<Shared>,
}

/// A joint while it is solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joint {
    /// Rotation relative to rest.
    pub(crate) turn: DQuat,
    /// Local translation, rest included.
    pub(crate) place: DVec3,
}

impl Joint {
    pub(crate) const IDENTITY: Self = Self { turn: DQuat::IDENTITY, place: DVec3::ZERO };
}

/// A joint on the way from a chain's topmost link to its effector, while the chain is solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) joint: Joint,
    /// Rotation and position as seen from the scene.
    pub(crate) turn: DQuat,
    pub(crate) at: DVec3,
}

impl SolvedPose {
    pub(crate) fn new(solver: &Solver) -> Self {
        let nodes = solver.nodes.len();
        let longest = solver.chains.iter().map(|c| c.path.len()).max().unwrap_or(0);
        Self {
            local: vec![Transform::IDENTITY; nodes],
            model: vec![Transform::IDENTITY; nodes],
            morphs: vec![0.0; solver.morphs.count],
            state: vec![Joint::IDENTITY; nodes],
            path: vec![Step { joint: Joint::IDENTITY, turn: DQuat::IDENTITY, at: DVec3::ZERO }; longest],
            seen: vec![DVec3::ZERO; solver.watched.len()],
            shared: vec![Shared::NONE; solver.shares.len()],
        }
    }
}
