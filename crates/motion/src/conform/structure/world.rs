//! Child nodes made independent: as seen from the world.

use super::relation::{each_value, quaternion, rotation, vector};
use crate::compare::{Animation, Comparison, compare};
use crate::keys::authored_times;
use crate::sample::chain_transform::ChainTransform;
use crate::sample::pose::{apply, decompose, model_pose, rest_pose};
use crate::sample::rig::segments::RelativeKeys;
use crate::sample::{Sampler, Side};
use crate::tolerance::Tolerance;
use dopesheet_core::diag::Report;
use dopesheet_core::model::{
    Blend, Channel, Clip, Composition, NodeIndex, PoseRelation, Property, Scene, SolvedChannel, Target,
    TargetKind, Track, Transform,
};
use dopesheet_core::order::ascend;
use dopesheet_core::units::Seconds;
use dopesheet_curve::{lerp, quat_angle, slerp};
use glam::{DQuat, DVec3};

/// The part of a tolerance by which straight pieces may miss the path of a node in the world, before keys are
/// chosen.
const PART: f64 = 1.0 / 32.0;
/// Most halvings between two authored keys, and the shortest piece in seconds.
const MOST_HALVINGS: u32 = 10;
const SHORTEST_S: f64 = 1.0 / 960.0;
/// Most pieces of a clip after halving.
const MOST_PIECES: usize = 1 << 20;
/// Shares of a piece, 0..=1, at which its error is measured.
const LOOKS: [f64; 3] = [0.25, 0.5, 0.75];

/// Makes nodes independent of moving or displaced parents: afterwards no ancestor of these nodes moves or
/// rests away from the origin, and the ancestors' motion is in the nodes' own channels.
///
/// A node with only one moving node in its chain keeps the keys and laws of the moving node, if these can
/// express its transform in the world. Nobody has authored keys for the other nodes: they go straight from
/// sample to sample, near enough that [`conform`](fn@crate::conform::conform) may choose keys by the
/// tolerance. Positions and rotations are kept; scales only affect the positions of children, and are left
/// out. The channels of the ancestors are taken out with them.
///
/// Returns the sampled nodes, for [`Conform::in_world`](crate::conform::Conform::in_world); `None` if all
/// nodes kept their keys.
pub fn put_in_world(
    scene: &mut Scene,
    nodes: &[NodeIndex],
    tolerance: &Tolerance,
    report: &mut Report,
) -> Option<WorldNodes> {
    let mut nodes: Vec<usize> =
        nodes.iter().map(|node| node.0).filter(|at| *at < scene.nodes.len()).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let unit = scene.basis.metres_per_unit.unwrap_or(1.0);
    let allowed = Allowed { length: PART * tolerance.length_m / unit, shell: tolerance.shell_m(true) / unit };
    let needed = needed(scene, &nodes);
    let (mut missed, mut scaled) = (0.0, false);
    let clips = std::mem::take(&mut scene.clips);
    let mut sampled_nodes: Vec<NodeIndex> = Vec::new();
    for clip in &clips {
        let mut in_world = InWorld { scene, clip, needed: &needed, allowed, missed: &mut missed };
        scaled |= in_world.is_scaled(&nodes);
        let tracks = in_world.tracks(&nodes);
        let sampled = tracks.iter().filter(|(_, is_sampled)| *is_sampled);
        let solved: Vec<NodeIndex> = sampled.filter_map(|(track, _)| track.target.node).collect();
        let mut clip = clip.clone();
        take_out(&mut clip, &needed);
        clip.solved.retain(|channel| !needed.contains(&channel.node.0));
        sampled_nodes.extend(&solved);
        clip.solved.extend(solved.into_iter().flat_map(SolvedChannel::placing));
        clip.tracks.extend(tracks.into_iter().map(|(track, _)| track));
        scene.clips.push(clip);
    }
    let source = (!sampled_nodes.is_empty()).then(|| source_of(scene, clips, &needed));
    stand_alone(scene, &nodes, &needed);
    if scaled {
        let why = "poses have none; what hangs on scaled nodes is where they put it";
        report.dropped("scales of nodes", why);
    }
    Some(WorldNodes { source: source?, nodes: sampled_nodes, off_m: missed * unit })
}

/// Nodes sampled by [`put_in_world`], and their source scene.
#[derive(Clone, Debug)]
pub struct WorldNodes {
    /// The nodes with their ancestors, and the motion of both.
    source: Scene,
    nodes: Vec<NodeIndex>,
    /// Largest measured distance of straight pieces from the nodes' paths, in metres.
    pub(in crate::conform) off_m: f64,
}

