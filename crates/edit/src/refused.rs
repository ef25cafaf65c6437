//! Why an operation is not done.

use dopesheet_core::times::NotATime;
use dopesheet_core::units::{FrameRate, Seconds};
use std::fmt;

/// A refused operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// Word of the operation, as on the command line.
    pub operation: &'static str,
    /// Reason for the refusal.
    pub reason: Reason,
}

/// Reason why an operation makes no sense on a clip.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// A time between two frames of the clip's grid, without a request for the nearest frame.
    OffGrid {
        /// The time.
        time: Seconds,
        /// The grid.
        rate: FrameRate,
    },
    /// Any other reason: text with the expected and the found values, and advice.
    Other(String),
}

impl Reason {
    /// Any but a time between two frames: `expected …, found …; the way out`.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self::Other(text.into())
    }
}

pub(crate) fn backwards(range: &Ends) -> Reason {
    Reason::new(format!("expected a range that ends after it starts, found {range}"))
}

pub(crate) fn outside(range: &Ends, clip: &Ends) -> Reason {
    Reason::new(format!("expected a range within the clip, which is {clip}, found {range}"))
}

pub(crate) fn not_above_0(number: f64) -> Reason {
    Reason::new(format!("expected a number above 0, found {number}"))
}

pub(crate) fn no_frames() -> Reason {
    Reason::new("expected a file with frames, found one whose keys may be at any time")
}

pub(crate) fn no_length() -> Reason {
    Reason::new("expected a clip that lasts, found one that is a single pose")
}

pub(crate) fn no_others() -> Reason {
    Reason::new("expected another motion: name its file behind the operation, or give several files as input")
}

pub(crate) fn too_many_keys() -> Reason {
    Reason::new("expected up to 67 million keys in all, found more; take a lower rate")
}

/// Start and end of a range, with the grid of its clip if the clip has one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ends {
    pub(crate) start: Seconds,
    pub(crate) end: Seconds,
    /// The frames of the clip.
    pub(crate) grid: Option<FrameRate>,
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
        Self::new(time.to_string())
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
            Self::OffGrid { time, rate } => {
                let frame = rate.frame(*time);
                let (early, late) = (frame.floor(), frame.ceil());
                write!(f, "expected a time on a frame, found {} s between {early}f and {late}f", time.0)
            }
            Self::Other(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Refused {}

impl std::error::Error for Reason {}
