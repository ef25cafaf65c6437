//! Names of the bones of a human figure: one row per bone (or pair of bones), one column per vocabulary.
//!
//! Sources: MikuMikuDance's standard and semi-standard bones as models carry them; Mixamo's rig; the
//! mannequin of Unreal Engine; avatars of VRoid Studio; the names listed in the VRM add-on of Blender; motion
//! capture files as Biovision and OptiTrack name their joints, and as Poser, DAZ Studio and Second Life do;
//! the joints of tracked hands as the OpenXR specification (`XrHandJointEXT`), the WebXR Hand Input module
//! and MRTK2 (`TrackedHandJoint`) name them; the 77 joints of SOMA as NVIDIA's kimodo and the motions of
//! BONES-SEED list them; Rokoko's Newton; the segments of Xsens MVN as its stream and its plug-ins name them;
//! both skeletons that MakeHuman has written into BVH; 3ds Max's Biped; avatars of Bitmoji; the robot of
//! three.js' examples and other characters of Quaternius; the motions of Bandai Namco's research; the hands of
//! Unity's XR Hands; Meta's Momentum Human Rig; in Blender's column also Sketchbook's boxman and libGDX's
//! knight. MotionBuilder's names, found in most other motion capture files (of CMU, ACCAD and Ubisoft's LAFAN1
//! among them), are the names of Mixamo's rig. The words of VRM itself, shared by Unity's avatars but for the
//! thumbs, are the words of [`HumanBone::word`].

use HumanBone as B;
use dopesheet_core::model::HumanBone;

/// A set of names that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Vocabulary {
    /// MikuMikuDance.
    Mmd,
    /// VRM and Unity.
    Vrm,
    /// Mixamo.
    Mixamo,
    /// Unreal Engine's mannequin.
    Unreal,
    /// VRoid Studio.
    VRoid,
    /// Blender.
    Blender,
    /// Motion capture of Biovision and OptiTrack.
    Biovision,
    /// Poser, DAZ Studio and Second Life.
    Poser,
    /// SMPL, SMPL-H and SMPL-X, AMASS and HumanML3D.
    Smpl,
    /// Motion capture of Acclaim (ASF), as in CMU's files.
    Acclaim,
    /// Tracked hands of OpenXR, each joint behind the word for its side.
    OpenXr,
    /// Tracked hands of WebXR, each joint behind the word for its side.
    WebXr,
    /// Tracked hands of MRTK2.
    Mrtk2,
    /// SOMA, as kimodo and BONES-SEED have it.
    Soma,
    /// Rokoko's Newton.
    Rokoko,
    /// Segments of Xsens MVN.
    Xsens,
    /// SMPL with `L_` and `R_` for the sides, as in its models for animation programs.
    SmplModel,
    /// MakeHuman.
    MakeHuman,
    /// Biped of 3ds Max.
    Biped,
    /// Avatars of Bitmoji.
    Bitmoji,
    /// The robot of three.js' examples (RobotExpressive), and other figures of Quaternius with legs on their bodies.
    RobotExpressive,
    /// Figures of Quaternius with legs on their hips or beside.
    Quaternius,
    /// Motions of Bandai Namco's research.
    BandaiNamco,
    /// Tracked hands of Unity's XR Hands.
    UnityXr,
    /// Meta's Momentum Human Rig.
    Mhr,
}

