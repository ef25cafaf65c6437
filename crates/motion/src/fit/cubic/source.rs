//! Values and slopes of a channel, with quaternions that do not change sign on the way.

use crate::evaluate::{KeyValue, Sampler, Side, grid};
use crate::linearise::{EDGE, narrow};
use crate::measure::rotation_start;
use dopesheet_core::model::Channel;
use dopesheet_core::units::{FrameRate, Seconds};

/// Steps of numerical slopes, as a share of the stretch they are taken in.
const STEP_SHARE: f64 = 1e-4;

/// Slopes are told apart by more than this share of the larger one.
const SLOPE_SHARE: f64 = 1e-3;

/// A frame of the source's grid attracts keys from this many times as far as it attracts times: slopes are measured on
/// both sides of it then, and not across it.
const ATTRACTION: f64 = 6.0;

/// A stretch shorter than so many steps of single precision gets no keys in between.
const FEWEST_STEPS: f64 = 8.0;

/// A value, and how fast it changes there if that is to stay.
#[derive(Clone, Debug)]
pub(super) struct Knot {
    pub(super) time: Seconds,
    pub(super) value: Vec<f64>,
    /// Per second; none where the source has no one slope, so that any will do.
    pub(super) slope: Option<Vec<f64>>,
}

/// A channel to be followed.
pub(super) struct Source<'a> {
    sampler: Sampler<'a>,
    /// The grid of the channel's keys.
    pub(super) grid: Option<FrameRate>,
    /// Where in a value its quaternion starts.
    pub(super) rotation: Option<usize>,
}

impl<'a> Source<'a> {
    pub(super) fn new(channel: &'a Channel) -> Self {
        let rotation = rotation_start(&channel.property);
        Self { sampler: Sampler::new(channel), grid: grid(channel), rotation }
    }

    pub(super) fn value(&mut self, time: Seconds, side: Side) -> Vec<f64> {
        let mut value = Vec::with_capacity(8);
        self.sampler.value_at(time, side, &mut value);
        value
    }

    /// The value of a key; see [`Sampler::key_at`].
    pub(super) fn key(&mut self, time: Seconds, key: &KeyValue) -> Vec<f64> {
        let mut value = Vec::with_capacity(8);
        self.sampler.key_at(time, key, &mut value);
        value
    }

    /// Appends the value at a time, of two opposite quaternions the one nearer to `near`.
    pub(super) fn append(&mut self, time: Seconds, near: &[f64], buffer: &mut Vec<f64>, out: &mut Vec<f64>) {
        self.sampler.value_at(time, Side::At, buffer);
        self.align(buffer, near);
        out.extend_from_slice(buffer);
    }

    /// Of two opposite quaternions takes the one nearer to another value's.
    pub(super) fn align(&self, value: &mut [f64], near: &[f64]) {
        if self.is_opposite(value, near) {
            self.negate(value);
        }
    }

    /// Whether the quaternions of two values are more than half a turn apart.
    pub(super) fn is_opposite(&self, a: &[f64], b: &[f64]) -> bool {
        self.dot(a, b).is_some_and(|dot| dot < 0.0)
    }

    /// The product of the quaternions of two values, if they have any.
    pub(super) fn dot(&self, a: &[f64], b: &[f64]) -> Option<f64> {
        let (a, b) = (a.get(self.rotation?..)?, b.get(self.rotation?..)?);
        Some(a.iter().zip(b).map(|(x, y)| x * y).sum())
    }

    pub(super) fn negate(&self, value: &mut [f64]) {
        let quaternion = self.rotation.and_then(|at| value.get_mut(at..));
        quaternion.into_iter().flatten().for_each(|x| *x = -*x);
    }

    /// Seconds between the times from which a slope is measured.
    fn step(&self, length_s: f64) -> f64 {
        (STEP_SHARE * length_s).max(2.2 * self.zone())
    }

    /// How near a time is to a frame that is taken for it, in seconds; 0 where there is no grid.
    fn zone(&self) -> f64 {
        self.grid.map_or(0.0, |rate| rate.seconds(FrameRate::SNAP_FRAMES).0)
    }

    /// How far from a frame a curve is seen that is nearest to it, in seconds; 0 where there is no grid.
    pub(super) fn edge(&self) -> f64 {
        EDGE * self.zone()
    }

    /// Whether a stretch is long enough for keys, and slopes, in between.
    pub(super) fn has_room(&self, a: Seconds, b: Seconds) -> bool {
        let f32_step = f64::from(narrow(b.0).next_up()) - f64::from(narrow(b.0));
        b.0 - a.0 > (64.0 * self.zone()).max(FEWEST_STEPS * f32_step)
    }

    /// The slope at an end of a stretch of some length, which lies behind (1) or before (−1) it.
    fn slope_at_end(&mut self, at: &Knot, length_s: f64, direction: f64) -> Vec<f64> {
        let step = direction * self.step(length_s);
        let (mut buffer, mut near, mut far) = (Vec::new(), Vec::new(), Vec::new());
        self.append(Seconds(at.time.0 + step), &at.value, &mut buffer, &mut near);
        self.append(Seconds(at.time.0 + 2.0 * step), &near, &mut buffer, &mut far);
        let slope = |((own, near), far): ((&f64, &f64), &f64)| (4.0 * near - 3.0 * own - far) / (2.0 * step);
        at.value.iter().zip(&near).zip(&far).map(slope).collect()
    }

    /// A key time at which nothing jumps, between stretches of the given lengths; with a slope if both have the same, or
    /// nearly so that neither moves by more than `slack`.
    pub(super) fn authored(&mut self, time: Seconds, lengths_s: [f64; 2], slack: f64) -> Knot {
        let value = self.value(time, Side::Before);
        let mut knot = Knot { time, value, slope: None };
        let before = self.slope_at_end(&knot, lengths_s[0], -1.0);
        let after = self.slope_at_end(&knot, lengths_s[1], 1.0);
        let apart = before.iter().zip(&after).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        let largest = before.iter().chain(&after).fold(0.0f64, |most, x| most.max(x.abs()));
        if apart <= (SLOPE_SHARE * largest).max(slack / lengths_s[0].max(lengths_s[1])) {
            knot.slope = Some(before.iter().zip(&after).map(|(a, b)| 0.5 * (a + b)).collect());
        }
        knot
    }

    /// A key to be inserted near a time within a stretch.
    pub(super) fn inserted(&mut self, time: Seconds, length_s: f64) -> Knot {
        let frame = self.grid.map_or(time, |rate| rate.seconds(rate.frame(time).round()));
        let is_near = self.grid.is_some() && (frame.0 - time.0).abs() <= ATTRACTION * self.zone();
        let time = Seconds(narrow(if is_near { frame.0 } else { time.0 }).into());
        let value = self.value(time, Side::At);
        // Beside a frame, where single precision puts it, the frame itself is seen.
        let middle = if is_near { frame.0 } else { time.0 };
        let step = self.step(length_s);
        let (mut buffer, mut sides) = (Vec::new(), [const { Vec::new() }; 4]);
        for (by, side) in [-2.0, -1.0, 1.0, 2.0].into_iter().zip(&mut sides) {
            self.append(Seconds(middle + by * step), &value, &mut buffer, side);
        }
        let [a, b, c, d] = &sides;
        let slope = (0..value.len())
            .filter_map(|n| Some((8.0 * (c.get(n)? - b.get(n)?) - (d.get(n)? - a.get(n)?)) / (12.0 * step)));
        Knot { time, slope: Some(slope.collect()), value }
    }
}
