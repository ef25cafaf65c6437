//! Expressions as morphs of the model.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::super::faces::morphs;
use dopesheet_core::model::{Clip, Scene, Target, TargetKind, Track};
use std::collections::HashSet;

/// The tracks of expressions with the names of the morphs that the model has for them, and those that it has none for, with the best
/// known name.
pub(in crate::humanoid) fn tracks(motion: &Clip, model: &Scene) -> (Vec<Track>, Vec<Track>) {
    let rigged = model.rig.morphs.iter().map(|morph| &morph.name);
    let own: HashSet<&str> =
        model.morph_sets.iter().flat_map(|set| &set.morphs).chain(rigged).map(String::as_str).collect();
    let mut taken = HashSet::new();
    let faces = motion.tracks.iter().filter(|track| track.target.kind == TargetKind::Morph);
    let tracks = faces.filter_map(|track| {
        let name = morph(&track.target.name, &own);
        let target = Target::new(TargetKind::Morph, name, taken.len(), None);
        taken.insert(name.to_owned()).then(|| Track { target, channels: track.channels.clone() })
    });
    tracks.partition(|track| own.contains(track.target.name.as_str()))
}

/// Names of tracks, for people.
pub(in crate::humanoid) fn names(tracks: &[Track]) -> String {
    tracks.iter().map(|track| track.target.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn morph<'a>(expression: &'a str, own: &HashSet<&str>) -> &'a str {
    let known = morphs(expression);
    let there = known.iter().find(|name| own.contains(**name)).copied();
    let same = Some(expression).filter(|name| own.contains(name));
    there.or(same).or(known.first().copied()).unwrap_or(expression)
}
