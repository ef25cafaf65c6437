//! Scenes with English names.

use super::bound::wants_rig;
use super::puppet::standard_model;
use crate::error::Error;
use crate::files::read::Opened;
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::{DistinctNames, ToScene};
use dopesheet_core::model::{EnglishNames, Property, Scene, TargetKind, Track};
use dopesheet_core::order::map;
use dopesheet_core::words::counted;
use std::collections::{BTreeMap, HashSet};

/// The language of the names in a scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// The source's language.
    #[default]
    Original,
    /// English if the source or its model has an English name, else the source's name.
    English,
}

/// Gives everything in the scene of a motion its English name, if there is one, and reports the names that
/// stay.
///
/// A scene without English names that comes from a motion of MikuMikuDance gets the names of the built-in
/// puppet, because all models for such motions name their bones alike. Nodes and morphs stay distinct: of
/// several with the same English name all but the first get a number. Tracks take the names of their targets.
pub(crate) fn rename(scene: &mut Scene, motion: &Opened, report: &mut Report) -> Result<(), Error> {
    let mut english = std::mem::take(&mut scene.english);
    if english.is_empty() && wants_rig(&motion.format().info().capabilities) {
        english = of_the_standard_model()?;
    }
    let mut outcome = Outcome::default();
    let by_model = rename_model(scene, &english);
    let materials = scene.materials.iter_mut().map(|material| &mut material.name);
    outcome.materials.translate(materials.collect(), &english.materials);
    english.nodes.extend(by_model);
    outcome.nodes.translate(scene.nodes.iter_mut().map(|node| &mut node.name).collect(), &english.nodes);
    let morphs = morph_names(scene, &english, &mut outcome.morphs);
    rename_morphs(scene, &morphs);
    rename_tracks(scene, &english, &morphs);
    outcome.report(report);
    Ok(())
}

fn of_the_standard_model() -> Result<EnglishNames, Error> {
    let puppet = standard_model()?;
    let scene = puppet.format().to_scene(&puppet.document, &ToScene::default(), &mut Report::default())?;
    Ok(scene.english)
}

/// Renames the model, and everything named after it. Yields the old and the new name if a node may have the
/// old name too.
fn rename_model(scene: &mut Scene, english: &EnglishNames) -> Option<(String, String)> {
    let (model_name, name) = (scene.name.clone()?, english.model.clone()?);
    let meshes = scene.meshes.iter_mut().map(|mesh| &mut mesh.name);
    let skins = scene.skins.iter_mut().map(|skin| &mut skin.name);
    let sets = scene.morph_sets.iter_mut().map(|set| &mut set.name);
    meshes
        .chain(skins)
        .chain(sets)
        .filter(|called| **called == model_name)
        .for_each(|called| called.clone_from(&name));
    scene.name = Some(name.clone());
    (!english.nodes.contains_key(&model_name)).then_some((model_name, name))
}

/// Original name → new name, for every morph in a scene or moved by it.
fn morph_names(scene: &Scene, english: &EnglishNames, outcome: &mut Translated) -> BTreeMap<String, String> {
    let in_sets = scene.morph_sets.iter().flat_map(|set| &set.morphs);
    let in_rig = scene.rig.morphs.iter().map(|morph| &morph.name);
    let tracks = scene.tracks().filter(|track| moves_one_morph(track));
    let mut seen = HashSet::new();
    let mut originals: Vec<String> =
        in_sets.chain(in_rig).chain(tracks.map(|track| &track.target.name)).cloned().collect();
    originals.retain(|name| seen.insert(name.clone()));
    let mut names = originals.clone();
    outcome.translate(names.iter_mut().collect(), &english.morphs);
    map(originals.into_iter().zip(names))
}

fn moves_one_morph(track: &Track) -> bool {
    track.target.kind == TargetKind::Morph && !has(track, Property::Weights)
}

fn has(track: &Track, property: Property) -> bool {
    track.channels.iter().any(|channel| channel.property == property)
}

