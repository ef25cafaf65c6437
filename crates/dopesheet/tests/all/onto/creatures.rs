//! Creatures and machines, which are refused, and figures in a bad state, of which it is told.
#![cfg(all(feature = "bvh", feature = "gltf", feature = "research"))]

use super::made::{body, skeleton};
use dopesheet::core::diag::Measure;
use dopesheet::core::format::NameMap;
use dopesheet::core::model::{
    Channel, Clip, HumanBone as B, Law, NodeIndex, Property, Scene, Target, TargetKind, Track,
};
use dopesheet::core::units::Seconds;
use dopesheet::human::{doubts, propose};
use dopesheet::{Conversion, ConvertOptions, Error, Opened, ReadOptions, convert, open, read, registry};
use dopesheet_testkit::curves::{frames, wide};
use dopesheet_testkit::workspace;
use rayon::prelude::*;

/// Name, words for the sides, joints, and words of the refusal.
type Creature = (&'static str, [&'static str; 2], &'static str, &'static str);

const DOTTED: [&str; 2] = ["L", "R"];
const WORDS: [&str; 2] = ["Left", "Right"];

const CREATURES: [Creature; 19] = [
    (
        "horse by Rigify",
        DOTTED,
        "DEF-spine@0,1.4,-0.6 DEF-spine.001@0,1.42,-0.3<DEF-spine DEF-spine.002@0,1.42,0<DEF-spine.001 DEF-spine.003@0,1.4,0.3<DEF-spine.002 \
         DEF-spine.004@0,1.6,0.6<DEF-spine.003 DEF-spine.005@0,1.8,0.8<DEF-spine.004 DEF-shoulder.{}@0.1,1.4,0.35<DEF-spine.003 \
         DEF-upper_arm.{}@0.15,1.1,0.5<DEF-shoulder.{} DEF-forearm.{}@0.15,0.9,0.35<DEF-upper_arm.{} DEF-hand.{}@0.15,0.2,0.35<DEF-forearm.{} \
         DEF-thigh.{}@0.15,1.3,-0.6<DEF-spine DEF-shin.{}@0.15,0.9,-0.5<DEF-thigh.{} DEF-foot.{}@0.15,0.2,-0.6<DEF-shin.{}",
        "an animal on four legs",
    ),
    (
        "cat by Rigify",
        DOTTED,
        "DEF-spine@0,0.3,-0.2 DEF-spine.001@0,0.3,0<DEF-spine DEF-spine.002@0,0.3,0.15<DEF-spine.001 DEF-spine.003@0,0.4,0.25<DEF-spine.002 \
         DEF-front_thigh.{}@0.05,0.3,0.15<DEF-spine.002 DEF-front_shin.{}@0.05,0.15,0.12<DEF-front_thigh.{} \
         DEF-front_foot.{}@0.05,0.02,0.15<DEF-front_shin.{} DEF-thigh.{}@0.05,0.3,-0.2<DEF-spine DEF-shin.{}@0.05,0.18,-0.15<DEF-thigh.{} \
         DEF-foot.{}@0.05,0.03,-0.2<DEF-shin.{}",
        "expected a human figure",
    ),
    (
        "raptor by names of Mixamo",
        WORDS,
        "Hips@0,1,0 Spine@0,1.05,0.3<Hips Spine1@0,1.1,0.6<Spine Neck@0,1.2,0.8<Spine1 Head@0,1.25,1.2<Neck {}Arm@0.15,1,0.6<Spine1 \
         {}ForeArm@0.15,0.8,0.55<{}Arm {}Hand@0.15,0.65,0.6<{}ForeArm {}UpLeg@0.15,0.95,0<Hips {}Leg@0.15,0.55,0.15<{}UpLeg \
         {}Foot@0.15,0.1,-0.05<{}Leg {}ToeBase@0.15,0,0.1<{}Foot Tail@0,1,-0.6<Hips",
        "the trunk lies across the legs",
    ),
    (
        "bird by Rigify",
        DOTTED,
        "DEF-spine@0,0.2,-0.05 DEF-spine.001@0,0.22,0.03<DEF-spine DEF-spine.002@0,0.24,0.1<DEF-spine.001 DEF-spine.003@0,0.26,0.16<DEF-spine.002 \
         DEF-upper_arm.{}@0.03,0.24,0.08<DEF-spine.002 DEF-forearm.{}@0.12,0.24,0.04<DEF-upper_arm.{} DEF-hand.{}@0.2,0.24,0.1<DEF-forearm.{} \
         DEF-thigh.{}@0.03,0.18,-0.04<DEF-spine DEF-shin.{}@0.03,0.12,0.01<DEF-thigh.{} DEF-foot.{}@0.03,0.05,-0.03<DEF-shin.{}",
        "the trunk lies across the legs",
    ),
    (
        "bat of Quaternius",
        DOTTED,
        "Bone@ground Body@0,1.4,0<Bone Head@0,1.9,0<Body UpperLeg.{}@0.1,1.3,0<Body LowerLeg.{}@0.1,1.1,0<UpperLeg.{} \
         Wing1.{}@0.2,1.7,0<Body Wing2.{}@0.8,1.9,0<Wing1.{} Wing3.{}@1.4,1.7,0<Wing2.{}",
        "expected a human figure",
    ),
    (
        "dragon",
        DOTTED,
        "Hips@0,1,0 Spine@0,1.1,0.5<Hips Neck@0,1.4,0.9<Spine Head@0,1.7,1.2<Neck Wing1.{}@0.2,1.3,0.4<Spine Wing2.{}@1.2,1.8,0.2<Wing1.{} \
         FrontLeg.{}@0.3,1,0.5<Spine FrontShin.{}@0.3,0.5,0.4<FrontLeg.{} FrontFoot.{}@0.3,0.05,0.5<FrontShin.{} UpperLeg.{}@0.3,0.9,0<Hips \
         LowerLeg.{}@0.3,0.5,0.1<UpperLeg.{} Foot.{}@0.3,0.05,0<LowerLeg.{} Tail1@0,0.9,-0.5<Hips Tail2@0,0.8,-1.2<Tail1",
        "expected a human figure",
    ),
    (
        "snake with a numbered spine",
        DOTTED,
        "spine@0,0.05,0 spine.001@0,0.05,0.2<spine spine.002@0,0.05,0.4<spine.001 spine.003@0,0.05,0.6<spine.002 spine.004@0,0.05,0.8<spine.003 \
         spine.005@0,0.05,1<spine.004 jaw@0,0.03,1.1<spine.005",
        "expected a human figure",
    ),
    (
        "fish",
        DOTTED,
        "Body@0,0.5,0 Spine@0,0.5,-0.2<Body Tail@0,0.5,-0.5<Spine Head@0,0.5,0.2<Body Fin.{}@0.1,0.45,0.1<Body FinTip.{}@0.3,0.4,0<Fin.{}",
        "expected a human figure",
    ),
    (
        "insect",
        DOTTED,
        "Hips@0,0.2,0 Head@0,0.2,0.3<Hips LegA1.{}@0.05,0.2,0.1<Hips LegA2.{}@0.25,0.35,0.2<LegA1.{} LegA3.{}@0.4,0,0.3<LegA2.{} \
         LegB1.{}@0.05,0.2,0<Hips LegB2.{}@0.3,0.35,0<LegB1.{} LegB3.{}@0.5,0,0<LegB2.{} LegC1.{}@0.05,0.2,-0.1<Hips \
         LegC2.{}@0.25,0.35,-0.2<LegC1.{} LegC3.{}@0.4,0,-0.3<LegC2.{}",
        "expected a human figure",
    ),
    (
        "octopus",
        DOTTED,
        "Body@0,0.6,0 Head@0,0.9,0<Body ArmA1.{}@0.1,0.5,0.1<Body ArmA2.{}@0.3,0.3,0.3<ArmA1.{} ArmA3.{}@0.5,0.05,0.5<ArmA2.{} \
         ArmB1.{}@0.12,0.5,0<Body ArmB2.{}@0.4,0.3,0<ArmB1.{} ArmB3.{}@0.7,0.05,0<ArmB2.{} ArmC1.{}@0.1,0.5,-0.1<Body \
         ArmC2.{}@0.3,0.3,-0.3<ArmC1.{} ArmC3.{}@0.5,0.05,-0.5<ArmC2.{}",
        "expected a human figure",
    ),
    (
        "centaur",
        DOTTED,
        "Hips@0,1.2,0 HorseSpine@0,1.2,-0.5<Hips HorseHips@0,1.2,-1<HorseSpine Tail@0,1.1,-1.3<HorseHips Spine@0,1.35,0<Hips Chest@0,1.6,0<Spine \
         Neck@0,1.8,0<Chest Head@0,1.9,0<Neck UpperArm.{}@0.2,1.75,0<Chest LowerArm.{}@0.45,1.75,0<UpperArm.{} Hand.{}@0.7,1.75,0<LowerArm.{} \
         FrontThigh.{}@0.15,1.1,0<Hips FrontShin.{}@0.15,0.6,0.05<FrontThigh.{} FrontHoof.{}@0.15,0.05,0<FrontShin.{} \
         RearThigh.{}@0.15,1.1,-1<HorseHips RearShin.{}@0.15,0.6,-0.95<RearThigh.{} RearHoof.{}@0.15,0.05,-1<RearShin.{}",
        "expected a human figure",
    ),
    (
        "plant",
        DOTTED,
        "Root@ground Stem@0,0.4,0<Root Stem1@0,0.8,0<Stem Leaf.{}@0.1,0.8,0<Stem1 LeafTip.{}@0.5,1,0<Leaf.{} Twig.{}@0.1,0.4,0<Stem \
         TwigTip.{}@0.4,0.6,0<Twig.{} Flower@0,1.2,0<Stem1",
        "expected a human figure",
    ),
    (
        "car",
        DOTTED,
        "Body@0,0.6,0 WheelFront.{}@0.8,0.3,1.2<Body WheelRear.{}@0.8,0.3,-1.2<Body Door.{}@0.9,0.8,0.2<Body Hood@0,0.9,1<Body",
        "expected a human figure",
    ),
    (
        "robot arm",
        DOTTED,
        "Base@ground Shoulder@0,0.3,0<Base UpperArm@0,0.9,0<Shoulder LowerArm@0.5,1,0<UpperArm Hand@0.7,1,0<LowerArm Finger.{}@0.75,1,0.03<Hand \
         FingerTip.{}@0.8,1,0.03<Finger.{}",
        "expected a human figure",
    ),
    (
        "crane",
        DOTTED,
        "Base@ground Tower@0,20,0<Base Cab@0,21,0<Tower Boom@0,22,5<Cab Boom1@0,22,20<Boom Trolley@0,21,15<Boom Hook@0,5,15<Trolley Ballast@0,22,-8<Cab",
        "expected a human figure",
    ),
    (
        "hand alone",
        DOTTED,
        "forearm.L@0,1,0 hand.L@0,1.25,0<forearm.L thumb.01.L@0.03,1.28,0<hand.L thumb.02.L@0.06,1.31,0<thumb.01.L f_index.01.L@0.02,1.35,0<hand.L \
         f_index.02.L@0.02,1.39,0<f_index.01.L f_middle.01.L@0,1.35,0<hand.L f_middle.02.L@0,1.4,0<f_middle.01.L",
        "expected a human figure",
    ),
    (
        "bust",
        WORDS,
        "Spine@spine Spine1@chest<Spine Neck@neck<Spine1 Head@head<Neck {}Shoulder@collar<Spine1 {}Arm@arm<{}Shoulder {}ForeArm@elbow<{}Arm \
         {}Hand@wrist<{}ForeArm",
        "found no node for hips, leftUpperLeg",
    ),
    (
        "legs alone",
        WORDS,
        "Hips@hips {}UpLeg@thigh<Hips {}Leg@knee<{}UpLeg {}Foot@ankle<{}Leg {}ToeBase@ball<{}Foot",
        "expected a human figure",
    ),
    (
        "person with one leg",
        WORDS,
        "Hips@hips Spine@spine<Hips Spine1@chest<Spine Neck@neck<Spine1 Head@head<Neck {}Arm@arm<Spine1 {}ForeArm@elbow<{}Arm \
         {}Hand@wrist<{}ForeArm LeftUpLeg@thigh<Hips LeftLeg@knee<LeftUpLeg LeftFoot@ankle<LeftLeg",
        "found no node for rightUpperLeg, rightLowerLeg, rightFoot",
    ),
];

