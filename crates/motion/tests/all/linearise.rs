//! Any channel as straight segments.

use crate::kit;
use crate::kit::*;
use dopesheet_core::format::MostFrames;
use dopesheet_core::model::{
    Blend, Channel, Composition, Curve, JumpSide, Law, Laws, Outside, Property, Times, Timing, ValueKind,
};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_motion::keys::{Allowance, KeyPlan, Linearised, SharedTimes, linearise};
use dopesheet_motion::{Side, channel_at};
use proptest::prelude::*;

fn plan(end: f64) -> KeyPlan {
    KeyPlan { range: (Seconds(0.0), Seconds(end)), rate: FPS_30, only_on_grid: false, every_frame: false }
}

fn on_grid(end: f64) -> KeyPlan {
    KeyPlan { only_on_grid: true, ..plan(end) }
}

fn every_frame(end: f64) -> KeyPlan {
    KeyPlan { every_frame: true, ..plan(end) }
}

fn straight(channel: &Channel, plan: &KeyPlan) -> Linearised {
    linearise(channel, plan, None, &mut SharedTimes::default()).expect("keys")
}

/// The keys that a curve of width 1 becomes.
fn keys(curve: Curve, plan: &KeyPlan) -> Vec<(f64, f32)> {
    let made = straight(&weight(curve), plan);
    let curve = only_curve(&made.channels[0]);
    times_of(curve).into_iter().zip(curve.values.iter().copied()).collect()
}

#[test]
fn a_channel_without_keys_is_none() {
    let none = weight(line(&[], &[], Law::LINEAR));
    assert!(linearise(&none, &plan(1.0), None, &mut SharedTimes::default()).is_none());
}

#[test]
fn straight_segments_keep_their_authored_keys_and_no_others() {
    let curve = line(&[0.0, 0.123, 1.9], &[1.0, 5.0, 2.0], Law::LINEAR);
    assert_eq!(keys(curve, &plan(3.0)), [(0.0, 1.0), (0.123, 5.0), (1.9, 2.0)]);
    let held = line(&[0.5], &[1.0], eased(Blend::Lerp));
    assert_eq!(keys(held, &plan(3.0)), [(0.5, 1.0)]);
}

/// Beside a frame there is only the frame, and at the frame the seam of a loop still has its old value.
#[test]
fn a_seam_beside_a_frame_of_another_curves_grid_is_no_error_of_the_segments_around_it() {
    let timing = Timing::Bezier { x1: 0.0, y1: 0.039_370_08, x2: 0.102_362_21, y2: 0.0 };
    let laws = Laws::from_segments([Law { timing, blend: Blend::Lerp }, Law::STEP]);
    let values = vec![0.0, 7.652_080_5, -3.644_300_5];
    let repeated = Curve {
        after: Outside::Loop,
        jump: JumpSide::Before,
        ..Curve::new(seconds(&[-0.4, -1.0 / 3.0, -1.0 / 30.0]), 1, values, laws)
    };
    let on_frames = Curve::new(frames(&[0]), 1, vec![0.0], Laws::uniform(Law::STEP));
    let still = line(&[0.0], &[0.0], Law::STEP);
    let channel = composed(Property::Translation, Composition::Components(vec![on_frames, still, repeated]));
    let allowance = Allowance { value: 1e-3, angle_rad: 1e-3 };
    let made = linearise(&channel, &plan(0.5), Some(allowance), &mut SharedTimes::default()).expect("keys");
    assert!(made.largest[0].value > 0.0 && made.largest[0].value <= 1e-3, "{:?}", made.largest);
}

#[test]
fn eased_segments_between_equal_values_need_no_keys() {
    let curve = line(&[0.0, 1.0, 2.0], &[1.0, 1.0, 1.0], eased(Blend::Lerp));
    assert_eq!(keys(curve, &plan(2.0)).len(), 3);
}

