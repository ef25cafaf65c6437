//! Times at which feet stand.

use dopesheet_core::format::NameMap;
use dopesheet_core::model::{
    Basis, Channel, Clip, Curve, HumanBone as B, Law, Laws, Node, NodeIndex, Property, Scene, Target,
    TargetKind, Times, Track, Transform,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_human::{ContactLimits, Contacts, contacts, propose};
use dopesheet_testkit::curves::FPS_30;
use proptest::prelude::*;

const FPS_120: f64 = 120.0;
const FRAMES: i64 = 241;

/// Name, parent and offset in metres of a figure whose legs are 0.8 m long.
const FIGURE: &[(&str, usize, [f64; 3])] = &[
    ("Hips", 0, [0.0, 0.9, 0.0]),
    ("LeftUpLeg", 0, [0.1, 0.0, 0.0]),
    ("LeftLeg", 1, [0.0, -0.4, 0.0]),
    ("LeftFoot", 2, [0.0, -0.4, 0.0]),
    ("RightUpLeg", 0, [-0.1, 0.0, 0.0]),
    ("RightLeg", 4, [0.0, -0.4, 0.0]),
    ("RightFoot", 5, [0.0, -0.4, 0.0]),
    ("Spine", 0, [0.0, 0.1, 0.0]),
    ("Head", 7, [0.0, 0.5, 0.0]),
    ("LeftArm", 7, [0.2, 0.4, 0.0]),
    ("LeftForeArm", 9, [0.3, 0.0, 0.0]),
    ("LeftHand", 10, [0.3, 0.0, 0.0]),
    ("RightArm", 7, [-0.2, 0.4, 0.0]),
    ("RightForeArm", 12, [-0.3, 0.0, 0.0]),
    ("RightHand", 13, [-0.3, 0.0, 0.0]),
];
const LEFT_FOOT: usize = 3;
/// Place of the left knee, from which the foot is moved.
const KNEE: [f64; 3] = [0.1, 0.5, 0.0];

/// A figure whose left foot is at given places in the scene, 120 a second. `size` scales all of it, and the ground is at `ground`.
fn figure(size: f64, ground: f64, foot: impl Fn(f64) -> [f64; 3]) -> Scene {
    let mut scene = Scene::new(Basis::GLTF);
    for (at, (name, parent, offset)) in FIGURE.iter().enumerate() {
        let mut translation = offset.map(|x| x * size);
        translation[1] += if at == 0 { ground } else { 0.0 };
        let rest = Transform { translation, ..Transform::IDENTITY };
        scene.push_node(Node::new(*name, (at > 0).then_some(NodeIndex(*parent)), rest));
    }
    let rate = FrameRate::from_fps(FPS_120).unwrap();
    let values = (0..FRAMES).flat_map(|frame| {
        let place = foot(frame as f64 / FPS_120);
        std::array::from_fn::<f32, 3, _>(|axis| (size * (place[axis] - KNEE[axis])) as f32)
    });
    let times = Times::Frames { rate, frames: (0..FRAMES).collect() };
    let curve = Curve::new(times, 3, values.collect(), Laws::uniform(Law::LINEAR));
    let target = Target::new(TargetKind::Joint, "LeftFoot", LEFT_FOOT, Some(NodeIndex(LEFT_FOOT)));
    let track = Track { target, channels: vec![Channel::whole(Property::Translation, curve)] };
    let duration = rate.seconds((FRAMES - 1) as f64);
    scene.clips.push(Clip { duration, tracks: vec![track], grid: Some(rate), ..Clip::default() });
    scene
}

fn found(scene: &Scene) -> Contacts {
    let humanoid = propose(scene, &NameMap::default()).humanoid;
    contacts(scene, &humanoid, &scene.clips[0], &ContactLimits::default()).expect("legs")
}

fn spans(contacts: &Contacts, bone: B) -> Vec<(f64, f64)> {
    contacts.of(bone).map(|stand| (stand.start.0, stand.end.0)).collect()
}

const STEP: (f64, f64) = (0.8, 1.2);

/// Stands until 0.8 s, steps forward by 0.6 m, and stands from 1.2 s on.
fn step(time: f64) -> [f64; 3] {
    let share = ((time - STEP.0) / (STEP.1 - STEP.0)).clamp(0.0, 1.0);
    [0.1, 0.1 + 0.2 * (std::f64::consts::PI * share).sin(), 0.6 * share]
}

fn is_near(found: &[(f64, f64)], expected: &[(f64, f64)], slack: f64) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= slack;
    found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| near(a.0, b.0) && near(a.1, b.1))
}

#[test]
fn a_step_has_a_stand_before_and_one_behind_it() {
    let contacts = found(&figure(1.0, 0.0, step));
    let expected = [(0.0, STEP.0), (STEP.1, 2.0)];
    assert!(is_near(&spans(&contacts, B::LeftFoot), &expected, 1.01 / FPS_120), "{contacts:?}");
    assert_eq!(spans(&contacts, B::RightFoot), [(0.0, 2.0)]);
    assert_eq!(spans(&contacts, B::LeftHand), []);
    assert!(contacts.stands(B::LeftFoot, Seconds(0.5)) && !contacts.stands(B::LeftFoot, Seconds(1.0)));
    assert!((contacts.leg - 0.8).abs() < 1e-12);
}

