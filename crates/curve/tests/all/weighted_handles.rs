//! `weighted_bezier`: golden values, the curves it contains, bounds, and every input that is not a curve.

use dopesheet_curve::{WeightedEnd, hermite, lerp, split_weighted_bezier, weighted_bezier};
use proptest::prelude::*;

const THIRD: f64 = WeightedEnd::UNUSED_WEIGHT;

const fn end(value: f64, slope: f64, weight: f64) -> WeightedEnd {
    WeightedEnd { value, slope, weight }
}

/// From 1 with slope 2 to 5 with slope −3.
fn bow(p: f64, q: f64, u: f64) -> f64 {
    weighted_bezier(end(1.0, 2.0, p), end(5.0, -3.0, q), u)
}

/// Both handles on the diagonal, where the value is the time itself.
fn diagonal(p: f64, q: f64, u: f64) -> f64 {
    weighted_bezier(end(0.0, 1.0, p), end(1.0, 1.0, q), u)
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most: f64, v| most.max(v.abs()))
}

const TIMES: [f64; 6] = [0.001, 0.1, 0.25, 0.5, 0.75, 0.9];

/// Weights p and q and the values of [`bow`] at [`TIMES`]: the smallest root by bisection with sixty digits.
const SIXTY_DIGITS: [(f64, f64, [f64; 6]); 15] = [
    (
        0.2,
        0.7,
        [
            1.0020458422859644,
            1.6310694276250677,
            3.3282041066511323,
            5.090299208490677,
            5.455207092145026,
            5.256897441262997,
        ],
    ),
    (
        1.0,
        1.0,
        [
            1.0020023357438317,
            1.2261015197874614,
            1.7025847405272199,
            4.875,
            5.685063290919893,
            5.292246445164713,
        ],
    ),
    (
        0.0,
        0.5,
        [
            1.0108779278092135,
            1.9611434746417726,
            3.145029570115752,
            4.553536997030301,
            5.222184456710632,
            5.210555374721059,
        ],
    ),
    (
        0.75,
        0.0,
        [
            1.0020011855365074,
            1.212219528683945,
            1.5802687443021943,
            2.3538290724795825,
            3.403865508556926,
            4.248026396003919,
        ],
    ),
    (
        0.9,
        0.95,
        [
            1.0020027808557006,
            1.231347398681819,
            1.748667908236613,
            5.40481931209555,
            5.662515547592338,
            5.289358003911586,
        ],
    ),
    (
        1.0,
        0.0,
        [
            1.0020006669631358,
            1.2069814892830542,
            1.5471091266580599,
            2.2202368503153807,
            3.118898422047701,
            3.9073391859808697,
        ],
    ),
    (
        1.5,
        0.2,
        [
            1.0020004446574695,
            1.2046713904136723,
            1.5317240174769895,
            2.150491278712741,
            2.933972965576125,
            3.6045281732319627,
        ],
    ),
    (
        0.2,
        1.5,
        [
            1.0020802490288108,
            5.961680910726489,
            6.3385016055081005,
            6.191338430849947,
            5.685876796313124,
            5.2906207706345505,
        ],
    ),
    (
        2.0,
        2.0,
        [
            1.0020010006765052,
            1.210740013978642,
            1.5760596814958818,
            2.408588993047995,
            5.768235214400813,
            5.30264538306382,
        ],
    ),
    (
        -0.5,
        0.3,
        [
            1.9711458076475885,
            2.4915217139887567,
            3.1828157790805003,
            4.153509374329564,
            4.871908190535847,
            5.088209589886173,
        ],
    ),
    (
        0.3,
        -0.5,
        [
            1.0019981651325596,
            1.190537612421856,
            1.4699305172224242,
            1.9626343590254265,
            2.5323011948289404,
            2.950773874128549,
        ],
    ),
    (
        1000000.0,
        0.0,
        [
            1.002,
            1.2000000000000066,
            1.5000000000000417,
            2.0000000000001665,
            2.500000000000375,
            2.80000000000054,
        ],
    ),
    (
        0.0,
        1000000.0,
        [
            7.996999999997671,
            7.69999999999811,
            7.249999999998687,
            6.4999999999994165,
            5.749999999999854,
            5.299999999999977,
        ],
    ),
    (
        1000000.0,
        1000000.0,
        [
            1.0020000000016667,
            1.2000000166666762,
            1.5000001041667517,
            2.0000004166671808,
            2.500000937501547,
            2.800001350002565,
        ],
    ),
    (
        -1000000.0,
        -1000000.0,
        [
            -1874996.7505014155,
            -1874996.8000012666,
            -1874996.8750009167,
            -1874997.0,
            -1874997.1249986666,
            -1874997.1999976668,
        ],
    ),
];

