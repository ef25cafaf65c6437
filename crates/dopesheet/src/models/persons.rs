//! Choice among several human figures of a file.

use crate::error::Error;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{HumanBone, Scene};
use dopesheet_core::words::counted;
use dopesheet_human::{Proposal, Vocabulary, others, propose_by};

/// Positions of the chosen human figures, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Persons {
    /// Position among the figures of the motion.
    pub motion: usize,
    /// Position among the human figures of the target's file.
    pub figure: usize,
}

impl Persons {
    /// Reads `2`, `2:1` or `:2`: the position of the motion's figure, counted from 1, and behind a colon the position of the target's figure.
    ///
    /// # Errors
    /// [`Error::Usage`] if a part is no whole number from 1.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let position = |word: &str| match (word, word.parse::<usize>().ok().and_then(|at| at.checked_sub(1)))
        {
            ("", _) => Ok(0),
            (_, Some(at)) => Ok(at),
            _ => Err(Error::Usage(format!(
                "expected persons as 2, 2:1 or :2, counted from 1, found \"{text}\""
            ))),
        };
        let (motion, figure) = text.split_once(':').unwrap_or((text, ""));
        Ok(Self { motion: position(motion)?, figure: position(figure)? })
    }
}

/// The human figure at a position in a scene, without bones where a scene has fewer figures. `names` and `only` are as in [`propose_by`].
pub(crate) fn person(scene: &Scene, names: &NameMap, only: Option<Vocabulary>, at: usize) -> Proposal {
    let first = propose_by(scene, names, only);
    match at.checked_sub(1) {
        None => first,
        Some(at) => others(scene, &first, names, only).into_iter().nth(at).unwrap_or_default(),
    }
}

/// The message that a file or the motion has no human figure at a position from 1.
pub(crate) fn too_few(
    scene: &Scene,
    names: &NameMap,
    only: Option<Vocabulary>,
    at: usize,
    subject: &str,
) -> String {
    let count = hips_of_all(scene, &person(scene, names, only, 0), names, only).len();
    format!("expected at least {} in {subject}, found {count}", counted(at + 1, "human figure"))
}

/// Names of the hips of all human figures in a scene; none without a complete first figure.
pub(crate) fn hips_of_all(
    scene: &Scene,
    first: &Proposal,
    names: &NameMap,
    only: Option<Vocabulary>,
) -> Vec<String> {
    let all = std::iter::once(first).filter(|first| first.humanoid.is_human());
    let rest = others(scene, first, names, only);
    let hips = all.chain(&rest).filter_map(|person| person.humanoid.bones.get(&HumanBone::Hips));
    hips.filter_map(|node| scene.node(*node)).map(|node| node.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn persons_are_counted_from_one_on_either_side() {
        let of = |text: &str| Persons::parse(text).unwrap();
        assert_eq!((of("2"), of(":2")), (Persons { motion: 1, figure: 0 }, Persons { motion: 0, figure: 1 }));
        assert_eq!(of("3:1"), Persons { motion: 2, figure: 0 });
        for wrong in ["0", "two", "1:-1"] {
            assert!(Persons::parse(wrong).unwrap_err().to_string().contains("counted from 1"), "{wrong}");
        }
    }
}