/// All about a vocabulary.
struct Row {
    /// The word in options.
    id: &'static str,
    /// The name for people.
    word: &'static str,
    bones: Bones,
    /// Words for `{}` in names, left and right.
    sides: [&'static str; 2],
    /// The node that carries the whole figure; empty of hands, and where the root is the hips.
    root: &'static str,
}

const fn row(
    id: &'static str,
    word: &'static str,
    bones: Bones,
    sides: [&'static str; 2],
    root: &'static str,
) -> Row {
    Row { id, word, bones, sides, root }
}

/// Names of bones in a vocabulary.
enum Bones {
    /// The words of [`HumanBone::word`].
    Words,
    /// A column of [`ROWS`].
    Column(usize),
    /// Names in the order of [`ROWS`], between spaces.
    Line(&'static str),
    /// Names of the trunk, then of all else as in a line.
    Trunk(&'static str, &'static str),
}

const WORDS: [&str; 2] = ["Left", "Right"];
const SMALL_WORDS: [&str; 2] = ["left", "right"];
const SMALL: [&str; 2] = ["l", "r"];
const CAPITALS: [&str; 2] = ["L", "R"];

impl Vocabulary {
    /// All vocabularies; the first of several that fit equally well is taken.
    pub const ALL: [Self; 25] = [
        Self::Mmd,
        Self::Vrm,
        Self::Mixamo,
        Self::Unreal,
        Self::VRoid,
        Self::Blender,
        Self::Biovision,
        Self::Poser,
        Self::Smpl,
        Self::Acclaim,
        Self::OpenXr,
        Self::WebXr,
        Self::Mrtk2,
        Self::Soma,
        Self::Rokoko,
        Self::Xsens,
        Self::SmplModel,
        Self::MakeHuman,
        Self::Biped,
        Self::Bitmoji,
        Self::RobotExpressive,
        Self::Quaternius,
        Self::BandaiNamco,
        Self::UnityXr,
        Self::Mhr,
    ];

    const fn row(self) -> Row {
        use Bones::{Column, Line, Trunk, Words};
        match self {
            Self::Mmd => row("mmd", "MikuMikuDance", Column(0), ["左", "右"], "全ての親|全親"),
            Self::Vrm => row("vrm", "VRM", Words, WORDS, "RootMotion|Root"),
            Self::Mixamo => row("mixamo", "Mixamo", Column(1), WORDS, "Root"),
            Self::Unreal => row("unreal", "Unreal Engine", Column(2), SMALL, "root"),
            Self::VRoid => row("vroid", "VRoid Studio", Column(3), CAPITALS, "RootMotion|Root"),
            Self::Blender => row("blender", "Blender", Column(4), CAPITALS, "RootMotion|Root"),
            Self::Biovision => row("biovision", "Biovision", Column(5), WORDS, "Root"),
            Self::Poser => row("poser", "Poser", Column(6), SMALL, "root"),
            Self::Smpl => row("smpl", "SMPL", Column(7), SMALL_WORDS, "root"),
            Self::Acclaim => row("cmu", "Acclaim", Column(8), SMALL, ""),
            Self::OpenXr => row("openxr", "OpenXR", Column(9), SMALL_WORDS, ""),
            Self::WebXr => row("webxr", "WebXR", Column(10), SMALL_WORDS, ""),
            Self::Mrtk2 => row("mrtk2", "MRTK2", Column(11), WORDS, ""),
            Self::Soma => row("soma", "SOMA", Line(SOMA), WORDS, "Root"),
            Self::Rokoko => row("rokoko", "Rokoko", Line(ROKOKO), WORDS, "Root"),
            Self::Xsens => row("xsens", "Xsens MVN", Line(XSENS), WORDS, ""),
            Self::SmplModel => row("smpl-model", "SMPL", Column(7), CAPITALS, "root"),
            Self::MakeHuman => row("makehuman", "MakeHuman", Line(MAKEHUMAN), CAPITALS, ""),
            Self::Biped => row("biped", "3ds Max Biped", Line(BIPED), CAPITALS, "Bip01"),
            Self::Bitmoji => row("bitmoji", "Bitmoji", Line(BITMOJI), CAPITALS, ""),
            Self::RobotExpressive => {
                let trunk = Trunk("Body Hips Abdomen Torso", QUATERNIUS);
                row("robotexpressive", "RobotExpressive", trunk, CAPITALS, "Bone")
            }
            Self::Quaternius => {
                let trunk = Trunk("Hips Abdomen Torso Chest", QUATERNIUS);
                row("quaternius", "Quaternius", trunk, CAPITALS, "Root|Bone")
            }
            Self::BandaiNamco => row("bandai", "Bandai Namco", Line(BANDAI_NAMCO), CAPITALS, "joint_Root"),
            Self::UnityXr => row("unityxr", "Unity XR Hands", Line(UNITY_XR), CAPITALS, ""),
            Self::Mhr => row("mhr", "MHR", Line(MHR), SMALL, ""),
        }
    }

    /// Name for people.
    #[must_use]
    pub const fn word(self) -> &'static str {
        self.row().word
    }

    /// The word for the vocabulary in options.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.row().id
    }

    /// The vocabulary with an [id](Self::id).
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|vocabulary| vocabulary.id() == id)
    }

    /// True of a vocabulary for whole figures; false of hands alone.
    pub(crate) const fn is_of_bodies(self) -> bool {
        !matches!(self, Self::OpenXr | Self::WebXr | Self::Mrtk2 | Self::UnityXr)
    }

    /// The node that carries the whole figure.
    pub(crate) const fn roots(self) -> Names {
        Names::plain(self.row().root)
    }

    /// The node between the carrier and the body that moves with the hips, in MikuMikuDance's models.
    pub(crate) const CENTRE: &'static str = "センター";

    /// Suffix in the names of MikuMikuDance's leg bones that carry the surface; such a bone follows the leg
    /// bone without the suffix by the rig.
    pub(crate) const CARRIES_SURFACE: &'static str = "D";

    /// Every bone with its possible names.
    pub(crate) fn bones(self) -> Vec<(HumanBone, Names)> {
        let Row { bones, sides, .. } = self.row();
        let cells: Vec<&str> = match bones {
            Bones::Words => {
                return B::ALL.into_iter().map(|bone| (bone, Names::plain(bone.word()))).collect();
            }
            Bones::Column(column) => {
                ROWS.iter().filter_map(|(_, cells)| cells.get(column).copied()).collect()
            }
            Bones::Line(line) => line.split(' ').collect(),
            Bones::Trunk(trunk, line) => trunk.split(' ').chain(line.split(' ')).collect(),
        };
        let mut all = Vec::with_capacity(B::ALL.len());
        for ((bones, _), patterns) in ROWS.iter().zip(cells) {
            all.extend(bones.iter().zip(sides).map(|(bone, side)| (*bone, Names { patterns, side })));
        }
        all
    }
}

