//! Joints of both animations: points around them in model space, and their local transforms.

use super::matching::{Match, Nodes};
use super::metric::{angle, displacement, rotation_of, rough_displacement};
use super::peak::{Peak, Rivals};
use super::rests::{FromRest, Rests};
use super::sides::{Frame, Local, PlayedLocal, Side};
use super::times::SampleTimes;
use super::{ChannelDifference, GAZE, MODEL_SPACE};
use crate::Tolerance;
use crate::sample::pose::scale_at_rest;
use dopesheet_core::diag::ErrorUnit;
use dopesheet_core::model::{Channel, Composition, NodeIndex, Property, Target};
use dopesheet_core::units::Seconds;
use glam::{Affine3A, DAffine3, DVec3};

/// A peak from this part of the tolerance on is refined.
const REFINED: f64 = 0.9;

/// Comparison of the direction of something that looks or shines.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Gaze {
    /// Cameras: its whole rotation.
    Whole,
    /// Lights and rays: this local axis, because a roll about it means nothing.
    Along(DVec3),
}

/// A joint of one animation and the one of the other that it is compared with; a joint that only one has is compared with its
/// own rest, relative to its parent.
pub(super) struct Pair<'a> {
    nodes: Match,
    /// Targets that move it in A, and in B.
    pub(super) targets: [Option<&'a Target>; 2],
    pub(super) name: &'a str,
    gaze: Option<Gaze>,
    /// Radius of the shell in units of the joint; in those of the scene where joints of both sides have other rests.
    shell: f64,
    /// Points of the shell as each side has them, where these are not the same.
    from_rest: Option<Box<FromRest>>,
}

/// Largest differences of a pair at samples.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Peaks {
    displacement: Rivals,
    gaze: Peak,
    translation: Peak,
    rotation: Peak,
    scale: Peak,
    /// Displacement relative to the parent.
    local: Peak,
}

/// Largest differences of a pair.
pub(super) struct Found {
    /// `model-space` first.
    pub(super) channels: Vec<ChannelDifference>,
    /// Angle in model space where the displacement is largest, in radians; `None` where one side has no such joint.
    pub(super) rotation_rad: Option<f64>,
    /// Largest displacement relative to the parent, in metres.
    pub(super) local_m: f64,
}

/// All pairs, in the order of matches.
pub(super) fn pairs<'a>(sides: [&Side<'a>; 2], nodes: &Nodes, shell_m: f64, is_known: bool) -> Vec<Pair<'a>> {
    let (targets, gazes) = (sides.map(targets), sides.map(gazes));
    // Where parents are unknown the rest poses mean little.
    let rests = if is_known { Rests::new(sides.map(|side| side.animation.scene), nodes) } else { None };
    let pair = |(at, found): (usize, &Match)| {
        let targets = [of(&targets[0], found.a), of(&targets[1], found.b)];
        let gaze = of(&gazes[0], found.a).or(of(&gazes[1], found.b));
        let (side, node) = match found.a {
            Some(node) => (sides[0], node),
            None => (sides[1], found.b.unwrap_or_default()),
        };
        let scene = side.animation.scene;
        let name = scene.nodes.get(node).map_or("", |node| node.name.as_str());
        let from_rest =
            rests.as_ref().and_then(|rests| rests.between(at, found, gaze.is_some())).map(Box::new);
        let scale = if from_rest.is_some() { 1.0 } else { scale_at_rest(scene, NodeIndex(node)) };
        Pair { nodes: *found, targets, name, gaze, shell: shell_m / scale, from_rest }
    };
    nodes.matches.iter().enumerate().map(pair).collect()
}

/// Value of a node, if there is such a node and it has one.
fn of<T: Copy>(all: &[Option<T>], node: Option<usize>) -> Option<T> {
    all.get(node?).copied().flatten()
}

