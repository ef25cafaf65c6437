//! Twist bones of a figure that takes the motion of another one.

use crate::skeleton::{PLAIN, Shape, figure, onto, with_motion};
use dopesheet_core::diag::Loss;
use dopesheet_core::model::{
    Channel, Clip, HumanBone as B, Humanoid, Law, Node, NodeIndex, Property, Scene, Target, TargetKind,
    Track, Transform,
};
use dopesheet_core::units::Seconds;
use dopesheet_motion::sample::pose::{decompose, local_pose, model_pose};
use dopesheet_testkit::curves::{FPS_30, frames, wide};
use glam::{DAffine3, DQuat, DVec3};

type Figure = (Scene, Humanoid);

const LIMBS: [[B; 2]; 8] = [
    [B::LeftUpperArm, B::LeftLowerArm],
    [B::LeftLowerArm, B::LeftHand],
    [B::RightUpperArm, B::RightLowerArm],
    [B::RightLowerArm, B::RightHand],
    [B::LeftUpperLeg, B::LeftLowerLeg],
    [B::LeftLowerLeg, B::LeftFoot],
    [B::RightUpperLeg, B::RightLowerLeg],
    [B::RightLowerLeg, B::RightFoot],
];

/// A twist bone at a part of the way to the end of each limb, beside it or in the chain; which nodes they are, by limb.
fn with_twist(shape: Shape, part: f64, in_chain: bool) -> (Figure, Vec<NodeIndex>) {
    let (plain, bones) = figure(shape);
    let (mut scene, mut humanoid) = (Scene { nodes: Vec::new(), ..plain.clone() }, bones.clone());
    let mut places: Vec<NodeIndex> = Vec::new();
    let mut twists = vec![NodeIndex(0); LIMBS.len()];
    for node in &plain.nodes {
        let mut own = node.clone();
        own.parent = node.parent.map(|parent| places[parent.0]);
        let index = NodeIndex(places.len());
        let limb = LIMBS.iter().position(|limb| bones.bones[&limb[1]] == index);
        if let Some(limb) = limb {
            let rest = DVec3::from(node.rest.translation);
            let name = format!("{}Twist1", LIMBS[limb][0].word());
            let at = Transform { translation: (rest * part).to_array(), ..Transform::IDENTITY };
            twists[limb] = scene.push_node(Node::new(name, own.parent, at));
            if in_chain {
                own.parent = Some(twists[limb]);
                own.rest.translation = (rest * (1.0 - part)).to_array();
            }
        }
        places.push(scene.push_node(own));
    }
    humanoid.bones.values_mut().for_each(|node| *node = places[node.0]);
    ((scene, humanoid), twists)
}

fn posed(scene: &Scene, time: f64) -> Vec<DAffine3> {
    model_pose(scene, &local_pose(scene, &scene.clips[0], Seconds(time))).0
}

fn rotation(own: &DAffine3) -> DQuat {
    DQuat::from_array(decompose(own).rotation)
}

#[test]
fn twist_bones_move_no_joint_and_turn_no_hand() {
    let source = with_motion(figure(PLAIN));
    let shape = Shape { axes: 0.9, arms: 0.5, size: 1.3, ..PLAIN };
    let (without, bones) = (onto(&source, &figure(shape)).0, figure(shape).1);
    for (part, in_chain) in [(0.5, false), (0.5, true), (0.2, false), (0.8, true)] {
        let (target, twists) = with_twist(shape, part, in_chain);
        let (made, report) = onto(&source, &target);
        let moved =
            |node: &NodeIndex| made.clips[0].tracks.iter().any(|track| track.target.node == Some(*node));
        assert!(twists.iter().all(moved), "{part} {in_chain}");
        for time in [0.0, 0.21, 0.5, 0.93, 1.0] {
            let (ours, theirs) = (posed(&made, time), posed(&without, time));
            for (bone, node) in &bones.bones {
                let (own, other) = (&ours[target.1.bones[bone].0], &theirs[node.0]);
                let off = own.translation.distance(other.translation);
                assert!(off < 2e-4, "{bone:?} of {part} {in_chain} at {time}: {off} m");
                if LIMBS.iter().all(|limb| limb[0] != *bone) {
                    let off = rotation(own).angle_between(rotation(other)).to_degrees();
                    assert!(off < 0.1, "{bone:?} of {part} {in_chain} at {time}: {off}°");
                }
            }
        }
        let said =
            |loss: &Loss| matches!(loss, Loss::Kept { what } if what.contains("shared with twist bones"));
        assert!(report.losses.iter().any(said), "{report:?}");
    }
}