#[test]
fn curved_segments_get_one_key_per_frame_and_their_neighbours_none() {
    let laws = Laws::from_segments([Law::LINEAR, eased(Blend::Lerp), Law::LINEAR]);
    let curve = Curve::new(seconds(&[0.0, 1.0, 1.11, 2.0]), 1, vec![0.0, 0.0, 1.0, 5.0], laws);
    let made = straight(&weight(curve.clone()), &plan(2.0));
    let times = times_of(only_curve(&made.channels[0]));
    assert_eq!(times, [0.0, 1.0, 31.0 / 30.0, 32.0 / 30.0, 33.0 / 30.0, 1.11, 2.0]);
    assert!(made.approximated && made.largest[0].value > 0.0);
    assert!((1.0..=1.11).contains(&made.largest[0].time.0));
    assert_eq!(
        keys(curve, &plan(2.0))[2].1,
        at(&line(&[1.0, 1.11], &[0.0, 1.0], eased(Blend::Lerp)), 31.0 / 30.0) as f32
    );
}

/// The last key then has the frame's value a little too early.
#[test]
fn a_straight_way_to_an_end_beside_a_frame_is_measured() {
    let curve =
        |frames: &[i64]| Curve::new(kit::frames(frames), 1, vec![0.0, 1.0], Laws::uniform(Law::LINEAR));
    let worst = |end: f64| straight(&weight(curve(&[0, 1])), &plan(FPS_30.seconds(end).0)).largest[0].value;
    assert_eq!((worst(0.5), worst(1.0)), (0.0, 0.0));
    // All of it only at the end itself.
    assert!((5e-4 * 7.0 / 8.0..=5e-4).contains(&worst(0.9995)), "{}", worst(0.9995));
}

#[test]
fn straight_channels_are_not_measured() {
    let made = straight(&weight(line(&[0.0, 1.0], &[0.1, 0.7], Law::LINEAR)), &plan(1.0));
    assert!(!made.approximated);
    assert_eq!(made.largest[0].value, 0.0);
}

#[test]
fn keys_outside_the_range_are_cut_where_the_value_then_is() {
    let curve = line(&[-1.0, 1.0, 3.0], &[0.0, 2.0, 6.0], Law::LINEAR);
    assert_eq!(keys(curve.clone(), &plan(2.0)), [(0.0, 1.0), (1.0, 2.0), (2.0, 4.0)]);
    assert_eq!(keys(curve, &plan(0.0)), [(0.0, 1.0)]);
    let late = line(&[5.0, 6.0], &[3.0, 4.0], Law::LINEAR);
    assert!(keys(late, &plan(2.0)).iter().all(|(t, v)| (0.0..=2.0).contains(t) && *v == 3.0));
    let early = line(&[-6.0, -5.0], &[3.0, 4.0], Law::LINEAR);
    assert_eq!(keys(early, &plan(2.0)), [(0.0, 4.0)]);
}

#[test]
fn a_zero_that_is_negative_becomes_positive() {
    let made = keys(line(&[-0.0, 1.0], &[0.0, 1.0], Law::LINEAR), &plan(1.0));
    assert!(made[0].0.is_sign_positive());
}

#[test]
fn ranges_that_make_no_sense_are_one_instant_or_end_with_the_keys() {
    let curve = || line(&[0.0, 1.0], &[0.0, 1.0], Law::LINEAR);
    for plan in [plan(-1.0), every_frame(-1.0), on_grid(-1.0)] {
        assert_eq!(keys(curve(), &plan), [(0.0, 0.0)]);
    }
    for end in [f64::NAN, f64::INFINITY] {
        assert_eq!(keys(curve(), &plan(end)), [(0.0, 0.0), (1.0, 1.0)]);
        assert_eq!(keys(curve(), &every_frame(end)).len(), 31);
    }
}

#[test]
fn a_step_becomes_two_keys_at_one_time() {
    let curve = line(&[0.0, 1.0, 2.0], &[3.0, 5.0, 5.0], Law::STEP);
    assert_eq!(keys(curve, &plan(2.0)), [(0.0, 3.0), (1.0, 3.0), (1.0, 5.0), (2.0, 5.0)]);
}

#[test]
fn a_jump_between_two_keys_at_one_time_stays_with_its_side() {
    for jump in [JumpSide::Before, JumpSide::After] {
        let curve = Curve { jump, ..line(&[0.0, 1.0, 1.0, 2.0], &[0.0, 1.0, 5.0, 6.0], Law::LINEAR) };
        let made = straight(&weight(curve), &plan(2.0));
        let result = only_curve(&made.channels[0]);
        assert_eq!((times_of(result), result.jump), (vec![0.0, 1.0, 1.0, 2.0], jump));
    }
}

