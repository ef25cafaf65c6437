//! The error budget: errors of channels with which no point of the model is off by more than the tolerance.
//!
//! A joint's error moves all its descendants: an angle by its product with the distance of the farthest
//! point. Errors along a chain add up, so the approximated channels of a chain share the length between them.

use super::laws::Destination;
use super::laws::kept;
use crate::keys::splice::Stretches;
use crate::keys::{Allowance, is_curved};
use crate::sample::moving::changes;
use crate::sample::pose::{decompose, local_pose, model_pose};
use crate::single::narrow;
use crate::tolerance::Tolerance;
use dopesheet_core::format::Rounding;
use dopesheet_core::model::{
    Channel, Clip, Composition, Hierarchy, NodeIndex, PoseRelation, Property, Scene, TargetKind, Track,
    Transform,
};
use dopesheet_core::units::Seconds;
use glam::DVec3;
use std::ops::Range;

/// At how many times the distances within the model are looked at.
const POSES: u32 = 48;

/// Number of joints of a chain above which the farthest point of each is not searched: the search takes work
/// for each pair of joints.
const DEEP: usize = 256;

/// Factor by which distances may be larger between those times.
const STRETCH: f64 = 1.1;

/// Factor on the safe share of a joint of a long chain at first, because its errors seldom add up; joints of
/// shorter chains get less.
const LONG_CHAIN_BONUS: f64 = 2.0;

/// Number of approximated channels from which a chain is long.
const LONG_CHAIN: f64 = 8.0;

/// The part of a joint's safe share used at first where no other joint's errors add up: numbers and times are
/// rounded.
const NEARLY_ALL: f64 = 0.96;

/// The same part where several of the joint's channels are curved: fits checked by samples may miss by a
/// little more than the samples show, and then all of them would have to be repeated.
const LESS_OF_SEVERAL: f64 = 0.94;

/// The largest share of the tolerance that one channel may use at first.
const LARGEST_SHARE: f64 = 0.8;

/// The part of the limit of directions for keys where rotations are rounded; rounding takes up to a quarter
/// of the limit.
const BESIDE_ROUNDING: f64 = 0.6;

/// The smallest part of its safe share to which a joint is brought down: where this part does not help, the
/// error has another cause than too few keys.
const SMALLEST_SHARE: f64 = 0.25;

/// All joints get more only if at least one gets so many times as much.
const WORTH_IT: f64 = 1.1;

/// The smallest allowed length, so that no tolerance asks for more digits than numbers have.
const SMALLEST: f64 = 1e-7;

/// Errors that the joints of a clip may have.
pub(super) struct ErrorBudget {
    /// Per node.
    joints: Vec<Joint>,
    /// Rest transforms of the nodes if values are absolute; empty if values are relative to the rest pose.
    rests: Vec<Transform>,
    /// The whole length, in units of the scene.
    length: f64,
    /// The shell's radius, in units of the scene.
    shell: f64,
    /// The largest angle by which any direction may differ.
    direction_rad: f64,
    /// For each node, the stretches of its last change of share; `None` if the change was for the whole clip.
    stretches: Vec<Option<Stretches>>,
}

#[derive(Clone, Copy)]
struct Joint {
    /// Distance from the joint to the farthest point it moves, in the model's space.
    reach: f64,
    /// Factor by which the joint's parents stretch its translation.
    parent_scale: f64,
    /// The part of the tolerance for each of the joint's channels, 0..=1.
    share: f64,
    /// True if a camera or a light turns with the joint.
    aims: bool,
    /// The part that is enough if the errors of a chain add up.
    safe: f64,
    /// True if the joint's new segments are straight, because no others are wanted or because cubic ones were
    /// too far off.
    is_straight: bool,
}

impl Joint {
    /// A joint without children.
    const fn free(shell: f64) -> Self {
        Self { reach: shell, parent_scale: 1.0, share: 1.0, aims: false, safe: 1.0, is_straight: false }
    }
}

impl ErrorBudget {
    /// `tolerance` is in units of the scene.
    pub(super) fn new(scene: &Scene, clip: &Clip, target: &Destination<'_>, tolerance: &Tolerance) -> Self {
        let off = |track: &Track| {
            let channels = track.channels.iter().zip(kept(track, target));
            let may_drop = |c: &Channel| target.may_drop(track, &c.property);
            let is_off = |c: &Channel, kept: bool| (may_drop(c) && changes(c)) || (!kept && is_curved(c));
            channels.filter(|(c, kept)| is_placing(&c.property) && is_off(c, *kept)).count()
        };
        let mut budget = Self::shared(scene, clip, tolerance, !target.cubic, &off);
        if target.storage.rotations != Rounding::None {
            budget.direction_rad = Tolerance::ANGLE_RAD * BESIDE_ROUNDING;
        }
        budget
    }

    /// Budget of a clip whose keys may all go, from straight paths. `tolerance` is in units of the scene.
    pub(super) fn of_all(scene: &Scene, clip: &Clip, tolerance: &Tolerance) -> Self {
        let off = |track: &Track| {
            track.channels.iter().filter(|channel| is_placing(&channel.property) && changes(channel)).count()
        };
        Self::shared(scene, clip, tolerance, true, &off)
    }

