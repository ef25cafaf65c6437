//! Where every node is at an instant.

use crate::evaluate::{Side, channel_at};
use dopesheet_core::model::{Clip, NodeIndex, PoseRelation, Property, Scene, Transform};
use dopesheet_core::units::Seconds;
use dopesheet_curve as curve;
use glam::{DQuat, DVec3};

/// Local transforms of all nodes of a scene at an instant, in the scene's order.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose(pub Vec<Transform>);

/// The same as seen from the root: each transform is relative to the scene itself.
///
/// Scales along a chain are multiplied component by component, which is exact as long as no rotated joint hangs on an
/// unevenly scaled one.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelPose(pub Vec<Transform>);

/// The local pose of a clip: rest transforms, replaced or added to by what the clip moves. Of several channels that
/// move the same, the last counts.
#[must_use]
pub fn local_pose(scene: &Scene, clip: &Clip, time: Seconds) -> Pose {
    let mut pose: Vec<Transform> = scene.nodes.iter().map(|n| n.rest).collect();
    let mut value = Vec::new();
    for track in &clip.tracks {
        let Some(index) = track.target.node.map(|n| n.0) else { continue };
        let (Some(node), Some(transform)) = (scene.nodes.get(index), pose.get_mut(index)) else { continue };
        let base = match clip.relation {
            PoseRelation::Absolute => Transform::IDENTITY,
            PoseRelation::OnTopOfRest => node.rest,
        };
        for channel in &track.channels {
            if channel_at(channel, time, Side::At, &mut value) {
                apply(transform, &base, &channel.property, &value);
            }
        }
    }
    Pose(pose)
}

pub(crate) fn apply(transform: &mut Transform, base: &Transform, property: &Property, value: &[f64]) {
    match (property, value) {
        (Property::Translation, &[x, y, z]) => {
            transform.translation = (DVec3::from(base.translation) + DVec3::new(x, y, z)).to_array();
        }
        (Property::Scale, &[x, y, z]) => {
            transform.scale = (DVec3::from(base.scale) * DVec3::new(x, y, z)).to_array();
        }
        (Property::Rotation, &[x, y, z, w]) => {
            transform.rotation = (DQuat::from_array(base.rotation) * DQuat::from_xyzw(x, y, z, w)).to_array();
        }
        (Property::Placement, &[x, y, z, qx, qy, qz, qw]) => {
            transform.translation = [x, y, z];
            transform.rotation = [qx, qy, qz, qw];
        }
        _ => {}
    }
}

/// The pose as seen from the root. Rotations that have no direction count as the identity.
#[must_use]
pub fn model_pose(scene: &Scene, pose: &Pose) -> ModelPose {
    join(scene.nodes.iter().map(|node| node.parent), &pose.0)
}

/// As [`model_pose`] for local transforms and the parents of each; parents stand before their children. The shorter of both
/// lists counts.
#[must_use]
pub fn join(parents: impl IntoIterator<Item = Option<NodeIndex>>, local: &[Transform]) -> ModelPose {
    let mut out: Vec<Transform> = Vec::with_capacity(local.len());
    for (parent, local) in parents.into_iter().zip(local) {
        let parent = parent.and_then(|p| out.get(p.0)).copied().unwrap_or_default();
        out.push(joined(&parent, local));
    }
    ModelPose(out)
}

pub(crate) fn joined(parent: &Transform, local: &Transform) -> Transform {
    let turn = DQuat::from_array(parent.rotation);
    let scale = DVec3::from(parent.scale);
    let moved = turn * (scale * DVec3::from(local.translation));
    let own = DQuat::from_array(curve::quat_normalise_or_identity(local.rotation));
    Transform {
        translation: (DVec3::from(parent.translation) + moved).to_array(),
        rotation: curve::quat_normalise_or_identity((turn * own).to_array()),
        scale: (scale * DVec3::from(local.scale)).to_array(),
    }
}
