//! JSON pointer → place in the text. Nothing is remembered while reading; a fault looks its place up.

use crate::checks::code;
use dopesheet_core::bytes::json::{JsonCodes, JsonCursor, JsonKind, Span};
use dopesheet_core::diag::{Code, Fault, Place};
use std::borrow::Cow;

/// The words for the faults that any JSON file can have.
pub(super) const JSON_CODES: JsonCodes = JsonCodes { syntax: code::INVALID_JSON };

/// Where the value that a JSON pointer names stands in the text; `None` if there is none.
pub(super) fn span(json: &str, pointer: &str) -> Option<Span> {
    let tokens: Vec<String> =
        pointer.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~")).collect();
    find(&mut JsonCursor::from_text(json, JSON_CODES), &tokens)
}

fn find(c: &mut JsonCursor<'_>, tokens: &[String]) -> Option<Span> {
    let Some((first, rest)) = tokens.split_first() else {
        return c.skip().ok();
    };
    let mut found = None;
    match c.peek().ok()? {
        JsonKind::Object => c.object(|c, name| {
            if name == first {
                found = find(&mut c.clone(), rest);
            }
            c.skip().map(drop)
        }),
        JsonKind::Array => c.array(|c, index| {
            if first.parse() == Ok(index) {
                found = find(&mut c.clone(), rest);
            }
            c.skip().map(drop)
        }),
        _ => return None,
    }
    .ok()?;
    found
}

/// A fault at the value that a JSON pointer names, or at the nearest enclosing value that exists.
pub(super) fn fault(
    json: &str,
    pointer: &str,
    code: Code,
    expected: impl Into<Cow<'static, str>>,
    found: impl Into<Cow<'static, str>>,
) -> Box<Fault> {
    let mut known = pointer;
    let at = loop {
        match (span(json, known), known.rsplit_once('/')) {
            (Some(span), _) => break span.start,
            (None, Some((parent, _))) => known = parent,
            (None, None) => break 0,
        }
    };
    let mut fault = JsonCursor::from_text(json, JSON_CODES).fault_at(at, code, expected, found);
    if let Place::Text { pointer: own, .. } = &mut fault.place {
        pointer.clone_into(own);
    }
    fault
}
