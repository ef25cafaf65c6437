//! Fewer keys of the same law: drop those that straight segments pass closely enough.
//!
//! From a key that stays, every later key narrows a cone of directions in which a straight segment passes all of them;
//! the last key that still lies in the cone is the next one that stays. Rotations are looked at as rotation vectors from
//! the key that stays, in which the shorter great arc is straight; two rotations are never farther apart than their
//! vectors, so that the bound holds for them too. Each key is looked at once per key that stays before it, mostly once.

use crate::linearise::{Allowance, straight_law};
use dopesheet_core::model::{Blend, Curve, Property, Times, ValueKind};

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
    let mut reducer = Reducer::new(curve, property, allowance);
    let kept = reducer.keys();
    (kept.len() < curve.len()).then(|| with_keys(curve, &kept))
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

fn with_keys(curve: &Curve, kept: &[usize]) -> Curve {
    let times = match &curve.times {
        Times::Seconds(times) => {
            Times::Seconds(kept.iter().filter_map(|key| times.get(*key)).copied().collect())
        }
        Times::Frames { rate, frames } => Times::Frames {
            rate: *rate,
            frames: kept.iter().filter_map(|key| frames.get(*key)).copied().collect(),
        },
    };
    let values = kept.iter().filter_map(|key| curve.value(*key)).flatten().copied().collect();
    Curve { times, values, ..curve.clone() }
}

struct Reducer<'a> {
    curve: &'a Curve,
    times: Vec<f64>,
    rotates: bool,
    /// What each component may be off.
    bound: f64,
    /// The slopes of the cone, lowest and highest, per component.
    cone: [(f64, f64); MOST],
}

impl<'a> Reducer<'a> {
    fn new(curve: &'a Curve, property: &Property, allowance: &Allowance) -> Self {
        let rotates = property.kind() == ValueKind::Rotation;
        let is_distance = rotates || property.kind() == ValueKind::Position;
        // A cube of this half edge lies within the ball.
        let bound = allowance.of(property) * if is_distance { 1.0 / 3f64.sqrt() } else { 1.0 };
        let times = curve.times.iter().map(|t| t.0).collect();
        Self { curve, times, rotates, bound, cone: [(0.0, 0.0); MOST] }
    }

    fn keys(&mut self) -> Vec<usize> {
        let last = self.times.len() - 1;
        let mut kept = vec![0];
        let mut start = 0;
        while start < last {
            start = self.farthest(start, last);
            kept.push(start);
        }
        kept
    }

    /// The last key that a straight segment from `start` may go to.
    fn farthest(&mut self, start: usize, last: usize) -> usize {
        let mut found = start + 1;
        if self.is_jump(start) {
            return found;
        }
        self.cone = [(f64::NEG_INFINITY, f64::INFINITY); MOST];
        for key in start + 1..=last {
            let span = self.times[key] - self.times[start];
            let offset = self.offset(start, key);
            let width = if self.rotates { 3 } else { self.curve.width };
            let components = self.cone.iter().zip(&offset).take(width);
            if components.clone().all(|((low, high), x)| (*low..=*high).contains(&(x / span))) {
                found = key;
            }
            if self.is_jump(key) {
                break;
            }
            let mut is_open = true;
            for ((low, high), x) in self.cone.iter_mut().zip(&offset).take(width) {
                *low = low.max((x - self.bound) / span);
                *high = high.min((x + self.bound) / span);
                is_open &= low <= high;
            }
            if !is_open {
                break;
            }
        }
        found
    }

    /// Whether the next key has the same time.
    fn is_jump(&self, key: usize) -> bool {
        self.times.get(key + 1).is_some_and(|next| *next <= self.times[key])
    }

    /// How far a key's value is from another's.
    fn offset(&self, start: usize, key: usize) -> [f64; MOST] {
        let mut offset = [0.0; MOST];
        let (from, to) =
            (self.curve.value(start).unwrap_or_default(), self.curve.value(key).unwrap_or_default());
        if let (true, Some(from), Some(to)) = (self.rotates, from.first_chunk::<4>(), to.first_chunk::<4>()) {
            let vector = rotation_vector(from.map(f64::from), to.map(f64::from));
            offset[..3].copy_from_slice(&vector);
            return offset;
        }
        for ((offset, from), to) in offset.iter_mut().zip(from).zip(to) {
            *offset = f64::from(*to) - f64::from(*from);
        }
        offset
    }
}

/// Axis times angle of the shorter rotation between two quaternions, as seen from the first.
fn rotation_vector(from: [f64; 4], to: [f64; 4]) -> [f64; 3] {
    let (from, to) = (glam::DQuat::from_array(from), glam::DQuat::from_array(to));
    let between = from.conjugate() * to;
    let vector = glam::DVec3::new(between.x, between.y, between.z);
    let vector = if between.w < 0.0 { -vector } else { vector };
    let sine = vector.length();
    // Below, angle / sine is 2 to within f64.
    if sine < 1e-9 {
        return (vector * 2.0).to_array();
    }
    (vector * (2.0 * sine.atan2(between.w.abs()) / sine)).to_array()
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
