//! The rest pose of a file's figure, as far as the rules concern it.

use dopesheet_core::model::{HumanBone as B, Humanoid, NodeIndex, Scene};
use glam::{DQuat, DVec3};

/// Allowed angle between a bone's direction and its direction in the T-pose: the specification wants the same
/// look, not the same number.
const MOST_OFF_RAD: f64 = 20.0 * std::f64::consts::PI / 180.0;

/// Directions of bones in the T-pose (VRM 1.0 specification, `tpose.md`), for bones that every figure has.
const POINTING: [(B, B, DVec3); 9] = [
    (B::Hips, B::Head, DVec3::Y),
    (B::LeftUpperLeg, B::LeftLowerLeg, DVec3::NEG_Y),
    (B::RightUpperLeg, B::RightLowerLeg, DVec3::NEG_Y),
    (B::LeftLowerLeg, B::LeftFoot, DVec3::NEG_Y),
    (B::RightLowerLeg, B::RightFoot, DVec3::NEG_Y),
    (B::LeftUpperArm, B::LeftLowerArm, DVec3::X),
    (B::LeftLowerArm, B::LeftHand, DVec3::X),
    (B::RightUpperArm, B::RightLowerArm, DVec3::NEG_X),
    (B::RightLowerArm, B::RightHand, DVec3::NEG_X),
];

/// Positions, rotations and scales of the nodes of a scene at rest, relative to the scene.
pub(super) struct Rest(Vec<(DVec3, DQuat, DVec3)>);

impl Rest {
    pub(super) fn of(scene: &Scene) -> Self {
        let mut places: Vec<(DVec3, DQuat, DVec3)> = Vec::with_capacity(scene.nodes.len());
        for node in &scene.nodes {
            let above = node.parent.and_then(|parent| places.get(parent.0)).copied();
            let (at, turn, scale) = above.unwrap_or((DVec3::ZERO, DQuat::IDENTITY, DVec3::ONE));
            let rotation = DQuat::from_array(node.rest.rotation);
            let moved = at + turn * (scale * DVec3::from(node.rest.translation));
            places.push((moved, turn * rotation, scale * DVec3::from(node.rest.scale)));
        }
        Self(places)
    }

    pub(super) fn position(&self, node: NodeIndex) -> Option<DVec3> {
        self.0.get(node.0).map(|(position, ..)| *position)
    }

    /// The first bone whose direction differs too much from the T-pose, its direction in the T-pose, and the
    /// angle between both in radians.
    pub(super) fn bent(&self, humanoid: &Humanoid) -> Option<(B, DVec3, f64)> {
        let at = |bone| self.position(*humanoid.bones.get(&bone)?);
        POINTING.into_iter().find_map(|(from, to, wanted)| {
            let direction = at(to)? - at(from)?;
            let off = direction.angle_between(wanted);
            (off > MOST_OFF_RAD).then_some((from, wanted, off))
        })
    }
}