    /// `lossy_channels` is the number of channels of a track that may have errors.
    fn shared(
        scene: &Scene,
        clip: &Clip,
        tolerance: &Tolerance,
        is_straight: bool,
        lossy_channels: &dyn Fn(&Track) -> usize,
    ) -> Self {
        let shell = tolerance.shell_m(scene.hierarchy == Hierarchy::Known);
        let length = tolerance.length_m.max(SMALLEST);
        let free = Joint { is_straight, ..Joint::free(shell) };
        let mut joints = vec![free; scene.nodes.len()];
        let is_deep = depth(scene) > DEEP;
        for time in times(clip) {
            stretch(scene, clip, time, is_deep, shell, &mut joints);
        }
        share_out(scene, clip, lossy_channels, &mut joints);
        let is_absolute = clip.relation == PoseRelation::Absolute;
        let rests = scene.nodes.iter().filter(|_| is_absolute).map(|node| node.rest).collect();
        let stretches = vec![None; joints.len()];
        let direction_rad = Tolerance::ANGLE_RAD * LARGEST_SHARE;
        Self { joints, rests, length, shell, direction_rad, stretches }
    }

    /// Limits each joint to its safe share, enough even if all errors of a chain add up.
    pub(super) fn assume_the_worst(&mut self) {
        for joint in &mut self.joints {
            joint.share = joint.safe;
        }
    }

    /// Multiplies each joint's share by a factor; `false`, with nothing changed, if no joint would have
    /// clearly more than before.
    pub(super) fn raise(&mut self, factor: f64) -> bool {
        if self.joints.iter().all(|joint| (joint.share * factor).min(1.0) < joint.share * WORTH_IT) {
            return false;
        }
        (0..self.joints.len()).filter(|node| self.lower(NodeIndex(*node), factor, None)).count() > 0
    }

    /// Multiplies a joint's share by a factor, in some stretches or, without them, anywhere; `false` if the
    /// share stays the same.
    pub(super) fn lower(&mut self, node: NodeIndex, factor: f64, stretches: Option<Stretches>) -> bool {
        let (Some(joint), Some(own)) = (self.joints.get_mut(node.0), self.stretches.get_mut(node.0)) else {
            return false;
        };
        let share = (joint.share * factor).clamp(joint.safe * SMALLEST_SHARE, 1.0);
        let changes = share != joint.share;
        joint.share = share;
        *own = stretches;
        changes
    }

    /// The stretches of the last change of share of a track's joint; `None` if the change was for the whole
    /// clip.
    pub(super) fn stretches(&self, track: &Track) -> Option<&[Range<f64>]> {
        self.stretches.get(track.target.node?.0)?.as_deref()
    }

    /// Makes a joint's new segments straight from now on; `false` if they were straight already.
    pub(super) fn straighten(&mut self, node: NodeIndex) -> bool {
        self.joints.get_mut(node.0).is_some_and(|joint| !std::mem::replace(&mut joint.is_straight, true))
    }

    /// The part of the tolerance for each channel of a track, and true if its new segments are straight,
    /// whatever the wishes.
    pub(super) fn given(&self, track: &Track) -> (f64, bool) {
        let Joint { share, is_straight, .. } = self.joint(track);
        (share, is_straight)
    }

    fn joint(&self, track: &Track) -> Joint {
        let joint = track.target.node.and_then(|node| self.joints.get(node.0));
        joint.copied().unwrap_or(Joint::free(self.shell))
    }

    /// The value of a property at rest.
    pub(super) fn rest(&self, track: &Track, property: &Property) -> Option<Vec<f32>> {
        let rest = self.rests.get(track.target.node?.0)?;
        let value = match property {
            Property::Translation => rest.translation.to_vec(),
            Property::Rotation => rest.rotation.to_vec(),
            Property::Scale => rest.scale.to_vec(),
            _ => return None,
        };
        Some(value.into_iter().map(narrow).collect())
    }

    /// Largest permitted error of a channel of a track.
    pub(super) fn of(&self, track: &Track, channel: &Channel) -> Allowance {
        let Joint { reach, parent_scale, share, aims, .. } = self.joint(track);
        let length = self.length * share;
        let mut angle_rad = length / reach;
        let is_ray = matches!(channel.composition, Composition::Swing { .. } | Composition::Aim { .. });
        if is_ray || aims || matches!(track.target.kind, TargetKind::Camera | TargetKind::Light) {
            angle_rad = angle_rad.min(self.direction_rad);
        }
        let value = match channel.property {
            Property::Translation | Property::Placement | Property::Origin => length / parent_scale,
            Property::Scale => length / (reach * parent_scale),
            _ => Tolerance::of(&channel.property) * LARGEST_SHARE,
        };
        Allowance { value, angle_rad: angle_rad.min(1.0) }
    }
}

/// Times all over a clip.
fn times(clip: &Clip) -> impl Iterator<Item = Seconds> {
    let Seconds(end) = clip.end();
    (0..=POSES).map(move |n| Seconds(end * f64::from(n) / f64::from(POSES)))
}

