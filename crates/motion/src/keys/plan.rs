//! Plan and result of choosing keys.

use crate::difference::{ChannelError, Worst};
use dopesheet_core::model::{Channel, Law, Property, ValueKind};
use dopesheet_core::units::{FrameRate, Seconds};

/// Largest permitted error of new segments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allowance {
    /// For positions in units of length, for everything else but rotations in the property's own unit; above 0.
    pub value: f64,
    /// For rotations, in radians; above 0.
    pub angle_rad: f64,
}

impl Allowance {
    /// The allowance times a factor.
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

    /// The part for a property between two values. No limit is below the rounding of these values to single
    /// precision, the storage of most formats.
    pub(crate) fn between<T: Copy + Into<f64>>(&self, property: &Property, from: &[T], to: &[T]) -> f64 {
        self.of(property).max(largest(from, to) * FINEST)
    }
}

/// Distance of neighbouring numbers of single precision, as a share of their size.
pub(super) const FINEST: f64 = f32::EPSILON as f64;

/// The largest number of two values, without its sign.
pub(super) fn largest<T: Copy + Into<f64>>(from: &[T], to: &[T]) -> f64 {
    from.iter().chain(to).fold(0.0f64, |most, x| most.max((*x).into().abs()))
}

/// The permitted times of keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyPlan {
    /// The played range; keys outside are cut off, with a new key at the cut.
    pub range: (Seconds, Seconds),
    /// Frames per second of inserted keys, where straight segments between authored keys do not suffice,
    /// unless there is an [`Allowance`].
    pub rate: FrameRate,
    /// True if keys may lie on the grid of `rate` only.
    pub only_on_grid: bool,
    /// True for a key on every frame of the grid, and at no other times except the ends.
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
    pub largest: Vec<Worst>,
    /// Per channel, true if the difference is an upper bound for all times: segments are the source's own, or
    /// follow lines and great arcs with linear or Bezier timing, where a formula gives the bound. False if
    /// some segments were only sampled: straight ones at 9 times each, cubic ones at 14.
    pub is_bound: Vec<bool>,
}

impl Linearised {
    /// Channels with their errors.
    pub(super) fn new(channels: Vec<Channel>, misses: &Misses) -> Self {
        let largest = misses.largest.iter().take(channels.len()).copied().collect::<Vec<_>>();
        let approximated = largest.iter().any(|largest| largest.value > 0.0);
        let is_bound = vec![misses.is_bound; channels.len()];
        Self { channels, approximated, largest, is_bound }
    }

    /// The channels with their errors.
    pub(crate) fn into_errors(self) -> impl Iterator<Item = (Channel, ChannelError)> {
        let errors = self.largest.into_iter().zip(self.is_bound);
        let errors = errors.map(|(largest, is_bound)| match is_bound {
            true => ChannelError::bounded(largest),
            false => ChannelError::sampled(largest),
        });
        self.channels.into_iter().zip(errors)
    }
}

/// Most properties of a channel's value.
pub(super) const MOST_PARTS: usize = 2;

/// Errors of segments: for each property of their values, in its own unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Misses {
    pub(crate) largest: [Worst; MOST_PARTS],
    /// True if the errors are upper bounds for all times, false if they are the largest at some sampled
    /// times.
    pub(crate) is_bound: bool,
}

impl Misses {
    pub(crate) const NONE: Self =
        Self { largest: [Worst { value: 0.0, time: Seconds(0.0) }; MOST_PARTS], is_bound: true };

    /// Error of one property, by a formula.
    pub(super) const fn bound(value: f64, time: Seconds) -> Self {
        let mut misses = Self::NONE;
        misses.largest[0] = Worst { value, time };
        misses
    }

    /// Takes note of the errors of other segments.
    pub(super) fn note(&mut self, other: &Self) {
        self.largest.iter_mut().zip(other.largest).for_each(|(own, other)| own.note(other.value, other.time));
        self.is_bound &= other.is_bound;
    }
}

/// The law of straight segments for a property.
pub const fn straight_law(property: &Property) -> Law {
    match property.kind() {
        ValueKind::Rotation => Law::SLERP,
        ValueKind::Discrete => Law::STEP,
        ValueKind::Position | ValueKind::Direction | ValueKind::Numbers => Law::LINEAR,
    }
}
