//! Poses of a scene: the local and the model transforms of all its nodes at one time.

use super::evaluate::{Side, channel_at};
use dopesheet_core::model::{Clip, NodeIndex, PoseRelation, Property, Scene, Transform};
use dopesheet_core::units::Seconds;
use dopesheet_curve as curve;
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// Local transforms of all nodes of a scene at one time, in the scene's order.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose(pub Vec<Transform>);

/// Model transforms of all nodes of a scene at one time, in the scene's order: the affine map from each node's own space
/// to the scene's.
///
/// A node's map is its parent's times its own [`matrix`], as glTF states it and as three.js, Blender and game
/// engines multiply. So a rotated joint below an unevenly scaled parent is sheared, and translation, rotation
/// and scale cannot express shear; [`decompose`] is the only way to three parts all the same.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelPose(pub Vec<DAffine3>);

/// The local pose of a clip: rest transforms, replaced or added to by the values of the clip. Of several
/// channels of the same property of a node, the last counts.
#[must_use]
pub fn local_pose(scene: &Scene, clip: &Clip, time: Seconds) -> Pose {
    let mut pose = rest_pose(scene);
    let mut value = Vec::new();
    for track in &clip.tracks {
        let Some(index) = track.target.node.map(|n| n.0) else { continue };
        let (Some(node), Some(transform)) = (scene.nodes.get(index), pose.0.get_mut(index)) else { continue };
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
    pose
}

/// The local pose of a scene at rest.
#[must_use]
pub fn rest_pose(scene: &Scene) -> Pose {
    Pose(scene.nodes.iter().map(|node| node.rest).collect())
}

/// Sets a part of a transform to a value of a channel relative to a base.
#[doc(hidden)]
pub fn apply(transform: &mut Transform, base: &Transform, property: &Property, value: &[f64]) {
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

/// Model transforms of a local pose.
#[must_use]
pub fn model_pose(scene: &Scene, pose: &Pose) -> ModelPose {
    model_transforms(scene.nodes.iter().map(|node| node.parent), &pose.0)
}

/// Model transforms of local transforms by the parents of each; parents stand before their children. The shorter of both
/// lists counts.
#[must_use]
pub fn model_transforms(
    parents: impl IntoIterator<Item = Option<NodeIndex>>,
    local: &[Transform],
) -> ModelPose {
    let mut out: Vec<DAffine3> = Vec::with_capacity(local.len());
    for (parent, local) in parents.into_iter().zip(local) {
        let matrix = matrix(local);
        let parent = parent.and_then(|parent| out.get(parent.0));
        out.push(parent.map_or(matrix, |parent| *parent * matrix));
    }
    ModelPose(out)
}

/// The map from a node's space to its parent's: scale first, then rotation, then translation. A rotation without
/// direction counts as the identity.
#[must_use]
pub fn matrix(local: &Transform) -> DAffine3 {
    let linear = DMat3::from_quat(rotation(local)) * DMat3::from_diagonal(local.scale.into());
    DAffine3 { matrix3: linear, translation: local.translation.into() }
}

/// Factor by which a node scales lengths in model space at rest: length of the longest column of its linear part, 1 where that is 0.
pub(crate) fn scale_at_rest(scene: &Scene, node: NodeIndex) -> f64 {
    let mut linear = DMat3::IDENTITY;
    let mut above = Some(node);
    // Parents of a scene may hang on each other.
    for _ in 0..scene.nodes.len() {
        let Some(own) = above.and_then(|node| scene.nodes.get(node.0)) else { break };
        linear = matrix(&own.rest).matrix3 * linear;
        above = own.parent;
    }
    let columns = [linear.x_axis, linear.y_axis, linear.z_axis];
    let longest = columns.map(DVec3::length).into_iter().fold(0.0, f64::max);
    if longest > 0.0 && longest.is_finite() { longest } else { 1.0 }
}

/// Translation, rotation and scale of a model transform, as [`curve::decompose`] takes its linear part apart: exact
/// where nothing is sheared.
#[must_use]
pub fn decompose(model: &DAffine3) -> Transform {
    let (rotation, scale) = curve::decompose(model.matrix3.to_cols_array_2d());
    Transform { translation: model.translation.to_array(), rotation, scale }
}

fn rotation(local: &Transform) -> DQuat {
    DQuat::from_array(curve::quat_normalise_or_identity(local.rotation))
}
