//! The keys of straight segments: where they go, their values, and how far the segments are off.

use super::sampled::LOOKS;
use super::{LazyFit, Straight};
use crate::difference::{difference, is_inside, parts, rotation_start, seen, straight_at};
use crate::keys::bake::{every_frame, frames_between};
use crate::keys::plan::{KeyPlan, Misses};
use crate::keys::rows::Rows;
use crate::keys::shape::{Shape, shape};
use crate::keys::times::{authored_times, sound_range};
use crate::sample::evaluate::grid;
use crate::sample::moving::changes;
use crate::sample::{Sampler, Side};
use crate::single::narrow;
use dopesheet_core::model::{Channel, ValueKind};
use dopesheet_core::units::{FrameRate, Seconds};

/// An authored key this close to a whole frame, in frames, may be moved there.
const GRID_TOLERANCE_FRAMES: f64 = 0.01;

/// Source of the error of a straight segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    /// It is known, and counted already.
    Known,
    /// The channel's laws: both ends are on the curve.
    Laws,
    /// Samples: an end is not where its value is taken.
    Looks,
}

/// An authored key, or several that go to one frame.
#[derive(Clone, Copy)]
struct Authored {
    /// Where it goes.
    key: Seconds,
    /// Where the motion arrives at it, which is the first of several.
    from: Seconds,
    /// Where its value is taken, and from where the motion goes on: the last of several.
    at: Seconds,
}

impl Authored {
    /// True if its value is taken at another frame than where it goes.
    fn is_moved(&self, rate: FrameRate) -> bool {
        rate.snap(self.at) != rate.snap(self.key)
    }
}

/// Keys of straight segments under construction.
pub(super) struct Keys<'a, 'b, F> {
    channel: &'a Channel,
    plan: &'a KeyPlan,
    /// Fits segments to the channel; `is_limited` says that an allowance tells how many.
    fit: &'b mut LazyFit<'a, F>,
    is_limited: bool,
    sampler: Sampler<'a>,
    /// The value at all times, if nothing moves.
    constant: Option<Vec<f64>>,
    pub(super) rows: Rows<'a>,
    /// For each key, the way in which the error of the segment to it is found.
    measures: Vec<Measure>,
    misses: Misses,
}

