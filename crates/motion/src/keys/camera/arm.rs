//! The distance of a camera from its circled point, if only the camera's position is known: the distance with
//! which the point's path from key to key is eased.

use super::{Bounds, MORE, Shots};
use crate::keys::eased::{PER_FRAME, Samples, axis_timing};
use crate::keys::timing::{TimingFit, fit_timing_closely};
use crate::sample::timing::eased;
use dopesheet_core::model::Timing;
use dopesheet_curve::{OrbitConvention, lerp};

/// The default distance of MikuMikuDance's cameras, in units of length; other distances are mostly about as
/// large.
const USUAL: f64 = 45.0;

/// Weight of equal distances at neighbouring keys, beside the weight of a position off by its bound.
const EVEN: f64 = 1e-2;

/// Weight of a distance of zero.
const NONE: f64 = 1e-5;

/// The distance between two keys, running from one value to the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arm {
    pub(super) ends: [f64; 2],
    pub(super) timing: Timing,
}

impl Arm {
    /// A constant distance.
    pub(super) const fn even(distance: f64) -> Self {
        Self { ends: [distance; 2], timing: Timing::Linear }
    }

    fn at(&self, share: f64) -> f64 {
        let [from, to] = self.ends;
        if from == to { from } else { lerp(from, to, eased(self.timing, share)) }
    }
}

/// A camera between two keys, at each step.
pub(super) struct Swing {
    /// Its place.
    eye: Vec<[f64; 3]>,
    /// Direction from the circled point to the camera, of length 1, by the angles of the keys.
    out: Vec<[f64; 3]>,
}

impl Swing {
    /// Passed share of the time, position and direction at each step.
    fn steps(&self) -> impl Iterator<Item = (f64, &[f64; 3], &[f64; 3])> + Clone {
        let last = self.eye.len().saturating_sub(1).max(1) as f64;
        self.eye.iter().zip(&self.out).enumerate().map(move |(n, (eye, out))| (n as f64 / last, eye, out))
    }

    /// Timing for an axis of the circled point, if some timing keeps the whole point to a bound.
    pub(super) fn timing(&self, axis: usize, arm: &Arm, bound: f64, fit: TimingFit) -> Option<Timing> {
        let mut target = Samples::empty(1);
        for (share, eye, out) in self.steps() {
            let (eye, out) = (eye.get(axis)?, out.get(axis)?);
            target.push(&[eye - arm.at(share) * out]);
        }
        axis_timing(&target, 0, 0, self.eye.len() / PER_FRAME, bound / 3f64.sqrt(), fit)
    }

    /// Largest distance of the point from its true position if it moves with these timings.
    pub(super) fn misses_by(&self, way: &[Timing; 3], arm: &Arm) -> f64 {
        let points = self.steps().map(|(share, eye, out)| (share, point(eye, out, arm.at(share))));
        let (Some((_, from)), Some((_, to))) = (points.clone().next(), points.clone().last()) else {
            return 0.0;
        };
        let miss = |(share, exact): (f64, [f64; 3])| {
            let axes = from.iter().zip(to).zip(way).zip(exact);
            let off = axes.map(|(((from, to), timing), exact)| {
                (lerp(*from, to, eased(*timing, share)) - exact).powi(2)
            });
            off.sum::<f64>().sqrt()
        };
        points.map(miss).fold(0.0, f64::max)
    }

    /// The timing of the distance if the camera looks at the same point all the time: the intersection of the
    /// lines of sight at both ends.
    fn around_a_point(&self, bound: f64) -> Option<(Timing, Misses)> {
        let (Some((_, eye0, out0)), Some((_, eye1, out1))) = (self.steps().next(), self.steps().last())
        else {
            return None;
        };
        let offset = less(eye1, eye0);
        let (across, from, to) = (dot(out0, out1), dot(&offset, out0), dot(&offset, out1));
        let distance = (across * to - from) / (1.0 - across * across);
        if !distance.is_finite() {
            return None;
        }
        let point = point(eye0, out0, distance);
        let mut distances = Samples::empty(1);
        for (_, eye, out) in self.steps() {
            distances.push(&[dot(&less(eye, &point), out)]);
        }
        let timing = axis_timing(&distances, 0, 0, self.eye.len() / PER_FRAME, bound, fit_timing_closely)?;
        Some((timing, self.misses(&[Timing::Linear; 3], timing)))
    }

    /// Remaining error with these timings of the point and the distance.
    fn misses(&self, way: &[Timing; 3], timing: Timing) -> Misses {
        let mut all = Misses::default();
        let (Some((_, eye0, out0)), Some((_, eye1, out1))) = (self.steps().next(), self.steps().last())
        else {
            return all;
        };
        for (share, eye, out) in self.steps() {
            let passed = eased(timing, share);
            let (outs, eyes) = (by_axis([out, out0, out1]), by_axis([eye, eye0, eye1]));
            for ((way, [out, out0, out1]), [eye, eye0, eye1]) in way.iter().zip(outs).zip(eyes) {
                let moved = if *way == timing { passed } else { eased(*way, share) };
                let a = (1.0 - passed) * out - (1.0 - moved) * out0;
                let b = passed * out - moved * out1;
                let left = eye - lerp(eye0, eye1, moved);
                all.bends[0] += a * a;
                all.bends[1] += a * b;
                all.bends[2] += b * b;
                all.slopes[0] += a * left;
                all.slopes[1] += b * left;
                all.squares += left * left;
            }
            all.steps += 1.0;
        }
        all
    }
}

