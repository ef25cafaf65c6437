//! One pose.

use crate::compile::Solver;
use crate::joint::Joint;
use crate::place::seen_from_scene;
use crate::pose::{RigPose, SolvedPose};
use crate::schedule::Turn;
use crate::turn::{bounded, bounded_vector, onto_axis, unit};
use dopesheet_core::model::Transform;
use glam::{DQuat, DVec3};

impl Solver {
    /// Solves the rig for a pose. Does not allocate, and depends on nothing but the pose.
    ///
    /// # Panics
    /// If `out` is not of [`Solver::pose`] of this solver.
    pub fn solve(&self, pose: &RigPose<'_>, out: &mut SolvedPose) {
        self.take(pose, out);
        for turn in &self.turns {
            match *turn {
                Turn::Append(at) => self.shares[at].add(&self.nodes, &mut out.state, &mut out.shared[at]),
                Turn::AppendAgain(at) => {
                    self.shares[at].add_again(&self.nodes, &mut out.state, &mut out.shared[at])
                }
                Turn::See(slot) => {
                    out.seen[slot] = seen_from_scene(&self.nodes, &out.state, self.watched[slot]).1
                }
                Turn::Solve(chain) => {
                    if pose.ik.get(chain).copied().unwrap_or(true) {
                        self.chains[chain].solve(&self.nodes, out);
                    }
                }
            }
        }
        self.give(out);
    }

    /// Keys, fixed axes and morphs.
    fn take(&self, pose: &RigPose<'_>, out: &mut SolvedPose) {
        for (index, node) in self.nodes.iter().enumerate() {
            let joint = &mut out.state[index];
            let Some(local) = pose.local.get(index) else {
                *joint = Joint { turn: DQuat::IDENTITY, place: node.place };
                out.local[index].scale = [1.0; 3];
                continue;
            };
            let turn = unit(local.rotation);
            joint.turn = node.turn.map_or(turn, |rest| rest.conjugate() * turn);
            joint.place = bounded_vector(local.translation);
            out.local[index].scale = local.scale;
        }
        for (node, axis) in &self.axes {
            out.state[*node].turn = onto_axis(out.state[*node].turn, *axis);
        }
        self.morphs.weights(pose.morphs, &mut out.morphs);
        self.morphs.apply(&out.morphs, &mut out.state);
    }

    fn give(&self, out: &mut SolvedPose) {
        for (index, node) in self.nodes.iter().enumerate() {
            let Joint { turn, place } = out.state[index];
            let parent = node.parent.map_or(Transform::IDENTITY, |p| out.model[p]);
            let above = DQuat::from_array(parent.rotation);
            let place = place.map(bounded);
            let at = DVec3::from(parent.translation) + above * place;
            let seen = (node.frame(above) * turn).normalize();
            out.model[index] = Transform {
                translation: at.map(bounded).to_array(),
                rotation: seen.to_array(),
                scale: [1.0; 3],
            };
            let local = node.frame(DQuat::IDENTITY) * turn;
            out.local[index].translation = place.to_array();
            out.local[index].rotation = local.to_array();
        }
    }
}
