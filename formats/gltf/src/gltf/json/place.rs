//! JSON pointer → place in the text. Nothing is remembered while reading; a fault looks its place up.

use crate::checks::code;
use dopesheet_core::bytes::json::{JsonCodes, JsonCursor, JsonKind, Span};
use dopesheet_core::diag::{Code, Fault, Place};
use std::borrow::Cow;

/// The codes for faults possible in any JSON file.
pub(crate) const JSON_CODES: JsonCodes = JsonCodes { syntax: code::INVALID_JSON };

/// Span in the text of the value named by a JSON pointer; `None` if the value does not exist.
pub(crate) fn span(json: &str, pointer: &str) -> Option<Span> {
    let tokens: Vec<String> =
        pointer.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~")).collect();
    find(&mut JsonCursor::from_text(json, JSON_CODES), &tokens)
}

fn find(c: &mut JsonCursor<'_>, tokens: &[String]) -> Option<Span> {
    let Some((first, rest)) = tokens.split_first() else { return c.skip().ok() };
    let mut value_span = None;
    match c.peek().ok()? {
        JsonKind::Object => c.object(|c, name| {
            if name == first {
                value_span = find(&mut c.clone(), rest);
            }
            c.skip().map(drop)
        }),
        JsonKind::Array => c.array(|c, index| {
            if first.parse() == Ok(index) {
                value_span = find(&mut c.clone(), rest);
            }
            c.skip().map(drop)
        }),
        _ => return None,
    }
    .ok()?;
    value_span
}

/// A fault at the value named by a JSON pointer, or at the nearest existing value around that place.
pub(crate) fn fault(
    json: &str,
    pointer: &str,
    code: Code,
    expected: impl Into<Cow<'static, str>>,
    found: impl Into<Cow<'static, str>>,
) -> Box<Fault> {
    let mut existing = pointer;
    let at = loop {
        match (span(json, existing), existing.rsplit_once('/')) {
            (Some(span), _) => break span.start,
            (None, Some((parent, _))) => existing = parent,
            (None, None) => break 0,
        }
    };
    let mut fault = JsonCursor::from_text(json, JSON_CODES).fault_at(at, code, expected, found);
    if let Place::Text { pointer: stated_pointer, .. } = &mut fault.place {
        pointer.clone_into(stated_pointer);
    }
    fault
}
