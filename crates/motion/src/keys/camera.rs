//! A camera that circles a point, from one that stands anywhere: few keys on a grid, with Bezier timing between them.

use super::eased::{PER_FRAME, Path, Samples, axis_timing};
use super::longest::most_steps;
use dopesheet_core::model::Timing;
use dopesheet_core::order::by_number;
use dopesheet_curve::lerp;

/// Shortest segment that moves, in frames: neighbouring frames are a cut.
const SHORTEST: usize = 2;

/// Factors by which a segment may be farther off than allowed, tried in this order where shorter ones cannot be had.
const EXCESS: [f64; 7] = [1.0, 1.25, 1.6, 2.0, 4.0, 16.0, 64.0];

/// A camera jumps within a frame in which it moves this many times as far as in those before and after.
const CUT: f64 = 8.0;

/// And by at least so much: radians of its angles, or lengths of which a metre counts as one.
const LEAST_CUT: f64 = 0.05;

/// Places of a camera at each step of a grid, of which there are two for each frame.
pub(crate) struct Shots {
    /// The point that it circles, x, y, z; in units of length.
    pub(crate) target: Samples,
    /// Its three angles in radians, each near that of the step before.
    pub(crate) angles: Samples,
    /// Its field of view in radians; `None` if that does not change.
    pub(crate) fov: Option<Samples>,
}

/// Upper bounds of the errors: of the point, the angles together, and the field of view.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) place: f64,
    pub(crate) angle: f64,
    pub(crate) fov: f64,
}

/// The timing of one segment: target x, y, z, the angles, the field of view; `None` is a cut.
pub(crate) type Shot = Option<[Timing; 5]>;

/// Keys in frames, ascending, and the segments between them.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    pub(crate) frames: Vec<usize>,
    pub(crate) segments: Vec<Shot>,
}

impl Shots {
    /// Keys for a camera of so many frames that is somewhere else after each of some frames, with keys at some others at
    /// least. `metres` is the unit of length.
    pub(crate) fn keys(
        &self,
        count: usize,
        [cuts, fixed]: [&[usize]; 2],
        bounds: Bounds,
        metres: f64,
    ) -> Keys {
        let last = count.saturating_sub(1);
        let mut ends: Vec<(usize, bool)> =
            (0..last).filter(|at| self.is_cut(*at, count, metres)).map(|at| (at, true)).collect();
        ends.extend(cuts.iter().filter(|cut| **cut < last).map(|cut| (*cut, true)));
        ends.extend(fixed.iter().filter(|frame| **frame < last).map(|frame| (*frame, false)));
        ends.push((last, false));
        // Of two at one frame the cut counts.
        by_number(&mut ends, |(frame, is_cut)| *frame as f64 + if *is_cut { 0.0 } else { 0.5 });
        ends.dedup_by_key(|(frame, _)| *frame);
        let mut keys = Keys { frames: vec![0], segments: Vec::new() };
        for (end, is_cut) in ends {
            let start = keys.frames.last().copied().unwrap_or_default();
            self.bends(start, end, bounds).into_iter().for_each(|bend| self.run(&mut keys, bend, bounds));
            self.run(&mut keys, end, bounds);
            if is_cut {
                keys.frames.push(end + 1);
                keys.segments.push(None);
            }
        }
        keys
    }

    /// Frames between two others at which the camera changes its way so suddenly that no segment across them keeps to the bounds,
    /// though those that end and start there do. None is so near to another that there would be no room for a segment.
    fn bends(&self, start: usize, end: usize, bounds: Bounds) -> Vec<usize> {
        let mut found = Vec::new();
        let mut first = start + SHORTEST;
        while first + SHORTEST <= end {
            let fits = |from: usize, to: usize| self.segment(from, to, bounds).is_some();
            let bends = self.turns_sharply(first, bounds)
                && !fits(first - 1, first + 1)
                && fits(first - SHORTEST, first)
                && fits(first, first + SHORTEST);
            if bends {
                found.push(first);
            }
            first += if bends { SHORTEST } else { 1 };
        }
        found
    }

