//! How far apart joints are at most in short blocks of time, by what each one does relative to its parent.
//!
//! A joint is no farther apart than its parent is, than what hangs on the parent's turn, and than its own difference
//! add up to. So only blocks have to be looked at in which that sum is more than was already seen.

use super::norm::Gap;
use super::pieces::{Size, Twist};
use super::schedule::Schedule;
use super::stage::Local;
use dopesheet_core::units::Seconds;
use std::ops::Range;

/// How many instants, of all joints together, make a block.
const INSTANTS: usize = 60;

/// Blocks are no shorter, in seconds: so soon nothing turns far, and it costs something to know where joints are in them.
const SHORTEST_S: f64 = 0.018;

/// One of so many blocks is looked at before the others.
const AHEAD: usize = 16;

/// Differences between two moments at which one was measured may be this much larger: of an arch over a gap, the
/// largest of eight evenly spaced points is 1.3 % below its top.
const MARGIN: f64 = 1.1;

/// A part of a length by which rounding may put what hangs on a long chain elsewhere.
const ROUNDING: f64 = 1e-12;

/// What bounds how far a joint is apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Above {
    /// Itself alone.
    Nothing,
    /// Itself and the pair that it hangs on.
    Pair(usize),
    /// Unknown: it is scaled, or hangs on something else on the other side, or what it looks at counts too.
    Unknown,
}

/// How far apart a joint is on both sides, relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Own {
    /// |Δt|, the distance of its translations.
    pub(super) moved: f64,
    /// 2·sin(θ/2) for rotations θ apart.
    pub(super) turned: f64,
    /// |t|, how far it is from its parent.
    pub(super) away: f64,
}

impl Own {
    pub(super) const NOTHING: Self = Self { moved: 0.0, turned: 0.0, away: 0.0 };

    pub(super) fn of(twist: &Twist, a: &Local) -> Self {
        Self { moved: twist.moved.length(), turned: twist.turned.length(), away: a.translation.length() }
    }

    /// The farthest that a point within `shell` of the joint is apart.
    pub(super) fn reaches(&self, shell: f64) -> f64 {
        self.moved + shell * self.turned
    }

    pub(super) const fn size(&self) -> Size {
        Size { moved: self.moved, turned: self.turned }
    }

    /// So far apart at most, if that is less.
    pub(super) fn lesser(&self, most: Size) -> Self {
        Self { moved: self.moved.min(most.moved), turned: self.turned.min(most.turned), ..*self }
    }

    /// The larger of both in every respect; what is no number is larger than any.
    pub(super) fn max(&self, other: &Self) -> Self {
        Self {
            moved: larger(self.moved, other.moved),
            turned: larger(self.turned, other.turned),
            away: larger(self.away, other.away),
        }
    }
}

/// The larger of two numbers; what is no number is larger than any.
fn larger(a: f64, b: f64) -> f64 {
    if a >= b {
        a
    } else if b.is_nan() || a.is_nan() {
        f64::INFINITY
    } else {
        b
    }
}

/// How far apart something is at most that hangs on what is so far apart, `away` from it at most, and does so much itself.
pub(super) fn hanging(over: Gap, away: f64, own: Size) -> Gap {
    Gap {
        moved: over.moved + over.turned * away + own.moved + away * ROUNDING,
        turned: over.turned + own.turned + ROUNDING,
    }
}

/// What joints do relative to their parents in the blocks of a stretch of time.
pub(super) struct Blocks {
    stretch: Range<f64>,
    /// Where the first block starts, as times are counted.
    start: f64,
    duration: f64,
    count: usize,
    /// The blocks of the first joint, of the second ...
    own: Vec<Own>,
    /// The last moment of the joint that is being noted: its block, and how far apart it was.
    last: Option<(usize, Own)>,
}

impl Blocks {
    pub(super) fn new(stretch: &Range<f64>, end: f64, schedule: &Schedule, joints: usize) -> Self {
        let (from, to) = (stretch.start.clamp(0.0, end), stretch.end.clamp(0.0, end));
        let by_time = ((to - from) / SHORTEST_S).ceil() as usize;
        let count = schedule.count(stretch).div_ceil(INSTANTS).min(by_time).max(1);
        let duration = ((to - from) / count as f64).max(f64::MIN_POSITIVE);
        let own = vec![Own::NOTHING; count * joints];
        Self { stretch: stretch.clone(), start: from, duration, count, own, last: None }
    }

