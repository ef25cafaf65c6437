//! Tracks that a format holds unchanged, with all their keys and laws.

use super::laws::{Destination, fits, is_on_all_frames};
use super::wishes::{Conform, key_plan};
use crate::keys::KeyPlan;
use dopesheet_core::format::{Capabilities, KeyLayout, KeyStorage};
use dopesheet_core::model::{
    Blend, Channel, Clip, Composition, Curve, PoseRelation, TargetKind, Times, Track,
};
use std::collections::HashSet;

/// True if [`conform`](fn@super::conform) has nothing to do for a track of an arranged scene: the format
/// holds all its keys at their times, and all its laws. Several keys of one frame are held if all are from
/// the document ([`Curve::sources`]).
#[must_use]
pub fn is_held(clip: &Clip, track: &Track, capabilities: &Capabilities) -> bool {
    let plan = key_plan(clip, capabilities, &Conform::default());
    let target = Destination {
        capabilities,
        plan: &plan,
        storage: KeyStorage::default(),
        keeps_relation: clip.relation == capabilities.relation,
        keeps_axes: true,
        lossy: false,
        drops: false,
        cubic: false,
        solved: &HashSet::new(),
        fine: &[],
    };
    // Only a format of poses that come on top of rest takes those.
    let is_related =
        clip.relation == capabilities.relation || capabilities.relation == PoseRelation::OnTopOfRest;
    is_related
        && shares_keys(track, capabilities.layout)
        && track.channels.iter().all(|channel| match plan.every_frame {
            true => states_poses(channel, capabilities, &plan),
            false => {
                fits(channel, track.target.kind, &target) || only_switches(channel, track.target.kind, &plan)
            }
        })
}

/// True if a channel has a number for every frame in a form known to a format of poses: the values between
/// frames are this format's own affair.
fn states_poses(channel: &Channel, capabilities: &Capabilities, plan: &KeyPlan) -> bool {
    let may = match &channel.composition {
        Composition::Whole(_) => true,
        Composition::Euler { .. } => capabilities.compositions.angles_on_frames,
        _ => false,
    };
    let is_stated = |curve: &Curve| {
        is_on_all_frames(curve, plan)
            && curve.validate().is_ok()
            && curve.values.iter().all(|x| x.is_finite())
    };
    may && channel.composition.curves().all(is_stated)
}

/// True if all channels stored together by a format have the same keys.
fn shares_keys(track: &Track, layout: KeyLayout) -> bool {
    let mut curves = track.channels.iter().flat_map(|channel| channel.composition.curves());
    let Some(first) = curves.next() else { return true };
    layout == KeyLayout::PerChannel
        || curves.all(|curve| curve.times.is_same_list(&first.times) || curve.times == first.times)
}

/// True of a target without a place in space whose values only step, within the range and on its grid.
fn only_switches(channel: &Channel, kind: TargetKind, plan: &KeyPlan) -> bool {
    let steps = |curve: &Curve| {
        let on_grid = match &curve.times {
            Times::Frames { rate, .. } => *rate == plan.rate,
            Times::Seconds(_) => !plan.only_on_grid,
        };
        let inside = curve
            .times
            .span()
            .is_none_or(|(first, last)| first.0 >= plan.range.0.0 && last.0 <= plan.range.1.0);
        on_grid && inside && curve.validate().is_ok() && curve.laws.all(|law| law.blend == Blend::Step)
    };
    kind == TargetKind::Custom && channel.composition.curves().all(steps)
}
