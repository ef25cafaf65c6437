//! Bodies of the SMPL family: their joints, the joints' parents, and the corresponding human bones.
//!
//! Source: M. Loper et al., "SMPL: A Skinned Multi-Person Linear Model", 2015; J. Romero et al., "Embodied
//! Hands", 2017 (SMPL-H); G. Pavlakos et al., "Expressive Body Capture", 2019 (SMPL-X); and the published
//! kinematic trees.

use HumanBone as B;
use dopesheet_core::model::HumanBone;

/// Number of body joints common to the whole family, the joints of HumanML3D.
pub const BODY_JOINTS: usize = 22;

/// A joint: its name, its parent, and the corresponding human bone, if any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmplJoint {
    /// Its name in the models and in AMASS.
    pub name: String,
    /// Index of its parent.
    pub parent: Option<usize>,
    /// The corresponding bone of a human figure.
    pub bone: Option<HumanBone>,
}

const BODY: [(&str, Option<usize>, HumanBone); BODY_JOINTS] = [
    ("pelvis", None, B::Hips),
    ("left_hip", Some(0), B::LeftUpperLeg),
    ("right_hip", Some(0), B::RightUpperLeg),
    ("spine1", Some(0), B::Spine),
    ("left_knee", Some(1), B::LeftLowerLeg),
    ("right_knee", Some(2), B::RightLowerLeg),
    ("spine2", Some(3), B::Chest),
    ("left_ankle", Some(4), B::LeftFoot),
    ("right_ankle", Some(5), B::RightFoot),
    ("spine3", Some(6), B::UpperChest),
    ("left_foot", Some(7), B::LeftToes),
    ("right_foot", Some(8), B::RightToes),
    ("neck", Some(9), B::Neck),
    ("left_collar", Some(9), B::LeftShoulder),
    ("right_collar", Some(9), B::RightShoulder),
    ("head", Some(12), B::Head),
    ("left_shoulder", Some(13), B::LeftUpperArm),
    ("right_shoulder", Some(14), B::RightUpperArm),
    ("left_elbow", Some(16), B::LeftLowerArm),
    ("right_elbow", Some(17), B::RightLowerArm),
    ("left_wrist", Some(18), B::LeftHand),
    ("right_wrist", Some(19), B::RightHand),
];

/// Joints of SMPL-X between body and fingers.
const FACE: [(&str, Option<usize>, HumanBone); 3] = [
    ("jaw", Some(15), B::Jaw),
    ("left_eye_smplhf", Some(15), B::LeftEye),
    ("right_eye_smplhf", Some(15), B::RightEye),
];

/// The fingers of both hands, from the palm outwards.
const FINGERS: [(&str, [[HumanBone; 3]; 2]); 5] = [
    (
        "index",
        [
            [B::LeftIndexProximal, B::LeftIndexIntermediate, B::LeftIndexDistal],
            [B::RightIndexProximal, B::RightIndexIntermediate, B::RightIndexDistal],
        ],
    ),
    (
        "middle",
        [
            [B::LeftMiddleProximal, B::LeftMiddleIntermediate, B::LeftMiddleDistal],
            [B::RightMiddleProximal, B::RightMiddleIntermediate, B::RightMiddleDistal],
        ],
    ),
    (
        "pinky",
        [
            [B::LeftLittleProximal, B::LeftLittleIntermediate, B::LeftLittleDistal],
            [B::RightLittleProximal, B::RightLittleIntermediate, B::RightLittleDistal],
        ],
    ),
    (
        "ring",
        [
            [B::LeftRingProximal, B::LeftRingIntermediate, B::LeftRingDistal],
            [B::RightRingProximal, B::RightRingIntermediate, B::RightRingDistal],
        ],
    ),
    (
        "thumb",
        [
            [B::LeftThumbMetacarpal, B::LeftThumbProximal, B::LeftThumbDistal],
            [B::RightThumbMetacarpal, B::RightThumbProximal, B::RightThumbDistal],
        ],
    ),
];

/// Sides with their wrists.
const SIDES: [(&str, usize); 2] = [("left", 20), ("right", 21)];

/// The joints of a body by their number: 22 (the body alone), 24 (SMPL, with a joint for each hand), 52 (SMPL-H, with
/// fingers) or 55 (SMPL-X, with jaw, eyes and fingers); `None` for any other.
#[must_use]
pub fn joints(count: usize) -> Option<Vec<SmplJoint>> {
    let row = |(name, parent, bone): &(&str, Option<usize>, HumanBone)| SmplJoint {
        name: (*name).to_owned(),
        parent: *parent,
        bone: Some(*bone),
    };
    let mut joints: Vec<SmplJoint> = BODY.iter().map(row).collect();
    match count {
        BODY_JOINTS => {}
        24 => joints.extend(SIDES.map(|(side, wrist)| SmplJoint {
            name: format!("{side}_hand"),
            parent: Some(wrist),
            bone: None,
        })),
        52 => joints.extend(fingers(BODY_JOINTS)),
        55 => {
            joints.extend(FACE.iter().map(row));
            joints.extend(fingers(BODY_JOINTS + FACE.len()));
        }
        _ => return None,
    }
    Some(joints)
}

/// The fingers of both hands; `first` is the number of the first joint.
fn fingers(first: usize) -> Vec<SmplJoint> {
    let mut joints = Vec::with_capacity(30);
    for (hand, (side, wrist)) in SIDES.into_iter().enumerate() {
        for (finger, bones) in &FINGERS {
            for (segment, bone) in bones[hand].into_iter().enumerate() {
                let parent = if segment == 0 { wrist } else { first + joints.len() - 1 };
                let name = format!("{side}_{finger}{}", segment + 1);
                joints.push(SmplJoint { name, parent: Some(parent), bone: Some(bone) });
            }
        }
    }
    joints
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_joint_hangs_on_one_before_it_and_is_no_other_bone() {
        for count in [22, 24, 52, 55] {
            let all = joints(count).unwrap();
            assert_eq!(all.len(), count);
            for (index, joint) in all.iter().enumerate() {
                assert!(joint.parent.is_none_or(|parent| parent < index), "{}", joint.name);
                assert_eq!(joint.parent.is_none(), index == 0);
            }
            let bones: Vec<_> = all.iter().filter_map(|joint| joint.bone).collect();
            assert_eq!(bones.iter().collect::<HashSet<_>>().len(), bones.len());
            for joint in all.iter().filter(|joint| joint.name.ends_with('3') && joint.name != "spine3") {
                assert_eq!(all[joint.parent.unwrap()].name, joint.name.replace('3', "2"));
            }
        }
        assert_eq!(joints(23), None);
    }
}