#[test]
fn of_many_keys_at_one_time_two_stay() {
    let curve = line(&[0.0, 1.0, 1.0, 1.0, 2.0], &[0.0, 1.0, 9.0, 5.0, 6.0], Law::LINEAR);
    assert_eq!(keys(curve, &plan(2.0)), [(0.0, 0.0), (1.0, 1.0), (1.0, 5.0), (2.0, 6.0)]);
}

#[test]
fn at_the_start_only_the_new_value_counts() {
    let curve = line(&[0.0, 0.0, 1.0], &[0.0, 5.0, 6.0], Law::LINEAR);
    assert_eq!(keys(Curve { jump: JumpSide::Before, ..curve }, &plan(1.0)), [(0.0, 5.0), (1.0, 6.0)]);
}

#[test]
fn a_jump_at_the_end_is_kept() {
    let curve = line(&[0.0, 1.0], &[0.0, 5.0], Law::STEP);
    assert_eq!(keys(curve, &plan(1.0)), [(0.0, 0.0), (1.0, 0.0), (1.0, 5.0)]);
}

#[test]
fn on_a_grid_the_old_value_of_a_jump_goes_to_the_frame_before() {
    let curve = wide(frames(&[0, 10, 11]), 1, &[0.0, 20.0, 30.0], Law::STEP);
    let made = straight(&weight(curve), &on_grid(1.0));
    let result = only_curve(&made.channels[0]);
    assert_eq!(result.times, frames(&[0, 9, 10, 11]));
    assert_eq!(result.values, [0.0, 0.0, 20.0, 30.0]);
    assert!(made.approximated, "within the frames it is no jump any more");
    let slope = line(&[0.0, 1.0, 1.0, 2.0], &[0.0, 30.0, 99.0, 99.0], Law::LINEAR);
    let result = keys(slope, &on_grid(2.0));
    assert_eq!(result[1], (29.0 / 30.0, 29.0), "the value that belongs to the frame before");
}

#[test]
fn on_a_grid_authored_keys_next_to_a_frame_move_there_with_their_values() {
    let times = [0.0, f64::from((1.0f64 / 3.0) as f32), f64::from((2.0f64 / 3.0) as f32)];
    let made = straight(&weight(line(&times, &[1.0, 2.0, 3.0], Law::STEP)), &on_grid(1.0));
    let result = only_curve(&made.channels[0]);
    assert_eq!(
        (&result.times, result.values.as_slice()),
        (&frames(&[0, 9, 10, 19, 20]), [1.0, 1.0, 2.0, 2.0, 3.0].as_slice())
    );
}

#[test]
fn on_a_grid_a_jump_written_as_neighbouring_f32_is_a_jump() {
    let new = (1.0f64 / 3.0) as f32;
    let old = f32::from_bits(new.to_bits() - 1);
    let curve = line(&[0.0, old.into(), new.into(), 1.0], &[1.0, 1.0, 5.0, 5.0], Law::LINEAR);
    let made = keys(curve.clone(), &on_grid(1.0));
    assert_eq!(
        made.iter().map(|k| ((k.0 * 30.0).round(), k.1)).collect::<Vec<_>>(),
        [(0.0, 1.0), (9.0, 1.0), (10.0, 5.0), (30.0, 5.0)]
    );
    let baked = keys(curve, &every_frame(1.0));
    assert_eq!((baked[9].1, baked[10].1), (1.0, 5.0), "also where every frame gets a key");
}

#[test]
fn channels_off_the_grid_get_a_key_on_every_frame_of_it() {
    let curve = line(&[0.0, 0.05, 0.21], &[0.0, 5.0, 8.0], Law::LINEAR);
    let made = straight(&weight(curve), &on_grid(0.21));
    let result = only_curve(&made.channels[0]);
    assert_eq!(result.times, frames(&[0, 1, 2, 3, 4, 5, 6]), "none beyond the end");
    assert!(made.approximated);
}

#[test]
fn baking_puts_a_key_on_every_frame_and_on_the_ends() {
    let curve = line(&[0.0, 0.05], &[0.0, 1.0], Law::LINEAR);
    let made = keys(curve, &every_frame(0.15));
    assert_eq!(
        made.iter().map(|k| k.0).collect::<Vec<_>>(),
        [0.0, 1.0 / 30.0, 2.0 / 30.0, 0.1, 4.0 / 30.0, 0.15]
    );
}

