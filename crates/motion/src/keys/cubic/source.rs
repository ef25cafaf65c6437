//! Values and slopes of a channel, with quaternions of steady sign.

use crate::difference::rotation_start;
use crate::sample::{Sampler, Side};
use dopesheet_core::model::Channel;
use dopesheet_core::units::Seconds;

/// A value, and its slope if the slope is fixed.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) time: Seconds,
    pub(super) value: Vec<f64>,
    /// Slope per second; `None` where the source has no definite slope, so that any slope will do.
    pub(super) slope: Option<Vec<f64>>,
}

/// A channel to follow.
pub(super) struct Source<'a> {
    sampler: Sampler<'a>,
    /// Index of the quaternion's first number in a value.
    pub(super) rotation: Option<usize>,
    buffer: Vec<f64>,
}

impl<'a> Source<'a> {
    pub(super) fn new(channel: &'a Channel) -> Self {
        let rotation = rotation_start(&channel.property);
        Self { sampler: Sampler::new(channel), rotation, buffer: Vec::new() }
    }

    pub(super) fn value(&mut self, time: Seconds, side: Side) -> Vec<f64> {
        let mut value = Vec::with_capacity(8);
        self.sampler.value_at(time, side, &mut value);
        value
    }

    /// Appends the value at a time; of two opposite quaternions the nearer to `near`.
    pub(super) fn append(&mut self, time: Seconds, near: &[f64], out: &mut Vec<f64>) {
        let mut value = std::mem::take(&mut self.buffer);
        self.sampler.value_at(time, Side::At, &mut value);
        self.align(&mut value, near);
        out.extend_from_slice(&value);
        self.buffer = value;
    }

    /// Replaces a value's quaternion by its opposite if the opposite is nearer to the other value's.
    pub(super) fn align(&self, value: &mut [f64], near: &[f64]) {
        if self.is_opposite(value, near) {
            self.negate(value);
        }
    }

    /// True of quaternions of two values that are more than half a turn apart.
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

    /// The slope per second at a time with the value `centre`, from values at some numbers of steps from this
    /// time, with a factor for each.
    pub(super) fn slope<const N: usize>(
        &mut self,
        time: Seconds,
        centre: &[f64],
        step_s: f64,
        factors: [(f64, f64); N],
    ) -> Vec<f64> {
        let of_own = factors.iter().map(|(_, factor)| factor).sum::<f64>();
        let mut slope: Vec<f64> = centre.iter().map(|x| -of_own * x / step_s).collect();
        let mut value = Vec::with_capacity(centre.len());
        for (steps, factor) in factors {
            value.clear();
            self.append(Seconds(time.0 + steps * step_s), centre, &mut value);
            slope.iter_mut().zip(&value).for_each(|(slope, x)| *slope += factor * x / step_s);
        }
        slope
    }
}
