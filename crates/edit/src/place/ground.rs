//! Distance of standing feet from the ground.

use crate::refused::Reason;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{HumanBone, NodeIndex, Scene};
use dopesheet_core::order::ascend;
use dopesheet_core::units::Seconds;
use dopesheet_human::{ContactLimits, contacts, propose};
use dopesheet_motion::sample::pose::{ModelPose, local_pose, model_pose, rest_pose};
use glam::DVec3;

/// Highest sole of a figure at rest on the ground, in leg lengths.
const SOLE: f64 = 0.15;

fn no_stand() -> Reason {
    Reason::new(
        "expected a figure that stands at some time and has legs with known names, found none; a way up or down needs none",
    )
}

/// The offset that brings the lowest joint of standing feet to its height on the ground, in units of the
/// basis: the median of all stands. A figure whose feet rest just above the ground, because the soles of its
/// skin are below them, stands at its rest height; any other figure stands on its lowest joint.
pub(super) fn way(scene: &Scene, clip: usize) -> Result<DVec3, Reason> {
    let humanoid = propose(scene, &NameMap::default()).humanoid;
    let clip = scene.clips.get(clip).ok_or_else(no_stand)?;
    let contacts_found = contacts(scene, &humanoid, clip, &ContactLimits::default()).ok_or_else(no_stand)?;
    let up = contacts_found.up;
    let ankles = [HumanBone::LeftFoot, HumanBone::RightFoot].map(|bone| humanoid.bones.get(&bone).copied());
    let lowest = |pose: &ModelPose, ankle: NodeIndex| {
        let heights = below(scene, ankle).into_iter().filter_map(|node| pose.0.get(node));
        heights.map(|transform| transform.translation.dot(up)).fold(f64::INFINITY, f64::min)
    };
    let mut heights: Vec<f64> = Vec::new();
    let left = [HumanBone::LeftFoot, HumanBone::LeftToes];
    let right = [HumanBone::RightFoot, HumanBone::RightToes];
    for stand in &contacts_found.stands {
        let side = [left, right].iter().position(|side| side.contains(&stand.bone));
        let Some(ankle) = side.and_then(|side| ankles[side]) else { continue };
        let middle = Seconds((stand.start.0 + stand.end.0) / 2.0);
        heights.push(lowest(&model_pose(scene, &local_pose(scene, clip, middle)), ankle));
    }
    heights.retain(|height| height.is_finite());
    ascend(&mut heights);
    let standing = heights.get(heights.len() / 2).copied().ok_or_else(no_stand)?;
    let rest = model_pose(scene, &rest_pose(scene));
    let at_rest = ankles.iter().flatten().map(|ankle| lowest(&rest, *ankle)).fold(f64::INFINITY, f64::min);
    let rests = (0.0..=SOLE * contacts_found.leg).contains(&at_rest);
    Ok(-up * (standing - if rests { at_rest } else { 0.0 }))
}

/// A node and all its descendants.
fn below(scene: &Scene, node: NodeIndex) -> Vec<usize> {
    let mut is_below = vec![false; scene.nodes.len()];
    for (at, below_node) in scene.nodes.iter().enumerate() {
        is_below[at] =
            at == node.0 || below_node.parent.is_some_and(|parent| is_below.get(parent.0) == Some(&true));
    }
    (0..is_below.len()).filter(|at| is_below[*at]).collect()
}
