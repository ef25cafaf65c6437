//! Solving one pose.

use crate::compile::Solver;
use crate::joint::Joint;
use crate::place::seen_from_scene;
use crate::pose::{RigPose, SolvedPose};
use crate::schedule::ScheduleStep;
use crate::turn::{bounded, bounded_vector, onto_axis, unit};
use dopesheet_core::model::Transform;
use glam::{DQuat, DVec3};

impl Solver {
    /// Solves the rig for a pose. Does not allocate, and depends on the pose alone.
    ///
    /// `out` is the result of [`Solver::pose`] of this solver; in the result of another solver, parts without
    /// room are left out.
    pub fn solve(&self, pose: &RigPose<'_>, out: &mut SolvedPose) {
        self.take(pose, out);
        for step in &self.steps {
            match *step {
                ScheduleStep::Append(at) => {
                    if let (Some(share), Some(shared)) = (self.shares.get(at), out.shared.get_mut(at)) {
                        share.add(&self.nodes, &mut out.state, shared);
                    }
                }
                ScheduleStep::AppendAgain(at) => {
                    if let (Some(share), Some(shared)) = (self.shares.get(at), out.shared.get_mut(at)) {
                        share.add_again(&self.nodes, &mut out.state, shared);
                    }
                }
                ScheduleStep::See(slot) => {
                    if let (Some(node), Some(seen)) = (self.watched.get(slot), out.seen.get_mut(slot)) {
                        (_, *seen) = seen_from_scene(&self.nodes, &out.state, *node);
                    }
                }
                ScheduleStep::Solve(number) => {
                    let on = pose.ik.get(number).copied().unwrap_or(true);
                    if let Some(chain) = self.chains.get(number).filter(|_| on) {
                        chain.solve(&self.nodes, out);
                    }
                }
            }
        }
        self.give(out);
    }

    /// Keys, fixed axes and morphs.
    fn take(&self, pose: &RigPose<'_>, out: &mut SolvedPose) {
        let rest = self.nodes.iter().zip(&mut out.state).zip(&mut out.local);
        for (index, ((node, joint), taken)) in rest.enumerate() {
            let Some(local) = pose.local.get(index) else {
                *joint = Joint { turn: DQuat::IDENTITY, translation: node.translation };
                taken.scale = [1.0; 3];
                continue;
            };
            let turn = unit(local.rotation);
            joint.turn = node.turn.map_or(turn, |rest| rest.conjugate() * turn);
            joint.translation = bounded_vector(local.translation);
            taken.scale = local.scale;
        }
        for (node, axis) in &self.axes {
            if let Some(joint) = out.state.get_mut(*node) {
                joint.turn = onto_axis(joint.turn, *axis);
            }
        }
        self.morphs.weights(pose.morphs, &mut out.morphs);
        self.morphs.apply(&out.morphs, &mut out.state);
    }

    fn give(&self, out: &mut SolvedPose) {
        let solved = self.nodes.iter().zip(&out.state).zip(&mut out.local);
        for (index, ((node, joint), local)) in solved.enumerate() {
            let parent = node.parent.and_then(|p| out.model.get(p)).copied().unwrap_or(Transform::IDENTITY);
            let above = DQuat::from_array(parent.rotation);
            let translation = joint.translation.map(bounded);
            let at = DVec3::from(parent.translation) + above * translation;
            let seen = (node.frame(above) * joint.turn).normalize();
            if let Some(model) = out.model.get_mut(index) {
                *model = Transform {
                    translation: at.map(bounded).to_array(),
                    rotation: seen.to_array(),
                    scale: [1.0; 3],
                };
            }
            local.translation = translation.to_array();
            local.rotation = (node.frame(DQuat::IDENTITY) * joint.turn).to_array();
        }
    }
}
