//! Keys with slopes and weights on both sides, as in authoring tools, and the corresponding curves.

use super::curve::{Blend, Curve, Handles, JumpSide, Law, Laws, Timing, Weighted};
use super::key_times::Times;

/// A key of a number with the data of its segments on both sides: Unity's `Keyframe`.
///
/// Slopes and weights are kept whether they count or not, so that keys come back unchanged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedKey {
    /// Time of the key, in seconds.
    pub time: f32,
    /// Value of the key.
    pub value: f32,
    /// Slope of the segment that ends at the key, per second; an infinite slope of either sign holds the key
    /// before.
    pub in_slope: f32,
    /// Slope of the segment that starts at the key, per second; an infinite slope of either sign holds this
    /// key.
    pub out_slope: f32,
    /// The weights that count. A weight that does not count is a third.
    pub weighted: Weighted,
    /// Weight of the segment that ends at the key, as a share of its length.
    pub in_weight: f32,
    /// Weight of the segment that starts at the key, as a share of its length.
    pub out_weight: f32,
}

/// A third, as stored.
const THIRD: f32 = 1.0 / 3.0;

impl Default for WeightedKey {
    /// At 0, flat, without weights.
    fn default() -> Self {
        Self::flat(0.0, 0.0)
    }
}

impl WeightedKey {
    /// A key without slopes and weights.
    #[must_use]
    pub const fn flat(time: f32, value: f32) -> Self {
        Self {
            time,
            value,
            in_slope: 0.0,
            out_slope: 0.0,
            weighted: Weighted::NONE,
            in_weight: THIRD,
            out_weight: THIRD,
        }
    }

    /// The law of the segment to a later key, by the rules of Unity's `AnimationCurve`: an infinite slope at
    /// either end holds; weights of 0 at both ends, or slopes of the straight line between both keys, go
    /// straight; any other segment is a cubic, also in time if a weight counts.
    #[must_use]
    pub fn law_to(&self, next: &Self) -> Law {
        let (leaving, arriving) = (self.out_slope, next.in_slope);
        if leaving.is_infinite() || arriving.is_infinite() {
            return Law::STEP;
        }
        match self.weights_to(next) {
            None if self.is_chord(next, leaving) && self.is_chord(next, arriving) => Law::LINEAR,
            None => Law::HERMITE,
            Some([0.0, 0.0]) => Law::LINEAR,
            Some(_) => Law::WEIGHTED,
        }
    }

    /// The weights of the segment to a later key: counting weights if they are numbers, else thirds; `None`
    /// if no weight counts.
    #[must_use]
    pub fn weights_to(&self, next: &Self) -> Option<[f32; 2]> {
        let (leaving, arriving) = (self.weighted.leaving, next.weighted.arriving);
        let weight = |counts: bool, weight: f32| if counts && weight.is_finite() { weight } else { THIRD };
        (leaving || arriving).then(|| [weight(leaving, self.out_weight), weight(arriving, next.in_weight)])
    }

    /// Keys whose times increase. Of a jump, the value that does not count at the common time moves as close
    /// to it as numbers allow, and is held there, or is left out if another key is there.
    #[must_use]
    pub fn spread(keys: Vec<Self>, jump: JumpSide) -> Vec<Self> {
        let mut out: Vec<Self> = Vec::with_capacity(keys.len());
        for mut key in keys {
            let before = out.len().checked_sub(2).and_then(|at| out.get(at)).map(|key| key.time);
            match out.last_mut() {
                Some(last) if last.time >= key.time => {
                    let early = last.time.next_down();
                    let has_room = before.is_none_or(|before| before < early);
                    match jump {
                        JumpSide::Before => key.time = last.time.next_up(),
                        JumpSide::After if has_room => (key.time, last.time) = (last.time, early),
                        JumpSide::After => {
                            let old = *last;
                            *last = Self {
                                time: old.time,
                                in_slope: old.in_slope,
                                in_weight: old.in_weight,
                                ..key
                            };
                            last.weighted.arriving = old.weighted.arriving;
                            continue;
                        }
                    }
                    (last.out_slope, key.in_slope) = (f32::INFINITY, f32::INFINITY);
                    (last.weighted.leaving, key.weighted.arriving) = (false, false);
                    out.push(key);
                }
                _ => out.push(key),
            }
        }
        out
    }

