//! A speed that changes on the way.

use crate::assert_says;
use crate::identities::{END, apply, curves, probes, scene, told, value};
use dopesheet_core::diag::Report;
use dopesheet_core::model::{Curve, Law, Laws, Scene, Times};
use dopesheet_core::times::TimeValue;
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_edit::{Operation, Pace, Reason, TimeMap};
use proptest::prelude::*;

fn bend(points: &[[f64; 2]]) -> Operation {
    let points =
        points.iter().map(|[from, to]| (TimeValue::Seconds(*from), TimeValue::Seconds(*to))).collect();
    Operation::Retime(Pace::Curve(TimeMap { points }).into())
}

fn times(scene: &Scene) -> &Times {
    &scene.clips[0].tracks[0].channels[0].composition.curves().next().unwrap().times
}

/// A scene of straight keys at whole seconds up to the end.
fn straight(values: [f32; 5], laws: Laws) -> Scene {
    scene(Curve::new(Times::Seconds([0.0, 1.0, 2.0, 3.0, END].into()), 1, values.to_vec(), laws))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(256)))]

    #[test]
    fn a_bent_curve_has_each_value_at_its_new_time(
        curve in curves(),
        knee in 0.5f64..3.5,
        [early, late] in [0.2f64..5.0, 0.2f64..5.0],
    ) {
        let whole = scene(curve);
        let mut bent = whole.clone();
        let told = told(&mut bent, &bend(&[[0.0, 1.0], [knee, 1.0 + early], [END, 1.0 + early + late]]));
        prop_assert!((bent.clips[0].duration.0 - (1.0 + early + late)).abs() < 1e-9);
        for time in probes(&whole) {
            let new = if time < knee { time * early / knee } else { early + (time - knee) * late / (END - knee) };
            let (a, b) = (value(&whole, time), value(&bent, 1.0 + new));
            prop_assert!((a - b).abs() <= told * 1.01 + 2e-5, "{time}: {a} and {b}, told {told}");
        }
    }
}

#[test]
fn outside_of_a_map_the_clip_is_as_fast_as_it_was() {
    let mut bent = straight([0.0, 1.0, 2.0, 3.0, 4.0], Laws::uniform(Law::LINEAR));
    apply(&mut bent, &bend(&[[1.0, 2.0], [2.0, 5.0]]));
    let found: Vec<f64> = times(&bent).iter().map(|time| time.0).collect();
    assert_eq!(found, [1.0, 2.0, 5.0, 6.0, 7.0]);
    assert_eq!(bent.clips[0].duration, Seconds(7.0));
}

#[test]
fn a_curve_gets_a_key_only_where_its_speed_changes() {
    let count = |scene: Scene, points: &[[f64; 2]]| {
        let mut bent = scene;
        apply(&mut bent, &bend(points));
        times(&bent).len()
    };
    let runs = || straight([0.0, 1.0, 3.0, 2.0, 4.0], Laws::uniform(Law::LINEAR));
    assert_eq!(count(runs(), &[[0.0, 0.0], [1.5, 3.0], [4.0, 5.0]]), 6);
    assert_eq!(count(runs(), &[[0.0, 0.0], [1.5, 3.0], [4.0, 8.0]]), 5, "the speed is even");
    let stands = straight([0.0, 1.0, 1.0, 2.0, 4.0], Laws::uniform(Law::LINEAR));
    assert_eq!(count(stands, &[[0.0, 0.0], [1.5, 3.0], [4.0, 5.0]]), 5, "nothing moves");
    let steps = straight([0.0, 1.0, 3.0, 2.0, 4.0], Laws::uniform(Law::STEP));
    assert_eq!(count(steps, &[[0.0, 0.0], [1.5, 3.0], [4.0, 5.0]]), 5, "it steps");
}

#[test]
fn keys_that_come_to_frames_are_frames() {
    let frames = Times::Frames { rate: FrameRate::FPS_30, frames: [0, 10, 20, 30].into() };
    let mut bent = scene(Curve::new(frames, 1, vec![0.0, 1.0, 2.0, 4.0], Laws::uniform(Law::LINEAR)));
    bent.clips[0].grid = Some(FrameRate::FPS_30);
    let frame = TimeValue::Frames;
    let points = vec![(frame(0.0), frame(0.0)), (frame(10.0), frame(25.0)), (frame(30.0), frame(35.0))];
    let map = |points| Operation::Retime(Pace::Curve(TimeMap { points }).into());
    let between = map(vec![(frame(0.0), frame(0.0)), (frame(9.5), frame(20.0))]);
    let refused = between.apply(&mut bent.clone(), 0, &mut Report::default()).unwrap_err().reason;
    assert!(matches!(refused, Reason::OffGrid { .. }), "{refused}");
    apply(&mut bent, &map(points));
    assert_eq!(*times(&bent), Times::Frames { rate: FrameRate::FPS_30, frames: [0, 25, 30, 35].into() });
}

#[test]
fn a_map_that_goes_back_or_has_one_point_is_refused() {
    let refused = |points: &[[f64; 2]]| {
        let mut scene = straight([0.0; 5], Laws::uniform(Law::LINEAR));
        bend(points).apply(&mut scene, 0, &mut Report::default()).unwrap_err().reason
    };
    assert_says(&refused(&[[0.0, 0.0], [1.0, 2.0], [2.0, 1.5]]), "found that point 3 is not");
    assert_says(&refused(&[[0.0, 0.0], [0.0, 1.0]]), "found that point 2 is not");
    assert_says(&refused(&[[0.0, 0.0]]), "expected at least two points, found 1 point");
    assert_says(&refused(&[[0.0, f64::NAN], [1.0, 2.0]]), "found NaN");
}

#[test]
fn channels_that_have_their_keys_together_keep_them_together() {
    let mut bent = straight([0.0, 1.0, 1.0, 2.0, 4.0], Laws::uniform(Law::LINEAR));
    let still = straight([7.0; 5], Laws::uniform(Law::LINEAR));
    let still = still.clips[0].tracks[0].channels[0].clone();
    bent.clips[0].tracks[0].channels.push(still);
    apply(&mut bent, &bend(&[[0.0, 0.0], [1.5, 3.0], [2.5, 4.0], [4.0, 8.0]]));
    let counts =
        bent.clips[0].tracks[0].channels.iter().map(|own| own.composition.curves().next().unwrap().len());
    assert_eq!(counts.collect::<Vec<_>>(), [6, 6]);
}
