//! Figures whose joints are numbered or named by data sets: SMPL and its kin, and Acclaim's skeletons.

use dopesheet_core::format::NameMap;
use dopesheet_core::model::{
    Axis, Basis, Channel, Clip, Curve, HumanBone as B, Law, Laws, MeshIndex, Node, NodeIndex, Property,
    Scene, Target, TargetKind, Times, Track, Transform, rebase,
};
use dopesheet_human::{Vocabulary, doubts, looks_back, propose, propose_by};

/// The joints of SMPL's body in their order; HumanML3D has the first 22.
const SMPL: [&str; 24] = [
    "pelvis",
    "left_hip",
    "right_hip",
    "spine1",
    "left_knee",
    "right_knee",
    "spine2",
    "left_ankle",
    "right_ankle",
    "spine3",
    "left_foot",
    "right_foot",
    "neck",
    "left_collar",
    "right_collar",
    "head",
    "left_shoulder",
    "right_shoulder",
    "left_elbow",
    "right_elbow",
    "left_wrist",
    "right_wrist",
    "left_hand",
    "right_hand",
];

/// The bones of CMU's Acclaim skeletons.
const ASF: [&str; 31] = [
    "root",
    "lhipjoint",
    "lfemur",
    "ltibia",
    "lfoot",
    "ltoes",
    "rhipjoint",
    "rfemur",
    "rtibia",
    "rfoot",
    "rtoes",
    "lowerback",
    "upperback",
    "thorax",
    "lowerneck",
    "upperneck",
    "head",
    "lclavicle",
    "lhumerus",
    "lradius",
    "lwrist",
    "lhand",
    "lfingers",
    "lthumb",
    "rclavicle",
    "rhumerus",
    "rradius",
    "rwrist",
    "rhand",
    "rfingers",
    "rthumb",
];

fn scene<'a>(names: impl IntoIterator<Item = &'a str>) -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    for name in names {
        scene.push_node(Node::new(name, None, Transform::IDENTITY));
    }
    scene
}

fn assert_figure(scene: &Scene, vocabulary: Vocabulary, bones: &[(B, &str)], count: usize) {
    let proposal = propose(scene, &NameMap::default());
    assert_eq!((proposal.vocabulary, proposal.certainty), (Some(vocabulary), 1.0));
    for (bone, name) in bones {
        let node = proposal.humanoid.bones.get(bone).map(|node| scene.nodes[node.0].name.as_str());
        assert_eq!(node, Some(*name), "{bone:?}");
    }
    assert_eq!(proposal.humanoid.bones.len(), count);
}

#[test]
fn smpl_and_humanml3d_are_whole_figures() {
    let bones = [
        (B::Hips, "pelvis"),
        (B::Spine, "spine1"),
        (B::UpperChest, "spine3"),
        (B::LeftUpperLeg, "left_hip"),
        (B::LeftFoot, "left_ankle"),
        (B::RightToes, "right_foot"),
        (B::RightShoulder, "right_collar"),
        (B::RightUpperArm, "right_shoulder"),
        (B::LeftHand, "left_wrist"),
    ];
    for count in [22, 24] {
        assert_figure(&scene(SMPL[..count].iter().copied()), Vocabulary::Smpl, &bones, 22);
    }
}

#[test]
fn smpl_h_and_smpl_x_have_fingers_jaw_and_eyes() {
    let fingers: Vec<String> = ["left", "right"]
        .iter()
        .flat_map(|side| {
            ["index", "middle", "pinky", "ring", "thumb"].map(|finger| format!("{side}_{finger}"))
        })
        .flat_map(|finger| (1..=3).map(move |joint| format!("{finger}{joint}")))
        .collect();
    let body = SMPL[..22].iter().copied();
    let bones = [
        (B::LeftThumbMetacarpal, "left_thumb1"),
        (B::LeftThumbDistal, "left_thumb3"),
        (B::RightLittleProximal, "right_pinky1"),
        (B::LeftIndexDistal, "left_index3"),
    ];
    let with_hands = || body.clone().chain(fingers.iter().map(String::as_str));
    assert_figure(&scene(with_hands()), Vocabulary::Smpl, &bones, 22 + 30);
    let face = ["jaw", "left_eye_smplhf", "right_eye_smplhf"];
    let whole = scene(with_hands().chain(face));
    assert_figure(&whole, Vocabulary::Smpl, &[(B::Jaw, "jaw"), (B::LeftEye, "left_eye_smplhf")], 22 + 30 + 3);
}

