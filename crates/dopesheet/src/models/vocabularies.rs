//! Vocabularies of the bones of two figures, as chosen by the caller.

use super::bound::wants_rig;
use crate::error::Error;
use crate::files::read::Opened;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{NameMap, ToScene};
use dopesheet_core::model::{Hierarchy, Scene};
use dopesheet_human::{Vocabulary, propose_by};

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

/// The vocabulary of a whole human figure, as `info` reports it. `Some(None)` if only the file's own
/// assignment of bones is complete, `None` without a whole figure.
pub(crate) fn vocabulary(
    file: &Opened,
    names: &NameMap,
    only: Option<Vocabulary>,
) -> Option<Option<Vocabulary>> {
    let stored = ToScene { as_stored: true, ..ToScene::default() };
    let scene = file.format().to_scene(&file.document, &stored, &mut Report::default()).ok()?;
    let stated = scene.humanoid.as_ref().is_some_and(|stated| stated.missing().is_empty());
    let proposal = propose_by(&Scene { humanoid: None, clips: Vec::new(), ..scene.clone() }, names, only);
    if wants_rig(&file.format().info().capabilities) {
        // What such a motion leaves out is still there in the model that it was made for.
        return (proposal.vocabulary == Some(Vocabulary::Mmd)).then_some(proposal.vocabulary);
    }
    let is_whole = proposal.humanoid.missing().is_empty();
    (scene.hierarchy == Hierarchy::Known && (is_whole || stated))
        .then_some(proposal.vocabulary.filter(|_| is_whole))
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
