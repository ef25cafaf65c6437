//! Keys and the laws between them, stored as columns.

use super::key_times::Times;
use crate::units::{FrameRate, Seconds};
use crate::words::counted;
use std::fmt;
use std::sync::Arc;

/// Course of a segment's parameter over time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Timing {
    /// Evenly.
    #[default]
    Linear,
    /// Along a cubic Bezier curve from (0,0) to (1,1) with the control points (x1,y1), (x2,y2); x in 0..=1.
    Bezier {
        /// Time of the first control point.
        x1: f32,
        /// Parameter of the first control point.
        y1: f32,
        /// Time of the second control point.
        x2: f32,
        /// Parameter of the second control point.
        y2: f32,
    },
    /// Slow at the ends: shares of the segment spent speeding up and slowing down, 0..=1 each.
    Ease {
        /// Share at the start.
        from: f32,
        /// Share at the end.
        to: f32,
    },
}

impl Timing {
    /// The word for its kind: `linear`, `bezier` or `ease`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Bezier { .. } => "bezier",
            Self::Ease { .. } => "ease",
        }
    }

    /// True if the parameter runs evenly, in whichever form it is written.
    #[must_use]
    pub fn is_linear(self) -> bool {
        match self {
            Self::Linear => true,
            Self::Bezier { x1, y1, x2, y2 } => x1 == y1 && x2 == y2,
            Self::Ease { from, to } => from <= 0.0 && to <= 0.0,
        }
    }
}

/// Blend of two keys at a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blend {
    /// The first key's value until the second.
    Step,
    /// Component by component.
    Lerp,
    /// Along the shorter great arc; quaternions, and angles in a single curve
    /// ([`Composition::Euler`](super::Composition::Euler)) by the rotations they make.
    Slerp,
    /// Component by component along the shorter way, then normalised; quaternions only.
    Nlerp,
    /// Cubic with the tangents of [`Curve::handles`], in value units per second.
    Hermite,
    /// Cubic in time and value with the tangents of [`Curve::handles`] and the weights of [`Curve::weights`].
    WeightedBezier,
    /// Spherical cubic with the control quaternions of [`Curve::handles`].
    Squad,
    /// As [`Blend::Squad`], by the angle and axis of [`Curve::turns`], so turns beyond 180° are possible.
    Turn,
}

impl Blend {
    /// The law in a word of at most 16 letters.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Lerp => "lerp",
            Self::Slerp => "slerp",
            Self::Nlerp => "nlerp",
            Self::Hermite => "hermite",
            Self::WeightedBezier => "weighted-bezier",
            Self::Squad => "squad",
            Self::Turn => "turn",
        }
    }
}

/// The law of a segment: progress of its parameter, and mix of its keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// Course of the parameter over time.
    pub timing: Timing,
    /// Blend of the keys.
    pub blend: Blend,
}

impl Law {
    /// Holds the first key.
    pub const STEP: Self = Self { timing: Timing::Linear, blend: Blend::Step };
    /// Straight, component by component.
    pub const LINEAR: Self = Self { timing: Timing::Linear, blend: Blend::Lerp };
    /// Cubic by slopes.
    pub const HERMITE: Self = Self { timing: Timing::Linear, blend: Blend::Hermite };
    /// Cubic of time and value, by slopes and weights.
    pub const WEIGHTED: Self = Self { timing: Timing::Linear, blend: Blend::WeightedBezier };
    /// The shorter great arc at constant speed.
    pub const SLERP: Self = Self { timing: Timing::Linear, blend: Blend::Slerp };

    /// The law of the same segment played backwards.
    #[must_use]
    pub fn backwards(self) -> Self {
        let timing = match self.timing {
            Timing::Linear => Timing::Linear,
            Timing::Bezier { x1, y1, x2, y2 } => {
                Timing::Bezier { x1: 1.0 - x2, y1: 1.0 - y2, x2: 1.0 - x1, y2: 1.0 - y1 }
            }
            Timing::Ease { from, to } => Timing::Ease { from: to, to: from },
        };
        Self { timing, ..self }
    }
}

/// The laws of all segments, run-length encoded: segment *i* goes from key *i* to key *i* + 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Laws {
    /// First segment after the run, and the run's law; ascending. Empty for most curves, which costs no
    /// memory.
    earlier: Box<[(usize, Law)]>,
    /// The law of all segments after the runs in `earlier`.
    last: Law,
}