    /// True if a slope equals the slope of the straight line to a later key, within the precision of f32. A
    /// cubic with such slopes deviates from the line by at most 4/27 of the slopes' error, times the length
    /// of the segment: a fraction of the last digit.
    fn is_chord(&self, next: &Self, slope: f32) -> bool {
        let (a, b) = (f64::from(self.value), f64::from(next.value));
        let length = f64::from(next.time) - f64::from(self.time);
        (f64::from(slope) * length - (b - a)).abs() <= f64::from(f32::EPSILON) * a.abs().max(b.abs())
    }
}

/// The curve of ascending keys at `times`. Slopes that are no number become 0. Data of the keys without an
/// effect on the motion stays with the curve, and [`weighted_keys`] finds it there.
#[must_use]
pub fn curve_of_weighted_keys(times: Times, keys: &[WeightedKey]) -> Curve {
    let laws = keys.iter().zip(keys.iter().skip(1)).map(|(from, to)| from.law_to(to));
    let mut curve =
        Curve::new(times, 1, keys.iter().map(|key| key.value).collect(), Laws::from_segments(laws));
    let number = |slope: f32| if slope.is_nan() { 0.0 } else { slope };
    curve.handles = Some(Box::new(Handles {
        arriving: keys.iter().map(|key| number(key.in_slope)).collect(),
        leaving: keys.iter().map(|key| number(key.out_slope)).collect(),
    }));
    curve.weights = Some(Box::new(Handles {
        arriving: keys.iter().map(|key| key.in_weight).collect(),
        leaving: keys.iter().map(|key| key.out_weight).collect(),
    }));
    let counts = |key: &WeightedKey| Weighted {
        arriving: key.weighted.arriving && key.in_weight.is_finite(),
        leaving: key.weighted.leaving && key.out_weight.is_finite(),
    };
    curve.weighted = Some(keys.iter().map(counts).collect());
    curve
}

/// A component of a curve as keys with slopes and weights, each value and slope times `factor`.
///
/// Keys of [`curve_of_weighted_keys`] come back with their slopes and weights, wherever these still play by
/// the curve's laws. Other slopes and weights follow from the laws: a straight segment has the slope of its
/// line, and Bezier timing of a straight segment is a cubic of time. Laws of rotations alone are taken as
/// straight. A jump, for which two keys of a curve share a time, becomes two keys as close as f32 allows,
/// unless the curve has keys from [`curve_of_weighted_keys`] and the last of them counts.
#[must_use]
pub fn weighted_keys(curve: &Curve, component: usize, factor: f64) -> Vec<WeightedKey> {
    let width = curve.width.max(1);
    let number = |column: &[f32], key: usize| {
        column.get(key * width + component).map_or(0.0, |x| f64::from(*x) * factor)
    };
    let times = curve.times.iter().map(|time| narrow(time.0)).enumerate();
    let plain = times.map(|(key, time)| WeightedKey::flat(time, narrow(number(&curve.values, key))));
    let plain: Vec<WeightedKey> = plain.collect();
    let authored = authored(curve, component, factor, &plain);
    let is_authored = authored.is_some();
    let source_keys = authored.unwrap_or(plain);
    let mut keys = source_keys.clone();
    for segment in 0..keys.len().saturating_sub(1) {
        let law = curve.laws.get(segment);
        let [Some(from), Some(to)] = [source_keys.get(segment), source_keys.get(segment + 1)] else {
            continue;
        };
        if is_authored && is_alike(law, from.law_to(to)) {
            continue;
        }
        let handles = curve.handles.as_deref();
        let slopes = handles.map_or([0.0; 2], |handles| {
            [number(&handles.leaving, segment), number(&handles.arriving, segment + 1)]
        });
        let weights = curve.segment_weights(segment, component);
        if let Some([from, to]) = keys.get_mut(segment..segment + 2) {
            lay(law, slopes, weights, from, to);
        }
    }
    // No file has the first of several keys count.
    if !is_authored || curve.jump == JumpSide::Before {
        return WeightedKey::spread(keys, curve.jump);
    }
    // Keys at times of their own stay so.
    for key in 1..keys.len() {
        if let Some([before, key_after]) = keys.get_mut(key - 1..=key)
            && key_after.time <= before.time
            && curve.times.get(key - 1) < curve.times.get(key)
        {
            key_after.time = before.time.next_up();
        }
    }
    keys
}

