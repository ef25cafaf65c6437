//! Where every node is at an instant.

use crate::evaluate::{Side, channel_at};
use dopesheet_core::model::{Clip, PoseRelation, Property, Scene, Transform};
use dopesheet_core::units::Seconds;
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

/// The local pose of a clip: rest transforms, replaced or added to by what the clip moves.
#[must_use]
pub fn local_pose(scene: &Scene, clip: &Clip, time: Seconds) -> Pose {
    let mut pose: Vec<Transform> = scene.nodes.iter().map(|n| n.rest).collect();
    let mut value = Vec::new();
    for track in &clip.tracks {
        let Some(transform) = track.target.node.and_then(|n| pose.get_mut(n.0)) else { continue };
        for channel in &track.channels {
            if channel_at(channel, time, Side::At, &mut value) {
                apply(transform, &channel.property, &value, clip.relation);
            }
        }
    }
    Pose(pose)
}

fn apply(transform: &mut Transform, property: &Property, value: &[f64], relation: PoseRelation) {
    let on_top = relation == PoseRelation::OnTopOfRest;
    let rest = if on_top { *transform } else { Transform::IDENTITY };
    match (property, value) {
        (Property::Translation, &[x, y, z]) => {
            let moved = [x, y, z];
            transform.translation = std::array::from_fn(|i| moved[i] + rest.translation[i]);
        }
        (Property::Scale, &[x, y, z]) => {
            let scaled = [x, y, z];
            transform.scale = std::array::from_fn(|i| scaled[i] * rest.scale[i]);
        }
        (Property::Rotation, &[x, y, z, w]) => {
            let turned = DQuat::from_array(rest.rotation) * DQuat::from_xyzw(x, y, z, w);
            transform.rotation = turned.to_array();
        }
        (Property::Placement, &[x, y, z, qx, qy, qz, qw]) => {
            transform.translation = [x, y, z];
            transform.rotation = [qx, qy, qz, qw];
        }
        _ => {}
    }
}

/// The pose as seen from the root.
#[must_use]
pub fn model_pose(scene: &Scene, pose: &Pose) -> ModelPose {
    let mut out: Vec<Transform> = Vec::with_capacity(pose.0.len());
    for (node, local) in scene.nodes.iter().zip(&pose.0) {
        let parent = node.parent.and_then(|p| out.get(p.0)).copied().unwrap_or_default();
        out.push(joined(&parent, local));
    }
    ModelPose(out)
}

fn joined(parent: &Transform, local: &Transform) -> Transform {
    let turn = DQuat::from_array(parent.rotation);
    let scale = DVec3::from(parent.scale);
    Transform {
        translation: (DVec3::from(parent.translation) + turn * (scale * DVec3::from(local.translation)))
            .to_array(),
        rotation: (turn * DQuat::from_array(local.rotation)).normalize().to_array(),
        scale: (scale * DVec3::from(local.scale)).to_array(),
    }
}
