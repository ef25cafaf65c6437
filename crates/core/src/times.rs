//! Times as people write them: seconds, or frames of a file's grid.

use crate::units::{FrameRate, Seconds};
use std::fmt;
use std::str::FromStr;

/// A time as written: `1.5` or `1.5s` for seconds, `45f` for frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeValue {
    /// Seconds from the start of the clip.
    Seconds(f64),
    /// Frames of the file's grid.
    Frames(f64),
}

impl TimeValue {
    /// Reads `1.5`, `1.5s` or `45f`.
    ///
    /// # Errors
    /// [`NotATime::Words`] for any other text.
    pub fn parse(text: &str) -> Result<Self, NotATime> {
        let text = text.trim();
        let unit: fn(f64) -> Self = if text.ends_with('f') { Self::Frames } else { Self::Seconds };
        let digits = text.strip_suffix(['f', 's']).unwrap_or(text);
        match digits.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(unit(value)),
            _ => Err(NotATime::Words(text.to_owned())),
        }
    }

    /// The time in seconds on a clip with the given grid.
    ///
    /// # Errors
    /// [`NotATime::NoFrames`] for frames of a clip without frames, [`NotATime::NotFinite`] for a number that
    /// is not finite.
    pub fn seconds(self, grid: Option<FrameRate>) -> Result<Seconds, NotATime> {
        match (self, grid) {
            (Self::Seconds(t) | Self::Frames(t), _) if !t.is_finite() => Err(NotATime::NotFinite(t)),
            (Self::Seconds(s), _) => Ok(Seconds(s)),
            (Self::Frames(f), Some(rate)) => Ok(rate.seconds(f)),
            (Self::Frames(f), None) => Err(NotATime::NoFrames(f)),
        }
    }
}

impl FromStr for TimeValue {
    type Err = NotATime;

    fn from_str(text: &str) -> Result<Self, NotATime> {
        Self::parse(text)
    }
}

impl fmt::Display for TimeValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seconds(seconds) => write!(f, "{seconds}s"),
            Self::Frames(frames) => write!(f, "{frames}f"),
        }
    }
}

/// A stretch of time as written: `START:END`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeSpec {
    /// Start of the range.
    pub start: TimeValue,
    /// End of the range.
    pub end: TimeValue,
}

impl RangeSpec {
    /// Reads `START:END`.
    ///
    /// # Errors
    /// [`NotATime`] for any other text.
    pub fn parse(text: &str) -> Result<Self, NotATime> {
        match text.split(':').collect::<Vec<_>>()[..] {
            [start, end] => Ok(Self { start: TimeValue::parse(start)?, end: TimeValue::parse(end)? }),
            _ => Err(NotATime::NoRange(text.to_owned())),
        }
    }
}

impl FromStr for RangeSpec {
    type Err = NotATime;

    fn from_str(text: &str) -> Result<Self, NotATime> {
        Self::parse(text)
    }
}

impl fmt::Display for RangeSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.start, self.end)
    }
}

/// Reason why a text or number is no time, or no time of a clip.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NotATime {
    /// Words that are neither seconds nor frames.
    Words(String),
    /// Words that are no range.
    NoRange(String),
    /// A number that is infinite or NaN.
    NotFinite(f64),
    /// Frames of a clip without frames.
    NoFrames(f64),
}

impl fmt::Display for NotATime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(text) => {
                write!(f, "expected a time in seconds (1.5) or frames (45f), found \"{text}\"")
            }
            Self::NoRange(text) => write!(f, "expected START:END, found \"{text}\""),
            Self::NotFinite(time) => write!(f, "expected finite times, found {time}"),
            Self::NoFrames(frames) => {
                write!(f, "expected seconds, because this file has no frames; found {frames}f")
            }
        }
    }
}

impl std::error::Error for NotATime {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_need_a_grid() {
        assert_eq!(TimeValue::parse("45f").unwrap().seconds(Some(FrameRate::FPS_30)), Ok(Seconds(1.5)));
        assert_eq!(TimeValue::parse("45f").unwrap().seconds(None), Err(NotATime::NoFrames(45.0)));
    }

    #[test]
    fn seconds_may_be_said_to_be_seconds() {
        assert_eq!(TimeValue::parse("2s"), Ok(TimeValue::Seconds(2.0)));
        assert_eq!(TimeValue::parse(" 2 "), Ok(TimeValue::Seconds(2.0)));
        for words in ["x", "s", "2ss", "2sf", "inf", ""] {
            assert!(TimeValue::parse(words).is_err(), "{words:?}");
        }
        assert!(RangeSpec::parse("1s:30f").is_ok() && RangeSpec::parse("1").is_err());
    }
}
