//! Fates of things in a conversion, and how far they are off.

use crate::units::Seconds;
use crate::words::{angle, length, number, time};
use std::fmt;

/// Unit of an error measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorUnit {
    /// Metres (or the source's unit of length if its size is unknown).
    Metre,
    /// Radians, for rotations and other angles.
    Radian,
    /// A plain ratio: weights, colours, scales.
    One,
}

impl ErrorUnit {
    /// A difference in words: a length or an angle in a suitable unit, or a plain number.
    #[must_use]
    pub fn in_words(self, value: f64) -> String {
        match self {
            Self::Metre => length(value),
            Self::Radian => angle(value),
            Self::One => number(value),
        }
    }

    /// The symbol used in text and JSON output: `m`, `rad` or `1`.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Metre => "m",
            Self::Radian => "rad",
            Self::One => "1",
        }
    }
}

/// The largest difference between source and result, with its target and time.
#[derive(Clone, Debug, PartialEq)]
pub struct MaxError {
    /// Size in `unit`.
    pub value: f64,
    /// Unit of `value`.
    pub unit: ErrorUnit,
    /// Target (joint, morph, camera …) with the largest difference.
    pub target: String,
    /// Time of the largest difference, in seconds.
    pub time: Seconds,
}

/// Fate of an item on its way into another format.
#[derive(Clone, Debug, PartialEq)]
pub enum Loss {
    /// The item is present and exact.
    Kept {
        /// Name with a count: "412 rotation keys".
        what: String,
    },
    /// The item is present and exact, as data that players of the target do not show.
    KeptAsData {
        /// Name with a count: "m_Color.a: 1 channel, 2 keys".
        what: String,
    },
    /// The item is present, within a bound.
    Approximated {
        /// Name, with the approximation.
        what: String,
        /// Largest measured difference.
        max_error: MaxError,
        /// Upper bound at any time, in the same unit, if known.
        bound: Option<f64>,
    },
    /// The item is present, within a bound that was proved and not measured.
    Bounded {
        /// Name, with the approximation.
        what: String,
        /// Upper bound of the difference at any time, in `unit`.
        bound: f64,
        /// Unit of `bound`.
        unit: ErrorUnit,
    },
    /// The item is present on the frames on which it was solved or is stored, and may differ between them.
    Unsampled {
        /// Name, with the frames.
        what: String,
        /// Largest measured difference between frames.
        max_error: MaxError,
    },
    /// The item is missing.
    Dropped {
        /// Name, with a count if there are many.
        what: String,
        /// The reason why the target cannot hold the item.
        why: String,
    },
}

impl Loss {
    /// A word for the fate of the item: `kept`, `kept as data`, `approximated` (also for differences between
    /// frames alone) or `dropped`.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Kept { .. } => "kept",
            Self::KeptAsData { .. } => "kept as data",
            Self::Approximated { .. } | Self::Bounded { .. } | Self::Unsampled { .. } => "approximated",
            Self::Dropped { .. } => "dropped",
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.word())?;
        match self {
            Self::Kept { what } | Self::KeptAsData { what } => f.write_str(what),
            Self::Approximated { what, max_error, bound } => {
                write!(f, "{what}; largest error {}", max_error.size())?;
                if let Some(bound) = bound {
                    write!(f, ", never more than {}", max_error.unit.in_words(*bound))?;
                }
                write!(f, " ({max_error})")
            }
            Self::Bounded { what, bound, unit } => {
                write!(f, "{what}; at most {} off, by its bound", unit.in_words(*bound))
            }
            Self::Unsampled { what, max_error } => write!(
                f,
                "{what}; between frames, where nothing is sampled, it may differ by up to {} ({max_error})",
                max_error.size()
            ),
            Self::Dropped { what, why } => write!(f, "{what}: {why}"),
        }
    }
}

impl MaxError {
    /// Size of the error in a suitable unit.
    #[must_use]
    pub fn size(&self) -> String {
        self.unit.in_words(self.value)
    }
}

/// Target and time: `センター at 1.003 s`.
impl fmt::Display for MaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.target, time(self.time))
    }
}

/// Beginnings of lines about points around joints, with a known hierarchy and with an unknown hierarchy.
pub const POINTS: [&str; 2] = ["model space", "each joint by itself"];

/// End of lines about channels whose only error is the rounding of stored values.
pub const PRECISION: &str = "by the precision of what is stored";
