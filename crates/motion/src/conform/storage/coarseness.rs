//! Coarser values where the target stores them shorter: as coarse as the rest of the tolerance allows.

use super::{Coarseness, rotation_curves};
use crate::compare::{Comparison, GAZE};
use crate::sample::pose::{decompose, local_pose, model_pose};
use crate::tolerance::Tolerance;
use dopesheet_core::model::{Clip, Composition, Hierarchy, NodeIndex, Scene, TargetKind, Times};
use dopesheet_core::units::Seconds;
use glam::{DAffine3, DVec3};

/// Angle that each joint may turn at first, as a part of the angle that would use up the tolerance by itself.
const FIRST: f64 = 0.5;

/// Part of the tolerance to aim at: the largest of many errors is a matter of luck.
const AIM: f64 = 0.94;

/// Part of the tolerance from which on a joint stays unchanged.
const ENOUGH: f64 = 0.88;

/// Largest factor by which a joint gets coarser or finer at once.
const MOST_CHANGE: f64 = 4.0;

/// Limits of the displacement by rounding.
impl Coarseness {
    /// A first guess for each node. `tolerance` is in units of the scene.
    pub(in crate::conform) fn new(scene: &Scene, clip: &Clip, tolerance: &Tolerance) -> Self {
        let levers = Levers::new(scene, clip, tolerance.shell_m(scene.hierarchy == Hierarchy::Known));
        let share = |depth: f64| FIRST * tolerance.length_m / depth.max(1.0).sqrt();
        let shares =
            |own: &[f64]| own.iter().zip(&levers.depth).map(|(by, depth)| share(*depth) / by).collect();
        Self { angles_rad: shares(&levers.lengths), lengths: shares(&levers.stretch) }
    }

    /// Gives every joint less.
    pub(in crate::conform) fn shrink(&mut self, factor: f64) {
        self.angles_rad.iter_mut().chain(&mut self.lengths).for_each(|most| *most *= factor);
    }

    /// Scales each joint's coarseness so that the joint, and all its descendants, come near the tolerance. A
    /// direction has a limit of its own, whatever the tolerance: a node beyond that limit and its ancestors
    /// are stored as finely as possible.
    pub(in crate::conform) fn adapt(&mut self, scene: &Scene, comparison: &Comparison) {
        let looks_away = comparison.tracks.iter().filter(|track| {
            track.channels.iter().any(|channel| channel.channel == GAZE && channel.share() > 1.0)
        });
        for node in looks_away.filter_map(|track| track.node) {
            let above = |node: &NodeIndex| scene.node(*node).and_then(|node| node.parent);
            for NodeIndex(node) in std::iter::successors(Some(node), above).take(scene.nodes.len()) {
                self.angles_rad.get_mut(node).into_iter().for_each(|angle| *angle = 0.0);
            }
        }
        let mut shares = vec![0.0f64; scene.nodes.len()];
        let overall = comparison.tracks.iter().map(|t| t.share()).fold(0.0, f64::max);
        for track in comparison.tracks.iter().filter(|t| t.kind == TargetKind::Joint) {
            let node = track.node.map(|node| node.0);
            if let Some(share) = node.and_then(|node| shares.get_mut(node)) {
                *share = share.max(track.share());
            }
        }
        for (index, node) in scene.nodes.iter().enumerate().rev() {
            let share = shares.get(index).copied().unwrap_or_default();
            if let Some(parent) = node.parent.and_then(|parent| shares.get_mut(parent.0)) {
                *parent = parent.max(share);
            }
        }
        let limits = self.angles_rad.iter_mut().zip(&mut self.lengths);
        for (share, (angle, length)) in shares.into_iter().zip(limits) {
            let share = if share > 0.0 { share } else { overall };
            let is_right = (ENOUGH..=1.0).contains(&share);
            let factor = (AIM / share.max(1e-9)).clamp(1.0 / MOST_CHANGE, MOST_CHANGE);
            let factor = if is_right { 1.0 } else { factor };
            *angle *= factor;
            *length *= factor;
        }
    }
}

/// Distances at which each node moves points when it turns.
struct Levers {
    /// For each node, largest distance of moved points whose own joints do not make good the node's error.
    lengths: Vec<f64>,
    /// For each node, factor by which the parent stretches its translation.
    stretch: Vec<f64>,
    /// For each node, number of rounded joints on the longest chain through it.
    depth: Vec<f64>,
}

impl Levers {
    fn new(scene: &Scene, clip: &Clip, shell: f64) -> Self {
        let pose = model_pose(scene, &local_pose(scene, clip, Seconds(0.0))).0;
        let position = |index: usize| pose.get(index).map_or(DVec3::ZERO, |transform| transform.translation);
        let places = rotation_curves(scene, clip);
        let times = |index: usize| -> Option<&Times> {
            let [track, channel] = places.get(index).copied().flatten()?;
            let channel = clip.tracks.get(track)?.channels.get(channel)?;
            let Composition::Whole(curve) = &channel.composition else { return None };
            (curve.len() > 1).then_some(&curve.times)
        };
        let count = scene.nodes.len();
        // The key times whose errors reach each node.
        let mut reaching: Vec<Option<&Times>> = Vec::with_capacity(count);
        // For each node, distances of what hangs on it, of all and of what does not make its error good, and its depth.
        let mut levers: Vec<[f64; 3]> = Vec::with_capacity(count);
        let parent = |index: usize| scene.nodes.get(index).and_then(|n| n.parent).map(|p| p.0);
        for index in 0..count {
            let above = parent(index).and_then(|p| reaching.get(p).copied()).flatten();
            reaching.push(times(index).or(above));
            let [.., depth] = parent(index).and_then(|p| levers.get(p)).copied().unwrap_or_default();
            levers.push([shell, shell, depth + f64::from(u8::from(times(index).is_some()))]);
        }
        for index in (0..count).rev() {
            let Some([whole, own, depth]) = levers.get(index).copied() else { continue };
            let Some(parent) = parent(index) else { continue };
            let Some([whole_above, own_above, depth_above]) = levers.get_mut(parent) else { continue };
            let length = position(index).distance(position(parent));
            *whole_above = whole_above.max(length + whole);
            let makes_good = times(index).is_some() && reaching.get(parent) == Some(&times(index));
            let beyond = match (makes_good, times(index)) {
                (true, _) => 0.0,
                (false, Some(_)) => whole,
                (false, None) => own,
            };
            *own_above = own_above.max(length + beyond);
            *depth_above = depth_above.max(depth);
        }
        let size = |matrix: &DAffine3| DVec3::from(decompose(matrix).scale).abs().max_element();
        let stretch = |index: usize| parent(index).and_then(|p| pose.get(p)).map_or(1.0, size).max(1e-9);
        let (lengths, depth) = levers.into_iter().map(|[_, own, depth]| (own, depth)).unzip();
        Self { lengths, stretch: (0..count).map(stretch).collect(), depth }
    }
}
