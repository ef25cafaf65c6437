//! The solved pose of a clip at any time.

use crate::sample::Sampler;
use crate::sample::policy::Side;
use crate::sample::pose::apply;
use dopesheet_core::model::{Clip, PoseRelation, Property, Scene, TargetKind, Transform};
use dopesheet_core::units::Seconds;
use dopesheet_rig::{Behaviour, RigError, RigPose, SolvedPose, Solver};
use std::collections::HashMap;

/// Plays a clip of a scene that has a rig: channels first, then the rig.
#[derive(Debug)]
pub struct Player<'a> {
    channels: Vec<MovedChannel<'a>>,
    rest: Vec<Transform>,
    /// The goal of each chain.
    goals: Vec<usize>,
    solver: Solver,
    inputs: Inputs,
    solved: SolvedPose,
    value: Vec<f64>,
}

/// A channel and its output.
#[derive(Debug)]
struct MovedChannel<'a> {
    sampler: Sampler<'a>,
    moves: Moves<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Moves<'a> {
    /// A node, relative to a base.
    Node { index: usize, base: Transform, property: &'a Property },
    /// A morph of the rig.
    Morph(usize),
    /// Chains of the rig, by their goal.
    Goal(usize),
}

/// Inputs of the rig.
#[derive(Clone, Debug, Default)]
struct Inputs {
    local: Vec<Transform>,
    /// Weight of each morph of the rig.
    weights: Vec<f64>,
    /// Switch of each chain of the rig.
    enabled: Vec<bool>,
}

impl<'a> Player<'a> {
    /// A player at the start of a clip.
    ///
    /// # Errors
    /// If the rig does not fit the scene's nodes.
    pub fn new(scene: &'a Scene, clip: &'a Clip, behaviour: Behaviour) -> Result<Self, RigError> {
        let mut by_name = HashMap::new();
        for (index, morph) in scene.rig.morphs.iter().enumerate() {
            by_name.entry(morph.name.as_str()).or_insert(index);
        }
        let mut channels = Vec::new();
        for track in &clip.tracks {
            for channel in &track.channels {
                let node = track.target.node.map(|node| node.0).filter(|node| *node < scene.nodes.len());
                let moves = match (track.target.kind, &channel.property, node) {
                    (TargetKind::Morph, Property::Weight, _) => {
                        by_name.get(track.target.name.as_str()).copied().map(Moves::Morph)
                    }
                    (TargetKind::Custom, Property::Enabled, Some(goal)) => Some(Moves::Goal(goal)),
                    (_, property, Some(index)) => {
                        let base = base(scene, clip.relation, index);
                        Some(Moves::Node { index, base, property })
                    }
                    _ => None,
                };
                channels.extend(moves.map(|moves| MovedChannel { sampler: Sampler::new(channel), moves }));
            }
        }
        let solver = Solver::new(&scene.nodes, &scene.rig, behaviour)?;
        let inputs = Inputs {
            weights: vec![0.0; scene.rig.morphs.len()],
            enabled: vec![true; scene.rig.ik.len()],
            ..Inputs::default()
        };
        let rest = scene.nodes.iter().map(|node| node.rest).collect();
        let goals = scene.rig.ik.iter().map(|chain| chain.goal.0).collect();
        let solved = solver.pose();
        Ok(Self { channels, rest, goals, solver, inputs, solved, value: Vec::new() })
    }

    /// A player for the rig's inputs alone: nodes without influence on the rig's result stay at rest.
    pub(super) fn of_rig(scene: &'a Scene, clip: &'a Clip, behaviour: Behaviour) -> Result<Self, RigError> {
        let mut player = Self::new(scene, clip, behaviour)?;
        let asked = player.solver.asked();
        player.channels.retain(
            |channel| !matches!(channel.moves, Moves::Node { index, .. } if asked.get(index) != Some(&true)),
        );
        Ok(player)
    }

    /// The pose at a time, approached from a side, after the rig.
    pub fn pose_at(&mut self, time: Seconds, side: Side) -> &SolvedPose {
        self.sample(time, side);
        let Inputs { local, weights, enabled } = &self.inputs;
        self.solver.solve(&RigPose { local, morphs: weights, ik: enabled }, &mut self.solved);
        &self.solved
    }

    /// The local pose last given to the rig.
    pub(super) fn unsolved(&self) -> &[Transform] {
        &self.inputs.local
    }

    /// The solved pose as it was last.
    pub(super) const fn solved(&self) -> &SolvedPose {
        &self.solved
    }

    fn sample(&mut self, time: Seconds, side: Side) {
        let Inputs { local, weights, enabled } = &mut self.inputs;
        local.clone_from(&self.rest);
        for MovedChannel { sampler, moves } in &mut self.channels {
            if !sampler.value_at(time, side, &mut self.value) {
                continue;
            }
            let number = self.value.first().copied().unwrap_or_default();
            match *moves {
                Moves::Node { index, base, property } => {
                    if let Some(transform) = local.get_mut(index) {
                        apply(transform, &base, property, &self.value);
                    }
                }
                Moves::Morph(morph) => weights.iter_mut().skip(morph).take(1).for_each(|w| *w = number),
                Moves::Goal(goal) => {
                    let chains = self.goals.iter().zip(&mut *enabled).filter(|(own, _)| **own == goal);
                    chains.for_each(|(_, enabled)| *enabled = number != 0.0);
                }
            }
        }
    }
}

fn base(scene: &Scene, relation: PoseRelation, index: usize) -> Transform {
    match (relation, scene.nodes.get(index)) {
        (PoseRelation::OnTopOfRest, Some(node)) => node.rest,
        _ => Transform::IDENTITY,
    }
}
