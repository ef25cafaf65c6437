//! `ease`, and slopes from tension, continuity and bias.

use dopesheet_curve::{Tcb, TcbKey, ease, hermite, tcb_slopes};
use proptest::prelude::*;

const fn dials(tension: f64, continuity: f64, bias: f64) -> Tcb {
    Tcb { tension, continuity, bias }
}

fn key(time: f64, value: f64, tcb: Tcb) -> TcbKey<1> {
    TcbKey { time, value: [value], tcb }
}

fn plain(points: &[(f64, f64)]) -> Vec<TcbKey<1>> {
    points.iter().map(|(time, value)| key(*time, *value, Tcb::default())).collect()
}

/// Arriving and leaving.
fn slopes(keys: &[TcbKey<1>], n: usize) -> [f64; 2] {
    let handles = tcb_slopes(keys, n);
    [handles.arriving[0], handles.leaving[0]]
}

#[test]
fn ease_has_the_values_worked_out_by_hand() {
    let table = [
        (0.25, 0.5, 0.5, 0.125),
        (0.5, 0.5, 0.5, 0.5),
        (0.75, 0.5, 0.5, 0.875),
        (0.1, 0.25, 0.5, 0.032),
        (0.25, 0.25, 0.5, 0.2),
        (0.5, 0.25, 0.5, 0.6),
        (0.75, 0.25, 0.5, 0.9),
        (0.5, 1.0, 0.0, 0.25),
        (0.5, 0.0, 1.0, 0.75),
        (0.25, 1.0, 1.0, 0.125),
        (0.3, 0.0, 0.0, 0.3),
    ];
    for (u, a, b, expected) in table {
        assert!((ease(u, a, b) - expected).abs() <= 1e-15, "({u}, {a}, {b})");
    }
}

#[test]
fn ease_is_exact_at_both_ends_and_reads_odd_numbers_as_the_nearest_fraction() {
    let odd = [
        f64::NAN,
        f64::NEG_INFINITY,
        -0.5,
        -0.0,
        0.0,
        5e-324,
        1e-300,
        0.4,
        1.0,
        3.0,
        f64::MAX,
        f64::INFINITY,
    ];
    let near = |v: f64| if v.is_nan() { 0.0 } else { v.clamp(0.0, 1.0) };
    for a in odd {
        for b in odd {
            assert_eq!([f64::NAN, -1.0, 0.0, 1.0, 7.0].map(|u| ease(u, a, b)), [0.0, 0.0, 0.0, 1.0, 1.0]);
            for u in [5e-324, 1e-308, 0.3, 0.5, 1.0_f64.next_down()] {
                let got = ease(u, a, b);
                assert!((0.0..=1.0).contains(&got), "({u:e}, {a:e}, {b:e}): {got}");
                assert_eq!(got, ease(u, near(a), near(b)));
            }
        }
    }
}

#[test]
fn slopes_without_dials_are_those_of_catmull_and_rom() {
    let squares = plain(&[(0.0, 0.0), (1.0, 1.0), (2.0, 4.0), (3.0, 9.0)]);
    let expected = [[0.0, 0.5], [2.0, 2.0], [4.0, 4.0], [5.5, 0.0]];
    for (n, expected) in expected.into_iter().enumerate() {
        assert_eq!(slopes(&squares, n), expected, "key {n}");
    }
}

/// Computed by an independent program and stored as `f32` in a file of MORE (Myst IV: Revelation) made for tests.
#[test]
fn slopes_are_those_of_an_independent_program() {
    let keys = [
        key(0.0, -1.48711002, dials(0.661494374, 0.718386948, 0.199605018)),
        key(0.474999994, 0.240463033, dials(0.207074478, 0.0914952755, -0.73599118)),
        key(1.06666672, 2.82039595, dials(0.373156011, 0.354458869, -0.154302701)),
        key(1.2833333, 0.712421298, dials(-0.102287561, 0.0553447567, -0.480695039)),
        key(2.0, 2.93962288, dials(0.765085757, -0.621675551, -0.44418627)),
    ];
    let expected = [
        [0.0, 0.556711733],
        [1.89348722, 1.99047029],
        [-0.768650889, 0.303970367],
        [0.66593349, 1.62693429],
        [0.593707025, 0.0],
    ];
    for (n, expected) in expected.into_iter().enumerate() {
        let got = slopes(&keys, n);
        assert!((0..2).all(|i| (got[i] - expected[i]).abs() < 2e-7), "key {n}: {got:?}");
    }
}

