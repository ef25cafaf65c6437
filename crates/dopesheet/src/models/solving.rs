//! Refusal of clips with more frames than there may be.

use crate::error::Error;
use dopesheet_core::format::{AnyFormat, Limits};
use dopesheet_core::model::{Clip, Scene};
use dopesheet_core::units::FrameRate;
use dopesheet_motion::sample::rig::{self, Behaviour};

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
            check_frames(clip, rate, numbers, target, limits)
        }),
    }
}

/// Refuses a clip that is too long for `numbers` numbers on every frame.
pub(crate) fn check_frames(
    clip: &Clip,
    rate: FrameRate,
    numbers: u64,
    target: &dyn AnyFormat,
    limits: &Limits,
) -> Result<(), Error> {
    let frames = (rate.frame(clip.end()).floor() as u64).saturating_add(1);
    Ok(limits.max_frames.check(target.info().id, frames, numbers)?)
}
