//! Refusal of clips with more frames than a conversion may put keys on.

use super::ConvertOptions;
use crate::error::Error;
use dopesheet_core::format::{AnyFormat, Capabilities, KeyLayout, Limits};
use dopesheet_core::model::{Clip, Scene};
use dopesheet_core::units::FrameRate;
use dopesheet_motion::frame_rate;
use dopesheet_motion::sample::rig::{self, Behaviour};

/// Numbers of a rotation.
const ROTATION: u64 = 4;

/// Refuses clips that are too long for their rig to be solved on every frame.
pub(crate) fn check_solving(
    scene: &Scene,
    ik: Behaviour,
    target: &dyn AnyFormat,
    limits: &Limits,
) -> Result<(), Error> {
    match rig::cost(scene, ik) {
        0 => Ok(()),
        numbers => scene.clips.iter().try_for_each(|clip| {
            let rate = clip.grid.unwrap_or(FrameRate::FPS_60);
            check(clip, rate, numbers, target, limits)
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
        check(clip, rate, bones as u64 * ROTATION, options.target(), &options.limits)
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
        let rate = frame_rate(clip, capabilities, options.bake);
        check(clip, rate, clip.numbers(), options.target(), &options.limits)
    })
}

fn check(
    clip: &Clip,
    rate: FrameRate,
    numbers: u64,
    target: &dyn AnyFormat,
    limits: &Limits,
) -> Result<(), Error> {
    let frames = (rate.frame(clip.end()).floor() as u64).saturating_add(1);
    Ok(limits.max_frames.check(target.info().id, frames, numbers)?)
}