/// The keys with their earlier slopes and weights, counting or not; `None` if the curve has none.
fn authored(curve: &Curve, component: usize, factor: f64, plain: &[WeightedKey]) -> Option<Vec<WeightedKey>> {
    let (handles, weights, weighted) =
        (curve.handles.as_deref()?, curve.weights.as_deref()?, curve.weighted.as_deref()?);
    let one = |(key, plain): (usize, &WeightedKey)| {
        let at = key * curve.width.max(1) + component;
        let slope = |column: &[f32]| column.get(at).map(|number| narrow_slope(f64::from(*number) * factor));
        Some(WeightedKey {
            in_slope: slope(&handles.arriving)?,
            out_slope: slope(&handles.leaving)?,
            weighted: *weighted.get(key)?,
            in_weight: *weights.arriving.get(at)?,
            out_weight: *weights.leaving.get(at)?,
            ..*plain
        })
    };
    plain.iter().enumerate().map(one).collect()
}

/// True if a segment played by a law plays equally by another: slopes may equal a straight line's.
fn is_alike(law: Law, played: Law) -> bool {
    law == played
        || (law == Law::HERMITE && played == Law::LINEAR)
        || (law.timing.is_linear() && law.blend == played.blend)
}

/// Makes the segment between two keys play by a law.
fn lay(law: Law, slopes: [f64; 2], weights: [f64; 2], from: &mut WeightedKey, to: &mut WeightedKey) {
    let length = f64::from(to.time) - f64::from(from.time);
    let rise = f64::from(to.value) - f64::from(from.value);
    let chord = if length > 0.0 { rise / length } else { 0.0 };
    let (slopes, weights) = match (law.blend, law.timing) {
        (Blend::Step, _) => ([f64::INFINITY; 2], None),
        (Blend::Hermite, _) => (slopes, None),
        (Blend::WeightedBezier, _) => (slopes, Some(weights)),
        (_, Timing::Bezier { x1, y1, x2, y2 }) if !law.timing.is_linear() => {
            let (p, q) = (f64::from(x1), 1.0 - f64::from(x2));
            let steep = |x: f64, y: f64| if x > 0.0 { chord * y / x } else { 0.0 };
            ([steep(p, y1.into()), steep(q, 1.0 - f64::from(y2))], Some([p, q]))
        }
        _ => ([chord; 2], None),
    };
    (from.out_slope, to.in_slope) = (narrow_slope(slopes[0]), narrow_slope(slopes[1]));
    (from.weighted.leaving, to.weighted.arriving) = (weights.is_some(), weights.is_some());
    let [leaving, arriving] = weights.map_or([THIRD; 2], |weights| weights.map(narrow));
    (from.out_weight, to.in_weight) = (leaving, arriving);
}

/// The nearest f32; numbers beyond become the largest, and NaN becomes 0.
fn narrow(number: f64) -> f32 {
    if number.is_nan() { 0.0 } else { number.clamp(f32::MIN.into(), f32::MAX.into()) as f32 }
}

