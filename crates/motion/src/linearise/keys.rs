//! Straight segments under construction.

use super::points::Point;
use super::{KeyPlan, SharedTimes, finite, narrow, straight_law};
use crate::evaluate::{KeyValue, Sampler, Side, grid};
use crate::measure::{Worst, difference, is_inside, parts, rotation_start, seen, straight_at};
use crate::moving::changes;
use dopesheet_core::model::{Channel, Curve, JumpSide, Laws, Property, ValueKind};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_curve as curve;
use std::ops::Range;

/// The error is measured at 1/8 … 7/8 of the way between two keys.
const PROBES: u32 = 8;

/// What is this many times as far as keys are rounded by hides that.
const CLEAR: f64 = 1e3;

/// Rotations turn by no more than this between two keys, in radians: 170°. Programs agree on the shorter way round
/// only well below half a turn.
const LARGEST_TURN_RAD: f64 = 170.0 * std::f64::consts::PI / 180.0;

/// Keys under construction.
pub(super) struct Keys<'a> {
    property: &'a Property,
    sampler: Sampler<'a>,
    /// The grid of the channel's keys.
    grid: Option<FrameRate>,
    plan: KeyPlan,
    discrete: bool,
    /// Where in a value its quaternion starts.
    rotation: Option<usize>,
    width: usize,
    /// The value at all times, if nothing moves.
    constant: Option<Vec<f64>>,
    /// The last value; kept to be used again.
    value: Vec<f64>,
    times: Vec<Seconds>,
    values: Vec<f32>,
    /// For each key, whether the segment before it has to be measured.
    bent: Vec<bool>,
    /// For each key, whether its value is the channel's there.
    is_on_way: Vec<bool>,
    /// Jumps at whose time the old and the new value counts.
    sides: [usize; 2],
}

impl<'a> Keys<'a> {
    pub(super) fn new(channel: &'a Channel, plan: KeyPlan) -> Self {
        let discrete = channel.property.kind() == ValueKind::Discrete;
        let mut sampler = Sampler::new(channel);
        let constant = (!changes(channel)).then(|| {
            let mut value = Vec::new();
            sampler.value_at(plan.range.0, Side::At, &mut value);
            value
        });
        Self {
            property: &channel.property,
            sampler,
            grid: grid(channel),
            plan,
            discrete,
            rotation: rotation_start(&channel.property),
            width: 0,
            constant,
            value: Vec::new(),
            times: Vec::new(),
            values: Vec::new(),
            bent: Vec::new(),
            is_on_way: Vec::new(),
            sides: [0, 0],
        }
    }

    pub(super) fn add(&mut self, point: &Point) {
        if !point.authored {
            let mut value = std::mem::take(&mut self.value);
            self.sampler.key_at(point.at, &point.value, &mut value);
            self.push(point.key, &value, point.bent);
            if let Some(last) = self.is_on_way.last_mut() {
                *last = point.value == KeyValue::Own;
            }
            self.value = value;
            return;
        }
        // At the end nothing comes after: a repetition would start anew there.
        let is_end = point.at.0 >= self.plan.range.1.0;
        let after = self.value(point.at, if is_end { Side::At } else { Side::After });
        let mut bent = point.bent;
        if point.key.0 > self.plan.range.0.0 && !self.discrete {
            let before = self.value(point.from, Side::Before);
            if !bent {
                self.split_half_turn(point, &before);
            }
            if !self.same(&before, &after) {
                bent = self.jump(point, &before);
            }
        }
        self.push(point.key, &after, bent);
    }

    fn value(&mut self, time: Seconds, side: Side) -> Vec<f64> {
        if let Some(constant) = &self.constant {
            return constant.clone();
        }
        let mut value = Vec::with_capacity(self.width);
        self.sampler.value_at(time, side, &mut value);
        value
    }

    /// Adds the old value of a jump; yields whether the way to the new one has to be measured.
    fn jump(&mut self, point: &Point, before: &[f64]) -> bool {
        if !self.plan.only_on_grid {
            let at = self.value(point.at, Side::At);
            self.sides[usize::from(!self.same(before, &at))] += 1;
            self.push(point.key, before, point.bent);
            return false;
        }
        let previous = self.plan.rate.seconds(self.plan.rate.frame(point.key) - 1.0);
        if self.times.last().map_or(self.plan.range.0.0 <= previous.0, |last| last.0 < previous.0) {
            let value = self.value(previous, Side::At);
            self.push(previous, &value, point.bent);
        }
        true
    }

    /// Adds a key in the middle of the way to `point` if that is nearly half a turn.
    fn split_half_turn(&mut self, point: &Point, arriving: &[f64]) {
        let (Some(at), Some(&last)) = (self.rotation, self.times.last()) else { return };
        let start = self.values.len() - self.width + at;
        let old = self.values.get(start..).and_then(|v| v.first_chunk::<4>());
        let new = arriving.get(at..).and_then(|v| v.first_chunk::<4>());
        let (Some(old), Some(new)) = (old, new) else { return };
        if curve::quat_angle(old.map(f64::from), *new) <= LARGEST_TURN_RAD {
            return;
        }
        let mut middle = Seconds(0.5 * last.0 + 0.5 * point.key.0);
        if self.plan.only_on_grid {
            middle = self.plan.rate.seconds(self.plan.rate.frame(middle).round());
        }
        if last.0 < middle.0 && middle.0 < point.key.0 {
            let value = self.value(middle, Side::At);
            self.push(middle, &value, false);
        }
    }

