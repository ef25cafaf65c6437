//! `bezier_timing`: golden values, inverse property, bounds, and every input that is not a curve.

use dopesheet_curve::{BezierTiming, bezier_timing, split_bezier_timing};
use proptest::prelude::*;

const TIMES: [f64; 5] = [0.1, 0.25, 0.5, 0.75, 0.9];

/// Printed to six decimals; computed from the formula in `f64`.
const PRINTED: [([u8; 4], [f64; 5]); 6] = [
    ([20, 20, 107, 107], [0.1, 0.25, 0.5, 0.75, 0.9]),
    ([64, 0, 64, 127], [0.014384, 0.104103, 0.494095, 0.892274, 0.985135]),
    ([20, 0, 30, 127], [0.122539, 0.456704, 0.806145, 0.959100, 0.993987]),
    ([0, 127, 0, 127], [0.846146, 0.949331, 0.991220, 0.999235, 0.999959]),
    ([127, 0, 0, 127], [0.003762, 0.029725, 0.5, 0.970275, 0.996238]),
    ([127, 127, 0, 0], [0.1, 0.25, 0.5, 0.75, 0.9]),
];

/// Solved by bisection with forty decimal digits, at the `f64` numbers 0.1, 0.25, 0.5, 0.75, 0.9, 0.001.
const FORTY_DIGITS: [([u8; 4], [f64; 6]); 7] = [
    (
        [64, 0, 64, 127],
        [
            0.014384432088954385,
            0.104103066433458,
            0.494095098305376,
            0.892274379696814,
            0.9851347619594869,
            1.3137399677225363e-6,
        ],
    ),
    (
        [0, 127, 0, 127],
        [
            0.8461462430742686,
            0.9493307858661602,
            0.9912200031099895,
            0.9992354525772394,
            0.9999588984584163,
            0.271,
        ],
    ),
    (
        [1, 126, 0, 127],
        [
            0.8386606102289891,
            0.9465667557045895,
            0.9903649666092261,
            0.999053911062094,
            0.9999316861538872,
            0.12154345139597812,
        ],
    ),
    (
        [127, 40, 1, 90],
        [
            0.034149859804529996,
            0.09966138617442417,
            0.4207246457297422,
            0.9058004354821337,
            0.9680132280286838,
            0.00031519628359973734,
        ],
    ),
    (
        [126, 0, 0, 127],
        [
            0.0038255991744488935,
            0.030308854408295484,
            0.6250759337907326,
            0.9703414002239381,
            0.9962406695429712,
            3.390251038050859e-7,
        ],
    ),
    (
        [0, 127, 127, 0],
        [
            0.38740031697727517,
            0.479055466999209,
            0.5,
            0.520944533000791,
            0.6125996830227248,
            0.05311076157643484,
        ],
    ),
    (
        [33, 99, 7, 2],
        [
            0.27951885755263706,
            0.4252791365339586,
            0.5506480765654457,
            0.7544133518483512,
            0.8980019788394616,
            0.002999254702110736,
        ],
    ),
];

/// Abscissa (or ordinate) of the curve at the parameter `t`.
fn coordinate(c1: f64, c2: f64, t: f64) -> f64 {
    let s = 1.0 - t;
    3.0 * s * s * t * c1 + 3.0 * s * t * t * c2 + t * t * t
}

/// The solved parameter itself: with ordinates of one third and two thirds, `Y(t) = t`.
fn parameter(x1: f64, x2: f64, u: f64) -> f64 {
    bezier_timing(&BezierTiming { x1, y1: 1.0 / 3.0, x2, y2: 2.0 / 3.0 }, u)
}

/// Asserts that the curve passes `u` at the parameter found, within the documented bound plus the
/// rounding of this check. Only distances from the start can be measured in proportion.
fn assert_inverse(x1: f64, x2: f64, u: f64) {
    let t = parameter(x1, x2, u);
    assert!((0.0..=1.0).contains(&t));
    let miss = (coordinate(x1, x2, t) - u).abs();
    let bound = if (1e-12..=0.5).contains(&u) { 3.5e-15 * u } else { 3e-15 };
    assert!(miss <= bound, "({x1}, ·, {x2}, ·) at {u:e}: parameter {t}, time off by {miss:e}");
}