/// As [`narrow`], but infinite slopes stay infinite.
fn narrow_slope(number: f64) -> f32 {
    if number.is_infinite() { number as f32 } else { narrow(number) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(time: f32, value: f32, slope: f32) -> WeightedKey {
        WeightedKey { in_slope: slope, out_slope: slope, ..WeightedKey::flat(time, value) }
    }

    fn weighted(key: WeightedKey, weight: f32) -> WeightedKey {
        let weighted = Weighted { arriving: true, leaving: true };
        WeightedKey { weighted, in_weight: weight, out_weight: weight, ..key }
    }

    #[test]
    fn a_segment_is_what_unity_plays() {
        let from = key(0.0, 1.0, 2.0);
        assert_eq!(from.law_to(&key(0.5, 2.0, 2.0)), Law::LINEAR);
        assert_eq!(from.law_to(&key(0.5, 2.0, 0.0)), Law::HERMITE);
        assert_eq!(from.law_to(&key(0.5, 2.0, f32::NEG_INFINITY)), Law::STEP);
        assert_eq!(weighted(from, 0.9).law_to(&key(0.5, 2.0, 2.0)), Law::WEIGHTED);
        assert_eq!(weighted(from, 0.0).law_to(&weighted(key(0.5, 2.0, 7.0), 0.0)), Law::LINEAR);
        assert_eq!(weighted(from, f32::NAN).weights_to(&key(0.5, 2.0, 2.0)), Some([THIRD; 2]));
    }

    #[test]
    fn keys_come_back_with_all_that_they_hold() {
        let odd = WeightedKey { out_weight: 0.75, in_slope: f32::NEG_INFINITY, ..key(0.25, -1.0, 4.0) };
        let mut half = weighted(key(1.0, 3.0, -2.0), 0.25);
        half.weighted.arriving = false;
        let keys = [odd, half, key(1.0, 5.0, 1.0), weighted(key(4.0, 5.0, 9.0), 0.0)];
        let times = Times::Seconds(keys.iter().map(|key| f64::from(key.time)).collect());
        let curve = curve_of_weighted_keys(times, &keys);
        assert_eq!(curve.validate(), Ok(()));
        assert_eq!(weighted_keys(&curve, 0, 1.0), keys);
        // A law that was changed since is what counts.
        let changed = Curve { laws: Laws::uniform(Law::STEP), ..curve };
        assert!(weighted_keys(&changed, 0, 1.0)[1..].iter().all(|key| key.in_slope == f32::INFINITY));
    }

    #[test]
    fn eased_segments_are_cubics_of_time() {
        let timing = Timing::Bezier { x1: 0.25, y1: 0.5, x2: 1.0, y2: 1.0 };
        let law = Law { timing, blend: Blend::Lerp };
        let curve = Curve::new(Times::Seconds([0.0, 2.0].into()), 1, vec![1.0, 5.0], Laws::uniform(law));
        let keys = weighted_keys(&curve, 0, 1.0);
        assert_eq!((keys[0].out_slope, keys[0].out_weight), (4.0, 0.25));
        assert_eq!((keys[1].in_slope, keys[1].in_weight), (0.0, 0.0));
        assert_eq!(keys[0].law_to(&keys[1]), Law::WEIGHTED);
    }

    #[test]
    fn a_jump_is_two_keys_beside_each_other() {
        let values = vec![0.0, 1.0, 5.0, 6.0];
        let laws = Laws::uniform(Law::LINEAR);
        let mut curve = Curve::new(Times::Seconds([0.0, 1.0, 1.0, 2.0].into()), 1, values, laws);
        let times =
            |curve: &Curve| weighted_keys(curve, 0, 1.0).iter().map(|key| key.time).collect::<Vec<_>>();
        assert_eq!(times(&curve), [0.0, 1f32.next_down(), 1.0, 2.0]);
        let keys = weighted_keys(&curve, 0, 1.0);
        assert_eq!([keys[0].law_to(&keys[1]), keys[1].law_to(&keys[2])], [Law::LINEAR, Law::STEP]);
        curve.jump = JumpSide::Before;
        assert_eq!(times(&curve), [0.0, 1.0, 1f32.next_up(), 2.0]);
    }
}
