//! English names beside those of the source.

use std::collections::BTreeMap;

/// The English names that a source gives its things besides their own names, own name → English name. None is empty; of
/// things with equal own names the first counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnglishNames {
    /// Of the model as a whole.
    pub model: Option<String>,
    /// Of nodes.
    pub nodes: BTreeMap<String, String>,
    /// Of morphs.
    pub morphs: BTreeMap<String, String>,
    /// Of materials.
    pub materials: BTreeMap<String, String>,
}

impl EnglishNames {
    /// True if nothing has an English name.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
