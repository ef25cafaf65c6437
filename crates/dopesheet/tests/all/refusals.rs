//! Refusals that are right: tests that meet many files name and count them.

use dopesheet::edit::Operation;
use dopesheet::{ClipChoice, Opened};
use std::collections::BTreeMap;
use std::path::Path;

/// Words of the messages of refusals that are right.
const REFUSED: &[&str] = &[
    // Clips of MORE need the animation that they play.
    "nothing to convert: a clip that plays",
    // A pose has no time but its own.
    "a pose is one moment",
    // Pickles are read, and not written back.
    "found a pickle, which is only read",
];

/// Reasons for which files were not edited, and how often each was met.
#[derive(Default, Debug)]
pub(crate) struct Refusals(BTreeMap<&'static str, usize>);

impl Refusals {
    /// The edited file; `None` where it is refused with a reason that is known.
    pub(crate) fn edited(&mut self, path: &Path, file: Opened, operations: &[Operation]) -> Option<Opened> {
        match dopesheet::edit(file, operations, &ClipChoice::All) {
            Ok(edited) => Some(edited),
            Err(error) => {
                let error = error.to_string();
                let known = REFUSED.iter().find(|words| error.contains(**words));
                let words = known.unwrap_or_else(|| panic!("{}: {operations:?}: {error}", path.display()));
                *self.0.entry(words).or_default() += 1;
                None
            }
        }
    }

    /// Number of files that were refused.
    pub(crate) fn count(&self) -> usize {
        self.0.values().sum()
    }
}