/// Possible names of a bone in a vocabulary. They are written out when they are compared with the names of a
/// figure: writing all of them takes longer than most figures.
#[derive(Clone, Copy)]
pub(crate) struct Names {
    /// With `{}` for the side and `|` between them, best name first.
    patterns: &'static str,
    side: &'static str,
}

impl Names {
    const fn plain(patterns: &'static str) -> Self {
        Self { patterns, side: "" }
    }

    /// Each name, best first.
    pub(crate) fn each(self) -> impl Iterator<Item = Name> {
        let patterns = self.patterns.split('|').filter(|pattern| !pattern.is_empty());
        patterns.map(move |pattern| Name { pattern, side: self.side })
    }

    /// The best name.
    pub(crate) fn first(self) -> Option<String> {
        self.each().next().map(Name::exact)
    }
}

/// A name of a vocabulary.
#[derive(Clone, Copy)]
pub(crate) struct Name {
    pattern: &'static str,
    side: &'static str,
}

impl Name {
    /// The name in the spelling of programs.
    pub(crate) fn exact(self) -> String {
        let mut exact = String::new();
        self.write(&mut exact);
        exact
    }

    /// Writes the name in place of a text.
    pub(crate) fn write(self, into: &mut String) {
        into.clear();
        let mut parts = self.pattern.split('{');
        into.push_str(parts.next().unwrap_or_default());
        for after in parts {
            into.push_str(self.side);
            into.push_str(after.trim_start_matches('}'));
        }
    }
}

/// One bone, or the left and the right bone; then names as in MikuMikuDance, Mixamo, Unreal Engine, VRoid
/// Studio, Blender, Biovision, Poser, SMPL (also in AMASS and HumanML3D), Acclaim, OpenXR, WebXR and MRTK2.
/// `{}` is the side; of several names the first name in the figure counts.
type BoneNames = (&'static [HumanBone], [&'static str; 12]);

