//! Checks of curves and their keys.

use super::faults::{fault_at, fault_in_key};
use super::{CheckFn, Placed, Subject};
use crate::animation::document::Keyframe;
use crate::animation::{codes, layout, wrap};
use dopesheet_core::diag::Report;
use dopesheet_core::format::Check;
use dopesheet_core::format::Sightings;
use dopesheet_core::order::by_number;

pub(super) const CHECKS: &[CheckFn] = &[
    unknown_wrap_mode,
    wrap_mode_combination,
    wrap_mode_once,
    non_finite_time,
    unsorted_keys,
    duplicate_key_time,
    negative_time,
    non_finite_value,
    bool_value,
    non_finite_tangent,
    unknown_weighted_mode,
    non_finite_weight,
    weight_out_of_range,
];

/// Reports the wrap modes that fail a test.
fn wrap_modes(
    subject: &Subject<'_>,
    check: Check,
    expected: &str,
    is_fault: fn(i32) -> bool,
    report: &mut Report,
) {
    let mut seen = Sightings::of(check);
    for placed in &subject.curves {
        let wrap = placed.curve.wrap();
        let modes = [("wrap before", wrap.before, 0), ("wrap after", wrap.after, layout::POST_WRAP)];
        for (field, mode, offset) in modes.into_iter().filter(|(_, mode, _)| is_fault(*mode)) {
            let path = format!("{}.{field}", placed.name);
            seen.add(|| fault_at(placed.start + offset, path, (expected, mode.to_string())));
        }
    }
    seen.report(report);
}

fn unknown_wrap_mode(subject: &Subject<'_>, report: &mut Report) {
    wrap_modes(subject, codes::UNKNOWN_WRAP_MODE, "0, 1, 2, 4 or 8", wrap::is_unknown, report);
}

fn wrap_mode_combination(subject: &Subject<'_>, report: &mut Report) {
    wrap_modes(subject, codes::WRAP_MODE_COMBINATION, "one of 1, 2, 4 and 8", wrap::is_combined, report);
}

/// Reports modes that the published document describes by their effect on a clip.
pub(super) fn wrap_mode_once(subject: &Subject<'_>, report: &mut Report) {
    let expected = "2, 4 or 8 (a curve holds its ends for 1, \"once\", as for 8)";
    wrap_modes(subject, codes::WRAP_MODE_ONCE, expected, |mode| mode == wrap::ONCE, report);
}

