//! Joints of both animations: points around them in model space, and their local transforms.

use super::eight::{EIGHT, Frames, Locals, Models, Octet, squares, sums};
use super::matching::{Match, Nodes};
use super::metric::{RIGID, angle, displacement, rotation_of, rough_displacement};
use super::peak::{Peak, Rivals};
use super::rests::{FromRest, Rests};
use super::sides::{Local, Side};
use super::times::SampleTimes;
use super::{ChannelDifference, GAZE, MODEL_SPACE};
use crate::Tolerance;
use crate::sample::pose::scale_at_rest;
use dopesheet_core::diag::ErrorUnit;
use dopesheet_core::model::{Channel, Composition, NodeIndex, Property, Target};
use dopesheet_core::units::Seconds;
use fearless_simd::{Simd, f32x8, prelude::*};
use glam::{DAffine3, DVec3};

/// A peak from this part of the tolerance on is refined.
const REFINED: f64 = 0.9;

/// Part of the largest square of local differences from which on the difference of another joint may be the
/// largest.
const MAY_BE_LARGEST: f64 = 0.8;

/// Comparison of the direction of a camera, a light or a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Gaze {
    /// Cameras: the whole rotation.
    Whole,
    /// Lights and rays: this local axis, because a roll about it means nothing.
    Along(DVec3),
}

/// A joint of one animation and its match in the other; a joint without a match is compared with its own
/// rest, relative to its parent.
pub(super) struct JointPair<'a> {
    nodes: Match,
    /// Targets that move the joint in A, and in B.
    pub(super) targets: [Option<&'a Target>; 2],
    pub(super) name: &'a str,
    gaze: Option<Gaze>,
    /// Radius of the shell in units of the joint; in units of the scene where the joints of both sides have
    /// different rests.
    shell: f64,
    /// Maps to the points of the shell on each side; `None` where these points are the same.
    from_rest: Option<Box<FromRest>>,
    /// True if no node of the chain is scaled on either side.
    is_rigid: bool,
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
pub(super) struct PairDifferences {
    /// `model-space` first.
    pub(super) channels: Vec<ChannelDifference>,
    /// Angle in model space at the time of the largest displacement, in radians; `None` where one side has no
    /// such joint.
    pub(super) rotation_rad: Option<f64>,
    /// Largest displacement relative to the parent, in metres.
    pub(super) local_m: f64,
}

/// All pairs, in the order of matches.
pub(super) fn pairs<'a>(
    sides: [&Side<'a>; 2],
    nodes: &Nodes,
    shell_m: f64,
    is_known: bool,
) -> Vec<JointPair<'a>> {
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
        let is_rigid = from_rest.is_none()
            && sides.iter().zip([found.a, found.b]).all(|(side, node)| {
                let mut chain = node.into_iter().flat_map(|node| side.chain(node));
                chain.all(|own| side.is_rigid.get(own) == Some(&true))
            });
        JointPair { nodes: *found, targets, name, gaze, shell: shell_m / scale, from_rest, is_rigid }
    };
    nodes.matches.iter().enumerate().map(pair).collect()
}

/// Value of a node; `None` without a node, or if the node has no value.
fn of<T: Copy>(all: &[Option<T>], node: Option<usize>) -> Option<T> {
    all.get(node?).copied().flatten()
}

