//! The figure: its bones among the nodes of its scene.

use HumanBone as B;
use dopesheet_core::model::{Clip, HumanBone, Humanoid, NodeIndex, Scene};
use dopesheet_core::units::Seconds;
use dopesheet_motion::Side;
use dopesheet_motion::inside::ChainTransform;
use dopesheet_motion::sample::pose::{local_pose, rest_pose};
use dopesheet_motion::sample::rig::{Behaviour, Player};
use glam::DVec3;

/// The trunk, from the hips up. Figures have one to three of its bones.
pub(crate) const TRUNK: [HumanBone; 3] = [B::Spine, B::Chest, B::UpperChest];

/// Legs down to the ankles.
pub(crate) const LEGS: [[HumanBone; 3]; 2] =
    [[B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot], [B::RightUpperLeg, B::RightLowerLeg, B::RightFoot]];

/// Arms down to the wrists.
pub(crate) const ARMS: [[HumanBone; 3]; 2] =
    [[B::LeftUpperArm, B::LeftLowerArm, B::LeftHand], [B::RightUpperArm, B::RightLowerArm, B::RightHand]];

/// Both bones of a limb, by their ends.
pub(crate) const fn parts([upper, lower, end]: [HumanBone; 3]) -> [[HumanBone; 2]; 2] {
    [[upper, lower], [lower, end]]
}

/// Ankle and ball of each foot.
pub(crate) const FEET: [[HumanBone; 2]; 2] = [[B::LeftFoot, B::LeftToes], [B::RightFoot, B::RightToes]];

/// A human figure: a scene, and the bones among its nodes.
#[derive(Clone, Copy, Debug)]
pub struct Figure<'a> {
    /// The scene of the figure.
    pub scene: &'a Scene,
    /// The node of each bone.
    pub humanoid: &'a Humanoid,
}

/// Nodes of a scene as seen from its root, in the scene's order.
pub(crate) type Placed = [ChainTransform];

impl Figure<'_> {
    /// The node of a bone.
    pub(crate) fn node(&self, bone: HumanBone) -> Option<NodeIndex> {
        self.humanoid.bones.get(&bone).copied()
    }

    /// Position of a bone.
    pub(crate) fn place(&self, placed: &Placed, bone: HumanBone) -> Option<DVec3> {
        placed.get(self.node(bone)?.0).map(ChainTransform::place)
    }

    /// From a bone to another bone.
    pub(crate) fn way(&self, placed: &Placed, [from, to]: [HumanBone; 2]) -> Option<DVec3> {
        Some(self.place(placed, to)? - self.place(placed, from)?)
    }

    /// Lengths of both parts of a limb.
    pub(crate) fn length(&self, placed: &Placed, limb: [HumanBone; 3]) -> Option<f64> {
        let [upper, lower] = parts(limb).map(|bone| self.way(placed, bone));
        Some(upper?.length() + lower?.length())
    }

    /// The nodes of the scene at rest.
    pub(crate) fn at_rest(&self) -> Vec<ChainTransform> {
        ChainTransform::of_pose(self.scene, &rest_pose(self.scene))
    }

    /// The nodes of the scene in a clip.
    pub(crate) fn moving(&self, clip: &Clip, time: Seconds) -> Vec<ChainTransform> {
        ChainTransform::of_pose(self.scene, &local_pose(self.scene, clip, time))
    }

    /// True of a node that is a bone.
    pub(crate) fn has(&self, node: NodeIndex) -> bool {
        self.humanoid.bones.values().any(|bone| *bone == node)
    }
}

/// Shows the nodes of a figure at some times of a clip, as its rig moves them. `None` if the rig cannot be solved.
pub(crate) fn play(
    scene: &Scene,
    clip: &Clip,
    times: impl Iterator<Item = Seconds>,
    see: &mut dyn FnMut(&Placed),
) -> Option<()> {
    // Rigs know no scales, so that figures without one are posed as they are.
    if scene.rig.is_empty() {
        times.for_each(|time| see(&ChainTransform::of_pose(scene, &local_pose(scene, clip, time))));
        return Some(());
    }
    let mut player = Player::new(scene, clip, Behaviour::default()).ok()?;
    for time in times {
        let model = &player.pose_at(time, Side::At).model;
        see(&model.iter().map(ChainTransform::from).collect::<Vec<ChainTransform>>());
    }
    Some(())
}

/// A node and all nodes above it.
pub(crate) fn upwards(scene: &Scene, node: NodeIndex) -> impl Iterator<Item = NodeIndex> {
    std::iter::successors(Some(node), |node| scene.node(*node)?.parent).take(scene.nodes.len())
}

/// True of a node at or below another node.
pub(crate) fn hangs_on(scene: &Scene, node: NodeIndex, other: NodeIndex) -> bool {
    upwards(scene, node).any(|above| above == other)
}
