//! Storage of the values of keys: its rounding, and the room that keys take.

/// Storage of the values of straight segments in a variant of a format, and the room they take.
///
/// Conversion chooses values that are stored without another rounding, so that the tolerance holds for what is written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KeyStorage {
    /// Rounding of rotations.
    pub rotations: Rounding,
    /// Rounding of translations, scales and weights.
    pub numbers: Rounding,
    /// True if key times are stored as seconds in single precision.
    pub single_times: bool,
    /// Cost of keys; `None` if nothing but their number counts.
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
    /// True if coarser values are stored shorter.
    #[must_use]
    pub const fn has_choice(self) -> bool {
        matches!(self, Self::Multiples(_) | Self::SmallestThree)
    }
}

/// Approximate cost of keys in bytes.
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
