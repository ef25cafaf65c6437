//! Joints whose rotations are stored more finely than the rest, because otherwise no keys would keep the
//! tolerance.

use super::{short_times, turning};
use crate::compare::Comparison;
use crate::conform::adapt::placed;
use crate::sample::pose::{local_pose, model_pose};
use dopesheet_core::diag::ErrorUnit;
use dopesheet_core::format::Rounding;
use dopesheet_core::model::{Clip, NodeIndex, Scene};
use dopesheet_core::order::by_number;
use dopesheet_core::units::Seconds;
use glam::DVec3;

/// The part of a limit for rounding alone: the rest is for keys.
const ROUNDED: f64 = 0.5;

/// The part of a limit for all joints of a chain that are not stored more finely.
const LEFT: f64 = 0.25;

/// Largest error of a rotation in 16 bits for each component, in radians.
const SHORT_RAD: f64 = 6.2e-5;

/// Storage of rotations, and the lengths at which they move points.
pub(in crate::conform) struct Levers {
    pub rotations: Rounding,
    /// Radius of the shell around a joint, in units of the scene.
    pub shell: f64,
    /// Largest displacement of a point, in units of the scene.
    pub tolerance: f64,
}

impl Levers {
    /// About how far a joint turns by rounding.
    fn turn(&self, comparison: &Comparison, node: NodeIndex) -> f64 {
        if !is_packed(self.rotations) {
            return SHORT_RAD;
        }
        // How far keys at other times lead it away nobody knows beforehand.
        let tracks = comparison.tracks.iter().filter(|track| track.node == Some(node));
        let turned =
            tracks.flat_map(|track| &track.channels).filter(|channel| channel.unit == ErrorUnit::Radian);
        turned.map(|channel| channel.value).fold(0.0, f64::max)
    }

    /// Distance at which a joint moves the points of another joint.
    fn length(&self, distance: f64) -> f64 {
        if is_packed(self.rotations) { distance + self.shell } else { distance }
    }
}

/// For each joint `comparison` too far off by rounding alone, adds to the joints stored `fine` the joints of its
/// chain whose rounding moves it most. Returns true if there are more than before.
pub(in crate::conform) fn add(
    scene: &Scene,
    clip: &Clip,
    comparison: &Comparison,
    levers: &Levers,
    fine: &mut [bool],
) -> bool {
    let places = model_pose(scene, &local_pose(scene, clip, Seconds(0.0))).0;
    let position = |node: NodeIndex| places.get(node.0).map_or(DVec3::ZERO, |at| at.translation);
    let turns = turning(scene, clip);
    let mut more = false;
    for (end, _) in placed(comparison).filter(|(_, share)| *share > ROUNDED) {
        let mut chain: Vec<(NodeIndex, f64)> = Vec::new();
        let mut next = Some(end);
        while let Some(node) = next {
            if turns.get(node.0) == Some(&true) && fine.get(node.0) == Some(&false) {
                let length = levers.length(position(node).distance(position(end)));
                chain.push((node, levers.turn(comparison, node) * length));
            }
            next = scene.node(node).and_then(|node| node.parent);
        }
        by_number(&mut chain, |(_, distance)| -distance);
        let mut moved: f64 = chain.iter().map(|(_, distance)| distance).sum();
        for (node, distance) in chain {
            if moved <= LEFT * levers.tolerance {
                break;
            }
            moved -= distance;
            more |= fine.get_mut(node.0).is_some_and(|is_fine| !std::mem::replace(is_fine, true));
        }
    }
    more
}

/// True if rotations are stored in 16 bits per component or fewer.
pub(in crate::conform) const fn is_short(rotations: Rounding) -> bool {
    matches!(rotations, Rounding::Shorts | Rounding::SmallestThree) || is_packed(rotations)
}

/// True if rotations are stored so coarsely that the tolerance decides for each joint, whatever the other
/// wishes.
pub(in crate::conform) const fn is_packed(rotations: Rounding) -> bool {
    matches!(rotations, Rounding::Packed48 | Rounding::Packed32)
}

/// For each node, true if its rotations have to be finer whatever the tolerance.
pub(in crate::conform) fn out_of_range(scene: &Scene, clip: &Clip, rotations: Rounding) -> Vec<bool> {
    let mut fine = vec![false; scene.nodes.len()];
    if rotations == Rounding::Packed48 {
        for track in &clip.tracks {
            let fits = track.channels.iter().all(|channel| short_times::fits(&channel.composition));
            if let Some(own) = track.target.node.and_then(|node| fine.get_mut(node.0)) {
                *own |= !fits;
            }
        }
    }
    fine
}
