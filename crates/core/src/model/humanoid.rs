//! People: the nodes of the bones of a body, and the morphs of faces.

use super::index::NodeIndex;
use std::collections::BTreeMap;

macro_rules! human_bones {
    ($($name:ident $word:literal $parent:ident $need:ident;)*) => {
        /// The bones of VRM 1.0's humanoid, parents before children (VRM 1.0 specification, `humanoid.md`).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum HumanBone {
            $(#[doc = concat!("`", $word, "`")] $name,)*
        }

        impl HumanBone {
            /// All bones, parents before children.
            pub const ALL: [Self; [$($word),*].len()] = [$(Self::$name),*];

            /// The word of the VRM 1.0 specification.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            /// The bone with a word of the VRM 1.0 specification.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$name),)* _ => None }
            }

            /// The parent bone in a body with all bones; only the hips have no parent.
            #[must_use]
            pub const fn parent(self) -> Option<Self> {
                let above = match self { $(Self::$name => Self::$parent,)* };
                if matches!(self, Self::Hips) { None } else { Some(above) }
            }

            const fn need(self) -> Need {
                match self { $(Self::$name => Need::$need,)* }
            }
        }
    };
}

/// Degree to which a bone is required.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    /// Every humanoid has the bone.
    Always,
    /// The bone is optional.
    Never,
    /// The bone is optional, and requires its parent.
    WithParent,
}

human_bones! {
    Hips "hips" Hips Always;
    Spine "spine" Hips Always;
    Chest "chest" Spine Never;
    UpperChest "upperChest" Chest WithParent;
    Neck "neck" UpperChest Never;
    Head "head" Neck Always;
    LeftEye "leftEye" Head Never;
    RightEye "rightEye" Head Never;
    Jaw "jaw" Head Never;
    LeftUpperLeg "leftUpperLeg" Hips Always;
    LeftLowerLeg "leftLowerLeg" LeftUpperLeg Always;
    LeftFoot "leftFoot" LeftLowerLeg Always;
    LeftToes "leftToes" LeftFoot Never;
    RightUpperLeg "rightUpperLeg" Hips Always;
    RightLowerLeg "rightLowerLeg" RightUpperLeg Always;
    RightFoot "rightFoot" RightLowerLeg Always;
    RightToes "rightToes" RightFoot Never;
    LeftShoulder "leftShoulder" UpperChest Never;
    LeftUpperArm "leftUpperArm" LeftShoulder Always;
    LeftLowerArm "leftLowerArm" LeftUpperArm Always;
    LeftHand "leftHand" LeftLowerArm Always;
    RightShoulder "rightShoulder" UpperChest Never;
    RightUpperArm "rightUpperArm" RightShoulder Always;
    RightLowerArm "rightLowerArm" RightUpperArm Always;
    RightHand "rightHand" RightLowerArm Always;
    LeftThumbMetacarpal "leftThumbMetacarpal" LeftHand Never;
    LeftThumbProximal "leftThumbProximal" LeftThumbMetacarpal WithParent;
    LeftThumbDistal "leftThumbDistal" LeftThumbProximal WithParent;
    LeftIndexProximal "leftIndexProximal" LeftHand Never;
    LeftIndexIntermediate "leftIndexIntermediate" LeftIndexProximal WithParent;
    LeftIndexDistal "leftIndexDistal" LeftIndexIntermediate WithParent;
    LeftMiddleProximal "leftMiddleProximal" LeftHand Never;
    LeftMiddleIntermediate "leftMiddleIntermediate" LeftMiddleProximal WithParent;
    LeftMiddleDistal "leftMiddleDistal" LeftMiddleIntermediate WithParent;
    LeftRingProximal "leftRingProximal" LeftHand Never;
    LeftRingIntermediate "leftRingIntermediate" LeftRingProximal WithParent;
    LeftRingDistal "leftRingDistal" LeftRingIntermediate WithParent;
    LeftLittleProximal "leftLittleProximal" LeftHand Never;
    LeftLittleIntermediate "leftLittleIntermediate" LeftLittleProximal WithParent;
    LeftLittleDistal "leftLittleDistal" LeftLittleIntermediate WithParent;
    RightThumbMetacarpal "rightThumbMetacarpal" RightHand Never;
    RightThumbProximal "rightThumbProximal" RightThumbMetacarpal WithParent;
    RightThumbDistal "rightThumbDistal" RightThumbProximal WithParent;
    RightIndexProximal "rightIndexProximal" RightHand Never;
    RightIndexIntermediate "rightIndexIntermediate" RightIndexProximal WithParent;
    RightIndexDistal "rightIndexDistal" RightIndexIntermediate WithParent;
    RightMiddleProximal "rightMiddleProximal" RightHand Never;
    RightMiddleIntermediate "rightMiddleIntermediate" RightMiddleProximal WithParent;
    RightMiddleDistal "rightMiddleDistal" RightMiddleIntermediate WithParent;
    RightRingProximal "rightRingProximal" RightHand Never;
    RightRingIntermediate "rightRingIntermediate" RightRingProximal WithParent;
    RightRingDistal "rightRingDistal" RightRingIntermediate WithParent;
    RightLittleProximal "rightLittleProximal" RightHand Never;
    RightLittleIntermediate "rightLittleIntermediate" RightLittleProximal WithParent;
    RightLittleDistal "rightLittleDistal" RightLittleIntermediate WithParent;
}

