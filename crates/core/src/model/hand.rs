//! Names of the joints of a tracked hand.

/// Names of a joint of a tracked hand in three programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandJointNames {
    /// MRTK2's `TrackedHandJoint`.
    pub mrtk2: &'static str,
    /// The end of OpenXR's `XR_HAND_JOINT_…_EXT`.
    pub openxr: &'static str,
    /// The name in the WebXR Hand Input module; `None` for the palm, which WebXR leaves out.
    pub webxr: Option<&'static str>,
}

const fn joint(mrtk2: &'static str, openxr: &'static str, webxr: &'static str) -> HandJointNames {
    HandJointNames { mrtk2, openxr, webxr: Some(webxr) }
}

/// The joints of a hand in MRTK2's order. Without the palm this is also WebXR's order.
pub const HAND_JOINTS: [HandJointNames; 26] = [
    joint("Wrist", "WRIST", "wrist"),
    HandJointNames { mrtk2: "Palm", openxr: "PALM", webxr: None },
    joint("ThumbMetacarpalJoint", "THUMB_METACARPAL", "thumb-metacarpal"),
    joint("ThumbProximalJoint", "THUMB_PROXIMAL", "thumb-phalanx-proximal"),
    joint("ThumbDistalJoint", "THUMB_DISTAL", "thumb-phalanx-distal"),
    joint("ThumbTip", "THUMB_TIP", "thumb-tip"),
    joint("IndexMetacarpal", "INDEX_METACARPAL", "index-finger-metacarpal"),
    joint("IndexKnuckle", "INDEX_PROXIMAL", "index-finger-phalanx-proximal"),
    joint("IndexMiddleJoint", "INDEX_INTERMEDIATE", "index-finger-phalanx-intermediate"),
    joint("IndexDistalJoint", "INDEX_DISTAL", "index-finger-phalanx-distal"),
    joint("IndexTip", "INDEX_TIP", "index-finger-tip"),
    joint("MiddleMetacarpal", "MIDDLE_METACARPAL", "middle-finger-metacarpal"),
    joint("MiddleKnuckle", "MIDDLE_PROXIMAL", "middle-finger-phalanx-proximal"),
    joint("MiddleMiddleJoint", "MIDDLE_INTERMEDIATE", "middle-finger-phalanx-intermediate"),
    joint("MiddleDistalJoint", "MIDDLE_DISTAL", "middle-finger-phalanx-distal"),
    joint("MiddleTip", "MIDDLE_TIP", "middle-finger-tip"),
    joint("RingMetacarpal", "RING_METACARPAL", "ring-finger-metacarpal"),
    joint("RingKnuckle", "RING_PROXIMAL", "ring-finger-phalanx-proximal"),
    joint("RingMiddleJoint", "RING_INTERMEDIATE", "ring-finger-phalanx-intermediate"),
    joint("RingDistalJoint", "RING_DISTAL", "ring-finger-phalanx-distal"),
    joint("RingTip", "RING_TIP", "ring-finger-tip"),
    joint("PinkyMetacarpal", "LITTLE_METACARPAL", "pinky-finger-metacarpal"),
    joint("PinkyKnuckle", "LITTLE_PROXIMAL", "pinky-finger-phalanx-proximal"),
    joint("PinkyMiddleJoint", "LITTLE_INTERMEDIATE", "pinky-finger-phalanx-intermediate"),
    joint("PinkyDistalJoint", "LITTLE_DISTAL", "pinky-finger-phalanx-distal"),
    joint("PinkyTip", "LITTLE_TIP", "pinky-finger-tip"),
];

impl HandJointNames {
    /// Names of nodes for the joint, behind the word of a side; `left Wrist`, `left XR_HAND_JOINT_WRIST_EXT`.
    /// To be compared in the form of [`plain_name`].
    pub fn node_names(self, side: &str) -> impl Iterator<Item = String> {
        let names = [Some(self.mrtk2), Some(self.openxr), self.webxr].into_iter().flatten();
        let full = format!("{side} XR_HAND_JOINT_{}_EXT", self.openxr);
        names.map(move |name| format!("{side} {name}")).collect::<Vec<_>>().into_iter().chain([full])
    }
}

/// A name without case and without separators between its words.
#[must_use]
pub fn plain_name(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | ' ' | '.')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn no_name_stands_for_two_joints() {
        let mut joint_of: HashMap<String, &str> = HashMap::new();
        for joint in HAND_JOINTS {
            for name in joint.node_names("left") {
                let other = joint_of.insert(plain_name(&name), joint.mrtk2);
                assert!(other.is_none_or(|other| other == joint.mrtk2), "{name} is {other:?}, too");
            }
        }
        assert_eq!(HAND_JOINTS.iter().filter_map(|joint| joint.webxr).count(), 25);
        assert_eq!(joint_of[&plain_name("Left_Index_Proximal")], "IndexKnuckle");
    }
}
