//! Channels whose composition, law or ends have no fast form: the reference evaluator on a copy of them.

use super::outputs::Output;
use super::pose::{Layout, ROTATION, SCALE};
use crate::sample::evaluate::rounded_channel_at;
use crate::sample::policy::RoundingPolicy;
use crate::sample::pose::apply;
use dopesheet_core::model::{Channel, Curve, Transform};
use dopesheet_core::units::Seconds;

/// A channel and the output of its value.
#[derive(Clone, Debug)]
pub(super) struct ExactChannel {
    pub channel: Channel,
    pub output: Output,
    /// Its first curve among the cursors of all.
    pub first_cursor: usize,
}

impl ExactChannel {
    pub(super) fn curves(&self) -> usize {
        self.channel.composition.curves().count()
    }

    /// The first cursor behind those of its curves.
    pub(super) fn next_cursor(&self) -> usize {
        self.first_cursor.saturating_add(self.curves())
    }

    pub(super) fn bytes(&self) -> usize {
        self.channel.composition.curves().map(curve_bytes).chain([size_of::<Self>()]).sum()
    }

    pub(super) fn play(
        &self,
        time: Seconds,
        rounding: RoundingPolicy,
        cursors: &mut [usize],
        value: &mut Vec<f64>,
    ) {
        let cursors = cursors.get_mut(self.first_cursor..).unwrap_or_default();
        rounded_channel_at(&self.channel, time, rounding, cursors, value);
    }

    /// Writes a value to its numbers of a pose.
    pub(super) fn write(&self, value: &[f64], layout: Layout, out: &mut [f32]) {
        match &self.output {
            Output::Numbers { start, width } => write(value, *start, *width, 1, out),
            Output::Joint { joint, base, parts } => {
                let mut moved = Transform::IDENTITY;
                apply(&mut moved, base, &self.channel.property, value);
                let columns: [(usize, &[f64]); 3] =
                    [(0, &moved.translation), (ROTATION, &moved.rotation), (SCALE, &moved.scale)];
                for ((column, part), _) in columns.into_iter().zip(parts).filter(|(_, is)| **is) {
                    write(part, layout.index(column, *joint), part.len(), layout.stride(), out);
                }
            }
        }
    }
}

/// Writes numbers a stride apart.
fn write(values: &[f64], start: usize, width: usize, stride: usize, out: &mut [f32]) {
    let places = out.get_mut(start..).unwrap_or_default().iter_mut().step_by(stride);
    for (place, value) in places.zip(values).take(width) {
        *place = *value as f32;
    }
}

fn curve_bytes(curve: &Curve) -> usize {
    let values = size_of_val(&*curve.values);
    // Handles and weights have two numbers for each of the values.
    let slopes = [&curve.handles, &curve.weights].into_iter().flatten().map(|_| values.saturating_mul(2));
    let turns = curve.turns.as_ref().map_or(0, |turns| size_of_val(&**turns));
    let times = curve.len().saturating_mul(size_of::<f64>());
    slopes.chain([size_of::<Curve>(), times, values, turns]).sum()
}
