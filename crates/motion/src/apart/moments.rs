//! When two animations are compared.

use super::instants::{Instant, Instants, f32_step, single};
use super::lane::Course;
use crate::evaluate::Side;
use dopesheet_core::model::{Channel, Curve, Outside, Times};
use dopesheet_core::order::ascend;
use dopesheet_core::units::{FrameRate, Seconds};
use std::ops::Range;

/// Points measured between two neighbouring key times.
const POINTS: u32 = 8;

/// Most key times that repetitions of one curve add; beyond, only its own keys are measured exactly.
const MOST_REPEATED: f64 = 100_000.0;

/// How many instants around a time may lie on its other side by the rounding of jumps to f32.
const NEIGHBOURS: usize = 4;

/// How many instants around the one that was asked for last are looked at before all are searched.
const NEAR: usize = 6;

/// How many of them are before it.
const BEHIND: usize = 2;

/// What is about a part of the way between two instants may be so much of it aside.
const ABOUT: f64 = 0.01;

/// A time at which two animations are compared, and the side from which they are seen there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moment {
    pub(super) time: Seconds,
    pub(super) side: Side,
    /// Whether nothing comes later.
    pub(super) is_end: bool,
}

impl Moment {
    pub(super) const START: Self = Self::new(0.0, Side::After, false);

    pub(super) const fn new(time: f64, side: Side, is_end: bool) -> Self {
        Self { time: Seconds(time), side, is_end }
    }

    /// Whether a time is this one, but for the rounding of files.
    pub(super) fn is_at(&self, time: f64) -> bool {
        (self.time.0 - time).abs() <= 2.0 * f32_step(time)
    }
}

/// All times at which something is compared.
#[derive(Debug, PartialEq)]
pub(super) struct Moments {
    instants: Instants,
    /// The grids that some of the curves' keys lie on: a time next to a frame of one is that frame.
    grids: Vec<FrameRate>,
}

impl Moments {
    /// 0, `end`, and between them the key times of those curves of A and B that move.
    pub(super) fn of(sides: [&mut dyn Iterator<Item = &Channel>; 2], end: f64) -> Self {
        let (mut keys, mut jumps) = (vec![(0.0, None), (end, None)], Vec::new());
        let mut grids = Vec::new();
        for (side, channels) in sides.into_iter().enumerate() {
            for curve in channels.flat_map(|channel| channel.composition.curves()) {
                let course = Course::of(curve);
                if course.is_constant() {
                    continue;
                }
                if let Times::Frames { rate, .. } = curve.times
                    && !grids.contains(&rate)
                {
                    grids.push(rate);
                }
                let mut add = |time: f64| keys.push((time, Some(side)));
                let in_range = |time: &f64| (0.0..=end).contains(time);
                curve.times.iter().map(|t| t.0).filter(in_range).for_each(&mut add);
                jumps.extend(course.jumps.iter().copied().filter(in_range));
                repeat(curve, &course, end, &mut add, &mut jumps);
            }
        }
        ascend(&mut jumps);
        jumps.dedup();
        keys.extend(jumps.iter().map(|jump| (*jump, None)));
        keys.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut instants = Instants::joined(&keys);
        instants.mark(&jumps);
        Self { instants, grids }
    }

