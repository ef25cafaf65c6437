//! Refusal of clips with more frames than a conversion may put keys on.

use super::ConvertOptions;
use crate::error::Error;
use crate::models::solving::check_frames;
use dopesheet_core::format::{Capabilities, KeyLayout};
use dopesheet_core::model::{Channel, Scene};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_motion::{frame_rate, moves};

/// Numbers of a rotation.
const ROTATION: u64 = 4;

/// Refuses clips that are too long for an evaluation of the given number of bones on every frame.
pub(super) fn check_figure(
    scene: &Scene,
    bones: usize,
    rate: Option<FrameRate>,
    options: &ConvertOptions<'_>,
) -> Result<(), Error> {
    scene.clips.iter().try_for_each(|clip| {
        let rate = rate.or(clip.grid).unwrap_or(FrameRate::FPS_30);
        check_frames(clip, rate, bones as u64 * ROTATION, options.target(), &options.limits)
    })
}

/// Refuses clips that are too long for a key on every frame, if the target or the options require such keys.
pub(crate) fn check_written(
    scene: &Scene,
    capabilities: &Capabilities,
    options: &ConvertOptions<'_>,
) -> Result<(), Error> {
    if options.bake.is_none() && capabilities.layout != KeyLayout::EveryFrame {
        return Ok(());
    }
    scene.clips.iter().try_for_each(|clip| {
        let rate = frame_rate(clip, capabilities, options.bake);
        // Elsewhere what does not move gets one key.
        let is_full = capabilities.grid.is_some() || capabilities.layout == KeyLayout::EveryFrame;
        let tracks = clip.tracks.iter().filter(|track| is_full || moves(track, (Seconds(0.0), clip.end())));
        let numbers = tracks.flat_map(|track| &track.channels).map(Channel::numbers).sum();
        check_frames(clip, rate, numbers, options.target(), &options.limits)
    })
}