impl HumanBone {
    /// True if every humanoid has the bone.
    #[must_use]
    pub fn is_required(self) -> bool {
        self.need() == Need::Always
    }

    /// True of hands and feet, which are required and may be missing: where their limbs end, there they are.
    #[must_use]
    pub const fn ends_a_limb(self) -> bool {
        matches!(self, Self::LeftHand | Self::RightHand | Self::LeftFoot | Self::RightFoot)
    }

    /// True if the bone may exist only if its parent does.
    #[must_use]
    pub fn needs_parent(self) -> bool {
        self.need() == Need::WithParent
    }

    /// True if the bone is an eye, which VRM animations move by [`Humanoid::look_at`] instead.
    #[must_use]
    pub const fn is_eye(self) -> bool {
        matches!(self, Self::LeftEye | Self::RightEye)
    }
}

/// The preset expressions of VRM 1.0 that a motion may move (VRM 1.0 specification, `expressions.md`),
/// without the expressions of gaze, which [`Humanoid::look_at`] replaces.
pub const PRESET_EXPRESSIONS: [&str; 14] = [
    "happy",
    "angry",
    "sad",
    "relaxed",
    "surprised",
    "aa",
    "ih",
    "ou",
    "ee",
    "oh",
    "blink",
    "blinkLeft",
    "blinkRight",
    "neutral",
];

/// The bones that make a scene's figure human.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Humanoid {
    /// The node of each bone.
    pub bones: BTreeMap<HumanBone, NodeIndex>,
    /// The node whose motion carries the whole figure about, apart from the motion of its hips.
    pub root_motion: Option<NodeIndex>,
    /// The faces of the figure.
    pub expressions: Vec<Expression>,
    /// The direction of the figure's gaze.
    pub look_at: Option<LookAt>,
    /// True if the source guarantees that the figure rests in VRM's T-pose (VRM 1.0 specification,
    /// `tpose.md`).
    pub rests_in_t_pose: bool,
}

impl Humanoid {
    /// The nearest bone of this figure above another bone.
    #[must_use]
    pub fn parent(&self, bone: HumanBone) -> Option<HumanBone> {
        std::iter::successors(bone.parent(), |above| above.parent())
            .find(|above| self.bones.contains_key(above))
    }

    /// True if no required bone is missing but hands and feet.
    #[must_use]
    pub fn is_human(&self) -> bool {
        self.missing().into_iter().all(HumanBone::ends_a_limb)
    }

    /// The required bones missing from this figure.
    #[must_use]
    pub fn missing(&self) -> Vec<HumanBone> {
        let lacks = |bone: &HumanBone| bone.is_required() && !self.bones.contains_key(bone);
        HumanBone::ALL.into_iter().filter(lacks).collect()
    }
}

/// A face: morphs that move together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expression {
    /// A name of [`PRESET_EXPRESSIONS`], or any other name.
    pub name: String,
    /// Names of morphs and the weight of each while the expression's weight is 1.
    pub morphs: Vec<(String, f64)>,
}

/// Direction of a figure's gaze.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAt {
    /// The node whose rotation relative to its parent is the direction of the gaze; at rest the figure looks
    /// to the front.
    pub node: NodeIndex,
    /// From the head bone to the point between the eyes, in units of the basis, in the head's T-pose axes.
    pub offset_from_head: [f64; 3],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unique_and_parents_stand_first() {
        for (index, bone) in HumanBone::ALL.into_iter().enumerate() {
            assert_eq!(HumanBone::from_word(bone.word()), Some(bone));
            let above = bone.parent().map(|parent| HumanBone::ALL.iter().position(|b| *b == parent));
            assert!(above.is_none_or(|above| above < Some(index)), "{bone:?}");
        }
        assert_eq!(HumanBone::ALL.len(), 55);
        assert_eq!(HumanBone::ALL.iter().filter(|bone| bone.is_required()).count(), 15);
    }

    #[test]
    fn a_bone_hangs_on_the_nearest_bone_that_is_there() {
        let bones = [HumanBone::Hips, HumanBone::Spine, HumanBone::Head].map(|bone| (bone, NodeIndex(0)));
        let humanoid = Humanoid { bones: bones.into(), ..Humanoid::default() };
        assert_eq!(humanoid.parent(HumanBone::Head), Some(HumanBone::Spine));
        assert_eq!(humanoid.parent(HumanBone::Hips), None);
        assert_eq!(humanoid.missing().len(), 12);
        assert!(!humanoid.is_human());
    }

    #[test]
    fn a_figure_without_hands_and_feet_is_human() {
        let bones = HumanBone::ALL.into_iter().filter(|bone| bone.is_required() && !bone.ends_a_limb());
        let mut humanoid =
            Humanoid { bones: bones.map(|bone| (bone, NodeIndex(0))).collect(), ..Humanoid::default() };
        assert_eq!((humanoid.is_human(), humanoid.missing().len()), (true, 4));
        humanoid.bones.remove(&HumanBone::LeftLowerArm);
        assert!(!humanoid.is_human());
    }
}