    /// All moments in order.
    pub(super) fn iter(&self) -> Walk<'_> {
        self.within(&(f64::NEG_INFINITY..f64::INFINITY))
    }

    /// All moments in a stretch of time, in order.
    pub(super) fn within(&self, stretch: &Range<f64>) -> Walk<'_> {
        let instants = self.around(stretch);
        Walk { moments: self, stretch: stretch.clone(), instant: instants.start, end: instants.end, step: 0 }
    }

    /// The numbers of all instants that have moments in a stretch of time, themselves or behind them, and of some more.
    pub(super) fn around(&self, stretch: &Range<f64>) -> Range<usize> {
        let index = |time: f64| self.instants.starts().partition_point(|start| *start < time);
        let (from, to) = (index(stretch.start), index(stretch.end));
        from.saturating_sub(NEIGHBOURS)..to.saturating_add(NEIGHBOURS).min(self.instants.len())
    }

    /// The moments of an instant itself.
    pub(super) fn at(&self, instant: usize) -> impl Iterator<Item = Moment> {
        (0..2).filter_map(move |step| self.moment(instant, step))
    }

    /// The moments between an instant and the next one.
    pub(super) fn behind(&self, instant: usize) -> impl Iterator<Item = Moment> {
        (2..=POINTS + 1).filter_map(move |step| self.moment(instant, step))
    }

    /// Moments about a third, a half and two thirds of the way from an instant to the next one; `None` where they are of no use,
    /// between neighbouring f32 and where what lies beside a frame, and so is seen there, is not about as far.
    pub(super) fn inner(&self, instant: usize) -> Option<[Moment; 3]> {
        let (from, to) = (self.instants.get(instant)?.last, self.instants.get(instant + 1)?.first);
        let part = |share: f64| {
            let time = from + (to - from) * share;
            let seen = self.frame(time).unwrap_or(time);
            ((seen - time).abs() <= ABOUT * (to - from)).then(|| Moment::new(seen, Side::At, false))
        };
        let is_wide = to - from > 1.5 * f32_step(from);
        is_wide.then_some([part(1.0 / 3.0)?, part(0.5)?, part(2.0 / 3.0)?])
    }

    /// Whether there are [inner moments](Self::inner) between a quiet instant and the next one.
    pub(super) fn is_seen_between(&self, instant: usize) -> bool {
        let duration = self.quiet_time(instant + 1) - self.quiet_time(instant);
        self.slack() <= ABOUT * duration || self.inner(instant).is_some()
    }

    /// How far a time may be from the frame that it stands for.
    fn slack(&self) -> f64 {
        self.grids.iter().map(|grid| grid.seconds(FrameRate::SNAP_FRAMES).0).fold(0.0, f64::max) * 2.0
    }

    /// How many moments there are, where no two instants are neighbouring f32.
    pub(super) fn most(&self) -> usize {
        self.instants.len() + self.instants.len().saturating_sub(1) * POINTS as usize
    }

    /// How many instants start in a stretch of time.
    pub(super) fn count(&self, stretch: &Range<f64>) -> usize {
        let index = |time: f64| self.instants.starts().partition_point(|start| *start < time);
        index(stretch.end) - index(stretch.start)
    }

    /// The times of all instants.
    pub(super) fn instants(&self) -> impl ExactSizeIterator<Item = f64> {
        self.instants.starts().iter().copied()
    }

    /// One of the moments of an instant and the gap behind it: steps 0 and 1 are the instant itself.
    fn moment(&self, index: usize, step: u32) -> Option<Moment> {
        let instant = self.instants.get(index)?;
        let is_end = index + 1 == self.instants.len();
        let moment = |time, side, is_end| Some(Moment::new(time, side, is_end));
        match (step, instant.is_jump) {
            (0, true) if instant.first > 0.0 => moment(instant.first, Side::Before, false),
            (1, true) => moment(instant.last, if is_end { Side::At } else { Side::After }, is_end),
            (0, false) if instant.own.is_none() => self.key(&instant, instant.first, false),
            (0, false) => self.key(&instant, instant.first, is_end),
            (1, false) if instant.own.is_none() => self.key(&instant, instant.last, is_end),
            (0 | 1, _) => None,
            (point, _) => self.between(&instant, &self.instants.get(index + 1)?, point - 1),
        }
    }

    /// A key time: the f32 nearest to it, because what hangs on others is seen with them between two of their keys, where files
    /// have none between neighbouring f32. What lies beside a frame, farther than the nearest number of a file does, counts as the
    /// frame on the side with the grid, and so it does on the other.
    fn key(&self, instant: &Instant, time: f64, is_end: bool) -> Option<Moment> {
        let mut frames = self.grids.iter().map(|grid| grid.snap(Seconds(time)).0);
        let frame = frames.find(|frame| (frame - time).abs() > 0.5 * f32_step(time));
        let time = if instant.own.is_some() { single(time) } else { time };
        Some(Moment::new(frame.unwrap_or(time), Side::At, is_end))
    }

    /// A point between two instants: the f32 nearest to it, where files have keys and players look; none where that is the point
    /// before, or one of the instants.
    fn between(&self, from: &Instant, to: &Instant, point: u32) -> Option<Moment> {
        let duration = to.first - from.last;
        let nearest = |point: u32| single(from.last + duration * f64::from(point) / f64::from(POINTS + 1));
        let time = nearest(point);
        let is_new = point == 1 || nearest(point - 1) < time;
        let apart = 0.5 * f32_step(time);
        if !is_new || time - from.last <= apart || to.first - time <= apart {
            return None;
        }
        let frame = self.frame(time);
        // What counts as a key has been looked at there.
        if frame.is_some_and(|frame| [from, to].iter().any(|instant| instant.is_at(frame))) {
            return None;
        }
        Some(Moment::new(frame.unwrap_or(time), Side::At, false))
    }

    /// The frame that a time counts as, if it does.
    fn frame(&self, time: f64) -> Option<f64> {
        let mut grids = self.grids.iter().filter(|grid| grid.frame(Seconds(time)).fract() == 0.0);
        grids.next().map(|grid| grid.snap(Seconds(time)).0)
    }

    /// Whether neither a time nor its roundings count as a frame; a quick look that does not notice it of all.
    fn is_far_from_frames(&self, time: f64) -> bool {
        let far = |grid: &FrameRate| {
            let frame = time * grid.fps();
            let over = frame - frame as i64 as f64;
            (2.0 * FrameRate::SNAP_FRAMES..1.0 - 2.0 * FrameRate::SNAP_FRAMES).contains(&over)
        };
        self.grids.iter().all(far)
    }

    /// When A has an instant, and B; `None` at jumps, and where A would be seen at another time than that: beside a frame.
    pub(super) fn quiet(&self, instant: usize) -> Option<[f64; 2]> {
        let Instant { own, is_jump, .. } = self.instants.get(instant)?;
        let own = own.filter(|_| !is_jump)?;
        let is_seen = || self.frame(own[0]).is_none_or(|frame| frame == own[0]);
        (self.is_far_from_frames(own[0]) || is_seen()).then_some(own)
    }

    /// The moment of an instant that is [quiet](Self::quiet).
    pub(super) fn quiet_time(&self, instant: usize) -> f64 {
        self.instants.get(instant).map_or(f64::NAN, |instant| single(instant.first))
    }

    /// A time as A has it, and as B has it: both are at their keys at the same time, however those are rounded, and at the same
    /// share of the way between them. What counts as a frame is the frame on both sides. `near` is the number of an instant that
    /// may be near; it becomes that of the one before.
    pub(super) fn own(&self, time: f64, near: &mut usize) -> [f64; 2] {
        let count = self.count_until(time, *near);
        *near = count.saturating_sub(1);
        let is_far = self.is_far_from_frames(time);
        // Between two times that are the same on both sides, each time is.
        if is_far && count > 0 && self.instants.are_plain([*near, count]) {
            return [time; 2];
        }
        let (Some(from), Some(to)) = (self.instants.get(*near), self.instants.get(count)) else {
            let last = self.instants.last().and_then(|last| last.own);
            return last.filter(|_| count > 0).unwrap_or([time; 2]);
        };
        if count == 0 || time <= from.last {
            return from.own.unwrap_or([time; 2]);
        }
        let frame = if is_far { None } else { self.frame(time) };
        let seen = frame.unwrap_or(time).max(from.last).min(to.first);
        let share = (seen - from.last) / (to.first - from.last);
        let (starts, ends) = (from.own.unwrap_or([from.last; 2]), to.own.unwrap_or([to.first; 2]));
        let own: [f64; 2] = std::array::from_fn(|side| starts[side] + (ends[side] - starts[side]) * share);
        // Rounding must not carry one side to where a frame's value counts and leave the other behind.
        let is_carried = || own.iter().any(|time| self.frame(*time).is_some());
        if is_far || frame.is_some() || !is_carried() { own } else { [time; 2] }
    }

    /// How many instants have started until a time.
    fn count_until(&self, time: f64, near: usize) -> usize {
        let is_before = |start: &f64| *start <= time;
        let starts = self.instants.starts();
        let first = near.saturating_sub(BEHIND).min(starts.len());
        let steps = starts[first..].iter().take(NEAR).take_while(|start| is_before(start)).count();
        let is_found = (steps > 0 || first == 0) && steps < NEAR;
        if is_found { first + steps } else { starts.partition_point(is_before) }
    }
}

