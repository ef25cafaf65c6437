//! Precision to which a document takes what became of its keys.

/// Precision to which a document takes the keys of a track after a change; see [`Format::held`](super::Format::held).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Held {
    /// The format decides, as for a new file.
    #[default]
    Not,
    /// All keys, rounded to what the track has room for.
    Rounded,
    /// All keys as they are.
    Exactly,
}
