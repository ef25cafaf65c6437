//! The text of a document: in the recorder's spelling, or the text that was read, with the numbers changed
//! since.

use super::document::{Document, Recording};
use super::read::{TextSpans, parse};
use super::write;
use dopesheet_core::bytes::json::Span;
use std::borrow::Cow;

/// The text to be written for a document.
pub(super) fn text(document: &Document) -> Cow<'_, str> {
    match &document.source {
        None => Cow::Owned(write::text(&document.recording)),
        Some(source) if !document.edited => Cow::Borrowed(source),
        Some(source) => {
            let spliced = spliced(source, &document.recording);
            Cow::Owned(spliced.unwrap_or_else(|| write::text(&document.recording)))
        }
    }
}

/// The text with the differing numbers replaced; `None` if anything else differs.
fn spliced(source: &str, recording: &Recording) -> Option<String> {
    let mut places = TextSpans::kept();
    let before = parse(source, &mut places).ok()?;
    if !have_one_shape(&before, recording) {
        return None;
    }
    let numbers = |recording: &Recording| -> Vec<f64> {
        recording.frames.iter().flat_map(|frame| frame.numbers().collect::<Vec<_>>()).collect()
    };
    let (before, after) = (numbers(&before), numbers(recording));
    let mut out = String::with_capacity(source.len());
    let mut written = 0;
    for ((Span { start, end }, before), after) in places.numbers.into_iter().zip(before).zip(after) {
        if before.to_bits() != after.to_bits() {
            out.push_str(source.get(written..start)?);
            out.push_str(&write::number_text(after));
            written = end;
        }
    }
    out.push_str(source.get(written..)?);
    Some(out)
}

/// True if two recordings differ in nothing but the numbers of their frames.
fn have_one_shape(recording: &Recording, other: &Recording) -> bool {
    let frames = || recording.frames.iter().zip(&other.frames);
    recording.schema == other.schema
        && recording.frames.len() == other.frames.len()
        && frames().all(|(a, b)| a.is_like(b))
}
