//! Keys with tangents as simple ones: straight from key to key.

use super::document::{Key, Keyframe, NumberCurve, NumberKeys};
use super::play::{Segment, sorted, value_between};
use dopesheet_curve::lerp;

/// Most halvings of a segment.
const MOST_HALVINGS: u32 = 14;
/// The error is measured at 1/8 … 7/8 of the way between two keys.
const PROBES: u32 = 8;

/// Largest error of a resampled curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LargestCurveError {
    /// Size of the error, in the unit of the values.
    pub(super) value: f64,
    /// Time in seconds.
    pub(super) time_s: f64,
}

/// True if simple keys have the same meaning as the keys of a curve, because all its segments are straight.
pub(super) fn is_straight(curve: &NumberCurve) -> bool {
    match &curve.keys {
        NumberKeys::Simple(_) => true,
        NumberKeys::Full(_) => {
            let keys = sorted(curve);
            keys.windows(2).all(|pair| {
                pair[0].time == pair[1].time || Segment::between(&pair[0], &pair[1]) == Segment::Straight
            })
        }
    }
}

/// The curve with simple keys within `tolerance` of it, and their largest distance. A step becomes two keys
/// as close as numbers allow.
pub(super) fn simple(curve: &NumberCurve, tolerance: f64) -> (NumberCurve, LargestCurveError) {
    let mut largest_error = LargestCurveError::default();
    if is_straight(curve) {
        let keys = curve.keys.iter().map(|key| Key { time: key.time, value: key.value }).collect();
        return (NumberCurve { wrap: curve.wrap, keys: NumberKeys::Simple(keys) }, largest_error);
    }
    let full = sorted(curve);
    let mut keys: Vec<Key> = full.iter().take(1).map(plain).collect();
    for pair in full.windows(2) {
        let (from, to) = (&pair[0], &pair[1]);
        if from.time < to.time {
            match Segment::between(from, to) {
                Segment::Straight => {}
                Segment::Step => hold(from, to, &mut keys),
                Segment::Hermite(_) | Segment::Weighted(..) => {
                    let mut halver =
                        Halver { from, to, tolerance, keys: &mut keys, largest: &mut largest_error };
                    halver.halve(plain(from), plain(to), MOST_HALVINGS);
                }
            }
        }
        keys.push(plain(to));
    }
    (NumberCurve { wrap: curve.wrap, keys: NumberKeys::Simple(keys) }, largest_error)
}

const fn plain(key: &Keyframe) -> Key {
    Key { time: key.time, value: key.value }
}

/// The old value just before a step, unless there is no time in between.
fn hold(from: &Keyframe, to: &Keyframe, keys: &mut Vec<Key>) {
    let time = to.time.next_down();
    if time > from.time && from.value != to.value {
        keys.push(Key { time, value: from.value });
    }
}

struct Halver<'a> {
    from: &'a Keyframe,
    to: &'a Keyframe,
    tolerance: f64,
    keys: &'a mut Vec<Key>,
    largest: &'a mut LargestCurveError,
}

impl Halver<'_> {
    /// Adds keys between two, until straight lines are close enough.
    fn halve(&mut self, a: Key, b: Key, halvings: u32) {
        let error = self.error(a, b);
        let middle = 0.5 * a.time + 0.5 * b.time;
        if error.value <= self.tolerance || halvings == 0 || middle <= a.time || middle >= b.time {
            if error.value > self.largest.value {
                *self.largest = error;
            }
            return;
        }
        #[expect(clippy::cast_possible_truncation, reason = "values of a file are f32")]
        let value = value_between(self.from, self.to, middle.into()) as f32;
        let key = Key { time: middle, value };
        self.halve(a, key, halvings - 1);
        self.keys.push(key);
        self.halve(key, b, halvings - 1);
    }

    fn error(&self, a: Key, b: Key) -> LargestCurveError {
        let mut largest_error = LargestCurveError::default();
        for probe in 1..PROBES {
            let share = f64::from(probe) / f64::from(PROBES);
            let time_s = lerp(a.time.into(), b.time.into(), share);
            let straight = lerp(a.value.into(), b.value.into(), share);
            let value = (value_between(self.from, self.to, time_s) - straight).abs();
            if value > largest_error.value {
                largest_error = LargestCurveError { value, time_s };
            }
        }
        largest_error
    }
}
