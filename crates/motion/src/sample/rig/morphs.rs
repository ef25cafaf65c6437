//! Morphs that stand for other morphs.

use super::frames::frames;
use crate::sample::evaluate::{Side, channel_at};
use crate::single::narrow;
use dopesheet_core::diag::Report;
use dopesheet_core::model::{
    Blend, Channel, Clip, Curve, Law, Laws, MorphEffect, Outside, Property, Rig, RigMorph, Target,
    TargetKind, Times, Timing, Track,
};
use dopesheet_core::order::ascend;
use dopesheet_core::units::{FrameRate, Seconds};
use std::collections::HashMap;

/// Adds the weights of groups to the weights of their member morphs, and takes out the tracks of all morphs
/// whose effect the rig has had.
///
/// Sums of straight weights are straight between the keys of all summands; sums of other weights get a key
/// per frame, and fewer in clips of more than 100,000 frames. The effect of flips on vertices is left out and
/// reported.
pub(super) fn expand_groups(rig: &Rig, clip: &mut Clip, report: &mut Report) {
    let mut by_name: HashMap<&str, (usize, &RigMorph)> = HashMap::new();
    for (index, morph) in rig.morphs.iter().enumerate() {
        by_name.entry(&morph.name).or_insert((index, morph));
    }
    let mut weights = vec![Weight::default(); rig.morphs.len()];
    for (place, track) in clip.tracks.iter().enumerate() {
        let Some((index, morph)) = moved(track, &by_name) else { continue };
        if let Some(own) = weights.get_mut(index) {
            own.parts.push((place, 1.0));
        }
        let MorphEffect::Group(members) = &morph.effect else { continue };
        for (member, factor) in members {
            // Groups in groups have no effect, and what moves joints has had its own.
            let is_surface = rig.morphs.get(*member).is_some_and(|m| m.effect == MorphEffect::Surface);
            if let Some(weight) = weights.get_mut(*member).filter(|_| is_surface) {
                weight.parts.push((place, *factor));
                weight.is_grouped = true;
            }
        }
    }
    let flips = |track: &&Track| {
        moved(track, &by_name).is_some_and(|(_, morph)| matches!(morph.effect, MorphEffect::Flip(_)))
    };
    let flipped: Vec<&str> = clip.tracks.iter().filter(flips).map(|t| t.target.name.as_str()).collect();
    if !flipped.is_empty() {
        let what = format!("what flip morphs do to vertices: {}", flipped.join(", "));
        report.dropped(what, "weights of a morph do not choose among other morphs");
    }
    let mut sums = Vec::new();
    for (index, (morph, weight)) in rig.morphs.iter().zip(&weights).enumerate() {
        if weight.is_grouped {
            let target = Target::new(TargetKind::Morph, morph.name.clone(), index, None);
            sums.push(Track { target, channels: vec![sum(clip, &weight.parts)] });
        }
    }
    clip.tracks.retain(|track| {
        moved(track, &by_name).is_none_or(|(index, morph)| {
            let is_alone = weights.get(index).is_some_and(|weight| !weight.is_grouped);
            is_alone && matches!(morph.effect, MorphEffect::Surface)
        })
    });
    clip.tracks.extend(sums);
}

/// The weight of a morph.
#[derive(Clone, Default)]
struct Weight {
    /// The tracks summed to this weight, by their positions, and a factor for each.
    parts: Vec<(usize, f64)>,
    /// True if a group is among these tracks.
    is_grouped: bool,
}

/// The morph that a track moves, and its number.
fn moved<'a>(track: &Track, by_name: &HashMap<&str, (usize, &'a RigMorph)>) -> Option<(usize, &'a RigMorph)> {
    let weighs = track.target.kind == TargetKind::Morph && weight(track).is_some();
    by_name.get(track.target.name.as_str()).copied().filter(|_| weighs)
}

fn weight(track: &Track) -> Option<&Channel> {
    track.channels.iter().find(|channel| channel.property == Property::Weight)
}

/// The sum of the weights of some tracks times factors.
fn sum(clip: &Clip, parts: &[(usize, f64)]) -> Channel {
    let channels: Vec<(&Channel, f64)> = parts
        .iter()
        .filter_map(|(place, factor)| Some((weight(clip.tracks.get(*place)?)?, *factor)))
        .collect();
    let times = times(clip, &channels);
    let total = |time: f64| {
        let mut value = Vec::new();
        let weights = channels.iter().map(|(channel, factor)| {
            let has = channel_at(channel, Seconds(time), Side::At, &mut value);
            value.first().filter(|_| has).map_or(0.0, |weight| weight * factor)
        });
        narrow(weights.sum())
    };
    let values = times.iter().map(|time| total(*time)).collect();
    Channel::whole(
        Property::Weight,
        Curve::new(Times::Seconds(times.into()), 1, values, Laws::uniform(Law::LINEAR)),
    )
}

/// Key times of the sum.
fn times(clip: &Clip, channels: &[(&Channel, f64)]) -> Vec<f64> {
    let curves = || channels.iter().flat_map(|(channel, _)| channel.composition.curves());
    let mut times: Vec<f64> = curves().flat_map(|curve| curve.times.iter().map(|time| time.0)).collect();
    for curve in curves() {
        if let Outside::Ramp { start, .. } = &curve.before {
            times.push(start.0);
        }
    }
    let straight = |law: Law| law.blend == Blend::Lerp && law.timing == Timing::Linear;
    if !curves().all(|curve| curve.laws.all(straight)) {
        times.extend(frames(clip, clip.grid.unwrap_or(FrameRate::FPS_60)));
    }
    ascend(&mut times);
    times.dedup();
    times
}
