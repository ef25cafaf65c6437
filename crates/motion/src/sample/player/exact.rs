//! Channels whose composition, law or ends have no fast form: the reference evaluator on a copy of them.

use super::fill::Filler;
use super::output::{Layout, ROTATION, SCALE};
use crate::sample::evaluate::rounded_channel_at;
use crate::sample::policy::RoundingPolicy;
use crate::sample::pose::apply;
use dopesheet_core::model::{Channel, Curve, Handles, Times, Transform};
use dopesheet_core::units::Seconds;

/// A channel and where its value goes.
#[derive(Clone, Debug)]
pub(super) struct ExactChannel {
    pub channel: Channel,
    pub goal: Goal,
    /// Its first curve among the cursors of all.
    pub first_cursor: usize,
}

/// Where a value goes.
#[derive(Clone, Debug)]
pub(super) enum Goal {
    /// Into the transform of a joint.
    Joint {
        joint: usize,
        /// What the value comes on top of.
        base: Box<Transform>,
        /// Whether translation, rotation and scale are written, or left to a later channel.
        parts: [bool; 3],
    },
    /// Among the numbers.
    Numbers { start: usize, width: usize },
}

impl ExactChannel {
    pub(super) fn curves(&self) -> usize {
        self.channel.composition.curves().count()
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + self.channel.composition.curves().map(curve_bytes).sum::<usize>()
    }

    /// Marks the places that it writes.
    pub(super) fn mark(&self, filler: &mut Filler<'_>) {
        match &self.goal {
            Goal::Numbers { start, width } => (*start..start + width).for_each(|place| filler.mark(place, 1)),
            Goal::Joint { joint, parts, .. } => {
                let stride = filler.layout.stride();
                let columns =
                    [(0, 3), (ROTATION, 4), (SCALE, 3)].into_iter().zip(parts).filter(|(_, is)| **is);
                columns.for_each(|((column, width), _)| filler.mark(column * stride + joint, width));
            }
        }
    }

    pub(super) fn play(
        &self,
        time: Seconds,
        rounding: RoundingPolicy,
        (cursors, value): (&mut [usize], &mut Vec<f64>),
        layout: Layout,
        out: &mut [f32],
    ) {
        let cursors = cursors.get_mut(self.first_cursor..).unwrap_or_default();
        rounded_channel_at(&self.channel, time, rounding, cursors, value);
        match &self.goal {
            Goal::Numbers { start, width } => write(value, *start, *width, 1, out),
            Goal::Joint { joint, base, parts } => {
                let mut moved = Transform::IDENTITY;
                apply(&mut moved, base, &self.channel.property, value);
                let stride = layout.stride();
                let columns: [(usize, &[f64]); 3] =
                    [(0, &moved.translation), (ROTATION, &moved.rotation), (SCALE, &moved.scale)];
                for ((column, part), _) in columns.into_iter().zip(parts).filter(|(_, is)| **is) {
                    write(part, column * stride + joint, part.len(), stride, out);
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
    let times = match &curve.times {
        Times::Seconds(times) => size_of_val(&**times),
        Times::Frames { frames, .. } => size_of_val(&**frames),
    };
    let handles = |h: &Option<Box<Handles>>| {
        h.as_ref().map_or(0, |h| size_of_val(&*h.arriving) + size_of_val(&*h.leaving))
    };
    let turns = curve.turns.as_ref().map_or(0, |turns| size_of_val(&**turns));
    size_of::<Curve>()
        + times
        + size_of_val(&*curve.values)
        + handles(&curve.handles)
        + handles(&curve.weights)
        + turns
}
