//! Twist bones of a target, which get their share of the twist of the source's limbs.

use super::twist::{Twist, Twisted};
use crate::body::curves::Sampled;
use crate::body::measures::{SHARE, times};
use crate::body::moves::Moves;
use crate::body::shape::Body;
use crate::body::tracks::metres_off;
use dopesheet_core::diag::{MaxError, Report};
use dopesheet_core::model::{Channel, Humanoid, NodeIndex, Property, Scene};
use dopesheet_core::order::ascend;
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;
use dopesheet_motion::Side;
use dopesheet_motion::Tolerance;
use dopesheet_motion::inside::ChainTransform;
use glam::DQuat;

/// Angle in radians that counts as zero.
const NOTHING_RAD: f64 = 1e-4;

/// Least distance of skin from a twist bone, in metres.
const LEAST_SHELL_M: f64 = 1e-3;

/// Limbs of a target with twist bones.
#[derive(Default)]
pub(crate) struct Twists(Vec<Limb>);

/// A limb of the target, and its bones in the figure.
struct Limb {
    twisted: Twisted,
    /// The limb's bone in the figure, and the bone at its end.
    nodes: [NodeIndex; 2],
    /// The node of its end in the target.
    end: NodeIndex,
    /// For each of its nodes, rotations before and behind a turn in the T-pose.
    around: Vec<[DQuat; 2]>,
}

/// Limbs that twist in a clip.
pub(crate) struct Playing<'a> {
    pub(super) moves: &'a Moves<'a>,
    limbs: Vec<(&'a Limb, Vec<bool>)>,
}

/// Turns of the limbs about a bone's ends, each as the index of a limb and the index of a node in the limb.
#[derive(Clone, Copy, Default)]
pub(crate) struct Shared {
    /// Taken off before the bone's rotation: the turn of the node on which the bone hangs.
    before: Option<(usize, usize)>,
    /// Put behind the bone's rotation: the turn of the bone's own node.
    behind: Option<(usize, usize)>,
}

impl Twists {
    /// The limbs of a target with twist bones that the bones of a figure move.
    pub(super) fn of(body: &Body<'_>, figure: &Humanoid) -> Self {
        let limbs = Twisted::all(body).into_iter().filter_map(|twisted| {
            let node_of = |bone| figure.bones.get(&bone).copied();
            let nodes = [node_of(twisted.bone)?, node_of(twisted.end)?];
            let end = body.figure.node(twisted.end)?;
            let correction = body.bones.get(&twisted.bone)?.correction;
            let rest = |node: NodeIndex| {
                let rotation =
                    body.rest.get(node.0).map_or(DQuat::IDENTITY, |rest: &ChainTransform| rest.rotation);
                correction * body.facing * rotation
            };
            let around = twisted.nodes.iter().map(|part| {
                let above = body
                    .figure
                    .scene
                    .node(part.node)
                    .and_then(|node| node.parent)
                    .map_or(DQuat::IDENTITY, rest);
                [above.conjugate(), rest(part.node)]
            });
            let around = around.collect();
            Some(Limb { twisted, nodes, end, around })
        });
        Self(limbs.collect())
    }

    /// The limbs that twist in a motion of the figure; they are reported.
    pub(crate) fn playing<'a>(
        &'a self,
        moves: &'a Moves<'a>,
        target: &Scene,
        report: &mut Report,
    ) -> Playing<'a> {
        let mut playing = Playing { moves, limbs: Vec::new() };
        let mut reported = Vec::new();
        for limb in &self.0 {
            let times = limb.times(moves);
            let twists: Vec<Twist> =
                times.iter().map(|time| limb.twist(moves, Seconds(*time), Side::At)).collect();
            let turns = limb
                .twisted
                .nodes
                .iter()
                .map(|part| twists.iter().any(|twist| part.angle(*twist).abs() > NOTHING_RAD));
            let turns: Vec<bool> = turns.collect();
            if turns.contains(&true) {
                let name = |node: NodeIndex| target.node(node).map_or("", |node| node.name.as_str());
                let names = limb.twisted.nodes.iter().skip(1).map(|part| name(part.node));
                reported.push(format!(
                    "{} with {}",
                    limb.twisted.bone.word(),
                    names.collect::<Vec<_>>().join(", ")
                ));
                playing.limbs.push((limb, turns));
            }
        }
        if !reported.is_empty() {
            let count = counted(reported.len(), "limb");
            report.kept(format!("the twist of {count}, shared with twist bones: {}", reported.join("; ")));
        }
        playing
    }
}

