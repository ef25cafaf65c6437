//! The limit on the frames that a conversion makes.

use crate::diag::{ConvertError, ConvertErrorKind};

/// Most numbers in keys on frames if the caller sets no limit on frames. A file of a few keys may last for
/// years, and a key on every frame would fill any memory.
const MOST_NUMBERS: u64 = 10_000_000;

/// Most times at which a motion of few keys is evaluated in sequence, without holding all values at once: an
/// hour at 25 frames a second, seven minutes at 240.
const MOST_STREAMED: u64 = 100_000;

/// Number of times for each key up to which evaluation in sequence takes no more work than the file's size
/// justifies, and is never refused.
const TIMES_PER_KEY: u64 = 16;

/// Upper bound of the frames made of a motion: frames of formats with a key on every frame, of baked clips,
/// of solved rigs and of figures that take another's motion, frames between few keys on which new keys are
/// looked for, times of samples, and pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MostFrames(Option<u64>);

impl MostFrames {
    /// The greatest limit that a caller can set, in frames.
    pub const LIMIT: u64 = 10_000_000;

    /// A limit of `frames` frames, whatever the numbers on each; `None` outside 1..=[`Self::LIMIT`].
    #[must_use]
    pub const fn new(frames: u64) -> Option<Self> {
        if frames >= 1 && frames <= Self::LIMIT { Some(Self(Some(frames))) } else { None }
    }

    /// The limit set by the caller, in frames; `None` for the default.
    #[must_use]
    pub const fn asked(self) -> Option<u64> {
        self.0
    }

    /// Most frames with `numbers` numbers each. Without a set limit, as many as have ten million numbers
    /// together, and at least one.
    #[must_use]
    pub fn of(self, numbers: u64) -> u64 {
        self.0.unwrap_or_else(|| MOST_NUMBERS.checked_div(numbers).unwrap_or(MOST_NUMBERS).max(1))
    }

    /// Most times at which a motion is evaluated for `numbers` values each, all held together. Without a set
    /// limit, as many as have ten million numbers together, or sixteen for each of `keys` keys.
    #[must_use]
    pub fn sampled(self, numbers: u64, keys: u64) -> u64 {
        self.0.unwrap_or_else(|| self.of(numbers).max(keys.saturating_mul(TIMES_PER_KEY)))
    }

    /// As [`MostFrames::sampled`], for values handed over in sequence and not held together: at least a
    /// hundred thousand times.
    #[must_use]
    pub fn streamed(self, numbers: u64, keys: u64) -> u64 {
        self.0.unwrap_or_else(|| self.sampled(numbers, keys).max(MOST_STREAMED))
    }

    /// Refuses more frames, with `numbers` numbers each, than the limit. `format` is the room or step that
    /// makes them.
    ///
    /// # Errors
    /// [`ConvertErrorKind::TooManyFrames`] if there are more.
    pub fn check(self, format: &'static str, frames: u64, numbers: u64) -> Result<(), ConvertError> {
        within(self.of(numbers), format, frames, numbers)
    }
}

/// Refuses more than `limit` frames, with `numbers` numbers each. `format` is the room or step that makes
/// them.
///
/// # Errors
/// [`ConvertErrorKind::TooManyFrames`] if there are more.
pub fn within(limit: u64, format: &'static str, frames: u64, numbers: u64) -> Result<(), ConvertError> {
    if frames <= limit {
        return Ok(());
    }
    Err(ConvertError::new(format, ConvertErrorKind::TooManyFrames { frames, numbers, limit }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_million_numbers_are_enough_unless_frames_are_asked_for() {
        let plain = MostFrames::default();
        assert_eq!(
            [0, 1, 96, u64::MAX].map(|numbers| plain.of(numbers)),
            [MOST_NUMBERS, MOST_NUMBERS, 104_166, 1]
        );
        assert!(plain.check("x", 104_166, 96).is_ok() && plain.check("x", 104_167, 96).is_err());
        let asked = MostFrames::new(200_000).unwrap();
        assert!(asked.check("x", 200_000, 96).is_ok() && asked.check("x", 200_001, 1).is_err());
        assert_eq!([0, MostFrames::LIMIT + 1].map(MostFrames::new), [None, None]);
        assert_eq!([0, 10_000, u64::MAX].map(|keys| plain.sampled(96, keys)), [104_166, 160_000, u64::MAX]);
        assert_eq!(
            [1, 1_000, 1_000].map(|numbers| plain.streamed(numbers, 0)),
            [MOST_NUMBERS, 100_000, 100_000]
        );
        assert_eq!(asked.streamed(1, u64::MAX), 200_000);
    }
}