/// Goes through all moments of a stretch of time in order.
pub(super) struct Walk<'a> {
    moments: &'a Moments,
    stretch: Range<f64>,
    instant: usize,
    /// The instant before which it ends.
    end: usize,
    step: u32,
}

impl Walk<'_> {
    /// The next point of the gap behind an instant that may lie in the stretch; one beyond the last if there is none.
    fn next_point(&self) -> u32 {
        let instants = [self.instant, self.instant + 1].map(|index| self.moments.instants.get(index));
        let [Some(from), Some(to)] = instants else { return POINTS + 2 };
        let slack = self.moments.slack() + f32_step(to.first);
        let duration = to.first - from.last;
        // How many parts of the gap end before a time; what is no number is 0.
        let parts = |time: f64| ((time - from.last) / duration * f64::from(POINTS + 1)).max(0.0) as u32;
        let first = parts(self.stretch.start - slack).saturating_add(1);
        if self.stretch.end + slack <= from.last { POINTS + 2 } else { self.step.max(first.min(POINTS + 2)) }
    }
}

impl Iterator for Walk<'_> {
    type Item = Moment;

    fn next(&mut self) -> Option<Moment> {
        while self.instant < self.end {
            if self.step >= 2 {
                self.step = self.next_point();
            }
            if self.step > POINTS + 1 {
                (self.instant, self.step) = (self.instant + 1, 0);
                continue;
            }
            let moment = self.moments.moment(self.instant, self.step);
            self.step += 1;
            if moment.as_ref().is_some_and(|moment| self.stretch.contains(&moment.time.0)) {
                return moment;
            }
        }
        None
    }
}