#[test]
fn printed_golden_values_hold_to_the_last_digit() {
    for (bytes, expected) in PRINTED {
        let timing = BezierTiming::from_bytes(bytes);
        for (u, expected) in TIMES.into_iter().zip(expected) {
            let got = bezier_timing(&timing, u);
            assert!((got - expected).abs() <= 5.0e-7, "{bytes:?} at {u}: {got}, not {expected}");
        }
    }
}

#[test]
fn results_are_within_1e_12_of_forty_digit_solutions() {
    for (bytes, expected) in FORTY_DIGITS {
        let timing = BezierTiming::from_bytes(bytes);
        for (u, expected) in TIMES.into_iter().chain([0.001]).zip(expected) {
            let got = bezier_timing(&timing, u);
            assert!((got - expected).abs() <= 1e-12, "{bytes:?} at {u}: {got}, not {expected}");
        }
    }
}

#[test]
fn every_pair_of_time_bytes_is_solved_within_the_bound() {
    for x1 in 0..=127_u8 {
        for x2 in 0..=127_u8 {
            let timing = BezierTiming::from_bytes([x1, 0, x2, 0]);
            for u in [1e-9, 0.01, 1.0 / 3.0, 0.499999, 0.5, 0.75, 1.0 - 1e-6] {
                assert_inverse(timing.x1, timing.x2, u);
            }
        }
    }
}

/// Closed form where the curve is vertical: X(t) = ½ + 4(t − ½)³.
#[test]
fn the_vertical_curve_is_followed_through_its_middle() {
    let timing = BezierTiming::from_bytes([127, 0, 0, 127]);
    let exact = |u: f64| {
        let t = 0.5 + ((u - 0.5) / 4.0).cbrt();
        3.0 * t * t - 2.0 * t * t * t
    };
    for exponent in 4..=16 {
        let offset = 10.0_f64.powi(-exponent);
        let bound = if exponent <= 6 { 3e-12 } else { 1.1e-5 };
        for u in [0.5 - offset, 0.5 + offset] {
            let miss = (bezier_timing(&timing, u) - exact(u)).abs();
            assert!(miss <= bound, "{u}: off by {miss:e}");
        }
    }
    assert_eq!(bezier_timing(&timing, 0.5), 0.5);
}

/// X(t) = t³ and Y(t) = 1 − (1 − t)³.
#[test]
fn a_vertical_start_keeps_its_digits() {
    let timing = BezierTiming::from_bytes([0, 127, 0, 127]);
    for exponent in 1..=40 {
        let u = 10.0_f64.powi(-exponent);
        let expected = 1.0 - (1.0 - u.cbrt()).powi(3);
        assert!((bezier_timing(&timing, u) - expected).abs() <= 1e-15, "at {u:e}");
    }
}

#[test]
fn both_ends_are_exact_and_times_outside_are_held() {
    for bytes in [[64, 0, 64, 127], [127, 0, 0, 127], [0, 127, 0, 127], [20, 20, 107, 107], [0, 0, 0, 127]] {
        let timing = BezierTiming::from_bytes(bytes);
        for u in [0.0, -0.0, -1e-300, -3.0, f64::NEG_INFINITY, f64::NAN] {
            assert_eq!(bezier_timing(&timing, u), 0.0);
        }
        for u in [1.0, 1.0 + 1e-15, 7.0, f64::INFINITY] {
            assert_eq!(bezier_timing(&timing, u), 1.0);
        }
        for u in [f64::MIN_POSITIVE, 1e-200, 1.0_f64.next_down()] {
            assert!((0.0..=1.0).contains(&bezier_timing(&timing, u)));
        }
    }
}