#[test]
#[ignore = "costly"]
fn a_far_key_costs_no_year_of_frames() {
    let far = weight(line(&[0.0, 3e7], &[0.0, 1.0], eased(Blend::Lerp)));
    let made = straight(&far, &plan(3e7));
    let count = only_curve(&made.channels[0]).len();
    assert!((5_000..=10_002).contains(&count), "{count} keys");
    assert!(made.largest[0].value < 1e-7, "{}", made.largest[0].value);
    let baked = only_curve(&straight(&far, &every_frame(3e7)).channels[0]).len();
    let most = MostFrames::LIMIT as usize;
    assert!((most / 2..=most + 2).contains(&baked), "{baked} keys");
}

#[test]
fn times_where_frames_are_no_longer_neighbours_come_to_an_end() {
    for (a, b) in [(1e17, 1e17 + 64.0), (0.0, 1e300), (-1e308, 1e308), (1e300, 1.1e300)] {
        let channel = weight(line(&[a, b], &[0.0, 1.0], eased(Blend::Lerp)));
        for plan in [plan(b), on_grid(b), every_frame(b)] {
            let plan = KeyPlan { range: (Seconds(a), Seconds(b)), ..plan };
            let made = straight(&channel, &plan);
            let result = only_curve(&made.channels[0]);
            assert!(result.len() <= 1_000_002 && result.values.iter().all(|v| v.is_finite()));
        }
    }
}

#[test]
fn values_beyond_f32_become_the_largest() {
    let channel = native(weight(line(&[0.0], &[f32::MAX], Law::LINEAR)), -10.0);
    assert_eq!(only_curve(&straight(&channel, &plan(1.0)).channels[0]).values, [f32::MIN]);
}

#[test]
fn units_of_the_source_are_gone() {
    let channel = native(weight(line(&[0.0], &[50.0], Law::LINEAR)), 0.01);
    let made = &straight(&channel, &plan(1.0)).channels[0];
    assert_eq!((only_curve(made).values.as_slice(), &made.native), ([0.5].as_slice(), &None));
}

#[test]
fn nearly_half_a_turn_gets_a_key_in_the_middle() {
    for (degrees, count) in [(169.0, 2), (171.0, 3), (180.0, 3)] {
        let values = [turn([0.0, 1.0, 0.0], 0.0), turn([0.0, 1.0, 0.0], degrees)].concat();
        let channel = Channel::whole(Property::Rotation, wide(seconds(&[0.0, 1.0]), 4, &values, Law::SLERP));
        let made = straight(&channel, &plan(1.0));
        let result = only_curve(&made.channels[0]);
        assert_eq!(result.len(), count, "{degrees}°");
        assert!(!made.approximated);
        if count == 3 {
            let exact = value(&channel, 0.5, Side::At);
            let middle: Vec<f64> = result.value(1).unwrap().iter().map(|v| f64::from(*v)).collect();
            assert!(apart(&Property::Rotation, &exact, &middle) < 1e-7);
        }
    }
}

#[test]
fn rotations_keep_their_sign_from_key_to_key() {
    let turns = [0.0, 100.0, 200.0, 300.0, 400.0].map(|d| turn([0.0, 0.0, 1.0], d));
    let values: Vec<f32> =
        turns.iter().enumerate().flat_map(|(i, q)| q.map(|v| if i % 2 == 0 { v } else { -v })).collect();
    let times = seconds(&[0.0, 1.0, 2.0, 3.0, 4.0]);
    let made = straight(&Channel::whole(Property::Rotation, wide(times, 4, &values, Law::SLERP)), &plan(4.0));
    let result = only_curve(&made.channels[0]);
    for pair in result.values.chunks_exact(4).collect::<Vec<_>>().windows(2) {
        assert!(pair[0].iter().zip(pair[1]).map(|(a, b)| a * b).sum::<f32>() >= 0.0);
    }
}