/// Segments of keys `[time, value, tangent, weight]`, a time in seconds and the value there, computed by an independent
/// program from files of MRTK2's input recorder.
const RECORDED: [([[f64; 4]; 2], f64, f64); 8] = [
    (
        // Neither weight is used.
        [
            [0.0, 1.5779026746749878, 2.9809060096740723, THIRD],
            [0.800000011920929, -1.5181317329406738, 2.516660451889038, THIRD],
        ],
        0.59375,
        -1.1751641369041137,
    ),
    (
        // The first key's weight is used, the second's not.
        [
            [0.0, 0.529289186000824, 1.6975823640823364, 0.04798441007733345],
            [0.800000011920929, -0.6656430959701538, -0.35849860310554504, THIRD],
        ],
        0.1875,
        0.22790961399974324,
    ),
    (
        [
            [0.0, -0.16916444897651672, 2.681647539138794, THIRD],
            [0.800000011920929, -0.5765078663825989, 1.4993635416030884, 0.1495625376701355],
        ],
        0.3125,
        -0.007340922328474636,
    ),
    ([[0.0, -0.5, 2.0, 0.0], [1.5, 1.25, -1.0, 0.0]], 0.3125, -0.13541666666666657),
    ([[0.0, -0.5, 2.0, 1.0], [1.5, 1.25, -1.0, 1.0]], 0.59375, 0.9988080774817831),
    ([[0.0, -0.5, 2.0, 0.0], [1.5, 1.25, -1.0, 1.0]], 0.046875, 0.2173225160431217),
    ([[0.0, -0.5, 2.0, 1.0], [1.5, 1.25, -1.0, 0.0]], 0.59375, 0.6070893852588398),
    (
        [[0.0, -0.5, 2.0, 0.9990000128746033], [1.5, 1.25, -1.0, 0.0010000000474974513]],
        0.59375,
        0.6071832155345609,
    ),
];

