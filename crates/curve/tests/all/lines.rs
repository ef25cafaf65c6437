//! `step`, `lerp` and the cubic forms: ends, bounds and agreement with the textbook formulas.

use dopesheet_curve::{bezier, hermite, hermite_per_second, lerp, step};
use proptest::prelude::*;

const VALUE: std::ops::Range<f64> = -1e4..1e4;

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most: f64, v| most.max(v.abs()))
}

/// The formula of the glTF specification, term by term.
fn textbook_hermite(p0: f64, m0: f64, p1: f64, m1: f64, u: f64) -> f64 {
    let (u2, u3) = (u * u, u * u * u);
    (2.0 * u3 - 3.0 * u2 + 1.0) * p0 + (u3 - 2.0 * u2 + u) * m0 + (-2.0 * u3 + 3.0 * u2) * p1 + (u3 - u2) * m1
}

#[test]
fn step_holds_until_the_end_of_the_segment() {
    for u in [f64::NEG_INFINITY, -1.0, 0.0, 0.5, 1.0_f64.next_down(), f64::NAN] {
        assert_eq!(step(1, 2, u), 1, "u = {u}");
    }
    for u in [1.0, 1.5, f64::INFINITY] {
        assert_eq!(step(1, 2, u), 2, "u = {u}");
    }
}

#[test]
fn lerp_is_continuous_across_its_middle() {
    let below = lerp(-3.0, 5.0, 0.5_f64.next_down());
    let at = lerp(-3.0, 5.0, 0.5);
    assert!((at - below).abs() < 1e-14);
}

#[test]
fn lerp_continues_the_line_outside_the_segment() {
    assert_eq!(lerp(10.0, 20.0, -0.5), 5.0);
    assert_eq!(lerp(10.0, 20.0, 2.0), 30.0);
}

/// Interval lengths, tangents and values with the results worked out by hand.
#[test]
fn cubic_spline_matches_values_worked_out_by_hand() {
    assert_eq!(hermite(0.0, 0.0, 1.0, 0.0, 0.5), 0.5);
    assert_eq!(hermite(0.0, 1.0, 0.0, 0.0, 0.5), 0.125);
    assert_eq!(hermite(0.0, 0.0, 0.0, 1.0, 0.5), -0.125);
    assert_eq!(hermite(2.0, 4.0, 6.0, -8.0, 0.25), 2.0 + 4.0 * 0.15625 + 0.5625 + 0.375);
    assert_eq!(hermite_per_second(2.0, 2.0, 6.0, -4.0, 2.0, 0.25), hermite(2.0, 4.0, 6.0, -8.0, 0.25));
}

#[test]
fn cubic_spline_of_no_duration_ignores_its_slopes() {
    assert_eq!(hermite_per_second(1.0, 1e9, 3.0, -1e9, 0.0, 0.5), 2.0);
}