/// The key times and jumps of a curve's repetitions.
fn repeat(curve: &Curve, course: &Course, end: f64, add: &mut impl FnMut(f64), jumps: &mut Vec<f64>) {
    let Some((first, last)) = curve.times.span() else { return };
    let length = last.0 - first.0;
    if length.is_nan() || length <= 0.0 {
        return;
    }
    let mirrors = |rule: &Outside| match rule {
        Outside::Hold | Outside::Ramp { .. } => None,
        Outside::Loop => Some(false),
        Outside::PingPong => Some(true),
    };
    let (turns_before, turns_after) = ((first.0 / length).ceil(), ((end - last.0) / length).ceil());
    for (rule, turns, sign) in [(&curve.before, turns_before, -1.0), (&curve.after, turns_after, 1.0)] {
        let Some(mirrors) = mirrors(rule) else { continue };
        let turns = turns.min(MOST_REPEATED / curve.len() as f64);
        let mut turn = 1.0;
        while turn <= turns {
            let place = |time: f64| {
                let along = if mirrors && turn % 2.0 == 1.0 { last.0 - time } else { time - first.0 };
                Some(first.0 + sign * turn * length + along).filter(|t| (0.0..=end).contains(t))
            };
            curve.times.iter().filter_map(|t| place(t.0)).for_each(&mut *add);
            jumps.extend(course.jumps.iter().filter_map(|t| place(*t)));
            turn += 1.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::model::{Law, Laws, Property, Times};
    use dopesheet_core::units::FrameRate;

    fn channel(times: Times, law: Law, after: Outside) -> Channel {
        let values = (0..times.len()).map(|key| key as f32).collect();
        let curve = Curve { after, ..Curve::new(times, 1, values, Laws::uniform(law)) };
        Channel::whole(Property::Weight, curve)
    }

    fn all(channels: &[Channel], end: f64) -> Vec<(f64, Side)> {
        Moments::of([&mut channels.iter(), &mut [].iter()], end)
            .iter()
            .map(|moment| (moment.time.0, moment.side))
            .collect()
    }

    #[test]
    fn every_segment_of_either_has_eight_points() {
        let a = channel(Times::Seconds([0.0, 1.0, 4.0].into()), Law::LINEAR, Outside::Hold);
        let b = channel(Times::Seconds([0.0, 2.0].into()), Law::LINEAR, Outside::Hold);
        let times: Vec<f64> = all(&[a, b], 4.0).iter().map(|(t, _)| *t).collect();
        assert_eq!(times.len(), 4 + 3 * 8);
        for (from, to) in [(0.0, 1.0), (1.0, 4.0), (0.0, 2.0)] {
            assert!(times.contains(&from) && times.contains(&to));
            assert!(times.iter().filter(|t| from < **t && **t < to).count() >= 8);
        }
        assert!(times.is_sorted());
    }

    #[test]
    fn one_time_in_two_roundings_is_one_instant() {
        let frames = Times::Frames { rate: FrameRate::FPS_30, frames: [0, 1, 2].into() };
        let rounded: Vec<f64> = (0..3).map(|n| f64::from(n as f32 / 30.0)).collect();
        let a = channel(frames, Law::LINEAR, Outside::Hold);
        let b = channel(Times::Seconds(rounded.into()), Law::LINEAR, Outside::Hold);
        assert_eq!(all(&[a, b], 2.0 / 30.0).len(), 3 + 2 * 8);
    }

    #[test]
    fn each_side_is_at_its_keys_at_one_time_and_as_far_between_them() {
        const FIRST: i64 = 3000;
        let exact = |key: i64| FrameRate::FPS_30.seconds((FIRST + key) as f64).0;
        let rounded = |key: i64| f64::from(exact(key) as f32);
        let frames = Times::Frames { rate: FrameRate::FPS_30, frames: (FIRST..FIRST + 40).collect() };
        let a = channel(frames, Law::LINEAR, Outside::Hold);
        let b = channel(Times::Seconds((0..40).map(rounded).collect()), Law::LINEAR, Outside::Hold);
        let moments = Moments::of([&mut [a].iter(), &mut [b].iter()], exact(39) + 1.0);
        let mut near = 0;
        // In order, and back and forth.
        for key in (0..40).chain((0..40).map(|n| n * 17 % 40)) {
            let both = [exact(key), rounded(key)];
            for time in both {
                assert_eq!(moments.own(time, &mut near), both, "at key {key}");
            }
            if key == 39 {
                continue;
            }
            let middle = f64::midpoint(both[0].max(both[1]), exact(key + 1).min(rounded(key + 1)));
            let own = moments.own(middle, &mut near);
            let share = (own[0] - exact(key)) / (exact(key + 1) - exact(key));
            assert!((share - 0.5).abs() < 1e-9, "{share} behind key {key}");
            let share = (own[1] - rounded(key)) / (rounded(key + 1) - rounded(key));
            assert!((share - 0.5).abs() < 1e-9, "{share} behind key {key} of B");
        }
        assert_eq!(moments.own(1.0, &mut near)[0].round(), 1.0, "before the keys");
    }

    #[test]
    fn a_jump_is_seen_from_both_sides_beyond_the_rounding_of_files() {
        let steps = channel(Times::Seconds([0.0, 0.1, 0.3].into()), Law::STEP, Outside::Hold);
        let seen = all(&[steps], 0.3);
        let at = |side| seen.iter().filter(|(_, s)| *s == side).map(|(t, _)| *t).collect::<Vec<_>>();
        assert_eq!(at(Side::Before), [0.1_f32.next_down(), 0.3_f32.next_down()].map(f64::from));
        assert_eq!(at(Side::After), [f64::from(0.1_f32.next_up())]);
        assert_eq!(seen.last(), Some(&(f64::from(0.3_f32.next_up()), Side::At)), "the end");
    }

    #[test]
    fn repetitions_have_keys_and_jumps_too() {
        let looped = channel(Times::Seconds([0.0, 1.0].into()), Law::LINEAR, Outside::Loop);
        let jumps = all(&[looped], 3.5).iter().filter(|(_, side)| *side == Side::After).count();
        assert_eq!(jumps, 3, "at 1, 2 and 3 s");
        let mirrored = channel(Times::Seconds([0.0, 1.0].into()), Law::LINEAR, Outside::PingPong);
        let times: Vec<f64> = all(&[mirrored], 3.5).iter().map(|(t, _)| *t).collect();
        assert!([1.0, 2.0, 3.0].iter().all(|t| times.iter().any(|u| (t - u).abs() < 1e-6)));
    }
}
