//! Facts about a recording known to this format only, as JSON carried by its clip (`Clip::source`) and its
//! root node.

use super::document::{AnyCurve, Document, Version, Wrap};
use super::info::{self, ID};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

const FORMAT: &str = "format";
const VERSION: &str = "version";
const SHAPE: &str = "shape";
const FLAGS: &str = "flags";
const WRAP: &str = "wrap";
const BOOLS: &str = "bools";

/// Version, shape and flags.
pub(super) fn of_file(document: &Document) -> Value {
    let flags = [document.camera.is_some(), document.hands.is_some(), document.gaze.is_some()];
    json!({
        FORMAT: ID,
        VERSION: document.version.word(),
        SHAPE: info::shape_word(document),
        FLAGS: flags,
    })
}

/// The notes of a document.
pub(super) fn write(document: &Document) -> Value {
    let mut notes = Map::new();
    notes.insert(FORMAT.into(), ID.into());
    notes.insert(VERSION.into(), document.version.word().into());
    notes.insert(SHAPE.into(), info::shape_word(document).into());
    let wrap: Map<String, Value> = document
        .curves()
        .filter(|(_, curve)| !curve.is_empty() && !is_clamp(curve.wrap()))
        .map(|(name, curve)| (name.to_string(), json!([curve.wrap().before, curve.wrap().after])))
        .collect();
    if !wrap.is_empty() {
        notes.insert(WRAP.into(), wrap.into());
    }
    let bools: Map<String, Value> = document
        .curves()
        .filter_map(|(name, curve)| match curve {
            AnyCurve::Switch(curve) if !curve.keys.is_empty() => Some((name.to_string(), curve)),
            _ => None,
        })
        .map(|(name, curve)| {
            let keys = curve.keys.iter().filter(|key| key.time.is_finite());
            (name, keys.map(|key| json!([key.time, key.value > 0.5])).collect())
        })
        .collect();
    if !bools.is_empty() {
        notes.insert(BOOLS.into(), bools.into());
    }
    notes.into()
}

/// True if both modes equal the behaviour of readers without wrap modes.
const fn is_clamp(wrap: Wrap) -> bool {
    matches!((wrap.before, wrap.after), (0 | 1 | 8, 0 | 1 | 8))
}

/// Notes made by [`write`], for clips from this format.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Notes {
    /// True if the file was of version 1.0.
    pub(super) is_1_0: bool,
    /// The wrap modes of curves, by their names.
    pub(super) wraps: HashMap<String, Wrap>,
}

/// Reads notes; notes of other formats count as empty, and so do parts not in the form of [`write`].
pub(super) fn read(source: Option<&Value>) -> Notes {
    let Some(notes) = source.filter(|notes| notes[FORMAT] == ID) else { return Notes::default() };
    let mode = |value: &Value| i32::try_from(value.as_i64()?).ok();
    let wrap = |(name, modes): (&String, &Value)| {
        Some((name.clone(), Wrap { before: mode(&modes[0])?, after: mode(&modes[1])? }))
    };
    Notes {
        is_1_0: notes[VERSION] == Version::V1_0.word(),
        wraps: notes[WRAP].as_object().into_iter().flatten().filter_map(wrap).collect(),
    }
}
