//! A camera that circles a point, made from a free camera: few keys on a grid, with Bezier timing between
//! them.

mod arm;

use super::eased::{PER_FRAME, Path, Samples, axis_timing};
use super::longest::most_steps;
use super::timing::{TimingFit, fit_timing, fit_timing_closely};
use arm::Arm;
use dopesheet_core::model::Timing;
use dopesheet_curve::lerp;

/// Shortest moving segment, in frames: neighbouring frames are a cut.
const SHORTEST: usize = 2;

/// Factors on the allowed error of a segment, tried in this order where shorter segments are impossible.
const EXCESS: [f64; 7] = [1.0, 1.25, 1.6, 2.0, 4.0, 16.0, 64.0];

/// Factor on the bounds of angles where a segment is between two authored keys.
const MORE: f64 = 0.97 / 0.8;

/// A camera jumps within a frame in which it moves this many times as far as in the frames before and after.
const CUT: f64 = 8.0;

/// Least movement of a jump: radians of the camera's angles, or metres of its position.
const LEAST_CUT: f64 = 0.05;

/// Positions and angles of a camera at each step of a grid, with two steps for each frame.
pub(crate) struct Shots {
    /// Position x, y, z of the camera; in units of length.
    pub(crate) eye: Samples,
    /// Three angles of the camera in radians, each near the angle of the step before.
    pub(crate) angles: Samples,
    /// Field of view in radians; `None` if constant.
    pub(crate) fov: Option<Samples>,
}

/// Upper bounds of the errors: of the point, the angles together, and the field of view.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) place: f64,
    pub(crate) angle: f64,
    pub(crate) fov: f64,
}

/// The timing of one segment: target x, y, z, the angles, the field of view, the distance; `None` is a cut.
pub(crate) type Shot = Option<[Timing; 6]>;

/// Keys in frames, ascending, and the segments between them.
#[derive(Debug, Default)]
pub(crate) struct CameraKeys {
    pub(crate) frames: Vec<usize>,
    /// The distance from the circled point at each key.
    pub(crate) distances: Vec<f64>,
    pub(crate) segments: Vec<Shot>,
}

impl CameraKeys {
    fn push(&mut self, segment: Shot, frame: usize, distance: f64) {
        self.segments.push(segment);
        self.frames.push(frame);
        self.distances.push(distance);
    }
}

/// Frames with known properties of a camera.
pub(crate) struct Known<'a> {
    /// Frames after which the camera jumps to another position.
    pub(crate) cuts: &'a [usize],
    /// Frames with required keys.
    pub(crate) fixed: &'a [usize],
    /// Frames that had keys, ascending, and may have keys again.
    pub(crate) authored: &'a [usize],
    /// The distance from the circled point, if fixed.
    pub(crate) distance: Option<f64>,
}

impl Shots {
    /// Keys for a camera of `count` frames. `metres` is the unit of length.
    pub(crate) fn keys(&self, count: usize, facts: &Known<'_>, bounds: Bounds, metres: f64) -> CameraKeys {
        let last = count.saturating_sub(1);
        let mut cuts: Vec<usize> = (0..last).filter(|at| self.is_cut(*at, count, metres)).collect();
        cuts.extend(facts.cuts.iter().filter(|cut| **cut < last));
        cuts.sort_unstable();
        cuts.dedup();
        let mut keys = CameraKeys::default();
        let mut start = 0;
        for end in cuts.into_iter().chain([last]) {
            let shot = self.shot(start, end, facts, bounds);
            if !keys.frames.is_empty() {
                keys.segments.push(None);
            }
            keys.frames.extend(shot.frames);
            keys.distances.extend(shot.distances);
            keys.segments.extend(shot.segments);
            start = end.saturating_add(1);
        }
        keys
    }

    /// The keys between two cuts.
    fn shot(&self, start: usize, end: usize, facts: &Known<'_>, bounds: Bounds) -> CameraKeys {
        let within = |frames: &[usize]| -> Vec<usize> {
            frames.iter().copied().filter(|frame| start < *frame && *frame < end).collect()
        };
        let mut fixed = within(facts.fixed);
        fixed.sort_unstable();
        let ends: Vec<usize> = [start].into_iter().chain(fixed).chain((end > start).then_some(end)).collect();
        let placed = || {
            let distance = facts.distance.unwrap_or_default();
            let arms: Vec<Arm> = ends.array_windows::<2>().map(|_| Arm::even(distance)).collect();
            self.between(&ends, &arms, bounds)
        };
        if facts.distance.is_some() || facts.authored.is_empty() {
            return placed();
        }
        let mut authored = within(facts.authored);
        authored.retain(|frame| ends.iter().all(|end| end.abs_diff(*frame) >= SHORTEST));
        authored.dedup_by(|later, earlier| later.abs_diff(*earlier) < SHORTEST);
        authored.extend(&ends);
        authored.sort_unstable();
        let arms = self.arms(&authored, bounds);
        let circling = self.between(&authored, &arms, bounds);
        if circling.frames.len() <= authored.len() {
            return circling;
        }
        let placed = placed();
        if placed.frames.len() < circling.frames.len() { placed } else { circling }
    }