#[test]
fn acclaim_skeletons_are_whole_figures() {
    let bones = [
        (B::Hips, "root"),
        (B::Spine, "lowerback"),
        (B::UpperChest, "thorax"),
        (B::Neck, "lowerneck"),
        (B::LeftUpperLeg, "lfemur"),
        (B::RightLowerArm, "rradius"),
        (B::LeftHand, "lwrist"),
        (B::LeftToes, "ltoes"),
    ];
    assert_figure(&scene(ASF), Vocabulary::Acclaim, &bones, 22);
}

/// Both sides of names with `{}` for one.
fn sided(names: &str, sides: [&str; 2]) -> Vec<String> {
    let both = |name: &str| match name.contains("{}") {
        true => sides.iter().map(|side| name.replace("{}", side)).collect(),
        false => vec![name.to_owned()],
    };
    names.split_whitespace().flat_map(both).collect()
}

/// The body and hands of SOMA's 77 joints, without those at ends.
const SOMA: &str = "Root Hips Spine1 Spine2 Chest Neck1 Neck2 Head Jaw {}Eye {}Shoulder {}Arm {}ForeArm {}Hand {}HandThumb1 {}HandThumb2
    {}HandThumb3 {}HandIndex1 {}HandIndex2 {}HandIndex3 {}HandIndex4 {}HandMiddle1 {}HandMiddle2 {}HandMiddle3 {}HandMiddle4 {}HandRing1
    {}HandRing2 {}HandRing3 {}HandRing4 {}HandPinky1 {}HandPinky2 {}HandPinky3 {}HandPinky4 {}Leg {}Shin {}Foot {}ToeBase";

#[test]
fn legs_of_soma_are_thighs_and_its_fingers_begin_in_the_palm() {
    let names = sided(SOMA, ["Left", "Right"]);
    let bones = [
        (B::Hips, "Hips"),
        (B::Spine, "Spine1"),
        (B::UpperChest, "Chest"),
        (B::Neck, "Neck1"),
        (B::LeftUpperLeg, "LeftLeg"),
        (B::RightLowerLeg, "RightShin"),
        (B::LeftUpperArm, "LeftArm"),
        (B::LeftThumbMetacarpal, "LeftHandThumb1"),
        (B::LeftIndexProximal, "LeftHandIndex2"),
        (B::RightLittleDistal, "RightHandPinky4"),
    ];
    let scene = scene(names.iter().map(String::as_str));
    assert_figure(&scene, Vocabulary::Soma, &bones, 55);
    assert_eq!(propose(&scene, &NameMap::default()).humanoid.root_motion.map(|node| node.0), Some(0));
}

#[test]
fn suits_of_rokoko_and_xsens_are_whole_figures() {
    let newton = sided(
        "Root Hips Spine1 Spine2 Spine3 Spine4 Neck Head {}Thigh {}Shin {}Foot {}Toe {}Shoulder {}Arm {}ForeArm {}Hand
        {}Finger1Metacarpal {}Finger1Proximal {}Finger1Distal {}Finger2Metacarpal {}Finger2Proximal {}Finger2Medial {}Finger2Distal",
        ["Left", "Right"],
    );
    let bones = [
        (B::Spine, "Spine1"),
        (B::UpperChest, "Spine4"),
        (B::LeftUpperLeg, "LeftThigh"),
        (B::RightToes, "RightToe"),
        (B::LeftThumbMetacarpal, "LeftFinger1Metacarpal"),
        (B::LeftIndexProximal, "LeftFinger2Proximal"),
    ];
    assert_figure(&scene(newton.iter().map(String::as_str)), Vocabulary::Rokoko, &bones, 22 + 12);
    let mvn = sided(
        "Pelvis L5 L3 T12 T8 Neck Head {}Shoulder {}UpperArm {}ForeArm {}Hand {}UpperLeg {}LowerLeg {}Foot {}Toe {}Carpus {}FirstMC
        {}FirstPP {}FirstDP {}SecondMC {}SecondPP {}SecondMP {}SecondDP",
        ["Left", "Right"],
    );
    let bones = [
        (B::Hips, "Pelvis"),
        (B::Spine, "L5"),
        (B::Chest, "L3"),
        (B::UpperChest, "T8"),
        (B::LeftUpperArm, "LeftUpperArm"),
        (B::LeftThumbDistal, "LeftFirstDP"),
        (B::RightIndexIntermediate, "RightSecondMP"),
    ];
    assert_figure(&scene(mvn.iter().map(String::as_str)), Vocabulary::Xsens, &bones, 22 + 12);
}

