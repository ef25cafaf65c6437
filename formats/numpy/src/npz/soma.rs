//! Skeletons of kimodo: SOMA in full and in short, the robot G1, and the body of SMPL-X.
//!
//! Source: `kimodo/skeleton/definitions.py` of kimodo.

use super::smpl;

/// Joints with their parents; a name without a parent is a child of the joint before.
type Chain = &'static [(&'static str, Option<&'static str>)];

/// Joints of SOMA up to the head; only the full skeleton has the end of the head.
const TRUNK: Chain = &[
    ("Hips", None),
    ("Spine1", Some("Hips")),
    ("Spine2", Some("Spine1")),
    ("Chest", Some("Spine2")),
    ("Neck1", Some("Chest")),
    ("Neck2", Some("Neck1")),
    ("Head", Some("Neck2")),
    ("HeadEnd", Some("Head")),
    ("Jaw", Some("Head")),
    ("LeftEye", Some("Head")),
    ("RightEye", Some("Head")),
];
/// The arm of a side.
const ARM: Chain = &[
    ("Shoulder", Some("Chest")),
    ("Arm", Some("Shoulder")),
    ("ForeArm", Some("Arm")),
    ("Hand", Some("ForeArm")),
];
/// Fingers, and whether they have a fourth joint.
const FINGERS: [(&str, bool); 5] =
    [("Thumb", false), ("Index", true), ("Middle", true), ("Ring", true), ("Pinky", true)];
/// The leg of a side.
const LEG: Chain = &[
    ("Leg", Some("Hips")),
    ("Shin", Some("Leg")),
    ("Foot", Some("Shin")),
    ("ToeBase", Some("Foot")),
    ("ToeEnd", Some("ToeBase")),
];
const SIDES: [&str; 2] = ["Left", "Right"];

/// The leg, the waist and the arm of G1.
const G1_LEG: [&str; 7] = [
    "hip_pitch_skel",
    "hip_roll_skel",
    "hip_yaw_skel",
    "knee_skel",
    "ankle_pitch_skel",
    "ankle_roll_skel",
    "toe_base",
];
const G1_WAIST: [&str; 3] = ["waist_yaw_skel", "waist_roll_skel", "waist_pitch_skel"];
const G1_ARM: [&str; 8] = [
    "shoulder_pitch_skel",
    "shoulder_roll_skel",
    "shoulder_yaw_skel",
    "elbow_skel",
    "wrist_roll_skel",
    "wrist_pitch_skel",
    "wrist_yaw_skel",
    "hand_roll_skel",
];

/// Names and parents of the joints of a skeleton with `count` joints: 22 (SMPL-X), 30 or 77 (SOMA), or 34
/// (G1).
pub(super) fn joints(count: usize) -> Option<Vec<(String, Option<usize>)>> {
    let named = match count {
        smpl::BODY_JOINTS => {
            let joints = smpl::joints(count)?;
            return Some(joints.into_iter().map(|joint| (joint.name, joint.parent)).collect());
        }
        30 => soma(false),
        34 => g1(),
        77 => soma(true),
        _ => return None,
    };
    let position = |name: &String| named.iter().position(|(joint_name, _)| joint_name == name);
    Some(named.iter().map(|(name, parent)| (name.clone(), parent.as_ref().and_then(position))).collect())
}

type Named = Vec<(String, Option<String>)>;

fn soma(is_full: bool) -> Named {
    let owned = |name: &str| Some(name.to_owned());
    let trunk = TRUNK.iter().filter(|(name, _)| is_full || *name != "HeadEnd");
    let mut all: Named = trunk.map(|(name, parent)| ((*name).to_owned(), parent.and_then(owned))).collect();
    let sided = |side: &str, (name, parent): &(&str, Option<&str>)| {
        let above = parent.map(|parent| match parent {
            "Chest" | "Hips" => parent.to_owned(),
            _ => format!("{side}{parent}"),
        });
        (format!("{side}{name}"), above)
    };
    for side in SIDES {
        all.extend(ARM.iter().map(|joint| sided(side, joint)));
        let hand = format!("{side}Hand");
        if !is_full {
            all.extend(["ThumbEnd", "MiddleEnd"].map(|name| (format!("{hand}{name}"), owned(&hand))));
            continue;
        }
        for (finger, has_fourth) in FINGERS {
            let segments =
                if has_fourth { &["1", "2", "3", "4", "End"][..] } else { &["1", "2", "3", "End"] };
            let mut above = hand.clone();
            for segment in segments {
                let name = format!("{hand}{finger}{segment}");
                all.push((name.clone(), Some(above)));
                above = name;
            }
        }
    }
    for side in SIDES {
        let leg = LEG.iter().filter(|(name, _)| is_full || *name != "ToeEnd");
        all.extend(leg.map(|joint| sided(side, joint)));
    }
    all
}

fn g1() -> Named {
    const ROOT: &str = "pelvis_skel";
    let mut all: Named = vec![(ROOT.to_owned(), None)];
    let mut chain = |side: &str, names: &[&str], from: &str| {
        let mut above = from.to_owned();
        for name in names {
            let name = format!("{side}{name}");
            all.push((name.clone(), Some(above)));
            above = name;
        }
    };
    ["left_", "right_"].iter().for_each(|side| chain(side, &G1_LEG, ROOT));
    chain("", &G1_WAIST, ROOT);
    ["left_", "right_"].iter().for_each(|side| chain(side, &G1_ARM, G1_WAIST[2]));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skeletons_have_as_many_joints_as_they_are_known_by() {
        for count in [22, 30, 34, 77] {
            let joints = joints(count).unwrap();
            assert_eq!(joints.len(), count);
            for (index, (name, parent)) in joints.iter().enumerate() {
                assert_eq!(parent.is_none(), index == 0, "{name}");
                assert!(parent.is_none_or(|parent| parent < index), "{name}");
            }
        }
        let soma = joints(77).unwrap();
        assert_eq!((soma[14].0.as_str(), soma[39].0.as_str()), ("LeftHand", "RightShoulder"));
        assert_eq!((soma[67].0.as_str(), soma[67].1), ("LeftLeg", Some(0)));
        assert_eq!(joints(23), None);
    }
}