impl JointPair<'_> {
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

    /// Takes note of how far both sides are apart at eight samples, and of the largest displacement at each, or somewhat more.
    #[inline(always)]
    pub(super) fn note<S: Simd>(
        &self,
        simd: S,
        (peaks, heights): (&mut Peaks, &mut Octet),
        sides: [&Side<'_>; 2],
        frames: [&Frames; 2],
        (times, is_first): (&[f64; EIGHT], bool),
    ) {
        let is_moved = |frame: &Frames, node: Option<usize>| {
            node.is_some_and(|node| frame.moved.get(node) == Some(&true))
        };
        if !is_moved(frames[0], self.nodes.a) && !is_moved(frames[1], self.nodes.b) {
            return;
        }
        if let (Some(a), Some(b)) = (self.nodes.a, self.nodes.b)
            && let (Some(a), Some(b)) = (frames[0].models.get(a), frames[1].models.get(b))
        {
            self.note_models(simd, (peaks, heights), [a, b], times);
        }
        let moves = |side: &Side<'_>, node: Option<usize>| {
            node.and_then(|node| side.moves.get(node)).is_some_and(|[a, b, c]| *a || *b || *c)
        };
        let is_new = is_first || moves(sides[0], self.nodes.a) || moves(sides[1], self.nodes.b);
        if is_new && self.targets.iter().any(Option::is_some) {
            let a = self.nodes.a.and_then(|node| frames[0].locals.get(node));
            let b = self.nodes.b.and_then(|node| frames[1].locals.get(node));
            let rest =
                |side: &Side<'_>, node: Option<usize>| Locals::still(&side.rest(node.unwrap_or_default()));
            match (a, b) {
                (Some(a), Some(b)) => self.note_locals(simd, peaks, [a, b], times),
                (Some(a), None) => self.note_locals(simd, peaks, [a, &rest(sides[0], self.nodes.a)], times),
                (None, Some(b)) => self.note_locals(simd, peaks, [&rest(sides[1], self.nodes.b), b], times),
                (None, None) => {}
            }
        }
    }

    /// Most samples are no peaks, as a bound proves; values that are not numbers are measured.
    #[inline(always)]
    fn note_models<S: Simd>(
        &self,
        simd: S,
        (peaks, heights): (&mut Peaks, &mut Octet),
        [a, b]: [&Models; 2],
        times: &[f64; EIGHT],
    ) {
        let in_world = self.from_rest.as_ref().map(|from_rest| from_rest.of_played(simd, [a, b]));
        let [shell_a, shell_b] = in_world.as_ref().map_or([a, b], |[a, b]| [a, b]);
        let factor = if self.is_rigid { RIGID } else { 1.0 };
        let bounds = rough_displacement(simd, [shell_a, shell_b], self.shell as f32 * factor);
        *heights = f32x8::load_array_ref(simd, heights).max(bounds).to_array();
        if !bounds.simd_le(peaks.displacement.least() as f32).all_true() {
            for (sample, (bound, time)) in bounds.to_array().into_iter().zip(times).enumerate() {
                if f64::from(bound) <= peaks.displacement.least() {
                    continue;
                }
                let displaced = match self.is_rigid && bound.is_finite() {
                    true => f64::from(bound),
                    false => displacement(&shell_a.at(sample), &shell_b.at(sample), self.shell),
                };
                peaks.displacement.note(displaced, *time);
            }
        }
        if let Some(gaze) = self.gaze {
            for (sample, time) in times.iter().enumerate() {
                peaks.gaze.note(gaze.angle(&a.at(sample), &b.at(sample)), *time);
            }
        }
    }

    /// Peaks of local transforms are in units that rise with the exact differences computed later.
    #[inline(always)]
    fn note_locals<S: Simd>(&self, simd: S, peaks: &mut Peaks, [a, b]: [&Locals; 2], times: &[f64; EIGHT]) {
        let moved = squares(simd, &a.translation, &b.translation);
        // A rotation and its negative are one.
        let (turned, opposite) =
            (squares(simd, &a.rotation, &b.rotation), sums(simd, &a.rotation, &b.rotation));
        let scaled = squares(simd, &a.scale, &b.scale);
        // Other axes at rest make other local transforms of the same motion.
        if self.targets.iter().any(Option::is_none) && self.from_rest.is_none() {
            let differs = (moved + turned + scaled).to_array();
            for (sample, (time, _)) in
                times.iter().zip(differs).enumerate().filter(|(_, (_, difference))| *difference != 0.0)
            {
                peaks.local.note(displacement(&a.matrix(sample), &b.matrix(sample), self.shell), *time);
            }
        }
        let part_peaks = [&mut peaks.translation, &mut peaks.rotation, &mut peaks.scale];
        for (peak, squares) in part_peaks.into_iter().zip([moved, turned.min(opposite), scaled]) {
            if !squares.simd_le(peak.value as f32).all_true() {
                let all = squares.to_array().into_iter().zip(times);
                all.for_each(|(square, time)| peak.note(square.into(), *time));
            }
        }
    }

    /// The largest differences by the reference evaluator: at the tops of their peaks where a report may
    /// state them or a result depend on them.
    pub(super) fn found(
        &self,
        peaks: &Peaks,
        sides: [&Side<'_>; 2],
        times: &SampleTimes,
        tolerance: &Tolerance,
        (is_farthest, most): (bool, &Largest),
    ) -> PairDifferences {
        let locals = |time: f64| self.locals(sides, Seconds(time));
        let by_locals = |peak: &Peak, most: f64, difference: fn(Local, Local) -> f64| {
            let exact = |time: f64| {
                let [a, b] = locals(time);
                difference(a, b)
            };
            if peak.value >= MAY_BE_LARGEST * most {
                peak.refined(times, exact)
            } else {
                peak.looked_up(exact)
            }
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
        let moved =
            by_locals(&peaks.translation, most.translation, |a, b| a.translation.distance(b.translation));
        let turned = by_locals(&peaks.rotation, most.rotation, |a, b| angle(a.rotation, b.rotation));
        let scaled = by_locals(&peaks.scale, most.scale, |a, b| a.scale.distance(b.scale));
        channels.extend([
            channel(Property::Translation.word(), moved, ErrorUnit::Metre, None),
            channel(Property::Rotation.word(), turned, ErrorUnit::Radian, None),
            channel(Property::Scale.word(), scaled, ErrorUnit::One, None),
        ]);
        channels.retain(|found| found.value > 0.0 || found.channel == MODEL_SPACE);
        PairDifferences { channels, rotation_rad, local_m }
    }

    /// Local transforms of both sides at a time; a missing side has the rest transform of the other.
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

    /// Displacement of a shared joint at a time, with the nodes of A and B.
    pub(super) fn displacement_at(
        &self,
        sides: [&Side<'_>; 2],
        time: Seconds,
    ) -> Option<(NodeIndex, NodeIndex, f64)> {
        let [a, b] = self.shells(sides, time)?;
        Some((NodeIndex(self.nodes.a?), NodeIndex(self.nodes.b?), displacement(&a, &b, self.shell)))
    }
}

/// Largest squares of local differences of all pairs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Largest {
    translation: f64,
    rotation: f64,
    scale: f64,
}

impl Largest {
    pub(super) fn of(all: &[Peaks]) -> Self {
        all.iter().fold(Self::default(), |most, own| Self {
            translation: most.translation.max(own.translation.value),
            rotation: most.rotation.max(own.rotation.value),
            scale: most.scale.max(own.scale.value),
        })
    }
}

impl Peaks {
    /// Takes note of the peaks of later samples.
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

    /// Largest share of a limit taken by positions and directions at any sample, by the player.
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
                libm::atan2(a.cross(b).length(), a.dot(b))
            }
        }
    }
}

fn channel(name: &str, largest: (f64, Seconds), unit: ErrorUnit, limit: Option<f64>) -> ChannelDifference {
    let (value, time) = largest;
    ChannelDifference { channel: name.to_owned(), component: None, value, unit, time, limit }
}

/// True of a property that is part of a joint's transform.
const fn is_placing(property: &Property) -> bool {
    matches!(property, Property::Translation | Property::Rotation | Property::Scale | Property::Placement)
}

/// For each node, the target of the clip's first track that places it.
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

/// For each node with a camera or a light, the comparison of its direction.
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