impl<'a, 'b, F: Fn() -> Straight<'a>> Keys<'a, 'b, F> {
    pub(super) fn new(
        channel: &'a Channel,
        plan: &'a KeyPlan,
        is_limited: bool,
        fit: &'b mut LazyFit<'a, F>,
    ) -> Self {
        let mut sampler = Sampler::new(channel);
        let constant = (!changes(channel)).then(|| {
            let mut value = Vec::new();
            sampler.value_at(plan.range.0, Side::At, &mut value);
            value
        });
        // Switches have nothing between them that could be straight.
        let is_limited = is_limited && !plan.only_on_grid && channel.property.kind() != ValueKind::Discrete;
        let (rows, measures, misses) = (Rows::new(&channel.property), Vec::new(), Misses::NONE);
        Self { channel, plan, fit, is_limited, sampler, constant, rows, measures, misses }
    }

    /// All keys, of which there is at least one.
    pub(super) fn choose(&mut self) {
        let (plan, rate) = (self.plan, self.plan.rate);
        let range = sound_range(self.channel, plan.range);
        let authored = authored_times(self.channel, range);
        let near_frame = |t: &Seconds| {
            let frame = rate.frame(*t);
            (frame - frame.round()).abs() <= GRID_TOLERANCE_FRAMES
        };
        if plan.every_frame || (plan.only_on_grid && !authored.iter().all(near_frame)) {
            return self.on_frames(every_frame(plan, range, &authored));
        }
        let mut last: Option<Authored> = None;
        let place =
            |at: &Seconds| if plan.only_on_grid { rate.seconds(rate.frame(*at).round()) } else { *at };
        for several in authored.chunk_by(|a, b| place(a) == place(b)) {
            let (Some(from), Some(at)) = (several.first(), several.last()) else { continue };
            let next = Authored { key: place(at), from: *from, at: *at };
            let measure = last.map_or(Measure::Known, |last| self.between(&last, &next));
            self.authored(&next, measure);
            last = Some(next);
        }
    }

    /// Keys on frames, each with the value at some time.
    fn on_frames(&mut self, frames: impl IntoIterator<Item = (Seconds, Seconds)>) {
        let measure = if self.plan.only_on_grid { Measure::Looks } else { Measure::Laws };
        for (key, at) in frames {
            let value = self.value(at, Side::At);
            self.push(key, &value, measure);
        }
    }

    /// The keys between two authored ones; yields what tells how far the segment to the second misses.
    fn between(&mut self, last: &Authored, next: &Authored) -> Measure {
        let rate = self.plan.rate;
        let is_curved = self.constant.is_none() && shape(self.channel, last.at, next.from) == Shape::Curved;
        if is_curved && self.is_limited {
            let mut pieces = self.fit.get().pieces(last.at, next.from);
            pieces.iter().for_each(|piece| self.misses.meet(&piece.misses));
            pieces.pop();
            for piece in pieces {
                let given = piece.value.map(|value| value.into_iter().map(f64::from).collect());
                let value = given.unwrap_or_else(|| self.value(piece.time, Side::At));
                self.push(piece.time, &value, Measure::Known);
            }
            return Measure::Known;
        }
        // An end of the range that lies beside a frame has the frame's value, to which no straight segment of the source leads.
        let grid = grid(self.channel);
        let is_beside = [last.at, next.at].iter().any(|at| grid.is_some_and(|rate| rate.snap(*at) != *at));
        let is_moved = next.is_moved(rate) || last.is_moved(rate) || next.from != next.at;
        if is_curved {
            self.on_frames(frames_between(rate, last.key, next.key).map(|frame| (frame, frame)));
        }
        match is_curved {
            _ if is_beside || is_moved => Measure::Looks,
            true if self.plan.only_on_grid => Measure::Looks,
            true => Measure::Laws,
            false => Measure::Known,
        }
    }

    /// An authored key, with both its values where the channel jumps.
    fn authored(&mut self, key: &Authored, mut measure: Measure) {
        // At the end nothing comes after: a repetition would start anew there.
        let is_end = key.at.0 >= self.plan.range.1.0;
        let after = self.value(key.at, if is_end { Side::At } else { Side::After });
        if key.key.0 > self.plan.range.0.0 && self.channel.property.kind() != ValueKind::Discrete {
            let before = self.value(key.from, Side::Before);
            if measure == Measure::Known {
                self.split_half_turn(key.key, &before);
            }
            if !self.rows.is_same(&before, &after) {
                measure = self.jump(key, &before, measure);
            }
        }
        self.push(key.key, &after, measure);
    }

    fn push(&mut self, time: Seconds, value: &[f64], measure: Measure) {
        self.rows.push(time, value);
        self.measures.push(measure);
    }

    fn value(&mut self, time: Seconds, side: Side) -> Vec<f64> {
        if let Some(constant) = &self.constant {
            return constant.clone();
        }
        let mut value = Vec::with_capacity(8);
        self.sampler.value_at(time, side, &mut value);
        value
    }

    /// Adds the old value of a jump; yields what tells how far the segment to the new one misses.
    fn jump(&mut self, key: &Authored, before: &[f64], measure: Measure) -> Measure {
        if !self.plan.only_on_grid {
            let at = self.value(key.at, Side::At);
            self.rows.note_jump(before, &at);
            self.push(key.key, before, measure);
            return Measure::Known;
        }
        let previous = self.plan.rate.seconds(self.plan.rate.frame(key.key) - 1.0);
        if self.rows.times().last().map_or(self.plan.range.0.0 <= previous.0, |last| last.0 < previous.0) {
            let value = self.value(previous, Side::At);
            self.push(previous, &value, measure);
        }
        Measure::Looks
    }

    /// Adds a key in the middle of the time to another one if that is nearly half a turn away.
    fn split_half_turn(&mut self, time: Seconds, arriving: &[f64]) {
        let Some(mut middle) = self.rows.half_way(time, arriving) else { return };
        if self.plan.only_on_grid {
            middle = self.plan.rate.seconds(self.plan.rate.frame(middle).round());
        }
        if self.rows.times().last().is_some_and(|last| last.0 < middle.0) && middle.0 < time.0 {
            let value = self.value(middle, Side::At);
            self.push(middle, &value, Measure::Known);
        }
    }

    /// Errors of the segments.
    pub(super) fn misses(&mut self) -> Misses {
        let (kind, rotation) = (self.channel.property.kind(), rotation_start(&self.channel.property));
        let (mut exact, mut straight) = (Vec::new(), Vec::new());
        let mut misses = self.misses;
        let grid = grid(self.channel);
        let segments = self.rows.times().windows(2).zip(self.rows.values().zip(self.rows.values().skip(1)));
        for ((pair, (from, to)), measure) in segments.zip(self.measures.iter().skip(1)) {
            // No format whose times are in single precision has anything in between.
            if *measure == Measure::Known || narrow(pair[0].0).next_up() >= narrow(pair[1].0) {
                continue;
            }
            if *measure == Measure::Laws && kind != ValueKind::Discrete {
                misses.meet(&self.fit.get().misses(pair[0], pair[1]));
                continue;
            }
            misses.is_bound = false;
            let parts = parts(&self.channel.property, from.len());
            for share in LOOKS {
                let (time, share) = seen(grid, (pair[0], pair[1]), share);
                if !is_inside(share) {
                    continue;
                }
                self.sampler.value_at(time, Side::At, &mut exact);
                let held = if kind == ValueKind::Discrete { 0.0 } else { share };
                straight_at(from, to, held, rotation, &mut straight);
                for (worst, (property, range)) in misses.worst.iter_mut().zip(&parts) {
                    let (exact, straight) = (exact.get(range.clone()), straight.get(range.clone()));
                    let error = difference(property, exact.unwrap_or_default(), straight.unwrap_or_default());
                    worst.meet(error, time);
                }
            }
        }
        misses
    }
}
