//! Plan and result of choosing keys.

use crate::difference::{ChannelError, Worst};
use dopesheet_core::model::{Channel, Law, Property, ValueKind};
use dopesheet_core::units::{FrameRate, Seconds};

/// Largest error that new segments may have.
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

    /// The part for a property, in the property's unit.
    pub(crate) const fn of(&self, property: &Property) -> f64 {
        match property.kind() {
            ValueKind::Rotation => self.angle_rad,
            _ => self.value,
        }
    }

    /// The part for a property between two values. No segment is held to less than single precision makes of its values, which is
    /// what most formats store.
    pub(crate) fn between<T: Copy + Into<f64>>(&self, property: &Property, from: &[T], to: &[T]) -> f64 {
        self.of(property).max(largest(from, to) * FINEST)
    }
}

/// Distance of neighbouring numbers of single precision, as a share of them.
pub(super) const FINEST: f64 = f32::EPSILON as f64;

/// The largest number of two values, without its sign.
pub(super) fn largest<T: Copy + Into<f64>>(from: &[T], to: &[T]) -> f64 {
    from.iter().chain(to).fold(0.0f64, |most, x| most.max((*x).into().abs()))
}

/// The times at which keys may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyPlan {
    /// The times that are played; keys outside are cut off where the value then is.
    pub range: (Seconds, Seconds),
    /// Frames per second: where keys are inserted between authored ones that straight segments do not suffice for, unless there is
    /// an [`Allowance`].
    pub rate: FrameRate,
    /// True if keys may lie on that grid only.
    pub only_on_grid: bool,
    /// True if there is to be a key on every frame of the grid, and on nothing else but the ends.
    pub every_frame: bool,
}

/// A channel with other segments.
#[derive(Clone, Debug)]
pub struct Linearised {
    /// The curves; two (translation and rotation) for a placement, else one.
    pub channels: Vec<Channel>,
    /// True if values between keys are approximations, because keys had to be inserted or moved.
    pub approximated: bool,
    /// The largest difference from the exact value, per channel.
    pub worst: Vec<Worst>,
    /// Per channel, true if no time has a larger difference: segments are the source's own, or follow lines and great arcs with
    /// linear or Bezier timing, of which a formula tells that. False if some segments were only looked at: straight ones at 9 times each,
    /// cubic ones at 14.
    pub is_bound: Vec<bool>,
}

impl Linearised {
    /// Channels with what is known of them.
    pub(super) fn new(channels: Vec<Channel>, misses: &Misses) -> Self {
        let worst = misses.worst.iter().take(channels.len()).copied().collect::<Vec<_>>();
        let approximated = worst.iter().any(|worst| worst.value > 0.0);
        let is_bound = vec![misses.is_bound; channels.len()];
        Self { channels, approximated, worst, is_bound }
    }

    /// The channels with their errors.
    pub(crate) fn into_errors(self) -> impl Iterator<Item = (Channel, ChannelError)> {
        let errors = self.worst.into_iter().zip(self.is_bound);
        let errors = errors.map(|(worst, is_bound)| match is_bound {
            true => ChannelError::known(worst),
            false => ChannelError::met(worst),
        });
        self.channels.into_iter().zip(errors)
    }
}

/// Most properties that a channel's value consists of.
pub(super) const MOST_PARTS: usize = 2;

/// Errors of segments: for each property that their values consist of, in its own unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Misses {
    pub(crate) worst: [Worst; MOST_PARTS],
    /// True if no time has a larger difference, false if it was only looked for at some times.
    pub(crate) is_bound: bool,
}

impl Misses {
    pub(crate) const NONE: Self =
        Self { worst: [Worst { value: 0.0, time: Seconds(0.0) }; MOST_PARTS], is_bound: true };

    /// Of one property, by a formula.
    pub(super) const fn bound(value: f64, time: Seconds) -> Self {
        let mut misses = Self::NONE;
        misses.worst[0] = Worst { value, time };
        misses
    }

    /// Takes note of what others are off.
    pub(super) fn meet(&mut self, other: &Self) {
        self.worst.iter_mut().zip(other.worst).for_each(|(own, other)| own.meet(other.value, other.time));
        self.is_bound &= other.is_bound;
    }
}

/// The law of straight segments for a property.
pub(crate) const fn straight_law(property: &Property) -> Law {
    match property.kind() {
        ValueKind::Rotation => Law::SLERP,
        ValueKind::Discrete => Law::STEP,
        ValueKind::Position | ValueKind::Direction | ValueKind::Numbers => Law::LINEAR,
    }
}
