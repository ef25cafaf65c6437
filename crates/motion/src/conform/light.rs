//! Lights for formats with directions keyed on a grid, where neighbouring frames are a cut.
//!
//! Between two keys such a direction is a mean of both, and their lengths determine the speed of the turn
//! along the way. Lengths are found together with the keys, so that a direction made by hand with two keys
//! gets two keys again, in whatever form it was stored.

use super::camera::{self, is_its, keyed_frames, remove_channels, told_of, with_ancestors};
use super::told::{Measured, warn_if_beyond};
use crate::compare::{Animation, Comparison, GAZE, compare};
use crate::keys::KeyPlan;
use crate::sample::pose::{decompose, local_pose, model_pose};
use crate::single::finite;
use crate::tolerance::Tolerance;
use dopesheet_core::diag::Report;
use dopesheet_core::format::Capabilities;
use dopesheet_core::model::{
    Channel, Clip, Composition, Curve, Law, Laws, NodeIndex, Property, Scene, Target, TargetKind, Times,
    Track,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_core::words::counted;
use glam::{DQuat, DVec3};

/// Part of the tolerance for keys: between the samples errors are a little larger.
const OF_ANGLE: f64 = 0.8;

/// Samples per frame.
const PER_FRAME: usize = 4;

/// Fewest frames for each hand-made key.
const SPARSE: usize = 4;

/// Largest ratio of the lengths of a key's direction and of the direction before.
const MOST_RATIO: f64 = 16.0;

/// The direction of a light, taken out of a clip.
pub(super) struct Aimed {
    track: Track,
    what: String,
    comparison: Comparison,
}

/// Takes the direction of a turning light out of a clip, if the format wants this.
pub(super) fn take_out(
    scene: &Scene,
    clip: &mut Clip,
    plan: &KeyPlan,
    capabilities: &Capabilities,
    tolerance: &Tolerance,
) -> Option<Aimed> {
    if !(capabilities.parts.orbits && capabilities.parts.lights && plan.only_on_grid) {
        return None;
    }
    let node = turning_light(scene, clip)?;
    let source = with_ancestors(scene, clip, node, is_turn);
    let gaze = Gaze::new(scene, &source, node, plan)?;
    let keys = gaze.keys();
    let target = Target::new(TargetKind::Light, scene.node(node)?.name.clone(), 0, Some(node));
    let channel = gaze.channel(&keys);
    let seen = seen_alone(scene, &source, node, &target, &channel)?;
    let seen = Animation { scene: &seen.0, clip: &seen.1 };
    let mut comparison = compare(Animation { scene, clip: &source }, seen, tolerance);
    // A light that turns about its own direction shines as before.
    comparison.tracks.iter_mut().for_each(|track| track.channels.retain(|own| own.channel == GAZE));
    let keys_before = remove_channels(clip, node, is_turn);
    let what = format!("{} became {}, on frames at {}", counted(keys_before, "key"), keys.len(), plan.rate);
    Some(Aimed { track: Track { target, channels: vec![channel] }, what, comparison })
}

impl Aimed {
    /// Puts the direction back, and reports its error.
    pub(super) fn put_back(self, scene: &Scene, clip: &mut Clip, tolerance: &Tolerance, report: &mut Report) {
        told_of(&self.comparison, None, report, |channel| format!("light {channel}: {}", self.what));
        let measured = Measured::unexplained(self.comparison);
        warn_if_beyond(scene, tolerance, &measured, report);
        clip.tracks.push(self.track);
    }
}

fn is_turn(channel: &Channel) -> bool {
    channel.property == Property::Rotation && !matches!(channel.composition, Composition::Aim { .. })
}

/// The first node with a turning light.
fn turning_light(scene: &Scene, clip: &Clip) -> Option<NodeIndex> {
    let turns = |track: &&Track| {
        let node = track.target.node.and_then(|node| scene.node(node));
        node.is_some_and(|node| node.light.is_some()) && track.channels.iter().any(is_turn)
    };
    clip.tracks.iter().find(turns)?.target.node
}

/// The new light by itself: on a node without a parent.
fn seen_alone(
    scene: &Scene,
    source: &Clip,
    node: NodeIndex,
    target: &Target,
    channel: &Channel,
) -> Option<(Scene, Clip)> {
    let Composition::Whole(direction) = &channel.composition else { return None };
    let axis = scene.basis.light_shines.vector();
    let composition = Composition::Aim { direction: Box::new(direction.clone()), axis };
    let channels = vec![Channel { property: Property::Rotation, composition, native: None }];
    let source_track = source.tracks.iter().find(|track| is_its(&track.target, node));
    let target = source_track.map_or_else(|| target.clone(), |track| track.target.clone());
    Some(camera::seen_alone(scene, source, node, Track { target, channels }))
}

/// A key: its frame from the first one, and the length of its direction.
type Key = (usize, f64);

/// The direction of a light, [`PER_FRAME`] times a frame.
struct Gaze {
    samples: Vec<DVec3>,
    /// Frames of hand-made keys.
    authored: Vec<usize>,
    first: i64,
    rate: FrameRate,
}

impl Gaze {
    fn new(scene: &Scene, clip: &Clip, node: NodeIndex, plan: &KeyPlan) -> Option<Self> {
        let rate = plan.rate;
        let (first, frames) = keyed_frames(clip, plan)?;
        let first = first as f64;
        let axis = DVec3::from(scene.basis.light_shines.vector());
        let count = frames.saturating_mul(PER_FRAME).saturating_add(1);
        let direction = |step: usize| {
            let time = rate.seconds(first + step as f64 / PER_FRAME as f64);
            let pose = model_pose(scene, &local_pose(scene, clip, time));
            let turn = pose.0.get(node.0).map(|own| decompose(own).rotation);
            turn.map_or(axis, |turn| DQuat::from_array(turn) * axis)
        };
        let samples: Vec<DVec3> = (0..count).map(direction).collect();
        let mut authored: Vec<usize> = clip
            .curves()
            .flat_map(|curve| curve.times.iter())
            .filter_map(|time| on_frame(time, rate, first))
            .filter(|frame| *frame <= frames)
            .collect();
        authored.sort_unstable();
        authored.dedup();
        if authored.len().saturating_mul(SPARSE) > frames.saturating_add(SPARSE) {
            authored.clear();
        }
        Some(Self { samples, authored, first: first as i64, rate })
    }

    /// Keys as far from each other as the tolerance allows; within reach, frames with authored keys are
    /// preferred.
    fn keys(&self) -> Vec<Key> {
        let last = self.samples.len().saturating_sub(1).checked_div(PER_FRAME).unwrap_or(0);
        let mut keys = vec![(0, 1.0)];
        let (mut at, mut length) = (0, 1.0f64);
        while at < last {
            let mut reached = (at.saturating_add(1), 1.0);
            let mut step = 1usize;
            // The largest step is found by doubling and halving.
            while let Some((end, ratio)) =
                self.segment(at, at.saturating_add(step.saturating_mul(2)).min(last))
            {
                reached = (end, ratio);
                step = end.saturating_sub(at);
                if end == last {
                    break;
                }
            }
            let mut more = step / 2;
            while more > 0 && reached.0 < last {
                let next = self.segment(at, reached.0.saturating_add(more).min(last));
                reached = next.unwrap_or(reached);
                more /= 2;
            }
            let before = self.authored.partition_point(|frame| *frame <= reached.0);
            let authored = before.checked_sub(1).and_then(|place| self.authored.get(place));
            if let Some(frame) = authored.filter(|frame| **frame > at.saturating_add(1))
                && let Some(there) = self.segment(at, *frame)
            {
                reached = there;
            }
            length *= reached.1;
            at = reached.0;
            keys.push((at, length));
        }
        keys
    }

    fn on(&self, frame: usize) -> DVec3 {
        self.samples.get(frame.saturating_mul(PER_FRAME)).copied().unwrap_or(DVec3::Z)
    }

    /// The end of a segment and the ratio of the lengths of its directions, if no sample between them is too far off.
    fn segment(&self, start: usize, end: usize) -> Option<Key> {
        let (from, to) = (self.on(start), self.on(end));
        let range = start.saturating_mul(PER_FRAME)..=end.saturating_mul(PER_FRAME);
        let inner = self.samples.get(range)?;
        let last = inner.len().saturating_sub(1).max(1) as f64;
        let shares = || inner.iter().enumerate().map(|(step, sample)| (step as f64 / last, *sample));
        // The ratio that brings all samples nearest to the plane through the mean and the normal of both.
        let (mut own, mut other) = (0.0, 0.0);
        for (u, sample) in shares() {
            let (a, b) = (sample.cross(from) * (1.0 - u), sample.cross(to) * u);
            own -= a.dot(b);
            other += b.dot(b);
        }
        let ratio = if other > 1e-18 { own / other } else { 1.0 };
        if !(1.0 / MOST_RATIO..=MOST_RATIO).contains(&ratio) {
            return None;
        }
        let fits = |(u, sample): (f64, DVec3)| {
            let mean = from * (1.0 - u) + to * (ratio * u);
            mean.angle_between(sample) <= OF_ANGLE * Tolerance::ANGLE_RAD
        };
        // Neighbouring frames are a cut, which holds what is before.
        (end > start.saturating_add(1) && shares().all(fits)).then_some((end, ratio))
    }

    fn channel(&self, keys: &[Key]) -> Channel {
        let longest = keys.iter().map(|(_, length)| *length).fold(f64::MIN_POSITIVE, f64::max);
        let values =
            keys.iter().flat_map(|(frame, length)| (self.on(*frame) * (length / longest)).to_array());
        let frames = keys.iter().map(|(frame, _)| self.first.saturating_add(*frame as i64)).collect();
        let laws = keys.array_windows().map(|[(from, _), (to, _)]| match from.checked_add(1) == Some(*to) {
            true => Law::STEP,
            false => Law::LINEAR,
        });
        let laws = Laws::from_segments(laws.collect::<Vec<_>>());
        let times = Times::Frames { rate: self.rate, frames };
        Channel::whole(Property::Direction, Curve::new(times, 3, values.map(finite).collect(), laws))
    }
}

/// The frame of a time within single precision, counted from the first frame; `None` between frames.
fn on_frame(time: Seconds, rate: FrameRate, first: f64) -> Option<usize> {
    let frame = rate.frame(time).round();
    let slack = f64::from(f32::EPSILON) * time.0.abs();
    ((time.0 - rate.seconds(frame).0).abs() <= slack && frame >= first).then_some((frame - first) as usize)
}
