//! The motion of a figure as a clip.

use super::figure::FigureNodes;
use super::{CarryOptions, losses};
use crate::body::curves::{Sampled, Turn, constant, moved_along};
use crate::body::ground;
use crate::body::measures::times;
use crate::body::moves::{Moves, Way};
use crate::body::shape::Body;
use crate::body::tracks::{metres_off, nothing_off, target};
use dopesheet_core::diag::{MaxError, Report};
use dopesheet_core::model::{
    Channel, Clip, HumanBone, NodeIndex, PoseRelation, Property, Scene, SolvedChannel, TargetKind, Track,
};
use dopesheet_core::order;
use dopesheet_core::units::Seconds;
use dopesheet_core::words::counted;
use dopesheet_motion::inside::ChainTransform;
use dopesheet_motion::sample::pose::{Pose, local_pose, model_pose, rest_pose};
use dopesheet_motion::{Side, channel_at};
use glam::{DMat3, DQuat, DVec3};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Shares of the tolerance that a bone may use by itself, tried in turn while the error of the whole figure
/// exceeds the tolerance: errors of a chain add up.
const SHARES: [f64; 4] = [0.5, 0.25, 0.1, 0.04];
/// At how many moments the figure is measured at most.
const MOST_MOMENTS: u32 = 400;
/// Length in metres that counts as zero.
const NOTHING_M: f64 = 1e-6;

/// The position of a node of the figure: a point of a node of the source.
struct FigurePosition {
    figure_node: NodeIndex,
    way: Way,
    /// The point in the node's axes.
    point: DVec3,
}

/// Makes a clip of the figure from a clip of the source.
pub(super) struct Maker<'a> {
    body: &'a Body<'a>,
    nodes: &'a FigureNodes,
    options: &'a CarryOptions<'a>,
    for_avatars: bool,
    moves: Moves<'a>,
    turns: Vec<Turn>,
    places: Vec<FigurePosition>,
    /// Height of the ground, along the figure's way up.
    pub(super) ground: f64,
}

/// A clip under construction.
struct ClipDraft {
    clip: Clip,
    /// Numbers of curves with the source's own keys, and with new keys.
    own: usize,
    found: usize,
}

impl<'a> Maker<'a> {
    pub(super) fn new(
        body: &'a Body<'a>,
        nodes: &'a FigureNodes,
        options: &'a CarryOptions<'a>,
        for_avatars: bool,
        clip: &'a Clip,
    ) -> Self {
        let moves = Moves::of(body.figure.scene, clip);
        let (turns, places, ground) = (Vec::new(), Vec::new(), ground::of(body, &moves, options.floor));
        let mut maker = Self { body, nodes, options, for_avatars, moves, turns, places, ground };
        maker.turns = maker.bones().chain(maker.carrier()).chain(maker.gaze()).collect();
        let hips = body.bones.get(&HumanBone::Hips).zip(nodes.bones.get(&HumanBone::Hips));
        let hips = hips.map(|(hips, figure_node)| maker.place(*figure_node, hips.node, hips.anchor));
        let carrier = body.figure.humanoid.root_motion.zip(nodes.root_motion).map(|(node, figure_node)| {
            let rest = body.rest.get(node.0).map_or(DVec3::ZERO, ChainTransform::place);
            maker.place(figure_node, node.0, rest)
        });
        maker.places = hips.into_iter().chain(carrier).collect();
        maker
    }

    fn bones(&self) -> impl Iterator<Item = Turn> {
        self.body.bones.iter().filter_map(|(bone, joint)| {
            let above = joint.parent.and_then(|parent| self.body.bones.get(&parent));
            let before = above.map(|above| self.body.after(above.turn, above.correction).conjugate());
            Some(Turn {
                node: *self.nodes.bones.get(bone)?,
                way: self.moves.way(above.map(|above| above.turn), joint.turn),
                before: before.unwrap_or(self.body.facing),
                after: self.body.after(joint.turn, joint.correction),
                reach: self.body.reach(*bone),
            })
        })
    }