/// A motion that turns one bone about the line of the left arm, by an angle in degrees.
fn turning(bone: B, degrees: f64) -> Figure {
    let (mut scene, humanoid) = figure(PLAIN);
    let turn = |share: f64| DQuat::from_rotation_x((degrees * share).to_radians()).to_array();
    let values: Vec<f32> = [turn(0.0), turn(1.0)].concat().into_iter().map(|x| x as f32).collect();
    let channel = Channel::whole(Property::Rotation, wide(frames(&[0, 30]), 4, &values, Law::SLERP));
    let node = humanoid.bones[&bone];
    let target = Target::new(TargetKind::Joint, scene.nodes[node.0].name.clone(), node.0, Some(node));
    let tracks = vec![Track { target, channels: vec![channel] }];
    scene.clips.push(Clip { duration: Seconds(1.0), tracks, grid: Some(FPS_30), ..Clip::default() });
    (scene, humanoid)
}

#[test]
fn a_twist_bone_has_the_share_of_the_twist_that_its_place_is() {
    // Limb, where its twist bone is, what turns in the source by 80°, and by how much the limb's own bone and the twist bone turn.
    for (limb, in_chain, part, bone, own, twist) in [
        (1, false, 0.25, B::LeftHand, 0.0, 20.0),
        (1, false, 0.25, B::LeftLowerArm, 0.0, 20.0),
        (1, true, 0.75, B::LeftLowerArm, 0.0, 60.0),
        (0, false, 0.25, B::LeftUpperArm, 80.0, 20.0),
        (0, true, 0.5, B::LeftUpperArm, 0.0, 40.0),
    ] {
        let (target, twists) = with_twist(PLAIN, part, in_chain);
        let (made, _) = onto(&turning(bone, 80.0), &target);
        let pose = posed(&made, 1.0);
        let about = |node: NodeIndex| {
            let turn = rotation(&pose[node.0]);
            (2.0 * turn.x.atan2(turn.w)).to_degrees()
        };
        let found = (about(target.1.bones[&LIMBS[limb][0]]), about(twists[limb]));
        let near = |a: f64, b: f64| (a - b).abs() < 0.2;
        assert!(near(found.0, own) && near(found.1, twist), "{bone:?} {part} {in_chain}: {found:?}");
        let hand = about(target.1.bones[&B::LeftHand]);
        assert!(near(hand, 80.0), "{bone:?}: the hand turns by {hand}°");
    }
}

#[test]
fn a_twist_bone_in_the_chain_has_all_of_the_twist_if_others_are_beside_it() {
    // As in models of MikuMikuDance: 左手捩 and 左手捩1.
    let (mut target, twists) = with_twist(PLAIN, 0.5, true);
    let (arm, twist) = (target.1.bones[&B::LeftLowerArm], twists[1]);
    let rest = DVec3::from(target.0.nodes[twist.0].rest.translation);
    let at = Transform { translation: (rest * 0.5).to_array(), ..Transform::IDENTITY };
    let beside = target.0.push_node(Node::new("左手捩1", Some(arm), at));
    let (made, _) = onto(&turning(B::LeftHand, 80.0), &target);
    let pose = posed(&made, 1.0);
    for (node, degrees) in [(arm, 0.0), (beside, 20.0), (twist, 80.0), (target.1.bones[&B::LeftHand], 80.0)] {
        let turn = rotation(&pose[node.0]);
        let found = (2.0 * turn.x.atan2(turn.w)).to_degrees();
        assert!((found - degrees).abs() < 0.2, "{}: {found}°", target.0.nodes[node.0].name);
    }
}

#[test]
fn a_limb_that_does_not_twist_keeps_its_keys() {
    let source = turning(B::Head, 40.0);
    let (target, twists) = with_twist(PLAIN, 0.5, false);
    let (made, report) = onto(&source, &target);
    let moved: Vec<NodeIndex> = made.clips[0].tracks.iter().filter_map(|track| track.target.node).collect();
    assert!(twists.iter().all(|node| !moved.contains(node)), "{moved:?}");
    assert!(!format!("{report:?}").contains("twist"), "{report:?}");
}

#[test]
fn a_twist_that_passes_half_a_turn_does_not_jump() {
    let (target, twists) = with_twist(PLAIN, 0.5, false);
    let (made, _) = onto(&turning(B::LeftHand, 179.0), &target);
    let (mut before, mut most) = (DQuat::IDENTITY, 0.0f64);
    for frame in 0..=240 {
        let own = rotation(&posed(&made, f64::from(frame) / 240.0)[twists[1].0]);
        most = most.max(own.angle_between(before).to_degrees());
        before = own;
    }
    assert!(most < 5.0, "{most}°");
}
