//! Times as people write them: seconds, or frames of the file's grid.

use crate::error::Error;
use crate::files::disk;
pub use dopesheet_core::times::{RangeSpec, TimeValue};
use dopesheet_core::units::{FrameRate, Seconds};
use std::path::Path;

/// Most times in a single request.
const MAX_TIMES: f64 = 10_000_000.0;

/// The times to sample.
#[derive(Clone, Debug, PartialEq)]
pub enum TimeSpec {
    /// These.
    List(Vec<TimeValue>),
    /// From 0 to the clip's end, every frame of the file's grid, both ends included.
    Grid,
    /// From 0 to the clip's end at a number of times a second, both ends included.
    Rate(f64),
    /// From a start to an end in steps, both ends included if the steps meet them.
    Steps {
        /// The first time.
        start: TimeValue,
        /// The last time, if a step ends there.
        end: TimeValue,
        /// Interval between times.
        step: TimeValue,
    },
}

impl TimeSpec {
    /// Reads `0,0.5,45f`.
    ///
    /// # Errors
    /// [`Error::Usage`] if an element is no time.
    pub fn parse_list(text: &str) -> Result<Self, Error> {
        Ok(Self::List(text.split(',').map(TimeValue::parse).collect::<Result<_, _>>()?))
    }

    /// Reads `START:END:STEP`.
    ///
    /// # Errors
    /// [`Error::Usage`] for any other text.
    pub fn parse_steps(text: &str) -> Result<Self, Error> {
        match text.split(':').map(TimeValue::parse).collect::<Result<Vec<_>, _>>()?[..] {
            [start, end, step] => Ok(Self::Steps { start, end, step }),
            _ => Err(Error::Usage(format!("expected START:END:STEP, found \"{text}\""))),
        }
    }

    /// Number of times on a clip of the given length and grid, computed without the times themselves.
    ///
    /// # Errors
    /// As [`TimeSpec::resolve`].
    pub fn count(&self, duration: Seconds, grid: Option<FrameRate>) -> Result<u64, Error> {
        Ok(match self {
            Self::List(list) => list.len() as u64,
            _ => self.even(duration, grid)?.1.saturating_add(1),
        })
    }

    /// The times in seconds on a clip of the given length and grid.
    ///
    /// # Errors
    /// [`Error::Usage`] for frames without a grid, steps that lead nowhere, or more than ten million times.
    pub fn resolve(&self, duration: Seconds, grid: Option<FrameRate>) -> Result<Vec<Seconds>, Error> {
        if let Self::List(list) = self {
            return Ok(list.iter().map(|t| t.seconds(grid)).collect::<Result<_, _>>()?);
        }
        let (even, last) = self.even(duration, grid)?;
        Ok((0..=last).map(|index| even.at(index as f64)).collect())
    }

    /// Evenly spaced times, and the index of the last time, from 0.
    fn even(&self, duration: Seconds, grid: Option<FrameRate>) -> Result<(Even, u64), Error> {
        let (even, last) = match self {
            Self::List(_) | Self::Grid => {
                let rate = grid.ok_or_else(|| {
                    Error::Usage(
                        "expected times or a rate, because this file has no frames; found neither".into(),
                    )
                })?;
                (Even::Frames(rate), rate.frame(duration).floor())
            }
            Self::Rate(fps) => {
                if !(fps.is_finite() && *fps > 0.0) {
                    return Err(Error::Usage(format!("expected a rate above 0, found {fps}")));
                }
                (Even::Rate(*fps), (duration.0 * fps + FrameRate::SNAP_FRAMES).floor())
            }
            Self::Steps { start, end, step } => {
                let (a, b, s) = (start.seconds(grid)?.0, end.seconds(grid)?.0, step.seconds(grid)?.0);
                if s == 0.0 || (b - a) / s < 0.0 {
                    return Err(Error::Usage("expected a step that leads from the start to the end".into()));
                }
                (Even::Steps { start: a, step: s }, ((b - a) / s + 1e-9).floor())
            }
        };
        if last >= MAX_TIMES {
            return Err(Error::Usage(format!("expected at most {MAX_TIMES} times, found {last}")));
        }
        Ok((even, last.max(0.0) as u64))
    }
}

/// Evenly spaced times.
enum Even {
    Frames(FrameRate),
    Rate(f64),
    Steps { start: f64, step: f64 },
}

impl Even {
    fn at(&self, index: f64) -> Seconds {
        match self {
            Self::Frames(rate) => rate.seconds(index),
            Self::Rate(fps) => Seconds(index / fps),
            Self::Steps { start, step } => Seconds(start + step * index),
        }
    }
}

/// Length in bytes of the longest file of times: a million pairs.
const LONGEST: u64 = 16 << 20;

/// Reads a file of pairs of times: two columns, with blanks or a comma between them; `#` starts a comment.
///
/// # Errors
/// If the file cannot be read, or has a line that is neither a pair nor a comment.
pub fn read_pairs(path: &Path) -> Result<Vec<(TimeValue, TimeValue)>, Error> {
    let text = disk::text(path, LONGEST)?;
    let mut pairs = Vec::new();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let uncommented = line.split('#').next().unwrap_or_default();
        let mut words = uncommented.split([',', ' ', '\t']).filter(|word| !word.is_empty());
        let mut time = || words.next().map(TimeValue::parse);
        match (time(), time(), time()) {
            (None, ..) => {}
            (Some(Ok(from)), Some(Ok(to)), None) => pairs.push((from, to)),
            _ => {
                let location = format!("{}: line {}", path.display(), index + 1);
                let trimmed = line.trim();
                return Err(Error::Usage(format!(
                    "{location}: expected a time and its new time, found `{trimmed}`"
                )));
            }
        }
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_the_grid_are_exact() {
        let ntsc = FrameRate::new(30_000, 1001);
        let times = TimeSpec::Grid.resolve(Seconds(3003.0 / 30_000.0), ntsc).unwrap();
        assert_eq!(
            times.iter().map(|t| t.0).collect::<Vec<_>>(),
            [0.0, 1001.0 / 3e4, 2002.0 / 3e4, 3003.0 / 3e4]
        );
        let error = TimeSpec::Grid.resolve(Seconds(1.0), None).unwrap_err().to_string();
        assert_eq!(error, "expected times or a rate, because this file has no frames; found neither");
    }

    #[test]
    fn both_ends_are_included() {
        let times = TimeSpec::Rate(30.0).resolve(Seconds(0.1), None).unwrap();
        assert_eq!(times.len(), 4);
        let times = TimeSpec::parse_steps("-1:1:0.5").unwrap().resolve(Seconds(9.0), None).unwrap();
        assert_eq!(times.iter().map(|t| t.0).collect::<Vec<_>>(), [-1.0, -0.5, 0.0, 0.5, 1.0]);
    }

    #[test]
    fn endless_requests_are_refused() {
        assert!(TimeSpec::Rate(1e9).resolve(Seconds(1e3), None).is_err());
        assert!(TimeSpec::parse_steps("0:1:0").unwrap().resolve(Seconds(1.0), None).is_err());
        assert!(TimeSpec::parse_steps("0:1:-1").unwrap().resolve(Seconds(1.0), None).is_err());
    }
}
