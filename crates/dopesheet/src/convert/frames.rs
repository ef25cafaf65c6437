//! Refusal of clips with more frames than a conversion may put keys on.

use super::ConvertOptions;
use crate::error::Error;
use dopesheet_core::format::{Capabilities, KeyLayout};
use dopesheet_core::model::{Clip, Scene, ValueKind};
use dopesheet_core::units::FrameRate;
use dopesheet_motion::sample::rig;

/// Numbers of a rotation.
const ROTATION: u64 = 4;

/// Refuses clips that are too long for their rig to be solved on every frame.
pub(super) fn check_solving(scene: &Scene, options: &ConvertOptions<'_>) -> Result<(), Error> {
    match rig::cost(scene, options.ik) {
        0 => Ok(()),
        numbers => scene.clips.iter().try_for_each(|clip| {
            let rate = clip.grid.unwrap_or(FrameRate::FPS_60);
            check(clip, rate, numbers, options)
        }),
    }
}

/// Refuses clips that are too long for a figure of so many bones to be looked at on every frame.
pub(super) fn check_figure(
    scene: &Scene,
    bones: usize,
    rate: Option<FrameRate>,
    options: &ConvertOptions<'_>,
) -> Result<(), Error> {
    scene.clips.iter().try_for_each(|clip| {
        let rate = rate.or(clip.grid).unwrap_or(FrameRate::FPS_30);
        check(clip, rate, bones as u64 * ROTATION, options)
    })
}

/// Refuses clips that are too long for a key on every frame, if the target wants that or it was asked for.
pub(crate) fn check_written(
    scene: &Scene,
    capabilities: &Capabilities,
    options: &ConvertOptions<'_>,
) -> Result<(), Error> {
    if options.bake.is_none() && capabilities.layout != KeyLayout::EveryFrame {
        return Ok(());
    }
    scene.clips.iter().try_for_each(|clip| {
        let rate = capabilities.grid.or(options.bake).or(clip.grid).unwrap_or(FrameRate::FPS_60);
        check(clip, rate, numbers(clip), options)
    })
}

fn check(clip: &Clip, rate: FrameRate, numbers: u64, options: &ConvertOptions<'_>) -> Result<(), Error> {
    let frames = (rate.frame(clip.end()).floor() as u64).saturating_add(1);
    Ok(options.most_frames.check(options.target().info().id, frames, numbers)?)
}

/// Number of numbers that all channels of a clip have at one time.
fn numbers(clip: &Clip) -> u64 {
    let channels = clip.tracks.iter().flat_map(|track| &track.channels);
    let width = |channel: &dopesheet_core::model::Channel| match channel.property.kind() {
        ValueKind::Rotation => ROTATION,
        _ => channel.composition.curves().map(|curve| curve.width as u64).sum(),
    };
    channels.map(width).sum()
}