#[test]
fn a_trunk_of_unreal_with_five_parts_ends_with_the_last() {
    let names = sided(
        "pelvis spine_01 spine_02 spine_03 spine_04 spine_05 neck_01 neck_02 head clavicle_{} upperarm_{} lowerarm_{} hand_{}
        thigh_{} calf_{} foot_{} ball_{}",
        ["l", "r"],
    );
    let bones = [(B::Spine, "spine_01"), (B::UpperChest, "spine_05"), (B::RightLowerLeg, "calf_r")];
    assert_figure(&scene(names.iter().map(String::as_str)), Vocabulary::Unreal, &bones, 22);
}

#[test]
fn smpl_of_animation_programs_has_letters_for_the_sides() {
    let names: Vec<String> =
        SMPL.iter().map(|name| name.replace("left_", "L_").replace("right_", "R_")).collect();
    let bones = [(B::LeftUpperLeg, "L_hip"), (B::RightUpperArm, "R_shoulder"), (B::LeftToes, "L_foot")];
    assert_figure(&scene(names.iter().map(String::as_str)), Vocabulary::SmplModel, &bones, 22);
}

#[test]
fn a_vocabulary_that_is_given_counts_alone() {
    let names = sided(SOMA, ["Left", "Right"]);
    let scene = scene(names.iter().map(String::as_str));
    let forced = propose_by(&scene, &NameMap::default(), Some(Vocabulary::Mixamo));
    assert_eq!(forced.vocabulary, Some(Vocabulary::Mixamo));
    assert_eq!(scene.nodes[forced.humanoid.bones[&B::LeftLowerLeg].0].name, "LeftLeg");
    assert!(forced.certainty < 1.0 && forced.humanoid.missing().contains(&B::LeftUpperLeg));
    for vocabulary in Vocabulary::ALL {
        assert_eq!(Vocabulary::from_id(vocabulary.id()), Some(vocabulary));
    }
    assert_eq!(Vocabulary::from_id("klingon"), None);
}

/// A standing figure by VRM's names, with feet that point to +Z, in glTF's axes.
pub(crate) fn standing() -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    let mut add = |name: &str, parent: Option<usize>, at: [f64; 3]| {
        let rest = Transform { translation: at, ..Transform::IDENTITY };
        scene.push_node(Node::new(name, parent.map(NodeIndex), rest)).0
    };
    let hips = add("hips", None, [0.0, 1.0, 0.0]);
    let spine = add("spine", Some(hips), [0.0, 0.2, 0.0]);
    add("head", Some(spine), [0.0, 0.4, 0.0]);
    for (side, x) in [("left", 0.1), ("right", -0.1)] {
        let thigh = add(&format!("{side}UpperLeg"), Some(hips), [x, 0.0, 0.0]);
        let shin = add(&format!("{side}LowerLeg"), Some(thigh), [0.0, -0.4, 0.0]);
        let foot = add(&format!("{side}Foot"), Some(shin), [0.0, -0.4, 0.0]);
        add(&format!("{side}Toes"), Some(foot), [0.0, -0.1, 0.1]);
        let upper = add(&format!("{side}UpperArm"), Some(spine), [x, 0.3, 0.0]);
        let lower = add(&format!("{side}LowerArm"), Some(upper), [3.0 * x, 0.0, 0.0]);
        add(&format!("{side}Hand"), Some(lower), [3.0 * x, 0.0, 0.0]);
    }
    scene
}

fn doubted(scene: &Scene) -> Vec<String> {
    doubts(scene, &propose(scene, &NameMap::default()).humanoid)
}

fn at<'a>(scene: &'a mut Scene, name: &str) -> &'a mut Node {
    scene.nodes.iter_mut().find(|node| node.name == name).unwrap()
}

#[test]
fn a_figure_that_stands_as_its_names_say_is_not_doubted() {
    assert_eq!(doubted(&standing()), [""; 0]);
    let mut turned = standing();
    let upright_z = Basis { up: Axis::PosZ, front: Axis::NegY, ..Basis::GLTF };
    for basis in [Basis::UNITY, Basis { front: Axis::NegZ, ..Basis::GLTF }, upright_z] {
        rebase(&mut turned, &basis, None);
        assert_eq!(doubted(&turned), [""; 0], "{basis:?}");
    }
}

