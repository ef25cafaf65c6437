//! Fewer keys of the same law: drop those that straight segments pass closely enough.
//!
//! From a key that stays, every later key narrows a cone of directions in which a straight segment passes all of them;
//! the last key that still lies in the cone is the next one that stays. Rotations are looked at as rotation vectors from
//! the key that stays, in which the shorter great arc is straight; two rotations are never farther apart than their
//! vectors, so that the bound holds for them too. Each key is looked at once per key that stays before it, mostly once.

mod chain;
mod turn;

use crate::linearise::{Allowance, straight_law};
use chain::{Straight, Stretches, Way};
use dopesheet_core::model::{Blend, Curve, Property, Times, ValueKind};
use std::borrow::Cow;
use turn::Turn;

/// Most components of a value that can be reduced: more are left alone.
const MOST: usize = 16;

/// The keys of a curve that stay, ascending; `None` if all do or if its law is not straight.
///
/// The first and the last key stay, and so do both keys of a jump and all that are held. What is left out is passed
/// within the allowance: positions and rotations by their distance, other numbers one by one.
#[must_use]
pub fn reduce(curve: &Curve, property: &Property, allowance: &Allowance) -> Option<Curve> {
    let straight = straight_law(property);
    let is_straight = straight.blend != Blend::Step && curve.laws.all(|law| law == straight);
    if !is_straight || curve.width == 0 || curve.width > MOST || curve.len() < 3 {
        return None;
    }
    let kept = kept(curve, property, allowance);
    (kept.len() < curve.len()).then(|| with_keys(curve, &kept))
}

/// The keys that stay.
fn kept(curve: &Curve, property: &Property, allowance: &Allowance) -> Vec<usize> {
    let rotates = property.kind() == ValueKind::Rotation;
    let is_distance = rotates || property.kind() == ValueKind::Position;
    // A cube of this half edge lies within the ball.
    let bound = allowance.of(property) * if is_distance { 1.0 / 3f64.sqrt() } else { 1.0 };
    let times: Cow<'_, [f64]> = match &curve.times {
        Times::Seconds(times) => Cow::Borrowed(times),
        frames @ Times::Frames { .. } => frames.iter().map(|t| t.0).collect(),
    };
    match curve.width {
        4 if rotates => rows::<Turn, 4, 3>(curve, &times, bound),
        1 => rows::<Straight, 1, 1>(curve, &times, bound),
        3 => rows::<Straight, 3, 3>(curve, &times, bound),
        width => {
            // Components that are not there stay at 0, which every cone holds.
            let padded = |row: &[f32]| std::array::from_fn(|n| row.get(n).copied().unwrap_or_default());
            let values: Vec<[f32; MOST]> = curve.values.chunks_exact(width).map(padded).collect();
            Stretches::new(&times, &values, bound).kept::<Straight, MOST>()
        }
    }
}

/// The keys that stay where the width of the values is known.
fn rows<K: Way<W, N>, const W: usize, const N: usize>(
    curve: &Curve,
    times: &[f64],
    bound: f64,
) -> Vec<usize> {
    Stretches::new(times, curve.values.as_chunks::<W>().0, bound).kept::<K, N>()
}

/// Whether all keys of a curve are within the allowance of a value.
pub(crate) fn is_nearly(curve: &Curve, property: &Property, value: &[f32], allowance: &Allowance) -> bool {
    let to: Vec<f64> = value.iter().map(|x| f64::from(*x)).collect();
    let mut from = Vec::with_capacity(curve.width);
    curve.values.chunks_exact(curve.width.max(1)).all(|row| {
        from.clear();
        from.extend(row.iter().map(|x| f64::from(*x)));
        crate::measure::difference(property, &from, &to) <= allowance.of(property)
    })
}

/// A curve of straight segments with only these of its keys, ascending.
pub(crate) fn with_keys(curve: &Curve, kept: &[usize]) -> Curve {
    let times = match &curve.times {
        Times::Seconds(times) => Times::Seconds(picked(times, 1, kept).into()),
        Times::Frames { rate, frames } => {
            Times::Frames { rate: *rate, frames: picked(frames, 1, kept).into() }
        }
    };
    let values = picked(&curve.values, curve.width, kept);
    let made = Curve::new(times, curve.width, values, curve.laws.clone());
    Curve { before: curve.before.clone(), after: curve.after.clone(), jump: curve.jump, ..made }
}

/// These rows of a column, neighbours together.
fn picked<T: Copy>(column: &[T], width: usize, kept: &[usize]) -> Vec<T> {
    let mut picked = Vec::with_capacity(kept.len() * width);
    for run in kept.chunk_by(|key, next| key + 1 == *next) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        picked.extend_from_slice(column.get(first * width..(last + 1) * width).unwrap_or_default());
    }
    picked
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::model::{Law, Laws};

    const ALLOWANCE: Allowance = Allowance { value: 0.01, angle_rad: 0.01 };

    fn line(times: &[f64], values: &[f32]) -> Curve {
        Curve::new(Times::Seconds(times.into()), 1, values.to_vec(), Laws::uniform(Law::LINEAR))
    }

    fn kept(curve: &Curve) -> Vec<f64> {
        let reduced = reduce(curve, &Property::Weight, &ALLOWANCE);
        reduced.as_ref().unwrap_or(curve).times.iter().map(|t| t.0).collect()
    }

    #[test]
    fn keys_on_a_line_are_dropped() {
        assert_eq!(kept(&line(&[0.0, 1.0, 2.0, 3.0], &[0.0, 1.005, 2.0, 3.0])), [0.0, 3.0]);
    }

    #[test]
    fn keys_off_the_line_stay() {
        assert_eq!(kept(&line(&[0.0, 1.0, 2.0, 3.0], &[0.0, 1.02, 2.0, 3.0])), [0.0, 1.0, 3.0]);
    }

    #[test]
    fn both_keys_of_a_jump_stay() {
        let curve = line(&[0.0, 1.0, 2.0, 2.0, 3.0, 4.0], &[0.0, 0.0, 0.0, 5.0, 5.0, 5.0]);
        assert_eq!(kept(&curve), [0.0, 2.0, 2.0, 4.0]);
    }

    #[test]
    fn a_slow_drift_is_no_straight_line_to_its_end() {
        let values: Vec<f32> = (0..100).map(|n| (n as f32 / 10.0).sin()).collect();
        let times: Vec<f64> = (0..100).map(f64::from).collect();
        let curve = line(&times, &values);
        let reduced = reduce(&curve, &Property::Weight, &ALLOWANCE).unwrap();
        assert!(reduced.len() > 20 && reduced.len() < 60, "{} keys", reduced.len());
        let mut value = Vec::new();
        for (time, exact) in times.iter().zip(&values) {
            crate::curve_at(&reduced, dopesheet_core::units::Seconds(*time), crate::Side::At, &mut value);
            assert!((value[0] - f64::from(*exact)).abs() <= 0.01 + 1e-6);
        }
    }

    #[test]
    fn held_keys_stay() {
        let steps = Curve { laws: Laws::uniform(Law::STEP), ..line(&[0.0, 1.0, 2.0], &[0.0, 0.0, 0.0]) };
        assert!(reduce(&steps, &Property::Weight, &ALLOWANCE).is_none());
    }
}
