//! Nodes of a target, with their channels made of the motion of a figure in the T-pose.

use super::legs::LegProportions;
use super::measures::{SHARE, times};
use super::twists::{Playing, Shared, Twists};
use crate::difference::Worst;
use crate::humanoid::retarget::body::{Body, Bone};
use crate::humanoid::retarget::curves::{Sampled, constant, moved, permuted, turned};
use crate::humanoid::retarget::moves::Moves;
use crate::sample::pose::ChainTransform;
use crate::sample::{Side, channel_at};
use crate::tolerance::Tolerance;
use dopesheet_core::diag::{ErrorUnit, MaxError, Report};
use dopesheet_core::model::{
    Channel, Clip, Composition, HumanBone, Humanoid, Node, NodeIndex, Property, Scene, Target, TargetKind,
    Track,
};
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;
use glam::{DAffine3, DMat3, DQuat, DVec3};
use std::collections::BTreeMap;

/// Parts of quaternions, and lengths in metres, that differ by less are the same.
const SAME: f64 = 1e-6;

/// The nodes of a target that take part.
pub(super) struct TargetNodes<'a> {
    figure: &'a Scene,
    target: &'a Scene,
    turns: Vec<BoneRotation>,
    hips: Option<HipTranslation>,
    twists: Twists,
    /// Length of the target's legs, as a multiple of the source's.
    pub(super) ratio: f64,
    tolerance: Tolerance,
}

/// A node that turns as a bone does.
struct BoneRotation {
    node: NodeIndex,
    /// The bone in the figure, and the one that it hangs on in the target, which may be another than in the figure.
    figure_node: NodeIndex,
    above: Option<NodeIndex>,
    /// Rotations before and behind that of the one as seen from the other.
    before: DQuat,
    after: DQuat,
    /// Largest distance from the node of anything that it moves.
    reach: f64,
}

/// Translation of the hips, by the lowest node that carries all bones.
struct HipTranslation {
    node: NodeIndex,
    /// The hips in the figure.
    figure_node: NodeIndex,
    /// The node's position from theirs.
    by: DMat3,
    offset: DVec3,
    /// From the node of the hips to where they stand, at rest: as seen from the node's parent, and from the hips' own axes.
    arm: [DVec3; 2],
    /// Rotations before and behind that of the hips in the figure, for the arm.
    around: [DQuat; 2],
    into: DMat3,
}

impl<'a> TargetNodes<'a> {
    pub(super) fn of(
        figure: &'a Scene,
        (humanoid, body): (&Humanoid, &Body),
        target: &'a Scene,
        legs: Option<(LegProportions, LegProportions)>,
        (tolerance, shares_twist): (Tolerance, bool),
    ) -> Self {
        let ratio = legs.map_or(1.0, |(source, target)| target.length / source.length);
        let twists = figure
            .humanoid
            .as_ref()
            .filter(|_| shares_twist)
            .map(|own| Twists::of(target, humanoid, body, own));
        let (turns, twists) = (Vec::new(), twists.unwrap_or_default());
        let mut nodes = Self { figure, target, turns, hips: None, twists, ratio, tolerance };
        let Some(humanoid) = &figure.humanoid else { return nodes };
        let own = |bone: &HumanBone| body.bones.get(bone).map(|own| NodeIndex(own.node));
        let bones: BTreeMap<NodeIndex, HumanBone> =
            humanoid.bones.keys().filter_map(|bone| Some((own(bone)?, *bone))).collect();
        for (node, bone) in &bones {
            let (Some(own), Some(figure_node)) = (body.bones.get(bone), humanoid.bones.get(bone)) else {
                continue;
            };
            let above = nodes.chain(*node).skip(1).find_map(|node| bones.get(&node));
            let correction = above.and_then(|above| body.bones.get(above)).map(|above| above.correction);
            let under = nodes.above(body, *node).rotation;
            nodes.turns.push(BoneRotation {
                node: *node,
                figure_node: *figure_node,
                above: above.and_then(|above| humanoid.bones.get(above)).copied(),
                before: (correction.unwrap_or(DQuat::IDENTITY) * body.facing * under).conjugate(),
                after: body.after(own.node, own.correction).conjugate(),
                reach: body.reach(*bone),
            });
            if *bone == HumanBone::Hips {
                let carrier = nodes.carrier(*node, bones.keys().copied());
                nodes.hips = Some(nodes.hip_translation((*figure_node, carrier), legs, body, own));
            }
        }
        nodes
    }

    /// The node that translates the hips, and the matrix from world directions into the axes of its parent.
    pub(super) fn lowering(&self) -> Option<(NodeIndex, DMat3)> {
        self.hips.as_ref().map(|hips| (hips.node, hips.into))
    }

