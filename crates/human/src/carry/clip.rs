//! The motion of a figure as a clip.

use super::losses;
use super::retarget::Retarget;
use super::t_pose::FigureNodes;
use crate::body::curves::{Sampled, constant, moved, permuted, turned};
use crate::body::figure::{Body, Destination};
use crate::body::ground;
use crate::body::moves::{Moves, Way};
use dopesheet_core::diag::{ErrorUnit, MaxError, Report};
use dopesheet_core::model::{
    Channel, Clip, Composition, HumanBone, Humanoid, NodeIndex, PoseRelation, Property, Scene, SolvedChannel,
    Target, TargetKind, Track,
};
use dopesheet_core::order;
use dopesheet_core::order::ascend;
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_core::words::counted;
use dopesheet_motion::Tolerance;
use dopesheet_motion::inside::ChainTransform;
use dopesheet_motion::keys::Worst;
use dopesheet_motion::sample::pose::{Pose, local_pose, model_pose, rest_pose};
use dopesheet_motion::{Side, channel_at};
use glam::{DMat3, DQuat, DVec3};
use std::collections::HashSet;
use std::collections::{BTreeMap, BTreeSet};

/// Shares of the tolerance that a bone may use by itself, tried in turn while the error of the whole figure
/// exceeds the tolerance: errors of a chain add up.
const SHARES: [f64; 4] = [0.5, 0.25, 0.1, 0.04];
/// At how many moments the figure is measured at most.
const MOST_MOMENTS: u32 = 400;
/// Samples per second where the source has no grid; times between samples are examined, too.
const RATE: FrameRate = FrameRate::FPS_30;
/// Length in metres that counts as zero.
const NOTHING_M: f64 = 1e-6;

/// The rotation of a node of the figure: the rotation along a way through the source, between two constant
/// rotations.
struct FigureRotation {
    figure_node: NodeIndex,
    way: Way,
    before: DQuat,
    after: DQuat,
    /// Largest distance from the node to any bone below.
    reach: f64,
}

/// The position of a node of the figure: a point of a node of the source.
struct FigurePosition {
    figure_node: NodeIndex,
    way: Way,
    /// The point in the node's axes.
    point: DVec3,
}

/// Makes a clip of the figure from a clip of the source.
pub(crate) struct Maker<'a> {
    source: &'a Scene,
    humanoid: &'a Humanoid,
    body: &'a Body,
    nodes: &'a FigureNodes,
    options: &'a Retarget<'a>,
    tolerance: Tolerance,
    moves: Moves<'a>,
    turns: Vec<FigureRotation>,
    places: Vec<FigurePosition>,
    /// Height of the ground, along the figure's way up.
    pub(crate) ground: f64,
}

/// A clip under construction.
struct ClipDraft {
    clip: Clip,
    /// Numbers of curves with the source's own keys, and with new keys.
    own: usize,
    found: usize,
}

impl<'a> Maker<'a> {
    pub(crate) fn new(
        source: &'a Scene,
        humanoid: &'a Humanoid,
        body: &'a Body,
        nodes: &'a FigureNodes,
        options: &'a Retarget<'a>,
        clip: &'a Clip,
    ) -> Self {
        let (moves, tolerance) = (Moves::of(source, clip), options.tolerance);
        let (turns, places, ground) = (Vec::new(), Vec::new(), ground::of(body, &moves));
        let mut maker =
            Self { source, humanoid, body, nodes, options, tolerance, moves, turns, places, ground };
        maker.turns = maker.bones().chain(maker.carrier()).chain(maker.gaze()).collect();
        let hips = maker.body.bones.get(&HumanBone::Hips).zip(maker.nodes.bones.get(&HumanBone::Hips));
        let hips = hips.map(|(hips, figure_node)| maker.place(*figure_node, hips.node, hips.anchor));
        let carrier = humanoid.root_motion.zip(nodes.root_motion).map(|(node, figure_node)| {
            let rest = body.rest.get(node.0).map_or(DVec3::ZERO, ChainTransform::place);
            maker.place(figure_node, node.0, rest)
        });
        maker.places = hips.into_iter().chain(carrier).collect();
        maker
    }

    fn bones(&self) -> impl Iterator<Item = FigureRotation> {
        self.body.bones.iter().filter_map(|(bone, joint)| {
            let above = joint.parent.and_then(|parent| self.body.bones.get(&parent));
            let before = above.map(|above| self.body.after(above.turn, above.correction).conjugate());
            Some(FigureRotation {
                figure_node: *self.nodes.bones.get(bone)?,
                way: self.moves.way(above.map(|above| above.turn), joint.turn),
                before: before.unwrap_or(self.body.facing),
                after: self.body.after(joint.turn, joint.correction),
                reach: self.body.reach(*bone),
            })
        })
    }

    /// The turn of the node that carries the whole figure.
    fn carrier(&self) -> Option<FigureRotation> {
        let (node, figure_node) = self.humanoid.root_motion.zip(self.nodes.root_motion)?;
        Some(FigureRotation {
            figure_node,
            way: self.moves.way(None, node.0),
            before: self.body.facing,
            after: self.body.after(node.0, DQuat::IDENTITY),
            reach: self.body.reach(HumanBone::Hips),
        })
    }