impl WorldNodes {
    /// Measured differences of the sampled nodes from the clip of the source at the same position, joined
    /// with the differences of all `other_targets`. The tolerance is in units of the scene.
    pub(in crate::conform) fn measured(
        &self,
        scene: &Scene,
        clip: &Clip,
        position: usize,
        other_targets: Option<Comparison>,
        tolerance: &Tolerance,
    ) -> Option<Comparison> {
        let Some(source) = self.source.clips.get(position) else { return other_targets };
        let source = Animation { scene: &self.source, clip: source };
        let measured = compare(source, Animation { scene: &self.rested(scene), clip }, tolerance);
        Some(measured.of_nodes(&self.nodes, other_targets))
    }

    /// A scene whose nodes rest as in the source, because points around joints refer to the rest pose.
    fn rested(&self, scene: &Scene) -> Scene {
        let rests = model_pose(&self.source, &rest_pose(&self.source)).0;
        let mut nodes = scene.nodes.clone();
        for NodeIndex(node) in &self.nodes {
            if let (Some(own), Some(rest)) = (nodes.get_mut(*node), rests.get(*node)) {
                own.rest = Transform { scale: [1.0; 3], ..decompose(rest) };
            }
        }
        Scene { nodes, hierarchy: scene.hierarchy, ..Scene::new(scene.basis) }
    }
}

/// A scene of nodes alone, with the channels that place the needed ones.
fn source_of(scene: &Scene, clips: Vec<Clip>, needed: &[usize]) -> Scene {
    let placing = |mut clip: Clip| {
        for track in &mut clip.tracks {
            let is_needed = track.target.node.is_some_and(|node| needed.binary_search(&node.0).is_ok());
            track.channels.retain(|channel| is_needed && is_placing(&channel.property));
        }
        clip.tracks.retain(|track| !track.channels.is_empty());
        clip
    };
    let clips = clips.into_iter().map(placing).collect();
    Scene { nodes: scene.nodes.clone(), hierarchy: scene.hierarchy, clips, ..Scene::new(scene.basis) }
}

/// The nodes, in ascending order, and all their ancestors; parents first.
fn needed(scene: &Scene, nodes: &[usize]) -> Vec<usize> {
    let mut is_needed: Vec<bool> =
        (0..scene.nodes.len()).map(|node| nodes.binary_search(&node).is_ok()).collect();
    for index in (0..scene.nodes.len()).rev() {
        if is_needed.get(index) == Some(&true)
            && let Some(parent) = above(scene, index).and_then(|parent| is_needed.get_mut(parent.0))
        {
            *parent = true;
        }
    }
    is_needed.into_iter().enumerate().filter(|(_, is_needed)| *is_needed).map(|(index, _)| index).collect()
}

/// The parent of a node. Parents stand before their children; any other order would lead in circles.
fn above(scene: &Scene, node: usize) -> Option<NodeIndex> {
    scene.nodes.get(node)?.parent.filter(|parent| parent.0 < node)
}

/// A node's transform at rest.
fn rest_of(scene: &Scene, node: usize) -> Transform {
    scene.nodes.get(node).map_or(Transform::IDENTITY, |node| node.rest)
}

const fn is_placing(property: &Property) -> bool {
    matches!(property, Property::Translation | Property::Rotation | Property::Scale | Property::Placement)
}

/// Removes the channels that place some nodes.
fn take_out(clip: &mut Clip, needed: &[usize]) {
    for track in &mut clip.tracks {
        if track.target.node.is_some_and(|node| needed.binary_search(&node.0).is_ok()) {
            track.channels.retain(|channel| !is_placing(&channel.property));
        }
    }
    clip.tracks.retain(|track| !track.channels.is_empty());
}

/// Gives each node the nearest ancestor outside of `nodes` as its parent, and the identity as its rest pose,
/// also to the ancestors.
fn stand_alone(scene: &mut Scene, nodes: &[usize], needed: &[usize]) {
    for index in needed {
        let is_one = |node: NodeIndex| nodes.binary_search(&node.0).is_ok();
        let mut parent = above(scene, *index);
        while let Some(own) = parent.filter(|own| is_one(*own)) {
            parent = above(scene, own.0);
        }
        if let Some(node) = scene.nodes.get_mut(*index) {
            (node.parent, node.rest) = (parent, Transform::IDENTITY);
        }
    }
}

#[derive(Clone, Copy)]
struct Allowed {
    length: f64,
    shell: f64,
}

