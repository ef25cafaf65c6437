//! Tolerance of a motion beside another one.

use dopesheet_core::model::Property;
use std::fmt;
use std::str::FromStr;

/// Tolerance of a motion beside another one: no point within a shell of any joint is displaced by more than a length.
///
/// ```
/// use dopesheet_motion::Tolerance;
///
/// let tolerance: Tolerance = "0.1mm@3cm".parse().unwrap();
/// assert_eq!((tolerance.length_m, tolerance.shell_m), (1e-4, Some(0.03)));
/// assert_eq!(tolerance.to_string(), "0.1mm@3cm");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// The length in metres; above 0.
    pub length_m: f64,
    /// The shell's radius in metres. `None` is [`Tolerance::SHELL_M`], or [`Tolerance::FREE_SHELL_M`] where
    /// the hierarchy is unknown.
    pub shell_m: Option<f64>,
}

impl Tolerance {
    /// 0.1 mm for points on the skin.
    pub const DEFAULT: Self = Self { length_m: 1e-4, shell_m: None };
    /// Shell around a joint of a known hierarchy: 3 cm of flesh.
    pub const SHELL_M: f64 = 0.03;
    /// Shell around a joint whose children are unknown, in metres.
    pub const FREE_SHELL_M: f64 = 1.0;
    /// Largest difference of a morph weight.
    pub const WEIGHT: f64 = 1e-3;
    /// Largest difference of a colour's component, 0..=1: one step of eight bits.
    pub const COLOUR: f64 = 1.0 / 255.0;
    /// Largest angle between directions of cameras, lights and gaze, and between fields of view: 0.01°.
    pub const ANGLE_RAD: f64 = 0.01 * std::f64::consts::PI / 180.0;

    /// Largest difference of a property outside of transforms, in its own unit.
    pub(crate) const fn of(property: &Property) -> f64 {
        match property {
            Property::Color | Property::Intensity => Self::COLOUR,
            Property::YFov | Property::Direction => Self::ANGLE_RAD,
            _ => Self::WEIGHT,
        }
    }

    /// The shell's radius in metres.
    #[must_use]
    pub fn shell_m(&self, hierarchy_is_known: bool) -> f64 {
        self.shell_m.unwrap_or(if hierarchy_is_known { Self::SHELL_M } else { Self::FREE_SHELL_M })
    }
}

impl Default for Tolerance {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Units of length with their metres, longest word first so that `mm` is not read as `m`.
const UNITS: [(&str, f64); 4] = [("um", 1e-6), ("mm", 1e-3), ("cm", 1e-2), ("m", 1.0)];

impl FromStr for Tolerance {
    type Err = InvalidTolerance;

    /// Reads `LEN` or `LEN@SHELL`: numbers with `um`, `mm`, `cm` or `m`.
    fn from_str(text: &str) -> Result<Self, InvalidTolerance> {
        let invalid = || InvalidTolerance { found: text.to_owned() };
        let (length, shell) = match text.split_once('@') {
            Some((length, shell)) => (length, Some(shell)),
            None => (text, None),
        };
        let least = length_m(length).filter(|m| *m > 0.0).ok_or_else(invalid)?;
        let shell_m = shell.map(|s| length_m(s).filter(|m| *m >= 0.0).ok_or_else(invalid)).transpose()?;
        Ok(Self { length_m: least, shell_m })
    }
}

/// A length in metres from a number with `um`, `mm`, `cm` or `m`; `None` from anything else.
///
/// ```
/// assert_eq!(dopesheet_motion::length_m("-2cm"), Some(-0.02));
/// ```
#[must_use]
pub fn length_m(text: &str) -> Option<f64> {
    let (number, unit) = UNITS.iter().find_map(|(unit, m)| Some((text.strip_suffix(unit)?, m)))?;
    // Divided where the unit is a whole fraction of a metre, so that 0.1 mm is the nearest number to 0.0001.
    let number: f64 = number.trim().parse().ok()?;
    let metres = if *unit < 1.0 { number / (1.0 / unit).round() } else { number };
    metres.is_finite().then_some(metres)
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_length(f, self.length_m)?;
        let Some(shell) = self.shell_m else { return Ok(()) };
        f.write_str("@")?;
        write_length(f, shell)
    }
}

/// The length in the largest unit with a value of at least 1, but 0.1 mm rather than 100 um.
fn write_length(f: &mut fmt::Formatter<'_>, metres: f64) -> fmt::Result {
    let (unit, factor) = match metres {
        m if m < 1e-5 => ("um", 1e6),
        m if m < 1e-2 => ("mm", 1e3),
        m if m < 1.0 => ("cm", 1e2),
        _ => ("m", 1.0),
    };
    let rounded = (metres * factor * 1e6).round() / 1e6;
    write!(f, "{rounded}{unit}")
}

/// A text that is not a tolerance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidTolerance {
    found: String,
}

impl fmt::Display for InvalidTolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected LEN or LEN@SHELL such as 0.1mm@3cm (um, mm, cm or m), found {:?}", self.found)
    }
}

impl std::error::Error for InvalidTolerance {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_is_read_and_written() {
        for (text, length_m, shell_m) in [
            ("5um", 5e-6, None),
            ("0.1mm@3cm", 1e-4, Some(0.03)),
            ("0.05mm@3cm", 5e-5, Some(0.03)),
            ("2cm@1m", 0.02, Some(1.0)),
            ("1m@0mm", 1.0, Some(0.0)),
        ] {
            let tolerance: Tolerance = text.parse().unwrap();
            assert_eq!((tolerance.length_m, tolerance.shell_m), (length_m, shell_m), "{text}");
            let again: Tolerance = tolerance.to_string().parse().unwrap();
            assert_eq!(again, tolerance, "{text}");
        }
    }

    #[test]
    fn what_is_no_length_is_refused() {
        for text in ["", "1", "mm", "0mm", "-1mm", "1mm@", "1mm@-3cm", "1in", "nanmm", "infm", "1mm@3cm@3cm"]
        {
            assert!(text.parse::<Tolerance>().is_err(), "{text}");
        }
        let error = "1in".parse::<Tolerance>().unwrap_err();
        let expected = "expected LEN or LEN@SHELL such as 0.1mm@3cm (um, mm, cm or m), found \"1in\"";
        assert_eq!(error.to_string(), expected);
    }
}