    /// The turn of the gaze: by the source's gaze, else by the first eye with a motion.
    fn gaze(&self) -> Option<FigureRotation> {
        let figure_node = self.nodes.look_at?;
        if let Some(look_at) = &self.humanoid.look_at {
            let parent = self.source.node(look_at.node)?.parent.map(|parent| parent.0);
            let chain = self.moves.way(parent, look_at.node.0);
            return Some(FigureRotation {
                figure_node,
                way: chain,
                before: DQuat::IDENTITY,
                after: DQuat::IDENTITY,
                reach: 0.0,
            });
        }
        let head = self.body.bones.get(&HumanBone::Head)?;
        let eyes = [HumanBone::LeftEye, HumanBone::RightEye];
        let eyes = eyes.into_iter().filter_map(|eye| self.humanoid.bones.get(&eye));
        let mut chains = eyes.map(|eye| (eye.0, self.moves.way(Some(head.node), eye.0)));
        let (eye, chain) = chains.find(|(_, chain)| !self.moves.is_stiff(chain))?;
        Some(FigureRotation {
            figure_node,
            way: chain,
            before: self.body.after(head.node, head.correction).conjugate(),
            after: self.body.after(eye, head.correction),
            reach: 0.0,
        })
    }

    fn place(&self, figure_node: NodeIndex, node: usize, point: DVec3) -> FigurePosition {
        let rest = self.body.rest.get(node).unwrap_or(&ChainTransform::IDENTITY);
        let local = rest.matrix.inverse().transform_point3(point);
        let point = if local.is_finite() { local } else { DVec3::ZERO };
        FigurePosition { figure_node, way: self.moves.way(None, node), point }
    }

    fn turn_at(&self, turn: &FigureRotation, time: Seconds, side: Side) -> DQuat {
        (turn.before * self.moves.turn(&turn.way, time, side) * turn.after).normalize()
    }

    fn place_at(&self, place: &FigurePosition, time: Seconds, side: Side) -> DVec3 {
        let end = self.moves.end(&place.way, time, side);
        self.body.facing * end.matrix.transform_point3(place.point) - DVec3::Y * self.ground
    }

    /// Moving nodes that are no bones.
    pub(crate) fn others(&self) -> losses::Others {
        losses::Others::of(self.source, self.humanoid, &self.moves, self.ways(), self.options.followers)
    }

    /// The moving nodes of the figure.
    pub(crate) fn moving(&self) -> BTreeSet<NodeIndex> {
        let moves = |chain: &Way| chain.nodes().any(|node| self.moves.moves(node));
        let turning =
            self.turns.iter().filter(|turn| !self.moves.is_stiff(&turn.way)).map(|turn| turn.figure_node);
        let going = self.places.iter().filter(|point| moves(&point.way)).map(|point| point.figure_node);
        order::set(turning.chain(going))
    }

    /// The clip of the figure; its losses and errors go to `report`.
    pub(crate) fn clip(&self, figure: &Scene, report: &mut Report) -> Clip {
        losses::rest((self.source, self.options), &self.moves, &self.others(), report);
        losses::ground(self.ground, report);
        let mut best: Option<(ClipDraft, Worst, String)> = None;
        for share in SHARES {
            let attempt = self.made(figure, share);
            let (off, bone) = self.apart(figure, |time| local_pose(figure, &attempt.clip, time));
            let is_within = attempt.found == 0 || off.value <= self.tolerance.length_m;
            if best.as_ref().is_none_or(|(_, least, _)| off.value < least.value) {
                best = Some((attempt, off, bone));
            }
            if is_within {
                break;
            }
        }
        let Some((result, off, target)) = best else { return Clip::default() };
        if result.own > 0 {
            report.kept(format!("{} of bones with the source's own keys", counted(result.own, "curve")));
        }
        if result.found > 0 {
            let what = format!("{} of bones, re-keyed", counted(result.found, "curve"));
            let error = MaxError { value: off.value, unit: ErrorUnit::Metre, target, time: off.time };
            report.approximated(what, error);
        }
        // A figure with lengths of its own shares none of the source's.
        if self.options.destination == Destination::Avatars {
            self.report_lengths(figure, report);
        }
        result.clip
    }