/// The circled point at a distance from the camera.
fn point([x, y, z]: &[f64; 3], [out_x, out_y, out_z]: &[f64; 3], distance: f64) -> [f64; 3] {
    [x - distance * out_x, y - distance * out_y, z - distance * out_z]
}

fn less([x, y, z]: &[f64; 3], [from_x, from_y, from_z]: &[f64; 3]) -> [f64; 3] {
    [x - from_x, y - from_y, z - from_z]
}

/// For each axis its numbers in three vectors.
const fn by_axis([[ax, ay, az], [bx, by, bz], [cx, cy, cz]]: [&[f64; 3]; 3]) -> [[f64; 3]; 3] {
    [[*ax, *bx, *cx], [*ay, *by, *cy], [*az, *bz, *cz]]
}

fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Sum of squared errors of a camera's position between two keys, by its distance from the circled point at
/// each:
/// `squares − 2·slopes·d + dᵀ·bends·d`.
#[derive(Clone, Copy, Debug, Default)]
struct Misses {
    bends: [f64; 3],
    slopes: [f64; 2],
    squares: f64,
    steps: f64,
}

impl Misses {
    /// Least value of the sum, where a distance has some weight.
    fn least(&self, weight: f64) -> f64 {
        let ([a, ab, b], [p, q]) = (self.bends, self.slopes);
        let (a, b) = (a + weight, b + weight);
        self.squares - (p * p * b - 2.0 * p * q * ab + q * q * a) / (a * b - ab * ab)
    }
}

impl Shots {
    /// The camera between two frames, with angles by a timing.
    pub(super) fn swing(&self, start: usize, end: usize, timing: Timing) -> Swing {
        let [first, last] = [start, end].map(|frame| frame.saturating_mul(PER_FRAME));
        let three = |samples: &Samples, step| samples.at(step).first_chunk().copied().unwrap_or_default();
        let [[ax, ay, az], [bx, by, bz]] = [first, last].map(|step| three(&self.angles, step));
        let out = |step: usize| {
            let share = step.saturating_sub(first) as f64 / last.saturating_sub(first) as f64;
            let passed = eased(timing, share);
            let angles = [lerp(ax, bx, passed), lerp(ay, by, passed), lerp(az, bz, passed)];
            OrbitConvention::MMD.eye([0.0; 3], angles, 1.0)
        };
        Swing {
            eye: (first..=last).map(|step| three(&self.eye, step)).collect(),
            out: (first..=last).map(out).collect(),
        }
    }

    /// The distances between keys for which the camera's movement is most nearly eased in every segment.
    pub(super) fn arms(&self, keys: &[usize], bounds: Bounds) -> Vec<Arm> {
        let segments: Vec<(Timing, Misses)> =
            keys.array_windows().map(|[start, end]| self.eased_segment(*start, *end, bounds)).collect();
        let weight = |steps: f64| steps * (bounds.place / USUAL).powi(2);
        let distances = distances(segments.iter().map(|(_, misses)| *misses), weight);
        let arms = segments.iter().zip(distances.array_windows());
        arms.map(|((timing, _), ends)| Arm { ends: *ends, timing: *timing }).collect()
    }

    /// The timing of the distance between two keys, and the errors by the distances.
    fn eased_segment(&self, start: usize, end: usize, bounds: Bounds) -> (Timing, Misses) {
        let turn = self.turn(start, end, MORE * bounds.angle, fit_timing_closely);
        let swing = self.swing(start, end, turn.unwrap_or(Timing::Linear));
        let steps = swing.eye.len() as f64;
        let weight = NONE * steps * (bounds.place / USUAL).powi(2);
        let alike = |timing: Timing| (timing, swing.misses(&[timing; 3], timing));
        let tried =
            [turn, self.zoom(start, end, MORE * bounds.fov, fit_timing_closely), Some(Timing::Linear)];
        let tried = tried.into_iter().flatten().map(alike).chain(swing.around_a_point(bounds.place));
        let least = |(_, misses): &(Timing, Misses)| misses.least(weight);
        let best = tried.min_by(|a, b| least(a).total_cmp(&least(b)));
        let is_near = |found: &(Timing, Misses)| least(found) <= steps * bounds.place * bounds.place;
        best.filter(is_near).unwrap_or((Timing::Linear, Misses { steps, ..Misses::default() }))
    }
}

/// The distances at keys with the least errors of all segments between them. Neighbouring distances are equal
/// where no other condition determines them.
fn distances(segments: impl Iterator<Item = Misses>, weight: impl Fn(f64) -> f64) -> Vec<f64> {
    // A matrix with three diagonals, which is solved as Thomas does.
    let mut rows: Vec<[f64; 2]> = vec![[0.0; 2]];
    let mut beside = Vec::new();
    for misses in segments {
        let weight = weight(misses.steps);
        let [a, ab, b] = misses.bends;
        if let Some(row) = rows.last_mut() {
            row[0] += a + (EVEN + NONE) * weight;
            row[1] += misses.slopes[0];
        }
        beside.push(ab - EVEN * weight);
        rows.push([b + (EVEN + NONE) * weight, misses.slopes[1]]);
    }
    let mut above = rows.first().copied().unwrap_or_default();
    for (row, beside) in rows.iter_mut().skip(1).zip(&beside) {
        let factor = beside / above[0];
        row[0] -= factor * beside;
        row[1] -= factor * above[1];
        above = *row;
    }
    beside.push(0.0);
    let mut below = 0.0;
    let solved = rows.iter().zip(&beside).rev().map(|([weight, sum], beside)| {
        below = (sum - beside * below) / weight;
        below
    });
    let mut solution: Vec<f64> = solved.collect();
    solution.reverse();
    solution
}
