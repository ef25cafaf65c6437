//! Nodes of a target, with their channels made of the motion of a figure in the T-pose.

use super::twists::{Playing, Shared, Twists};
use crate::body::curves::{Sampled, Turn, constant, moved_along};
use crate::body::figure::upwards;
use crate::body::measures::{SHARE, times};
use crate::body::moves::{Moves, Way};
use crate::body::shape::{Body, Bone};
use crate::body::tracks::{metres_off, report_largest, target};
use dopesheet_core::diag::{MaxError, Report};
use dopesheet_core::model::{
    Channel, Clip, Composition, HumanBone, Node, NodeIndex, Property, Scene, SolvedChannel, TargetKind, Track,
};
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;
use dopesheet_motion::Tolerance;
use dopesheet_motion::inside::ChainTransform;
use dopesheet_motion::{Side, channel_at};
use glam::{DAffine3, DMat3, DQuat, DVec3};
use std::collections::BTreeMap;

/// Smallest difference that counts, in parts of quaternions and in metres.
const SAME: f64 = 1e-6;

/// The nodes of a target that take part in a motion.
pub(super) struct TargetNodes<'a> {
    figure: &'a Scene,
    body: &'a Body<'a>,
    turns: Vec<FigureTurn>,
    hips: Option<HipTranslation>,
    twists: Twists,
    /// Length of the target's legs, as a multiple of the source's.
    pub(super) ratio: f64,
    tolerance: Tolerance,
}

/// The turn of a node of the target by the turn of a node of the figure from the figure's node of the target's bone above, which
/// may be another bone than in the figure.
struct FigureTurn {
    figure_node: NodeIndex,
    turn: Turn,
}

/// Translation of the hips, by the lowest node that carries all bones.
struct HipTranslation {
    node: NodeIndex,
    /// The hips in the figure.
    figure_node: NodeIndex,
    /// The node's position from theirs.
    by: DMat3,
    offset: DVec3,
    /// From the node of the hips to their position at rest: as seen from the node's parent, and from the
    /// hips' own axes.
    arm: [DVec3; 2],
    /// Constant rotations before and behind the rotation of the hips in the figure, for the arm.
    around: [DQuat; 2],
    into: DMat3,
}

impl<'a> TargetNodes<'a> {
    pub(super) fn of(
        figure: &'a Scene,
        source: &Body<'_>,
        body: &'a Body<'a>,
        tolerance: Tolerance,
        shares_twist: bool,
    ) -> Self {
        let (turns, twists, ratio) = (Vec::new(), Twists::default(), body.ratio(source));
        let mut nodes = Self { figure, body, turns, hips: None, twists, ratio, tolerance };
        let Some(humanoid) = &figure.humanoid else { return nodes };
        if shares_twist {
            nodes.twists = Twists::of(body, humanoid);
        }
        let node_of = |bone: &HumanBone| body.bones.get(bone).map(|joint| NodeIndex(joint.node));
        let bones: BTreeMap<NodeIndex, HumanBone> =
            humanoid.bones.keys().filter_map(|bone| Some((node_of(bone)?, *bone))).collect();
        for (node, bone) in &bones {
            let (Some(joint), Some(figure_node)) = (body.bones.get(bone), humanoid.bones.get(bone)) else {
                continue;
            };
            let above = nodes.chain(*node).skip(1).find_map(|node| bones.get(&node));
            let correction = above.and_then(|above| body.bones.get(above)).map(|above| above.correction);
            let under = nodes.above(*node).rotation;
            let above = above.and_then(|above| humanoid.bones.get(above)).map(|above| above.0);
            let turn = Turn {
                node: *node,
                way: Way::of(figure, above, figure_node.0),
                before: (correction.unwrap_or(DQuat::IDENTITY) * body.facing * under).conjugate(),
                after: body.after(joint.node, joint.correction).conjugate(),
                reach: body.reach(*bone),
            };
            nodes.turns.push(FigureTurn { figure_node: *figure_node, turn });
            if *bone == HumanBone::Hips {
                let carrier = nodes.carrier(*node, bones.keys().copied());
                nodes.hips = Some(nodes.hip_translation(*figure_node, carrier, source, joint));
            }
        }
        nodes
    }

