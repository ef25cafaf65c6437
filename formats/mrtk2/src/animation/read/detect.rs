//! Detection of the key shape, of two, in a file of version 1.1.
//!
//! The documentation says 28 bytes per key, MRTK writes 8, and no field tells. Both readings are tried; in a
//! wrong reading, the header of the next curve lies inside number data and is wildly implausible.

use super::super::document::{Document, KeyShape, Version};
use super::walk::{CODES, Parts, Walk, walk};
use dopesheet_core::bytes::Cursor;

/// The chosen reading, and whether the other reading would do as well.
#[derive(Debug)]
pub(in crate::animation) struct Detected<'a> {
    pub(in crate::animation) walk: Walk<'a>,
    pub(in crate::animation) is_ambiguous: bool,
}

/// Chooses a reading of everything behind the flags of a file of `length` bytes.
pub(in crate::animation) fn detect(
    cursor: Cursor<'_>,
    length: usize,
    version: Version,
    parts: Parts,
) -> Detected<'_> {
    let full = walk(cursor.clone(), length, parts, KeyShape::Full);
    let sure = |walk| Detected { walk, is_ambiguous: false };
    if version == Version::V1_0 {
        return sure(full);
    }
    let simple = walk(cursor, length, parts, KeyShape::Simple);
    let same = simple.is_done() && full.is_done() && !simple.has_number_keys() && !full.has_number_keys();
    match (simple.is_exact(), full.is_exact()) {
        _ if same => sure(simple),
        (true, false) => sure(unless_other_is_better(simple, full)),
        (false, true) => sure(unless_other_is_better(full, simple)),
        (true, true) => Detected { walk: more_plausible(simple, full), is_ambiguous: true },
        (false, false) => sure(match (simple.is_done(), full.is_done()) {
            (true, true) => more_plausible(simple, full),
            (true, false) => simple,
            (false, true) => full,
            (false, false) if full.good() > simple.good() => full,
            (false, false) => simple,
        }),
    }
}

/// Chooses a reading of the file made from a document.
pub(in crate::animation) fn of_document<'a>(document: &Document, bytes: &'a [u8]) -> Detected<'a> {
    let parts = [document.camera.is_some(), document.hands.is_some(), document.gaze.is_some()];
    let body = bytes.get(document.body_start()..).unwrap_or_default();
    detect(Cursor::new(body, CODES), bytes.len(), document.version, parts)
}

/// A reading that comes out even, unless it is implausible and the other reading is sound except for its end.
fn unless_other_is_better<'a>(even: Walk<'a>, other: Walk<'a>) -> Walk<'a> {
    let may_be_better = other.is_done() || matches!(other.stop, Some((_, true)));
    if !may_be_better || even.violations() == 0 {
        return even;
    }
    let is_better = if other.is_done() { other.violations() == 0 } else { other.failed_in_markers_only() };
    if is_better { other } else { even }
}

fn more_plausible<'a>(simple: Walk<'a>, full: Walk<'a>) -> Walk<'a> {
    if full.violations() < simple.violations() { full } else { simple }
}