const PERSON: &str = "Hips@hips Spine@spine<Hips Spine1@chest<Spine Neck@neck<Spine1 Head@head<Neck {}Arm@arm<Spine1 {}ForeArm@elbow<{}Arm \
    {}Hand@wrist<{}ForeArm {}UpLeg@thigh<Hips {}Leg@knee<{}UpLeg {}Foot@ankle<{}Leg {}ToeBase@ball<{}Foot ";

fn sample(name: &str) -> Opened {
    open(&workspace().join("samples").join(name), None, &ReadOptions::default()).unwrap()
}

fn onto(motion: &Opened, target: &Opened) -> Result<Conversion, Error> {
    let to = registry::by_id("glb").unwrap();
    convert(std::slice::from_ref(motion), &ConvertOptions { onto: Some(target), ..ConvertOptions::to(to) })
}

fn jump_onto(name: &str, scene: &Scene) -> Result<Conversion, Error> {
    onto(&sample("jump.bvh"), &body(name, scene))
}

fn warnings(conversion: &Conversion) -> Vec<&'static str> {
    conversion.report.report.findings.iter().map(|finding| finding.fault.code).collect()
}

#[test]
fn creatures_and_machines_are_refused_with_a_message() {
    CREATURES.par_iter().for_each(|(name, sides, joints, words)| {
        let refused = jump_onto(name, &skeleton(joints, *sides)).map(|_| ()).unwrap_err().to_string();
        assert!(refused.contains(words), "{name}: {refused}");
    });
}