impl Laws {
    /// The same law for all segments.
    #[must_use]
    pub fn uniform(law: Law) -> Self {
        Self { earlier: Box::default(), last: law }
    }

    /// The laws of an iterator, a law per segment. The last law also holds for segments beyond.
    #[must_use]
    pub fn from_segments(laws: impl IntoIterator<Item = Law>) -> Self {
        let mut runs: Vec<(usize, Law)> = Vec::new();
        for (segment, law) in laws.into_iter().enumerate() {
            match runs.last_mut() {
                Some((end, last)) if *last == law => *end = segment + 1,
                _ => runs.push((segment + 1, law)),
            }
        }
        let last = runs.pop().map_or(Law::LINEAR, |(_, law)| law);
        Self { earlier: runs.into(), last }
    }

    /// The law of a segment.
    #[must_use]
    pub fn get(&self, segment: usize) -> Law {
        let run = match self.earlier.get(segment) {
            // Up to here each segment has a run of its own.
            Some((end, law)) if *end == segment + 1 => return *law,
            _ => self.earlier.partition_point(|(end, _)| *end <= segment),
        };
        self.earlier.get(run).map_or(self.last, |(_, law)| *law)
    }

    /// The different laws in order of their runs; neighbours differ.
    pub fn runs(&self) -> impl Iterator<Item = Law> {
        self.earlier.iter().map(|(_, law)| *law).chain([self.last])
    }

    /// True if `test` holds for every law.
    pub fn all(&self, mut test: impl FnMut(Law) -> bool) -> bool {
        self.runs().all(&mut test)
    }

    /// Every law changed by a function.
    pub fn map(&mut self, mut change: impl FnMut(Law) -> Law) {
        for (_, law) in &mut self.earlier {
            *law = change(*law);
        }
        self.last = change(self.last);
    }
}

/// Two numbers per component of a key: arriving and leaving. As many entries as the curve's values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Handles {
    /// For the segment that ends at the key.
    pub arriving: Vec<f32>,
    /// For the segment that starts at the key.
    pub leaving: Vec<f32>,
}

/// The weights of a key that count. A weight that does not count is a third, whatever number
/// [`Curve::weights`] has.
///
/// Unity's keys have this mark (`WeightedMode`), and its files hold numbers also for weights that do not
/// count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weighted {
    /// Weight of the segment that ends at the key.
    pub arriving: bool,
    /// Weight of the segment that starts at the key.
    pub leaving: bool,
}

impl Weighted {
    /// No weights count.
    pub const NONE: Self = Self { arriving: false, leaving: false };
}

/// Behaviour of a curve before its first or after its last key.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Outside {
    /// Holds the value of the nearest key.
    #[default]
    Hold,
    /// Before the first key only: moves from a value at a time to the first key, and holds that value before.
    Ramp {
        /// Start of the ramp.
        start: Seconds,
        /// The value there.
        from: Box<[f32]>,
        /// Law of the way to the first key.
        law: Law,
    },
    /// Starts again at the other end of the keys.
    Loop,
    /// Runs back and forth between the first key and the last.
    PingPong,
}

/// The key that counts exactly at the common time of several keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JumpSide {
    /// The first: the old value is still there.
    Before,
    /// The last: the new value is already there.
    #[default]
    After,
}

/// A value over time.
///
/// Rules that [`Curve::validate`] checks, in this order:
/// 1. `width` is at least 1 and `values` has `width` entries per key;
/// 2. times are finite and ascending;
/// 3. handles, weights and turns are present where a law needs them and have the right length.
///
/// Handles and weights may be present for keys whose segments do not need them, so that a file's numbers come
/// back when the file is written again.
///
/// Values may be any numbers in a file, including numbers that are not finite.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Times of the keys, ascending.
    pub times: Times,
    /// Number of numbers in a value.
    pub width: usize,
    /// The keys' values, in sequence.
    pub values: Vec<f32>,
    /// The law of each segment.
    pub laws: Laws,
    /// Tangents (value units per second) or control quaternions, as the law says.
    pub handles: Option<Box<Handles>>,
    /// Weights of the tangents, as shares of the segment's length.
    pub weights: Option<Box<Handles>>,
    /// The weights that count, for each key; `None` is all of them.
    pub weighted: Option<Box<[Weighted]>>,
    /// Angle (radians) and axis of the turn that arrives at each key.
    pub turns: Option<Box<[[f32; 4]]>>,
    /// Behaviour before the first key.
    pub before: Outside,
    /// Behaviour after the last key.
    pub after: Outside,
    /// The key that counts at the common time of several keys.
    pub jump: JumpSide,
    /// Index of each key in its list in the document, by which
    /// [`Format::update`](crate::format::Format::update) finds the key again, whatever its new time, value
    /// and name; `None` for a key missing from the document. Absent unless
    /// [`ToScene::keep_sources`](crate::format::ToScene::keep_sources) asks for it.
    pub sources: Option<Arc<Vec<Option<u32>>>>,
}

