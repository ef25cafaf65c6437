//! English names beside the names of the source.

use std::collections::BTreeMap;

/// The English names of a source besides its original names, original name → English name. No name is empty;
/// of items with equal original names the first counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnglishNames {
    /// English name of the model as a whole.
    pub model: Option<String>,
    /// English names of nodes.
    pub nodes: BTreeMap<String, String>,
    /// English names of morphs.
    pub morphs: BTreeMap<String, String>,
    /// English names of materials.
    pub materials: BTreeMap<String, String>,
}

impl EnglishNames {
    /// True if nothing has an English name.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
