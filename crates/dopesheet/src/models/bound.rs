//! A motion as a scene, on its model if the motion has a model.

use super::reach::ModelFit;
use crate::error::Error;
use crate::files::read::Opened;
use dopesheet_core::diag::{ConvertError, Report};
use dopesheet_core::format::{AnyDocument, AnyFormat, Capabilities, NameMap, ToScene};
use dopesheet_core::model::{Clip, Curve, PoseRelation, Scene};
use dopesheet_motion::{assume_rest, bind};
use std::borrow::Cow;
use std::collections::HashSet;

/// True if a format holds keys that mean something only on a model with the bones and the rig of
/// MikuMikuDance.
pub(crate) fn wants_rig(capabilities: &Capabilities) -> bool {
    capabilities.relation == PoseRelation::OnTopOfRest
        && capabilities.parts.rotation
        && !capabilities.parts.hierarchy
}

/// A model for motions. It is read once, and the findings of that reading are reported once.
pub(crate) struct Model<'a> {
    /// The file, kept while further motions are to be put on it.
    opened: Option<Cow<'a, Opened>>,
    /// The caller's name for the file.
    name: String,
    scene: Scene,
    said: Report,
    /// True if further motions will be put on the model.
    pub(crate) stays: bool,
}

impl<'a> Model<'a> {
    /// The model of a file, for one motion.
    pub(crate) fn read(opened: &'a Opened, as_stored: bool) -> Result<Self, Error> {
        Self::held(Cow::Borrowed(opened), as_stored)
    }

    /// As [`Model::read`]; an owned file is dropped when the last motion is put on it.
    pub(crate) fn held(opened: Cow<'a, Opened>, as_stored: bool) -> Result<Self, Error> {
        let options = ToScene { as_stored, ..ToScene::default() };
        let mut report = Report::default();
        let scene = opened.format().to_scene(&opened.document, &options, &mut report)?;
        Ok(Self { name: opened.name.clone(), opened: Some(opened), scene, said: report, stays: false })
    }

    /// The model's scene; empty once the last motion has been put on the model.
    pub(crate) const fn scene(&self) -> &Scene {
        &self.scene
    }

    fn hand_out(&mut self) -> Scene {
        if self.stays {
            return self.scene.clone();
        }
        self.opened = None;
        let nothing = Scene::new(self.scene.basis);
        std::mem::replace(&mut self.scene, nothing)
    }
}

/// The scene of a motion; with a model, the model's with the motion's clips on its nodes, and the fit of the
/// motion on it. The step `prepare` is applied to the motion before.
pub(crate) fn scene_and_fit(
    motion: &Opened,
    model: Option<&mut Model<'_>>,
    names: &NameMap,
    options: &ToScene,
    prepare: impl FnOnce(&mut Scene) -> Result<(), Error>,
    report: &mut Report,
) -> Result<(Scene, Option<ModelFit>), Error> {
    let format = motion.format();
    let on = model.as_ref().and_then(|model| model.opened.as_deref()).map(|model| &model.document);
    let as_read = ToScene { model: on, ..options.clone() };
    let mut scene = format.to_scene(&motion.document, &as_read, report)?;
    name_by_file(&mut scene.clips, motion.stem());
    check_map(names, &scene, model.as_deref().map(Model::scene))?;
    if model.is_none() {
        assume_rest(&mut scene, options.rest);
    }
    prepare(&mut scene)?;
    let Some(model) = model else { return Ok((scene, None)) };
    report.extend(std::mem::take(&mut model.said));
    let names = with_stored_names(&scene, &model.scene, names, format);
    let mut fit = ModelFit::of(&model.name, &scene);
    let bound = bind(scene, model.hand_out(), &names, report);
    fit.settle(&bound);
    Ok((bound, Some(fit)))
}

/// The scene of a file, with nothing mended.
pub(crate) fn as_stored(opened: &Opened) -> Result<Scene, Error> {
    read_stored(opened, &ToScene::default())
}

/// As [`as_stored`], where of keys only their numbers and times matter.
pub(crate) fn counted(opened: &Opened) -> Result<Scene, Error> {
    read_stored(opened, &ToScene { counts_alone: true, ..ToScene::default() })
}