    /// The nodes of the figure whose motion comes from the source's rig.
    fn solved(&self) -> HashSet<SolvedChannel> {
        let turns = self.turns.iter().map(|turn| (turn.figure_node, &turn.way));
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
            channels.entry(turn.figure_node).or_default().extend(channel);
        }
        for (figure_node, channels) in channels.into_iter().filter(|(_, channels)| !channels.is_empty()) {
            let name = figure.node(figure_node).map(|node| node.name.clone()).unwrap_or_default();
            let target = Target::new(TargetKind::Joint, name, figure_node.0, Some(figure_node));
            result.clip.tracks.push(Track { target, channels });
        }
        result
    }

    fn turning(&self, turn: &FigureRotation, share: f64, made: &mut ClipDraft) -> Option<Channel> {
        if self.moves.is_stiff(&turn.way) {
            let value = self.turn_at(turn, Seconds(0.0), Side::At);
            let is_rest = value.angle_between(DQuat::IDENTITY) < 1e-9;
            return (!is_rest).then(|| {
                Channel::whole(Property::Rotation, constant(&Property::Rotation, &value.to_array()))
            });
        }
        if let Some(lone) = self.moves.lone(&turn.way) {
            made.own = made.own.saturating_add(1);
            return Some(Channel::whole(Property::Rotation, turned(&lone, turn.before, turn.after)));
        }
        made.found = made.found.saturating_add(1);
        let sampled = Sampled {
            property: Property::Rotation,
            allowance: self.tolerance.length_m * share / (turn.reach + self.tolerance.shell_m(true)),
            value: &|time, side| self.turn_at(turn, time, side).to_array().to_vec(),
        };
        Some(Channel::whole(Property::Rotation, sampled.curve(&self.times(&turn.way)).0))
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
            allowance: self.tolerance.length_m * share,
            value: &|time, side| self.place_at(place, time, side).to_array().to_vec(),
        };
        Some(Channel::whole(Property::Translation, sampled.curve(&self.times(&place.way)).0))
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
        let composition = match &channel.composition {
            Composition::Whole(curve) if curve.width == 3 => Composition::Whole(moved(curve, by, offset)),
            Composition::Components(curves) => Composition::Components(permuted(curves, by, offset)?),
            _ => return None,
        };
        Some(Channel { property: Property::Translation, composition, native: None })
    }

    /// Times of the keys of all nodes on a way, and times of the grid's frames, ascending.
    fn times(&self, way: &Way) -> Vec<f64> {
        let clip = self.moves.clip;
        let Seconds(end) = clip.end();
        let mut times = vec![0.0, end];
        for property in [Property::Translation, Property::Rotation, Property::Scale] {
            let channels = way.nodes().flat_map(|node| self.moves.changing(node, &property));
            let curves = channels.flat_map(|channel| channel.composition.curves());
            times.extend(curves.flat_map(|curve| curve.times.iter().map(|time| time.0)));
        }
        let rate = clip.grid.unwrap_or(RATE);
        let frames = (0..).map(|frame| rate.seconds(f64::from(frame)).0);
        times.extend(frames.take_while(|time| *time < end));
        times.retain(|time| (0.0..=end).contains(time));
        ascend(&mut times);
        times.dedup();
        times
    }

    /// The exact pose of the figure at a time.
    fn pose(&self, figure: &Scene, time: Seconds) -> Pose {
        let mut pose = rest_pose(figure).0;
        for turn in &self.turns {
            if let Some(node) = pose.get_mut(turn.figure_node.0) {
                node.rotation = self.turn_at(turn, time, Side::At).to_array();
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

    /// Largest error of a figure's joints and points around them, and the name of the joint with the error.
    fn apart(&self, figure: &Scene, pose: impl Fn(Seconds) -> Pose) -> (Worst, String) {
        let shell = self.tolerance.shell_m(true);
        let points = [DVec3::ZERO, DVec3::X * shell, DVec3::Y * shell, DVec3::Z * shell];
        let (mut largest, mut name) = (Worst::default(), String::new());
        for time in self.moments() {
            let should = model_pose(figure, &self.pose(figure, time)).0;
            let is = model_pose(figure, &pose(time)).0;
            for (node, (a, b)) in figure.nodes.iter().zip(should.iter().zip(&is)) {
                let off = points.map(|point| a.transform_point3(point).distance(b.transform_point3(point)));
                let off = off.into_iter().fold(0.0, f64::max);
                if off > largest.value {
                    node.name.clone_into(&mut name);
                }
                largest.meet(off, time);
            }
        }
        (largest, name)
    }

    /// Reports the largest distance of a joint from the source's joint, since bones of a humanoid keep their
    /// lengths.
    fn report_lengths(&self, figure: &Scene, report: &mut Report) {
        let (mut largest, mut target) = (Worst::default(), String::new());
        for time in self.moments() {
            let pose = model_pose(figure, &self.pose(figure, time)).0;
            for (bone, source_bone) in &self.body.bones {
                let joint = self.nodes.bones.get(bone).and_then(|figure_node| pose.get(figure_node.0));
                let point = self.place(NodeIndex(0), source_bone.node, source_bone.anchor);
                let off = joint
                    .map_or(0.0, |joint| joint.translation.distance(self.place_at(&point, time, Side::At)));
                if off > largest.value {
                    target = bone.word().to_owned();
                }
                largest.meet(off, time);
            }
        }
        if largest.value > NOTHING_M {
            let what = "joints of the figure, because its bones keep their lengths";
            let error = MaxError { value: largest.value, unit: ErrorUnit::Metre, target, time: largest.time };
            report.approximated(what, error);
        }
    }
}
