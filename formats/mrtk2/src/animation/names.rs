//! Names of the poses and curves of a file.

use dopesheet_core::model::{HAND_JOINTS, HandJointNames};
use std::fmt;

/// A hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hand {
    /// The left hand, first in the file.
    Left,
    /// The right hand.
    Right,
}

impl Hand {
    /// Both, in the order of the file.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The word in labels: `left` or `right`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// The word in names of nodes: `Left` or `Right`.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Left => "Left",
            Self::Right => "Right",
        }
    }
}

macro_rules! joints {
    ($($name:ident $about:literal)*) => {
        /// A joint of a hand, in the order of the file and of MRTK2's enumeration `TrackedHandJoint`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Joint {
            $(#[doc = $about] $name,)*
        }

        impl Joint {
            /// All of them, in the order of the file.
            pub const ALL: [Self; 27] = [$(Self::$name),*];

            /// MRTK2's name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                }
            }

            /// Names in this and other programs; `None` for [`Joint::None`].
            pub(super) fn names(self) -> Option<HandJointNames> {
                HAND_JOINTS.get((self as usize).checked_sub(1)?).copied()
            }
        }
    };
}

joints! {
    None "No joint at all: stored like one, normally without keys."
    Wrist "The wrist."
    Palm "The middle of the palm."
    ThumbMetacarpalJoint "Base of the thumb."
    ThumbProximalJoint "Knuckle of the thumb."
    ThumbDistalJoint "Last joint of the thumb."
    ThumbTip "Tip of the thumb."
    IndexMetacarpal "Base of the index finger, in the palm."
    IndexKnuckle "Knuckle of the index finger."
    IndexMiddleJoint "Middle joint of the index finger."
    IndexDistalJoint "Last joint of the index finger."
    IndexTip "Tip of the index finger."
    MiddleMetacarpal "Base of the middle finger, in the palm."
    MiddleKnuckle "Knuckle of the middle finger."
    MiddleMiddleJoint "Middle joint of the middle finger."
    MiddleDistalJoint "Last joint of the middle finger."
    MiddleTip "Tip of the middle finger."
    RingMetacarpal "Base of the ring finger, in the palm."
    RingKnuckle "Knuckle of the ring finger."
    RingMiddleJoint "Middle joint of the ring finger."
    RingDistalJoint "Last joint of the ring finger."
    RingTip "Tip of the ring finger."
    PinkyMetacarpal "Base of the little finger, in the palm."
    PinkyKnuckle "Knuckle of the little finger."
    PinkyMiddleJoint "Middle joint of the little finger."
    PinkyDistalJoint "Last joint of the little finger."
    PinkyTip "Tip of the little finger."
}

impl Joint {
    /// The joints at the base and at the end of this joint's bone; `None` for [`Joint::None`].
    ///
    /// The bone of a tip is the bone of the joint before; wrist and palm point to the knuckle of the middle
    /// finger.
    pub(super) fn bone(self) -> Option<[Self; 2]> {
        use Joint::{
            IndexTip, MiddleKnuckle, MiddleTip, Palm, PinkyTip, RingTip, ThumbDistalJoint, ThumbTip, Wrist,
        };
        let at = |index: usize| Self::ALL.get(index).copied();
        let number = self as usize;
        match self {
            Self::None => None,
            Wrist | Palm => Some([self, MiddleKnuckle]),
            ThumbTip => Some([ThumbDistalJoint, ThumbTip]),
            IndexTip | MiddleTip | RingTip | PinkyTip => Some([at(number.checked_sub(1)?)?, self]),
            _ => Some([self, at(number + 1)?]),
        }
    }
}

/// A pose of a file: a position and a rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PoseName {
    /// The head.
    Camera,
    /// A joint of a hand.
    Joint(Hand, Joint),
}

impl fmt::Display for PoseName {
    /// `camera`, `left.Wrist` …
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Camera => f.write_str("camera"),
            Self::Joint(hand, joint) => write!(f, "{}.{}", hand.word(), joint.name()),
        }
    }
}

/// A curve of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CurveName {
    /// A component of a pose: 0 to 2 position x y z, 3 to 6 rotation x y z w.
    Pose(PoseName, usize),
    /// True while a hand is tracked.
    Tracked(Hand),
    /// True while a hand pinches.
    Pinch(Hand),
    /// A component of the gaze: 0 to 2 origin x y z, 3 to 5 direction x y z.
    Gaze(usize),
}

const POSE_PARTS: [&str; 7] =
    ["position.x", "position.y", "position.z", "rotation.x", "rotation.y", "rotation.z", "rotation.w"];
const GAZE_PARTS: [&str; 6] =
    ["origin.x", "origin.y", "origin.z", "direction.x", "direction.y", "direction.z"];

impl CurveName {
    /// The curves of a file with these parts, in its order.
    pub(super) fn all(camera: bool, hands: bool, gaze: bool) -> impl Iterator<Item = Self> {
        let pose = |pose| (0..POSE_PARTS.len()).map(move |part| Self::Pose(pose, part));
        let camera = camera.then(|| pose(PoseName::Camera)).into_iter().flatten();
        let switches =
            Hand::BOTH.into_iter().map(Self::Tracked).chain(Hand::BOTH.into_iter().map(Self::Pinch));
        let joints = Hand::BOTH
            .into_iter()
            .flat_map(|hand| Joint::ALL.into_iter().map(move |joint| PoseName::Joint(hand, joint)));
        let hands = hands.then(|| switches.chain(joints.flat_map(pose))).into_iter().flatten();
        let gaze = (0..GAZE_PARTS.len()).map(Self::Gaze).filter(move |_| gaze);
        camera.chain(hands).chain(gaze)
    }

    /// True if its keys are switches.
    pub(super) const fn is_switch(self) -> bool {
        matches!(self, Self::Tracked(_) | Self::Pinch(_))
    }
}

impl fmt::Display for CurveName {
    /// `camera.position.x`, `left.tracked`, `gaze.direction.z` …
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |names: &[&'static str], part: usize| names.get(part).copied().unwrap_or_default();
        match *self {
            Self::Pose(pose, at) => write!(f, "{pose}.{}", part(&POSE_PARTS, at)),
            Self::Tracked(hand) => write!(f, "{}.tracked", hand.word()),
            Self::Pinch(hand) => write!(f, "{}.pinch", hand.word()),
            Self::Gaze(at) => write!(f, "gaze.{}", part(&GAZE_PARTS, at)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{HAND_JOINTS, Joint};

    #[test]
    fn joints_have_the_names_of_all_hands_and_their_order() {
        assert_eq!(Joint::None.names(), None);
        let names = Joint::ALL.into_iter().skip(1).map(Joint::name);
        assert!(names.eq(HAND_JOINTS.iter().map(|joint| joint.mrtk2)));
    }
}