    /// True of a frame at which something is farther from the middle of the steps around it than is allowed.
    fn turns_sharply(&self, frame: usize, bounds: Bounds) -> bool {
        let step = frame * PER_FRAME;
        let off = |samples: &Samples| {
            let middle =
                samples.at(step - 1).iter().zip(samples.at(step + 1)).map(|(a, b)| lerp(*a, *b, 0.5));
            distance(&middle.collect::<Vec<_>>(), samples.at(step))
        };
        off(&self.target) > 0.5 * bounds.place
            || off(&self.angles) > 0.5 * bounds.angle
            || self.fov.as_ref().is_some_and(|fov| off(fov) > 0.5 * bounds.fov)
    }

    /// Keys from the last one to a frame before which nothing jumps.
    fn run(&self, keys: &mut Keys, end: usize, bounds: Bounds) {
        while let Some(&start) = keys.frames.last().filter(|key| **key < end) {
            let (next, segment) = self.farthest(start, end, bounds);
            keys.frames.push(next);
            keys.segments.push(segment);
        }
    }

    /// The farthest frame that one segment reaches, and how; none that leaves a segment of one frame behind.
    fn farthest(&self, start: usize, end: usize, bounds: Bounds) -> (usize, Shot) {
        let allowed = |next: usize| if next + 1 == end { end } else { next };
        let shortest = allowed(start + SHORTEST).min(end);
        if shortest < start + SHORTEST {
            return (end, None);
        }
        let found = most_steps(SHORTEST..=end - start, |steps| self.segment(start, start + steps, bounds));
        let good = found.map(|(steps, found)| (start + steps, found));
        match good {
            Some((next, found)) if next + 1 != end => (next, Some(found)),
            // One frame less leaves two.
            Some((next, _)) if next > start + SHORTEST => {
                (next - 1, Some(self.nearest(start, next - 1, bounds)))
            }
            _ => (shortest, Some(self.nearest(start, shortest, bounds))),
        }
    }

    /// A segment of which each part keeps to its bound as nearly as can be found.
    fn nearest(&self, start: usize, end: usize, bounds: Bounds) -> [Timing; 5] {
        std::array::from_fn(|part| {
            let found = EXCESS.into_iter().find_map(|excess| self.part(part, [start, end], bounds, excess));
            found.unwrap_or(Timing::Linear)
        })
    }

    /// A segment that keeps to the bounds.
    fn segment(&self, start: usize, end: usize, bounds: Bounds) -> Option<[Timing; 5]> {
        let mut timings = [Timing::Linear; 5];
        for (part, timing) in timings.iter_mut().enumerate() {
            *timing = self.part(part, [start, end], bounds, 1.0)?;
        }
        Some(timings)
    }

    /// The timing of one part of a [`Shot`] that keeps to so many times its bound.
    fn part(&self, part: usize, [start, end]: [usize; 2], bounds: Bounds, excess: f64) -> Option<Timing> {
        match (part, &self.fov) {
            (0..=2, _) => axis_timing(&self.target, part, start, end, excess * bounds.place / 3f64.sqrt()),
            (3, _) => self.turn(start, end, excess * bounds.angle),
            (_, Some(fov)) => axis_timing(fov, 0, start, end, excess * bounds.fov),
            (_, None) => Some(Timing::Linear),
        }
    }

    /// The timing that all three angles share.
    fn turn(&self, start: usize, end: usize, bound: f64) -> Option<Timing> {
        let at = |step: usize| self.angles.at(step);
        let (from, to) = (at(start * PER_FRAME), at(end * PER_FRAME));
        let length = distance(from, to);
        let path = Path {
            length,
            along: |step: usize| {
                let parts = from.iter().zip(to).zip(at(step));
                parts.map(|((a, b), x)| (x - a) * (b - a)).sum::<f64>() / (length * length)
            },
            beside: |share: f64, step: usize| {
                let mixed: Vec<f64> = from.iter().zip(to).map(|(a, b)| lerp(*a, *b, share)).collect();
                distance(&mixed, at(step))
            },
        };
        path.timing(start, end, bound)
    }

    /// True of a frame after which the camera is somewhere else, though nothing says so.
    fn is_cut(&self, at: usize, count: usize, metres: f64) -> bool {
        let moved = |at: usize| {
            let by =
                |samples: &Samples| distance(samples.at(at * PER_FRAME), samples.at((at + 1) * PER_FRAME));
            metres * by(&self.target) + by(&self.angles)
        };
        let before = at.checked_sub(1).map_or(0.0, moved);
        let after = if at + 2 < count { moved(at + 1) } else { 0.0 };
        let own = moved(at);
        count > 2 && own > LEAST_CUT && own > CUT * before.max(after)
    }
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}
