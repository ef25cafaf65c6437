//! Fields common to all parts of a model: texts, English names and indices.

use crate::pmd::document::{Document, English, Index};
use crate::pmx;
use crate::text::{Name, decode};

/// The encoding of lifted texts.
pub(super) const ENCODING: pmx::Encoding = pmx::Encoding::Utf8;

/// The English names, if the file has any.
pub(super) fn english(document: &Document) -> Option<&English> {
    document.english.as_ref().filter(|english| english.flag != 0)
}

pub(super) fn text<const N: usize>(name: &Name<N>) -> pmx::Text {
    pmx::Text::new(&name.text(), ENCODING)
}

/// The text of a name from a list possibly shorter than the list of named items.
pub(super) fn text_at<const N: usize>(names: Option<&[Name<N>]>, position: usize) -> pmx::Text {
    names.and_then(|names| names.get(position)).map(text).unwrap_or_default()
}

pub(super) fn text_of(bytes: &[u8]) -> pmx::Text {
    pmx::Text::new(&decode(bytes).text, ENCODING)
}

pub(super) fn index(index: Index) -> pmx::Index {
    index.get().map_or(pmx::Index::NONE, pmx::Index::of)
}