impl Outside {
    /// The rule in a word.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Hold => "hold",
            Self::Ramp { .. } => "ramp",
            Self::Loop => "loop",
            Self::PingPong => "ping-pong",
        }
    }
}

impl Curve {
    /// A curve that holds its ends and has no handles.
    #[must_use]
    pub const fn new(times: Times, width: usize, values: Vec<f32>, laws: Laws) -> Self {
        Self {
            times,
            width,
            values,
            laws,
            handles: None,
            weights: None,
            weighted: None,
            turns: None,
            before: Outside::Hold,
            after: Outside::Hold,
            jump: JumpSide::After,
            sources: None,
        }
    }

    /// Place of a key in its document; see [`Curve::sources`].
    #[must_use]
    pub fn source(&self, key: usize) -> Option<u32> {
        self.sources.as_ref().and_then(|sources| sources.get(key).copied().flatten())
    }

    /// Number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// True if the curve has no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// The value of a key; `None` past the end.
    #[must_use]
    pub fn value(&self, key: usize) -> Option<&[f32]> {
        self.row(&self.values, key)
    }

    /// The numbers of a key in a column of the curve (values, tangents or weights); `None` past the end.
    #[must_use]
    pub fn row<'a>(&self, column: &'a [f32], key: usize) -> Option<&'a [f32]> {
        let start = key.checked_mul(self.width)?;
        column.get(start..start.checked_add(self.width)?)
    }

    /// The value of the last key at or before a point of a grid, else of the first key: for formats with a
    /// key on every frame. Empty without keys.
    #[must_use]
    pub fn row_on(&self, rate: FrameRate, time: Seconds) -> &[f32] {
        // A time counts as the frame that it is next to.
        let slack = rate.seconds(FrameRate::SNAP_FRAMES).0;
        let key = self.times.count_until(Seconds(time.0 + slack)).saturating_sub(1);
        self.value(key).unwrap_or_default()
    }

    /// The weights of a component at both ends of the segment after `key`, leaving and arriving; a third for
    /// each weight that does not count.
    #[must_use]
    pub fn segment_weights(&self, key: usize, component: usize) -> [f64; 2] {
        let number = |column: &[f32], key: usize| {
            let at = key.checked_mul(self.width)?.checked_add(component)?;
            column.get(at).map(|weight| wide_weight(*weight))
        };
        let counts = |key: usize| self.weighted.as_ref().and_then(|all| all.get(key));
        let weights = self.weights.as_deref();
        let leaving = weights.filter(|_| counts(key).is_none_or(|counts| counts.leaving));
        let arriving = weights.filter(|_| counts(key + 1).is_none_or(|counts| counts.arriving));
        [
            leaving.and_then(|weights| number(&weights.leaving, key)).unwrap_or(1.0 / 3.0),
            arriving.and_then(|weights| number(&weights.arriving, key + 1)).unwrap_or(1.0 / 3.0),
        ]
    }

    /// Checks the numbered rules of the type.
    ///
    /// # Errors
    /// The first broken rule.
    pub fn validate(&self) -> Result<(), InvalidCurve> {
        let keys = self.len();
        if self.width == 0 || Some(self.values.len()) != keys.checked_mul(self.width) {
            return Err(InvalidCurve::ValueCount { keys, width: self.width, values: self.values.len() });
        }
        let sorted = self.times.iter().is_sorted_by(|a, b| a.0 <= b.0);
        if !sorted || self.times.iter().any(|t| !t.0.is_finite()) {
            return Err(InvalidCurve::Times);
        }
        let fits = |h: &Option<Box<Handles>>| {
            h.as_ref().is_some_and(|h| {
                h.arriving.len() == self.values.len() && h.leaving.len() == self.values.len()
            })
        };
        for law in self.laws.runs() {
            let sound = match law.blend {
                Blend::Step | Blend::Lerp | Blend::Slerp | Blend::Nlerp => true,
                Blend::Hermite | Blend::Squad => fits(&self.handles),
                Blend::WeightedBezier => fits(&self.handles) && fits(&self.weights),
                Blend::Turn => fits(&self.handles) && self.turns.as_ref().is_some_and(|t| t.len() == keys),
            };
            if !sound {
                return Err(InvalidCurve::Handles { blend: law.blend });
            }
        }
        Ok(())
    }
}