    fn index(&self, time: f64) -> usize {
        // Saturates, and what is no number is 0.
        (((time - self.start) / self.duration) as usize).min(self.count - 1)
    }

    /// The times of a block.
    pub(super) fn range(&self, block: usize) -> Range<f64> {
        let from = if block == 0 { self.stretch.start } else { self.edge(block) };
        from..if block + 1 == self.count { self.stretch.end } else { self.edge(block + 1) }
    }

    /// How far apart a joint is at a time; all of one joint come in order.
    pub(super) fn note(&mut self, joint: usize, time: Seconds, own: &Own) {
        let block = self.index(time.0);
        // Between two moments it is no farther apart than at one of them, but for the margin.
        let (from, most) = self.last.map_or((0, *own), |(last, before)| (last, before.max(own)));
        self.raise(joint, from.min(block)..block + 1, &most);
        self.last = Some((block, *own));
    }

    /// How far apart a joint is at most between the last moment that was noted and a later one.
    pub(super) fn note_until(&mut self, joint: usize, time: Seconds, own: &Own) {
        let block = self.index(time.0);
        let from = self.last.map_or(0, |(last, _)| last);
        self.raise(joint, from.min(block)..block + 1, own);
        self.last = Some((block, *own));
    }

    /// The last moment of a joint was noted.
    pub(super) fn close(&mut self, joint: usize) {
        if let Some((block, own)) = self.last.take() {
            self.raise(joint, block..self.count, &own);
        }
    }

    /// How far apart a joint always is.
    pub(super) fn note_always(&mut self, joint: usize, own: &Own) {
        self.raise(joint, 0..self.count, own);
    }

    fn raise(&mut self, joint: usize, blocks: Range<usize>, own: &Own) {
        let first = joint * self.count;
        let known = self.own.get_mut(first + blocks.start..first + blocks.end);
        known.into_iter().flatten().for_each(|known| *known = known.max(own));
    }

    /// The times of a block between 0 and the end.
    pub(super) fn span(&self, block: usize) -> [f64; 2] {
        [block, block + 1].map(|block| self.edge(block))
    }

    /// When a block starts, or the last one ends.
    pub(super) fn edge(&self, block: usize) -> f64 {
        self.at(block as f64)
    }

    /// So many blocks behind the start of the first one.
    pub(super) fn at(&self, blocks: f64) -> f64 {
        self.start + self.duration * blocks
    }

    /// How many there are: one at least.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// What a joint does at most in a block.
    pub(super) fn own(&self, joint: usize, block: usize) -> &Own {
        &self.own[joint * self.count + block]
    }

    /// How far apart each joint is at most in a block.
    pub(super) fn gaps(&self, block: usize, above: &[Above]) -> Vec<Gap> {
        let mut gaps: Vec<Gap> = Vec::with_capacity(above.len());
        for (joint, above) in above.iter().enumerate() {
            let own = self.own(joint, block);
            let over = match above {
                Above::Nothing => Gap::NOTHING,
                Above::Pair(parent) => gaps.get(*parent).copied().unwrap_or(Gap::UNKNOWN),
                Above::Unknown => Gap::UNKNOWN,
            };
            gaps.push(hanging(over, own.away, own.size().scaled(MARGIN)));
        }
        gaps
    }

    /// All blocks: those first in which some joint may be farthest apart, which tell most of what need not be looked at, and then
    /// the others in the order of time, in which joints are brought to them soonest.
    pub(super) fn farthest_first(&self, above: &[Above], shell: f64) -> Vec<usize> {
        let farthest = |block: usize| {
            let reach = self.gaps(block, above).into_iter().map(|gap| gap.reaches(shell));
            reach.filter(|reach| reach.is_finite()).fold(0.0, f64::max)
        };
        let mut blocks: Vec<(f64, usize)> = (0..self.count).map(|block| (farthest(block), block)).collect();
        blocks.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut blocks: Vec<usize> = blocks.into_iter().map(|(_, block)| block).collect();
        blocks[self.count / AHEAD..].sort_unstable();
        blocks
    }
}