#[test]
fn two_keys_make_a_straight_line_and_one_key_none() {
    let pair = [key(0.0, 1.0, dials(0.25, 0.5, -0.5)), key(3.0, 5.0, dials(0.5, 0.1, 0.1))];
    assert_eq!([slopes(&pair, 0), slopes(&pair, 1)], [[0.0, 3.0], [2.0, 0.0]]);
    let [from, to] = [plain(&[(0.0, 1.0)]), plain(&[(0.0, 1.0), (1.0, 3.0)])];
    assert_eq!(slopes(&from, 0), [0.0; 2]);
    let [[_, leaving], [arriving, _]] = [slopes(&to, 0), slopes(&to, 1)];
    assert_eq!(hermite(1.0, leaving, 3.0, arriving, 0.25), 1.5);
}

#[test]
fn keys_that_are_not_there_have_no_slopes() {
    let keys = plain(&[(0.0, 1.0), (1.0, 2.0), (2.0, 4.0)]);
    for n in [3, 4, usize::MAX] {
        assert_eq!(slopes(&keys, n), [0.0; 2]);
    }
    assert_eq!(slopes(&[], 0), [0.0; 2]);
}

#[test]
fn keys_at_one_time_have_slopes() {
    let jump = plain(&[(0.0, 0.0), (1.0, 1.0), (1.0, 5.0), (2.0, 6.0)]);
    assert_eq!([slopes(&jump, 1), slopes(&jump, 2)], [[5.0, 0.0], [0.0, 5.0]]);
    let at_once = plain(&[(1.0, 0.0), (1.0, 1.0), (1.0, 4.0)]);
    assert_eq!(slopes(&at_once, 1), [2.0; 2]);
}

#[test]
fn every_dial_does_what_its_name_says() {
    let with = |tcb| {
        let keys = [key(0.0, 0.0, tcb), key(1.0, 1.0, tcb), key(2.0, 3.0, tcb)];
        slopes(&keys, 1)
    };
    assert_eq!(with(dials(1.0, 0.0, 0.0)), [0.0; 2]);
    assert_eq!(with(dials(-1.0, 0.0, 0.0)), [3.0; 2]);
    assert_eq!(with(dials(0.0, 0.0, 1.0)), [1.0; 2]);
    assert_eq!(with(dials(0.0, 0.0, -1.0)), [2.0; 2]);
    assert_eq!(with(dials(0.0, -1.0, 0.0)), [1.0, 2.0]);
    assert_eq!(with(dials(0.0, 1.0, 0.0)), [2.0, 1.0]);
}

#[test]
fn no_input_panics() {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 0.0, -1.0];
    for a in odd {
        for b in odd {
            let keys = [key(a, b, dials(a, b, a)), key(b, a, dials(b, b, a)), key(0.0, 1.0, Tcb::default())];
            for n in 0..4 {
                slopes(&keys, n);
            }
        }
    }
}

fn fraction() -> impl Strategy<Value = f64> {
    prop_oneof![4 => 0.0..=1.0, 1 => Just(0.0), 1 => Just(1.0), 1 => (0.0..16.0_f64).prop_map(|e| 10.0_f64.powf(-e))]
}

fn dial() -> impl Strategy<Value = f64> {
    prop_oneof![3 => -1.0..=1.0, 1 => Just(0.0), 1 => Just(-1.0), 1 => Just(1.0)]
}

fn random_keys() -> impl Strategy<Value = Vec<TcbKey<1>>> {
    let row = ((0.01..4.0_f64, -100.0..100.0_f64), [dial(), dial(), dial()]);
    prop::collection::vec(row, 3..7).prop_map(|rows| {
        let mut time = -2.0;
        let at = |((gap, value), [t, c, b]): ((f64, f64), [f64; 3])| {
            time += gap;
            key(time, value, dials(t, c, b))
        };
        rows.into_iter().map(at).collect()
    })
}

