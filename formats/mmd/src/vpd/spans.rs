//! Position in the text of each value, for the places of `check` and the replacements of `write`.

use super::read::Span;

/// Positions of everything in a [`Pose`](super::Pose); bones and morphs in the same order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Spans {
    pub(super) parent: Span,
    pub(super) announced_bones: Span,
    /// End of the header, the first possible position of a bone or morph.
    pub(super) header_end: usize,
    pub(super) bones: Vec<Block<7>>,
    pub(super) morphs: Vec<Block<1>>,
    /// Text behind the last bone or morph; empty in most files.
    pub(super) trailing: Span,
}

/// A bone or morph.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Block<const N: usize> {
    /// From its first letter to the first possible position of the next block.
    pub(super) whole: Span,
    /// The number behind the word Bone or Morph.
    pub(super) index: Span,
    pub(super) name: Span,
    /// Its numbers, in the order of the file.
    pub(super) numbers: [Span; N],
}
