//! Storage of the values of keys: its rounding, and the room that keys take.

/// Storage of the values of straight segments in a variant of a format, and the room they take.
///
/// Conversion chooses values that are stored without another rounding, so that the tolerance holds for what is written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KeyStorage {
    /// Rounding of rotations.
    pub rotations: Rounding,
    /// Rounding of the rotations of joints that [`KeyStorage::rotations`] in few bits would take beyond the tolerance.
    pub fine_rotations: Rounding,
    /// Rounding of translations, scales and weights.
    pub numbers: Rounding,
    /// Rounding of key times.
    pub times: TimeRounding,
    /// True if keys of rotations are unit quaternions, also those between which they go along cubic ways.
    pub unit_rotations: bool,
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
    /// Quaternions of which x, y and z have 16 bits each (`quat_from_48` of the curve crate), at key times of 16 bits
    /// (`seconds_from_short`).
    Packed48,
    /// Quaternions in 32 bits (`quat_from_32` of the curve crate).
    Packed32,
    /// Decimal numbers of so many significant digits; rotations as three angles in degrees, `q = qz·qy·qx`.
    Digits(u8),
}

/// Key times that can be stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeRounding {
    /// All f64.
    #[default]
    None,
    /// Seconds in single precision.
    Single,
    /// Seconds as decimal numbers of so many significant digits.
    Digits(u8),
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