/// A field of a key, the text for its expected content, and a function that yields the field's number if it
/// is a fault.
type Field = ((&'static str, usize), &'static str, fn(&Keyframe) -> Option<f32>);

/// Reports the faulty fields in curves that pass a test.
fn fields(
    subject: &Subject<'_>,
    check: Check,
    fields: &[Field],
    applies: fn(&Placed<'_>) -> bool,
    report: &mut Report,
) {
    let mut seen = Sightings::of(check);
    for placed in subject.curves.iter().filter(|placed| applies(placed)) {
        for (index, key) in placed.keys().iter().enumerate() {
            for (field, expected, fault) in fields {
                if let Some(number) = fault(key) {
                    seen.add(|| fault_in_key(placed, index, *field, (expected, number.to_string())));
                }
            }
        }
    }
    seen.report(report);
}

const fn everywhere(_: &Placed<'_>) -> bool {
    true
}

fn is_switch(placed: &Placed<'_>) -> bool {
    placed.name.is_switch()
}

fn non_finite_time(subject: &Subject<'_>, report: &mut Report) {
    let time: Field = (layout::key::TIME, "a finite time", |key| Some(key.time).filter(|t| !t.is_finite()));
    fields(subject, codes::NON_FINITE_TIME, &[time], everywhere, report);
}

fn negative_time(subject: &Subject<'_>, report: &mut Report) {
    let time: Field = (layout::key::TIME, "a time of 0 or more", |key| Some(key.time).filter(|t| *t < 0.0));
    fields(subject, codes::NEGATIVE_TIME, &[time], everywhere, report);
}

fn non_finite_value(subject: &Subject<'_>, report: &mut Report) {
    let value: Field =
        (layout::key::VALUE, "a finite value", |key| Some(key.value).filter(|v| !v.is_finite()));
    fields(subject, codes::NON_FINITE_VALUE, &[value], everywhere, report);
}

fn bool_value(subject: &Subject<'_>, report: &mut Report) {
    let value: Field =
        (layout::key::VALUE, "0 or 1", |key| Some(key.value).filter(|v| *v != 0.0 && *v != 1.0));
    fields(subject, codes::BOOL_VALUE, &[value], is_switch, report);
}

fn non_finite_tangent(subject: &Subject<'_>, report: &mut Report) {
    let tangents: [Field; 2] = [
        (layout::key::IN_TANGENT, "a number", |key| Some(key.in_tangent).filter(|t| t.is_nan())),
        (layout::key::OUT_TANGENT, "a number", |key| Some(key.out_tangent).filter(|t| t.is_nan())),
    ];
    fields(subject, codes::NON_FINITE_TANGENT, &tangents, everywhere, report);
}

/// The weights in use.
const fn in_weight(key: &Keyframe) -> Option<f32> {
    if key.uses_in_weight() { Some(key.in_weight) } else { None }
}

/// As [`in_weight`].
const fn out_weight(key: &Keyframe) -> Option<f32> {
    if key.uses_out_weight() { Some(key.out_weight) } else { None }
}

fn non_finite_weight(subject: &Subject<'_>, report: &mut Report) {
    let weights: [Field; 2] = [
        (layout::key::IN_WEIGHT, "a finite weight", |key| in_weight(key).filter(|w| !w.is_finite())),
        (layout::key::OUT_WEIGHT, "a finite weight", |key| out_weight(key).filter(|w| !w.is_finite())),
    ];
    fields(subject, codes::NON_FINITE_WEIGHT, &weights, everywhere, report);
}

fn weight_out_of_range(subject: &Subject<'_>, report: &mut Report) {
    fn outside(weight: &f32) -> bool {
        weight.is_finite() && !(0.0..=1.0).contains(weight)
    }
    let weights: [Field; 2] = [
        (layout::key::IN_WEIGHT, "a weight in 0..=1", |key| in_weight(key).filter(outside)),
        (layout::key::OUT_WEIGHT, "a weight in 0..=1", |key| out_weight(key).filter(outside)),
    ];
    fields(subject, codes::WEIGHT_OUT_OF_RANGE, &weights, everywhere, report);
}

fn unknown_weighted_mode(subject: &Subject<'_>, report: &mut Report) {
    let mut seen = Sightings::of(codes::UNKNOWN_WEIGHTED_MODE);
    for placed in &subject.curves {
        for (index, key) in placed.keys().iter().enumerate() {
            if !(0..=3).contains(&key.weighted_mode) {
                let words = ("0 to 3", key.weighted_mode.to_string());
                seen.add(|| fault_in_key(placed, index, layout::key::WEIGHTED_MODE, words));
            }
        }
    }
    seen.report(report);
}

/// Reports pairs of neighbouring keys with times that fail a test.
fn neighbours(
    subject: &Subject<'_>,
    check: Check,
    expected: &str,
    is_fault: fn(f32, f32) -> bool,
    report: &mut Report,
) {
    let mut seen = Sightings::of(check);
    for placed in &subject.curves {
        let times: Vec<f32> = placed.curve.times().collect();
        for (index, pair) in times.windows(2).enumerate().filter(|(_, pair)| is_fault(pair[0], pair[1])) {
            let words = (expected, format!("{} after {}", pair[1], pair[0]));
            seen.add(|| fault_in_key(placed, index + 1, layout::key::TIME, words));
        }
    }
    seen.report(report);
}

fn unsorted_keys(subject: &Subject<'_>, report: &mut Report) {
    neighbours(subject, codes::UNSORTED_KEYS, "a time after that of the previous key", |a, b| b < a, report);
}

fn duplicate_key_time(subject: &Subject<'_>, report: &mut Report) {
    let mut seen = Sightings::of(codes::DUPLICATE_KEY_TIME);
    for placed in &subject.curves {
        let mut times: Vec<(f32, usize)> = placed.curve.times().zip(0..).collect();
        by_number(&mut times, |(time, _)| (*time).into());
        for pair in times.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            let words = ("a time of its own", format!("{} twice", pair[1].0));
            seen.add(|| fault_in_key(placed, pair[1].1, layout::key::TIME, words));
        }
    }
    seen.report(report);
}
