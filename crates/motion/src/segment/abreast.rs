//! Values at four times of a segment at once, in single precision: for bounds, to which last digits do not matter.

use super::way::{Course, WIDEST, Way};
use crate::evaluate::bezier;
use dopesheet_core::units::Seconds;
use dopesheet_curve::{EasedWay, GreatArc};

/// A number at each of four times.
pub(crate) type Four = [f32; 4];

/// How far the time of a place may be from the one that is looked for.
const RESIDUAL: f32 = 4e-7;

/// How fast time must pass there, at least, for quick steps to be trusted.
const SLOPE: f32 = 0.05;

/// What all curves of a channel do between two keys.
#[derive(Clone, Debug)]
pub(crate) struct Abreast {
    from: f64,
    to: f64,
    /// One per curve, with the number of its first column.
    runs: Vec<(usize, Run)>,
}

/// What one curve does.
#[derive(Clone, Debug)]
struct Run {
    start: f64,
    duration: f64,
    width: usize,
    pace: Pace,
    places: Places,
}

#[derive(Clone, Debug)]
enum Pace {
    Even,
    Eased(Box<Eased>),
}

#[derive(Clone, Debug)]
struct Eased {
    curve: EasedWay,
    /// Factors of the powers of the parameter, from the first up.
    time: [f32; 3],
    progress: [f32; 3],
    /// The last time, as a share, and the parameter there.
    last: [f32; 2],
}

/// Where a part of the way leads.
#[derive(Clone, Debug)]
enum Places {
    Still([f32; WIDEST]),
    /// From there, so far.
    Line([f32; WIDEST], [f32; WIDEST]),
    /// From there towards a rotation at right angles to it, by an angle on the sphere of quaternions.
    Arc([f32; WIDEST], [f32; WIDEST], f32),
}

impl Abreast {
    /// The same value between two times.
    pub(crate) fn still(from: f64, to: f64, value: &[f64]) -> Self {
        let runs = value.chunks(WIDEST).enumerate().map(|(n, part)| {
            let mut numbers = [0.0; WIDEST];
            numbers.iter_mut().zip(part).for_each(|(number, value)| *number = *value as f32);
            let places = Places::Still(numbers);
            (n * WIDEST, Run { start: from, duration: 1.0, width: part.len(), pace: Pace::Even, places })
        });
        Self { from, to, runs: runs.collect() }
    }

    /// Of ways that hold, go straight or along great arcs between two times; `None` where one is eased by another law.
    pub(super) fn new(from: f64, to: f64, ways: &mut [Way]) -> Option<Self> {
        let mut column = 0;
        let mut runs = Vec::with_capacity(ways.len());
        for way in ways {
            runs.push((column, Run::of(way)?));
            column += way.width;
        }
        Some(Self { from, to, runs })
    }

    /// Whether all times are in the segment, of which the first is the earliest.
    pub(crate) fn covers(&self, times: &[f64; 4]) -> bool {
        self.from <= times[0] && times[3] <= self.to
    }

    /// The value at such times: each number of it in its row.
    pub(crate) fn values(&mut self, times: &[f64; 4], rows: &mut [Four]) {
        for (column, run) in &mut self.runs {
            let columns = *column..(*column + run.width).min(rows.len());
            run.values(times, &mut rows[columns]);
        }
    }
}

impl Run {
    fn of(way: &mut Way) -> Option<Self> {
        let pace = match bezier(way.timing) {
            Some(timing) => Pace::Eased(Box::new(Eased::new(EasedWay::new(&timing)))),
            None => way.timing.is_linear().then_some(Pace::Even)?,
        };
        let single = |numbers: [f64; WIDEST]| numbers.map(|number| number as f32);
        let places = match &way.course {
            Course::Hold(value) => Places::Still(single(*value)),
            Course::Line([from, to]) => {
                Places::Line(single(*from), single(std::array::from_fn(|n| to[n] - from[n])))
            }
            Course::Arc([from, to], _) => Places::arc(&GreatArc::between(*from, *to)),
        };
        let Seconds(start) = way.start;
        Some(Self { start, duration: way.end.0 - start, width: way.width, pace, places })
    }

    fn values(&mut self, times: &[f64; 4], rows: &mut [Four]) {
        let mut covered = || {
            let shares = times.map(|time| ((time - self.start) / self.duration) as f32);
            match &mut self.pace {
                Pace::Even => shares,
                Pace::Eased(eased) => eased.covered(&shares),
            }
        };
        match &self.places {
            Places::Still(value) => rows.iter_mut().zip(value).for_each(|(row, value)| *row = [*value; 4]),
            Places::Line(from, by) => {
                let covered = covered();
                for (n, row) in rows.iter_mut().enumerate() {
                    *row = covered.map(|covered| from[n] + covered * by[n]);
                }
            }
            Places::Arc(from, across, angle) => {
                let (angle, covered) = (*angle, covered());
                let [sines, cosines] = sines_and_cosines(&covered.map(|covered| angle * covered));
                for (n, row) in rows.iter_mut().enumerate() {
                    *row = std::array::from_fn(|k| cosines[k] * from[n] + sines[k] * across[n]);
                }
            }
        }
    }
}

