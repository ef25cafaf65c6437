//! Vocabularies of a motion and of its model: if they differ, the motion is put onto the model as onto any
//! other figure.

use crate::convert::Request;
use crate::models::bound::wants_rig;
use crate::models::vocabularies::vocabulary;
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::format::Role;
use dopesheet_core::model::HumanBone;
use dopesheet_human::Vocabulary;

/// Code of the finding about a model whose bones have names of another vocabulary.
pub(in crate::convert) const OTHER_VOCABULARY: &str = "other-vocabulary";

/// The finding that a motion and its model are human figures whose bones have names of different
/// vocabularies. `None` otherwise, and if keys are meant for the model's names: motions of MikuMikuDance on
/// its models, names that the caller maps, keys written as authored, and conversions whose caller accepts a
/// partial motion.
pub(in crate::convert) fn otherwise(request: &Request<'_>) -> Option<Fault> {
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
        || wants_rig(&motion.format().info().capabilities) && model.format().info().role == Role::Model;
    if by_name {
        return None;
    }
    let of_motion = vocabulary(motion, &options.names, options.vocabularies.motion)?;
    let of_model = vocabulary(model, &options.names.of_figure(), options.vocabularies.figure)?;
    let word = |vocabulary: Option<Vocabulary>| vocabulary.map_or("no vocabulary", Vocabulary::word);
    let expected = format!("bones of {} by names of {}, as the motion has them", model.name, word(of_motion));
    let names = format!("names of {}, so that the motion is put onto it as with --onto", word(of_model));
    (of_motion != of_model).then(|| Fault::new(OTHER_VOCABULARY, Place::File, expected, names))
}
