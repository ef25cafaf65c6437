//! JSON with positions: a pull reader that knows where it is, and a compact writer.
//!
//! Text formats must keep their source text and change only what was edited, and must name line, column and
//! pointer of every fault. Tree parsers lose both, so the rooms of JSON formats read with this cursor; what they
//! do not know they [`skip`](JsonCursor::skip), which yields the span of the text that holds it.

mod number;
mod read;
mod string;
mod tree;
mod write;

pub use read::{JsonCodes, JsonCursor, JsonKind, Span};
pub use tree::value;
pub use write::{JsonWriter, NumberStyle};
