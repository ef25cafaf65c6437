//! Expressions as morphs of the model.

use super::super::faces::morphs;
use dopesheet_core::diag::Report;
use dopesheet_core::model::{Clip, Scene, Target, TargetKind, Track};
use std::collections::HashSet;

/// The tracks of expressions with the names of the morphs that the model has for them, else with the best known name.
pub(super) fn tracks(motion: &Clip, model: &Scene, report: &mut Report) -> Vec<Track> {
    let rigged = model.rig.morphs.iter().map(|morph| &morph.name);
    let own: HashSet<&str> =
        model.morph_sets.iter().flat_map(|set| &set.morphs).chain(rigged).map(String::as_str).collect();
    let mut taken = HashSet::new();
    let mut missing = Vec::new();
    let faces = motion.tracks.iter().filter(|track| track.target.kind == TargetKind::Morph);
    let tracks: Vec<Track> = faces
        .filter_map(|track| {
            let name = morph(&track.target.name, &own);
            if !own.contains(name) {
                missing.push(name.to_owned());
            }
            let target = Target::new(TargetKind::Morph, name, taken.len(), None);
            taken.insert(name.to_owned()).then(|| Track { target, channels: track.channels.clone() })
        })
        .collect();
    if !missing.is_empty() {
        report.kept(format!("weights of {}, which the model lacks", missing.join(", ")));
    }
    tracks
}

fn morph<'a>(expression: &'a str, own: &HashSet<&str>) -> &'a str {
    let known = morphs(expression);
    let there = known.iter().find(|name| own.contains(**name)).copied();
    let same = Some(expression).filter(|name| own.contains(name));
    there.or(same).or(known.first().copied()).unwrap_or(expression)
}
