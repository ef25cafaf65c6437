//! Morphs that stand for other morphs.

use super::frames::frames;
use crate::sample::evaluate::{Side, channel_at};
use crate::single::narrow;
use dopesheet_core::diag::Report;
use dopesheet_core::model::{
    Blend, Channel, Clip, Curve, Law, Laws, MorphEffect, Outside, Property, Rig, Target, TargetKind, Times,
    Timing, Track,
};
use dopesheet_core::order::ascend;
use dopesheet_core::units::{FrameRate, Seconds};
use std::collections::HashMap;

/// Adds the weights of groups to the weights of the morphs they consist of, and takes out the tracks of all morphs whose
/// effect the rig has had.
///
/// Sums of straight weights are straight between the keys of all of them; of others one key per frame is taken, and fewer
/// in clips of more than 100,000 frames. What flips do to vertices is left out and reported.
pub(super) fn expand_groups(rig: &Rig, clip: &mut Clip, report: &mut Report) {
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    for (index, morph) in rig.morphs.iter().enumerate() {
        by_name.entry(&morph.name).or_insert(index);
    }
    let mut parts: Vec<Vec<(usize, f64)>> = vec![Vec::new(); rig.morphs.len()];
    let mut is_grouped = vec![false; rig.morphs.len()];
    for (place, track) in clip.tracks.iter().enumerate() {
        let Some(morph) = moved(track, &by_name) else { continue };
        parts[morph].push((place, 1.0));
        let MorphEffect::Group(members) = &rig.morphs[morph].effect else { continue };
        for (member, factor) in members {
            // Groups in groups have no effect, and what moves joints has had its own.
            let is_surface = rig.morphs.get(*member).is_some_and(|m| m.effect == MorphEffect::Surface);
            if let Some(list) = parts.get_mut(*member).filter(|_| is_surface) {
                list.push((place, *factor));
                is_grouped[*member] = true;
            }
        }
    }
    let flips = |track: &&Track| {
        moved(track, &by_name).is_some_and(|m| matches!(rig.morphs[m].effect, MorphEffect::Flip(_)))
    };
    let flipped: Vec<&str> = clip.tracks.iter().filter(flips).map(|t| t.target.name.as_str()).collect();
    if !flipped.is_empty() {
        let what = format!("what flip morphs do to vertices: {}", flipped.join(", "));
        report.dropped(what, "weights of a morph do not choose among other morphs");
    }
    let mut sums = Vec::new();
    for (morph, parts) in parts.iter().enumerate().filter(|(morph, _)| is_grouped[*morph]) {
        let target = Target::new(TargetKind::Morph, rig.morphs[morph].name.clone(), morph, None);
        sums.push(Track { target, channels: vec![sum(clip, parts)] });
    }
    clip.tracks.retain(|track| {
        moved(track, &by_name).is_none_or(|morph| {
            !is_grouped[morph] && matches!(rig.morphs[morph].effect, MorphEffect::Surface)
        })
    });
    clip.tracks.extend(sums);
}

/// The morph that a track moves.
fn moved(track: &Track, by_name: &HashMap<&str, usize>) -> Option<usize> {
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
