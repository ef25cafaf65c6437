//! Any channel as straight segments: authored keys where they suffice, one key per frame where they do not.

mod eased;
mod keys;
mod points;
mod search;
mod shape;
mod shared;
mod split;

pub use crate::measure::Worst;
pub(crate) use crate::sample::narrow::narrow;
pub(crate) use points::{authored_times, is_curved, sound_range};
pub(crate) use shape::{Shape, shape};
pub use shared::SharedTimes;
pub(crate) use split::{EDGE, Splitter};

use dopesheet_core::model::{Channel, Law, Property, ValueKind};
use dopesheet_core::units::{FrameRate, Seconds};
use keys::Keys;

/// How far straight segments may be from a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allowance {
    /// For positions in units of length, for everything else but rotations in the property's own unit; above 0.
    pub value: f64,
    /// For rotations, in radians; above 0.
    pub angle_rad: f64,
}

impl Allowance {
    /// A part of it.
    pub(crate) const fn scaled(self, factor: f64) -> Self {
        Self { value: self.value * factor, angle_rad: self.angle_rad * factor }
    }

    /// What is allowed for a property.
    pub(crate) const fn of(&self, property: &Property) -> f64 {
        match property.kind() {
            ValueKind::Rotation => self.angle_rad,
            _ => self.value,
        }
    }
}

/// How keys are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyPlan {
    /// The times that are played; keys outside are cut off where the value then is.
    pub range: (Seconds, Seconds),
    /// Where keys are inserted between authored ones that straight segments do not suffice for, unless there is an
    /// [`Allowance`].
    pub rate: FrameRate,
    /// Whether keys may lie on that grid only.
    pub only_on_grid: bool,
    /// Whether to put a key on every frame of the grid and on nothing else but the ends.
    pub every_frame: bool,
}

/// A channel as straight segments.
#[derive(Clone, Debug)]
pub struct Linearised {
    /// The curves; two (translation and rotation) for a placement, else one.
    pub channels: Vec<Channel>,
    /// Whether values between keys are approximations, because keys had to be inserted or moved.
    pub approximated: bool,
    /// The largest difference from the exact value, per channel, between every two keys of which straight segments are not known
    /// to be exact: by formula along a way with one timing curve, else measured at seven times.
    pub worst: Vec<Worst>,
}

/// Turns a channel into straight segments; `None` if it has no keys.
///
/// Where the channel is curved, as few keys are inserted as the allowance needs, at any times; without one, or on a
/// grid, one per frame.
///
/// The result has the exact value at each of the channel's own keys, as f32, and no key outside the range. Inserted keys may be
/// beside the channel by what is allowed, so that straight segments miss it as much at their ends as in their middle. A jump is two keys at one time;
/// at the very start of the range it is only the new value, and on a grid that allows one key per frame the old value
/// stands on the frame before. Rotations that turn by more than 170° get a key in the middle, because half a turn has
/// no shorter way round, and of two opposite quaternions the one nearer to the key before is taken. Values beyond f32
/// become the largest f32.
#[must_use]
pub fn linearise(
    channel: &Channel,
    plan: &KeyPlan,
    allowance: Option<Allowance>,
    shared: &mut SharedTimes,
) -> Option<Linearised> {
    if channel.composition.curves().all(|curve| curve.is_empty()) {
        return None;
    }
    let mut keys = Keys::new(channel, *plan);
    let (points, met) = points::points(channel, plan, allowance);
    for point in points {
        keys.add(&point);
    }
    let mut worst = keys.measure();
    if let Some(first) = worst.first_mut() {
        first.meet(met.value, met.time);
    }
    let approximated = worst.iter().any(|w| w.value > 0.0);
    Some(Linearised { channels: keys.into_channels(shared), approximated, worst })
}

/// The law of straight segments for a property.
pub(crate) const fn straight_law(property: &Property) -> Law {
    match property.kind() {
        ValueKind::Rotation => Law::SLERP,
        ValueKind::Discrete => Law::STEP,
        ValueKind::Position | ValueKind::Direction | ValueKind::Numbers => Law::LINEAR,
    }
}

/// A number that every format can store: what is none counts as 0, and what is infinite as the largest.
pub(crate) fn finite(value: f64) -> f32 {
    if value.is_nan() { 0.0 } else { narrow(value.clamp(f64::MIN, f64::MAX)) }
}
