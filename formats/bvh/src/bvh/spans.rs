//! Places of the values in the text, which `check` points at and `write` replaces.

pub(super) use dopesheet_core::bytes::text::Span;

/// Places of everything that a [`Motion`](super::Motion) holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Spans {
    pub(super) joints: Vec<JointSpans>,
    pub(super) announced_frames: Span,
    pub(super) frame_time: Span,
    /// Offset at which the first frame may stand.
    pub(super) rows_start: usize,
    /// Spans of the frames, from the first to the last number of each. Lines may end in between.
    pub(super) rows: Vec<Span>,
}

/// Places of the parts of a joint.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct JointSpans {
    /// The word that introduces it.
    pub(super) word: usize,
    /// Its name; empty, and where it would stand, if it has none.
    pub(super) name: Span,
    /// The numbers of its offset; `None` without one.
    pub(super) offset: Option<[Span; 3]>,
    /// The word in front of its channels; `None` without one.
    pub(super) channels: Option<usize>,
}
