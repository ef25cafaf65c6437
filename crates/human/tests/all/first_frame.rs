//! First frames that hold the rest pose: they are neither stands nor judged.

use crate::bodies::{moved, moving};
use crate::planted::{ACTOR, Figure};
use dopesheet_core::model::HumanBone as B;
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_human::{ContactLimits, contacts, motion_start, verdict};
use dopesheet_testkit::curves::FPS_30;

fn start((scene, humanoid): &Figure, grid: Option<FrameRate>) -> Seconds {
    motion_start(dopesheet_human::Figure { scene, humanoid }, &scene.clips[0], grid)
}

/// A figure whose left arm is turned by some angles, and then by one degree more on each of 20 frames.
fn arm(degrees: &[f64]) -> Figure {
    let last = degrees.last().copied().unwrap();
    let further = (1..=20).map(|n| last - f64::from(n));
    moved(ACTOR.figure(), B::LeftUpperArm, &degrees.iter().copied().chain(further).collect::<Vec<_>>())
}

#[test]
fn a_rest_pose_before_a_jump_is_no_part_of_the_motion() {
    let second = FPS_30.seconds(1.0);
    for degrees in [[0.0, -70.0], [-20.0, -60.0]] {
        assert_eq!(start(&arm(&degrees), None), second, "{degrees:?}");
    }
    // The second frame of the clip is between frames of a slower grid.
    let slow = FrameRate::from_fps(20.0).unwrap();
    assert_eq!(start(&arm(&[0.0, -70.0]), Some(slow)), slow.seconds(1.0));
    assert_eq!(start(&arm(&[0.0, -70.0]), Some(FPS_30)), second);
}

#[test]
fn a_motion_that_starts_gently_elsewhere_or_fast_is_motion_from_its_first_frame_on() {
    let ways: [&[f64]; 4] = [
        &[0.0, -3.0, -6.0],
        // In another pose than that of rest.
        &[-45.0, -100.0],
        // As fast behind the second frame.
        &[0.0, -40.0, -60.0, -90.0],
        // A small jump.
        &[0.0, -20.0],
    ];
    for degrees in ways {
        assert_eq!(start(&arm(degrees), None), Seconds(0.0), "{degrees:?}");
    }
    let short = moved(ACTOR.figure(), B::LeftUpperArm, &[0.0, -70.0, -70.0]);
    assert_eq!(start(&short, None), Seconds(0.0));
}

#[test]
fn a_first_frame_at_rest_is_not_judged_and_the_second_is() {
    let source = arm(&[0.0, -70.0]);
    let judged = |degrees: &[f64]| verdict(&moving(&source), &moving(&arm(degrees))).unwrap().to_string();
    assert!(judged(&[-90.0, -70.0]).starts_with("good"), "{}", judged(&[-90.0, -70.0]));
    assert!(judged(&[0.0, -70.0, -30.0]).contains("left upper arm"), "{}", judged(&[0.0, -70.0, -30.0]));
}

#[test]
fn feet_stand_from_the_second_frame_on() {
    let stands = |(scene, humanoid): &Figure| {
        contacts(scene, humanoid, &scene.clips[0], &ContactLimits::default()).unwrap().stands
    };
    for (figure, first) in [(arm(&[0.0, -70.0]), FPS_30.seconds(1.0)), (arm(&[0.0, -3.0]), Seconds(0.0))] {
        let all = stands(&figure);
        assert!(!all.is_empty() && all.iter().all(|stand| stand.start == first), "{all:?}");
    }
}