impl Places {
    fn arc(arc: &GreatArc) -> Self {
        let (from, to) = (arc.at(0.0), arc.end());
        let (sine, cosine) = arc.angle().sin_cos();
        let across = std::array::from_fn(|n| ((to[n] - cosine * from[n]) / sine) as f32);
        match across.iter().all(|number| number.is_finite()) {
            true => Self::Arc(from.map(|x| x as f32), across, arc.angle() as f32),
            false => Self::Still(from.map(|x| x as f32)),
        }
    }
}

impl Eased {
    fn new(curve: EasedWay) -> Self {
        let [time, progress] = curve.powers().map(|powers| powers.map(|power| power as f32));
        Self { curve, time, progress, last: [0.0; 2] }
    }

    /// What part of the way is covered at shares of its time, all about as late as those that were asked for last or a little later.
    fn covered(&mut self, shares: &Four) -> Four {
        let [time, parameter] = self.last;
        let speed = slope(&self.time, parameter).max(SLOPE);
        let mut parameters = shares.map(|share| (parameter + (share - time) / speed).clamp(0.0, 1.0));
        // Newton's.
        for _ in 0..2 {
            for (s, share) in parameters.iter_mut().zip(shares) {
                *s -= (value(&self.time, *s) - share) / slope(&self.time, *s);
            }
        }
        for (s, share) in parameters.iter_mut().zip(shares) {
            let is_found = (value(&self.time, *s) - share).abs() <= RESIDUAL
                && slope(&self.time, *s) >= SLOPE
                && (0.0..=1.0).contains(s);
            if !is_found {
                *s = self.curve.parameter((*share).into()) as f32;
            }
        }
        self.last = [shares[3], parameters[3]];
        parameters.map(|s| value(&self.progress, s))
    }
}

fn value([a, b, c]: &[f32; 3], s: f32) -> f32 {
    s * (a + s * (b + s * c))
}

fn slope([a, b, c]: &[f32; 3], s: f32) -> f32 {
    a + s * (2.0 * b + s * 3.0 * c)
}

/// By Taylor's series: within 1e-6 up to a quarter of a turn, which is as far as any arc leads on the sphere of quaternions.
fn sines_and_cosines(angles: &Four) -> [Four; 2] {
    let sine = |x: f32| {
        let y = x * x;
        let high = 1.0 / 362_880.0 - y / 39_916_800.0;
        x * (1.0 - y * (1.0 / 6.0 - y * (1.0 / 120.0 - y * (1.0 / 5_040.0 - y * high))))
    };
    let cosine = |x: f32| {
        let y = x * x;
        let high = 1.0 / 40_320.0 - y * (1.0 / 3_628_800.0 - y / 479_001_600.0);
        1.0 - y * (0.5 - y * (1.0 / 24.0 - y * (1.0 / 720.0 - y * high)))
    };
    [angles.map(sine), angles.map(cosine)]
}

#[cfg(test)]
mod tests {
    use crate::segment::Segment;
    use dopesheet_core::model::{Blend, Channel, Composition, Curve, Law, Laws, Property, Times, Timing};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn four_values_at_once_are_those_of_the_segment_but_for_single_precision(
            timings in prop::array::uniform3(prop::array::uniform4(0.0f32..=1.0)),
            numbers in prop::array::uniform8(-1.0f32..1.0),
            first in 0.0..0.9f64,
            spacing in 0.0..0.03f64,
            (rotates, is_eased) in any::<(bool, bool)>(),
        ) {
            let timing = |[x1, y1, x2, y2]: [f32; 4]| match is_eased {
                true => Timing::Bezier { x1, y1, x2, y2 },
                false => Timing::Linear,
            };
            let curve = |width, blend, values: &[f32], of| {
                let laws = Laws::uniform(Law { blend, timing: timing(of) });
                Curve::new(Times::Seconds([0.0, 1.0].into()), width, values.to_vec(), laws)
            };
            let (property, width, composition) = if rotates {
                (Property::Rotation, 4, Composition::Whole(curve(4, Blend::Slerp, &numbers, timings[0])))
            } else {
                let of = |n: usize| curve(1, Blend::Lerp, &[numbers[n], numbers[n + 3]], timings[n]);
                (Property::Translation, 3, Composition::Components([0, 1, 2].map(of).into()))
            };
            let channel = Channel { property, composition, native: None };
            let mut segment = Segment::new(&channel).unwrap();
            let mut abreast = segment.abreast(0.001, 0.999).unwrap();
            // As those go that go on.
            for start in [first, first + spacing] {
                let times = [0.0, 1.0, 2.0, 3.0].map(|n| (start + n * spacing).clamp(0.001, 0.999));
                prop_assert!(abreast.covers(&times));
                let (mut rows, mut value) = ([[0.0; 4]; 4], Vec::new());
                abreast.values(&times, &mut rows[..width]);
                for (k, time) in times.into_iter().enumerate() {
                    prop_assert!(segment.value_at(time, &mut value));
                    for (row, number) in rows.iter().zip(&value) {
                        // Where time hardly passes its last digit is many of the value.
                        let apart = (f64::from(row[k]) - number).abs();
                        prop_assert!(apart < 1e-4, "{} instead of {number} at {time}", row[k]);
                    }
                }
            }
        }
    }
}
