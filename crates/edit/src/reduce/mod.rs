//! Fewer keys.

mod limbs;

use crate::refused::Reason;
use crate::rows::{made_of, rows_of};
use dopesheet_core::diag::Report;
use dopesheet_core::model::{Blend, Channel, Clip, Curve, Scene, Track};
use dopesheet_core::words::counted;
use dopesheet_motion::Tolerance;
use dopesheet_motion::conform::{ChannelLimits, choose_within};
use dopesheet_motion::keys::Allowance;
use limbs::Limbs;

/// Options of [`reduce`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reduce {
    /// Largest distance of a point on the skin from its position before.
    pub tolerance: Tolerance,
    /// True if joints get new keys with Bezier timing, few, and at the same times for a whole limb; else keys
    /// are left out of straight curves.
    pub editable: bool,
}

/// Leaves out keys that the straight segment between their neighbours passes within a tolerance, and keys of
/// steps with the same value as the key before. Kept keys stay as they were; curves that are not straight
/// keep all of their keys.
///
/// With [editable](Reduce::editable) keys, joints get keys as an animator sets them, on frames. A limb that
/// already has as few keys stays as it is, and so do stepped and jumping joints.
///
/// The tolerance holds in model space, as in conversions: joints share the tolerance, and parts with a larger
/// measured error get keys again. Channels of a target with common key times keep common key times.
///
/// # Errors
/// With editable keys, if the clip has no frames, or more than a million.
pub fn reduce(scene: &mut Scene, clip: usize, options: &Reduce, report: &mut Report) -> Result<(), Reason> {
    let Some(whole) = scene.clips.get(clip) else { return Ok(()) };
    let limbs = options.editable.then(|| Limbs::of(scene, whole));
    let mut choose = |limits: &ChannelLimits| -> Result<Clip, Reason> {
        let mut reduced_clip = whole.clone();
        match &limbs {
            Some(limbs) => {
                limbs
                    .ease(&mut reduced_clip, limits)?
                    .into_iter()
                    .for_each(|track| reduce_track(track, limits));
            }
            None => reduced_clip.tracks.iter_mut().for_each(|track| reduce_track(track, limits)),
        }
        Ok(reduced_clip)
    };
    let reduced_clip = choose_within(scene, whole, &options.tolerance, &mut choose)?;
    let [before, left] = [whole, &reduced_clip].map(keys);
    let left_out = counted(before - left, "key");
    let only_steps = whole
        .curves()
        .zip(reduced_clip.curves())
        .all(|(before, after)| steps(before) || before.len() == after.len());
    if left < before {
        report.kept(match only_steps {
            true => format!("all steps: {left_out} of {before} left out say the same as before"),
            false => format!("{left_out} of {before} left out"),
        });
    }
    if let Some(target_clip) = scene.clips.get_mut(clip) {
        *target_clip = reduced_clip;
    }
    Ok(())
}

/// Number of keys of a clip.
fn keys(clip: &Clip) -> usize {
    clip.curves().map(Curve::len).sum()
}

fn steps(curve: &Curve) -> bool {
    curve.laws.all(|law| law.blend == Blend::Step)
}

/// Leaves out keys of a track.
fn reduce_track(track: &mut Track, limits: &ChannelLimits) {
    let curves = || track.channels.iter().flat_map(|channel| channel.composition.curves());
    let first = curves().next().map(|curve| curve.times.clone());
    let are_together =
        first.is_some_and(|first| curves().count() > 1 && curves().all(|curve| curve.times == first));
    // Between two keys that stay, a key that another curve needs takes the way off by as much again.
    let share = if are_together { 0.5 } else { 1.0 };
    let stay = |channel: &Channel| -> Vec<Vec<usize>> {
        let scale = channel.native.as_ref().map_or(1.0, |native| native.scale.abs());
        let Allowance { value, angle_rad } = limits.of(track, channel);
        let part = share / scale;
        let allowance = Allowance { value: value * part, angle_rad: angle_rad * part };
        channel.composition.curves().map(|curve| kept(channel, curve, &allowance)).collect()
    };
    let kept: Vec<Vec<Vec<usize>>> = track.channels.iter().map(stay).collect();
    let mut all: Vec<usize> = kept.iter().flatten().flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    let target = track.target.label().to_owned();
    for (channel, kept) in track.channels.iter_mut().zip(&kept) {
        for (curve, kept_of_curve) in channel.composition.curves_mut().into_iter().zip(kept) {
            let kept = if are_together { &all } else { kept_of_curve };
            if kept.len() < curve.len() {
                let rows = rows_of(curve);
                let rows: Vec<_> = kept.iter().filter_map(|key| rows.get(*key).copied()).collect();
                // In order as they were, they always make a curve.
                if let Ok(reduced_curve) = made_of(curve, &rows, &target) {
                    *curve = reduced_curve;
                }
            }
        }
    }
}

/// Positions of the kept keys of a curve.
fn kept(channel: &Channel, curve: &Curve, allowance: &Allowance) -> Vec<usize> {
    if steps(curve) {
        let is_new = |key: &usize| *key == 0 || curve.value(*key) != curve.value(key - 1);
        return (0..curve.len()).filter(is_new).collect();
    }
    let reduced = dopesheet_motion::reduce(curve, &channel.property, allowance);
    let Some(reduced) = reduced else { return (0..curve.len()).collect() };
    let mut next = 0;
    let places = reduced.times.iter().map(|time| {
        while curve.times.get(next).is_some_and(|key_time| key_time.0 < time.0) {
            next += 1;
        }
        next += 1;
        next - 1
    });
    places.collect()
}
