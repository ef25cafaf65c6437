//! Solving a clip, segment by segment.

use super::player::Player;
use super::segments::{SAME, Segment, Transforms, miss};
use crate::sample::policy::Side;
use dopesheet_core::model::{Clip, Scene, Transform};
use dopesheet_core::units::Seconds;
use dopesheet_rig::Behaviour;

/// The clip to solve, and the tolerances.
pub(super) struct Work<'a> {
    pub scene: &'a Scene,
    pub clip: &'a Clip,
    pub behaviour: Behaviour,
    /// The nodes that the rig may move.
    pub nodes: &'a [usize],
    pub bounds: Vec<Bound>,
}

/// A time between two segments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SolveTime {
    pub time: f64,
    /// True where something jumps.
    pub jumps: bool,
}

/// Solved transforms at a time, approached from either side.
#[derive(Clone, Debug)]
pub(super) struct End {
    at: SolveTime,
    pub before: Transforms,
    pub after: Transforms,
}

/// Tolerance of a node's local transform.
#[derive(Clone, Copy)]
pub(super) struct Bound {
    pub length: f64,
    pub angle_rad: f64,
}

impl Bound {
    /// Error of a node at a time.
    fn error(self, node: usize, time: f64, length: f64, angle: f64) -> LargestDistance {
        let moved = length + angle * (self.length / self.angle_rad);
        LargestDistance { share: moved / self.length, length: moved, node, time }
    }
}

/// Solved segments, one after the other.
pub(super) struct SolvedSegments {
    pub segments: Vec<Segment>,
    /// Per node: true of its translation, and of its rotation, if the rig changes it.
    pub changes: Vec<[bool; 2]>,
    pub largest: LargestDistance,
}

/// Largest distance from the solved transforms at the measured times.
#[derive(Clone, Copy, Default)]
pub(super) struct LargestDistance {
    pub share: f64,
    pub length: f64,
    pub node: usize,
    pub time: f64,
}

impl LargestDistance {
    pub(super) fn note(&mut self, other: &Self) {
        if other.share > self.share {
            *self = *other;
        }
    }
}

impl SolvedSegments {
    pub(super) fn new(nodes: usize) -> Self {
        Self { segments: Vec::new(), changes: vec![[false; 2]; nodes], largest: LargestDistance::default() }
    }

    pub(super) fn append(&mut self, other: Self) {
        self.segments.extend(other.segments);
        for (own, [translates, rotates]) in self.changes.iter_mut().zip(other.changes) {
            *own = [own[0] || translates, own[1] || rotates];
        }
        self.largest.note(&other.largest);
    }
}

/// A player at work on a part.
pub(super) struct Solving<'a> {
    pub work: &'a Work<'a>,
    pub player: Player<'a>,
    pub part: SolvedSegments,
}

impl Solving<'_> {
    pub(super) fn end(&mut self, at: &SolveTime) -> End {
        let before = self.solve(at.time, if at.jumps { Side::Before } else { Side::At });
        let after = if at.jumps { self.solve(at.time, Side::After) } else { before.clone() };
        End { at: *at, before, after }
    }

    /// Solves the segment between two times.
    pub(super) fn segment(&mut self, from: &End, to: &End) {
        let (start, end) = (from.at.time, to.at.time);
        let half = f64::midpoint(start, end);
        let middle = self.solve(half, Side::At);
        let mut bends = Vec::with_capacity(middle.len());
        let asked = self.work.nodes.iter().zip(&self.work.bounds);
        let ends = from.after.iter().zip(&to.before);
        for ((node, bound), ((from, to), there)) in asked.zip(ends.zip(&middle)) {
            let (length, angle) = miss(from, there, to);
            let error = bound.error(*node, half, length, angle);
            bends.push(error.share > 1.0);
            self.part.largest.note(&error);
        }
        let transforms = [from.after.clone(), middle, to.before.clone()];
        self.part.segments.push(Segment { start, end, transforms, bends });
    }

    fn solve(&mut self, time: f64, side: Side) -> Transforms {
        self.player.pose_at(Seconds(time), side);
        let (before, after) = (self.player.unsolved(), &self.player.solved().local);
        let transforms = self.work.nodes.iter().zip(&mut self.part.changes).map(|(node, changes)| {
            let of = |all: &[Transform]| all.get(*node).copied().unwrap_or(Transform::IDENTITY);
            let (own, solved) = (of(before), of(after));
            let differs = |a: &[f64], b: &[f64]| a.iter().zip(b).any(|(a, b)| (a - b).abs() > SAME);
            changes[0] |= differs(&own.translation, &solved.translation);
            changes[1] |= differs(&own.rotation, &solved.rotation);
            solved
        });
        transforms.collect()
    }
}
