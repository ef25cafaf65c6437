//! Comparison of what is read.

use crate::readings;
use dopesheet::core::format::{Limits, MostFrames};
use dopesheet::{DiffOptions, Opened};

/// Most frames on which a rig is solved.
const MOST_FRAMES: u64 = 128;

/// Compares what is read with itself, from which nothing differs, and with what other formats make of the same bytes.
pub fn diff(data: &[u8]) {
    let read: Vec<Opened> = readings(data).map(|(opened, _)| opened).collect();
    let max_frames = MostFrames::new(MOST_FRAMES).unwrap_or_default();
    let limits = Limits { max_frames, ..Limits::default() };
    let options = DiffOptions { limits, ..DiffOptions::default() };
    for (at, opened) in read.iter().enumerate() {
        if let Ok(same) = dopesheet::diff(opened, opened, &options) {
            let largest = same.comparison.largest.as_ref().map(|largest| largest.difference.value);
            // What is no number is far from itself.
            let is_none = largest.is_some_and(|largest| !largest.is_finite());
            assert!(
                same.comparison.is_within || is_none,
                "{} differs from itself by {largest:?}",
                opened.name
            );
            let _ = same.to_json();
        }
        for other in read.iter().skip(at + 1) {
            let _ = dopesheet::diff(opened, other, &options);
        }
    }
}
