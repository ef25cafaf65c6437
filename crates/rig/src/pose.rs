//! Input and output of a solver.

use crate::append::Shared;
use crate::joint::{Joint, Step};
use dopesheet_core::model::Transform;
use glam::DVec3;

/// Pose as keyed by a motion, at one time.
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

/// Pose after the rig is solved. Made by [`Solver::pose`](crate::Solver::pose) and reused for each time.
#[derive(Clone, Debug)]
pub struct SolvedPose {
    /// Local transforms in the order of the nodes. Scales are the scales of the input.
    pub local: Vec<Transform>,
    /// The same as seen from the scene, with all scales 1.
    pub model: Vec<Transform>,
    /// Weights in the order of the rig's morphs, with the effects of groups and flips.
    pub morphs: Vec<f64>,
    pub(crate) state: Vec<Joint>,
    pub(crate) path: Vec<Step>,
    pub(crate) seen: Vec<DVec3>,
    pub(crate) shared: Vec<Shared>,
}

/// Numbers of the parts of a pose.
pub(crate) struct Lengths {
    pub(crate) nodes: usize,
    pub(crate) morphs: usize,
    /// Joints on the longest path of a chain.
    pub(crate) longest_path: usize,
    /// Effectors with a recorded earlier position.
    pub(crate) watched: usize,
    pub(crate) shares: usize,
}

impl SolvedPose {
    pub(crate) fn new(lengths: &Lengths) -> Self {
        Self {
            local: vec![Transform::IDENTITY; lengths.nodes],
            model: vec![Transform::IDENTITY; lengths.nodes],
            morphs: vec![0.0; lengths.morphs],
            state: vec![Joint::IDENTITY; lengths.nodes],
            path: vec![Step::IDENTITY; lengths.longest_path],
            seen: vec![DVec3::ZERO; lengths.watched],
            shared: vec![Shared::NONE; lengths.shares],
        }
    }
}
