//! JSON with positions: a pull reader that tracks its position, and a compact writer.
//!
//! Text formats must keep their source text and change only edited values, and must name line, column and
//! pointer of every fault. Tree parsers lose both, so the rooms of JSON formats read with this cursor;
//! unknown values are [skipped](JsonCursor::skip), which yields the span of their text.

mod number;
mod read;
mod string;
mod tree;
mod write;

pub use read::{JsonCodes, JsonCursor, JsonKind, Span};
pub use tree::value;
pub use write::{JsonWriter, NumberStyle};