#[rustfmt::skip]
const ROWS: &[BoneNames] = &[
    (&[B::Hips], ["下半身", "Hips", "pelvis", "J_Bip_C_Hips", "hips|pelvis|butt_bone", "Hips", "hip", "pelvis", "root|hips", "", "", ""]),
    (&[B::Spine], ["上半身", "Spine", "spine_01", "J_Bip_C_Spine", "spine|spine_1|body_lower", "Chest", "abdomen|abdomenLower|spine1", "spine1", "lowerback", "", "", ""]),
    (&[B::Chest], ["上半身2", "Spine1", "spine_02", "J_Bip_C_Chest", "chest|spine_2|body_upper", "Chest2", "chest|chestLower|spine2", "spine2", "upperback", "", "", ""]),
    (&[B::UpperChest], ["上半身3", "Spine2", "spine_05|spine_04|spine_03", "J_Bip_C_UpperChest", "upper_chest|spine_3", "Chest3", "chestUpper|spine4", "spine3", "thorax", "", "", ""]),
    (&[B::Neck], ["首", "Neck", "neck_01", "J_Bip_C_Neck", "neck", "Neck", "neck|neckLower|neck1", "neck", "lowerneck", "", "", ""]),
    (&[B::Head], ["頭", "Head", "head", "J_Bip_C_Head", "head|skull", "Head", "head", "head", "head", "", "", ""]),
    (&[B::Jaw], ["あご|顎", "Jaw", "jaw", "", "jaw", "", "", "jaw", "", "", "", ""]),
    (&[B::LeftEye, B::RightEye], ["{}目", "{}Eye", "eye_{}", "J_Adj_{}_FaceEye", "eye.{}", "", "{}Eye|eye.{}", "{}_eye_smplhf|{}_eye", "", "", "", ""]),
    (&[B::LeftUpperLeg, B::RightUpperLeg], ["{}足", "{}UpLeg", "thigh_{}", "J_Bip_{}_UpperLeg", "upper_leg.{}|thigh.{}|leg_upper.{}", "{}Hip|{}UpLeg", "{}Thigh|{}ThighBend|{}Hip", "{}_hip", "{}femur", "", "", ""]),
    (&[B::LeftLowerLeg, B::RightLowerLeg], ["{}ひざ", "{}Leg", "calf_{}", "J_Bip_{}_LowerLeg", "lower_leg.{}|shin.{}|leg_lower.{}", "{}Knee|{}LowLeg", "{}Shin|{}Knee", "{}_knee", "{}tibia", "", "", ""]),
    (&[B::LeftFoot, B::RightFoot], ["{}足首", "{}Foot", "foot_{}", "J_Bip_{}_Foot", "foot.{}", "{}Ankle|{}Foot", "{}Foot", "{}_ankle", "{}foot", "", "", ""]),
    (&[B::LeftToes, B::RightToes], ["{}足先EX|{}つま先", "{}ToeBase|{}Toe", "ball_{}", "J_Bip_{}_ToeBase", "toes.{}|toe.{}", "{}Toe", "{}Toe|{}Toes|toe1-1.{}", "{}_foot", "{}toes", "", "", ""]),
    (&[B::LeftShoulder, B::RightShoulder], ["{}肩", "{}Shoulder", "clavicle_{}", "J_Bip_{}_Shoulder", "shoulder.{}", "{}Collar", "{}Collar", "{}_collar", "{}clavicle", "", "", ""]),
    (&[B::LeftUpperArm, B::RightUpperArm], ["{}腕", "{}Arm", "upperarm_{}", "J_Bip_{}_UpperArm", "upper_arm.{}|arm_upper.{}", "{}Shoulder|{}UpArm", "{}Shldr|{}ShldrBend|{}Upperarm|{}Shoulder", "{}_shoulder", "{}humerus", "", "", ""]),
    (&[B::LeftLowerArm, B::RightLowerArm], ["{}ひじ", "{}ForeArm", "lowerarm_{}", "J_Bip_{}_LowerArm", "lower_arm.{}|forearm.{}|arm_lower.{}", "{}Elbow|{}LowArm", "{}ForeArm|{}ForearmBend|{}Elbow", "{}_elbow", "{}radius", "", "", ""]),
    (&[B::LeftHand, B::RightHand], ["{}手首", "{}Hand", "hand_{}", "J_Bip_{}_Hand", "hand.{}|palm.{}", "{}Wrist|{}Hand", "{}Hand", "{}_wrist", "{}wrist|{}hand", "{}_XR_HAND_JOINT_WRIST_EXT|{}_WRIST", "{}-wrist", "{}_Wrist"]),
    (&[B::LeftThumbMetacarpal, B::RightThumbMetacarpal], ["{}親指０", "{}HandThumb1", "thumb_01_{}", "J_Bip_{}_Thumb1", "thumb_metacarpal.{}|thumb.01.{}", "", "{}Thumb1|{}Thumb", "{}_thumb1", "", "{}_XR_HAND_JOINT_THUMB_METACARPAL_EXT|{}_THUMB_METACARPAL", "{}-thumb-metacarpal", "{}_ThumbMetacarpalJoint"]),
    (&[B::LeftThumbProximal, B::RightThumbProximal], ["{}親指１", "{}HandThumb2", "thumb_02_{}", "J_Bip_{}_Thumb2", "thumb_proximal.{}|thumb.02.{}", "", "{}Thumb2|finger1-2.{}", "{}_thumb2", "", "{}_XR_HAND_JOINT_THUMB_PROXIMAL_EXT|{}_THUMB_PROXIMAL", "{}-thumb-phalanx-proximal", "{}_ThumbProximalJoint"]),
    (&[B::LeftThumbDistal, B::RightThumbDistal], ["{}親指２", "{}HandThumb3", "thumb_03_{}", "J_Bip_{}_Thumb3", "thumb_distal.{}|thumb.03.{}", "", "{}Thumb3|finger1-3.{}", "{}_thumb3", "", "{}_XR_HAND_JOINT_THUMB_DISTAL_EXT|{}_THUMB_DISTAL", "{}-thumb-phalanx-distal", "{}_ThumbDistalJoint"]),
    (&[B::LeftIndexProximal, B::RightIndexProximal], ["{}人指１|{}人差指１", "{}HandIndex1", "index_01_{}", "J_Bip_{}_Index1", "index_proximal.{}|f_index.01.{}", "", "{}Index1|finger2-1.{}", "{}_index1", "", "{}_XR_HAND_JOINT_INDEX_PROXIMAL_EXT|{}_INDEX_PROXIMAL", "{}-index-finger-phalanx-proximal", "{}_IndexKnuckle"]),
    (&[B::LeftIndexIntermediate, B::RightIndexIntermediate], ["{}人指２|{}人差指２", "{}HandIndex2", "index_02_{}", "J_Bip_{}_Index2", "index_intermediate.{}|f_index.02.{}", "", "{}Index2|finger2-2.{}", "{}_index2", "", "{}_XR_HAND_JOINT_INDEX_INTERMEDIATE_EXT|{}_INDEX_INTERMEDIATE", "{}-index-finger-phalanx-intermediate", "{}_IndexMiddleJoint"]),
    (&[B::LeftIndexDistal, B::RightIndexDistal], ["{}人指３|{}人差指３", "{}HandIndex3", "index_03_{}", "J_Bip_{}_Index3", "index_distal.{}|f_index.03.{}", "", "{}Index3|finger2-3.{}", "{}_index3", "", "{}_XR_HAND_JOINT_INDEX_DISTAL_EXT|{}_INDEX_DISTAL", "{}-index-finger-phalanx-distal", "{}_IndexDistalJoint"]),
    (&[B::LeftMiddleProximal, B::RightMiddleProximal], ["{}中指１", "{}HandMiddle1", "middle_01_{}", "J_Bip_{}_Middle1", "middle_proximal.{}|f_middle.01.{}", "", "{}Mid1|finger3-1.{}", "{}_middle1", "", "{}_XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT|{}_MIDDLE_PROXIMAL", "{}-middle-finger-phalanx-proximal", "{}_MiddleKnuckle"]),
    (&[B::LeftMiddleIntermediate, B::RightMiddleIntermediate], ["{}中指２", "{}HandMiddle2", "middle_02_{}", "J_Bip_{}_Middle2", "middle_intermediate.{}|f_middle.02.{}", "", "{}Mid2|finger3-2.{}", "{}_middle2", "", "{}_XR_HAND_JOINT_MIDDLE_INTERMEDIATE_EXT|{}_MIDDLE_INTERMEDIATE", "{}-middle-finger-phalanx-intermediate", "{}_MiddleMiddleJoint"]),
    (&[B::LeftMiddleDistal, B::RightMiddleDistal], ["{}中指３", "{}HandMiddle3", "middle_03_{}", "J_Bip_{}_Middle3", "middle_distal.{}|f_middle.03.{}", "", "{}Mid3|finger3-3.{}", "{}_middle3", "", "{}_XR_HAND_JOINT_MIDDLE_DISTAL_EXT|{}_MIDDLE_DISTAL", "{}-middle-finger-phalanx-distal", "{}_MiddleDistalJoint"]),
    (&[B::LeftRingProximal, B::RightRingProximal], ["{}薬指１", "{}HandRing1", "ring_01_{}", "J_Bip_{}_Ring1", "ring_proximal.{}|f_ring.01.{}", "", "{}Ring1|finger4-1.{}", "{}_ring1", "", "{}_XR_HAND_JOINT_RING_PROXIMAL_EXT|{}_RING_PROXIMAL", "{}-ring-finger-phalanx-proximal", "{}_RingKnuckle"]),
    (&[B::LeftRingIntermediate, B::RightRingIntermediate], ["{}薬指２", "{}HandRing2", "ring_02_{}", "J_Bip_{}_Ring2", "ring_intermediate.{}|f_ring.02.{}", "", "{}Ring2|finger4-2.{}", "{}_ring2", "", "{}_XR_HAND_JOINT_RING_INTERMEDIATE_EXT|{}_RING_INTERMEDIATE", "{}-ring-finger-phalanx-intermediate", "{}_RingMiddleJoint"]),
    (&[B::LeftRingDistal, B::RightRingDistal], ["{}薬指３", "{}HandRing3", "ring_03_{}", "J_Bip_{}_Ring3", "ring_distal.{}|f_ring.03.{}", "", "{}Ring3|finger4-3.{}", "{}_ring3", "", "{}_XR_HAND_JOINT_RING_DISTAL_EXT|{}_RING_DISTAL", "{}-ring-finger-phalanx-distal", "{}_RingDistalJoint"]),
    (&[B::LeftLittleProximal, B::RightLittleProximal], ["{}小指１", "{}HandPinky1", "pinky_01_{}", "J_Bip_{}_Little1", "little_proximal.{}|f_pinky.01.{}", "", "{}Pinky1|finger5-1.{}", "{}_pinky1", "", "{}_XR_HAND_JOINT_LITTLE_PROXIMAL_EXT|{}_LITTLE_PROXIMAL", "{}-pinky-finger-phalanx-proximal", "{}_PinkyKnuckle"]),
    (&[B::LeftLittleIntermediate, B::RightLittleIntermediate], ["{}小指２", "{}HandPinky2", "pinky_02_{}", "J_Bip_{}_Little2", "little_intermediate.{}|f_pinky.02.{}", "", "{}Pinky2|finger5-2.{}", "{}_pinky2", "", "{}_XR_HAND_JOINT_LITTLE_INTERMEDIATE_EXT|{}_LITTLE_INTERMEDIATE", "{}-pinky-finger-phalanx-intermediate", "{}_PinkyMiddleJoint"]),
    (&[B::LeftLittleDistal, B::RightLittleDistal], ["{}小指３", "{}HandPinky3", "pinky_03_{}", "J_Bip_{}_Little3", "little_distal.{}|f_pinky.03.{}", "", "{}Pinky3|finger5-3.{}", "{}_pinky3", "", "{}_XR_HAND_JOINT_LITTLE_DISTAL_EXT|{}_LITTLE_DISTAL", "{}-pinky-finger-phalanx-distal", "{}_PinkyDistalJoint"]),
];