#[test]
fn a_foot_that_slides_on_the_ground_does_not_stand() {
    let contacts = found(&figure(1.0, 0.0, |time| [0.1, 0.1, 1.0 * time]));
    assert_eq!(spans(&contacts, B::LeftFoot), []);
}

#[test]
fn a_foot_about_one_limit_does_not_come_and_go() {
    // 4 cm is the height at which a stand starts; it ends above 6.4 cm.
    let trembling =
        |time: f64| [0.1, 0.1 + if time < 0.2 { 0.0 } else { 0.04 + 0.01 * (3.0 * time).sin() }, 0.0];
    let contacts = found(&figure(1.0, 0.0, trembling));
    assert_eq!(spans(&contacts, B::LeftFoot).len(), 1, "{contacts:?}");
    let limits = ContactLimits { height: [0.05, 0.05], ..ContactLimits::default() };
    let scene = figure(1.0, 0.0, trembling);
    let humanoid = propose(&scene, &NameMap::default()).humanoid;
    let without = contacts_of(&scene, &humanoid, &limits);
    assert!(spans(&without, B::LeftFoot).len() > 1, "{without:?}");
}

fn contacts_of(
    scene: &Scene,
    humanoid: &dopesheet_core::model::Humanoid,
    limits: &ContactLimits,
) -> Contacts {
    contacts(scene, humanoid, &scene.clips[0], limits).expect("legs")
}

/// The figure with both feet where they are at rest and its left hand at given places in the scene.
fn with_hand(size: f64, hand: impl Fn(f64) -> [f64; 3]) -> Scene {
    const LEFT_HAND: usize = 11;
    /// Place of the left elbow, from which the hand is moved.
    const ELBOW: [f64; 3] = [0.5, 1.4, 0.0];
    let mut scene = figure(size, 0.0, |time| {
        let hand = hand(time);
        std::array::from_fn(|axis| KNEE[axis] + hand[axis] - ELBOW[axis])
    });
    let track = &mut scene.clips[0].tracks[0];
    track.target = Target::new(TargetKind::Joint, "LeftHand", LEFT_HAND, Some(NodeIndex(LEFT_HAND)));
    scene
}

/// Falls on its left hand, leans on it from 0.5 s to 1.5 s, and gets up.
fn lean(time: f64) -> [f64; 3] {
    let away = (0.5 - time).max(time - 1.5).max(0.0);
    [0.8, 0.12 + 2.0 * away, 0.3]
}

#[test]
fn a_hand_that_is_leant_on_stands_as_long() {
    for size in [1.0, 0.1, 12.0] {
        let contacts = found(&with_hand(size, lean));
        // 2 cm and 30 ms more on either side: a stand ends where the wrist is higher than that of an ankle and 8 % of the leg.
        assert!(is_near(&spans(&contacts, B::LeftHand), &[(0.5, 1.5)], 0.04), "{contacts:?}");
        assert_eq!(spans(&contacts, B::RightHand), []);
        assert_eq!(spans(&contacts, B::LeftFoot), [(0.0, 2.0)]);
    }
}

#[test]
fn a_hand_that_rests_above_the_ground_or_wipes_it_does_not_stand() {
    for hand in [|_| [0.8, 0.5, 0.3], |time: f64| [0.8, 0.1, time]] {
        let contacts = found(&with_hand(1.0, hand));
        assert_eq!(spans(&contacts, B::LeftHand), []);
        assert_eq!(spans(&contacts, B::RightFoot), [(0.0, 2.0)]);
    }
}

#[test]
fn what_has_no_legs_has_no_contacts() {
    let mut scene = figure(1.0, 0.0, step);
    for node in &mut scene.nodes {
        node.name = node.name.replace("Leg", "Wheel");
    }
    let humanoid = propose(&scene, &NameMap::default()).humanoid;
    assert_eq!(contacts(&scene, &humanoid, &scene.clips[0], &ContactLimits::default()), None);
}

#[test]
fn a_clip_of_one_pose_is_no_fault() {
    let mut scene = figure(1.0, 0.0, step);
    scene.clips[0] = Clip { grid: Some(FPS_30), ..Clip::default() };
    assert_eq!(found(&scene).stands, []);
}

proptest! {
    #[test]
    fn stands_do_not_depend_on_size_ground_and_a_millimetre_of_jitter(
        size in 0.01f64..100.0,
        ground in -5.0f64..5.0,
        jitter in prop::collection::vec(-0.001f64..0.001, FRAMES as usize * 3),
    ) {
        let plain = found(&figure(1.0, 0.0, step));
        let shaken = |time: f64| {
            let frame = (time * FPS_120).round() as usize;
            let place = step(time);
            std::array::from_fn(|axis| place[axis] + jitter[frame * 3 + axis])
        };
        let moved = found(&figure(size, ground, step));
        prop_assert_eq!(spans(&moved, B::LeftFoot), spans(&plain, B::LeftFoot));
        let shaken = found(&figure(size, ground, shaken));
        prop_assert!(
            is_near(&spans(&shaken, B::LeftFoot), &spans(&plain, B::LeftFoot), 3.0 / FPS_120),
            "{:?}", shaken
        );
    }
}
