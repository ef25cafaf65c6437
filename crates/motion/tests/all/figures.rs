//! Figures whose joints are numbered or named by data sets: SMPL and its kin, and Acclaim's skeletons.

use dopesheet_core::format::NameMap;
use dopesheet_core::model::{Basis, HumanBone as B, Node, Scene, Transform};
use dopesheet_motion::humanoid::{Vocabulary, propose};

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
