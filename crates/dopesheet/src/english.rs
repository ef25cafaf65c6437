//! Scenes whose things go by their English names.

use crate::bound::wants_rig;
use crate::error::Error;
use crate::puppet::standard_model;
use crate::read::Opened;
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::{DistinctNames, ToScene};
use dopesheet_core::model::{EnglishNames, Property, Scene, TargetKind, Track};
use dopesheet_core::order::map;
use dopesheet_core::words::counted;
use std::collections::{BTreeMap, HashSet};

/// Which names the things of a scene go by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// The source's own.
    #[default]
    Original,
    /// English where the source or its model has an English name, the source's own elsewhere.
    English,
}

/// Gives everything in the scene of a motion its English name where it has one, and says what kept its own.
///
/// A scene without English names that comes of a motion of MikuMikuDance gets those of our own puppet, because all models
/// for such motions call their bones alike. Nodes and morphs stay apart: of several with one English name all but the first
/// get a number. Tracks follow what they move.
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

/// Renames the model, and what is named after it. Yields its names if a node may have its own.
fn rename_model(scene: &mut Scene, english: &EnglishNames) -> Option<(String, String)> {
    let (own, name) = (scene.name.clone()?, english.model.clone()?);
    let meshes = scene.meshes.iter_mut().map(|mesh| &mut mesh.name);
    let skins = scene.skins.iter_mut().map(|skin| &mut skin.name);
    let sets = scene.morph_sets.iter_mut().map(|set| &mut set.name);
    meshes
        .chain(skins)
        .chain(sets)
        .filter(|called| **called == own)
        .for_each(|called| called.clone_from(&name));
    scene.name = Some(name.clone());
    (!english.nodes.contains_key(&own)).then_some((own, name))
}

/// Own name → name, for every morph that a scene has or moves.
fn morph_names(scene: &Scene, english: &EnglishNames, outcome: &mut Translated) -> BTreeMap<String, String> {
    let in_sets = scene.morph_sets.iter().flat_map(|set| &set.morphs);
    let in_rig = scene.rig.morphs.iter().map(|morph| &morph.name);
    let tracks = scene.tracks().filter(|track| moves_one_morph(track));
    let mut seen = HashSet::new();
    let mut own: Vec<String> =
        in_sets.chain(in_rig).chain(tracks.map(|track| &track.target.name)).cloned().collect();
    own.retain(|name| seen.insert(name.clone()));
    let mut names = own.clone();
    outcome.translate(names.iter_mut().collect(), &english.morphs);
    map(own.into_iter().zip(names))
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

/// Tracks are called what their nodes or morphs are called now.
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

/// Fate of the names of one kind of things.
#[derive(Default)]
struct Translated {
    renamed: usize,
    /// Own names of those that have no English one, as far as they are not written in ASCII anyway.
    kept: Vec<String>,
    /// Own names, and the English names that they would have shared.
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
        let counts = joined(&|(noun, own)| (own.renamed > 0).then(|| counted(own.renamed, noun)));
        if let Some(counts) = counts {
            report.kept(format!("English names of {counts}"));
        }
        let kept = joined(&|(noun, own)| {
            let list = own.kept.join(", ");
            (!own.kept.is_empty()).then(|| format!("{} ({list})", counted(own.kept.len(), noun)))
        });
        if let Some(kept) = kept {
            let expected = "an English name for every node, morph and material";
            let found = format!("none for {kept}, which keep their own");
            report.info(Fault::new("english-name-missing", Place::File, expected, found));
        }
        let numbered = joined(&|(noun, own)| {
            let list: Vec<_> =
                own.numbered.iter().map(|(name, from)| format!("{name} from {from}")).collect();
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
