//! Transforms along a chain of nodes.

use super::pose::{Pose, matrix};
use dopesheet_core::model::{Scene, Transform};
use dopesheet_curve as curve;
use glam::{DAffine3, DQuat, DVec3};
use std::ops::Mul;

/// Transform of a node relative to one above it, for consumers that keep no scales: the affine map, and beside it the
/// product of the rotations alone, which neither shear nor mirrors change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainTransform {
    /// The affine map.
    pub matrix: DAffine3,
    /// The product of the rotations.
    pub rotation: DQuat,
}

impl ChainTransform {
    /// No change.
    pub const IDENTITY: Self = Self { matrix: DAffine3::IDENTITY, rotation: DQuat::IDENTITY };

    /// Transforms of all nodes of a scene, relative to the scene.
    pub fn of_pose(scene: &Scene, pose: &Pose) -> Vec<Self> {
        let mut out: Vec<Self> = Vec::with_capacity(pose.0.len());
        for (node, local) in scene.nodes.iter().zip(&pose.0) {
            let parent = node.parent.and_then(|parent| out.get(parent.0)).unwrap_or(&Self::IDENTITY);
            out.push(*parent * Self::from(local));
        }
        out
    }

    /// Position of the node's origin.
    pub const fn place(&self) -> DVec3 {
        self.matrix.translation
    }

    /// Place and rotation, at scale 1.
    pub fn rigid(&self) -> Transform {
        Transform {
            translation: self.matrix.translation.to_array(),
            rotation: self.rotation.to_array(),
            ..Transform::IDENTITY
        }
    }
}

impl From<&Transform> for ChainTransform {
    fn from(local: &Transform) -> Self {
        let rotation = DQuat::from_array(curve::quat_normalise_or_identity(local.rotation));
        Self { matrix: matrix(local), rotation }
    }
}

impl Mul for ChainTransform {
    type Output = Self;

    fn mul(self, below: Self) -> Self {
        let rotation = curve::quat_normalise_or_identity((self.rotation * below.rotation).to_array());
        Self { matrix: self.matrix * below.matrix, rotation: DQuat::from_array(rotation) }
    }
}
