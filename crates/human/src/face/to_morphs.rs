//! Expressions as morphs of the model.

use super::names::{Sampling, add, morphs, part, shapes};
use dopesheet_core::diag::Report;
use dopesheet_core::model::{Clip, Scene, Target, TargetKind, Track};
use std::collections::HashSet;

/// The tracks of expressions under the names of the model's morphs, and the tracks of expressions for which
/// the model has no morph, under their best listed name.
///
/// The model's own statement about an expression counts first, then names. A blend shape of ARKit missing in
/// the model takes its part in the model's preset instead, and a missing preset is made of the model's blend
/// shapes. The error of sampled weights goes to `report`.
pub(crate) fn tracks(motion: &Clip, model: &Scene, report: &mut Report) -> (Vec<Track>, Vec<Track>) {
    let model = Model::of(model);
    let (mut there, mut missing): (Vec<Track>, Vec<Track>) = (Vec::new(), Vec::new());
    let (mut taken, mut sampling) = (HashSet::new(), Sampling::default());
    for track in motion.tracks.iter().filter(|track| track.target.kind == TargetKind::Morph) {
        let (name, Some(channel)) = (track.target.name.as_str(), track.channels.first()) else { continue };
        let parts = model.parts(name);
        let whole = matches!(parts.as_slice(), [(_, share)] if *share == 1.0);
        for (morph, share) in &parts {
            // Of several that mean the same as a whole the first counts; parts add up.
            if !whole || taken.insert((*morph).to_owned()) {
                add(&mut there, morph, *share, channel, &mut sampling);
            }
        }
        let best = morphs(name).first().copied().unwrap_or(name);
        if parts.is_empty() && taken.insert(best.to_owned()) {
            let target = Target::new(TargetKind::Morph, best, missing.len(), None);
            missing.push(Track { target, channels: track.channels.clone() });
        }
    }
    sampling.report(report);
    (there, missing)
}

/// Names of tracks, for people.
pub(crate) fn names(tracks: &[Track]) -> String {
    tracks.iter().map(|track| track.target.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// The morphs of a model.
struct Model<'a> {
    scene: &'a Scene,
    own: HashSet<&'a str>,
}

impl<'a> Model<'a> {
    fn of(scene: &'a Scene) -> Self {
        let rigged = scene.rig.morphs.iter().map(|morph| &morph.name);
        let names = scene.morph_sets.iter().flat_map(|set| &set.morphs).chain(rigged);
        Self { scene, own: names.map(String::as_str).collect() }
    }

    /// The morphs that make an expression or a blend shape, with their shares; empty if the model has no such
    /// face.
    fn parts<'b>(&'b self, name: &'b str) -> Vec<(&'b str, f64)> {
        let of_preset = || {
            let (preset, share) = part(name)?;
            let face = self.face(preset)?.into_iter();
            Some(face.map(|(morph, weight)| (morph, weight * share)).collect())
        };
        let of_shapes = || {
            let parts = shapes(name).filter_map(|(shape, weight)| Some((self.shape(shape)?, weight)));
            parts.collect()
        };
        self.face(name).or_else(of_preset).unwrap_or_else(of_shapes)
    }

    /// The morph of the model with the name of a blend shape of ARKit; case does not matter.
    fn shape(&self, shape: &str) -> Option<&str> {
        let alike = || self.own.iter().find(|morph| morph.eq_ignore_ascii_case(shape));
        self.own.get(shape).or_else(alike).copied()
    }

    /// The morphs that make a face by the model's own statement, or by their names.
    fn face<'b>(&'b self, name: &'b str) -> Option<Vec<(&'b str, f64)>> {
        let faces = self.scene.humanoid.iter().flat_map(|humanoid| &humanoid.expressions);
        let mut stated = faces.filter(|face| face.name == name && !face.morphs.is_empty());
        let has = |(morph, _): &(String, f64)| self.own.contains(morph.as_str());
        if let Some(face) = stated.find(|face| face.morphs.iter().all(has)) {
            return Some(face.morphs.iter().map(|(morph, weight)| (morph.as_str(), *weight)).collect());
        }
        let morph = morphs(name).iter().copied().chain([name]).find(|name| self.own.contains(name))?;
        Some(vec![(morph, 1.0)])
    }
}
