//! The ground of a motion that another figure takes: zero, the lowest stands, or none.

use crate::bodies::{moved, place};
use crate::planted::{ACTOR, Figure, SHORT_SHINS};
use dopesheet_core::diag::Report;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{Channel, HumanBone as B, Law, Property, RestPose, Target, TargetKind, Track};
use dopesheet_human::{Carry, CarryOptions, Floor, carry};
use dopesheet_testkit::curves::{frames, wide};

/// Height of the ball of a foot on the ground.
const BALL_M: f64 = 0.02;

/// A standing figure whose hips are moved by a vector on each of 31 frames.
fn standing(by: impl Fn(i64) -> [f64; 2]) -> Figure {
    let (mut scene, humanoid) = moved(ACTOR.figure(), B::LeftUpperArm, &[0.0; 31]);
    let hips = humanoid.bones[&B::Hips];
    let [x, y, z] = scene.nodes[hips.0].rest.translation;
    let numbers: Vec<i64> = (0..=30).collect();
    let places = numbers.iter().flat_map(|n| {
        let [up, on] = by(*n);
        [x, y + up, z + on].map(|x| x as f32)
    });
    let curve = wide(frames(&numbers), 3, &places.collect::<Vec<_>>(), Law::LINEAR);
    let target = Target::new(TargetKind::Joint, "hips", hips.0, Some(hips));
    let channels = vec![Channel::whole(Property::Translation, curve)];
    scene.clips[0].tracks.push(Track { target, channels });
    (scene, humanoid)
}

/// A figure with shorter shins that took a motion, and the words of the report.
fn taken((scene, humanoid): &Figure, floor: Floor) -> (Figure, String) {
    let (taker, bones) = SHORT_SHINS.figure();
    let [from, to] = [(scene, humanoid), (&taker, &bones)]
        .map(|(scene, humanoid)| dopesheet_human::Figure { scene, humanoid });
    let names = NameMap::default();
    let options = CarryOptions { floor, ..CarryOptions::new(&names) };
    let mut report = Report::default();
    let carried = carry(&Carry { from, to: Some(to), goals: None }, &options, &mut report).unwrap();
    ((carried.scene, bones), format!("{:?}", report.losses))
}

fn ball(source: &Figure, floor: Floor, time: f64) -> f64 {
    place(&taken(source, floor).0, B::LeftToes, time).y
}

#[test]
fn feet_below_zero_stand_on_the_floor_though_no_rest_height_explains_them() {
    for depth in [-0.08, -0.15, -0.6] {
        let sunk = standing(|_| [depth, 0.0]);
        for floor in [Floor::Weighed, Floor::Stands] {
            let (figure, told) = taken(&sunk, floor);
            let toes = place(&figure, B::LeftToes, 0.5).y;
            assert!((toes - BALL_M).abs() < 1e-3, "{depth} {floor:?}: {toes}");
            assert!(told.contains("below the file's zero"), "{told}");
        }
        let (figure, told) = taken(&sunk, Floor::Origin);
        let toes = place(&figure, B::LeftToes, 0.5).y;
        assert!(toes < BALL_M + 0.8 * depth && !told.contains("the file's zero"), "{depth}: {toes} {told}");
    }
}

#[test]
fn a_run_below_zero_is_on_the_floor_though_no_foot_stands() {
    let run = standing(|n| [-0.5, 0.1 * n as f64]);
    let toes = ball(&run, Floor::Weighed, 0.5);
    assert!((toes - BALL_M).abs() < 1e-3, "{toes}");
}

#[test]
fn a_stage_above_zero_stays_unless_its_stands_are_the_floor() {
    let stage = standing(|_| [0.5, 0.0]);
    let heights = [Floor::Weighed, Floor::Origin, Floor::Stands].map(|floor| ball(&stage, floor, 0.5));
    assert!(heights[0] > 0.4 && heights[0] == heights[1], "{heights:?}");
    assert!((heights[2] - BALL_M).abs() < 1e-3, "{heights:?}");
    // The height of hips tells nothing of a body whose legs may be longer or shorter.
    let (mut scene, humanoid) = stage;
    scene.rest = RestPose::Ordinary;
    let toes = ball(&(scene, humanoid), Floor::Weighed, 0.5);
    assert!((toes - BALL_M).abs() < 1e-3, "{toes}");
}

#[test]
fn stairs_down_from_zero_start_at_zero_unless_the_lowest_stands_are_the_floor() {
    let stairs = standing(|n| [if n < 15 { 0.0 } else { -0.4 }, 0.0]);
    let start = ball(&stairs, Floor::Weighed, 0.2);
    assert!((start - BALL_M).abs() < 1e-3, "{start}");
    let [start, end] = [0.2, 0.8].map(|time| ball(&stairs, Floor::Stands, time));
    assert!(start > 0.3 && (end - BALL_M).abs() < 1e-3, "{start} {end}");
}

#[test]
fn hips_without_a_floor_are_as_high_as_in_the_source_scaled() {
    let hips = |depth: f64, floor| {
        let source = standing(|_| [depth, 0.0]);
        (place(&source, B::Hips, 0.5).y, place(&taken(&source, floor).0, B::Hips, 0.5).y)
    };
    let ((high, kept_high), (low, kept_low)) = (hips(0.0, Floor::Keep), hips(-0.3, Floor::Keep));
    let ratio = (kept_high - kept_low) / (high - low);
    assert!((kept_high - ratio * high).abs() < 1e-4, "{kept_high} {high} {ratio}");
    assert!(ratio < 0.95 && (hips(0.0, Floor::Origin).1 - kept_high).abs() > 0.005, "{ratio}");
}