/// A weight with all its digits: the nearest number to one third means one third.
fn wide_weight(stored: f32) -> f64 {
    if stored == 1.0 / 3.0 { 1.0 / 3.0 } else { f64::from(stored) }
}

/// The broken rule of [`Curve`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidCurve {
    /// Rule 1.
    ValueCount {
        /// Number of keys.
        keys: usize,
        /// Number of numbers in a value.
        width: usize,
        /// Numbers present.
        values: usize,
    },
    /// Rule 2: times are not finite or not ascending.
    Times,
    /// Rule 3.
    Handles {
        /// The law whose data is missing or has the wrong length.
        blend: Blend,
    },
}

impl fmt::Display for InvalidCurve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ValueCount { keys, width, values } => {
                write!(
                    f,
                    "expected {} of {}, found {}",
                    counted(*keys, "key"),
                    counted(*width, "number"),
                    counted(*values, "number")
                )
            }
            Self::Times => f.write_str("expected finite, ascending key times"),
            Self::Handles { blend } => write!(f, "expected handles for every key of a {blend:?} curve"),
        }
    }
}

impl std::error::Error for InvalidCurve {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_laws_share_a_run() {
        let laws = Laws::from_segments([Law::LINEAR, Law::LINEAR, Law::STEP, Law::LINEAR]);
        assert_eq!(laws.runs().count(), 3);
        assert_eq!(
            (0..6).map(|s| laws.get(s).blend == Blend::Step).collect::<Vec<_>>(),
            [false, false, true, false, false, false]
        );
    }

    #[test]
    fn times_are_found_on_both_sides_of_a_jump() {
        let times = Times::Seconds([0.0, 1.0, 1.0, 2.0].into());
        assert_eq!([-1.0, 0.0, 0.5, 1.0, 3.0].map(|t| times.count_until(Seconds(t))), [0, 1, 1, 3, 4]);
        assert_eq!([-1.0, 0.0, 0.5, 1.0, 3.0].map(|t| times.count_before(Seconds(t))), [0, 0, 1, 1, 4]);
    }

    proptest! {
        #[test]
        fn frames_are_counted_by_their_times(
            frames in prop::collection::btree_set(-40i64..40, 1..20),
            first in prop::sample::select(vec![0, 1 << 20, 1 << 39, 1 << 40, 1 << 52]),
            (numerator, denominator) in prop::sample::select(vec![(30u32, 1u32), (60, 1), (30_000, 1001)]),
            (frame, ulps) in (-41i64..41, -2i64..=2),
            off in prop::sample::select(vec![0.0, 1e-9, -1e-9, 0.3, 0.5, -0.4]),
        ) {
            let rate = FrameRate::new(numerator, denominator).unwrap();
            let times = Times::Frames { rate, frames: frames.iter().map(|frame| first + frame).collect() };
            let time = rate.seconds((first + frame) as f64 + off).0;
            let time = Seconds(f64::from_bits(time.to_bits().saturating_add_signed(ulps)));
            let counted = |is_early: fn(f64, f64) -> bool| times.iter().filter(|own| is_early(own.0, time.0)).count();
            prop_assert_eq!(times.count_until(time), counted(|own, time| own <= time));
            prop_assert_eq!(times.count_before(time), counted(|own, time| own < time));
        }

        #[test]
        fn the_law_of_a_segment_is_that_which_was_given(steps in prop::collection::vec(0u8..3, 1..40)) {
            let law = |step: &u8| [Law::STEP, Law::LINEAR, Law::SLERP][usize::from(*step)];
            let laws = Laws::from_segments(steps.iter().map(law));
            for (segment, step) in steps.iter().enumerate() {
                prop_assert_eq!(laws.get(segment), law(step), "segment {}", segment);
            }
            prop_assert_eq!(Some(laws.get(steps.len())), steps.last().map(law));
        }
    }

    #[test]
    fn a_hermite_curve_without_tangents_is_invalid() {
        let law = Law { timing: Timing::Linear, blend: Blend::Hermite };
        let curve = Curve::new(Times::Seconds([0.0].into()), 1, vec![1.0], Laws::uniform(law));
        assert_eq!(curve.validate(), Err(InvalidCurve::Handles { blend: Blend::Hermite }));
    }
}