#[cfg(feature = "mmd")]
#[test]
fn a_creature_gives_no_keys_to_a_model_of_mikumikudance() {
    let to = |format| ConvertOptions::to(registry::by_id(format).unwrap());
    let joints = "Hips@0,0.9,0 Spine@0,0.9,0.4<Hips Neck@0,0.95,0.6<Spine Head@0,1,0.8<Neck {}Arm@0.1,0.9,0.55<Spine \
        {}ForeArm@0.1,0.45,0.55<{}Arm {}Hand@0.1,0.05,0.55<{}ForeArm {}UpLeg@0.1,0.88,0<Hips {}Leg@0.1,0.45,0.02<{}UpLeg \
        {}Foot@0.1,0.05,0<{}Leg {}ToeBase@0.1,0.01,0.1<{}Foot";
    let mut scene = skeleton(joints, WORDS);
    let turns = wide(frames(&[0, 30]), 4, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.1, 0.0, 0.995], Law::SLERP);
    let target = Target::new(TargetKind::Joint, "Hips", 0, Some(NodeIndex(0)));
    let track = Track { target, channels: vec![Channel::whole(Property::Rotation, turns)] };
    scene.clips = vec![Clip { tracks: vec![track], duration: Seconds(1.0), ..Clip::default() }];
    let (moving, puppet) = (body("horse", &scene), dopesheet::puppet::standard_model().unwrap());
    let options = ConvertOptions { onto: Some(&puppet), ..to("vmd") };
    let refused = convert(&[moving], &options).map(|_| ()).unwrap_err().to_string();
    assert!(refused.contains("an animal on four legs"), "{refused}");
}

