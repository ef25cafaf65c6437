//! Facts known to recordings only, as notes carried by a clip.

use super::codes;
use super::document::Entry;
use super::document::Recording;
use super::info::ID;
use super::read::{TextSpans, read_schema};
use super::write::schema_text;
use dopesheet_core::bytes::json::{JsonCursor, value};
use serde_json::{Value, json};

/// The notes of a recording.
pub(super) fn write(recording: &Recording) -> Value {
    let schema = value(&schema_text(&recording.schema)).unwrap_or_default();
    let start = recording.frames.iter().map(|frame| frame.time_ms).fold(f64::INFINITY, f64::min);
    json!({ "format": ID, "start_ms": if start.is_finite() { start } else { 0.0 }, "schema": schema })
}

/// Notes of a clip made from a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Notes {
    /// Time of its first frame.
    pub(super) start_ms: f64,
    /// Its input sources.
    pub(super) schema: Vec<Entry>,
}

/// The notes of a clip; empty for notes of other formats and for invalid notes.
pub(super) fn read(source: Option<&Value>) -> Notes {
    let notes_of_iwer = source.filter(|notes| notes.get("format").and_then(Value::as_str) == Some(ID));
    let schema = notes_of_iwer.and_then(|notes| notes.get("schema")).and_then(|schema| {
        read_schema(&mut JsonCursor::from_text(&schema.to_string(), codes::SYNTAX), &mut TextSpans::default())
            .ok()
    });
    let start = notes_of_iwer.and_then(|notes| notes.get("start_ms")).and_then(Value::as_f64);
    Notes { start_ms: start.filter(|ms| ms.abs() <= 1e15).unwrap_or(0.0), schema: schema.unwrap_or_default() }
}