#[test]
fn a_placement_becomes_translation_and_rotation_with_the_same_keys() {
    let orbit = dopesheet_core::model::Orbit {
        target: vec![line(&[0.0, 0.1], &[0.0, 1.0], Law::LINEAR); 3],
        angles: wide(seconds(&[0.0, 0.1]), 3, &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0], Law::LINEAR),
        distance: line(&[0.0], &[-4.0], Law::LINEAR),
        order: dopesheet_core::model::EulerOrder::Yxz,
        angle_signs: [-1.0; 3],
        axis: [0.0, 0.0, 1.0],
    };
    let channel = composed(Property::Placement, Composition::Orbit(Box::new(orbit)));
    let made = straight(&channel, &plan(0.1));
    let [translation, rotation] = made.channels.as_slice() else { panic!("two channels") };
    assert_eq!((&translation.property, &rotation.property), (&Property::Translation, &Property::Rotation));
    assert!(only_curve(translation).times.is_same_list(&only_curve(rotation).times));
    assert_eq!(only_curve(rotation).laws, Laws::uniform(Law::SLERP));
    assert_eq!(only_curve(translation).len(), 4);
    assert_eq!(made.largest.len(), 2);
}

#[test]
fn an_orbit_whose_angles_rest_moves_straight_with_its_target() {
    let orbit = dopesheet_core::model::Orbit {
        target: vec![line(&[0.0, 2.0], &[0.0, 1.0], Law::LINEAR); 3],
        angles: wide(seconds(&[0.0]), 3, &[0.3, 0.0, 0.0], Law::LINEAR),
        distance: line(&[0.0], &[-4.0], Law::LINEAR),
        order: dopesheet_core::model::EulerOrder::Yxz,
        angle_signs: [-1.0; 3],
        axis: [0.0, 0.0, 1.0],
    };
    let channel = composed(Property::Placement, Composition::Orbit(Box::new(orbit)));
    assert_eq!(only_curve(&straight(&channel, &plan(2.0)).channels[0]).len(), 2);
}

#[test]
fn switches_stay_steps() {
    let channel = Channel::whole(Property::Visible, line(&[0.0, 1.0, 2.0], &[1.0, 0.0, 1.0], Law::STEP));
    for plan in [plan(2.0), on_grid(2.0), every_frame(2.0)] {
        let made = straight(&channel, &plan);
        let result = only_curve(&made.channels[0]);
        assert_eq!(result.laws, Laws::uniform(Law::STEP));
        assert!(!made.approximated);
        assert_eq!([0.0, 0.99, 1.0, 1.99, 2.0].map(|t| at(result, t)), [1.0, 1.0, 0.0, 0.0, 1.0]);
    }
    assert_eq!(only_curve(&straight(&channel, &plan(2.0)).channels[0]).len(), 3);
}

#[test]
fn a_loop_of_straight_segments_needs_no_frames() {
    let curve = Curve { after: Outside::Loop, ..line(&[0.0, 0.5, 1.0], &[0.0, 4.0, 1.0], Law::LINEAR) };
    let expected =
        [(0.0, 0.0), (0.5, 4.0), (1.0, 1.0), (1.0, 0.0), (1.5, 4.0), (2.0, 1.0), (2.0, 0.0), (2.25, 2.0)];
    assert_eq!(keys(curve, &plan(2.25)), expected);
    let curve = Curve { before: Outside::PingPong, ..line(&[1.0, 1.5, 2.0], &[0.0, 4.0, 1.0], Law::LINEAR) };
    assert_eq!(keys(curve, &plan(2.0)), [(0.0, 1.0), (0.5, 4.0), (1.0, 0.0), (1.5, 4.0), (2.0, 1.0)]);
}

#[test]
fn a_loop_too_fast_to_be_unrolled_gets_frames() {
    let curve = Curve { after: Outside::Loop, ..line(&[0.0, 1e-6], &[0.0, 1.0], Law::LINEAR) };
    let made = keys(curve, &plan(1.0));
    assert!((30..40).contains(&made.len()), "{} keys", made.len());
}

#[test]
fn equal_lists_of_times_become_one() {
    let mut shared = SharedTimes::default();
    let mut times = |curve: Curve, plan: &KeyPlan| {
        only_curve(&linearise(&weight(curve), plan, None, &mut shared).unwrap().channels[0]).times.clone()
    };
    let a = times(line(&[0.0, 1.0], &[0.0, 1.0], Law::LINEAR), &plan(1.0));
    let b = times(line(&[0.0, 1.0], &[5.0, 6.0], Law::LINEAR), &plan(1.0));
    assert!(a.is_same_list(&b));
    let frames_30 = times(line(&[0.0, 1.0], &[5.0, 6.0], Law::LINEAR), &on_grid(1.0));
    let other = KeyPlan { rate: FrameRate::new(15, 1).unwrap(), ..on_grid(2.0) };
    let frames_15 = times(line(&[0.0, 2.0], &[5.0, 6.0], Law::LINEAR), &other);
    assert_eq!(
        frames_15.span(),
        Some((Seconds(0.0), Seconds(2.0))),
        "a list of another rate is another list"
    );
    assert!(!frames_30.is_same_list(&frames_15));
}

