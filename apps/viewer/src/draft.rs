//! The operation being chosen.

use serde_json::{Map, Value};

/// Words of the operations in the menu, with their effects.
pub(crate) const OFFERED: [(&str, &str); 7] = [
    ("trim", "Leave out what is before and after a range"),
    ("delete", "Leave out a range, and close the gap"),
    ("mirror", "Exchange left and right"),
    ("reverse", "Play backwards"),
    ("retime", "Play faster or slower"),
    ("shift", "Move all keys in time"),
    ("loop", "Make the end meet the start"),
];

/// An operation before it is applied.
#[derive(Debug)]
pub(crate) struct Draft {
    /// Word of the operation.
    pub(crate) word: &'static str,
    /// Values of its options, as they were written.
    pub(crate) given: Map<String, Value>,
}

impl Default for Draft {
    fn default() -> Self {
        Self { word: OFFERED[0].0, given: Map::new() }
    }
}
