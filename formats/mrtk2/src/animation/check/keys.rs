//! Checks of curves and their keys.

use super::faults::{fault_at, fault_in_key};
use super::{DocumentCheck, Placed};
use crate::animation::document::Keyframe;
use crate::animation::layout::{POST_WRAP, key as field};
use crate::animation::{codes, wrap};
use dopesheet_core::format::Check;
use dopesheet_core::order::by_number;

pub(super) fn check(look: &mut DocumentCheck<'_>) {
    wrap_modes(look, codes::UNKNOWN_WRAP_MODE, "0, 1, 2, 4 or 8", wrap::is_unknown);
    wrap_modes(look, codes::WRAP_MODE_COMBINATION, "one of 1, 2, 4 and 8", wrap::is_combined);
    wrap_mode_once(look);
    let keys: Vec<Vec<Keyframe>> = look.curves.iter().map(Placed::keys).collect();
    let time: [Field; 1] = [(field::TIME, |_, key| not_finite(key.time))];
    fields(look, &keys, codes::NON_FINITE_TIME, "a finite time", &time);
    times(look);
    let time: [Field; 1] = [(field::TIME, |_, key| Some(key.time).filter(|time| *time < 0.0))];
    fields(look, &keys, codes::NEGATIVE_TIME, "a time of 0 or more", &time);
    let value: [Field; 1] = [(field::VALUE, |_, key| not_finite(key.value))];
    fields(look, &keys, codes::NON_FINITE_VALUE, "a finite value", &value);
    let value: [Field; 1] = [(field::VALUE, |curve, key| {
        Some(key.value).filter(|value| *value != 0.0 && *value != 1.0 && curve.name.is_switch())
    })];
    fields(look, &keys, codes::BOOL_VALUE, "0 or 1", &value);
    let tangents: [Field; 2] = [
        (field::IN_TANGENT, |_, key| Some(key.in_tangent).filter(|tangent| tangent.is_nan())),
        (field::OUT_TANGENT, |_, key| Some(key.out_tangent).filter(|tangent| tangent.is_nan())),
    ];
    fields(look, &keys, codes::NON_FINITE_TANGENT, "a number", &tangents);
    weighted_modes(look, &keys);
    let weights: [Field; 2] = [
        (field::IN_WEIGHT, |_, key| in_weight(key).and_then(not_finite)),
        (field::OUT_WEIGHT, |_, key| out_weight(key).and_then(not_finite)),
    ];
    fields(look, &keys, codes::NON_FINITE_WEIGHT, "a finite weight", &weights);
    let weights: [Field; 2] = [
        (field::IN_WEIGHT, |_, key| in_weight(key).filter(is_outside)),
        (field::OUT_WEIGHT, |_, key| out_weight(key).filter(is_outside)),
    ];
    fields(look, &keys, codes::WEIGHT_OUT_OF_RANGE, "a weight in 0..=1", &weights);
}

/// Reports the wrap modes that fail a test.
fn wrap_modes(look: &mut DocumentCheck<'_>, check: Check, expected: &'static str, is_fault: fn(i32) -> bool) {
    for placed in &look.curves {
        let wrap = placed.curve.wrap();
        let modes = [("wrap before", wrap.before, 0), ("wrap after", wrap.after, POST_WRAP)];
        for (field, mode, offset) in modes.into_iter().filter(|(_, mode, _)| is_fault(*mode)) {
            let path = || format!("{}.{field}", placed.name);
            look.seen.add(check, || fault_at(placed.start + offset, path(), expected, mode.to_string()));
        }
    }
}

/// Reports modes that the published document describes by their effect on a clip.
pub(super) fn wrap_mode_once(look: &mut DocumentCheck<'_>) {
    let expected = "2, 4 or 8 (a curve holds its ends for 1, \"once\", as for 8)";
    wrap_modes(look, codes::WRAP_MODE_ONCE, expected, |mode| mode == wrap::ONCE);
}

/// A field of a key, and a function that yields the field's number if it is a fault.
type Field = ((&'static str, usize), fn(&Placed<'_>, &Keyframe) -> Option<f32>);

/// Reports the faulty fields of keys.
fn fields(
    look: &mut DocumentCheck<'_>,
    keys: &[Vec<Keyframe>],
    check: Check,
    expected: &'static str,
    fields: &[Field],
) {
    for (placed, keys) in look.curves.iter().zip(keys) {
        for (index, key) in keys.iter().enumerate() {
            for (field, fault) in fields {
                if let Some(number) = fault(placed, key) {
                    let actual = || number.to_string();
                    look.seen.add(check, || fault_in_key(placed, index, *field, expected, actual()));
                }
            }
        }
    }
}

fn not_finite(number: f32) -> Option<f32> {
    Some(number).filter(|number| !number.is_finite())
}

fn is_outside(weight: &f32) -> bool {
    weight.is_finite() && !(0.0..=1.0).contains(weight)
}

/// The weights in use.
fn in_weight(key: &Keyframe) -> Option<f32> {
    key.uses_in_weight().then_some(key.in_weight)
}

/// As [`in_weight`].
fn out_weight(key: &Keyframe) -> Option<f32> {
    key.uses_out_weight().then_some(key.out_weight)
}

fn weighted_modes(look: &mut DocumentCheck<'_>, keys: &[Vec<Keyframe>]) {
    for (placed, keys) in look.curves.iter().zip(keys) {
        for (index, key) in keys.iter().enumerate() {
            if !(0..=3).contains(&key.weighted_mode) {
                let actual = || key.weighted_mode.to_string();
                let fault = || fault_in_key(placed, index, field::WEIGHTED_MODE, "0 to 3", actual());
                look.seen.add(codes::UNKNOWN_WEIGHTED_MODE, fault);
            }
        }
    }
}

/// Times that decrease, and equal times.
fn times(look: &mut DocumentCheck<'_>) {
    for placed in &look.curves {
        let times: Vec<f32> = placed.curve.times().collect();
        for (index, pair) in times.windows(2).enumerate().filter(|(_, pair)| pair[1] < pair[0]) {
            let (expected, actual) =
                ("a time after that of the previous key", || format!("{} after {}", pair[1], pair[0]));
            let fault = || fault_in_key(placed, index + 1, field::TIME, expected, actual());
            look.seen.add(codes::UNSORTED_KEYS, fault);
        }
    }
    for placed in &look.curves {
        let mut times: Vec<(f32, usize)> = placed.curve.times().zip(0..).collect();
        by_number(&mut times, |(time, _)| (*time).into());
        for pair in times.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            let actual = || format!("{} twice", pair[1].0);
            let fault = || fault_in_key(placed, pair[1].1, field::TIME, "a time of its own", actual());
            look.seen.add(codes::DUPLICATE_KEY_TIME, fault);
        }
    }
}