    /// Keys at some frames, and as few as can be found between them.
    fn between(&self, ends: &[usize], arms: &[Arm], bounds: Bounds) -> CameraKeys {
        let mut keys = CameraKeys::default();
        keys.frames.extend(ends.first());
        keys.distances.push(arms.first().map_or(0.0, |arm| arm.ends[0]));
        for (&[start, end], arm) in ends.array_windows().zip(arms) {
            let whole =
                if end.saturating_sub(start) < SHORTEST { None } else { self.whole(start, end, arm, bounds) };
            if whole.is_some() {
                keys.push(whole, end, arm.ends[1]);
                continue;
            }
            let arm = Even { arm: *arm, range: [start, end] };
            self.bends(start, end, &arm, bounds)
                .into_iter()
                .for_each(|bend| self.run(&mut keys, bend, &arm, bounds));
            self.run(&mut keys, end, &arm, bounds);
        }
        keys
    }

    /// Frames between two others at which the camera changes its direction so suddenly that no segment across
    /// them keeps to the bounds, while segments that end and start there do. Between two such frames there is
    /// always room for a segment.
    fn bends(&self, start: usize, end: usize, arm: &Even, bounds: Bounds) -> Vec<usize> {
        let mut corners = Vec::new();
        let mut first = start.saturating_add(SHORTEST);
        while let Some(after) = first.checked_add(SHORTEST).filter(|after| *after <= end) {
            let before = first.saturating_sub(SHORTEST);
            let fits =
                |from: usize, to: usize| self.segment(from, to, &arm.between(from, to), bounds).is_some();
            let bends = self.turns_sharply(first, bounds)
                && !fits(first.saturating_sub(1), first.saturating_add(1))
                && fits(before, first)
                && fits(first, after);
            if bends {
                corners.push(first);
            }
            first = first.saturating_add(if bends { SHORTEST } else { 1 });
        }
        corners
    }

    /// True of a frame with a value farther from the middle of the steps around it than the bounds allow.
    fn turns_sharply(&self, frame: usize, bounds: Bounds) -> bool {
        let step = frame.saturating_mul(PER_FRAME);
        let (before, after) = (step.saturating_sub(1), step.saturating_add(1));
        let off = |samples: &Samples| {
            let middle = samples.at(before).iter().zip(samples.at(after)).map(|(a, b)| lerp(*a, *b, 0.5));
            distance(&middle.collect::<Vec<_>>(), samples.at(step))
        };
        off(&self.eye) > 0.5 * bounds.place
            || off(&self.angles) > 0.5 * bounds.angle
            || self.fov.as_ref().is_some_and(|fov| off(fov) > 0.5 * bounds.fov)
    }

    /// Keys from the last one to a frame, without jumps before this frame.
    fn run(&self, keys: &mut CameraKeys, end: usize, arm: &Even, bounds: Bounds) {
        while let Some(&start) = keys.frames.last().filter(|key| **key < end) {
            let (next, segment) = self.farthest(start, end, arm, bounds);
            keys.push(segment, next, arm.at(next));
        }
    }

    /// The farthest frame in reach of one segment, and the segment; a rest of one frame is never left behind.
    fn farthest(&self, start: usize, end: usize, arm: &Even, bounds: Bounds) -> (usize, Shot) {
        let (first, before_end) = (start.saturating_add(SHORTEST), end.saturating_sub(1));
        let shortest = if first == before_end { end } else { first.min(end) };
        if shortest < first {
            return (end, None);
        }
        let shot = most_steps(SHORTEST..=end.saturating_sub(start), |steps| {
            let next = start.saturating_add(steps);
            self.segment(start, next, &arm.between(start, next), bounds)
        });
        let good = shot.map(|(steps, shot)| (start.saturating_add(steps), shot));
        match good {
            Some((next, shot)) if next != before_end => (next, Some(shot)),
            // One frame less leaves two.
            Some((next, _)) if next > first => {
                let next = next.saturating_sub(1);
                (next, Some(self.nearest(start, next, arm, bounds)))
            }
            _ => (shortest, Some(self.nearest(start, shortest, arm, bounds))),
        }
    }

