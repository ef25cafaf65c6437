//! Storage of the values of keys: its rounding, and the bytes per key.

/// Storage of the values of straight segments in a variant of a format, and the bytes they take.
///
/// Conversion chooses values that are stored without further rounding, so that the tolerance holds for the
/// written file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KeyStorage {
    /// Rounding of rotations.
    pub rotations: Rounding,
    /// Rounding of the rotations of joints whose error with [`KeyStorage::rotations`] in few bits would
    /// exceed the tolerance.
    pub fine_rotations: Rounding,
    /// Rounding of translations, scales and weights.
    pub numbers: Rounding,
    /// Rounding of key times.
    pub times: TimeRounding,
    /// True if keys of rotations are unit quaternions, also keys of cubic segments.
    pub unit_rotations: bool,
    /// Cost of keys; `None` if nothing but their number counts.
    pub cost: Option<KeyCost>,
}

/// Numbers that can be stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rounding {
    /// All f32.
    #[default]
    None,
    /// Multiples of this power of 2, and of any larger power, which is stored shorter.
    Multiples(i8),
    /// Quaternions of normalised 16-bit integers.
    Shorts,
    /// Quaternions of normalised 16-bit integers that follow from three components, with any number of steps.
    SmallestThree,
    /// Quaternions whose x, y and z have 16 bits each (`quat_from_48` of the curve crate), at key times of 16
    /// bits (`seconds_from_short`).
    Packed48,
    /// Quaternions in 32 bits (`quat_from_32` of the curve crate).
    Packed32,
    /// Decimal numbers of this many significant digits; rotations as three angles in degrees, `q = qz·qy·qx`.
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
    /// Seconds as decimal numbers of this many significant digits.
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
    /// A key time of a list. Channels with the same key times share a list.
    pub time: f64,
    /// A list of key times, whatever its length.
    pub list: f64,
    /// A rotation.
    pub rotation: f64,
    /// A component of another value.
    pub number: f64,
}