impl Pair<'_> {
    /// True if both sides have such a joint.
    pub(super) const fn is_shared(&self) -> bool {
        self.nodes.a.is_some() && self.nodes.b.is_some()
    }

    /// The nodes of both sides.
    pub(super) const fn sides(&self) -> [Option<usize>; 2] {
        [self.nodes.a, self.nodes.b]
    }

    /// The node of A.
    pub(super) fn node(&self) -> Option<NodeIndex> {
        self.nodes.a.map(NodeIndex)
    }

    /// Takes note of how far both sides are apart at a sample.
    pub(super) fn meet(
        &self,
        peaks: &mut Peaks,
        sides: [&Side<'_>; 2],
        frames: [&Frame; 2],
        time: f64,
        is_first: bool,
    ) {
        let is_true = |of: &[bool], node: Option<usize>| node.is_some_and(|node| of.get(node) == Some(&true));
        if !is_true(&frames[0].moved, self.nodes.a) && !is_true(&frames[1].moved, self.nodes.b) {
            return;
        }
        if let (Some(a), Some(b)) = (self.nodes.a, self.nodes.b)
            && let (Some(a), Some(b)) = (frames[0].models.get(a), frames[1].models.get(b))
        {
            let in_world = self.from_rest.as_ref().map(|from_rest| from_rest.of_played([a, b]));
            let [shell_a, shell_b] = in_world.as_ref().map_or([a, b], |[a, b]| [a, b]);
            let bound = rough_displacement(shell_a, shell_b, self.shell as f32);
            // Most samples are no peaks, which the bound tells; what is no number is looked at.
            let is_lower = f64::from(bound) <= peaks.displacement.least();
            if !is_lower {
                let displaced = displacement(&exact(shell_a), &exact(shell_b), self.shell);
                peaks.displacement.meet(displaced, time);
            }
            if let Some(gaze) = self.gaze {
                peaks.gaze.meet(gaze.angle(&exact(a), &exact(b)), time);
            }
        }
        let is_new =
            is_first || is_true(&sides[0].moves, self.nodes.a) || is_true(&sides[1].moves, self.nodes.b);
        if is_new && self.targets.iter().any(Option::is_some) {
            let local = |frame: &Frame, node: Option<usize>, other: &Side<'_>, of_other: Option<usize>| {
                let own = node.and_then(|node| frame.locals.get(node)).copied();
                own.unwrap_or_else(|| other.rest(of_other.unwrap_or_default()).into())
            };
            let a = local(frames[0], self.nodes.a, sides[1], self.nodes.b);
            let b = local(frames[1], self.nodes.b, sides[0], self.nodes.a);
            self.meet_locals(peaks, [a, b], time);
        }
    }

    /// Peaks of local transforms are in units that rise with what is looked up there later.
    fn meet_locals(&self, peaks: &mut Peaks, [a, b]: [PlayedLocal; 2], time: f64) {
        if a == b {
            return;
        }
        peaks.translation.meet(a.translation.distance_squared(b.translation).into(), time);
        let opposite = if a.rotation.dot(b.rotation) < 0.0 { -b.rotation } else { b.rotation };
        peaks.rotation.meet((a.rotation - opposite).length_squared().into(), time);
        peaks.scale.meet(a.scale.distance_squared(b.scale).into(), time);
        // Other axes at rest make other local transforms of the same motion.
        if self.targets.iter().any(Option::is_none) && self.from_rest.is_none() {
            peaks.local.meet(displacement(&exact(&a.matrix()), &exact(&b.matrix()), self.shell), time);
        }
    }

    /// The largest differences by the reference evaluator: those of channels at the tops of their peaks, because a report states them;
    /// those of points where that may matter.
    pub(super) fn found(
        &self,
        peaks: &Peaks,
        sides: [&Side<'_>; 2],
        times: &SampleTimes,
        tolerance: &Tolerance,
        is_farthest: bool,
    ) -> Found {
        let locals = |time: f64| self.locals(sides, Seconds(time));
        let by_locals = |peak: &Peak, difference: fn(Local, Local) -> f64| {
            peak.refined(times, |time| {
                let [a, b] = locals(time);
                difference(a, b)
            })
        };
        let local = |time: f64| {
            let [a, b] = locals(time).map(|local| local.matrix());
            displacement(&a, &b, self.shell)
        };
        let model = |time: f64| {
            self.shells(sides, Seconds(time)).map_or(0.0, |[a, b]| displacement(&a, &b, self.shell))
        };
        let is_refined = |peak: &Peak| is_farthest || peak.value >= REFINED * tolerance.length_m;
        let top = |peak: &Peak, exact: &dyn Fn(f64) -> f64| {
            if is_refined(peak) { peak.refined(times, exact) } else { peak.looked_up(exact) }
        };
        let (local_m, at) = top(&peaks.local, &local);
        let mut displaced = (local_m, at);
        if self.is_shared() {
            displaced = top(&peaks.displacement.largest, &model);
            let rival = peaks.displacement.rival().filter(|rival| is_refined(rival));
            displaced =
                rival.map(|rival| top(rival, &model)).filter(|top| top.0 > displaced.0).unwrap_or(displaced);
        }
        let local_m = if self.from_rest.is_some() { displaced.0 } else { local_m };
        let models = || self.shells(sides, displaced.1).filter(|_| self.is_shared());
        let rotation_rad = models().map(|[a, b]| angle(rotation_of(&a.matrix3), rotation_of(&b.matrix3)));
        let mut channels = vec![channel(MODEL_SPACE, displaced, ErrorUnit::Metre, Some(tolerance.length_m))];
        if let Some(gaze) = self.gaze {
            let exact =
                |time: f64| self.models(sides, Seconds(time)).map_or(0.0, |[a, b]| gaze.angle(&a, &b));
            let limit = Some(Tolerance::ANGLE_RAD);
            channels.push(channel(GAZE, peaks.gaze.refined(times, exact), ErrorUnit::Radian, limit));
        }
        let moved = by_locals(&peaks.translation, |a, b| a.translation.distance(b.translation));
        let turned = by_locals(&peaks.rotation, |a, b| angle(a.rotation, b.rotation));
        let scaled = by_locals(&peaks.scale, |a, b| a.scale.distance(b.scale));
        channels.extend([
            channel(Property::Translation.word(), moved, ErrorUnit::Metre, None),
            channel(Property::Rotation.word(), turned, ErrorUnit::Radian, None),
            channel(Property::Scale.word(), scaled, ErrorUnit::One, None),
        ]);
        channels.retain(|found| found.value > 0.0 || found.channel == MODEL_SPACE);
        Found { channels, rotation_rad, local_m }
    }

    /// Local transforms of both sides at a time; a side that is not there is what the other one is at rest.
    fn locals(&self, [a, b]: [&Side<'_>; 2], time: Seconds) -> [Local; 2] {
        match (self.nodes.a, self.nodes.b) {
            (Some(own), Some(other)) => [a.local_at(own, time), b.local_at(other, time)],
            (Some(own), None) => [a.local_at(own, time), a.rest(own)],
            (None, Some(own)) => [b.rest(own), b.local_at(own, time)],
            (None, None) => [Local::of(&Default::default()); 2],
        }
    }

    /// Model transforms of both sides at a time, if both have the joint.
    fn models(&self, [a, b]: [&Side<'_>; 2], time: Seconds) -> Option<[DAffine3; 2]> {
        Some([a.model_at(self.nodes.a?, time), b.model_at(self.nodes.b?, time)])
    }

    /// Model transforms of both sides at a time, of points of the shell, if both have the joint.
    fn shells(&self, sides: [&Side<'_>; 2], time: Seconds) -> Option<[DAffine3; 2]> {
        let models = self.models(sides, time)?;
        Some(self.from_rest.as_ref().map_or(models, |from_rest| from_rest.of(models)))
    }

    /// Displacement of a joint that both have at a time, with the nodes of A and B.
    pub(super) fn displacement_at(
        &self,
        sides: [&Side<'_>; 2],
        time: Seconds,
    ) -> Option<(NodeIndex, NodeIndex, f64)> {
        let [a, b] = self.shells(sides, time)?;
        Some((NodeIndex(self.nodes.a?), NodeIndex(self.nodes.b?), displacement(&a, &b, self.shell)))
    }
}

impl Peaks {
    /// Takes note of what was met at later samples.
    pub(super) fn merge(&mut self, later: &Self) {
        self.displacement.merge(later.displacement);
        self.gaze.merge(later.gaze);
        self.translation.merge(later.translation);
        self.rotation.merge(later.rotation);
        self.scale.merge(later.scale);
        self.local.merge(later.local);
    }

    /// Largest displacement at any sample, by the player.
    pub(super) const fn displaced(&self) -> f64 {
        self.displacement.largest.value
    }

    /// Largest share of a limit that places and directions take at any sample, by the player.
    pub(super) fn placed_share(&self, tolerance: &Tolerance) -> f64 {
        (self.displacement.largest.value / tolerance.length_m).max(self.gaze.value / Tolerance::ANGLE_RAD)
    }
}

impl Gaze {
    fn angle(self, a: &DAffine3, b: &DAffine3) -> f64 {
        match self {
            Self::Whole => angle(rotation_of(&a.matrix3), rotation_of(&b.matrix3)),
            Self::Along(axis) => {
                let (a, b) = (a.matrix3 * axis, b.matrix3 * axis);
                a.cross(b).length().atan2(a.dot(b))
            }
        }
    }
}

fn channel(
    name: &str,
    (value, time): (f64, Seconds),
    unit: ErrorUnit,
    limit: Option<f64>,
) -> ChannelDifference {
    ChannelDifference { channel: name.to_owned(), component: None, value, unit, time, limit }
}

/// A played transform in double precision.
fn exact(played: &Affine3A) -> DAffine3 {
    DAffine3::from_cols_array(&played.to_cols_array().map(f64::from))
}

/// True of a property that is part of a joint's transform.
const fn is_placing(property: &Property) -> bool {
    matches!(property, Property::Translation | Property::Rotation | Property::Scale | Property::Placement)
}

/// For each node, what a clip moves there.
fn targets<'a>(side: &Side<'a>) -> Vec<Option<&'a Target>> {
    let mut targets = vec![None; side.parents.len()];
    for track in &side.animation.clip.tracks {
        let places =
            |c: &Channel| is_placing(&c.property) && c.composition.curves().any(|curve| !curve.is_empty());
        if let Some(slot) = track.target.node.and_then(|NodeIndex(node)| targets.get_mut(node))
            && slot.is_none()
            && track.channels.iter().any(places)
        {
            *slot = Some(&track.target);
        }
    }
    targets
}

/// For each node, how its direction counts, if it looks or shines.
fn gazes(side: &Side<'_>) -> Vec<Option<Gaze>> {
    let scene = side.animation.scene;
    let shines = DVec3::from(scene.basis.light_shines.vector());
    let of_node = |node: &dopesheet_core::model::Node| match (node.camera, node.light) {
        (Some(_), _) => Some(Gaze::Whole),
        (None, Some(_)) => Some(Gaze::Along(shines)),
        (None, None) => None,
    };
    let mut gazes: Vec<Option<Gaze>> = scene.nodes.iter().map(of_node).collect();
    for track in &side.animation.clip.tracks {
        let ray = track.channels.iter().find_map(|channel| match channel.composition {
            Composition::Swing { axis, .. } => Some(Gaze::Along(axis.into())),
            _ => None,
        });
        if let Some(slot) = track.target.node.and_then(|NodeIndex(node)| gazes.get_mut(node)) {
            *slot = slot.or(ray);
        }
    }
    gazes
}
