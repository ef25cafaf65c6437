//! Vocabularies of the bones of two figures, as chosen by the caller.

use super::bound::wants_rig;
use crate::error::Error;
use crate::files::read::Opened;
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::{NameMap, Role, ToScene};
use dopesheet_core::model::{Hierarchy, HumanBone, Humanoid};
use dopesheet_human::{Vocabulary, propose_by};
use std::collections::BTreeSet;

/// Vocabularies that are used exclusively, however well others fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Vocabularies {
    /// Vocabulary of the motion; `None` guesses.
    pub motion: Option<Vocabulary>,
    /// Vocabulary of the figure that takes the motion; `None` guesses.
    pub figure: Option<Vocabulary>,
}

impl Vocabularies {
    /// Reads `soma`, `soma:unreal` or `:unreal`: the vocabulary of the motion, and behind a colon the
    /// vocabulary of the figure.
    ///
    /// # Errors
    /// [`Error::Usage`] with all words, if a word names no vocabulary.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let word = |word: &str| match (word, Vocabulary::from_id(word)) {
            ("", _) => Ok(None),
            (_, Some(vocabulary)) => Ok(Some(vocabulary)),
            _ => {
                let all: Vec<&str> = Vocabulary::ALL.into_iter().map(Vocabulary::id).collect();
                Err(Error::Usage(format!("expected a vocabulary ({}), found \"{word}\"", all.join(", "))))
            }
        };
        let (motion, figure) = text.split_once(':').unwrap_or((text, ""));
        Ok(Self { motion: word(motion)?, figure: word(figure)? })
    }
}

/// Code of the finding about a model whose bones have other names than the motion's.
pub(crate) const OTHER_VOCABULARY: &str = "other-vocabulary";

/// The finding that a motion and its model are human figures whose bones have names of different
/// vocabularies, or with fewer than half of the names in common, so that the motion is put onto the model as
/// onto any other figure. `None` otherwise, and if names join them in any case: motions of MikuMikuDance and
/// its models, and names that the caller maps.
pub fn other_vocabulary(
    motion: &Opened,
    model: &Opened,
    names: &NameMap,
    only: Vocabularies,
) -> Option<Fault> {
    let is_of_mmd = wants_rig(&motion.format().info().capabilities);
    let is_mapped = !names.without(|other| HumanBone::from_word(other).is_some()).is_empty();
    if is_mapped || is_of_mmd && model.format().info().role == Role::Model {
        return None;
    }
    let of_motion = WholeFigure::of(motion, names, only.motion)?;
    let of_model = WholeFigure::of(model, &names.of_figure(), only.figure)?;
    let is_other = of_motion.vocabulary != of_model.vocabulary;
    let common = of_motion.bones.intersection(&of_model.bones).count();
    if !is_other && 2 * common >= of_motion.bones.len() {
        return None;
    }
    let [word, word_of_model] =
        [&of_motion, &of_model].map(|figure| figure.vocabulary.map_or("no vocabulary", Vocabulary::word));
    let other = if is_other { "" } else { "other " };
    let expected = format!("bones of {} by names of {word}, as the motion has them", model.name);
    let model_names =
        format!("{other}names of {word_of_model}, so that the motion is put onto it as with --onto");
    Some(Fault::new(OTHER_VOCABULARY, Place::File, expected, model_names))
}

/// A whole human figure, as `info` reports it.
struct WholeFigure {
    /// Vocabulary of its bones; `None` if only the file's own assignment of bones is complete.
    vocabulary: Option<Vocabulary>,
    /// Names of the nodes of its bones.
    bones: BTreeSet<String>,
}

impl WholeFigure {
    /// The figure of a file; `None` without a whole figure.
    fn of(file: &Opened, names: &NameMap, only: Option<Vocabulary>) -> Option<Self> {
        let stored = ToScene { as_stored: true, counts_alone: true, ..ToScene::default() };
        let mut scene = file.format().to_scene(&file.document, &stored, &mut Report::default()).ok()?;
        scene.clips.clear();
        let stated = scene.humanoid.take().filter(Humanoid::is_human);
        let proposal = propose_by(&scene, names, only);
        let is_whole = proposal.humanoid.is_human();
        // What a motion of MikuMikuDance leaves out is still there in the model that it was made for.
        let is_figure = match wants_rig(&file.format().info().capabilities) {
            true => proposal.vocabulary == Some(Vocabulary::Mmd),
            false => scene.hierarchy == Hierarchy::Known && (is_whole || stated.is_some()),
        };
        let vocabulary = proposal.vocabulary.filter(|_| is_whole || stated.is_none());
        let humanoid = if is_whole { proposal.humanoid } else { stated.unwrap_or(proposal.humanoid) };
        let nodes = humanoid.bones.values().filter_map(|node| scene.node(*node));
        is_figure.then(|| Self { vocabulary, bones: nodes.map(|node| node.name.clone()).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_side_may_be_left_to_a_guess() {
        let of = |text: &str| Vocabularies::parse(text).unwrap();
        assert_eq!(of("soma"), Vocabularies { motion: Some(Vocabulary::Soma), figure: None });
        assert_eq!(of(":unreal"), Vocabularies { motion: None, figure: Some(Vocabulary::Unreal) });
        assert_eq!(of("cmu:vrm").figure, Some(Vocabulary::Vrm));
        let error = Vocabularies::parse("soma:klingon").unwrap_err().to_string();
        assert!(error.contains("xsens") && error.contains("\"klingon\""), "{error}");
    }
}