/// SOMA. Its fingers have a bone in the palm first, and its thighs are legs.
const SOMA: &str = "Hips Spine1 Spine2 Chest Neck1|Neck Head Jaw {}Eye {}Leg {}Shin {}Foot {}ToeBase {}Shoulder {}Arm {}ForeArm {}Hand \
    {}HandThumb1 {}HandThumb2 {}HandThumb3 {}HandIndex2 {}HandIndex3 {}HandIndex4 {}HandMiddle2 {}HandMiddle3 {}HandMiddle4 \
    {}HandRing2 {}HandRing3 {}HandRing4 {}HandPinky2 {}HandPinky3 {}HandPinky4";

/// Rokoko's Newton.
const ROKOKO: &str = "Hips Spine1 Spine2 Spine4 Neck Head   {}Thigh {}Shin {}Foot {}Toe {}Shoulder {}Arm {}ForeArm {}Hand \
    {}Finger1Metacarpal {}Finger1Proximal {}Finger1Distal {}Finger2Proximal {}Finger2Medial {}Finger2Distal \
    {}Finger3Proximal {}Finger3Medial {}Finger3Distal {}Finger4Proximal {}Finger4Medial {}Finger4Distal \
    {}Finger5Proximal {}Finger5Medial {}Finger5Distal";