    /// The turn of the node that carries the whole figure.
    fn carrier(&self) -> Option<Turn> {
        let (source, node) = self.body.figure.humanoid.root_motion.zip(self.nodes.root_motion)?;
        let way = self.moves.way(None, source.0);
        let after = self.body.after(source.0, DQuat::IDENTITY);
        Some(Turn { node, way, before: self.body.facing, after, reach: self.body.reach(HumanBone::Hips) })
    }

    /// The turn of the gaze: by the source's gaze, else by the first eye with a motion.
    fn gaze(&self) -> Option<Turn> {
        let (node, figure) = (self.nodes.look_at?, self.body.figure);
        if let Some(look_at) = &figure.humanoid.look_at {
            let parent = figure.scene.node(look_at.node)?.parent.map(|parent| parent.0);
            let way = self.moves.way(parent, look_at.node.0);
            return Some(Turn { node, way, before: DQuat::IDENTITY, after: DQuat::IDENTITY, reach: 0.0 });
        }
        let head = self.body.bones.get(&HumanBone::Head)?;
        let eyes = [HumanBone::LeftEye, HumanBone::RightEye].into_iter().filter_map(|eye| figure.node(eye));
        let mut ways = eyes.map(|eye| (eye.0, self.moves.way(Some(head.node), eye.0)));
        let (eye, way) = ways.find(|(_, way)| !self.moves.is_stiff(way))?;
        let before = self.body.after(head.node, head.correction).conjugate();
        Some(Turn { node, way, before, after: self.body.after(eye, head.correction), reach: 0.0 })
    }

    fn place(&self, figure_node: NodeIndex, node: usize, point: DVec3) -> FigurePosition {
        let rest = self.body.rest.get(node).unwrap_or(&ChainTransform::IDENTITY);
        let local = rest.matrix.inverse().transform_point3(point);
        let point = if local.is_finite() { local } else { DVec3::ZERO };
        FigurePosition { figure_node, way: self.moves.way(None, node), point }
    }

    fn place_at(&self, place: &FigurePosition, time: Seconds, side: Side) -> DVec3 {
        let end = self.moves.end(&place.way, time, side);
        self.body.facing * end.matrix.transform_point3(place.point) - DVec3::Y * self.ground
    }

    /// Moving nodes that are no bones.
    pub(crate) fn others(&self) -> losses::Others {
        losses::Others::of(self.body.figure, &self.moves, self.ways(), self.options.followers)
    }

    /// The moving nodes of the figure.
    pub(crate) fn moving(&self) -> BTreeSet<NodeIndex> {
        let moves = |chain: &Way| chain.nodes().any(|node| self.moves.moves(node));
        let turning = self.turns.iter().filter(|turn| !self.moves.is_stiff(&turn.way)).map(|turn| turn.node);
        let going = self.places.iter().filter(|point| moves(&point.way)).map(|point| point.figure_node);
        order::set(turning.chain(going))
    }

    /// The clip of the figure; its losses and errors go to `report`.
    pub(crate) fn clip(&self, figure: &Scene, report: &mut Report) -> Clip {
        losses::rest(self.body.figure.scene, self.moves.clip, &self.others(), self.for_avatars, report);
        losses::ground(self.ground, report);
        let mut best: Option<(ClipDraft, MaxError)> = None;
        for share in SHARES {
            let attempt = self.made(figure, share);
            let off = self.apart(figure, &attempt.clip);
            let is_within = attempt.found == 0 || off.value <= self.options.tolerance.length_m;
            if best.as_ref().is_none_or(|(_, least)| off.value < least.value) {
                best = Some((attempt, off));
            }
            if is_within {
                break;
            }
        }
        let Some((result, off)) = best else { return Clip::default() };
        if result.own > 0 {
            report.kept(format!("{} of bones with the source's own keys", counted(result.own, "curve")));
        }
        if result.found > 0 {
            report.approximated(format!("{} of bones, re-keyed", counted(result.found, "curve")), off);
        }
        // A figure with lengths of its own shares none of the source's.
        if self.for_avatars {
            self.report_lengths(figure, report);
        }
        result.clip
    }

