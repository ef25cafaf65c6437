//! Play several times.

use crate::concat::{Joint, put_behind};
use crate::refused::Reason;
use dopesheet_core::diag::Report;
use dopesheet_core::model::{Basis, Clip};

/// Largest number of keys of a clip that is repeated.
const MOST_KEYS: usize = 1 << 26;

/// Number of keys that a clip counts as at least, because each repetition takes room.
const LEAST_KEYS: usize = 16;

/// Options of [`repeat`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// Number of times that the clip is played, 1 or more.
    pub times: usize,
}

/// Puts a clip behind itself, so that it is played several times.
///
/// The last pose and the first one are one key where they are the same; else the clip starts again one frame later, or jumps where it
/// has no frames.
///
/// # Errors
/// If the number is 0, or so large that there would be more than 67 million keys; if the clip has no length, or has keys outside
/// behind curves that cannot be divided.
pub fn repeat(clip: &mut Clip, options: &Repeat, basis: &Basis, report: &mut Report) -> Result<(), Reason> {
    let channels = clip.tracks.iter().flat_map(|track| &track.channels);
    let keys: usize =
        channels.flat_map(|channel| channel.composition.curves()).map(|curve| curve.len()).sum();
    let is_possible = keys.max(LEAST_KEYS).checked_mul(options.times).is_some_and(|keys| keys <= MOST_KEYS);
    if options.times == 0 || !is_possible {
        return Err(Reason::Repeats(options.times));
    }
    if clip.end().0 == 0.0 {
        return Err(Reason::NoLength);
    }
    let copy = clip.clone();
    let copies = vec![&copy; options.times - 1];
    put_behind(clip, &copies, &Joint { nodes: &[], blend: None, basis }, report)
}