    /// A segment whose parts keep to their bounds as nearly as possible.
    fn nearest(&self, start: usize, end: usize, arm: &Even, bounds: Bounds) -> [Timing; 6] {
        let arm = arm.between(start, end);
        let nearest = |find: &dyn Fn(f64) -> Option<Timing>| {
            EXCESS.into_iter().find_map(find).unwrap_or(Timing::Linear)
        };
        let turn = nearest(&|excess| self.turn(start, end, excess * bounds.angle, fit_timing));
        let zoom = nearest(&|excess| self.zoom(start, end, excess * bounds.fov, fit_timing));
        let swing = self.swing(start, end, turn);
        let [x, y, z] = [0, 1, 2]
            .map(|axis| nearest(&|excess| swing.timing(axis, &arm, excess * bounds.place, fit_timing)));
        [x, y, z, turn, zoom, arm.timing]
    }

    /// A segment within the bounds.
    fn segment(&self, start: usize, end: usize, arm: &Arm, bounds: Bounds) -> Option<[Timing; 6]> {
        let turn = self.turn(start, end, bounds.angle, fit_timing)?;
        let zoom = self.zoom(start, end, bounds.fov, fit_timing)?;
        let swing = self.swing(start, end, turn);
        let axis = |axis: usize| swing.timing(axis, arm, bounds.place, fit_timing);
        Some([axis(0)?, axis(1)?, axis(2)?, turn, zoom, arm.timing])
    }

    /// A segment between two authored keys: its samples already contain the error of a former conversion, so
    /// that the segment may use the whole bounds.
    fn whole(&self, start: usize, end: usize, arm: &Arm, bounds: Bounds) -> Option<[Timing; 6]> {
        let turn = self.turn(start, end, MORE * bounds.angle, fit_timing_closely)?;
        let zoom = self.zoom(start, end, MORE * bounds.fov, fit_timing_closely)?;
        let swing = self.swing(start, end, turn);
        let axis = |axis: usize| {
            let diagonal = 3f64.sqrt() * bounds.place;
            let timing = swing.timing(axis, arm, bounds.place, fit_timing);
            timing.or_else(|| swing.timing(axis, arm, diagonal, fit_timing_closely))
        };
        let is_near = |timings: &[Timing; 3]| swing.misses_by(timings, arm) <= bounds.place;
        let alike = [arm.timing; 3];
        let timings @ [x, y, z] = if is_near(&alike) { alike } else { [axis(0)?, axis(1)?, axis(2)?] };
        is_near(&timings).then_some([x, y, z, turn, zoom, arm.timing])
    }

    /// The timing of the field of view.
    fn zoom(&self, start: usize, end: usize, bound: f64, fit: TimingFit) -> Option<Timing> {
        self.fov.as_ref().map_or(Some(Timing::Linear), |fov| axis_timing(fov, 0, start, end, bound, fit))
    }

    /// The common timing of all three angles.
    fn turn(&self, start: usize, end: usize, bound: f64, fit: TimingFit) -> Option<Timing> {
        let at = |step: usize| self.angles.at(step);
        let (from, to) = (self.angles.on(start), self.angles.on(end));
        let length = distance(from, to);
        let path = Path {
            length,
            along: |step: usize| {
                let parts = from.iter().zip(to).zip(at(step));
                parts.map(|((a, b), x)| (x - a) * (b - a)).sum::<f64>() / (length * length)
            },
            distance: |share: f64, step: usize| {
                let mixed: Vec<f64> = from.iter().zip(to).map(|(a, b)| lerp(*a, *b, share)).collect();
                distance(&mixed, at(step))
            },
        };
        path.timing(start, end, bound, fit)
    }

    /// True of a frame with an unmarked jump behind it.
    fn is_cut(&self, at: usize, count: usize, metres: f64) -> bool {
        let moved = |at: usize| {
            let by = |samples: &Samples| distance(samples.on(at), samples.on(at.saturating_add(1)));
            metres * by(&self.eye) + by(&self.angles)
        };
        let before = at.checked_sub(1).map_or(0.0, moved);
        let next = at.saturating_add(1);
        let after = if next.saturating_add(1) < count { moved(next) } else { 0.0 };
        let change = moved(at);
        count > 2 && change > LEAST_CUT && change > CUT * before.max(after)
    }
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// A distance that changes evenly between two frames.
struct Even {
    arm: Arm,
    range: [usize; 2],
}

impl Even {
    fn at(&self, frame: usize) -> f64 {
        let [start, end] = self.range;
        let [from, to] = self.arm.ends;
        lerp(from, to, frame.saturating_sub(start) as f64 / end.saturating_sub(start) as f64)
    }

    fn between(&self, start: usize, end: usize) -> Arm {
        Arm { ends: [start, end].map(|frame| self.at(frame)), timing: Timing::Linear }
    }
}