/// A clip whose nodes become independent of their parents.
struct InWorld<'a> {
    scene: &'a Scene,
    clip: &'a Clip,
    needed: &'a [usize],
    allowed: Allowed,
    /// Largest distance of a straight piece from the path of its node, in units of the scene.
    missed: &'a mut f64,
}

impl<'a> InWorld<'a> {
    /// The channels that place a node, in order; the last counts.
    fn placing(&self, node: usize) -> impl Iterator<Item = &'a Channel> + use<'a> {
        let tracks = self.clip.tracks.iter().filter(move |track| track.target.node == Some(NodeIndex(node)));
        let channels = tracks.flat_map(|track| &track.channels);
        channels.filter(|channel| {
            is_placing(&channel.property) && channel.composition.curves().any(|curve| !curve.is_empty())
        })
    }

    /// True if any needed node is scaled: a pose without scales would lose this.
    fn is_scaled(&self, nodes: &[usize]) -> bool {
        let scales = |node: &usize| {
            let unit = |value: &f32| (value - 1.0).abs() <= 1e-6;
            let is_one = |channel: &Channel| channel.composition.curves().all(|c| c.values.iter().all(unit));
            let rest = rest_of(self.scene, *node).scale;
            rest.iter().any(|value| (value - 1.0).abs() > 1e-6)
                || self.placing(*node).any(|channel| channel.property == Property::Scale && !is_one(channel))
        };
        !nodes.is_empty() && self.needed.iter().any(scales)
    }

    /// The track of each node, and true if the node was sampled.
    fn tracks(&mut self, nodes: &[usize]) -> Vec<(Track, bool)> {
        let (mut kept, mut sampled) = (Vec::new(), Vec::new());
        for node in nodes.iter().copied() {
            match self.turned(node) {
                Some(channels) => kept.push((self.track(node, channels), false)),
                None => sampled.push(node),
            }
        }
        let channels = self.sampled(&sampled);
        kept.extend(sampled.iter().zip(channels).map(|(node, channels)| (self.track(*node, channels), true)));
        kept
    }

    fn track(&self, node: usize, channels: Vec<Channel>) -> Track {
        let scene_node = self.scene.nodes.get(node);
        let targets = self.clip.tracks.iter().map(|track| &track.target);
        let mut targets = targets.filter(|target| target.node == Some(NodeIndex(node)));
        let joint = || {
            let index = scene_node.and_then(|scene_node| scene_node.source_index).unwrap_or(node);
            let name = scene_node.map(|scene_node| scene_node.name.clone()).unwrap_or_default();
            Target::new(TargetKind::Joint, name, index, Some(NodeIndex(node)))
        };
        let target = targets.find(|target| target.kind != TargetKind::Custom).cloned().unwrap_or_else(joint);
        Track { target, channels }
    }

    /// A node and its ancestors, the root first.
    fn chain(&self, node: usize) -> Vec<usize> {
        let mut chain: Vec<usize> =
            std::iter::successors(Some(node), |node| above(self.scene, *node).map(|above| above.0)).collect();
        chain.reverse();
        chain
    }

    /// Transform of the last node of a chain relative to the parent of the first, in the rest pose.
    fn rest(&self, chain: &[usize]) -> ChainTransform {
        let rests = chain.iter().map(|node| ChainTransform::from(&rest_of(self.scene, *node)));
        rests.fold(ChainTransform::IDENTITY, |above, local| above * local)
    }

    /// The channels of a node with only one moving node in its chain, as seen from the world; `None` if the
    /// same keys cannot express them. Constant rotations and scales commute with every law but
    /// [`Blend::Turn`].
    fn turned(&self, node: usize) -> Option<Vec<Channel>> {
        let chain = self.chain(node);
        let moves = |node: &usize| self.placing(*node).next().is_some();
        let Some(at) = chain.iter().position(moves) else {
            let still = self.rest(&chain).rigid();
            return Some([Property::Translation, Property::Rotation].map(|own| held(own, &still)).into());
        };
        let (above, [mover, below @ ..]) = chain.split_at_checked(at)? else { return None };
        if below.iter().any(moves) {
            return None;
        }
        let (above, is_last, below) = (self.rest(above), below.is_empty(), self.rest(below));
        let is_plain = above == ChainTransform::IDENTITY && is_last;
        if is_plain { self.placing_channels(*mover) } else { self.carried(*mover, &above, &below) }
    }