#[test]
fn a_figure_of_any_size_takes_a_motion() {
    for scale in [0.01, 100.0] {
        let mut scene = skeleton(PERSON, WORDS);
        for node in &mut scene.nodes {
            node.rest.translation = node.rest.translation.map(|x| x * scale);
        }
        let moved = jump_onto("scaled", &scene).unwrap();
        let [verdict] = moved.report.report.verdicts.as_slice() else { panic!("{scale}") };
        let is_angle = |measure: &&Measure| measure.kind.info().unit == "rad";
        assert_eq!(verdict.complaints().into_iter().find(is_angle), None, "{scale}: {verdict:?}");
    }
}

#[test]
fn joints_in_one_point_are_refused() {
    let mut scene = skeleton(PERSON, WORDS);
    for node in &mut scene.nodes {
        node.rest.translation = [0.0; 3];
    }
    let refused = jump_onto("point", &scene).map(|_| ()).unwrap_err().to_string();
    assert!(refused.contains("all limbs without a length"), "{refused}");
}

#[test]
fn rest_positions_that_are_no_numbers_are_told() {
    let mut scene = skeleton(PERSON, WORDS);
    let knee = scene.nodes.iter().position(|node| node.name == "LeftLeg").unwrap();
    scene.nodes[knee].rest.translation[1] = f64::NAN;
    let phrases = doubts(&scene, &propose(&scene, &NameMap::default()).humanoid).join(", ");
    assert!(phrases.contains("leftLowerLeg (LeftLeg) rests at no position"), "{phrases}");
}