/// Xsens MVN. The trunk is named after vertebrae.
const XSENS: &str = "Pelvis L5 L3 T8 Neck Head   {}UpperLeg {}LowerLeg {}Foot {}Toe {}Shoulder {}UpperArm {}ForeArm {}Hand \
    {}FirstMC {}FirstPP {}FirstDP {}SecondPP {}SecondMP {}SecondDP {}ThirdPP {}ThirdMP {}ThirdDP \
    {}FourthPP {}FourthMP {}FourthDP {}FifthPP {}FifthMP {}FifthDP";

/// MakeHuman: its skeleton since version 1, and the older skeleton of its BVH files.
const MAKEHUMAN: &str = "Hips|root spine05|Spine1 spine03|Spine2 spine01|Spine3 neck01|Neck head jaw eye.{} upperleg01.{}|UpLeg_{} \
    lowerleg01.{}|LoLeg_{} foot.{} toe1-1.{}|Toe_{} clavicle.{} upperarm01.{}|UpArm_{} lowerarm01.{}|LoArm_{} wrist.{}|Hand_{} \
    finger1-1.{}|Thumb1_{} finger1-2.{}|Thumb2_{} finger1-3.{}|Thumb3_{} finger2-1.{}|Index1_{} finger2-2.{}|Index2_{} \
    finger2-3.{}|Index3_{} finger3-1.{}|Middle1_{} finger3-2.{}|Middle2_{} finger3-3.{}|Middle3_{} finger4-1.{}|Ring1_{} \
    finger4-2.{}|Ring2_{} finger4-3.{}|Ring3_{} finger5-1.{}|Pinky1_{} finger5-2.{}|Pinky2_{} finger5-3.{}|Pinky3_{}";