fn rename_morphs(scene: &mut Scene, names: &BTreeMap<String, String>) {
    let in_sets = scene.morph_sets.iter_mut().flat_map(|set| &mut set.morphs);
    let in_rig = scene.rig.morphs.iter_mut().map(|morph| &mut morph.name);
    let faces = scene.humanoid.iter_mut().flat_map(|humanoid| &mut humanoid.expressions);
    let faces = faces.flat_map(|face| {
        std::iter::once(&mut face.name).chain(face.morphs.iter_mut().map(|(morph, _)| morph))
    });
    for name in in_sets.chain(in_rig).chain(faces) {
        if let Some(other) = names.get(name) {
            name.clone_from(other);
        }
    }
}

/// Gives tracks the new names of their nodes or morphs.
fn rename_tracks(scene: &mut Scene, english: &EnglishNames, morphs: &BTreeMap<String, String>) {
    let Scene { nodes, clips, .. } = scene;
    for track in clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        let of_morph = moves_one_morph(track);
        let of_node = track.target.kind == TargetKind::Joint
            || has(track, Property::Weights)
            || has(track, Property::Enabled);
        let target = &mut track.target;
        let node = target.node.and_then(|node| nodes.get(node.0)).map(|node| &node.name);
        let name = match (of_morph, of_node) {
            (true, _) => morphs.get(&target.name),
            (_, true) => node.or_else(|| english.nodes.get(&target.name)),
            _ => None,
        };
        let Some(name) = name.cloned() else { continue };
        // Labels of switches end with the name of what they switch.
        if let Some(start) = target.label.as_ref().and_then(|label| label.strip_suffix(&target.name)) {
            target.label = Some(format!("{start}{name}"));
        }
        target.name = name;
    }
}

/// Fate of the names of a kind of item.
#[derive(Default)]
struct Translated {
    renamed: usize,
    /// Original names that have no English name, unless they are in ASCII anyway.
    kept: Vec<String>,
    /// Original names, and the English names that they would have shared.
    numbered: Vec<(String, String)>,
}

impl Translated {
    fn translate(&mut self, names: Vec<&mut String>, english: &BTreeMap<String, String>) {
        let staying = names.iter().filter(|name| !english.contains_key(**name)).map(|name| (*name).clone());
        let mut distinct = DistinctNames::new(staying);
        for name in names {
            let Some(other) = english.get(name) else {
                if !name.is_ascii() {
                    self.kept.push(name.clone());
                }
                continue;
            };
            let given = distinct.add(other);
            self.renamed += 1;
            if given != *other {
                self.numbered.push((given.clone(), name.clone()));
            }
            *name = given;
        }
    }
}

#[derive(Default)]
struct Outcome {
    nodes: Translated,
    morphs: Translated,
    materials: Translated,
}

impl Outcome {
    fn report(self, report: &mut Report) {
        let all = [("node", self.nodes), ("morph", self.morphs), ("material", self.materials)];
        let joined = |part: &dyn Fn(&(&str, Translated)) -> Option<String>| {
            let parts: Vec<String> = all.iter().filter_map(part).collect();
            (!parts.is_empty()).then(|| parts.join("; "))
        };
        let counts =
            joined(&|(noun, translated)| (translated.renamed > 0).then(|| counted(translated.renamed, noun)));
        if let Some(counts) = counts {
            report.kept(format!("English names of {counts}"));
        }
        let kept = joined(&|(noun, translated)| {
            let list = translated.kept.join(", ");
            (!translated.kept.is_empty())
                .then(|| format!("{} ({list})", counted(translated.kept.len(), noun)))
        });
        if let Some(kept) = kept {
            let expected = "an English name for every node, morph and material";
            let missing = format!("none for {kept}, which keep their own");
            report.info(Fault::new("english-name-missing", Place::File, expected, missing));
        }
        let numbered = joined(&|(noun, translated)| {
            let list: Vec<_> =
                translated.numbered.iter().map(|(name, from)| format!("{name} from {from}")).collect();
            (!list.is_empty())
                .then(|| format!("{} with a number ({})", counted(list.len(), noun), list.join(", ")))
        });
        if let Some(numbered) = numbered {
            report.info(Fault::new(
                "english-name-repeated",
                Place::File,
                "English names that differ",
                numbered,
            ));
        }
    }
}
