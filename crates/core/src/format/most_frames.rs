//! The limit on the frames that a conversion makes.

use crate::diag::{ConvertError, ConvertErrorKind};

/// Most numbers that keys on frames may have where nobody says how many frames there may be. A file of a few keys may last for
/// years, and with a key on every frame it would fill any memory.
const MOST_NUMBERS: u64 = 10_000_000;

/// Upper bound of the frames on which a conversion puts keys: those of formats that have a key on every frame, of baked clips,
/// of rigs that are solved and of figures that are moved onto others, and those between few keys on which new ones are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MostFrames(Option<u64>);

impl MostFrames {
    /// The most that can be asked for.
    pub const LIMIT: u64 = 10_000_000;

    /// So many frames, whatever there is on each; `None` outside 1..=[`Self::LIMIT`].
    #[must_use]
    pub const fn new(frames: u64) -> Option<Self> {
        if frames >= 1 && frames <= Self::LIMIT { Some(Self(Some(frames))) } else { None }
    }

    /// The most frames with so many numbers each. Unless a number of frames was asked for, as many as have ten million numbers
    /// together, and at least one.
    #[must_use]
    pub fn of(self, numbers: u64) -> u64 {
        self.0.unwrap_or_else(|| MOST_NUMBERS.checked_div(numbers).unwrap_or(MOST_NUMBERS).max(1))
    }

    /// Refusal of more frames, with so many numbers each, than that. `format` is the room or step that makes them.
    ///
    /// # Errors
    /// [`ConvertErrorKind::TooManyFrames`] if they are more.
    pub fn check(self, format: &'static str, frames: u64, numbers: u64) -> Result<(), ConvertError> {
        let most = self.of(numbers);
        if frames <= most {
            return Ok(());
        }
        Err(ConvertError::new(format, ConvertErrorKind::TooManyFrames { frames, numbers, most }))
    }
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
    }
}
