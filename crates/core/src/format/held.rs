//! Precision with which a document takes changed keys.

/// Precision with which a document takes the keys of a track after a change; see
/// [`Format::held`](super::Format::held).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Held {
    /// The format decides, as for a new file.
    #[default]
    Not,
    /// All keys, rounded to the precision of the track.
    Rounded,
    /// All keys exactly as they are.
    Exactly,
}
