//! Fewer keys of the same law: drop keys that straight segments pass closely enough.
//!
//! From a kept key, every later key narrows a cone of slopes with which a straight segment passes all of
//! them; the last key inside the cone is the next kept key. Rotations are measured as rotation vectors from
//! the kept key, in which the shorter great arc is straight; two rotations are never farther apart than their
//! vectors, so the bound holds for rotations too. Each key is measured once per kept key before it, mostly
//! once.

pub(crate) use super::columns::with_keys;
use super::plan::{Allowance, straight_law};
use crate::difference::difference;
use dopesheet_core::model::{Blend, Curve, Property, Times, ValueKind};
use glam::{DQuat, DVec3};
use std::borrow::Cow;

/// Most components of a reducible value: values with more are left alone.
const MOST: usize = 16;

/// The curve with only its kept keys; `None` if all stay or if its law is not straight.
///
/// The first and the last key stay, and so do both keys of a jump and all held keys. Straight segments pass
/// dropped keys within the allowance: positions and rotations by their distance, other numbers one by one.
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

/// The kept keys.
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
        4 if rotates => rows::<Rotation, 4, 3>(curve, &times, bound),
        1 => rows::<PlainNumbers, 1, 1>(curve, &times, bound),
        3 => rows::<PlainNumbers, 3, 3>(curve, &times, bound),
        width => {
            // Components that are not there stay at 0, which every cone holds.
            let padded = |row: &[f32]| std::array::from_fn(|n| row.get(n).copied().unwrap_or_default());
            let values: Vec<[f32; MOST]> = curve.values.chunks_exact(width).map(padded).collect();
            CurveKeys { times: &times, values: &values, bound }.kept::<PlainNumbers, MOST>()
        }
    }
}

/// The kept keys for a known width of the values.
fn rows<K: Difference<W, N>, const W: usize, const N: usize>(
    curve: &Curve,
    times: &[f64],
    bound: f64,
) -> Vec<usize> {
    CurveKeys { times, values: curve.values.as_chunks::<W>().0, bound }.kept::<K, N>()
}

/// True if all keys of a curve are within the allowance of a value.
pub(crate) fn is_nearly(curve: &Curve, property: &Property, value: &[f32], allowance: &Allowance) -> bool {
    let to: Vec<f64> = value.iter().map(|x| f64::from(*x)).collect();
    let mut from = Vec::with_capacity(curve.width);
    curve.values.chunks_exact(curve.width.max(1)).all(|row| {
        from.clear();
        from.extend(row.iter().map(|x| f64::from(*x)));
        difference(property, &from, &to) <= allowance.of(property)
    })
}

/// The difference of two values of one kind, in numbers that change evenly on a straight segment. A value has
/// `W` numbers, a difference `N`.
trait Difference<const W: usize, const N: usize> {
    fn between(from: &[f32; W], to: &[f32; W]) -> [f64; N];
}

/// Numbers without conversion.
struct PlainNumbers;

impl<const N: usize> Difference<N, N> for PlainNumbers {
    fn between(from: &[f32; N], to: &[f32; N]) -> [f64; N] {
        let mut difference = [0.0; N];
        for ((own, from), to) in difference.iter_mut().zip(from).zip(to) {
            *own = f64::from(*to) - f64::from(*from);
        }
        difference
    }
}

/// Quaternions; their difference is the axis times the angle of the shorter turn, seen from the first.
struct Rotation;

impl Difference<4, 3> for Rotation {
    #[inline]
    fn between(from: &[f32; 4], to: &[f32; 4]) -> [f64; 3] {
        let [from, to] = [from, to].map(|q| DQuat::from_array(q.map(f64::from)));
        let turn = from.conjugate() * to;
        let sines = DVec3::new(turn.x, turn.y, turn.z);
        let factor = 2.0 * arc_over_sine(sines.length_squared(), turn.w.abs());
        (sines * factor.copysign(turn.w)).to_array()
    }
}

/// Squares of sines up to which [`arc_over_sine`] is a series.
const SERIES_UNTIL: f64 = 0.01;

/// An angle over its sine, given the square of the sine, and the cosine. The series is arcsin x / x, with an
/// error below 2e-14.
fn arc_over_sine(square: f64, cosine: f64) -> f64 {
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
    libm::atan2(sine, cosine) / sine
}

/// The keys of a curve.
struct CurveKeys<'a, const W: usize> {
    times: &'a [f64],
    values: &'a [[f32; W]],
    /// Upper bound of each number of a difference.
    bound: f64,
}

impl<const W: usize> CurveKeys<'_, W> {
    /// The kept keys. Both keys of a jump stay, so that each stretch between jumps stands for itself.
    fn kept<K: Difference<W, N>, const N: usize>(&self) -> Vec<usize> {
        let mut kept = Vec::with_capacity(self.times.len());
        let mut first = 0usize;
        for times in self.times.chunk_by(|time, next| time < next) {
            let end = first.saturating_add(times.len());
            let values = self.values.get(first..end).unwrap_or_default();
            let keys = CurveKeys { times, values, bound: self.bound };
            let (mut key, last) = (0, times.len().saturating_sub(1));
            kept.push(first);
            while key < last {
                key = keys.farthest::<K, N>(key);
                kept.push(first.saturating_add(key));
            }
            first = end;
        }
        kept
    }

    /// The farthest key for a straight segment from `start`.
    fn farthest<K: Difference<W, N>, const N: usize>(&self, start: usize) -> usize {
        let mut farthest = start.saturating_add(1);
        let mut keys = self.times.iter().zip(self.values).enumerate().skip(start);
        let Some((_, (from_time, from))) = keys.next() else { return farthest };
        // The slopes with which a segment passes all keys looked at.
        let (mut low, mut high) = ([f64::NEG_INFINITY; N], [f64::INFINITY; N]);
        for (key, (time, value)) in keys {
            let span = (time - from_time).recip();
            let slope = K::between(from, value).map(|x| x * span);
            let mut cone = low.iter().zip(&high).zip(&slope);
            if cone.all(|((low, high), slope)| low <= slope && slope <= high) {
                farthest = key;
            }
            let slack = self.bound * span;
            for ((low, high), slope) in low.iter_mut().zip(&mut high).zip(&slope) {
                (*low, *high) = (low.max(slope - slack), high.min(slope + slack));
            }
            if low.iter().zip(&high).any(|(low, high)| low > high) {
                break;
            }
        }
        farthest
    }
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

    #[test]
    fn the_series_meets_the_arc() {
        for half_angle in [1e-12f64, 1e-3, 0.05, 0.09, 0.1, 0.1002, 0.5, 1.5] {
            let (sine, cosine) = half_angle.sin_cos();
            let series = arc_over_sine(sine * sine, cosine) * sine;
            assert!((series - half_angle).abs() <= 3e-14 * half_angle, "{series} for {half_angle}");
        }
    }
}