    fn push(&mut self, time: Seconds, value: &[f64], bent: bool) {
        self.width = value.len();
        let row = self.values.len();
        self.times.push(time);
        self.bent.push(bent);
        self.is_on_way.push(true);
        self.values.extend(value.iter().map(|v| finite(*v)));
        let Some(at) = self.rotation else { return };
        let (old, new) = self.values.split_at_mut(row);
        let old = row.checked_sub(self.width).and_then(|start| old.get(start + at..));
        if let (Some(old), Some(new)) = (old, new.get_mut(at..))
            && dot(old, new) < 0.0
        {
            new.iter_mut().for_each(|x| *x = -*x);
        }
    }

    /// Whether two values are the same key.
    fn same(&self, a: &[f64], b: &[f64]) -> bool {
        let at = self.rotation.unwrap_or(a.len()).min(a.len()).min(b.len());
        let ((va, qa), (vb, qb)) = (a.split_at(at), b.split_at(at));
        let equal = |a: &[f64], b: &[f64], sign: f64| {
            a.iter().zip(b).all(|(x, y)| narrow(*x) == narrow(sign * y) || (x.is_nan() && y.is_nan()))
        };
        equal(va, vb, 1.0) && (equal(qa, qb, 1.0) || equal(qa, qb, -1.0))
    }

    pub(super) fn measure(&mut self) -> Vec<Worst> {
        let parts = parts(self.property, self.width);
        let mut worst = vec![Worst::default(); parts.len()];
        let (mut exact, mut straight) = (Vec::new(), Vec::new());
        // Keys on a grid may have been moved there.
        let are_exact = !self.plan.only_on_grid && !self.discrete;
        let rows = self.values.chunks_exact(self.width.max(1));
        let ends = self.times.windows(2).zip(self.is_on_way.windows(2));
        let segments = ends.zip(rows.clone().zip(rows.skip(1))).zip(self.bent.iter().skip(1));
        for (((pair, are_on_way), (from, to)), _) in segments.filter(|(_, bent)| **bent) {
            // No format whose times are in single precision has anything in between.
            if narrow(pair[0].0).next_up() >= narrow(pair[1].0) {
                continue;
            }
            let may_be_known = are_exact && are_on_way == [true, true];
            let known =
                if may_be_known { self.sampler.farthest_from_straight(pair[0].0, pair[1].0) } else { None };
            if let (Some(farthest), [worst]) = (known, &mut worst[..]) {
                let largest = from.iter().chain(to).fold(0.0f64, |most, x| most.max(x.abs().into()));
                // At most half a step for each of up to four numbers, so one step in all; an angle is twice as large as the way on
                // the sphere.
                let rounded = 2.0 * f64::from(f32::EPSILON) * largest;
                if farthest.value + rounded <= worst.value {
                    continue;
                }
                worst.meet(farthest.value, farthest.time);
                // Where rounding counts beside it, what is stored has to be looked at.
                if farthest.value > CLEAR * rounded {
                    continue;
                }
            }
            for probe in 1..PROBES {
                let share = f64::from(probe) / f64::from(PROBES);
                let (time, share) = seen(self.grid, (pair[0], pair[1]), share);
                if !is_inside(share) {
                    continue;
                }
                self.sampler.value_at(time, Side::At, &mut exact);
                straight_at(from, to, if self.discrete { 0.0 } else { share }, self.rotation, &mut straight);
                for (worst, (property, range)) in worst.iter_mut().zip(&parts) {
                    let (exact, straight) = (exact.get(range.clone()), straight.get(range.clone()));
                    let error = difference(property, exact.unwrap_or_default(), straight.unwrap_or_default());
                    worst.meet(error, time);
                }
            }
        }
        worst
    }

    pub(super) fn into_channels(mut self, shared: &mut SharedTimes) -> Vec<Channel> {
        let grid = self.plan.only_on_grid.then_some(self.plan.rate);
        let times = shared.list(&self.times, grid);
        let jump = if self.sides[0] > self.sides[1] { JumpSide::Before } else { JumpSide::After };
        let one_channel = |(property, range): (Property, Range<usize>)| {
            let mut values = if range.len() == self.width {
                std::mem::take(&mut self.values)
            } else {
                let rows = self.values.chunks_exact(self.width.max(1));
                rows.flat_map(|row| row.get(range.clone()).unwrap_or_default()).copied().collect()
            };
            // Clips are kept for long, and in numbers.
            values.shrink_to_fit();
            let laws = Laws::uniform(straight_law(&property));
            let curve = Curve::new(times.clone(), range.len(), values, laws);
            Channel::whole(property, Curve { jump, ..curve })
        };
        parts(self.property, self.width).into_iter().map(one_channel).collect()
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
}