    /// The channels of a node without displaced ancestors.
    fn placing_channels(&self, node: usize) -> Option<Vec<Channel>> {
        let rest = rest_of(self.scene, node);
        if self.clip.relation != PoseRelation::Absolute && rest != Transform::IDENTITY {
            return None;
        }
        let placing = self.placing(node).filter(|channel| channel.property != Property::Scale).cloned();
        let mut channels: Vec<Channel> = placing.collect();
        for property in [Property::Translation, Property::Rotation] {
            let is_there = |c: &Channel| c.property == property || c.property == Property::Placement;
            if !channels.iter().any(is_there) {
                channels.push(held(property, &rest));
            }
        }
        Some(channels)
    }

    /// The channels of the only moving node, applied to its descendant at `below`.
    fn carried(&self, mover: usize, above: &ChainTransform, below: &ChainTransform) -> Option<Vec<Channel>> {
        let can_be = |channel: &Channel| match &channel.composition {
            Composition::Whole(curve) => {
                channel.native.is_none() && curve.laws.all(|law| law.blend != Blend::Turn)
            }
            _ => false,
        };
        let last = |property: Property| self.placing(mover).filter(|c| c.property == property).last();
        let is_at_the_mover = below.place() == DVec3::ZERO;
        let turns = last(Property::Rotation).is_some() || last(Property::Scale).is_some();
        if self.clip.relation != PoseRelation::Absolute
            || last(Property::Placement).is_some()
            || !self.placing(mover).all(can_be)
            || (turns && !is_at_the_mover)
        {
            return None;
        }
        let still = ChainTransform::from(&rest_of(self.scene, mover));
        let offset = still.matrix.transform_vector3(below.place());
        let along = |v: DVec3| above.matrix.transform_vector3(v);
        let moved_point = |v: DVec3| above.matrix.transform_point3(v + offset);
        let turned = |q: DQuat| above.rotation * q * below.rotation;
        let whole = (*above * still * *below).rigid();
        let channel = |property: Property| {
            let Some(mut channel) = last(property.clone()).cloned() else { return held(property, &whole) };
            for curve in channel.composition.curves_mut() {
                match property {
                    Property::Rotation => {
                        each_value(curve, |v| rotation(v, turned), |v| quaternion(v, turned));
                    }
                    _ => each_value(curve, |v| vector(v, moved_point), |v| vector(v, along)),
                }
            }
            channel
        };
        Some([Property::Translation, Property::Rotation].map(channel).into())
    }

    /// Position and rotation of nodes over time, by straight pieces.
    fn sampled(&mut self, nodes: &[usize]) -> Vec<Vec<Channel>> {
        if nodes.is_empty() {
            return Vec::new();
        }
        let mut poses = Poses::new(self, nodes);
        let times = self.times();
        let Some((first, mut later)) = times.split_first() else { return Vec::new() };
        let base = Transform::IDENTITY;
        let keys =
            || [Property::Translation, Property::Rotation].map(|property| RelativeKeys::new(property, &base));
        let mut keys: Vec<[RelativeKeys<'_>; 2]> = nodes.iter().map(|_| keys()).collect();
        let mut add = |time: f64, rows: &[Transform]| {
            for (keys, row) in keys.iter_mut().zip(rows) {
                keys.iter_mut().for_each(|keys| keys.add(time, row));
            }
        };
        let mut left = MOST_PIECES;
        let mut from = (*first, poses.at(*first, Side::After));
        add(from.0, &from.1);
        while let Some((time, rest)) = later.split_first() {
            later = rest;
            let to = (*time, poses.at(*time, Side::Before));
            let middle = poses.between(&from, &to);
            let (allowed, missed) = (self.allowed, &mut *self.missed);
            let mut pieces = Pieces { poses: &mut poses, allowed, left: &mut left, missed, add: &mut add };
            pieces.cut(&from, &middle, &to, MOST_HALVINGS);
            add(to.0, &to.1);
            if !later.is_empty() {
                from = (*time, poses.at(*time, Side::After));
                add(from.0, &from.1);
            }
        }
        keys.into_iter().map(|keys| keys.map(RelativeKeys::into_channel).into()).collect()
    }

    /// The authored times of all moving nodes, and both ends of the clip.
    fn times(&self) -> Vec<f64> {
        let end = self.clip.end();
        let channels = self.needed.iter().flat_map(|node| self.placing(*node));
        let mut times: Vec<f64> =
            channels.flat_map(|channel| authored_times(channel, (Seconds(0.0), end))).map(|t| t.0).collect();
        times.retain(|time| (0.0..=end.0).contains(time));
        times.extend([0.0, end.0]);
        ascend(&mut times);
        times.dedup();
        times
    }
}

/// A channel with a constant value.
fn held(property: Property, value: &Transform) -> Channel {
    let base = Transform::IDENTITY;
    let mut keys = RelativeKeys::new(property, &base);
    keys.add(0.0, value);
    keys.into_channel()
}

/// World transforms of nodes at any time.
struct Poses<'a> {
    scene: &'a Scene,
    needed: &'a [usize],
    nodes: Vec<usize>,
    /// For each sampler: its node, its property, and the base below its values.
    moving: Vec<(usize, &'a Property, Transform, Sampler<'a>)>,
    local: Vec<Transform>,
    world: Vec<ChainTransform>,
    value: Vec<f64>,
}