#[test]
fn results_are_those_of_sixty_digit_solutions() {
    for (p, q, expected) in SIXTY_DIGITS {
        for (u, expected) in TIMES.into_iter().zip(expected) {
            let got = bow(p, q, u);
            assert!((got - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{p}, {q} at {u}: {got}");
        }
    }
}

#[test]
fn recorded_curves_are_played_as_an_independent_program_plays_them() {
    for ([from, to], time, expected) in RECORDED {
        let length = to[0] - from[0];
        let side = |[_, value, slope, weight]: [f64; 4]| end(value, slope * length, weight);
        let got = weighted_bezier(side(from), side(to), (time - from[0]) / length);
        assert!((got - expected).abs() < 1e-14, "{from:?} to {to:?} at {time}: {got}");
    }
}

/// X(t) = ½ + 4(t − ½)³.
#[test]
fn the_vertical_curve_is_followed_through_its_middle() {
    let exact = |u: f64| {
        let t = 0.5 + ((u - 0.5) / 4.0).cbrt();
        hermite(1.0, 6.0, 5.0, -9.0, t)
    };
    for exponent in 4..=16 {
        let offset = 10.0_f64.powi(-exponent);
        let bound = if exponent <= 6 { 2e-11 } else { 1e-4 };
        for u in [0.5 - offset, 0.5 + offset] {
            assert!((bow(1.0, 1.0, u) - exact(u)).abs() <= bound, "{u}");
        }
    }
    assert_eq!(bow(1.0, 1.0, 0.5), 4.875);
}

#[test]
fn a_weight_of_a_million_is_a_step_at_its_end() {
    for n in 1..1000 {
        let u = f64::from(n) / 1000.0;
        let held = weighted_bezier(end(0.0, 0.0, 1e6), end(1.0, 0.0, 0.0), u);
        assert!(held < 2e-12, "{held} at {u}");
        let jumped = weighted_bezier(end(0.0, 0.0, 0.0), end(1.0, 0.0, 1e6), u);
        assert!(jumped > 1.0 - 2e-12, "{jumped} at {u}");
    }
}

#[test]
fn an_infinite_slope_holds_the_first_value_up_to_the_second_key() {
    let slopes = [f64::INFINITY, f64::NEG_INFINITY];
    for slope in slopes {
        for weight in [0.0, THIRD, 1.0, 1e6, -1e6, f64::NAN, f64::INFINITY] {
            for u in [0.0, f64::MIN_POSITIVE, 0.5, 1.0_f64.next_down()] {
                assert_eq!(weighted_bezier(end(2.0, slope, weight), end(3.0, 1.0, weight), u), 2.0);
                assert_eq!(weighted_bezier(end(2.0, 1.0, weight), end(3.0, slope, weight), u), 2.0);
            }
            assert_eq!(weighted_bezier(end(2.0, slope, weight), end(3.0, slope, weight), 1.0), 3.0);
        }
    }
}

#[test]
fn numbers_that_are_none_count_as_documented() {
    for u in [0.2, 0.7] {
        for weight in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(bow(weight, weight, u), bow(THIRD, THIRD, u));
        }
        let level = weighted_bezier(end(1.0, f64::NAN, 0.2), end(5.0, f64::NAN, 0.9), u);
        assert_eq!(level, weighted_bezier(end(1.0, 0.0, 0.2), end(5.0, 0.0, 0.9), u));
    }
    for (u, expected) in
        [(f64::NAN, 1.0), (-1.0, 1.0), (f64::NEG_INFINITY, 1.0), (1.5, 5.0), (f64::INFINITY, 5.0)]
    {
        assert_eq!(bow(0.4, 0.9, u), expected);
    }
}

#[test]
fn every_input_gives_a_number_between_finite_values() {
    let odd =
        [0.0, -0.0, THIRD, 1.0, -0.5, 5e-324, 1e6, -1e6, 1e300, -1e300, f64::MAX, f64::INFINITY, f64::NAN];
    for p in odd {
        for q in odd {
            for slope in odd {
                for u in [5e-324, 1e-9, 0.3, 0.5, 0.999, 1.0_f64.next_down()] {
                    for (m0, m1) in [(slope, 1.0), (1.0, slope), (slope, slope), (slope, -slope)] {
                        let got = weighted_bezier(end(1.0, m0, p), end(-2.0, m1, q), u);
                        assert!(got.is_finite(), "{p:e} {q:e} slopes {m0:e} {m1:e} at {u:e}: {got}");
                    }
                }
            }
        }
    }
}

#[test]
fn curves_change_smoothly_where_the_method_changes() {
    for u in [1e-6, 0.1, 0.5, 0.500001, 0.9, 1.0 - 1e-6] {
        for q in [0.0, 0.2, THIRD, 0.8] {
            assert!((bow(THIRD, q, u) - bow(THIRD + 1e-13, q, u)).abs() < 1e-12);
            assert!((bow(0.0, q, u) - bow(1e-15, q, u)).abs() < 2e-8, "{q} at {u}");
            assert!((bow(1.0, q, u) - bow(1.0 + 1e-13, q, u)).abs() < 1e-11, "{q} at {u}");
            assert!((bow(0.0, q, u) - bow(-1e-18, q, u)).abs() < 2e-8, "{q} at {u}");
        }
    }
}

#[test]
fn the_curve_has_no_steps() {
    for (p, q) in [(0.2, 0.7), (0.9, 0.9), (THIRD, 1.0), (0.0, 1.0), (0.0, 0.3)] {
        let mut before = 1.0;
        for n in 1..=100_000 {
            let now = bow(p, q, f64::from(n) / 100_000.0);
            assert!((now - before).abs() <= 0.07, "{p}, {q} at {n}");
            before = now;
        }
        assert_eq!(before, 5.0);
    }
}

/// Weights as an editor makes them, with the ends well represented.
fn share() -> impl Strategy<Value = f64> {
    prop_oneof![4 => 0.0..=1.0, 1 => Just(0.0), 1 => Just(1.0), 1 => Just(THIRD)]
}

/// Weights of damaged files too.
fn weight() -> impl Strategy<Value = f64> {
    prop_oneof![
        share(),
        -3.0..3.0,
        (0.0..6.0, any::<bool>())
            .prop_map(|(e, negative)| { 10.0_f64.powf(e) * if negative { -1.0 } else { 1.0 } })
    ]
}

fn time() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => 0.0..=1.0,
        1 => (0.0..16.0_f64).prop_map(|e| 10.0_f64.powf(-e)),
        1 => (0.0..16.0_f64).prop_map(|e| 1.0 - 10.0_f64.powf(-e)),
    ]
}

