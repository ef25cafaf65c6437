//! Figures of programs and collections that name or lack bones in ways of their own, as bodies and as motions.
#![cfg(all(feature = "bvh", feature = "gltf", feature = "research"))]

use super::made::{body, skeleton};
use dopesheet::core::diag::{Loss, Measure, MeasureKind};
use dopesheet::core::format::NameMap;
use dopesheet::core::model::{HumanBone as B, Scene};
use dopesheet::human::{Planted, doubts, propose};
use dopesheet::{Conversion, ConvertOptions, Error, Opened, ReadOptions, convert, open, read, registry};
use dopesheet_testkit::workspace;
use rayon::prelude::*;

/// Name of a family, its words for the sides, its joints, and nodes of the bones that are not called as expected.
type Family = (&'static str, [&'static str; 2], &'static str, &'static [(B, &'static str)]);

const DOTTED: [&str; 2] = ["L", "R"];

/// Arms and legs of Quaternius, without hands and feet.
const QUATERNIUS: &str = "Neck@neck<Torso Head@head<Neck Shoulder.{}@collar<Torso UpperArm.{}@arm<Shoulder.{} LowerArm.{}@elbow<UpperArm.{} ";

const FAMILIES: &[Family] = &[
    (
        "rigify",
        DOTTED,
        "root@ground DEF-spine@hips<root DEF-spine.001@spine<DEF-spine DEF-spine.002@chest<DEF-spine.001 DEF-spine.003@upper<DEF-spine.002 \
         DEF-spine.004@neck<DEF-spine.003 DEF-spine.005@throat<DEF-spine.004 DEF-spine.006@head<DEF-spine.005 DEF-pelvis.{}@thigh<DEF-spine \
         DEF-shoulder.{}@collar<DEF-spine.003 DEF-upper_arm.{}@arm<DEF-shoulder.{} DEF-upper_arm.{}.001@biceps<DEF-upper_arm.{} \
         DEF-forearm.{}@elbow<DEF-upper_arm.{}.001 DEF-hand.{}@wrist<DEF-forearm.{} DEF-f_index.01.{}@knuckle<DEF-hand.{} \
         DEF-thumb.01.{}@thumb<DEF-hand.{} DEF-thigh.{}@thigh<DEF-spine DEF-thigh.{}.001@quadriceps<DEF-thigh.{} \
         DEF-shin.{}@knee<DEF-thigh.{}.001 DEF-foot.{}@ankle<DEF-shin.{} DEF-toe.{}@ball<DEF-foot.{}",
        &[
            (B::Hips, "DEF-spine"),
            (B::Spine, "DEF-spine.001"),
            (B::UpperChest, "DEF-spine.003"),
            (B::Neck, "DEF-spine.004"),
            (B::Head, "DEF-spine.006"),
            (B::LeftLowerLeg, "DEF-shin.L"),
            (B::RightIndexProximal, "DEF-f_index.01.R"),
        ],
    ),
    (
        "rigify with controls",
        DOTTED,
        "root@ground torso@hips<root hips@hips<torso head@head<torso upper_arm_fk.{}@arm<torso ORG-spine@hips<hips ORG-spine.001@spine<ORG-spine \
         ORG-spine.002@chest<ORG-spine.001 ORG-spine.003@neck<ORG-spine.002 ORG-spine.004@head<ORG-spine.003 ORG-upper_arm.{}@arm<ORG-spine.002 \
         ORG-forearm.{}@elbow<ORG-upper_arm.{} ORG-hand.{}@wrist<ORG-forearm.{} ORG-thigh.{}@thigh<ORG-spine ORG-shin.{}@knee<ORG-thigh.{} \
         ORG-foot.{}@ankle<ORG-shin.{} ORG-toe.{}@ball<ORG-foot.{}",
        &[
            (B::Hips, "ORG-spine"),
            (B::Chest, "ORG-spine.002"),
            (B::Neck, "ORG-spine.003"),
            (B::Head, "ORG-spine.004"),
        ],
    ),
    (
        "quaternius",
        DOTTED,
        "Root@ground Hips@hips<Root Abdomen@spine<Hips Torso@chest<Abdomen {arms} Wrist.{}@wrist<LowerArm.{} UpperLeg.{}@thigh<Hips \
         LowerLeg.{}@knee<UpperLeg.{} Foot.{}@ankle<LowerLeg.{}",
        &[(B::Hips, "Hips"), (B::Chest, "Torso"), (B::LeftHand, "Wrist.L"), (B::LeftUpperArm, "UpperArm.L")],
    ),
    (
        "quaternius with legs beside the hips",
        DOTTED,
        "Root@ground Hips@hips<Root Abdomen@spine<Hips Torso@chest<Abdomen {arms} Fist.{}@wrist<LowerArm.{} UpperLeg.{}@thigh<Root \
         LowerLeg.{}@knee<UpperLeg.{} Foot.{}@ankle<LowerLeg.{}",
        &[(B::Hips, "Hips"), (B::RightHand, "Fist.R")],
    ),
    (
        "quaternius with a body and feet on the root",
        DOTTED,
        "Bone@ground Foot.{}@ankle<Bone Body@hips<Bone Hips@hips<Body Abdomen@spine<Hips Torso@chest<Abdomen {arms} Palm.{}@wrist<LowerArm.{} \
         UpperLeg.{}@thigh<Body LowerLeg.{}@knee<UpperLeg.{} LowerLeg.{}_end@ankle<LowerLeg.{} PoleTarget.{}@before<Bone",
        &[(B::Hips, "Body"), (B::Spine, "Hips"), (B::LeftFoot, "Foot.L"), (B::LeftHand, "Palm.L")],
    ),
    (
        "quaternius with a body as the root",
        DOTTED,
        "Body@ground Hips@hips<Body Abdomen@spine<Hips Torso@chest<Abdomen {arms} Palm.{}@wrist<LowerArm.{} UpperLeg.{}@thigh<Hips \
         LowerLeg.{}@knee<UpperLeg.{} Foot.{}@ankle<LowerLeg.{}",
        &[(B::Hips, "Hips"), (B::Spine, "Abdomen")],
    ),
    (
        "quaternius without hands",
        DOTTED,
        "Root@ground Hips@hips<Root Abdomen@spine<Hips Torso@chest<Abdomen {arms} UpperLeg.{}@thigh<Hips LowerLeg.{}@knee<UpperLeg.{} \
         Foot.{}@ankle<LowerLeg.{} LowerArm.{}_end@wrist<LowerArm.{}",
        &[(B::LeftUpperArm, "UpperArm.L"), (B::LeftHand, "LowerArm.L_end")],
    ),
    (
        "boxman",
        DOTTED,
        "root@ground butt_bone@hips<root body_IK@hips<butt_bone arm_upper.{}@arm<body_IK arm_lower.{}@elbow<arm_upper.{} body_lower@spine<body_IK \
         body_upper@chest<body_lower head@head<body_upper leg_upper.{}@thigh<butt_bone leg_lower.{}@knee<leg_upper.{}",
        &[(B::Hips, "butt_bone"), (B::Chest, "body_upper"), (B::LeftUpperArm, "arm_upper.L")],
    ),
    (
        "mhr",
        ["l", "r"],
        "root@hips c_spine0@spine<root c_spine1@chest<c_spine0 c_spine2@chest<c_spine1 c_spine3@upper<c_spine2 c_neck@neck<c_spine3 c_head@head<c_neck \
         {}_clavicle@collar<c_spine3 {}_uparm@arm<{}_clavicle {}_lowarm@elbow<{}_uparm {}_wrist_twist@wrist<{}_lowarm {}_wrist@wrist<{}_wrist_twist \
         {}_index1@knuckle<{}_wrist {}_upleg@thigh<root {}_lowleg@knee<{}_upleg {}_foot@ankle<{}_lowleg {}_talocrural@ankle<{}_foot \
         {}_subtalar@ankle<{}_talocrural {}_transversetarsal@ankle<{}_subtalar {}_ball@ball<{}_transversetarsal",
        &[(B::Hips, "root"), (B::Spine, "c_spine0"), (B::LeftHand, "l_wrist"), (B::RightToes, "r_ball")],
    ),
    (
        "libGDX knight",
        ["l", "r"],
        "body_ctrl@hips spine_1@spine<body_ctrl spine_2@chest<spine_1 spine_3@upper<spine_2 neck@neck<spine_3 skull@head<neck pelvis@hips<body_ctrl \
         thigh_{}@thigh<pelvis shin_{}@knee<thigh_{} foot_{}@ankle<shin_{} toes_{}@ball<foot_{} torso_ctrl@chest<body_ctrl \
         upper_arm_{}@arm<torso_ctrl lower_arm_{}@elbow<upper_arm_{} palm_{}@wrist<lower_arm_{} fingers_{}@knuckle<palm_{}",
        &[(B::Hips, "pelvis"), (B::Head, "skull"), (B::LeftHand, "palm_l"), (B::UpperChest, "spine_3")],
    ),
    (
        "arms below shoulders with the names of arms",
        ["Left", "Right"],
        "Hips@hips Chest@spine<Hips Chest2@chest<Chest Neck@neck<Chest2 Head@head<Neck {}Shoulder@collar<Chest2 {}UpArm@arm<{}Shoulder \
         {}LowArm@elbow<{}UpArm {}Hand@wrist<{}LowArm {}Hip@thigh<Hips {}Knee@knee<{}Hip {}Ankle@ankle<{}Knee {}Toe@ball<{}Ankle",
        &[
            (B::LeftShoulder, "LeftShoulder"),
            (B::LeftUpperArm, "LeftUpArm"),
            (B::RightUpperArm, "RightUpArm"),
        ],
    ),
];

fn figure(family: &Family) -> Scene {
    let (_, sides, joints, _) = family;
    skeleton(&joints.replace("{arms}", QUATERNIUS), *sides)
}

fn sample(name: &str) -> Opened {
    open(&workspace().join("samples").join(name), None, &ReadOptions::default()).unwrap()
}

fn onto(motion: &Opened, target: &Opened) -> Result<Conversion, Error> {
    let to = registry::by_id("glb").unwrap();
    let options = ConvertOptions { onto: Some(target), planted: Planted::Nothing, ..ConvertOptions::to(to) };
    convert(std::slice::from_ref(motion), &options)
}

/// Limbs of a result that are more than 1° off, trunks and feet more than their limits.
fn off(conversion: &Conversion) -> Vec<String> {
    let verdicts = &conversion.report.report.verdicts;
    let limit = |measure: &Measure| match measure.kind {
        MeasureKind::Arms | MeasureKind::FreeLegs | MeasureKind::StandingLegs => Some(1.0_f64.to_radians()),
        MeasureKind::Trunk | MeasureKind::Feet => Some(measure.kind.info().good),
        _ => None,
    };
    let angles = || verdicts.iter().flat_map(|verdict| &verdict.measures).filter(|one| limit(one).is_some());
    assert!(angles().count() >= 3 * verdicts.len() && !verdicts.is_empty(), "{verdicts:?}");
    let off = angles().filter(|measure| limit(measure).is_some_and(|limit| measure.value > limit));
    off.map(|measure| format!("{} {}", measure.bone, measure.amount())).collect()
}

#[test]
fn bones_of_every_family_are_found() {
    for family in FAMILIES {
        let (name, .., bones) = family;
        let scene = figure(family);
        let proposal = propose(&scene, &NameMap::default());
        assert!(proposal.humanoid.is_human() && !proposal.is_by_shape(), "{name}: {proposal:?}");
        assert_eq!(doubts(&scene, &proposal.humanoid), [""; 0], "{name}");
        for (bone, node) in *bones {
            let found = proposal.humanoid.bones.get(bone).map(|node| scene.nodes[node.0].name.as_str());
            assert_eq!(found, Some(*node), "{name}: {bone:?}");
        }
    }
}

#[test]
fn every_family_takes_a_motion_and_gives_its_motion_with_exact_limbs() {
    let (jump, character) = (sample("jump.bvh"), sample("character.glb"));
    FAMILIES.par_iter().for_each(|family| {
        let name = family.0;
        let target = body(name, &figure(family));
        let moved = onto(&jump, &target).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(off(&moved), [""; 0], "{name} as a body");
        let motion = read("motion.glb", &moved.output.main, &ReadOptions::default(), &mut |_| None).unwrap();
        let moved = onto(&motion, &character).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(off(&moved), [""; 0], "{name} as a motion");
    });
}

#[test]
fn a_missing_hand_costs_certainty_and_an_avatar_gets_it_at_the_end_of_the_arm() {
    let boxman = FAMILIES.iter().find(|family| family.0 == "boxman").unwrap();
    let scene = figure(boxman);
    let certainty = propose(&scene, &NameMap::default()).certainty;
    assert!((0.7..0.75).contains(&certainty), "{certainty}");
    let moved = onto(&sample("jump.bvh"), &body("boxman", &scene)).unwrap();
    let lost = "the motion of leftFoot, rightFoot";
    let is_told = |loss: &Loss| matches!(loss, Loss::Dropped { what, .. } if what == lost);
    assert!(moved.report.report.losses.iter().any(is_told), "{:?}", moved.report.report.losses);
    let motion = read("boxman.glb", &moved.output.main, &ReadOptions::default(), &mut |_| None).unwrap();
    let vrma = convert(&[motion], &ConvertOptions::to(registry::by_id("vrma").unwrap())).unwrap();
    let is_told = |loss: &Loss| matches!(loss, Loss::Kept { what } if what.contains("leftHand from the end of arm_lower.L"));
    assert!(vrma.report.report.losses.iter().any(is_told), "{:?}", vrma.report.report.losses);
    let written = read("a.vrma", &vrma.output.main, &ReadOptions::default(), &mut |_| None).unwrap();
    let scene =
        written.format().to_scene(&written.document, &Default::default(), &mut Default::default()).unwrap();
    assert_eq!(scene.humanoid.unwrap().missing(), []);
}

#[test]
fn a_figure_without_a_motion_is_refused_as_one_and_its_rest_pose_is_carried_alone() {
    let still = body("still", &figure(&FAMILIES[0]));
    let character = sample("character.glb");
    let refused = onto(&still, &character).map(|_| ()).unwrap_err().to_string();
    assert!(refused.contains("the file has no motion for"), "{refused}");
    let to = registry::by_id("glb").unwrap();
    let options = ConvertOptions { onto: Some(&character), motion_only: true, ..ConvertOptions::to(to) };
    assert!(convert(&[still], &options).is_ok());
}