#[test]
fn curves_on_the_diagonal_return_the_time_itself() {
    for bytes in [[20, 20, 107, 107], [0, 0, 0, 0], [127, 127, 0, 0], [5, 5, 99, 99]] {
        let timing = BezierTiming::from_bytes(bytes);
        assert!(timing.is_linear());
        for n in 0..=1000 {
            let u = f64::from(n) / 1000.0;
            assert_eq!(bezier_timing(&timing, u), u);
        }
    }
    assert!(BezierTiming::LINEAR.is_linear());
    assert!(!BezierTiming::from_bytes([20, 21, 107, 107]).is_linear());
}

#[test]
fn every_control_byte_survives_and_damaged_ones_count_as_127() {
    for byte in 0..=255_u8 {
        let timing = BezierTiming::from_bytes([byte, 0, 127, byte]);
        let kept = byte.min(127);
        assert_eq!(timing.to_bytes(), [kept, 0, 127, kept]);
        assert_eq!(timing.x1, f64::from(kept) / 127.0);
    }
    assert_eq!(BezierTiming::LINEAR.to_bytes(), [20, 20, 107, 107]);
}

#[test]
fn fractions_between_bytes_go_to_the_nearest_one() {
    for n in 0..=10_000 {
        let v = f64::from(n) / 10_000.0;
        let timing = BezierTiming { x1: v, y1: 1.0 - v, x2: -v, y2: 1.0 + v };
        let [x1, y1, x2, y2] = timing.to_bytes();
        assert!((f64::from(x1) / 127.0 - v).abs() <= 1.0 / 254.0 + 1e-15);
        assert!((f64::from(y1) / 127.0 - (1.0 - v)).abs() <= 1.0 / 254.0 + 1e-15);
        assert_eq!([x2, y2], [0, 127]);
    }
    let odd = BezierTiming { x1: f64::NAN, y1: f64::INFINITY, x2: f64::NEG_INFINITY, y2: 0.5 };
    assert_eq!(odd.to_bytes(), [0, 127, 0, 64]);
}

#[test]
fn control_points_that_are_not_fractions_are_read_as_the_nearest_one() {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.5, 2.0, 1e300, -0.0, 0.25, 5e-324];
    for x1 in odd {
        for y1 in odd {
            for x2 in odd {
                for y2 in odd {
                    assert_reads_as_nearest(BezierTiming { x1, y1, x2, y2 });
                }
            }
        }
    }
}

fn assert_reads_as_nearest(raw: BezierTiming) {
    let clamp = |v: f64| if v.is_nan() { 0.0 } else { v.clamp(0.0, 1.0) };
    let near = BezierTiming { x1: clamp(raw.x1), y1: clamp(raw.y1), x2: clamp(raw.x2), y2: clamp(raw.y2) };
    for u in [0.0, 0.3, 0.5, 0.8, 1.0] {
        let got = bezier_timing(&raw, u);
        assert!((got - bezier_timing(&near, u)).abs() <= 4e-15, "{raw:?} at {u}: {got}");
    }
}

#[test]
fn the_curve_has_no_steps() {
    for bytes in [[64, 0, 64, 127], [20, 0, 30, 127], [100, 0, 27, 127], [90, 127, 30, 0]] {
        let timing = BezierTiming::from_bytes(bytes);
        let mut before = 0.0;
        for n in 1..=100_000 {
            let now = bezier_timing(&timing, f64::from(n) / 100_000.0);
            // No slope of these curves exceeds 20.
            assert!(now >= before && now - before <= 2e-4, "{bytes:?} at {n}");
            before = now;
        }
        assert_eq!(before, 1.0);
    }
}