impl Limb {
    fn twist(&self, moves: &Moves<'_>, time: Seconds, side: Side) -> Twist {
        let rotations = self.nodes.map(|node| DQuat::from_array(moves.local(node.0, time, side).rotation));
        let [bone, end] = rotations;
        self.twisted.twist(bone, end)
    }

    /// Times at which the limb's twist may change, in seconds.
    fn times(&self, moves: &Moves<'_>) -> Vec<f64> {
        let [bone, end] = self.nodes;
        let parent = moves.parent(bone.0);
        times(moves, &moves.way(parent, end.0))
    }
}

impl Playing<'_> {
    /// Shares of the twist to take off a bone of the target; `None` for bones of no twisting limb.
    pub(crate) fn shared(&self, node: NodeIndex) -> Option<Shared> {
        let mut shared = Shared::default();
        for (index, (limb, turns)) in self.limbs.iter().enumerate() {
            let turning = |part: usize| turns.get(part).is_some_and(|turns| *turns).then_some((index, part));
            if limb.end == node {
                shared.before = turning(limb.twisted.last());
            }
            if limb.twisted.nodes.first().is_some_and(|part| part.node == node) {
                shared.behind = turning(0);
            }
        }
        (shared.before.is_some() || shared.behind.is_some()).then_some(shared)
    }

    fn turn(&self, of: Option<(usize, usize)>, time: Seconds, side: Side) -> DQuat {
        let limb = of.and_then(|(limb, part)| Some((self.limbs.get(limb)?.0, part)));
        limb.map_or(DQuat::IDENTITY, |(limb, part)| {
            limb.twisted.turn(part, limb.twist(self.moves, time, side))
        })
    }

    /// A bone's rotation in the figure without the shared twist.
    pub(crate) fn without(&self, shared: Shared, turn: DQuat, time: Seconds, side: Side) -> DQuat {
        self.turn(shared.before, time, side).conjugate() * turn * self.turn(shared.behind, time, side)
    }

    /// Adds the times at which the shared twist may change.
    pub(crate) fn add_times(&self, shared: Shared, times: &mut Vec<f64>) {
        for (limb, _) in [shared.before, shared.behind].into_iter().flatten() {
            times.extend(self.limbs.get(limb).into_iter().flat_map(|(limb, _)| limb.times(self.moves)));
        }
        ascend(times);
        times.dedup();
    }

    /// Rotations of the twist bones, with new keys; the errors of the keys are added to `found`.
    pub(crate) fn channels(
        &self,
        target: &Scene,
        tolerance: Tolerance,
        found: &mut Vec<MaxError>,
    ) -> Vec<(NodeIndex, Channel)> {
        let mut channels = Vec::new();
        for (index, (limb, turns)) in self.limbs.iter().enumerate() {
            let parts = limb.twisted.nodes.iter().zip(&limb.around).enumerate().skip(1);
            for (number, (part, [before, after])) in parts {
                let is_turning = |part: usize| turns.get(part).is_some_and(|turns| *turns);
                if !is_turning(number) && !is_turning(part.above) {
                    continue;
                }
                let value = |time: Seconds, side: Side| {
                    let above = self.turn(Some((index, part.above)), time, side).conjugate();
                    let turn = self.turn(Some((index, number)), time, side);
                    (*before * above * turn * *after).normalize().to_array().to_vec()
                };
                let shell = tolerance.shell_m(true).max(LEAST_SHELL_M);
                let allowance = tolerance.length_m * SHARE / shell;
                let sampled = Sampled { property: Property::Rotation, allowance, value: &value };
                let (curve, error) = sampled.curve(&limb.times(self.moves));
                let value = (error.value + allowance / 2.0) * shell;
                found.push(metres_off(target, part.node, value, error.time));
                channels.push((part.node, Channel::whole(Property::Rotation, curve)));
            }
        }
        channels
    }
}
