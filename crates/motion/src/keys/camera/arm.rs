//! The distance of a camera from the point that it circles, where only its place is known: the one with which its way from key to key
//! is eased.

use super::{Bounds, MORE, Shots};
use crate::keys::eased::{PER_FRAME, Samples, axis_timing};
use crate::keys::timing::{Fit, fit_timing_closely};
use crate::sample::timing::eased;
use dopesheet_core::model::Timing;
use dopesheet_curve::{OrbitConvention, lerp};

/// The distance at which MikuMikuDance's cameras stand by default, in units of length: about what others are, too.
const USUAL: f64 = 45.0;

/// Weight of equal distances at neighbouring keys, beside that of a place that is off by its bound.
const EVEN: f64 = 1e-2;

/// Weight of no distance at all.
const NONE: f64 = 1e-5;

/// The distance between two keys, as it runs from one to the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arm {
    pub(super) ends: [f64; 2],
    pub(super) timing: Timing,
}

impl Arm {
    /// The same everywhere.
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
    /// The way from the point that it circles to it, of length 1, with the angles that its keys give.
    out: Vec<[f64; 3]>,
}

impl Swing {
    /// Share of the time that has passed, place and direction at each step.
    fn steps(&self) -> impl Iterator<Item = (f64, &[f64; 3], &[f64; 3])> + Clone {
        let last = self.eye.len().saturating_sub(1).max(1) as f64;
        self.eye.iter().zip(&self.out).enumerate().map(move |(n, (eye, out))| (n as f64 / last, eye, out))
    }

    /// Timing with which an axis of the point that is circled moves, if one keeps the whole point to a bound.
    pub(super) fn timing(&self, axis: usize, arm: &Arm, bound: f64, fit: Fit) -> Option<Timing> {
        let mut target = Samples::empty(1);
        for (share, eye, out) in self.steps() {
            target.push(&[eye[axis] - arm.at(share) * out[axis]]);
        }
        axis_timing(&target, 0, 0, self.eye.len() / PER_FRAME, bound / 3f64.sqrt(), fit)
    }

    /// Largest distance from where it is if the point that is circled moves with such timings.
    pub(super) fn misses_by(&self, way: &[Timing; 3], arm: &Arm) -> f64 {
        let points = self.steps().map(|(share, eye, out)| (share, point(eye, out, arm.at(share))));
        let (Some((_, from)), Some((_, to))) = (points.clone().next(), points.clone().last()) else {
            return 0.0;
        };
        let miss = |(share, exact): (f64, [f64; 3])| {
            let off = (0..3).map(|n| (lerp(from[n], to[n], eased(way[n], share)) - exact[n]).powi(2));
            off.sum::<f64>().sqrt()
        };
        points.map(miss).fold(0.0, f64::max)
    }

    /// The timing of the distance if the camera looks at one point all the time: where the lines of sight at both ends meet.
    fn around_a_point(&self, bound: f64) -> Option<(Timing, Misses)> {
        let (Some((_, eye0, out0)), Some((_, eye1, out1))) = (self.steps().next(), self.steps().last())
        else {
            return None;
        };
        let way: [f64; 3] = std::array::from_fn(|n| eye1[n] - eye0[n]);
        let (across, from, to) = (dot(out0, out1), dot(&way, out0), dot(&way, out1));
        let distance = (across * to - from) / (1.0 - across * across);
        if !distance.is_finite() {
            return None;
        }
        let point = point(eye0, out0, distance);
        let mut distances = Samples::empty(1);
        for (_, eye, out) in self.steps() {
            distances.push(&[dot(&std::array::from_fn(|n| eye[n] - point[n]), out)]);
        }
        let timing = axis_timing(&distances, 0, 0, self.eye.len() / PER_FRAME, bound, fit_timing_closely)?;
        Some((timing, self.misses(&[Timing::Linear; 3], timing)))
    }