const VALUE: std::ops::Range<f64> = -1e4..1e4;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(20_000)))]

    #[test]
    fn unused_weights_are_hermite_bit_for_bit([v0, m0, v1, m1] in [VALUE, VALUE, VALUE, VALUE], u in time()) {
        prop_assert_eq!(weighted_bezier(end(v0, m0, THIRD), end(v1, m1, THIRD), u), hermite(v0, m0, v1, m1, u));
    }

    #[test]
    fn no_weights_are_a_straight_line([v0, m0, v1, m1] in [VALUE, VALUE, VALUE, VALUE], u in time()) {
        prop_assert_eq!(weighted_bezier(end(v0, m0, 0.0), end(v1, m1, 0.0), u), lerp(v0, v1, u));
    }

    #[test]
    fn on_the_diagonal_the_value_is_the_time([p, q] in [share(), share()], u in time()) {
        prop_assert!((diagonal(p, q, u) - u).abs() <= 1e-15);
    }

    #[test]
    fn on_the_diagonal_the_value_is_the_time_for_any_weights([p, q] in [weight(), weight()], u in time()) {
        let got = diagonal(p, q, u);
        prop_assert!((got - u).abs() <= 2e-15 * largest(&[1.0, p, q]), "{}", got);
    }

    #[test]
    fn both_ends_are_exact([v0, m0, v1, m1] in [VALUE, VALUE, VALUE, VALUE], [p, q] in [weight(), weight()]) {
        prop_assert_eq!(weighted_bezier(end(v0, m0, p), end(v1, m1, q), 0.0), v0);
        prop_assert_eq!(weighted_bezier(end(v0, m0, p), end(v1, m1, q), 1.0), v1);
    }

    #[test]
    fn points_of_the_curve_are_found([v0, m0, v1, m1] in [VALUE, VALUE, VALUE, VALUE], [p, q] in [0.0..0.99, 0.0..0.99], t in 0.0..=1.0) {
        let s = 1.0 - t;
        let bezier = |c: [f64; 4]| s * s * s * c[0] + 3.0 * s * s * t * c[1] + 3.0 * s * t * t * c[2] + t * t * t * c[3];
        let u = bezier([0.0, p, 1.0 - q, 1.0]);
        let expected = bezier([v0, v0 + p * m0, v1 - q * m1, v1]);
        let got = weighted_bezier(end(v0, m0, p), end(v1, m1, q), u);
        // Where time stands almost still at an end, the rounding of `u` alone moves the point.
        let slack = if (p > 1e-3 || t > 1e-3) && (q > 1e-3 || t < 0.999) { 1e-11 } else { 1e-5 };
        prop_assert!((got - expected).abs() <= slack * largest(&[v0, m0, v1, m1]), "{} for {}", got, expected);
    }

    /// Time runs forth to the first turn at t = p/(3p − 2), and back.
    #[test]
    fn the_first_of_several_places_counts([v0, m0, v1] in [VALUE, VALUE, VALUE], exponent in 0.0..6.0_f64, share in 0.0..0.95_f64) {
        let p = 10.0_f64.powf(exponent);
        // Not so far that time reaches the end.
        let t = share / (3.0 * p - 2.0);
        let s = 1.0 - t;
        let u = 3.0 * s * s * t * p + 3.0 * s * t * t + t * t * t;
        prop_assume!(u < 1.0);
        let expected = s * s * s * v0 + 3.0 * s * s * t * (v0 + p * m0) + (3.0 * s * t * t + t * t * t) * v1;
        let got = weighted_bezier(end(v0, m0, p), end(v1, 0.0, 0.0), u);
        prop_assert!((got - expected).abs() <= 1e-11 * largest(&[v0, v1, 3.0 * p * m0]), "{} for {}", got, expected);
    }

    #[test]
    fn a_curve_run_backwards_is_the_same([v0, m0, v1, m1] in [VALUE, VALUE, VALUE, VALUE], [p, q] in [0.0..0.99, 0.0..0.99], u in 0.5..=1.0) {
        let forth = weighted_bezier(end(v0, m0, p), end(v1, m1, q), u);
        let back = weighted_bezier(end(v1, -m1, q), end(v0, -m0, p), 1.0 - u);
        prop_assert!((forth - back).abs() <= 1e-11 * largest(&[v0, m0, v1, m1]));
    }

    #[test]
    fn the_curve_stays_within_its_handles([v0, m0, v1, m1] in [VALUE, VALUE, VALUE, VALUE], [p, q] in [share(), share()], u in time()) {
        let points = [v0, v0 + p * m0, v1 - q * m1, v1];
        let got = weighted_bezier(end(v0, m0, p), end(v1, m1, q), u);
        let slack = 4e-15 * largest(&[v0, v1, 3.0 * p * m0, 3.0 * q * m1]);
        prop_assert!(points.iter().any(|v| *v <= got + slack) && points.iter().any(|v| *v >= got - slack));
    }
}