    /// The nodes of the figure whose motion comes from the source's rig.
    fn solved(&self) -> HashSet<SolvedChannel> {
        let turns = self.turns.iter().map(|turn| (turn.node, &turn.way));
        let all = turns.chain(self.places.iter().map(|point| (point.figure_node, &point.way)));
        let is_solved = |chain: &Way| chain.nodes().any(|node| self.moves.clip.has_solved(NodeIndex(node)));
        let nodes = all.filter(|(_, chain)| is_solved(chain)).map(|(figure_node, _)| figure_node);
        nodes.flat_map(SolvedChannel::placing).collect()
    }

    fn ways(&self) -> impl Iterator<Item = &Way> {
        self.turns.iter().map(|turn| &turn.way).chain(self.places.iter().map(|point| &point.way))
    }

    fn made(&self, figure: &Scene, share: f64) -> ClipDraft {
        let source = self.moves.clip;
        let mut result = ClipDraft {
            clip: Clip {
                tracks: Vec::new(),
                relation: PoseRelation::Absolute,
                solved: self.solved(),
                ..source.clone()
            },
            own: 0,
            found: 0,
        };
        let mut channels: BTreeMap<NodeIndex, Vec<Channel>> = BTreeMap::new();
        for point in &self.places {
            let channel = self.going(point, share, &mut result);
            channels.entry(point.figure_node).or_default().extend(channel);
        }
        for turn in &self.turns {
            let channel = self.turning(turn, share, &mut result);
            channels.entry(turn.node).or_default().extend(channel);
        }
        for (index, channels) in channels.into_iter().filter(|(_, channels)| !channels.is_empty()) {
            let Some(node) = figure.node(index) else { continue };
            result.clip.tracks.push(Track { target: target(TargetKind::Joint, node, index), channels });
        }
        result
    }

    fn turning(&self, turn: &Turn, share: f64, made: &mut ClipDraft) -> Option<Channel> {
        let (moves, tolerance) = (&self.moves, self.options.tolerance);
        if let Some(value) = turn.still(moves) {
            let is_rest = value.angle_between(DQuat::IDENTITY) < 1e-9;
            return (!is_rest).then(|| {
                Channel::whole(Property::Rotation, constant(&Property::Rotation, &value.to_array()))
            });
        }
        if let Some(curve) = turn.lone(moves) {
            made.own = made.own.saturating_add(1);
            return Some(Channel::whole(Property::Rotation, curve));
        }
        made.found = made.found.saturating_add(1);
        let sampled = Sampled {
            property: Property::Rotation,
            allowance: tolerance.length_m * share / (turn.reach + tolerance.shell_m(true)),
            value: &|time, side| turn.at(moves, time, side).to_array().to_vec(),
        };
        Some(Channel::whole(Property::Rotation, sampled.curve(&times(moves, &turn.way)).0))
    }

    fn going(&self, place: &FigurePosition, share: f64, made: &mut ClipDraft) -> Option<Channel> {
        let moves = place.way.nodes().any(|node| self.moves.moves(node));
        if !moves {
            let value = self.place_at(place, Seconds(0.0), Side::At).to_array();
            return Some(Channel::whole(Property::Translation, constant(&Property::Translation, &value)));
        }
        if let Some(channel) = self.own_way(place) {
            made.own = made.own.saturating_add(1);
            return Some(channel);
        }
        made.found = made.found.saturating_add(1);
        let sampled = Sampled {
            property: Property::Translation,
            allowance: self.options.tolerance.length_m * share,
            value: &|time, side| self.place_at(place, time, side).to_array().to_vec(),
        };
        Some(Channel::whole(Property::Translation, sampled.curve(&times(&self.moves, &place.way)).0))
    }