#[test]
fn cubics_are_continuous_across_a_fine_sweep() {
    let points = [0.0, 40.0, -30.0, 1.0];
    // Slopes are three times the gaps between values and handles.
    let [p0, m0, p1, m1] = [0.0, 120.0, 1.0, 93.0];
    let mut before = [p0, p0];
    for n in 0..=10_000 {
        let u = f64::from(n) / 10_000.0;
        let now = [hermite(p0, m0, p1, m1, u), bezier(points, u)];
        // The steepest slope is 210 per segment.
        assert!((0..2).all(|k| (now[k] - before[k]).abs() <= 0.0211), "jump at {u}");
        before = now;
    }
    assert_eq!(before, [1.0, 1.0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(dopesheet_testkit::cases(4000)))]

    #[test]
    fn lerp_is_exact_at_both_ends_and_between_equal_values(a in VALUE, b in VALUE, u in 0.0..=1.0) {
        prop_assert_eq!(lerp(a, b, 0.0), a);
        prop_assert_eq!(lerp(a, b, 1.0), b);
        prop_assert_eq!(lerp(a, a, u), a);
    }

    #[test]
    fn lerp_stays_between_its_ends_and_near_the_formula(a in VALUE, b in VALUE, u in 0.0..=1.0) {
        let v = lerp(a, b, u);
        prop_assert!(v >= a.min(b) && v <= a.max(b));
        prop_assert!((v - ((1.0 - u) * a + u * b)).abs() <= 5e-16 * largest(&[a, b]));
    }

    #[test]
    fn lerp_never_turns_back(a in VALUE, b in VALUE, u in 0.0..=1.0, step in 0.0..=1.0) {
        let (from, to) = (lerp(a, b, u), lerp(a, b, u + (1.0 - u) * step));
        let slack = 5e-16 * largest(&[a, b]);
        prop_assert!((to - from) * (b - a).signum() >= -slack);
    }

    #[test]
    fn hermite_is_exact_at_both_ends_and_constant_when_level(
        [p0, m0, p1, m1] in [VALUE, VALUE, VALUE, VALUE], u in 0.0..=1.0,
    ) {
        prop_assert_eq!(hermite(p0, m0, p1, m1, 0.0), p0);
        prop_assert_eq!(hermite(p0, m0, p1, m1, 1.0), p1);
        prop_assert_eq!(hermite(p0, 0.0, p0, 0.0, u), p0);
    }

    #[test]
    fn hermite_is_the_textbook_polynomial([p0, m0, p1, m1] in [VALUE, VALUE, VALUE, VALUE], u in 0.0..=1.0) {
        let difference = hermite(p0, m0, p1, m1, u) - textbook_hermite(p0, m0, p1, m1, u);
        prop_assert!(difference.abs() <= 2e-15 * largest(&[p0, m0, p1, m1]));
    }

    #[test]
    fn hermite_leaves_and_arrives_with_its_slopes([p0, m0, p1, m1] in [VALUE, VALUE, VALUE, VALUE]) {
        let d = 1e-6;
        let slack = 1e-4 * largest(&[p0, m0, p1, m1]);
        prop_assert!(((hermite(p0, m0, p1, m1, d) - p0) / d - m0).abs() <= slack);
        prop_assert!(((p1 - hermite(p0, m0, p1, m1, 1.0 - d)) / d - m1).abs() <= slack);
    }

    #[test]
    fn hermite_and_its_bezier_form_are_the_same_curve(
        [p0, m0, p1, m1] in [VALUE, VALUE, VALUE, VALUE], u in 0.0..=1.0,
    ) {
        let points = [p0, p0 + m0 / 3.0, p1 - m1 / 3.0, p1];
        let size = largest(&[p0, m0, p1, m1]);
        prop_assert!((bezier(points, u) - hermite(p0, m0, p1, m1, u)).abs() <= 4e-15 * size);
    }

    #[test]
    fn bezier_is_exact_at_both_ends_and_stays_within_its_handles(
        points in [VALUE, VALUE, VALUE, VALUE], u in 0.0..=1.0,
    ) {
        prop_assert_eq!(bezier(points, 0.0), points[0]);
        prop_assert_eq!(bezier(points, 1.0), points[3]);
        let slack = 2e-15 * largest(&points);
        let v = bezier(points, u);
        prop_assert!(points.iter().any(|p| *p <= v + slack) && points.iter().any(|p| *p >= v - slack));
    }

    #[test]
    fn bezier_agrees_with_repeated_halving_of_its_polygon(
        points in [VALUE, VALUE, VALUE, VALUE], u in 0.0..=1.0,
    ) {
        let mut polygon = points;
        for count in (1..4).rev() {
            for n in 0..count {
                polygon[n] = lerp(polygon[n], polygon[n + 1], u);
            }
        }
        prop_assert!((bezier(points, u) - polygon[0]).abs() <= 2e-15 * largest(&points));
    }
}