/// Number of joints of the longest chain.
fn depth(scene: &Scene) -> usize {
    let mut depths: Vec<usize> = Vec::with_capacity(scene.nodes.len());
    for node in &scene.nodes {
        let above = node.parent.and_then(|parent| depths.get(parent.0)).copied().unwrap_or_default();
        depths.push(above.saturating_add(1));
    }
    depths.into_iter().max().unwrap_or_default()
}

/// Notes the reach of the pose at a time; for a deep skeleton the length of its chains, an upper bound of the
/// reach.
fn stretch(scene: &Scene, clip: &Clip, time: Seconds, is_deep: bool, shell: f64, joints: &mut [Joint]) {
    let pose: Vec<Transform> =
        model_pose(scene, &local_pose(scene, clip, time)).0.iter().map(decompose).collect();
    for (index, node) in scene.nodes.iter().enumerate() {
        let Some(transform) = pose.get(index) else { continue };
        let position = DVec3::from(transform.translation);
        let size = DVec3::from(transform.scale).abs().max_element();
        let mut ancestor = node.parent;
        if let Some(joint) = joints.get_mut(index) {
            joint.reach = larger(joint.reach, shell * size.max(1.0));
            let parent = ancestor.and_then(|p| pose.get(p.0));
            let scale = parent.map_or(1.0, |p| DVec3::from(p.scale).abs().max_element());
            joint.parent_scale = larger(joint.parent_scale, scale);
        }
        while let Some(parent) = ancestor.filter(|_| !is_deep) {
            let (Some(at), Some(joint)) = (pose.get(parent.0), joints.get_mut(parent.0)) else { break };
            let distance = position.distance(DVec3::from(at.translation)) * STRETCH;
            joint.reach = larger(joint.reach, distance + shell * size.max(1.0));
            ancestor = scene.nodes.get(parent.0).and_then(|n| n.parent);
        }
    }
    for (index, node) in scene.nodes.iter().enumerate().rev().filter(|_| is_deep) {
        let (Some(transform), Some(reach)) = (pose.get(index), joints.get(index).map(|joint| joint.reach))
        else {
            continue;
        };
        let Some((at, joint)) = node.parent.and_then(|p| pose.get(p.0).zip(joints.get_mut(p.0))) else {
            continue;
        };
        let distance = DVec3::from(transform.translation).distance(DVec3::from(at.translation)) * STRETCH;
        joint.reach = larger(joint.reach, distance + reach);
    }
}

/// The larger of two numbers; a number that is not finite does not count.
fn larger(old: f64, new: f64) -> f64 {
    if new.is_finite() { old.max(new) } else { old }
}

/// Factor on the safe share of a joint on a chain with so many approximated channels.
fn bonus(count: usize) -> f64 {
    (1.0 + (LONG_CHAIN_BONUS - 1.0) * count as f64 / LONG_CHAIN).min(LONG_CHAIN_BONUS)
}

/// True of a property that is part of a joint's transform.
const fn is_placing(property: &Property) -> bool {
    matches!(property, Property::Translation | Property::Rotation | Property::Scale | Property::Placement)
}

/// Gives each joint its share: one over the number of approximated channels on the longest chain through it
/// would be safe; the joint gets some more.
fn share_out(scene: &Scene, clip: &Clip, lossy_channels: &dyn Fn(&Track) -> usize, joints: &mut [Joint]) {
    let mut counts = vec![0usize; scene.nodes.len()];
    for track in &clip.tracks {
        let Some(count) = track.target.node.and_then(|node| counts.get_mut(node.0)) else { continue };
        *count = count.saturating_add(lossy_channels(track));
    }
    let mut through = counts.clone();
    for (index, node) in scene.nodes.iter().enumerate() {
        let above = node.parent.and_then(|p| through.get(p.0)).copied().unwrap_or(0);
        if let Some(count) = through.get_mut(index) {
            *count = count.saturating_add(above);
        }
    }
    // Parents stand before children, so backwards every chain's end is met before its start.
    for (index, node) in scene.nodes.iter().enumerate().rev() {
        let longest = through.get(index).copied().unwrap_or(0);
        if let Some(parent) = node.parent.and_then(|p| through.get_mut(p.0)) {
            *parent = longest.max(*parent);
        }
        let aims = node.camera.is_some() || node.light.is_some() || joints.get(index).is_some_and(|j| j.aims);
        if let Some(parent) = node.parent.and_then(|p| joints.get_mut(p.0)) {
            parent.aims |= aims;
        }
        if let Some(joint) = joints.get_mut(index) {
            joint.aims = aims;
            let safe = 1.0 / longest.max(1) as f64;
            let is_alone = counts.get(index) == Some(&longest);
            joint.safe = safe;
            joint.share = match (is_alone, longest) {
                (true, ..=1) => safe * NEARLY_ALL,
                (true, _) => safe * LESS_OF_SEVERAL,
                (false, count) => (safe * bonus(count)).min(LARGEST_SHARE),
            };
        }
    }
}
