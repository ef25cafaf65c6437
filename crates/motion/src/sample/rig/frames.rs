//! Frames of a clip on which its rig is solved.

use dopesheet_core::model::Clip;
use dopesheet_core::units::FrameRate;

/// Most segments of time, almost an hour at 30 fps. Segments of longer clips are longer than a frame: a file
/// of a few keys may last for a day.
const MOST_SEGMENTS: usize = 100_000;

/// Number of whole frames behind the first one of a clip.
fn frame_count(clip: &Clip, rate: FrameRate) -> usize {
    rate.frame(clip.end()).floor().max(0.0) as usize
}

/// Number of frames of a segment.
pub(super) fn stride_of(clip: &Clip, rate: FrameRate) -> usize {
    frame_count(clip, rate).div_ceil(MOST_SEGMENTS).max(1)
}

/// Times of a clip's frames in seconds: every frame, or in clips of more than [`MOST_SEGMENTS`] frames every
/// [`stride_of`]th.
pub(super) fn frames(clip: &Clip, rate: FrameRate) -> impl Iterator<Item = f64> {
    let count = frame_count(clip, rate);
    (0..=count).step_by(stride_of(clip, rate)).map(move |frame| rate.seconds(frame as f64).0)
}
