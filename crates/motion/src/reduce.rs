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
    let reducer = Reducer::new(curve, property, allowance);
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

/// A curve with only these of its keys.
pub(crate) fn with_keys(curve: &Curve, kept: &[usize]) -> Curve {
    let times = match &curve.times {
        Times::Seconds(times) => {
            Times::Seconds(kept.iter().filter_map(|key| times.get(*key)).copied().collect())
        }
        Times::Frames { rate, frames } => Times::Frames {
            rate: *rate,
            frames: kept.iter().filter_map(|key| frames.get(*key)).copied().collect(),
        },
    };
    let mut values = Vec::with_capacity(kept.len() * curve.width);
    kept.iter().filter_map(|key| curve.value(*key)).for_each(|value| values.extend_from_slice(value));
    Curve { times, values, ..curve.clone() }
}

/// The directions in which a straight segment from a key passes all keys looked at since.
struct Cone<const N: usize> {
    low: [f64; N],
    high: [f64; N],
}

impl<const N: usize> Cone<N> {
    const OPEN: Self = Self { low: [f64::NEG_INFINITY; N], high: [f64::INFINITY; N] };

    /// Whether it holds the way to a key.
    fn holds(&self, slope: &[f64; N]) -> bool {
        (0..N).all(|n| self.low[n] <= slope[n] && slope[n] <= self.high[n])
    }

    /// Narrows it to what passes a key by at most `slack`, as a slope too; yields whether anything is left.
    fn narrow(&mut self, slope: &[f64; N], slack: f64) -> bool {
        let mut is_open = true;
        for (n, slope) in slope.iter().enumerate() {
            self.low[n] = self.low[n].max(slope - slack);
            self.high[n] = self.high[n].min(slope + slack);
            is_open &= self.low[n] <= self.high[n];
        }
        is_open
    }
}

struct Reducer<'a> {
    curve: &'a Curve,
    times: Vec<f64>,
    rotates: bool,
    /// What each component may be off.
    bound: f64,
}

impl<'a> Reducer<'a> {
    fn new(curve: &'a Curve, property: &Property, allowance: &Allowance) -> Self {
        let rotates = property.kind() == ValueKind::Rotation;
        let is_distance = rotates || property.kind() == ValueKind::Position;
        // A cube of this half edge lies within the ball.
        let bound = allowance.of(property) * if is_distance { 1.0 / 3f64.sqrt() } else { 1.0 };
        Self { curve, times: curve.times.iter().map(|t| t.0).collect(), rotates, bound }
    }

    fn keys(&self) -> Vec<usize> {
        match self.curve.width {
            4 if self.rotates => self.chain(turn),
            1 => self.chain::<1>(way),
            3 => self.chain::<3>(way),
            // Components that are not there stay at 0, which every cone holds.
            _ => self.chain::<MOST>(way),
        }
    }

    /// The keys that stay, where `offset` tells how far a value is from another one.
    fn chain<const N: usize>(&self, offset: impl Fn(&[f32], &[f32]) -> [f64; N]) -> Vec<usize> {
        let last = self.times.len() - 1;
        let mut kept = vec![0];
        let mut start = 0;
        while start < last {
            start = self.farthest(start, last, &offset);
            kept.push(start);
        }
        kept
    }

    /// The last key that a straight segment from `start` may go to.
    fn farthest<const N: usize>(
        &self,
        start: usize,
        last: usize,
        offset: &impl Fn(&[f32], &[f32]) -> [f64; N],
    ) -> usize {
        let mut found = start + 1;
        if self.is_jump(start) {
            return found;
        }
        let from = self.curve.value(start).unwrap_or_default();
        let mut cone = Cone::OPEN;
        for key in start + 1..=last {
            let span = (self.times[key] - self.times[start]).recip();
            let mut slope = offset(from, self.curve.value(key).unwrap_or_default());
            slope.iter_mut().for_each(|x| *x *= span);
            if cone.holds(&slope) {
                found = key;
            }
            if self.is_jump(key) || !cone.narrow(&slope, self.bound * span) {
                break;
            }
        }
        found
    }

    /// Whether the next key has the same time.
    fn is_jump(&self, key: usize) -> bool {
        self.times.get(key + 1).is_some_and(|next| *next <= self.times[key])
    }
}

/// From one value to another, component by component.
fn way<const N: usize>(from: &[f32], to: &[f32]) -> [f64; N] {
    let mut way = [0.0; N];
    for ((way, from), to) in way.iter_mut().zip(from).zip(to) {
        *way = f64::from(*to) - f64::from(*from);
    }
    way
}

/// Axis times angle of the shorter rotation between two quaternions, as seen from the first.
fn turn(from: &[f32], to: &[f32]) -> [f64; 3] {
    let (Some(from), Some(to)) = (from.first_chunk::<4>(), to.first_chunk::<4>()) else { return [0.0; 3] };
    let between = quaternion(from).conjugate() * quaternion(to);
    let vector = glam::DVec3::new(between.x, between.y, between.z);
    (vector * (2.0 * arc_over_sine(vector.length_squared(), between.w.abs()).copysign(between.w))).to_array()
}

fn quaternion(&[x, y, z, w]: &[f32; 4]) -> glam::DQuat {
    glam::DQuat::from_xyzw(x.into(), y.into(), z.into(), w.into())
}

/// An angle over its sine, given the square of that sine and the cosine. The series is arcsin x / x; what it leaves out is
/// below 2e-14.
fn arc_over_sine(square: f64, cosine: f64) -> f64 {
    const SERIES_UNTIL: f64 = 0.01;
    if square < SERIES_UNTIL {
        // Summed by pairs, which wait less for each other than one after the other.
        let fourth = square * square;
        let [a, b, c] = [
            1.0 + square * (1.0 / 6.0),
            3.0 / 40.0 + square * (5.0 / 112.0),
            35.0 / 1152.0 + square * (63.0 / 2816.0),
        ];
        return a + fourth * (b + fourth * c);
    }
    let sine = square.sqrt();
    sine.atan2(cosine) / sine
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
    fn the_series_meets_the_arc() {
        for half_angle in [1e-12f64, 1e-3, 0.05, 0.09, 0.1, 0.1002, 0.5, 1.5] {
            let (sine, cosine) = half_angle.sin_cos();
            let found = arc_over_sine(sine * sine, cosine) * sine;
            assert!((found - half_angle).abs() <= 3e-14 * half_angle, "{found} for {half_angle}");
        }
    }

    #[test]
    fn held_keys_stay() {
        let steps = Curve { laws: Laws::uniform(Law::STEP), ..line(&[0.0, 1.0, 2.0], &[0.0, 0.0, 0.0]) };
        assert!(reduce(&steps, &Property::Weight, &ALLOWANCE).is_none());
    }
}
