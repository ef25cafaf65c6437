//! A stick figure with the bones of MikuMikuDance's standard model, for the picture of a motion.

use glam::{DQuat, DVec3};
use std::collections::BTreeMap;

/// The pose of a bone at one time: offset from its rest place, and its turn.
pub(super) type Pose = BTreeMap<String, (DVec3, DQuat)>;

/// A bone and where it rests, in units of 8 cm; the figure's left is +X and its front −Z.
struct Bone {
    name: &'static str,
    parent: &'static str,
    rest: [f64; 3],
}

const fn bone(name: &'static str, parent: &'static str, rest: [f64; 3]) -> Bone {
    Bone { name, parent, rest }
}

/// Parents first.
const BONES: [Bone; 18] = [
    bone("センター", "", [0.0, 8.0, 0.0]),
    bone("下半身", "センター", [0.0, 12.4, 0.0]),
    bone("左足", "下半身", [0.85, 10.9, 0.0]),
    bone("右足", "下半身", [-0.85, 10.9, 0.0]),
    bone("上半身", "センター", [0.0, 12.4, 0.0]),
    bone("上半身2", "上半身", [0.0, 13.9, 0.0]),
    bone("首", "上半身2", [0.0, 16.4, 0.0]),
    bone("頭", "首", [0.0, 17.1, 0.0]),
    bone("頭先", "頭", [0.0, 18.5, -0.15]),
    bone("左腕", "上半身2", [1.2, 15.8, 0.0]),
    bone("左ひじ", "左腕", [3.41, 14.25, 0.0]),
    bone("左手首", "左ひじ", [5.3, 12.93, 0.0]),
    bone("左手先", "左手首", [6.2, 12.3, 0.0]),
    bone("右腕", "上半身2", [-1.2, 15.8, 0.0]),
    bone("右ひじ", "右腕", [-3.41, 14.25, 0.0]),
    bone("右手首", "右ひじ", [-5.3, 12.93, 0.0]),
    bone("右手先", "右手首", [-6.2, 12.3, 0.0]),
    bone("目線", "頭", [0.0, 18.4, -1.35]),
];

const THIGH: f64 = 4.87;
const SHIN: f64 = 4.91;
const ANKLE: f64 = 1.15;
/// From the ankle to the tip of the foot.
const TOE: DVec3 = DVec3::new(0.0, -1.0, -1.7);

/// Where the joints of the figure are.
pub(super) struct Figure(BTreeMap<&'static str, DVec3>);

impl Figure {
    /// The figure in a pose. Its feet are where their IK bones put them, and its knees give way to the front.
    pub(super) fn posed(pose: &Pose) -> Self {
        let mut placed: BTreeMap<&str, (DVec3, DQuat, DVec3)> = BTreeMap::new();
        let ground = (DVec3::ZERO, DQuat::IDENTITY, DVec3::ZERO);
        for bone in &BONES {
            let (origin, turn, parent_rest) = placed.get(bone.parent).copied().unwrap_or(ground);
            let (offset, own) = pose.get(bone.name).copied().unwrap_or((DVec3::ZERO, DQuat::IDENTITY));
            let rest = DVec3::from(bone.rest);
            placed.insert(bone.name, (origin + turn * (rest - parent_rest + offset), turn * own, rest));
        }
        let mut joints: BTreeMap<&str, DVec3> = placed.iter().map(|(name, (at, ..))| (*name, *at)).collect();
        let sides = [
            ("左足", "左ひざ", "左足首", "左つま先", "左足ＩＫ", 0.85),
            ("右足", "右ひざ", "右足首", "右つま先", "右足ＩＫ", -0.85),
        ];
        for (hip, knee, ankle, toe, goal, x) in sides {
            let (offset, turn) = pose.get(goal).copied().unwrap_or((DVec3::ZERO, DQuat::IDENTITY));
            let foot = DVec3::new(x, ANKLE, 0.2) + offset;
            joints.insert(knee, knee_between(joints[hip], foot));
            joints.insert(ankle, foot);
            joints.insert(toe, foot + turn * TOE);
        }
        Self(joints)
    }

    /// The bones as chains of points, those further from the viewer's right first.
    pub(super) fn chains(&self) -> Vec<(Limb, Vec<DVec3>)> {
        let chain = |names: &[&str]| names.iter().map(|name| self.0[name]).collect();
        vec![
            (Limb::FarSide, chain(&["左腕", "左ひじ", "左手首", "左手先"])),
            (Limb::FarSide, chain(&["左足", "左ひざ", "左足首", "左つま先"])),
            (Limb::Trunk, chain(&["右足", "下半身", "左足"])),
            (Limb::Trunk, chain(&["下半身", "上半身", "上半身2", "首", "頭"])),
            (Limb::Trunk, chain(&["右腕", "首", "左腕"])),
            (Limb::NearSide, chain(&["右足", "右ひざ", "右足首", "右つま先"])),
            (Limb::NearSide, chain(&["右腕", "右ひじ", "右手首", "右手先"])),
        ]
    }

    /// The middle of the head, and a point in front of the face.
    pub(super) fn head(&self) -> [DVec3; 2] {
        [self.0["頭先"], self.0["目線"]]
    }
}

/// Which part of the figure a chain is; the viewer stands on its right.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Limb {
    /// The left arm and leg.
    FarSide,
    /// Spine, shoulders and hips.
    Trunk,
    /// The right arm and leg.
    NearSide,
}

/// The corner of a triangle with two known sides, towards the front.
fn knee_between(hip: DVec3, ankle: DVec3) -> DVec3 {
    let line = ankle - hip;
    let reach = line.length().min(THIGH + SHIN);
    let along = (THIGH * THIGH - SHIN * SHIN + reach * reach) / (2.0 * reach);
    let out = (THIGH * THIGH - along * along).max(0.0).sqrt();
    let forward = DVec3::NEG_Z.reject_from(line).normalize_or_zero();
    hip + line.normalize_or_zero() * along + forward * out
}
