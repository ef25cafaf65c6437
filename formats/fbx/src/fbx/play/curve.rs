//! A curve of a single number, as the file has it.

use dopesheet_curve::{WeightedEnd, lerp, weighted_bezier};

/// Length in time of an upright tangent, in seconds: short, but above 0, so that its slope is a number.
const UPRIGHT_S: f64 = 1e-60;

/// A curve of a single number. Objects may share a curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnimationCurve {
    /// Keys in the order of the file.
    pub keys: Vec<CurveKey>,
    /// Course before the first key.
    pub before: Extrapolation,
    /// Course behind the last key.
    pub after: Extrapolation,
}

/// A key of an [`AnimationCurve`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveKey {
    /// Time on the clock of the file, in seconds.
    pub time_s: f64,
    /// Value.
    pub value: f64,
    /// Law of the segment up to the next key.
    pub interpolation: Interpolation,
    /// Tangent towards the key before.
    pub arriving: Tangent,
    /// Tangent towards the next key.
    pub leaving: Tangent,
}

/// Sides of a tangent along time and along values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tangent {
    /// Length in time, in seconds.
    pub seconds: f32,
    /// Rise over this time.
    pub rise: f32,
}

/// Law between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// The value of the first key, up to the second.
    Constant,
    /// The value of the second key, but at the first key itself.
    ConstantNext,
    /// A straight line.
    Linear,
    /// A cubic of time and value by the tangents of both keys.
    Cubic,
}

/// Course beyond the keys. A count of repetitions below 0 is endless.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extrapolation {
    /// The value of the outermost key.
    #[default]
    Constant,
    /// The straight line of the outermost key's tangent.
    Slope,
    /// The curve again.
    Repeat(i32),
    /// The curve backwards and forwards in turns.
    Mirror(i32),
    /// The curve again, from its last value on.
    RepeatRelative(i32),
}

impl AnimationCurve {
    /// Value at a time, on a clock of `ticks_per_s`; `default` without keys.
    ///
    /// Source: ufbx (`ufbx_evaluate_curve`).
    #[must_use]
    pub fn at(&self, time_s: f64, default: f64, ticks_per_s: f64) -> f64 {
        let [first, .., last] = self.keys.as_slice() else {
            return self.keys.first().map_or(default, |key| key.value);
        };
        if time_s < first.time_s {
            self.beyond((first, self.before), time_s, ticks_per_s)
        } else if time_s > last.time_s {
            self.beyond((last, self.after), time_s, ticks_per_s)
        } else {
            self.within(time_s)
        }
    }

    /// True if the curve changes between its first and its last key.
    #[must_use]
    pub fn changes(&self) -> bool {
        self.keys.windows(2).any(|pair| !pair[0].holds_until(&pair[1]))
    }

    /// True if the curve is constant before its first key and behind its last key.
    #[must_use]
    pub fn has_constant_ends(&self) -> bool {
        [self.before, self.after] == [Extrapolation::Constant; 2]
    }

    /// Value between the first and the last key.
    fn within(&self, time_s: f64) -> f64 {
        let next = self.keys.partition_point(|key| key.time_s <= time_s);
        let from = next.checked_sub(1).and_then(|at| self.keys.get(at));
        match (from, self.keys.get(next)) {
            (Some(from), Some(to)) if time_s > from.time_s => from.towards(to, time_s),
            (Some(key), _) | (None, Some(key)) => key.value,
            (None, None) => 0.0,
        }
    }

    /// Value beyond the outermost key on a side. Repetitions count in whole ticks of the clock, so that they end on frames.
    fn beyond(&self, (key, course): (&CurveKey, Extrapolation), time_s: f64, ticks_per_s: f64) -> f64 {
        let [first, .., last] = self.keys.as_slice() else { return key.value };
        let is_before = time_s < first.time_s;
        let (count, is_mirrored, rise) = match course {
            Extrapolation::Constant => return key.value,
            Extrapolation::Slope => {
                let Tangent { seconds, rise } = if is_before { key.leaving } else { key.arriving };
                return key.value + f64::from(rise) * ((time_s - key.time_s) / f64::from(seconds));
            }
            Extrapolation::Repeat(count) => (count, false, 0.0),
            Extrapolation::Mirror(count) => (count, true, 0.0),
            Extrapolation::RepeatRelative(count) => (count, false, last.value - first.value),
        };
        let [start, end] = [first, last].map(|key| (key.time_s * ticks_per_s).round_ties_even());
        let length = end - start;
        if count == 0 || length.is_nan() || length < 1.0 {
            return key.value;
        }
        let time = time_s * ticks_per_s;
        let distance = if is_before { start - time } else { time - end };
        let (mut round, mut left) = ((distance / length).floor(), distance.rem_euclid(length));
        if count > 0 && round >= f64::from(count) {
            (round, left) = (f64::from(count - 1), length);
        }
        let is_backwards = is_mirrored && round % 2.0 == 0.0;
        if is_backwards != is_before {
            left = length - left;
        }
        let sign = if is_before { -1.0 } else { 1.0 };
        self.within((start + left) / ticks_per_s) + sign * rise * (round + 1.0)
    }
}

impl CurveKey {
    /// Value at a time between this key and the next.
    fn towards(&self, next: &Self, time_s: f64) -> f64 {
        let length = next.time_s - self.time_s;
        let share = (time_s - self.time_s) / length;
        match self.interpolation {
            Interpolation::Constant => self.value,
            Interpolation::ConstantNext => next.value,
            Interpolation::Linear => lerp(self.value, next.value, share),
            Interpolation::Cubic => {
                let end = |key: &Self, tangent: Tangent| {
                    let (seconds, rise) =
                        (f64::from(tangent.seconds).max(UPRIGHT_S), f64::from(tangent.rise));
                    WeightedEnd { value: key.value, slope: rise / seconds * length, weight: seconds / length }
                };
                weighted_bezier(end(self, self.leaving), end(next, next.arriving), share)
            }
        }
    }

    /// True if the curve is constant up to the next key.
    #[must_use]
    pub fn holds_until(&self, next: &Self) -> bool {
        self.value == next.value && self.leaving.rise == 0.0 && next.arriving.rise == 0.0
    }
}