fn read_stored(opened: &Opened, options: &ToScene) -> Result<Scene, Error> {
    let mut scene = stored_with(&opened.document, options)?;
    name_by_file(&mut scene.clips, opened.stem());
    assume_rest(&mut scene, ToScene::default().rest);
    Ok(scene)
}

/// The scene of a document, with nothing mended and no rest pose assumed.
///
/// # Errors
/// If the document makes no sense as a scene.
pub fn stored(document: &AnyDocument) -> Result<Scene, ConvertError> {
    stored_with(document, &ToScene::default())
}

fn stored_with(document: &AnyDocument, options: &ToScene) -> Result<Scene, ConvertError> {
    let options = ToScene { as_stored: true, ..options.clone() };
    let mut scene = document.format().to_scene(document, &options, &mut Report::default())?;
    scene.clips.iter_mut().for_each(leave_out_stand_ins);
    Ok(scene)
}

/// Gives the name of a file, without folders and extension, to its clip with a [usual name](Clip::stored_name), unless another clip has that name.
pub fn name_by_file(clips: &mut [Clip], stem: &str) {
    if clips.iter().all(|clip| clip.name.as_deref() != Some(stem)) {
        let usual =
            clips.iter_mut().filter(|clip| clip.stored_name.is_some() && clip.name == clip.stored_name);
        usual.for_each(|clip| clip.name = Some(stem.to_owned()));
    }
}

/// Leaves out channels of curves without keys, which some formats play as 0.
fn leave_out_stand_ins(clip: &mut Clip) {
    let is_stored =
        |curve: &Curve| curve.sources.as_ref().is_none_or(|sources| sources.iter().any(Option::is_some));
    clip.tracks.retain_mut(|track| {
        let count = track.channels.len();
        track.channels.retain(|channel| channel.composition.curves().any(is_stored));
        count == 0 || !track.channels.is_empty()
    });
}

/// Refuses a map if neither the motion nor its model has any of its names, because the map would have no
/// effect.
pub(crate) fn check_map(names: &NameMap, motion: &Scene, model: Option<&Scene>) -> Result<(), Error> {
    let has = |scene: &Scene, name: &str| {
        let tracks = || scene.tracks().map(|track| &track.target);
        scene.nodes.iter().any(|node| node.name == name)
            || scene.morph_sets.iter().flat_map(|set| &set.morphs).any(|morph| morph == name)
            || scene.rig.morphs.iter().any(|morph| morph.name == name)
            || tracks().any(|target| target.name == name || target.label.as_deref() == Some(name))
    };
    let is_there = |name: &str| has(motion, name) || model.is_some_and(|model| has(model, name));
    if names.is_empty() || names.maps(is_there) || names.of_figure().maps(is_there) {
        return Ok(());
    }
    let text =
        "none of the names to be mapped is in the motion or its model; dopesheet info lists those that are";
    Err(Error::Usage(text.into()))
}

/// Names of the motion → names of the model, with the model's full spelling of names that the motion's format
/// shortens.
pub(crate) fn with_stored_names(
    motion: &Scene,
    model: &Scene,
    names: &NameMap,
    format: &dyn AnyFormat,
) -> NameMap {
    let nodes = model.nodes.iter().map(|node| &node.name);
    let morphs = model.morph_sets.iter().flat_map(|set| &set.morphs);
    let model_names: HashSet<&str> = nodes
        .chain(morphs)
        .chain(model.rig.morphs.iter().map(|morph| &morph.name))
        .map(String::as_str)
        .collect();
    let mut changed: Vec<(Cow<'_, str>, &str)> =
        model_names.iter().map(|n| (format.stored_name(n), *n)).collect();
    changed.retain(|(stored, name)| stored != name);
    // Of several names that become the same the first in the order of letters counts, whatever the order of the set.
    changed.sort_unstable();
    let tracks = motion.tracks().map(|track| track.target.name.as_str());
    let spelled =
        tracks.filter(|name| names.get(name) == *name && !model_names.contains(name)).filter_map(|name| {
            let index = changed.partition_point(|(stored, _)| &**stored < name);
            let (stored, full) = changed.get(index)?;
            (stored == name).then(|| (name.to_owned(), (*full).to_owned()))
        });
    names.with(spelled)
}
