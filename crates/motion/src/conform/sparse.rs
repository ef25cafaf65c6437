//! Refusal of clips with few keys on many frames, where the search for new keys looks at every frame.

use super::camera;
use super::choose::{cuts, divided, ease::is_eased};
use super::laws::{Destination, kept};
use super::structure::{parts, relation};
use super::tally::key_count;
use super::wishes::{Conform, destination, key_plan};

use crate::keys::KeyPlan;
use dopesheet_core::diag::{ConvertError, Report};
use dopesheet_core::format::{Capabilities, MostFrames};
use dopesheet_core::model::{Channel, Clip, Outside, Scene, Track};

/// Frames for each key up to which the work on a channel is proportional to its keys, and never refused.
const FRAMES_PER_KEY: u64 = 16;

/// Refusal of clips for which [`conform`](fn@super::conform) would look at more frames than allowed.
///
/// In formats with a grid, keys that cannot stay are searched on every frame between the first and the last,
/// however few they are. Unchanged channels, and channels with a key on every sixteenth frame or more, do not
/// count. `format` is the id of the format for which the scene is arranged.
///
/// # Errors
/// [`TooManyFrames`](dopesheet_core::diag::ConvertErrorKind::TooManyFrames) if there are more frames.
pub fn check_frames(
    format: &'static str,
    scene: &Scene,
    capabilities: &Capabilities,
    options: &Conform<'_>,
    limit: MostFrames,
) -> Result<(), ConvertError> {
    let may_be_many = |clip: &Clip| {
        let plan = key_plan(clip, capabilities, options);
        let all = Filled::of(clip.channels().map(|channel| (channel, &plan)));
        plan.only_on_grid && !plan.every_frame && all.check(format, limit).is_err()
    };
    if !scene.clips.iter().any(may_be_many) {
        return Ok(());
    }
    let mut scene = scene.clone();
    parts::leave_out(&mut scene, capabilities, &mut Report::default());
    if !relation::is_kept(&scene.nodes, capabilities.relation) {
        relation::make_absolute(&mut scene);
    }
    scene.clips.iter().try_for_each(|clip| {
        let plan = key_plan(clip, capabilities, options);
        let channels = channels_made(&scene, clip, &plan, capabilities, options);
        Filled::of(channels.iter().map(|channel| (channel, &plan))).check(format, limit)
    })
}

/// Channels whose keys cannot stay.
fn channels_made(
    scene: &Scene,
    clip: &Clip,
    plan: &KeyPlan,
    capabilities: &Capabilities,
    options: &Conform<'_>,
) -> Vec<Channel> {
    let placed = camera::placed(scene, clip, plan, capabilities);
    let keeps = relation::is_kept(&scene.nodes, capabilities.relation);
    let flat = if keeps || !plan.only_on_grid { None } else { relation::unturned(scene, clip) };
    let is_flat = flat.is_some();
    let clip = flat.map_or_else(|| clip.clone(), |(_, clip)| clip);
    let target = destination(&clip, &clip.solved, plan, capabilities, options, keeps || is_flat);
    let is_made = |track: &Track| match track.target.node {
        Some(node) if placed == Some(node) => vec![true; track.channels.len()],
        _ => replaced_channels(track, &target),
    };
    let channels = clip.tracks.iter().flat_map(|track| track.channels.iter().zip(is_made(track)));
    channels.filter(|(_, is_made)| *is_made).map(|(channel, _)| channel.clone()).collect()
}

/// For each channel of a track, true if its keys cannot stay.
fn replaced_channels(track: &Track, target: &Destination<'_>) -> Vec<bool> {
    let cuts = cuts(track, target);
    let divided = cuts.iter().any(Option::is_some).then(|| divided(track, &cuts));
    let keeps = kept(divided.as_ref().unwrap_or(track), target);
    // Two keys have nothing to be joined.
    let joins = target.may_drop_all(track) && track.channels.iter().any(|channel| key_count(channel) > 2);
    let together = is_eased(track, target) && (joins || keeps.contains(&false));
    keeps.into_iter().map(|keeps| together || !keeps).collect()
}

/// Frames to search for keys.
#[derive(Default)]
struct Filled {
    /// Largest number of frames of a channel.
    frames: u64,
    /// Sum of the numbers on the frames of all channels.
    numbers: u64,
}

impl Filled {
    fn of<'a>(channels: impl Iterator<Item = (&'a Channel, &'a KeyPlan)>) -> Self {
        channels.fold(Self::default(), |all, (channel, plan)| {
            let frames = frames(channel, plan);
            if frames <= FRAMES_PER_KEY.saturating_mul(key_count(channel) as u64) {
                return all;
            }
            let width: usize = channel.composition.curves().map(|curve| curve.width).sum();
            let numbers = all.numbers.saturating_add(frames.saturating_mul(width as u64));
            Self { frames: all.frames.max(frames), numbers }
        })
    }

    fn check(&self, format: &'static str, limit: MostFrames) -> Result<(), ConvertError> {
        // As many numbers on each frame of the longest channel as there are on the frames of all.
        limit.check(format, self.frames, self.numbers.div_ceil(self.frames.max(1)))
    }
}

/// Number of frames of a channel in the range of a plan.
fn frames(channel: &Channel, plan: &KeyPlan) -> u64 {
    let repeats = |end: &Outside| matches!(end, Outside::Loop | Outside::PingPong);
    let (start, end) = (plan.rate.frame(plan.range.0), plan.rate.frame(plan.range.1));
    let of_curve = |curve: &dopesheet_core::model::Curve| {
        let Some((first, last)) = curve.times.span() else { return 0.0 };
        let from = if repeats(&curve.before) { start } else { plan.rate.frame(first).max(start) };
        let to = if repeats(&curve.after) { end } else { plan.rate.frame(last).min(end) };
        (to - from).max(0.0).ceil()
    };
    // Saturates; beyond all limits anyway.
    channel.composition.curves().map(of_curve).fold(0.0f64, f64::max) as u64
}
