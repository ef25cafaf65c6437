//! Vocabularies of a motion and of its model: if they differ, the motion is put onto the model as onto any
//! other figure.

use super::Request;
use crate::error::Error;
use crate::error::unbound::Lost;
use crate::files::read::Opened;
use crate::models::bound::{self, Model, wants_rig};
use crate::playing::clip_choice::ClipChoice;
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::{NameMap, Role, ToScene};
use dopesheet_core::model::{Hierarchy, HumanBone, Scene};
use dopesheet_human::{Vocabulary, propose_by};

/// Code of the finding about a model whose bones have names of another vocabulary.
pub(super) const OTHER_VOCABULARY: &str = "other-vocabulary";

/// The finding that a motion and its model are human figures whose bones have names of different
/// vocabularies. `None` otherwise, and if keys are meant for the model's names: motions of MikuMikuDance on
/// its models, names that the caller maps, keys written as authored, and conversions whose caller accepts a
/// partial motion.
pub(super) fn otherwise(request: &Request<'_>) -> Option<Fault> {
    let (motion, model, options) = (request.inputs.first()?, request.model.as_deref()?, request.options);
    let capabilities = options.capabilities();
    let by_name = options.raw
        || options.partial
        || options.into.is_some()
        || options.goes_onto_a_figure()
        || capabilities.humanoid
        || wants_rig(&capabilities)
        || !options.names.without(|other| HumanBone::from_word(other).is_some()).is_empty()
        // PMD and PMX, on which its motions are by name whatever those are.
        || moves_a_rig(motion) && model.format().info().role == Role::Model;
    if by_name {
        return None;
    }
    let of_motion = spoken(motion, &options.names, options.vocabularies.motion)?;
    let of_model = spoken(model, &options.names.of_figure(), options.vocabularies.figure)?;
    let word = |vocabulary: Option<Vocabulary>| vocabulary.map_or("no vocabulary", Vocabulary::word);
    let expected = format!("bones of {} by names of {}, as the motion has them", model.name, word(of_motion));
    let names = format!("names of {}, so that the motion is put onto it as with --onto", word(of_model));
    (of_motion != of_model).then(|| Fault::new(OTHER_VOCABULARY, Place::File, expected, names))
}

fn moves_a_rig(motion: &Opened) -> bool {
    wants_rig(&motion.format().info().capabilities)
}

/// A clip of a motion as lost, if fewer than half of its moving tracks reach a model by their names; all clips
/// together if there is no such clip.
///
/// # Errors
/// If a document makes no sense as a scene.
pub fn lost_on(
    motion: &Opened,
    model: &Opened,
    names: &NameMap,
    clip: &ClipChoice,
) -> Result<Option<Lost>, Error> {
    let mut on_model = Model::read(model, true)?;
    let read = (&ToScene { as_stored: true, ..ToScene::default() }, |_: &mut Scene| Ok(()));
    let (scene, fit) =
        bound::scene_and_fit(motion, Some(&mut on_model), names, read, &mut Report::default())?;
    let Some(mut fit) = fit else { return Ok(None) };
    clip.place_in(&scene.clips).ok().flatten().into_iter().for_each(|position| fit.choose(position));
    let Some(lost) = fit.lost(&scene, false, false).filter(|_| fit.moves()) else { return Ok(None) };
    let is_whole = |file, names: &NameMap| spoken(file, names, None).is_some();
    let is_figure = is_whole(motion, names) && is_whole(model, &names.of_figure());
    Ok(Some(Lost { is_figure, ..lost }))
}

/// The vocabulary of a whole human figure, as `info` reports it. `Some(None)` if only the file's own
/// assignment of bones is complete, `None` without a whole figure.
fn spoken(file: &Opened, names: &NameMap, only: Option<Vocabulary>) -> Option<Option<Vocabulary>> {
    let stored = ToScene { as_stored: true, ..ToScene::default() };
    let scene = file.format().to_scene(&file.document, &stored, &mut Report::default()).ok()?;
    let stated = scene.humanoid.as_ref().is_some_and(|stated| stated.missing().is_empty());
    let proposal = propose_by(&Scene { humanoid: None, clips: Vec::new(), ..scene.clone() }, names, only);
    if moves_a_rig(file) {
        // What such a motion leaves out is still there in the model that it was made for.
        return (proposal.vocabulary == Some(Vocabulary::Mmd)).then_some(proposal.vocabulary);
    }
    let is_whole = proposal.humanoid.missing().is_empty();
    (scene.hierarchy == Hierarchy::Known && (is_whole || stated))
        .then_some(proposal.vocabulary.filter(|_| is_whole))
}
