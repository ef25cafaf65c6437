//! `EasedWay`: the curve of a timing by its parameter, against the law by time.

use dopesheet_curve::{BezierTiming, EasedWay, bezier_timing, lerp};
use proptest::prelude::*;

fn timings() -> impl Strategy<Value = BezierTiming> {
    prop::array::uniform4(0u8..=127).prop_map(BezierTiming::from_bytes)
}

/// Two different parameters in ascending order.
fn stretches() -> impl Strategy<Value = (f64, f64)> {
    (0.0..1.0f64, 0.0..1.0f64)
        .prop_map(|(a, b)| (a.min(b), a.max(b)))
        .prop_filter("apart", |(a, b)| b - a > 1e-3)
}

proptest! {
    #[test]
    fn places_lie_on_the_law(timing in timings(), s in 0.0..=1.0f64) {
        let way = EasedWay::new(&timing);
        let (time, progress) = (way.time(s), way.progress(s));
        // Where time nearly stands still, the last digit of a time is many of the way.
        let (before, after) = (bezier_timing(&timing, time - 1e-14), bezier_timing(&timing, time + 1e-14));
        prop_assert!(before - 1e-13 <= progress && progress <= after + 1e-13);
    }

    #[test]
    fn the_parameter_of_a_time_is_found(timing in timings(), s in 0.0..=1.0f64) {
        let way = EasedWay::new(&timing);
        let found = way.parameter(way.time(s));
        prop_assert!((way.time(found) - way.time(s)).abs() <= 1e-9, "{found} instead of {s}");
    }

    #[test]
    fn the_parameter_is_the_same_wherever_it_is_looked_for(
        timing in timings(), time in 0.0..=1.0f64, near in 0.0..=1.0f64, beside in -0.05..0.05f64,
    ) {
        let way = EasedWay::new(&timing);
        let known = way.parameter(time);
        for near in [near, known + beside, known] {
            let found = way.parameter_near(time, near);
            prop_assert!((found - known).abs() <= 1e-11, "{found} from {near} instead of {known}");
        }
    }

    #[test]
    fn nothing_is_farther_from_a_chord_than_the_farthest(timing in timings(), (from, to) in stretches()) {
        let way = EasedWay::new(&timing);
        let (farthest, at) = way.farthest_from_chord(from, to);
        let steepness = (way.progress(to) - way.progress(from)) / (way.time(to) - way.time(from));
        let apart = |s: f64| {
            (way.progress(s) - way.progress(from) - steepness * (way.time(s) - way.time(from))).abs()
        };
        let slack = 1e-12 * steepness.max(1.0);
        prop_assume!(steepness.is_finite());
        let sampled = (0..=1000).map(|n| from + (to - from) * f64::from(n) / 1000.0).map(apart).fold(0.0, f64::max);
        prop_assert!(sampled <= farthest + slack, "{sampled} beyond {farthest}");
        prop_assert!((farthest - apart(at)).abs() <= slack && from <= at && at <= to);
    }

    #[test]
    fn a_short_way_is_on_its_arch_but_for_what_is_seen_in_the_middle(
        bytes in prop::array::uniform4(25u8..=102), from in 0.0..0.9f64, duration in 0.01..0.1f64,
    ) {
        let way = EasedWay::new(&BezierTiming::from_bytes(bytes));
        let to = from + duration;
        let arch = way.arch(from, to).unwrap();
        let passed = way.time(to) - way.time(from);
        for s in (0..=100).map(|n| lerp(from, to, f64::from(n) / 100.0)) {
            let share = (way.time(s) - way.time(from)) / passed;
            let ahead = way.progress(s) - lerp(way.progress(from), way.progress(to), share);
            let told = 4.0 * share * (1.0 - share) * (arch.height + (share - 0.5) * arch.slant);
            // 1.8 times as far as in the middle where the fourth power is all that is left out. The fifth is 0 there.
            let fifth = 0.01 * (arch.height.abs() + arch.slant.abs());
            prop_assert!((ahead - told).abs() <= 2.5 * arch.beside + fifth + 1e-13, "{ahead} instead of {told}: {arch:?}");
        }
    }

    #[test]
    fn nothing_is_more_or_less_ahead_of_a_piece_than_the_extremes(
        timing in timings(), (from, to) in stretches(), ends in prop::array::uniform2(-0.1..0.1f64),
    ) {
        let way = EasedWay::new(&timing);
        let [least, most] = way.beside_piece([(from, ends[0]), (to, ends[1])]);
        let passed = way.time(to) - way.time(from);
        prop_assume!(passed > 1e-6);
        let beside = |s: f64| {
            let share = (way.time(s) - way.time(from)) / passed;
            let piece = lerp(way.progress(from) + ends[0], way.progress(to) + ends[1], share);
            way.progress(s) - piece
        };
        let slack = 1e-12 / passed;
        for s in (0..=1000).map(|n| from + (to - from) * f64::from(n) / 1000.0) {
            prop_assert!((least.0 - slack..=most.0 + slack).contains(&beside(s)), "{} at {s}", beside(s));
        }
        for (told, at) in [least, most] {
            prop_assert!((told - beside(at)).abs() <= slack && from <= at && at <= to);
        }
        // Between its ends a piece misses as much as anywhere, or less than at one of them.
        let (inside, at) = way.farthest_within_piece([(from, ends[0]), (to, ends[1])]);
        let farthest = most.0.max(-least.0);
        prop_assert!(inside == farthest || (inside <= farthest && farthest == ends[0].abs().max(ends[1].abs())));
        prop_assert!(inside == 0.0 || (inside - beside(at).abs()).abs() <= slack && from < at && at < to);
    }

    #[test]
    fn a_way_that_turns_upwards_is_below_its_chords(timing in timings(), s in 0.05..0.95f64) {
        let way = EasedWay::new(&timing);
        let (from, to) = (s - 1e-3, s + 1e-3);
        let turns = [from, s, to].map(|s| way.turn(s).signum());
        let [least, most] = way.beside_piece([(from, 0.0), (to, 0.0)]);
        prop_assume!(turns[0] == turns[1] && turns[1] == turns[2] && most.0 - least.0 > 1e-9);
        let is_below = -least.0 > most.0;
        prop_assert_eq!(is_below, turns[0] > 0.0);
    }

    #[test]
    fn short_pieces_miss_as_their_bend_tells(timing in timings(), s in 0.05..0.95f64) {
        let way = EasedWay::new(&timing);
        let half = 1e-3;
        let (missed, _) = way.farthest_from_chord(s - half, s + half);
        let told = (2.0 * half * way.bend(s)).powi(2) / 8.0;
        // Near where a curve turns over or is vertical the bend is another one next door.
        let steady = [s - half, s + half].iter().all(|t| (way.bend(*t) / way.bend(s) - 1.0).abs() < 0.1);
        prop_assert!(!steady || missed < 1e-9 || (missed / told - 1.0).abs() < 0.25, "{missed} and {told}");
    }
}

#[test]
fn a_straight_timing_is_straight() {
    let way = EasedWay::new(&BezierTiming::LINEAR);
    assert!(way.farthest_from_chord(0.0, 1.0).0 < 1e-15);
    assert!((0..=10).all(|n| way.bend(f64::from(n) / 10.0) < 1e-6));
}

#[test]
fn a_piece_without_duration_misses_nothing() {
    let way = EasedWay::new(&BezierTiming::from_bytes([64, 0, 64, 127]));
    for s in [0.0, 0.5, 1.0] {
        assert_eq!(way.farthest_from_chord(s, s), (0.0, s));
    }
}
