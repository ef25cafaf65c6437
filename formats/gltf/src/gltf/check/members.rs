//! Faults that only the whole text shows: empty arrays, undeclared extensions, extras that are no objects.

use super::super::document::Document;
use crate::checks::code;
use crate::gltf::json::place::JSON_CODES;
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::json::{JsonCursor, JsonKind};
use dopesheet_core::diag::Report;

/// Reports the first of each.
pub(super) fn check(document: &Document, report: &mut Report) {
    let used = &document.parts.extensions_used;
    for rule in [Rule::EmptyArray, Rule::Undeclared(used), Rule::PlainExtras] {
        let mut cursor = JsonCursor::from_text(&document.json, JSON_CODES);
        if let Err(fault) = walk(&mut cursor, Within::Gltf, &rule) {
            report.push(super::severity(fault.code), *fault);
        }
    }
}

enum Rule<'a> {
    /// Arrays have items.
    EmptyArray,
    /// Extensions are among these.
    Undeclared(&'a [String]),
    /// Extras are objects.
    PlainExtras,
}

/// The owner of the members being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Gltf,
    /// `extensions`: members are named after extensions.
    Extensions,
    /// The members of an extension. Nothing is known of them except the places of their extensions and
    /// extras.
    Extension,
}

/// Stops at the first fault; the cursor adds its place and pointer.
fn walk(c: &mut JsonCursor<'_>, within: Within, rule: &Rule<'_>) -> Read<()> {
    let kind = c.peek()?;
    let start = c.position();
    match kind {
        JsonKind::Object => c.object(|c, name| member(c, name, within, rule)),
        JsonKind::Array => {
            let mut items = 0usize;
            c.array(|c, _| {
                items += 1;
                walk(c, within, rule)
            })?;
            if items == 0 && within == Within::Gltf && matches!(rule, Rule::EmptyArray) {
                return Err(c.fault_at(
                    start,
                    code::EMPTY_ENTITY,
                    "no array or one with items",
                    "an empty one",
                ));
            }
            Ok(())
        }
        _ => c.skip().map(drop),
    }
}

fn member(c: &mut JsonCursor<'_>, name: &str, within: Within, rule: &Rule<'_>) -> Read<()> {
    if within == Within::Extensions {
        if let Rule::Undeclared(used) = rule
            && !used.iter().any(|used_name| used_name == name)
        {
            let expected = "an extension that extensionsUsed names";
            let at = c.position();
            return Err(c.fault_at(at, code::UNDECLARED_EXTENSION, expected, format!("{name:?}")));
        }
        return walk(c, Within::Extension, rule);
    }
    match name {
        "extras" => {
            let kind = c.peek()?;
            if matches!(rule, Rule::PlainExtras) && kind != JsonKind::Object {
                let at = c.position();
                return Err(c.fault_at(at, code::NON_OBJECT_EXTRAS, "an object", kind.noun()));
            }
            c.skip().map(drop)
        }
        "extensions" => walk(c, Within::Extensions, rule),
        _ => walk(c, within, rule),
    }
}
