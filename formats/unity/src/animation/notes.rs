//! Names as stored in files, and facts of a clip known to this format only, as JSON carried by the clip
//! (`Clip::source`).

use super::ID;
use super::document::{Clip, FloatCurve, ObjectReference};
use dopesheet_core::order::map;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;

const FORMAT: &str = "format";
const VERSION: &str = "serializedVersion";
const WRAP_MODE: &str = "wrapMode";
const LEGACY: &str = "legacy";
const PROPERTIES: &str = "properties";
const PATH: &str = "path";
const CLASS: &str = "classID";
const SCRIPT: &str = "script";

/// Replacement for a slash in a name, and for an empty name.
const FILLER: &str = "_";

/// A name as stored in a path: without slashes, which separate names.
pub(super) fn stored_name(name: &str) -> Cow<'_, str> {
    match name {
        "" => Cow::Borrowed(FILLER),
        _ if name.contains('/') => Cow::Owned(name.replace('/', FILLER)),
        _ => Cow::Borrowed(name),
    }
}

/// The component with the property moved by a float curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Component {
    pub(super) path: String,
    pub(super) class_id: i64,
    pub(super) script: ObjectReference,
}

impl Component {
    pub(super) fn of(curve: &FloatCurve) -> Self {
        Self { path: curve.path.clone(), class_id: curve.class_id, script: curve.script.clone() }
    }

    /// Label of its track: unique among all components of a clip.
    pub(super) fn label(&self) -> String {
        let script = self.script.guid.as_deref().map(|guid| format!(" {guid}")).unwrap_or_default();
        format!("{} ({}{script})", self.path, self.class_id)
    }
}

/// The notes of a clip.
pub(super) fn write(clip: &Clip, components: &[Component]) -> Value {
    let mut notes = Map::new();
    notes.insert(FORMAT.into(), ID.into());
    notes.insert(VERSION.into(), json!(clip.serialized_version));
    notes.insert(WRAP_MODE.into(), clip.wrap_mode.into());
    notes.insert(LEGACY.into(), clip.legacy.into());
    let component = |component: &Component| {
        let script = &component.script;
        let value = json!({
            PATH: component.path,
            CLASS: component.class_id,
            SCRIPT: [json!(script.file_id), json!(script.guid), json!(script.kind)],
        });
        (component.label(), value)
    };
    let properties: Map<String, Value> = components.iter().map(component).collect();
    if !properties.is_empty() {
        notes.insert(PROPERTIES.into(), properties.into());
    }
    notes.into()
}

/// Notes made by [`write`], for clips from this format.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Notes {
    /// True if there are any.
    pub(super) is_own: bool,
    pub(super) serialized_version: Option<i64>,
    pub(super) wrap_mode: i64,
    pub(super) legacy: bool,
    /// Components by the labels of their tracks.
    pub(super) components: BTreeMap<String, Component>,
}

/// Reads notes; notes of other formats count as empty, and so do parts not in the form of [`write`].
pub(super) fn read(source: Option<&Value>) -> Notes {
    let Some(notes) = source.filter(|notes| notes[FORMAT] == ID) else { return Notes::default() };
    let component = |(label, value): (&String, &Value)| {
        let script = &value[SCRIPT];
        let component = Component {
            path: value[PATH].as_str()?.to_owned(),
            class_id: value[CLASS].as_i64()?,
            script: ObjectReference {
                file_id: script[0].as_i64().unwrap_or(0),
                guid: script[1].as_str().map(str::to_owned),
                kind: script[2].as_i64(),
            },
        };
        Some((label.clone(), component))
    };
    Notes {
        is_own: true,
        serialized_version: notes[VERSION].as_i64(),
        wrap_mode: notes[WRAP_MODE].as_i64().unwrap_or(0),
        legacy: notes[LEGACY].as_bool().unwrap_or(false),
        components: map(notes[PROPERTIES].as_object().into_iter().flatten().filter_map(component)),
    }
}
