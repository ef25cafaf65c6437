//! Timings of segments in four bytes each.

use super::key_times::Position;
use crate::sample::timing::eased;
use dopesheet_core::model::{Blend, Law, Timing};

/// Timing of one segment, or [`Self::HELD`] for a segment that holds its first key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimingCode(u32);

/// A Bezier curve whose control points are 127ths, as in VMD: four times seven bits.
const BYTES: u32 = 1 << 31;
/// An index among timings that have no shorter form.
const LISTED: u32 = 1 << 30;

impl TimingCode {
    pub(super) const LINEAR: Self = Self(0);
    pub(super) const HELD: Self = Self(1);

    /// The shortest form of a timing; a timing without a short form is appended to a list.
    pub(super) fn new(law: Law, listed: &mut Vec<Timing>) -> Self {
        if law.blend == Blend::Step {
            return Self::HELD;
        }
        if law.timing.is_linear() {
            return Self::LINEAR;
        }
        if let Timing::Bezier { x1, y1, x2, y2 } = law.timing
            && let Some(code) = packed([x1, y1, x2, y2])
        {
            return Self(code);
        }
        let index = listed.iter().position(|timing| *timing == law.timing).unwrap_or_else(|| {
            listed.push(law.timing);
            listed.len().saturating_sub(1)
        });
        Self(LISTED | index as u32)
    }

    /// The timing, prepared for many sample times.
    pub(super) fn decoded(self, listed: &[Timing]) -> SegmentTiming {
        match self {
            Self::LINEAR => SegmentTiming::Linear,
            Self::HELD => SegmentTiming::Held,
            Self(code) if code & BYTES != 0 => SegmentTiming::eased(unpacked(code)),
            Self(code) => {
                SegmentTiming::eased(listed.get((code & !LISTED) as usize).copied().unwrap_or_default())
            }
        }
    }
}

/// Timing of the segment at the sample time.
#[derive(Clone, Copy, Debug)]
pub(super) enum SegmentTiming {
    Linear,
    Held,
    /// By the law itself.
    Eased(Timing),
    /// Bezier curves: factors of the powers of the parameter, from the first up, for time and way.
    Bezier {
        x: [f64; 3],
        y: [f64; 3],
        timing: Timing,
    },
}

/// Most Newton steps; three or four are usual.
const ROUNDS: usize = 8;
/// A Newton step this short is the last: where time runs at [`FLAT`] of its average or more, the remaining
/// error is the step's square times at most 6/(2·0.1), below 1e-8.
const LAST_STEP: f64 = 1e-5;
/// Least speed of time for Newton's steps.
const FLAT: f64 = 0.1;

impl SegmentTiming {
    fn eased(timing: Timing) -> Self {
        match timing {
            Timing::Bezier { x1, y1, x2, y2 } if [x1, y1, x2, y2].iter().all(|v| (0.0..=1.0).contains(v)) => {
                Self::Bezier { x: powers(x1, x2), y: powers(y1, y2), timing }
            }
            _ => Self::Eased(timing),
        }
    }

    /// Eased share of the segment, 0..=1; of Bezier curves within 1e-7.
    #[inline]
    pub(super) fn share(&self, position: Position) -> f64 {
        match self {
            Self::Linear => position.share,
            Self::Held => position.held,
            Self::Eased(timing) => eased(*timing, position.share),
            Self::Bezier { x, y, timing } => match parameter(x, position.share) {
                Some(t) => ordinate(y, t).clamp(0.0, 1.0),
                None => eased(*timing, position.share),
            },
        }
    }
}

/// Factors of the cubic with the control values 0, `c1`, `c2`, 1.
fn powers(c1: f32, c2: f32) -> [f64; 3] {
    let (c1, c2) = (f64::from(c1), f64::from(c2));
    [3.0 * c1, 3.0 * (c2 - 2.0 * c1), 1.0 + 3.0 * (c1 - c2)]
}

fn ordinate([a, b, c]: &[f64; 3], t: f64) -> f64 {
    ((c * t + b) * t + a) * t
}

/// Parameter at which a timing curve has a time; `None` where it is too steep for Newton's steps.
#[inline]
fn parameter(x: &[f64; 3], time: f64) -> Option<f64> {
    if time <= 0.0 || time >= 1.0 {
        return Some(time);
    }
    let [a, b, c] = x;
    let mut t = time;
    for _ in 0..ROUNDS {
        let speed = (3.0 * c * t + 2.0 * b) * t + a;
        let step = (ordinate(x, t) - time) / speed;
        t -= step;
        if !(speed >= FLAT && (0.0..=1.0).contains(&t)) {
            return None;
        }
        if step.abs() <= LAST_STEP {
            return Some(t);
        }
    }
    None
}

fn packed(numbers: [f32; 4]) -> Option<u32> {
    numbers.into_iter().try_fold(BYTES >> 28, |code, number| {
        let byte = (number * 127.0).round();
        ((0.0..=127.0).contains(&byte) && byte / 127.0 == number).then_some(code << 7 | byte as u32)
    })
}

fn unpacked(code: u32) -> Timing {
    let [x1, y1, x2, y2] = [21, 14, 7, 0].map(|shift| (code >> shift & 127) as f32 / 127.0);
    Timing::Bezier { x1, y1, x2, y2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coded(timing: Timing) -> Timing {
        let mut listed = Vec::new();
        let TimingCode(code) = TimingCode::new(Law { timing, blend: Blend::Lerp }, &mut listed);
        if code & BYTES != 0 {
            assert!(listed.is_empty());
            unpacked(code)
        } else {
            listed[(code & !LISTED) as usize]
        }
    }

    #[test]
    fn every_vmd_curve_survives() {
        for n in 0..=127u8 {
            let [x1, y1, x2, y2] = [n, 127 - n, n / 2, 127].map(|byte| f32::from(byte) / 127.0);
            let timing = Timing::Bezier { x1, y1, x2, y2 };
            if !timing.is_linear() {
                assert_eq!(coded(timing), timing);
            }
        }
    }

    #[test]
    fn quick_steps_end_where_the_law_does() {
        let bytes = [0u8, 1, 20, 64, 107, 126, 127];
        let curves =
            bytes.iter().flat_map(|a| bytes.iter().flat_map(move |b| bytes.map(|c| [*a, c, *b, 127 - c])));
        let mut looked = 0;
        for curve in curves {
            let [x1, y1, x2, y2] = curve.map(|byte| f32::from(byte) / 127.0);
            let timing = Timing::Bezier { x1, y1, x2, y2 };
            let decoded = SegmentTiming::eased(timing);
            for share in (0..=200).map(|n| f64::from(n) / 200.0) {
                let quick = decoded.share(Position { share, ..Position::default() });
                assert!((quick - eased(timing, share)).abs() < 1e-7, "{curve:?} at {share}");
                looked += 1;
            }
        }
        assert_eq!(looked, 7 * 7 * 7 * 201);
    }

    #[test]
    fn other_timings_are_listed_once() {
        let odd = Timing::Bezier { x1: 0.3, y1: 0.1, x2: 0.9, y2: 1.0 };
        assert_eq!(coded(odd), odd);
        let ease = Timing::Ease { from: 0.25, to: 0.5 };
        assert_eq!(coded(ease), ease);
        let mut listed = Vec::new();
        for timing in [odd, ease, odd, ease] {
            TimingCode::new(Law { timing, blend: Blend::Lerp }, &mut listed);
        }
        assert_eq!(listed, [odd, ease]);
    }
}
