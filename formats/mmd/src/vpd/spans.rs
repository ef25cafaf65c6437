//! Where in the text each value stands: what `check` points at and what `write` replaces.

use super::scan::Span;

/// Where everything stands that a [`Pose`](super::Pose) holds; bones and morphs in the same order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Spans {
    pub(super) parent: Span,
    pub(super) announced_bones: Span,
    /// Where the first bone or morph may stand.
    pub(super) header_end: usize,
    pub(super) bones: Vec<Block<7>>,
    pub(super) morphs: Vec<Block<1>>,
    /// Text behind the last bone or morph that is neither; empty in most files.
    pub(super) trailing: Span,
}

/// A bone or morph.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Block<const N: usize> {
    /// From its first letter to where the next one may stand.
    pub(super) whole: Span,
    /// The number behind the word Bone or Morph.
    pub(super) index: Span,
    pub(super) name: Span,
    /// Its numbers, in the order of the file.
    pub(super) numbers: [Span; N],
}
