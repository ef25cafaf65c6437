//! Play several times.

use crate::concat::{Joint, put_behind};
use crate::refused::{self, Reason};
use dopesheet_core::diag::Report;
use dopesheet_core::model::{Basis, Clip, Curve};

/// Most keys of a repeated clip.
const MOST_KEYS: usize = 1 << 26;

/// Number of keys that a clip counts as at least, because each repetition takes memory.
const LEAST_KEYS: usize = 16;

/// Options of [`repeat`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// Number of times that the clip plays, 1 or more.
    pub times: usize,
}

/// Repeats a clip, so that it plays several times.
///
/// The last pose and the first are merged to a single key if they are equal; else the clip starts again a
/// frame later, or jumps if it has no frames.
///
/// # Errors
/// If the number is 0, or so large that there would be more than 67 million keys; if the clip has no length,
/// or has keys outside of its range on curves that cannot be divided.
pub fn repeat(clip: &mut Clip, options: &Repeat, basis: &Basis, report: &mut Report) -> Result<(), Reason> {
    let keys: usize = clip.curves().map(Curve::len).sum();
    let is_possible = keys.max(LEAST_KEYS).checked_mul(options.times).is_some_and(|keys| keys <= MOST_KEYS);
    if options.times == 0 || !is_possible {
        return Err(Reason::new(format!(
            "expected a number of times from 1 up, for up to 67 million keys in all, found {}",
            options.times
        )));
    }
    if clip.end().0 == 0.0 {
        return Err(refused::no_length());
    }
    let copy = clip.clone();
    let copies = vec![&copy; options.times - 1];
    put_behind(clip, &copies, &Joint { nodes: &[], blend: None, basis }, report)
}
