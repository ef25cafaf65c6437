//! The keys of straight segments: their times, their values, and the errors of the segments.

use super::sampled::LOOKS;
use super::{LazyFit, Straight};
use crate::difference::{difference, is_inside, parts, rotation_start, seen, straight_at};
use crate::keys::Worst;
use crate::keys::bake::{every_frame, frames_between};
use crate::keys::plan::{KeyPlan, MOST_PARTS, Misses};
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

/// Number of steps in the neighbourhood of the sample with the largest error.
const NEAR_LOOKS: u32 = 32;
/// Reach of this neighbourhood to either side, as a share of the segment: the largest gap between two
/// samples.
const NEAR: f64 = 0.125;

/// Difference from which on two values are different keys, not roundings of the same key.
const JUMP: f64 = 1e-5;

/// Source of the error of a straight segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    /// The error is known, and counted already.
    Known,
    /// The channel's laws: both ends are on the curve.
    Laws,
    /// Samples: an end is not at the time of its value.
    Looks,
}

/// An authored key, or several on the same frame.
#[derive(Clone, Copy)]
struct Authored {
    /// Time of the new key.
    key: Seconds,
    /// Time at which the motion arrives: the first of several keys.
    from: Seconds,
    /// Time of the key's value, and of the motion's continuation: the last of several keys.
    at: Seconds,
}

impl Authored {
    /// True if the key's value is taken at another frame than its own.
    fn is_moved(&self, rate: FrameRate) -> bool {
        rate.snap(self.at) != rate.snap(self.key)
    }
}

/// Keys of straight segments under construction.
pub(super) struct StraightDraft<'a, 'b, F> {
    channel: &'a Channel,
    plan: &'a KeyPlan,
    /// Fits segments to the channel; `is_limited` is true if an allowance determines their number.
    fit: &'b mut LazyFit<'a, F>,
    is_limited: bool,
    sampler: Sampler<'a>,
    /// The constant value of a channel without movement.
    constant: Option<Vec<f64>>,
    pub(super) rows: Rows<'a>,
    /// For each key, the source of the error of the segment to it.
    measures: Vec<Measure>,
    misses: Misses,
    /// Room for a value of the channel, and for a value of a segment.
    exact: Vec<f64>,
    straight: Vec<f64>,
}

/// A segment between two neighbouring keys.
struct Segment<'a> {
    times: [Seconds; 2],
    values: [&'a [f32]; 2],
}

