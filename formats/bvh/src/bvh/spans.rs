//! Spans of the values in the text, for the places of `check` and the replacements of `write`.

pub(super) use dopesheet_core::bytes::text::Span;

/// Spans of everything in a [`Motion`](super::Motion).
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Spans {
    pub(super) joints: Vec<JointSpans>,
    pub(super) announced_frames: Span,
    pub(super) frame_time: Span,
    /// First possible offset of the first frame.
    pub(super) rows_start: usize,
    /// Spans of the frames, from the first to the last number of each. Lines may end in between.
    pub(super) rows: Vec<Span>,
}

/// Places of the parts of a joint.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct JointSpans {
    /// The word of the joint's kind.
    pub(super) word: usize,
    /// The joint's name; empty, at the position for a name, if the joint has none.
    pub(super) name: Span,
    /// The numbers of the joint's offset; `None` without an offset.
    pub(super) offset: Option<[Span; 3]>,
    /// The word in front of the joint's channels; `None` without channels.
    pub(super) channels: Option<usize>,
}