impl<'a> Poses<'a> {
    fn new(of: &InWorld<'a>, nodes: &[usize]) -> Self {
        let base = |node: usize| match of.clip.relation {
            PoseRelation::Absolute => Transform::IDENTITY,
            PoseRelation::OnTopOfRest => rest_of(of.scene, node),
        };
        let moving = of.needed.iter().flat_map(|node| {
            let channels = of.placing(*node);
            channels.map(|channel| (*node, &channel.property, base(*node), Sampler::new(channel)))
        });
        Self {
            scene: of.scene,
            needed: of.needed,
            nodes: nodes.to_vec(),
            moving: moving.collect(),
            local: rest_pose(of.scene).0,
            world: vec![ChainTransform::IDENTITY; of.scene.nodes.len()],
            value: Vec::new(),
        }
    }

    fn at(&mut self, time: f64, side: Side) -> Vec<Transform> {
        for node in self.needed {
            if let Some(local) = self.local.get_mut(*node) {
                *local = rest_of(self.scene, *node);
            }
        }
        for (node, property, base, sampler) in &mut self.moving {
            if sampler.value_at(Seconds(time), side, &mut self.value)
                && let Some(local) = self.local.get_mut(*node)
            {
                apply(local, base, property, &self.value);
            }
        }
        for node in self.needed {
            let parent = above(self.scene, *node).and_then(|parent| self.world.get(parent.0)).copied();
            if let Some((world, local)) = self.world.get_mut(*node).zip(self.local.get(*node)) {
                *world = parent.unwrap_or(ChainTransform::IDENTITY) * ChainTransform::from(local);
            }
        }
        self.nodes.iter().filter_map(|node| self.world.get(*node)).map(ChainTransform::rigid).collect()
    }

    fn between(&mut self, from: &End, to: &End) -> End {
        let time = f64::midpoint(from.0, to.0);
        (time, self.at(time, Side::At))
    }
}

/// A time and the transforms of the nodes at this time.
type End = (f64, Vec<Transform>);

/// Straight pieces under way.
struct Pieces<'p, 'a> {
    poses: &'p mut Poses<'a>,
    allowed: Allowed,
    left: &'p mut usize,
    missed: &'p mut f64,
    add: &'p mut dyn FnMut(f64, &[Transform]),
}

impl Pieces<'_, '_> {
    /// Adds keys between two times until straight pieces are near enough.
    fn cut(&mut self, from: &End, middle: &End, to: &End, halvings: u32) {
        let quarters = [self.poses.between(from, middle), self.poses.between(middle, to)];
        let missed = [&quarters[0], middle, &quarters[1]].into_iter().zip(LOOKS);
        let missed = missed.map(|(there, share)| self.missed(from, there, to, share));
        let length = missed.fold(0.0, f64::max);
        let is_short = to.0 - from.0 <= SHORTEST_S || halvings == 0 || *self.left == 0;
        if length <= self.allowed.length || is_short {
            *self.missed = self.missed.max(length);
            return;
        }
        *self.left = self.left.saturating_sub(1);
        let halvings = halvings.saturating_sub(1);
        let [first, second] = quarters;
        self.cut(from, &first, middle, halvings);
        (self.add)(middle.0, &middle.1);
        self.cut(middle, &second, to, halvings);
    }

    /// Largest distance of the straight path from the nodes' true transforms.
    fn missed(&self, from: &End, exact: &End, to: &End, share: f64) -> f64 {
        let mut largest = 0.0f64;
        for ((a, b), actual) in from.1.iter().zip(&to.1).zip(&exact.1) {
            let ([ax, ay, az], [bx, by, bz]) = (a.translation, b.translation);
            let straight = DVec3::new(lerp(ax, bx, share), lerp(ay, by, share), lerp(az, bz, share));
            let turned = quat_angle(slerp(a.rotation, b.rotation, share), actual.rotation);
            let length = straight.distance(DVec3::from(actual.translation)) + self.allowed.shell * turned;
            largest = largest.max(length);
        }
        largest
    }
}