impl<'a, 'b, F: Fn() -> Straight<'a>> StraightDraft<'a, 'b, F> {
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
        Self {
            channel,
            plan,
            fit,
            is_limited,
            sampler,
            constant,
            rows: Rows::new(&channel.property),
            measures: Vec::new(),
            misses: Misses::NONE,
            exact: Vec::new(),
            straight: Vec::new(),
        }
    }

    /// All keys, at least one.
    pub(super) fn choose(&mut self) {
        let (plan, rate) = (self.plan, self.plan.rate);
        let range = sound_range(self.channel, plan.range);
        if plan.every_frame && !plan.only_on_grid && self.constant.is_some() {
            return self.on_frames([(range.0, range.0)]);
        }
        let authored = authored_times(self.channel, range);
        let near_frame = |t: &Seconds| {
            let frame = rate.frame(*t);
            (frame - frame.round()).abs() <= GRID_TOLERANCE_FRAMES
        };
        if plan.every_frame || (plan.only_on_grid && !authored.iter().all(near_frame)) {
            return self.on_frames(every_frame(plan, range, &authored));
        }
        let mut last: Option<Authored> = None;
        let key_time =
            |at: &Seconds| if plan.only_on_grid { rate.seconds(rate.frame(*at).round()) } else { *at };
        for several in authored.chunk_by(|a, b| key_time(a) == key_time(b)) {
            let (Some(from), Some(at)) = (several.first(), several.last()) else { continue };
            let next = Authored { key: key_time(at), from: *from, at: *at };
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

    /// The keys between two authored ones; returns the source of the error of the segment to the second.
    fn between(&mut self, last: &Authored, next: &Authored) -> Measure {
        let rate = self.plan.rate;
        let is_curved = self.constant.is_none() && shape(self.channel, last.at, next.from) == Shape::Curved;
        if is_curved && self.is_limited {
            let mut pieces = self.fit.get().pieces(last.at, next.from);
            pieces.iter().for_each(|piece| self.misses.note(&piece.misses));
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

    /// Adds the old value of a jump; returns the source of the error of the segment to the new value.
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

    /// Adds a key in the middle of the time to a value nearly half a turn away.
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
        let kind = self.channel.property.kind();
        let mut misses = self.misses;
        let mut authored: Option<Vec<Seconds>> = None;
        let rows = std::mem::replace(&mut self.rows, Rows::new(&self.channel.property));
        let values = rows.values().zip(rows.values().skip(1));
        let segments = rows.times().array_windows().zip(values);
        let segments = segments.map(|(times, (from, to))| Segment { times: *times, values: [from, to] });
        let measures = std::mem::take(&mut self.measures);
        for (segment, measure) in segments.zip(measures.iter().skip(1)) {
            let [from, to] = segment.times;
            // No format whose times are in single precision has anything in between.
            if *measure == Measure::Known || narrow(from.0).next_up() >= narrow(to.0) {
                continue;
            }
            let before = misses.largest;
            let by_laws = *measure == Measure::Laws && kind != ValueKind::Discrete;
            if by_laws && !self.jumps_at_ends(&segment, &mut misses) {
                let segment_misses = self.fit.get().misses(from, to);
                misses.note(&segment_misses);
                if segment_misses.is_bound {
                    continue;
                }
            } else {
                misses.is_bound = false;
                LOOKS.into_iter().for_each(|share| self.look(&segment, share, &mut misses));
            }
            if misses.largest != before {
                let authored = authored.get_or_insert_with(|| {
                    authored_times(self.channel, sound_range(self.channel, self.plan.range))
                });
                self.look_near(&segment, before, authored, &mut misses);
            }
        }
        (self.rows, self.measures) = (rows, measures);
        misses
    }

    /// Measures near possible tops of the sampled peaks: beside the samples, and at authored keys left out by
    /// the segment.
    fn look_near(
        &mut self,
        segment: &Segment<'_>,
        before: [Worst; MOST_PARTS],
        authored: &[Seconds],
        misses: &mut Misses,
    ) {
        let [Seconds(start), Seconds(end)] = segment.times;
        let length = end - start;
        for (found, before) in misses.largest.into_iter().zip(before) {
            if found == before {
                continue;
            }
            let top = (found.time.0 - start) / length;
            let near = (0..=NEAR_LOOKS).map(|n| f64::from(n) / f64::from(NEAR_LOOKS) * 2.0 - 1.0);
            near.for_each(|off| self.look(segment, top + off * NEAR, misses));
        }
        let (_, later) = authored.split_at(authored.partition_point(|time| time.0 <= start));
        let inside = later.iter().take_while(|time| time.0 < end);
        inside.for_each(|time| self.look(segment, (time.0 - start) / length, misses));
    }

    /// True of a segment with a value at its start or end that differs from the channel's value on that side,
    /// as where a repetition starts anew. Takes note of the error there.
    fn jumps_at_ends(&mut self, segment: &Segment<'_>, misses: &mut Misses) -> bool {
        let parts = parts(&self.channel.property, segment.values[0].len());
        let mut jumps = false;
        let ends = segment.times.into_iter().zip(segment.values).zip([Side::After, Side::Before]);
        for ((time, own), side) in ends {
            let value = self.value(time, side);
            for (largest, (property, range)) in misses.largest.iter_mut().zip(&parts) {
                let exact: Vec<f32> =
                    value.get(range.clone()).unwrap_or_default().iter().map(|x| narrow(*x)).collect();
                let error = difference(property, &exact, own.get(range.clone()).unwrap_or_default());
                if error > JUMP {
                    jumps = true;
                    largest.note(error, time);
                }
            }
        }
        jumps
    }

    /// Takes note of the error of a segment at a share of its time.
    fn look(&mut self, segment: &Segment<'_>, share: f64, misses: &mut Misses) {
        let (kind, rotation) = (self.channel.property.kind(), rotation_start(&self.channel.property));
        let ([start, end], [from, to]) = (segment.times, segment.values);
        let (time, share) = seen(grid(self.channel), start, end, share);
        if !is_inside(share) {
            return;
        }
        let Self { sampler, exact, straight, .. } = self;
        sampler.value_at(time, Side::At, exact);
        let held = if kind == ValueKind::Discrete { 0.0 } else { share };
        straight_at(from, to, held, rotation, straight);
        let parts = parts(&self.channel.property, from.len());
        for (largest, (property, range)) in misses.largest.iter_mut().zip(&parts) {
            let (exact, straight) = (exact.get(range.clone()), straight.get(range.clone()));
            let error = difference(property, exact.unwrap_or_default(), straight.unwrap_or_default());
            largest.note(error, time);
        }
    }
}