#[test]
fn a_curve_that_is_upright_in_the_middle_can_be_split_there() {
    let (from, to) = (end(0.0, 1.0, 1.0), end(4.0, 1.0, 1.0));
    let [[a, b], [c, d]] = split_weighted_bezier(from, to, 0.5);
    assert_eq!((b.value, c.value), (2.0, 2.0));
    for u in [0.1, 0.4] {
        assert!((weighted_bezier(a, b, 2.0 * u) - weighted_bezier(from, to, u)).abs() < 1e-3);
        assert!((weighted_bezier(c, d, 2.0 * u) - weighted_bezier(from, to, 0.5 + u)).abs() < 1e-3);
    }
}

proptest! {
    #[test]
    fn both_halves_are_the_curve(
        [v0, m0, v1, m1] in [VALUE, VALUE, VALUE, VALUE], [p, q] in [0.0..0.999, 0.0..0.999],
        cut in 0.01..0.99_f64, u in 0.0..=1.0,
    ) {
        let (from, to) = (end(v0, m0, p), end(v1, m1, q));
        let [[a, b], [c, d]] = split_weighted_bezier(from, to, cut);
        let pulls = [v0, v1, 3.0 * p * m0, 3.0 * q * m1];
        let first = weighted_bezier(a, b, u) - weighted_bezier(from, to, cut * u);
        let second = weighted_bezier(c, d, u) - weighted_bezier(from, to, cut + (1.0 - cut) * u);
        prop_assert!(first.abs() <= 1e-9 * largest(&pulls), "{} before {}", first, cut);
        prop_assert!(second.abs() <= 1e-9 * largest(&pulls), "{} behind {}", second, cut);
    }
}
