//! Keep the keys a format can express; put straight segments where it cannot.

use super::fits::{Target, fits, is_plain, is_straight};
use super::steps::hold_steps;
use super::tally::{Tally, key_count};
use crate::linearise::{SharedTimes, linearise};
use dopesheet_core::format::KeyLayout;
use dopesheet_core::model::{Channel, Clip, TargetKind, Track, ValueKind};

/// Brings every channel of a clip within the target's laws, key times and range.
pub(super) fn settle(clip: &mut Clip, target: &Target<'_>, tally: &mut Tally) {
    let (plan, mut shared) = (target.plan, SharedTimes::default());
    for track in &mut clip.tracks {
        let keeps_all = keeps_all(track, target);
        for channel in std::mem::take(&mut track.channels) {
            let kind = track.target.kind;
            let keeps = match is_free(kind) {
                true => fits(&channel, kind, target) || is_plain(&channel, plan),
                false => {
                    !plan.every_frame && fits(&channel, kind, target) && (keeps_all || is_straight(&channel))
                }
            };
            if keeps {
                tally.exact(&channel.property, key_count(&channel));
                track.channels.push(channel);
            } else {
                remake(&channel, track, target, &mut shared, tally);
            }
        }
    }
}

/// Whether a target has no standard meaning, so that its keys are handed on with whatever law they have.
const fn is_free(kind: TargetKind) -> bool {
    matches!(kind, TargetKind::Custom | TargetKind::Hand)
}

/// Whether channels that fit can stay as they are: a format that keys all channels of a node together needs all of
/// them with the same key times, because other times can only be added to straight segments.
fn keeps_all(track: &Track, target: &Target<'_>) -> bool {
    if target.capabilities.layout == KeyLayout::PerChannel || track.target.kind != TargetKind::Joint {
        return true;
    }
    let mut times = track.channels.iter().flat_map(|c| c.composition.curves()).map(|c| &c.times);
    let first = times.next();
    times.all(|t| Some(t) == first) && track.channels.iter().all(|c| fits(c, track.target.kind, target))
}

fn remake(
    channel: &Channel,
    track: &mut Track,
    target: &Target<'_>,
    shared: &mut SharedTimes,
    tally: &mut Tally,
) {
    let (capabilities, plan) = (target.capabilities, target.plan);
    let keys = key_count(channel);
    let rotates = channel.property.kind() == ValueKind::Rotation;
    let laws = if rotates { &capabilities.rotation_laws } else { &capabilities.vector_laws };
    let may_step = !plan.every_frame && (laws.step || is_free(track.target.kind));
    let made = if may_step { hold_steps(channel, plan, shared) } else { None };
    let Some(made) = made.or_else(|| linearise(channel, plan, shared)) else { return };
    for (channel, worst) in made.channels.into_iter().zip(made.worst) {
        if worst.value > 0.0 {
            tally.approximated(&channel, keys, worst, &track.target.name, plan);
        } else {
            tally.exact(&channel.property, keys);
        }
        track.channels.push(channel);
    }
}