    /// Rest of the way with such timings of the point and the distance.
    fn misses(&self, way: &[Timing; 3], timing: Timing) -> Misses {
        let mut all = Misses::default();
        let (Some((_, eye0, out0)), Some((_, eye1, out1))) = (self.steps().next(), self.steps().last())
        else {
            return all;
        };
        for (share, eye, out) in self.steps() {
            let passed = eased(timing, share);
            for axis in 0..3 {
                let moved = if way[axis] == timing { passed } else { eased(way[axis], share) };
                let a = (1.0 - passed) * out[axis] - (1.0 - moved) * out0[axis];
                let b = passed * out[axis] - moved * out1[axis];
                let left = eye[axis] - lerp(eye0[axis], eye1[axis], moved);
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

/// The point that a camera circles at a distance.
fn point(eye: &[f64; 3], out: &[f64; 3], distance: f64) -> [f64; 3] {
    std::array::from_fn(|n| eye[n] - distance * out[n])
}

fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Sum of squared distances of a camera from its place between two keys, by its distance from the point that it circles at each:
/// `squares − 2·slopes·d + dᵀ·bends·d`.
#[derive(Clone, Copy, Debug, Default)]
struct Misses {
    bends: [f64; 3],
    slopes: [f64; 2],
    squares: f64,
    steps: f64,
}

impl Misses {
    /// Its least value, where a distance has some weight.
    fn least(&self, weight: f64) -> f64 {
        let ([a, ab, b], [p, q]) = (self.bends, self.slopes);
        let (a, b) = (a + weight, b + weight);
        self.squares - (p * p * b - 2.0 * p * q * ab + q * q * a) / (a * b - ab * ab)
    }
}

impl Shots {
    /// The camera between two frames, with the angles that a timing gives.
    pub(super) fn swing(&self, start: usize, end: usize, timing: Timing) -> Swing {
        let [first, last] = [start, end].map(|frame| frame * PER_FRAME);
        let three = |samples: &Samples, step| samples.at(step).first_chunk().copied().unwrap_or_default();
        let [from, to] = [first, last].map(|step| three(&self.angles, step));
        let out = |step: usize| {
            let passed = eased(timing, (step - first) as f64 / (last - first) as f64);
            let angles: [f64; 3] = std::array::from_fn(|n| lerp(from[n], to[n], passed));
            OrbitConvention::MMD.eye([0.0; 3], angles, 1.0)
        };
        Swing {
            eye: (first..=last).map(|step| three(&self.eye, step)).collect(),
            out: (first..=last).map(out).collect(),
        }
    }

    /// The distances between keys with which the camera's way is most nearly eased in every segment.
    pub(super) fn arms(&self, keys: &[usize], bounds: Bounds) -> Vec<Arm> {
        let segments: Vec<(Timing, Misses)> =
            keys.windows(2).map(|ends| self.eased_segment(ends[0], ends[1], bounds)).collect();
        let weight = |steps: f64| steps * (bounds.place / USUAL).powi(2);
        let distances = distances(segments.iter().map(|(_, misses)| *misses), weight);
        let arms = segments.iter().zip(distances.windows(2));
        arms.map(|((timing, _), ends)| Arm { ends: [ends[0], ends[1]], timing: *timing }).collect()
    }

    /// The timing of the distance between two keys, and what it is, as far as that can be told.
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

/// The distances at keys for which the misses of all segments between them are least. Neighbouring ones are equal where nothing else
/// says what they are.
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
    for n in 1..rows.len() {
        let factor = beside[n - 1] / rows[n - 1][0];
        rows[n][0] -= factor * beside[n - 1];
        rows[n][1] -= factor * rows[n - 1][1];
    }
    let mut found = vec![0.0; rows.len()];
    for n in (0..rows.len()).rev() {
        let next = beside.get(n).map_or(0.0, |beside| beside * found[n + 1]);
        found[n] = (rows[n][1] - next) / rows[n][0];
    }
    found
}