#[test]
fn a_million_keys_take_no_time() {
    let count = 1_000_000;
    let values: Vec<f32> = (0..count).map(|n| n as f32).collect();
    let spread = seconds(&(0..count).map(|n| f64::from(n) * 0.01).collect::<Vec<_>>());
    let equal = seconds(&vec![1.0; count as usize]);
    let started = std::time::Instant::now();
    for times in [spread, equal] {
        let _ = straight(&weight(wide(times, 1, &values, Law::STEP)), &plan(1e5));
    }
    assert!(started.elapsed().as_secs() < 30, "took {:?}", started.elapsed());
}

/// The time of every key of a channel, and of its result, as both know it.
fn check_structure(result: &Channel, plan: &KeyPlan) {
    let curve = only_curve(result);
    curve.validate().unwrap();
    assert!(curve.values.iter().all(|v| v.is_finite()));
    let times = times_of(curve);
    assert!(!times.is_empty());
    assert!(times.iter().all(|t| (plan.range.0.0..=plan.range.1.0).contains(t)), "{times:?}");
    assert!(times.windows(3).all(|t| t[0] < t[2]), "only pairs: {times:?}");
    assert!(times.len() < 2 || times[0] < times[1] || times[0] > plan.range.0.0, "no pair at the start");
    assert_eq!(curve.laws.runs().count(), 1);
    if plan.only_on_grid {
        assert!(matches!(&curve.times, Times::Frames { frames, .. } if frames.is_sorted_by(|a, b| a < b)));
    }
}

/// The result at a time: the numbers of all channels one after the other.
fn result_at(made: &Linearised, time: f64, side: Side) -> Vec<f64> {
    made.channels.iter().flat_map(|channel| value(channel, time, side)).collect()
}

/// How far the result is from the source, per channel.
fn errors(channel: &Channel, made: &Linearised, time: f64, side: Side) -> Vec<f64> {
    errors_between(made, &value(channel, time, side), &result_at(made, time, side))
}

fn errors_between(made: &Linearised, exact: &[f64], straight: &[f64]) -> Vec<f64> {
    let mut start = 0;
    let of = |part: &Channel| {
        let width = only_curve(part).width;
        let (a, b) = (&exact[start..start + width], &straight[start..start + width]);
        start += width;
        match part.property.kind() {
            ValueKind::Rotation => {
                dopesheet_curve::quat_angle([a[0], a[1], a[2], a[3]], [b[0], b[1], b[2], b[3]])
            }
            ValueKind::Position => a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt(),
            _ => apart(&part.property, a, b),
        }
    };
    made.channels.iter().map(of).collect()
}

/// Thirteen times in each frame up to an end, none of which is near enough to a frame to be that frame.
fn off_frames(end: f64) -> impl Iterator<Item = f64> {
    (0..).map(|step| (f64::from(step) + 0.5) / 390.0).take_while(move |time| *time <= end)
}