#[test]
fn shapes_that_contradict_the_names_are_doubted() {
    let mut upside_down = standing();
    at(&mut upside_down, "leftUpperLeg").rest.translation = [0.1, 0.9, 0.0];
    assert_eq!(doubted(&upside_down), ["leftFoot (leftFoot) is above the hips"]);
    let mut mirrored = standing();
    for node in &mut mirrored.nodes {
        node.rest.translation[0] *= -1.0;
    }
    assert_eq!(doubted(&mirrored), ["leftUpperLeg (leftUpperLeg) is on the right side"]);
    let mut swapped = standing();
    at(&mut swapped, "leftUpperLeg").name = "knee".into();
    at(&mut swapped, "leftLowerLeg").name = "leftUpperLeg".into();
    at(&mut swapped, "knee").name = "leftLowerLeg".into();
    let said = doubted(&swapped);
    assert_eq!(
        said.first().map(String::as_str),
        Some("leftUpperLeg (leftUpperLeg) hangs on leftLowerLeg (leftLowerLeg)")
    );
    let mut long = standing();
    at(&mut long, "rightHand").rest.translation = [-1.0, 0.0, 0.0];
    assert_eq!(
        doubted(&long),
        [
            "the limb of leftUpperArm (leftUpperArm) is 0.5 times as long as that of rightUpperArm (rightUpperArm)"
        ]
    );
}

#[test]
fn a_rest_pose_that_is_none_of_a_body_is_not_doubted_if_the_motion_stands() {
    let mut scene = standing();
    at(&mut scene, "hips").rest.rotation = [1.0, 0.0, 0.0, 0.0];
    assert!(!doubted(&scene).is_empty());
    let upright =
        Curve::new(Times::Seconds([0.0].into()), 4, vec![0.0, 0.0, 0.0, 1.0], Laws::uniform(Law::SLERP));
    let target = Target::new(TargetKind::Joint, "hips", 0, Some(NodeIndex(0)));
    let track = Track { target, channels: vec![Channel::whole(Property::Rotation, upright)] };
    scene.clips.push(Clip { tracks: vec![track], ..Clip::default() });
    assert_eq!(doubted(&scene), [""; 0]);
}

