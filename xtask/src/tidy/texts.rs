//! The files that rules look at, and the faults that they find.

use crate::repo::{Outcome, Repo};

/// Faults that a rule found: the place, and the fault there.
pub(super) type Faults = Vec<String>;

/// A file of the repository.
pub(super) struct Text {
    /// Relative to the root, with forward slashes.
    pub(super) path: String,
    pub(super) text: String,
}

/// Every file that is text.
pub(super) fn load(repo: &Repo, files: &[String]) -> Outcome<Vec<Text>> {
    let mut texts = Vec::new();
    for path in files {
        if let Ok(text) = String::from_utf8(std::fs::read(repo.root.join(path))?) {
            texts.push(Text { path: path.clone(), text });
        }
    }
    Ok(texts)
}

#[cfg(test)]
pub(super) fn text(path: &str, text: &str) -> Text {
    Text { path: path.to_owned(), text: text.to_owned() }
}
