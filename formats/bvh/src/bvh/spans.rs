//! Where in the text each value stands: what `check` points at and what `write` replaces.

pub(super) use dopesheet_core::bytes::text::Span;

/// Where everything stands that a [`Motion`](super::Motion) holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Spans {
    pub(super) joints: Vec<JointSpans>,
    pub(super) announced_frames: Span,
    pub(super) frame_time: Span,
    /// Where the first frame may stand.
    pub(super) rows_start: usize,
    /// From the first to the last number of each frame. Lines may end in between.
    pub(super) rows: Vec<Span>,
}

/// Where the parts of a joint stand.
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