    /// The node that translates the hips, and the matrix from world directions into the axes of its parent.
    pub(crate) fn lowering(&self) -> Option<(NodeIndex, DMat3)> {
        self.hips.as_ref().map(|hips| (hips.node, hips.into))
    }

    /// A node and all nodes above.
    fn chain(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + use<'a> {
        upwards(self.body.figure.scene, node)
    }

    /// The lowest node at or above the hips that carries all bones; the hips' own node if there is none.
    fn carrier(&self, hips: NodeIndex, bones: impl Iterator<Item = NodeIndex>) -> NodeIndex {
        let mut carriers: Vec<NodeIndex> = self.chain(hips).collect();
        for bone in bones {
            let chain: Vec<NodeIndex> = self.chain(bone).collect();
            carriers.retain(|node| chain.contains(node));
        }
        carriers.first().copied().unwrap_or(hips)
    }

    /// The node right above another, at rest.
    fn above(&self, node: NodeIndex) -> ChainTransform {
        let parent = self.body.figure.scene.node(node).and_then(|node| node.parent);
        parent.and_then(|parent| self.body.rest.get(parent.0)).copied().unwrap_or(ChainTransform::IDENTITY)
    }

    /// The translation of the hips: scaled by the ratio of leg lengths, and as high as straight legs are.
    fn hip_translation(
        &self,
        figure_node: NodeIndex,
        node: NodeIndex,
        source: &Body<'_>,
        own: &Bone,
    ) -> HipTranslation {
        let body = self.body;
        let rest =
            self.figure.node(figure_node).map_or(DVec3::ZERO, |hips| DVec3::from(hips.rest.translation));
        let raised = match source.base().zip(body.base()) {
            Some((source, target)) => target - self.ratio * source,
            None => own.place.y - self.ratio * rest.y,
        };
        // Places over the ground are those of the source, from the same origin.
        let from = DVec3::Y * raised - body.facing * own.anchor;
        let at_rest = |node: usize| body.rest.get(node).copied().unwrap_or(ChainTransform::IDENTITY);
        let into = self.above(node).matrix.inverse();
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

    /// A clip of the target from a clip of the figure in the T-pose.
    pub(crate) fn clip(&self, motion: &Clip, report: &mut Report) -> Clip {
        let moves = Moves::of(self.figure, motion);
        let mut errors = Vec::new();
        let mut channels: BTreeMap<NodeIndex, Vec<Channel>> = BTreeMap::new();
        if let Some(hips) = &self.hips {
            channels.entry(hips.node).or_default().push(self.hip_channel(hips, &moves, &mut errors));
        }
        let playing = self.twists.playing(&moves, self.body.figure.scene, report);
        let mut shared = Vec::new();
        for FigureTurn { turn, .. } in &self.turns {
            let twist = playing.shared(turn.node);
            let errors = if twist.is_some() { &mut shared } else { &mut errors };
            let channel = self.rotation_channel(turn, &playing, twist, errors);
            channels.entry(turn.node).or_default().push(channel);
        }
        for (node, channel) in playing.channels(self.body.figure.scene, self.tolerance, &mut shared) {
            channels.entry(node).or_default().push(channel);
        }
        let mut report_found = |whose: &str, found: Vec<MaxError>| {
            report_largest(format!("{} {whose}, re-keyed", counted(found.len(), "curve")), found, report);
        };
        report_found("of bones with other parents than a figure's", errors);
        report_found("of limbs that share their twist", shared);
        let mut tracks = Vec::new();
        for (index, mut node_channels) in channels {
            let Some(node) = self.body.figure.scene.node(index) else { continue };
            node_channels.retain(|channel| !is_at_rest(channel, node));
            if !node_channels.is_empty() {
                let target = target(TargetKind::Joint, node, index);
                tracks.push(Track { target, channels: node_channels });
            }
        }
        let solved = self.turns.iter().filter(|turn| motion.has_solved(turn.figure_node));
        let solved = solved.flat_map(|FigureTurn { turn, .. }| SolvedChannel::placing(turn.node)).collect();
        Clip { tracks, solved, ..motion.clone() }
    }

    /// The rotations of a node, with the keys of the only curve of the rotation if there is just one.
    fn rotation_channel(
        &self,
        turn: &Turn,
        playing: &Playing<'_>,
        shared: Option<Shared>,
        found: &mut Vec<MaxError>,
    ) -> Channel {
        let moves = playing.moves;
        if shared.is_none() {
            let still = || Some(constant(&Property::Rotation, &turn.still(moves)?.to_array()));
            if let Some(curve) = still().or_else(|| turn.lone(moves)) {
                return Channel::whole(Property::Rotation, curve);
            }
        }
        let value = |time: Seconds, side: Side| {
            let rotation = moves.turn(&turn.way, time, side);
            let rotation = shared.map_or(rotation, |shared| playing.without(shared, rotation, time, side));
            turn.around(rotation).to_array().to_vec()
        };
        let mut times = times(moves, &turn.way);
        if let Some(shared) = shared {
            playing.add_times(shared, &mut times);
        }
        let reach = turn.reach + self.tolerance.shell_m(true);
        let allowance = self.tolerance.length_m * SHARE / reach;
        let (curve, error) = Sampled { property: Property::Rotation, allowance, value: &value }.curve(&times);
        found.push(metres_off(
            self.body.figure.scene,
            turn.node,
            (error.value + allowance / 2.0) * reach,
            error.time,
        ));
        Channel::whole(Property::Rotation, curve)
    }

    /// The positions of the node that bring the hips to their place, with the source's keys where nothing
    /// else moves the hips and axes stay axes.
    fn hip_channel(&self, hips: &HipTranslation, moves: &Moves<'_>, found: &mut Vec<MaxError>) -> Channel {
        let chain = moves.way(None, hips.figure_node.0);
        let source_channel = moves.changing(hips.figure_node.0, &Property::Translation).next();
        let position =
            |time: Seconds, side: Side| DVec3::from(moves.local(hips.figure_node.0, time, side).translation);
        let value = |time: Seconds, side: Side| {
            let turned = hips.around[0] * moves.turn(&chain, time, side) * hips.around[1];
            let arm = hips.arm[0] - hips.into * (turned * hips.arm[1]);
            (hips.by * position(time, side) + hips.offset + arm).to_array().to_vec()
        };
        let is_straight = hips.arm[1].length() < SAME || moves.is_stiff(&chain);
        let composition =
            source_channel.filter(|channel| is_straight && channel.property == Property::Translation);
        let composition = composition.and_then(|channel| {
            let start = Seconds(0.0);
            let mut stored = Vec::new();
            channel_at(channel, start, Side::At, &mut stored);
            let stored = DVec3::from(stored.first_chunk::<3>().copied()?);
            let now = DVec3::from(value(start, Side::At).first_chunk::<3>().copied()?);
            let offset = now - hips.by * stored;
            moved_along(&channel.composition, hips.by, offset)
        });
        let composition = composition.unwrap_or_else(|| {
            if source_channel.is_none() && is_straight {
                return Composition::Whole(constant(&Property::Translation, &value(Seconds(0.0), Side::At)));
            }
            let allowance = self.tolerance.length_m * SHARE;
            let sampled = Sampled { property: Property::Translation, allowance, value: &value };
            let (curve, error) = sampled.curve(&times(moves, &chain));
            found.push(metres_off(
                self.body.figure.scene,
                hips.node,
                error.value + allowance / 2.0,
                error.time,
            ));
            Composition::Whole(curve)
        });
        Channel { property: Property::Translation, composition, native: None }
    }
}

/// True if a channel has the value of its node's rest pose at every key.
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
