//! How a format stores the values of keys, where that rounds them, and what keys cost.

/// How a variant of a format stores the values of straight segments, and how much room they take.
///
/// Conversion chooses values that are stored without another rounding, so that the tolerance holds for what is written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KeyStorage {
    /// How rotations are stored.
    pub rotations: Rounding,
    /// How translations, scales and weights are stored.
    pub numbers: Rounding,
    /// Whether key times are stored as seconds in single precision.
    pub single_times: bool,
    /// What keys cost; `None` if nothing but their number counts.
    pub cost: Option<KeyCost>,
}

/// Which numbers can be stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rounding {
    /// All f32.
    #[default]
    None,
    /// Multiples of this power of 2, and of any larger one, which is stored shorter.
    Multiples(i8),
    /// Quaternions of normalised 16-bit integers.
    Shorts,
    /// Quaternions of normalised 16-bit integers that follow from three components, with as many steps as one likes.
    SmallestThree,
}

impl Rounding {
    /// Whether coarser values are stored shorter.
    #[must_use]
    pub const fn has_choice(self) -> bool {
        matches!(self, Self::Multiples(_) | Self::SmallestThree)
    }
}

/// What keys cost, in bytes, about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyCost {
    /// One key time of a list. Channels with the same key times share one list.
    pub time: f64,
    /// A list of key times, whatever its length.
    pub list: f64,
    /// One rotation.
    pub rotation: f64,
    /// One component of another value.
    pub number: f64,
}
