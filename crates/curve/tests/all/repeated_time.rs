//! `repeat`, `wrap_loop` and `wrap_ping_pong`.

use dopesheet_curve::{repeat, wrap_loop, wrap_ping_pong};
use proptest::prelude::*;

#[test]
fn repeat_counts_from_zero_on_both_sides() {
    for (x, expected) in
        [(0.0, 0.0), (0.5, 0.5), (2.0, 0.0), (3.5, 1.5), (-0.5, 1.5), (-2.0, 0.0), (-4.5, 1.5)]
    {
        assert_eq!(repeat(x, 2.0), expected, "{x}");
    }
}

#[test]
fn repeat_without_a_length_is_zero() {
    for length in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(repeat(1.5, length), 0.0, "{length}");
    }
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(repeat(x, 2.0), 0.0);
    }
}

#[test]
fn the_ends_of_a_loop_are_themselves_and_their_repetitions_the_start() {
    let times = [-3.0, -1.0, 1.0, 3.0, 5.0, 7.0];
    assert_eq!(times.map(|t| wrap_loop(t, 1.0, 3.0)), [1.0, 1.0, 1.0, 3.0, 1.0, 1.0]);
    assert_eq!(times.map(|t| wrap_ping_pong(t, 1.0, 3.0)), [1.0, 3.0, 1.0, 3.0, 1.0, 3.0]);
}

#[test]
fn a_loop_goes_on_periodically_to_the_left_and_a_ping_pong_is_even_around_its_start() {
    for n in 1..100 {
        let t = f64::from(n) / 8.0;
        assert_eq!(wrap_loop(1.0 - t, 1.0, 3.0), wrap_loop(1001.0 - t, 1.0, 3.0));
        assert_eq!(wrap_ping_pong(1.0 - t, 1.0, 3.0), wrap_ping_pong(1.0 + t, 1.0, 3.0));
    }
}

#[test]
fn times_and_spans_that_are_none_are_held() {
    for wrap in [wrap_loop, wrap_ping_pong] {
        assert_eq!([0.0, 2.0, 9.0].map(|t| wrap(t, 2.0, 2.0)), [2.0; 3]);
        assert_eq!(wrap(f64::NAN, 1.0, 3.0), 1.0);
        assert_eq!([f64::NEG_INFINITY, f64::INFINITY].map(|t| wrap(t, 1.0, 3.0)), [1.0, 3.0]);
        assert_eq!([-1.0, 1.0].map(|t| wrap(f64::MAX * t, f64::MIN, f64::MAX)), [f64::MIN, f64::MAX]);
        assert!((0.0..=f64::MIN_POSITIVE).contains(&wrap(1e300, 0.0, f64::MIN_POSITIVE)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(4000)))]

    #[test]
    fn wrapped_times_lie_within_the_curve(t in any::<f64>(), a in any::<f64>(), length in 0.0..1e300_f64) {
        let b = a + length;
        prop_assume!(a.is_finite() && b.is_finite());
        for wrap in [wrap_loop, wrap_ping_pong] {
            let got = wrap(t, a, b);
            prop_assert!(got >= a && got <= b, "{} in {}..={}: {}", t, a, b, got);
        }
    }

    #[test]
    fn whole_rounds_change_nothing(eighths in 1..64_i32, rounds in -1000..1000_i32, along in 1..1024_i32) {
        // Numbers without rounding.
        let (a, length) = (-2.5, f64::from(eighths) / 8.0);
        let t = a + length * f64::from(along) / 1024.0;
        let moved = |rounds: i32| t + length * f64::from(rounds);
        prop_assert_eq!(wrap_loop(moved(rounds), a, a + length), t);
        prop_assert_eq!(wrap_ping_pong(moved(2 * rounds), a, a + length), t);
        prop_assert_eq!(wrap_ping_pong(moved(2 * rounds + 1), a, a + length), a + (length - (t - a)));
    }
}