/// Biped. The prefix is the figure's name, and is folded away.
const BIPED: &str = "Bip01_Pelvis Bip01_Spine Bip01_Spine1 Bip01_Spine3|Bip01_Spine2 Bip01_Neck Bip01_Head   Bip01_{}_Thigh Bip01_{}_Calf \
    Bip01_{}_Foot Bip01_{}_Toe0 Bip01_{}_Clavicle Bip01_{}_UpperArm Bip01_{}_Forearm Bip01_{}_Hand Bip01_{}_Finger0 Bip01_{}_Finger01 \
    Bip01_{}_Finger02 Bip01_{}_Finger1 Bip01_{}_Finger11 Bip01_{}_Finger12 Bip01_{}_Finger2 Bip01_{}_Finger21 Bip01_{}_Finger22 \
    Bip01_{}_Finger3 Bip01_{}_Finger31 Bip01_{}_Finger32 Bip01_{}_Finger4 Bip01_{}_Finger41 Bip01_{}_Finger42";

/// Bitmoji. The joints of its fingers in the palm are the first.
const BITMOJI: &str = "C_spine0001_bind_JNT C_spine0002_bind_JNT C_spine0006_bind_JNT  C_neck0001_bind_JNT C_head0001_bind_JNT \
    C_jaw_bind_JNT {}_eye_rig_base_JNT {}_legUpper0001_bind_JNT {}_legLower0001_bind_JNT {}_foot0001_bind_JNT {}_foot0002_bind_JNT \
    {}_clavicle_bind_JNT {}_armUpper0001_bind_JNT {}_armLower0001_bind_JNT {}_hand0001_bind_JNT {}_handThumb0001_bind_JNT \
    {}_handThumb0002_bind_JNT {}_handThumb0003_bind_JNT {}_handPointer0002_bind_JNT {}_handPointer0003_bind_JNT \
    {}_handPointer0004_bind_JNT {}_handMiddle0002_bind_JNT {}_handMiddle0003_bind_JNT {}_handMiddle0004_bind_JNT \
    {}_handRing0002_bind_JNT {}_handRing0003_bind_JNT {}_handRing0004_bind_JNT {}_handPinky0002_bind_JNT {}_handPinky0003_bind_JNT \
    {}_handPinky0004_bind_JNT";

/// Quaternius, from the neck on. Below a joint called body, the joint called hips is the trunk.
const QUATERNIUS: &str = "Neck Head   UpperLeg.{} LowerLeg.{} Foot.{}|FootIK.{}  Shoulder.{} UpperArm.{} LowerArm.{} \
    Palm2.{}|Palm.{}|Fist.{}|Wrist.{}|Hand.{} Thumb.{}|Thumb1.{} Thumb2.{} Thumb3.{} Index.{}|Index1.{} Index2.{} Index3.{} \
    Middle1.{} Middle2.{} Middle3.{} Ring1.{} Ring2.{} Ring3.{} Pinky1.{} Pinky2.{} Pinky3.{}";

/// Bandai Namco.
const BANDAI_NAMCO: &str = "Hips Spine Chest  Neck Head   UpperLeg_{} LowerLeg_{} Foot_{} Toes_{} Shoulder_{} UpperArm_{} LowerArm_{} Hand_{}";

