//! Solving stretches of time.

use super::player::Player;
use super::rows::{Row, SAME, Stretch, miss};
use crate::sample::policy::Side;
use dopesheet_core::model::{Clip, Scene};
use dopesheet_core::units::Seconds;
use dopesheet_rig::Behaviour;

/// What is solved, and how closely.
pub(super) struct Work<'a> {
    pub scene: &'a Scene,
    pub clip: &'a Clip,
    pub behaviour: Behaviour,
    /// The nodes that the rig may move.
    pub nodes: &'a [usize],
    pub bounds: Vec<Bound>,
}

/// A time between two stretches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moment {
    pub time: f64,
    /// Whether something jumps there.
    pub jumps: bool,
}

/// What the rig makes of a moment, as seen from either side.
#[derive(Clone, Debug)]
pub(super) struct End {
    moment: Moment,
    pub before: Row,
    pub after: Row,
}

/// How far a node's local transform may be off.
#[derive(Clone, Copy)]
pub(super) struct Bound {
    pub length: f64,
    pub angle_rad: f64,
}

/// Solved stretches, one after the other.
pub(super) struct Part {
    pub stretches: Vec<Stretch>,
    /// Per node: whether the rig changes its translation, and its rotation.
    pub changes: Vec<[bool; 2]>,
    pub worst: Worst,
}

/// The largest distance from what the rig makes, where that was looked at.
#[derive(Clone, Copy, Default)]
pub(super) struct Worst {
    pub share: f64,
    pub length: f64,
    pub node: usize,
    pub time: f64,
}

impl Worst {
    pub(super) fn meet(&mut self, other: &Self) {
        if other.share > self.share {
            *self = *other;
        }
    }
}

impl Part {
    pub(super) fn new(nodes: usize) -> Self {
        Self { stretches: Vec::new(), changes: vec![[false; 2]; nodes], worst: Worst::default() }
    }

    pub(super) fn append(&mut self, other: Self) {
        self.stretches.extend(other.stretches);
        for (own, [translates, rotates]) in self.changes.iter_mut().zip(other.changes) {
            *own = [own[0] || translates, own[1] || rotates];
        }
        self.worst.meet(&other.worst);
    }
}

/// A player at work on a part.
pub(super) struct Solving<'a> {
    pub work: &'a Work<'a>,
    pub player: Player<'a>,
    pub part: Part,
}

impl Solving<'_> {
    pub(super) fn end(&mut self, moment: &Moment) -> End {
        let before = self.row(moment.time, if moment.jumps { Side::Before } else { Side::At });
        let after = if moment.jumps { self.row(moment.time, Side::After) } else { before.clone() };
        End { moment: *moment, before, after }
    }

    /// Solves the stretch between two moments.
    pub(super) fn stretch(&mut self, from: &End, to: &End) {
        let (start, end) = (from.moment.time, to.moment.time);
        let half = f64::midpoint(start, end);
        let middle = self.row(half, Side::At);
        let mut bends = vec![false; middle.len()];
        for (place, bends) in bends.iter_mut().enumerate() {
            let off = miss(&from.after[place], &middle[place], &to.before[place]);
            let worst = self.miss(place, half, off);
            *bends = worst.share > 1.0;
            self.part.worst.meet(&worst);
        }
        let rows = [from.after.clone(), middle, to.before.clone()];
        self.part.stretches.push(Stretch { start, end, rows, bends });
    }

    /// How far a node is off at a time.
    fn miss(&self, place: usize, time: f64, (length, angle): (f64, f64)) -> Worst {
        let Bound { length: most, angle_rad } = self.work.bounds[place];
        let moved = length + angle * (most / angle_rad);
        Worst { share: moved / most, length: moved, node: self.work.nodes[place], time }
    }

    fn row(&mut self, time: f64, side: Side) -> Row {
        self.player.pose_at(Seconds(time), side);
        let (before, after) = (self.player.unsolved(), &self.player.solved().local);
        let rows = self.work.nodes.iter().zip(&mut self.part.changes).map(|(node, changes)| {
            let (own, solved) = (&before[*node], &after[*node]);
            let differs = |a: &[f64], b: &[f64]| a.iter().zip(b).any(|(a, b)| (a - b).abs() > SAME);
            changes[0] |= differs(&own.translation, &solved.translation);
            changes[1] |= differs(&own.rotation, &solved.rotation);
            *solved
        });
        rows.collect()
    }
}
