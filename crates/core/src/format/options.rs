//! Options of the operations of a format.

use super::MostFrames;
use super::source::Limits;
use crate::model::Scene;
use crate::order::map;
use std::collections::BTreeMap;

/// Options of reading.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Upper bounds on the demands of a file.
    pub limits: Limits,
    /// Keep the intact parts of a damaged file, and report the rest.
    pub lenient: bool,
}

/// Options of writing.
#[derive(Clone, Debug, Default)]
pub struct WriteOptions {
    /// The name the main output will have, without folders, if known. Resources are named after it.
    pub file_name: Option<String>,
}

/// Options of turning a scene into a document.
#[derive(Clone, Debug, Default)]
pub struct FromScene {
    /// A name of [`FormatInfo::variants`](super::FormatInfo::variants), or any text accepted by
    /// [`VariantWords::parse`](super::VariantWords::parse) with these variants and the format's words; `None`
    /// is the first variant.
    pub variant: Option<String>,
    /// Write `?` for characters missing from the target's encoding instead of refusing.
    pub replace_unencodable: bool,
    /// Keep channels that equal the rest pose throughout.
    pub keep_constant: bool,
    /// Upper bound of the frames of a format with a key on every frame; more are refused.
    pub most_frames: MostFrames,
    /// Radius in metres within which points around joints were measured before; 0 if they were not.
    pub shell_m: f64,
    /// True if values are already rounded as [`Format::storage`](super::Format::storage) says: finer values
    /// have to stay as they are.
    pub rounded: bool,
    /// Name of the model that the motion is for, if the format has a field for it; `None` keeps the name in
    /// the motion.
    pub model_name: Option<String>,
    /// Name of the source file of each clip, without folder and extension; parallel to the scene's clips, for
    /// clips whose name is missing or not unique.
    pub file_stems: Vec<String>,
    /// A human figure in metres, Y up, whose bone lengths the written bones get, for variants that [take a
    /// figure](super::Format::takes_figure); `None` keeps the lengths of the scene's bones.
    pub figure: Option<Box<Scene>>,
}

/// A change of a document that stays within its format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edit {
    /// Write as another variant.
    pub variant: Option<String>,
    /// Group keys by target, then sort by time.
    pub sort: bool,
    /// The name of the model for which a motion was made.
    pub model_name: Option<String>,
}

impl Edit {
    /// True if no change is asked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Options of adding clips to a document.
#[derive(Clone, Debug, Default)]
pub struct Attach {
    /// Names of the clips' targets → names in the document.
    pub names: NameMap,
    /// Remove the animations already in the document.
    pub replace: bool,
    /// Keep channels that equal the rest pose throughout.
    pub keep_constant: bool,
    /// Name for each clip of the scene whose name is empty or taken; parallel to the scene's clips.
    pub file_stems: Vec<String>,
}

/// Names of one file → names of another. A name without an entry means itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameMap {
    pairs: BTreeMap<String, String>,
    /// The pairs of the figure that takes a motion; `None` if they are those of the motion.
    figure: Option<BTreeMap<String, String>>,
}

impl NameMap {
    /// A map with the given pairs; a later pair replaces an earlier one of the same name.
    pub fn new(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        Self { pairs: map(pairs), figure: None }
    }

    /// This map for a motion, and another one for the figure that takes the motion: both files may have nodes with the same name.
    #[must_use]
    pub fn with_figure(self, figure: Self) -> Self {
        Self { pairs: self.pairs, figure: Some(figure.pairs) }
    }

    /// The map of the figure that takes a motion.
    #[must_use]
    pub fn of_figure(&self) -> Self {
        Self { pairs: self.figure.as_ref().unwrap_or(&self.pairs).clone(), figure: None }
    }

    /// This map with further pairs; existing entries stay.
    #[must_use]
    pub fn with(&self, pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut all = self.clone();
        for (name, other) in pairs {
            all.pairs.entry(name).or_insert(other);
        }
        all
    }

    /// This map without the pairs whose new name passes a test.
    #[must_use]
    pub fn without(&self, test: impl Fn(&str) -> bool) -> Self {
        let pairs = self.pairs.iter().filter(|(_, other)| !test(other));
        Self::new(pairs.map(|(name, other)| (name.clone(), other.clone())))
    }

    /// True if a name that passes a test has another name.
    #[must_use]
    pub fn maps(&self, test: impl Fn(&str) -> bool) -> bool {
        self.pairs.keys().any(|name| test(name))
    }

    /// Names and their other names, in the order of names.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, other)| (name.as_str(), other.as_str()))
    }

    /// The name on the other side of `name`.
    #[must_use]
    pub fn get<'a>(&'a self, name: &'a str) -> &'a str {
        self.pairs.get(name).map_or(name, String::as_str)
    }

    /// True if every name means itself.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.figure.as_ref().is_none_or(BTreeMap::is_empty)
    }
}