    /// The source's own keys, if a single curve moves the point.
    fn own_way(&self, place: &FigurePosition) -> Option<Channel> {
        let nodes: Vec<usize> = place.way.nodes().collect();
        let (last, above) = nodes.split_last()?;
        let is_centre = place.point.length() < NOTHING_M;
        let turns = above.iter().any(|node| self.moves.turns(*node)) || self.moves.turns(*last) && !is_centre;
        let grows = nodes.iter().any(|node| self.moves.changing(*node, &Property::Scale).next().is_some());
        let mut channels = nodes
            .iter()
            .enumerate()
            .flat_map(|(at, node)| self.moves.changing(*node, &Property::Translation).map(move |c| (at, c)));
        let (Some((at, channel)), None) = (channels.next(), channels.next()) else { return None };
        if turns || grows || channel.native.is_some() || channel.property != Property::Translation {
            return None;
        }
        let start = Seconds(0.0);
        let parent = nodes.get(..at)?.iter().fold(ChainTransform::IDENTITY, |above, node| {
            above * ChainTransform::from(&self.moves.local(*node, start, Side::At))
        });
        let by = DMat3::from_quat(self.body.facing) * parent.matrix.matrix3;
        let mut value = Vec::new();
        channel_at(channel, start, Side::At, &mut value);
        let value = DVec3::from(value.first_chunk::<3>().copied()?);
        let offset = self.place_at(place, start, Side::At) - by * value;
        let composition = moved_along(&channel.composition, by, offset)?;
        Some(Channel { property: Property::Translation, composition, native: None })
    }

    /// The exact pose of the figure at a time.
    fn pose(&self, figure: &Scene, time: Seconds) -> Pose {
        let mut pose = rest_pose(figure).0;
        for turn in &self.turns {
            if let Some(node) = pose.get_mut(turn.node.0) {
                node.rotation = turn.at(&self.moves, time, Side::At).to_array();
            }
        }
        for point in &self.places {
            if let Some(node) = pose.get_mut(point.figure_node.0) {
                node.translation = self.place_at(point, time, Side::At).to_array();
            }
        }
        Pose(pose)
    }

    fn moments(&self) -> impl Iterator<Item = Seconds> {
        let end = self.moves.clip.duration.0.max(0.0);
        let count = if end > 0.0 { MOST_MOMENTS } else { 0 };
        (0..=count).map(move |n| Seconds(end * f64::from(n) / f64::from(MOST_MOMENTS)))
    }

    /// Largest error of a joint of the figure in a clip, and of points around the joint.
    fn apart(&self, figure: &Scene, clip: &Clip) -> MaxError {
        let shell = self.options.tolerance.shell_m(true);
        let points = [DVec3::ZERO, DVec3::X * shell, DVec3::Y * shell, DVec3::Z * shell];
        let mut largest = nothing_off();
        for time in self.moments() {
            let should = model_pose(figure, &self.pose(figure, time)).0;
            let is = model_pose(figure, &local_pose(figure, clip, time)).0;
            for (node, (a, b)) in should.iter().zip(&is).enumerate() {
                let off = points.map(|point| a.transform_point3(point).distance(b.transform_point3(point)));
                let off = off.into_iter().fold(0.0, f64::max);
                if off > largest.value {
                    largest = metres_off(figure, NodeIndex(node), off, time);
                }
            }
        }
        largest
    }

    /// Reports the largest distance of a joint from the source's joint, since bones of a humanoid keep their
    /// lengths.
    fn report_lengths(&self, figure: &Scene, report: &mut Report) {
        let mut largest = nothing_off();
        for time in self.moments() {
            let pose = model_pose(figure, &self.pose(figure, time)).0;
            for (bone, source_bone) in &self.body.bones {
                let Some(node) = self.nodes.bones.get(bone).copied() else { continue };
                let point = self.place(node, source_bone.node, source_bone.anchor);
                let Some(joint) = pose.get(node.0) else { continue };
                let off = joint.translation.distance(self.place_at(&point, time, Side::At));
                if off > largest.value {
                    largest = metres_off(figure, node, off, time);
                }
            }
        }
        if largest.value > NOTHING_M {
            report.approximated("joints of the figure, because its bones keep their lengths", largest);
        }
    }
}
