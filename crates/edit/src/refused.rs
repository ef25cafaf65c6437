//! Why an operation is not done.

use dopesheet_core::times::NotATime;
use dopesheet_core::units::{FrameRate, Seconds};
use std::fmt;

/// An operation that is not done.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// Its word.
    pub operation: &'static str,
    /// Why.
    pub reason: Reason,
}

/// Reason why an operation makes no sense on a clip.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// A time that the clip does not have.
    Time(NotATime),
    /// A range that ends before it starts.
    Backwards(Ends),
    /// A range that reaches beyond the clip.
    Outside {
        /// The range.
        range: Ends,
        /// Start and end of the clip.
        clip: Ends,
    },
    /// A time between two frames of the clip's grid.
    OffGrid {
        /// The time.
        time: Seconds,
        /// The grid.
        rate: FrameRate,
    },
    /// A factor that is 0, below it, infinite or no number.
    Factor(f64),
    /// Frames were asked for, of a clip that has none.
    NoFrames,
    /// A clip without length, where a length is needed.
    NoLength,
    /// A pattern that nothing of the clip has the name of.
    NothingNamed {
        /// The pattern.
        pattern: String,
        /// The first names that the clip has.
        names: Vec<String>,
        /// Number of further ones.
        more: usize,
    },
    /// A pattern that is none.
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        fault: &'static str,
    },
    /// A name that something else has already.
    NameTaken {
        /// The old name.
        from: String,
        /// The new name.
        to: String,
    },
}

/// Where something starts and ends, on the grid of its clip if it has one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// Where it starts.
    pub start: Seconds,
    /// Where it ends.
    pub end: Seconds,
    /// The frames of the clip.
    pub grid: Option<FrameRate>,
}

impl fmt::Display for Ends {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.grid {
            Some(rate) => write!(f, "{}f:{}f", rate.frame(self.start), rate.frame(self.end)),
            None => write!(f, "{}s:{}s", self.start.0, self.end.0),
        }
    }
}

impl From<NotATime> for Reason {
    fn from(time: NotATime) -> Self {
        Self::Time(time)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.operation, self.reason)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(time) => time.fmt(f),
            Self::Backwards(range) => write!(f, "expected a range that ends after it starts, found {range}"),
            Self::Outside { range, clip } => {
                write!(f, "expected a range within the clip, which is {clip}, found {range}")
            }
            Self::OffGrid { time, rate } => {
                let frame = rate.frame(*time);
                let (early, late) = (frame.floor(), frame.ceil());
                write!(
                    f,
                    "expected a time on a frame, found {} s between {early}f and {late}f; --snap takes the nearest",
                    time.0
                )
            }
            Self::Factor(factor) => write!(f, "expected a number above 0, found {factor}"),
            Self::NoFrames => {
                f.write_str("expected a file with frames, found one whose keys may be at any time")
            }
            Self::NoLength => f.write_str("expected a clip that lasts, found one that is a single pose"),
            Self::NothingNamed { pattern, names, more } => {
                write!(f, "expected the name of something that moves, found \"{pattern}\"")?;
                match (names.is_empty(), more) {
                    (true, _) => Ok(()),
                    (false, 0) => write!(f, "; there are {}", names.join(", ")),
                    (false, more) => write!(f, "; there are {} and {more} more", names.join(", ")),
                }
            }
            Self::Pattern { pattern, fault } => {
                write!(f, "expected a pattern of names, found \"{pattern}\" ({fault})")
            }
            Self::NameTaken { from, to } => {
                write!(f, "expected a name that nothing else has for \"{from}\", found \"{to}\"")
            }
        }
    }
}

impl std::error::Error for Refused {}

impl std::error::Error for Reason {}