    /// A node and those above it.
    fn chain(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + use<'_, 'a> {
        let parent = |node: &NodeIndex| self.target.node(*node)?.parent;
        std::iter::successors(Some(node), parent)
    }

    /// The lowest node at or above the hips that carries all bones; the hips' own if none does.
    fn carrier(&self, hips: NodeIndex, bones: impl Iterator<Item = NodeIndex>) -> NodeIndex {
        let mut carriers: Vec<NodeIndex> = self.chain(hips).collect();
        for bone in bones {
            let own: Vec<NodeIndex> = self.chain(bone).collect();
            carriers.retain(|node| own.contains(node));
        }
        carriers.first().copied().unwrap_or(hips)
    }

    /// The node right above another, at rest.
    fn above(&self, body: &Body, node: NodeIndex) -> ChainTransform {
        let parent = self.target.node(node).and_then(|node| node.parent);
        parent.and_then(|parent| body.rest.get(parent.0)).copied().unwrap_or(ChainTransform::IDENTITY)
    }

    /// The translation of the hips: scaled by the ratio of leg lengths, and as high as straight legs are.
    fn hip_translation(
        &self,
        (figure_node, node): (NodeIndex, NodeIndex),
        legs: Option<(LegProportions, LegProportions)>,
        body: &Body,
        own: &Bone,
    ) -> HipTranslation {
        let rest =
            self.figure.node(figure_node).map_or(DVec3::ZERO, |hips| DVec3::from(hips.rest.translation));
        let raised = match legs {
            Some((source, target)) => target.base - self.ratio * source.base,
            None => own.place.y - self.ratio * rest.y,
        };
        // Places over the ground are those of the source, from the same origin.
        let from = DVec3::Y * raised - body.facing * own.anchor;
        let at_rest = |node: usize| body.rest.get(node).copied().unwrap_or(ChainTransform::IDENTITY);
        let into = self.above(body, node).matrix.inverse();
        let into = if into.is_finite() { into } else { DAffine3::IDENTITY };
        let turn = DMat3::from_quat(body.facing.conjugate());
        let offset = at_rest(node.0).place() + turn * from;
        let hips = at_rest(own.node);
        let arm = own.anchor - hips.place();
        HipTranslation {
            node,
            figure_node,
            by: into.matrix3 * turn * self.ratio,
            offset: into.transform_point3(offset),
            arm: [into.matrix3 * arm, hips.rotation.conjugate() * arm],
            around: [body.facing.conjugate(), body.after(own.node, own.correction).conjugate()],
            into: into.matrix3,
        }
    }

    /// A clip of the figure in the T-pose as one of the target.
    pub(super) fn clip(&self, motion: &Clip, report: &mut Report) -> Clip {
        let moves = Moves::of(self.figure, motion);
        let mut found = Vec::new();
        let mut channels: BTreeMap<NodeIndex, Vec<Channel>> = BTreeMap::new();
        if let Some(hips) = &self.hips {
            channels.entry(hips.node).or_default().push(self.hip_channel(hips, &moves, &mut found));
        }
        let playing = self.twists.playing(&moves, self.target, report);
        let mut shared = Vec::new();
        for turn in &self.turns {
            let own = playing.shared(turn.node);
            let found = if own.is_some() { &mut shared } else { &mut found };
            channels.entry(turn.node).or_default().push(self.rotation_channel(
                turn,
                &moves,
                (&playing, own),
                found,
            ));
        }
        for (node, channel) in playing.channels(self.target, self.tolerance, &mut shared) {
            channels.entry(node).or_default().push(channel);
        }
        report_found("of bones with other parents than a figure's", found, report);
        report_found("of limbs that share their twist", shared, report);
        let mut tracks = Vec::new();
        for (index, mut own) in channels {
            let Some(node) = self.target.node(index) else { continue };
            own.retain(|channel| !is_at_rest(channel, node));
            if !own.is_empty() {
                let number = node.source_index.unwrap_or(index.0);
                let target = Target::new(TargetKind::Joint, node.name.clone(), number, Some(index));
                tracks.push(Track { target, channels: own });
            }
        }
        let turns = self.turns.iter().filter(|turn| motion.solved.contains(&turn.figure_node));
        Clip { tracks, solved: turns.map(|turn| turn.node).collect(), ..motion.clone() }
    }

    /// The rotations of a node, with the keys of the curve that makes them if there is only one.
    fn rotation_channel(
        &self,
        turn: &BoneRotation,
        moves: &Moves<'_>,
        (playing, shared): (&Playing<'_>, Option<Shared>),
        found: &mut Vec<MaxError>,
    ) -> Channel {
        let way = moves.way(turn.above.map(|above| above.0), turn.figure_node.0);
        let value = |time: Seconds, side: Side| {
            let own = moves.turn(&way, time, side);
            let own = shared.map_or(own, |shared| playing.without(shared, own, time, side));
            (turn.before * own * turn.after).normalize().to_array().to_vec()
        };
        if shared.is_none() && moves.is_stiff(&way) {
            let still = constant(&Property::Rotation, &value(Seconds(0.0), Side::At));
            return Channel::whole(Property::Rotation, still);
        }
        if let Some(lone) = moves.lone(&way).filter(|_| shared.is_none()) {
            return Channel::whole(Property::Rotation, turned(&lone, turn.before, turn.after));
        }
        let reach = turn.reach + self.tolerance.shell_m(true);
        let allowance = self.tolerance.length_m * SHARE / reach;
        let sampled = Sampled { property: Property::Rotation, allowance, value: &value };
        let mut times = times(moves, &way);
        if let Some(shared) = shared {
            playing.add_times(shared, &mut times);
        }
        let (curve, worst) = sampled.curve(&times);
        found.push(self.found(turn.node, worst, allowance, reach));
        Channel::whole(Property::Rotation, curve)
    }

    /// Error of a node for which keys were found. Those that are left out cost half of what is allowed at most.
    fn found(&self, node: NodeIndex, worst: Worst, allowance: f64, reach: f64) -> MaxError {
        let target = self.target.node(node).map(|node| node.name.clone()).unwrap_or_default();
        let value = (worst.value + allowance / 2.0) * reach;
        MaxError { value, unit: ErrorUnit::Metre, target, time: worst.time }
    }

    /// The positions that bring the hips to theirs, with the source's keys where nothing else moves them and axes stay axes.
    fn hip_channel(&self, hips: &HipTranslation, moves: &Moves<'_>, found: &mut Vec<MaxError>) -> Channel {
        let way = moves.way(None, hips.figure_node.0);
        let own = moves.changing(hips.figure_node.0, &Property::Translation).next();
        let place =
            |time: Seconds, side: Side| DVec3::from(moves.local(hips.figure_node.0, time, side).translation);
        let value = |time: Seconds, side: Side| {
            let turned = hips.around[0] * moves.turn(&way, time, side) * hips.around[1];
            let arm = hips.arm[0] - hips.into * (turned * hips.arm[1]);
            (hips.by * place(time, side) + hips.offset + arm).to_array().to_vec()
        };
        let is_straight = hips.arm[1].length() < SAME || moves.is_stiff(&way);
        let composition = own.filter(|channel| is_straight && channel.property == Property::Translation);
        let composition = composition.and_then(|channel| {
            let start = Seconds(0.0);
            let mut stored = Vec::new();
            channel_at(channel, start, Side::At, &mut stored);
            let stored = DVec3::from(stored.first_chunk::<3>().copied()?);
            let now = DVec3::from(value(start, Side::At).first_chunk::<3>().copied()?);
            let offset = now - hips.by * stored;
            match &channel.composition {
                Composition::Whole(curve) if curve.width == 3 => {
                    Some(Composition::Whole(moved(curve, hips.by, offset)))
                }
                Composition::Components(curves) => {
                    permuted(curves, hips.by, offset).map(Composition::Components)
                }
                _ => None,
            }
        });
        let composition = composition.unwrap_or_else(|| {
            if own.is_none() && is_straight {
                return Composition::Whole(constant(&Property::Translation, &value(Seconds(0.0), Side::At)));
            }
            let allowance = self.tolerance.length_m * SHARE;
            let sampled = Sampled { property: Property::Translation, allowance, value: &value };
            let (curve, worst) = sampled.curve(&times(moves, &way));
            found.push(self.found(hips.node, worst, allowance, 1.0));
            Composition::Whole(curve)
        });
        Channel { property: Property::Translation, composition, native: None }
    }
}

/// Says what it cost that keys had to be found for some bones.
fn report_found(whose: &str, found: Vec<MaxError>, report: &mut Report) {
    let what = format!("{} {whose}, re-keyed", counted(found.len(), "curve"));
    if let Some(worst) = found.into_iter().max_by(|a, b| a.value.total_cmp(&b.value)) {
        report.approximated(what, worst);
    }
}

/// True if a channel says at every key what its node's rest pose says.
fn is_at_rest(channel: &Channel, node: &Node) -> bool {
    let rest: &[f64] = match channel.property {
        Property::Rotation => &node.rest.rotation,
        _ => &node.rest.translation,
    };
    let is_rest = |value: &[f32], sign: f64| {
        value.iter().zip(rest).all(|(value, rest)| (f64::from(*value) * sign - rest).abs() < SAME)
    };
    match &channel.composition {
        Composition::Whole(curve) => {
            let turns = channel.property == Property::Rotation;
            let mut values = curve.values.chunks_exact(rest.len());
            values.all(|value| is_rest(value, 1.0) || turns && is_rest(value, -1.0))
        }
        _ => false,
    }
}