/// The formula as printed, for keys inside the curve.
fn textbook(keys: &[TcbKey<1>], n: usize) -> [f64; 2] {
    let (before, here, after) = (keys[n - 1], keys[n], keys[n + 1]);
    let Tcb { tension: t, continuity: c, bias: b } = here.tcb;
    let h = (after.time - before.time) / 2.0;
    let f = |side: f64| side / h + c.abs() * (1.0 - side / h);
    let (d0, d1) = (here.value[0] - before.value[0], after.value[0] - here.value[0]);
    [
        0.5 * (1.0 - t)
            * f(here.time - before.time)
            * ((1.0 - c) * (1.0 + b) * d0 + (1.0 + c) * (1.0 - b) * d1),
        0.5 * (1.0 - t)
            * f(after.time - here.time)
            * ((1.0 + c) * (1.0 + b) * d0 + (1.0 - c) * (1.0 - b) * d1),
    ]
}

fn largest_step(keys: &[TcbKey<1>]) -> f64 {
    keys.windows(2).map(|w| (w[1].value[0] - w[0].value[0]).abs()).fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(10_000)))]

    #[test]
    fn ease_is_the_formula_as_printed(u in fraction(), [a, b] in [fraction(), fraction()]) {
        let sum = a + b;
        let [a, b] = if sum > 1.0 { [a / sum, b / sum] } else { [a, b] };
        let k = 1.0 / (2.0 - a - b);
        let expected = match u {
            _ if a + b == 0.0 => u,
            u if u < a => k / a * u * u,
            u if u < 1.0 - b => k * (2.0 * u - a),
            _ if b == 0.0 => u,
            u => 1.0 - k / b * (1.0 - u) * (1.0 - u),
        };
        prop_assert!((ease(u, a, b) - expected).abs() <= 7e-16);
    }

    #[test]
    fn ease_never_runs_backwards_nor_jumps([u, v] in [fraction(), fraction()], [a, b] in [fraction(), fraction()]) {
        let (early, late) = (ease(u.min(v), a, b), ease(u.max(v), a, b));
        prop_assert!(early <= late + 4e-16);
        // The steepest part has slope 2k, which is at most 2.
        prop_assert!(late - early <= 2.0 * (u - v).abs() + 4e-16);
    }

    #[test]
    fn ease_backwards_swaps_its_shares(u in 0.0..=1.0, [a, b] in [fraction(), fraction()]) {
        prop_assert!((ease(u, a, b) + ease(1.0 - u, b, a) - 1.0).abs() <= 7e-16);
    }

    #[test]
    fn inner_slopes_are_the_formula_as_printed(keys in random_keys()) {
        for n in 1..keys.len() - 1 {
            let (got, expected) = (slopes(&keys, n), textbook(&keys, n));
            prop_assert!((0..2).all(|i| (got[i] - expected[i]).abs() <= 8e-15 * largest_step(&keys)));
        }
    }

    /// Second derivative of the cubic at its start: −6·v0 − 4·m0 + 6·v1 − 2·m1.
    #[test]
    fn curvature_vanishes_at_the_ends_without_tension(keys in random_keys()) {
        let mut keys = keys;
        let last = keys.len() - 1;
        (keys[0].tcb.tension, keys[last].tcb.tension) = (0.0, 0.0);
        let bend = |from: usize, to: usize, leaving: f64, arriving: f64| {
            6.0 * (keys[to].value[0] - keys[from].value[0]) - 4.0 * leaving - 2.0 * arriving
        };
        let start = bend(0, 1, slopes(&keys, 0)[1], slopes(&keys, 1)[0]);
        let end = bend(last - 1, last, slopes(&keys, last)[0], slopes(&keys, last - 1)[1]);
        prop_assert!(start.abs().max(end.abs()) <= 1e-13 * largest_step(&keys).max(1.0));
    }

    #[test]
    fn slopes_of_a_vector_are_those_of_its_numbers(keys in random_keys()) {
        let wide: Vec<TcbKey<3>> =
            keys.iter().map(|k| TcbKey { time: k.time, value: [k.value[0], 2.0 * k.value[0], 0.0], tcb: k.tcb }).collect();
        for n in 0..keys.len() {
            let (one, three) = (slopes(&keys, n), tcb_slopes(&wide, n));
            prop_assert_eq!(three.arriving, [one[0], 2.0 * one[0], 0.0]);
            prop_assert_eq!(three.leaving, [one[1], 2.0 * one[1], 0.0]);
        }
    }
}