/// Fractions with the ends and their neighbourhoods well represented.
fn fraction() -> impl Strategy<Value = f64> {
    prop_oneof![
        3 => 0.0..=1.0,
        1 => Just(0.0),
        1 => Just(1.0),
        1 => (0.0..16.0_f64).prop_map(|e| 10.0_f64.powf(-e)),
        1 => (0.0..16.0_f64).prop_map(|e| 1.0 - 10.0_f64.powf(-e)),
        1 => (0.0..16.0_f64).prop_map(|e| 0.5 - 0.5 * 10.0_f64.powf(-e)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(20_000)))]

    #[test]
    fn time_at_the_parameter_found_is_the_time_asked_for([x1, x2, u] in [fraction(), fraction(), fraction()]) {
        assert_inverse(x1, x2, u);
    }

    #[test]
    fn random_byte_curves_invert_their_own_points(
        bytes in [0..=127_u8, 0..=127, 0..=127, 0..=127], t in 0.0..=1.0,
    ) {
        // Off the vertical middle of (127, ·, 0, ·), where the point cannot be placed to that precision.
        prop_assume!(bytes[0] < 127 || bytes[2] > 0);
        let c = BezierTiming::from_bytes(bytes);
        let u = coordinate(c.x1, c.x2, t);
        let got = bezier_timing(&c, u);
        // The rounding of u itself moves the point along curves that are vertical at an end.
        let slack = if (c.x1 > 0.0 || t > 1e-3) && (c.x2 < 1.0 || t < 0.999) { 1e-12 } else { 1e-6 };
        prop_assert!((got - coordinate(c.y1, c.y2, t)).abs() <= slack);
    }

    #[test]
    fn progress_never_runs_backwards(
        bytes in [0..=127_u8, 0..=127, 0..=127, 0..=127], [u, v] in [fraction(), fraction()],
    ) {
        let timing = BezierTiming::from_bytes(bytes);
        let (early, late) = (bezier_timing(&timing, u.min(v)), bezier_timing(&timing, u.max(v)));
        let slack = if bytes[0] == 127 && bytes[2] == 0 { 2.2e-5 } else { 1e-12 };
        prop_assert!((0.0..=1.0).contains(&early) && early <= late + slack);
    }

    #[test]
    fn a_curve_turned_half_round_gives_the_complement(
        [x1, y1, x2, y2] in [fraction(), fraction(), fraction(), fraction()], u in 0.5..=1.0,
    ) {
        let turned = BezierTiming { x1: 1.0 - x2, y1: 1.0 - y2, x2: 1.0 - x1, y2: 1.0 - y1 };
        let (late, early) = (bezier_timing(&BezierTiming { x1, y1, x2, y2 }, u), bezier_timing(&turned, 1.0 - u));
        prop_assert!((late + early - 1.0).abs() <= 1e-15 || u == 0.5);
    }
}

#[test]
fn a_half_that_covers_no_way_is_straight() {
    let late = BezierTiming { x1: 1.0, y1: 0.0, x2: 1.0, y2: 0.0 };
    let [first, _] = split_bezier_timing(&late, 1e-200);
    assert_eq!(first, BezierTiming::LINEAR);
    for u in [0.0, 1.0, -1.0, 2.0, f64::NAN] {
        assert_eq!(split_bezier_timing(&late, u), [BezierTiming::LINEAR; 2], "at {u}");
    }
    assert_eq!(split_bezier_timing(&BezierTiming::LINEAR, 0.3), [BezierTiming::LINEAR; 2]);
}

proptest! {
    #[test]
    fn both_halves_of_a_timing_are_the_timing(
        [x1, y1, x2, y2] in [0.0..=1.0, 0.0..=1.0, 0.0..=1.0, 0.0..=1.0], cut in 0.05..0.95_f64, u in 0.0..=1.0,
    ) {
        let whole = BezierTiming { x1, y1, x2, y2 };
        let covered = bezier_timing(&whole, cut);
        let halves = split_bezier_timing(&whole, cut);
        // Elsewhere they are limited, as the domain says.
        let is_inside = |half: &BezierTiming| {
            [half.x1, half.y1, half.x2, half.y2].iter().all(|part| (0.0..=1.0).contains(part))
        };
        let first = covered * bezier_timing(&halves[0], u) - bezier_timing(&whole, cut * u);
        let second =
            covered + (1.0 - covered) * bezier_timing(&halves[1], u) - bezier_timing(&whole, cut + (1.0 - cut) * u);
        prop_assert!(first.abs() <= 1e-9 || !is_inside(&halves[0]), "{} before {}", first, cut);
        prop_assert!(second.abs() <= 1e-9 || !is_inside(&halves[1]), "{} behind {}", second, cut);
    }
}