/// What rounding to f32 may do to values of up to 30.
const ROUNDING: f64 = 1e-5;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(512)))]

    #[test]
    fn at_authored_keys_the_result_is_exact_from_both_sides(channel in any_channel(), end in 0.0..4.0f64) {
        let plan = plan(end);
        let made = straight(&channel, &plan);
        made.channels.iter().for_each(|c| check_structure(c, &plan));
        for time in channel.composition.curves().flat_map(times_of) {
            if time <= 0.0 || time > end {
                continue;
            }
            for side in [Side::Before, Side::After] {
                for error in errors(&channel, &made, time, side) {
                    prop_assert!(error < ROUNDING, "{} from {:?} at {}", error, side, time);
                }
            }
        }
    }

    #[test]
    fn between_keys_the_result_is_within_what_is_reported(channel in any_channel(), end in 0.0..4.0f64) {
        let made = straight(&channel, &plan(end));
        for time in off_frames(end) {
            for (error, worst) in errors(&channel, &made, time, Side::After).iter().zip(&made.largest) {
                prop_assert!(*error <= 1.5 * worst.value + ROUNDING, "{} at {} with {:?}", error, time, worst);
            }
        }
        prop_assert!(made.approximated || made.largest.iter().all(|w| w.value == 0.0));
    }

    #[test]
    fn straight_channels_are_exact_everywhere_with_their_own_keys(curves in prop::collection::vec(any_curve(Recipe::straight(1), false), 3)) {
        let curves: Vec<Curve> = curves.into_iter().map(held).collect();
        let channel = composed(Property::Translation, Composition::Components(curves));
        let made = straight(&channel, &plan(3.0));
        prop_assert!(!made.approximated);
        let authored: Vec<f64> = channel.composition.curves().flat_map(times_of).collect();
        for time in times_of(only_curve(&made.channels[0])) {
            prop_assert!(authored.contains(&time) || time == 0.0 || time == 3.0);
        }
        for time in off_frames(3.0) {
            prop_assert!(errors(&channel, &made, time, Side::After)[0] < ROUNDING);
        }
    }

    #[test]
    fn on_a_grid_every_key_has_the_value_of_its_frame(channel in any_channel(), frames in 0i32..120) {
        let plan = on_grid(FPS_30.seconds(f64::from(frames)).0);
        let made = straight(&channel, &plan);
        made.channels.iter().for_each(|c| check_structure(c, &plan));
        let mut out = Vec::new();
        for time in times_of(only_curve(&made.channels[0])) {
            prop_assert!(channel_at(&channel, Seconds(time), Side::At, &mut out));
            let found = result_at(&made, time, Side::At);
            // Rounding may put the jump of a repeated curve a little later.
            let exact = [(time, Side::Before), (time, Side::At), (time, Side::After), (time + 1e-9, Side::At)];
            let is_near = |(time, side)| {
                errors_between(&made, &value(&channel, time, side), &found).iter().all(|e| *e < ROUNDING)
            };
            prop_assert!(exact.into_iter().any(is_near), "at {}", time);
        }
    }

    #[test]
    fn baked_keys_are_the_values_of_their_frames(channel in any_channel(), end in 0.0..4.0f64) {
        let plan = every_frame(end);
        let made = straight(&channel, &plan);
        made.channels.iter().for_each(|c| check_structure(c, &plan));
        for time in times_of(only_curve(&made.channels[0])) {
            prop_assert!(errors(&channel, &made, time, Side::At).iter().all(|e| *e < ROUNDING));
        }
    }
}

/// What lies beside a frame is the frame, so that a way which arrives steeply jumps there, by many times what may be missed.
#[test]
fn a_way_that_arrives_steeply_is_exact_wherever_it_is_seen_beside_its_frame() {
    const ALLOWED: f64 = 1e-4;
    let timing = Timing::Bezier { x1: 0.3, y1: 0.1, x2: 0.95, y2: 0.2 };
    let (first, last) = (5569, 5582);
    let end = FPS_30.seconds(last as f64).0;
    let farthest = |way: f32| {
        let law = Law { timing, blend: Blend::Lerp };
        let channel = weight(Curve::new(frames(&[first, last]), 1, vec![0.0, way], Laws::uniform(law)));
        let allowance = Allowance { value: ALLOWED, angle_rad: ALLOWED };
        let made =
            linearise(&channel, &plan(end), Some(allowance), &mut SharedTimes::default()).expect("keys");
        // Whatever can be told apart in single precision and from the frame, as far as ten times what counts as the frame.
        let times = std::iter::successors(Some((end as f32).next_down()), |time| Some(time.next_down()));
        let times = times.take_while(|time| f64::from(*time) > FPS_30.seconds(last as f64 - 0.01).0);
        let is_seen = |time: &f32| FPS_30.frame(Seconds(f64::from(*time))).fract() != 0.0;
        times
            .filter(is_seen)
            .map(|time| errors(&channel, &made, time.into(), Side::At)[0])
            .fold(0.0, f64::max)
    };
    for way in [0.3, 0.5, 1.0, 2.0] {
        let missed = farthest(way);
        assert!(missed <= ALLOWED + f64::from(way * f32::EPSILON), "{missed} of {way}");
    }
}