/// Unity's XR Hands: nothing before the wrist.
const UNITY_XR: &str = "               {}_Wrist {}_ThumbMetacarpal {}_ThumbProximal {}_ThumbDistal {}_IndexProximal {}_IndexIntermediate \
    {}_IndexDistal {}_MiddleProximal {}_MiddleIntermediate {}_MiddleDistal {}_RingProximal {}_RingIntermediate {}_RingDistal \
    {}_LittleProximal {}_LittleIntermediate {}_LittleDistal";

/// Momentum Human Rig. Its thumbs have a joint in the palm first.
const MHR: &str = "root c_spine0 c_spine1|c_spine2 c_spine3 c_neck c_head c_jaw {}_eye {}_upleg {}_lowleg {}_foot {}_ball {}_clavicle \
    {}_uparm {}_lowarm {}_wrist {}_thumb1 {}_thumb2 {}_thumb3 {}_index1 {}_index2 {}_index3 {}_middle1 {}_middle2 {}_middle3 \
    {}_ring1 {}_ring2 {}_ring3 {}_pinky1 {}_pinky2 {}_pinky3";

/// A name without the additions and changes of programs: name spaces, separators, case, and the width of
/// digits and Latin letters.
pub(crate) fn folded(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    fold(name, &mut folded);
    folded
}

/// Writes a [`folded`] name in place of a text.
pub(crate) fn fold(name: &str, into: &mut String) {
    into.clear();
    let without_space = name.rsplit([':', '|']).next().unwrap_or(name);
    for c in without_space.chars() {
        let narrow = match u32::from(c) {
            // Full-width forms stand in the order of ASCII.
            code @ 0xFF01..=0xFF5E => char::from_u32(code.saturating_sub(0xFEE0)).unwrap_or(c),
            _ => c,
        };
        match narrow {
            '_' | '-' | '.' | ' ' => {}
            c if c.is_ascii() => into.push(c.to_ascii_lowercase()),
            c => into.extend(c.to_lowercase()),
        }
    }
    if let Some(rest) = PREFIXES.iter().find_map(|prefix| without(into, prefix)).map(str::len) {
        into.drain(..into.len().saturating_sub(rest));
    }
}

/// Prefixes of rigs, folded. Programs put a number behind a prefix where there are several rigs.
const PREFIXES: [&str; 3] = ["mixamorig", "valvebipedbip", "bip"];

fn without<'a>(folded: &'a str, prefix: &str) -> Option<&'a str> {
    let name = folded.strip_prefix(prefix)?.trim_start_matches(|c: char| c.is_ascii_digit());
    // The figure itself may be called by its prefix alone, and a biped by a longer word.
    let is_numbered = prefix == PREFIXES[0] || folded.len() > prefix.len().saturating_add(name.len());
    (is_numbered && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_vocabulary_names_every_required_bone_and_no_name_twice() {
        for vocabulary in Vocabulary::ALL {
            let names = vocabulary.bones();
            let named: HashSet<_> =
                names.iter().filter(|(_, names)| names.first().is_some()).map(|(bone, _)| *bone).collect();
            let is_hand = |bone: &HumanBone| {
                bone.word().contains("Hand") || bone.needs_parent() && *bone != B::UpperChest
            };
            let wanted =
                |bone: &HumanBone| if vocabulary.is_of_bodies() { bone.is_required() } else { is_hand(bone) };
            let missing = B::ALL.into_iter().find(|bone| wanted(bone) && !named.contains(bone));
            assert_eq!(missing, None, "{vocabulary:?}");
            let all: Vec<_> =
                names.iter().flat_map(|(_, names)| names.each()).map(|name| folded(&name.exact())).collect();
            assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len(), "{vocabulary:?}");
        }
    }

    #[test]
    fn names_are_told_apart_by_their_letters_alone() {
        for (a, b) in [
            ("mixamorig:LeftUpLeg", "LeftUpLeg"),
            ("mixamorig_LeftUpLeg", "MixamoRig.leftupleg"),
            ("左人指１", "左人指1"),
            ("左足ＩＫ", "左足ik"),
            ("upper_arm.L", "UpperArm_L"),
        ] {
            assert_eq!(folded(a), folded(b));
        }
        assert_ne!(folded("左足"), folded("左足D"));
    }
}