#[test]
fn a_limb_that_branches_twice_has_no_hand_that_is_guessed() {
    let claws = PERSON.replace("{}Hand@wrist<{}ForeArm ", "")
        + "{}ClawA@wrist<{}ForeArm {}ClawB@wrist<{}ForeArm {}ClawA1@knuckle<{}ClawA \
        {}ClawA2@fingertip<{}ClawA";
    let scene = skeleton(&claws, WORDS);
    let hand = propose(&scene, &NameMap::default()).humanoid.bones.get(&B::LeftHand).copied();
    assert_eq!(hand, None);
    let moved = jump_onto("claws", &scene).unwrap();
    let judged = &moved.report.report.verdicts[0];
    assert!(judged.complaints().iter().all(|measure| measure.kind.info().unit != "rad"), "{judged}");
}

#[test]
fn a_person_with_two_heads_is_refused_or_told() {
    let heads = PERSON
        .replace("Neck@neck<Spine1 Head@head<Neck ", "Neck{}@0.1,1.47,0<Spine1 Head{}@0.12,1.57,0<Neck{} ");
    match jump_onto("heads", &skeleton(&heads, WORDS)) {
        Ok(moved) => assert!(warnings(&moved).contains(&"figure-by-shape"), "{:?}", warnings(&moved)),
        Err(refused) => assert!(refused.to_string().contains("expected a human figure"), "{refused}"),
    }
}

#[test]
fn the_map_of_a_refusal_is_taken_when_it_is_given_back() {
    let swapped = PERSON
        .replace("@thigh", "@-0.09,0.92,0")
        .replace("@knee", "@-0.09,0.49,0.01")
        .replace("@ankle", "@-0.09,0.08,-0.02");
    let swapped = swapped.replace("@ball", "@-0.09,0.02,0.11");
    let unnamed = PERSON.replace("UpLeg", "Limb").replace("Leg", "Limb2").replace("Foot", "Limb3");
    // Shins half as long as thighs are doubtful.
    let unnamed = unnamed.replace("Limb3@ankle", "Limb3@0.09,0.25,0").replace("{}ToeBase@ball<{}Limb3", "");
    let bodies = [&swapped, &unnamed].map(|joints| body("target", &skeleton(joints, WORDS)));
    let text = std::fs::read_to_string(workspace().join("samples/jump.bvh")).unwrap();
    let text = text.replace("Left", "@").replace("Right", "Left").replace('@', "Right");
    let motion = read("motion.bvh", text.as_bytes(), &ReadOptions::default(), &mut |_| None).unwrap();
    let pairs = bodies.into_iter().map(|body| (sample("jump.bvh"), body));
    for (motion, target) in pairs.chain([(motion, sample("character.glb"))]) {
        let refused = onto(&motion, &target).map(|_| ()).unwrap_err().to_string();
        let map = refused.split_once("edit this map and give it: ").unwrap_or_else(|| panic!("{refused}")).1;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.json");
        std::fs::write(&path, map).unwrap();
        let names = dopesheet::names::read_names(&path).unwrap();
        let to = registry::by_id("glb").unwrap();
        let options = ConvertOptions { onto: Some(&target), names, ..ConvertOptions::to(to) };
        let taken = convert(&[motion], &options);
        assert!(taken.is_ok(), "{refused}: {:?}", taken.map(|_| ()));
    }
}