/// Bones by rows of word and name; the first as the others, which are `{}` for the side.
fn named(pairs: &[(B, &'static str)], names: &str, sides: [&str; 2], vocabulary: Vocabulary, count: usize) {
    let names = sided(names, sides);
    assert_figure(&scene(names.iter().map(String::as_str)), vocabulary, pairs, count);
}

#[test]
fn both_skeletons_of_makehuman_are_whole_figures() {
    let names = "root pelvis.{} upperleg01.{} upperleg02.{} lowerleg01.{} lowerleg02.{} foot.{} toe1-1.{} spine05 spine04 spine03 spine02 \
        spine01 clavicle.{} shoulder01.{} upperarm01.{} upperarm02.{} lowerarm01.{} lowerarm02.{} wrist.{} finger1-1.{} finger2-1.{} neck01 head";
    let bones = [
        (B::Hips, "root"),
        (B::Spine, "spine05"),
        (B::UpperChest, "spine01"),
        (B::LeftUpperLeg, "upperleg01.L"),
        (B::RightLowerLeg, "lowerleg01.R"),
        (B::LeftUpperArm, "upperarm01.L"),
        (B::RightHand, "wrist.R"),
        (B::LeftThumbMetacarpal, "finger1-1.L"),
    ];
    named(&bones, names, ["L", "R"], Vocabulary::MakeHuman, 26);
    let names = "Root Spine1 Spine2 Spine3 Neck Head Clavicle_{} UpArm_{} LoArm_{} Hand_{} Hips UpLeg_{} LoLeg_{} Foot_{} Toe_{}";
    let scene = scene(sided(names, ["L", "R"]).iter().map(String::as_str));
    let found = propose(&scene, &NameMap::default());
    assert_eq!((found.vocabulary, found.humanoid.missing()), (Some(Vocabulary::MakeHuman), vec![]));
    let hips = found.humanoid.bones.get(&B::Hips).map(|node| scene.nodes[node.0].name.as_str());
    assert_eq!(hips, Some("Hips"));
}

#[test]
fn the_lower_case_of_mocapnet_and_the_bends_of_daz_are_figures_of_poser() {
    for names in [
        "hip abdomen chest neck head {}collar {}shoulder {}elbow {}hand {}buttock {}hip {}knee {}foot",
        "hip pelvis {}ThighBend {}ThighTwist {}Shin {}Foot {}Toe abdomenLower abdomenUpper chestLower chestUpper {}Collar {}ShldrBend \
         {}ShldrTwist {}ForearmBend {}ForearmTwist {}Hand neckLower neckUpper head",
    ] {
        let found = propose(&scene(sided(names, ["l", "r"]).iter().map(String::as_str)), &NameMap::default());
        assert_eq!(
            (found.vocabulary, found.humanoid.missing()),
            (Some(Vocabulary::Poser), vec![]),
            "{names}"
        );
    }
}

#[test]
fn a_biped_of_3ds_max_is_found_behind_any_prefix() {
    let names = "Pelvis Spine Spine1 Spine2 Neck Head {}_Thigh {}_Calf {}_Foot {}_Toe0 {}_Clavicle {}_UpperArm {}_Forearm {}_Hand";
    for prefix in ["Bip01_", "Bip001 ", "ValveBiped.Bip01_", "Hero_", "NPC Bip ", "game:Bip02_"] {
        let names = sided(names, ["L", "R"]).into_iter().map(|name| {
            let name = if prefix.contains(' ') { name.replace('_', " ") } else { name };
            format!("{prefix}{name}")
        });
        let names: Vec<String> = names.collect();
        let scene = scene(names.iter().map(String::as_str));
        let found = propose(&scene, &NameMap::default());
        assert_eq!(
            (found.vocabulary, found.humanoid.missing()),
            (Some(Vocabulary::Biped), vec![]),
            "{prefix}"
        );
        let thigh = found.humanoid.bones.get(&B::LeftUpperLeg).map(|node| scene.nodes[node.0].name.as_str());
        assert_eq!(thigh, names.iter().find(|name| name.ends_with("Thigh")).map(String::as_str));
    }
}

#[test]
fn bitmoji_bandai_namco_and_the_robot_of_three_js_are_figures() {
    let bitmoji = "C_spine0001_bind_JNT C_spine0002_bind_JNT C_spine0006_bind_JNT C_neck0001_bind_JNT C_head0001_bind_JNT \
        {}_clavicle_bind_JNT {}_armUpper0001_bind_JNT {}_armLower0001_bind_JNT {}_hand0001_bind_JNT {}_legUpper0001_bind_JNT \
        {}_legLower0001_bind_JNT {}_foot0001_bind_JNT {}_foot0002_bind_JNT {}_handPointer0002_bind_JNT";
    let bones = [(B::Hips, "C_spine0001_bind_JNT"), (B::RightToes, "R_foot0002_bind_JNT")];
    named(&bones, bitmoji, ["L", "R"], Vocabulary::Bitmoji, 23);
    let bandai = "joint_Root Hips Spine Chest Neck Head Shoulder_{} UpperArm_{} LowerArm_{} Hand_{} UpperLeg_{} LowerLeg_{} Foot_{} Toes_{}";
    named(&[(B::Chest, "Chest"), (B::LeftToes, "Toes_L")], bandai, ["L", "R"], Vocabulary::BandaiNamco, 21);
    let robot = "Bone Foot.{} Body Hips Abdomen Torso Neck Head Shoulder.{} UpperArm.{} LowerArm.{} Palm2.{} UpperLeg.{} LowerLeg.{}";
    named(&[(B::Hips, "Body"), (B::Spine, "Hips")], robot, ["L", "R"], Vocabulary::RobotExpressive, 20);
}

#[test]
fn joints_count_before_meshes_of_their_names() {
    let robot = "Bone Foot.{} Body Hips Abdomen Torso Neck Head Shoulder.{} UpperArm.{} LowerArm.{} Palm2.{} UpperLeg.{} LowerLeg.{}";
    let names = sided(robot, ["L", "R"]);
    let mut made = Scene::new(Basis::GLTF);
    for name in &names {
        made.push_node(Node { mesh: Some(MeshIndex(0)), ..Node::new(name, None, Transform::IDENTITY) });
    }
    for name in &names {
        made.push_node(Node::new(name, None, Transform::IDENTITY));
    }
    let torso = |names: &NameMap| propose(&made, names).humanoid.bones.get(&B::UpperChest).copied();
    let joint = made.nodes.iter().rposition(|node| node.name == "Torso").map(NodeIndex);
    assert_eq!(torso(&NameMap::default()), joint);
    let map = NameMap::new([("Torso".to_owned(), "upperChest".to_owned())]);
    assert_eq!(torso(&map), joint);
}

#[test]
fn a_mesh_whose_name_is_spelled_like_a_bone_does_not_replace_the_joint() {
    let names = "Hips Spine Neck {}Arm {}ForeArm {}Hand {}UpLeg {}Leg {}Foot";
    let mut scene = scene(sided(names, ["Left", "Right"]).iter().map(String::as_str));
    let joint = scene.push_node(Node::new("head", Some(NodeIndex(2)), Transform::IDENTITY));
    let mesh = Node { mesh: Some(MeshIndex(0)), ..Node::new("Head", None, Transform::IDENTITY) };
    let mesh = scene.push_node(mesh);
    let head = |scene: &Scene| propose(scene, &NameMap::default()).humanoid.bones.get(&B::Head).copied();
    assert_eq!(head(&scene), Some(joint));
    scene.nodes[joint.0].name = "aside".into();
    assert_eq!(head(&scene), Some(mesh), "without a joint, the mesh is the bone");
}

#[test]
fn a_figure_that_looks_back_at_rest_is_known() {
    for (x, is_back) in [(0.1, false), (-0.1, true)] {
        let mut scene = scene(["Hips", "Spine", "Head"]);
        for (side, x) in [("Left", x), ("Right", -x)] {
            for (part, y) in
                [("UpLeg", 0.9), ("Leg", 0.5), ("Foot", 0.1), ("Arm", 1.3), ("ForeArm", 1.2), ("Hand", 1.1)]
            {
                let place = Transform { translation: [x, y, 0.0], ..Transform::IDENTITY };
                scene.push_node(Node::new(format!("{side}{part}"), None, place));
            }
        }
        for (node, y) in [(0, 1.0), (1, 1.1), (2, 1.5)] {
            scene.nodes[node].parent = None;
            scene.nodes[node].rest.translation = [0.0, y, 0.0];
        }
        let humanoid = propose(&scene, &NameMap::default()).humanoid;
        assert!(humanoid.missing().is_empty(), "{:?}", humanoid.missing());
        assert_eq!(looks_back(&scene, &humanoid), is_back);
    }
}

#[test]
fn hands_of_unity_and_those_with_a_letter_for_their_side_are_known() {
    let of = |names: &str| {
        let scene = scene(sided(names, ["L", "R"]).iter().map(String::as_str));
        let found = propose(&scene, &NameMap::default());
        let node =
            found.humanoid.bones.get(&B::LeftIndexProximal).map(|node| scene.nodes[node.0].name.clone());
        (found.vocabulary, found.humanoid.bones.len(), node.unwrap_or_default())
    };
    let unity = "{}_Wrist {}_Palm {}_ThumbMetacarpal {}_ThumbProximal {}_ThumbDistal {}_ThumbTip {}_IndexMetacarpal {}_IndexProximal \
        {}_IndexIntermediate {}_IndexDistal {}_MiddleProximal {}_RingProximal {}_LittleProximal";
    assert_eq!(of(unity), (Some(Vocabulary::UnityXr), 20, "L_IndexProximal".into()));
    let webxr = "wrist_{} thumb-metacarpal_{} thumb-phalanx-proximal_{} thumb-phalanx-distal_{} index-finger-phalanx-proximal_{} \
        middle-finger-phalanx-proximal_{}";
    assert_eq!(
        (of(webxr).0, of(webxr).2),
        (Some(Vocabulary::WebXr), "index-finger-phalanx-proximal_L".into())
    );
    let openxr = "XR_HAND_JOINT_WRIST_EXT_{} XR_HAND_JOINT_THUMB_METACARPAL_EXT_{} XR_HAND_JOINT_INDEX_PROXIMAL_EXT_{}";
    assert_eq!(
        (of(openxr).0, of(openxr).2),
        (Some(Vocabulary::OpenXr), "XR_HAND_JOINT_INDEX_PROXIMAL_EXT_L".into())
    );
}
