//! Times of the keys of a curve.

use crate::units::{FrameIndex, FrameRate, Seconds};
use std::sync::Arc;

/// Key times, ascending; equal neighbours are a jump. Shared between curves with the same keys.
#[derive(Clone, Debug, PartialEq)]
pub enum Times {
    /// Any times, in seconds.
    Seconds(Arc<[f64]>),
    /// Whole frames of a grid, so that frame → seconds → frame is exact.
    Frames {
        /// Frames per second.
        rate: FrameRate,
        /// The frames.
        frames: Arc<[i64]>,
    },
}

impl Times {
    /// Number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Seconds(times) => times.len(),
            Self::Frames { frames, .. } => frames.len(),
        }
    }

    /// True if there are no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The time of a key; `None` past the end.
    #[must_use]
    pub fn get(&self, key: usize) -> Option<Seconds> {
        match self {
            Self::Seconds(times) => times.get(key).copied().map(Seconds),
            Self::Frames { rate, frames } => frames.get(key).map(|f| rate.seconds(*f as f64)),
        }
    }

    /// The frame of a key, if the times are frames.
    #[must_use]
    pub fn frame(&self, key: usize) -> Option<FrameIndex> {
        match self {
            Self::Seconds(_) => None,
            Self::Frames { frames, .. } => frames.get(key).copied().map(FrameIndex),
        }
    }

    /// All times.
    pub fn iter(&self) -> impl Iterator<Item = Seconds> {
        (0..self.len()).filter_map(|key| self.get(key))
    }

    /// The first and the last time.
    #[must_use]
    pub fn span(&self) -> Option<(Seconds, Seconds)> {
        Some((self.get(0)?, self.get(self.len().checked_sub(1)?)?))
    }

    /// Number of keys at or before a time.
    #[must_use]
    pub fn count_until(&self, time: Seconds) -> usize {
        match self {
            Self::Seconds(times) => times.partition_point(|t| *t <= time.0),
            Self::Frames { rate, frames } => count(*rate, frames, time, |frame_time| frame_time.0 <= time.0),
        }
    }

    /// Number of keys before a time.
    #[must_use]
    pub fn count_before(&self, time: Seconds) -> usize {
        match self {
            Self::Seconds(times) => times.partition_point(|t| *t < time.0),
            Self::Frames { rate, frames } => count(*rate, frames, time, |frame_time| frame_time.0 < time.0),
        }
    }

    /// True if both are the same list in memory, so that results derived from a list hold for the other.
    #[must_use]
    pub fn is_same_list(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Seconds(a), Self::Seconds(b)) => Arc::ptr_eq(a, b),
            (Self::Frames { frames: a, rate: x }, Self::Frames { frames: b, rate: y }) => {
                x == y && Arc::ptr_eq(a, b)
            }
            _ => false,
        }
    }
}

/// Frames up to this are much farther from each other than their times are rounded.
const COUNTABLE: f64 = (1u64 << 40) as f64;

/// Number of early frames, which must be all frames up to about a time.
fn count(rate: FrameRate, frames: &[i64], time: Seconds, is_early: impl Fn(Seconds) -> bool) -> usize {
    let is_early = |frame: i64| is_early(rate.seconds(frame as f64));
    let near = (time.0 * rate.fps()).round();
    if near.abs() < COUNTABLE {
        // Whole numbers are compared faster than times, each of which takes a division.
        let near = near as i64;
        let last = if is_early(near) { near } else { near - 1 };
        return frames.partition_point(|frame| *frame <= last);
    }
    frames.partition_point(|frame| is_early(*frame))
}
