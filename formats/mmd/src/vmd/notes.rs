//! Facts of a motion known to VMD only, as JSON carried by its clip: `Clip::source`.
//!
//! With these notes a motion can come back from a format without a place for such facts. Frames in the notes
//! count from the start of the whole clip, so the notes are used only while the clip has its original length.

use super::curves::Physics;
use super::document::{Document, IkSwitch, ModelKeyframe, ShadowKeyframe};
use super::info::ID;
use crate::text::Name;
use dopesheet_core::order::map;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

const FORMAT: &str = "format";
const SIGNATURE: &str = "signature";
const MODEL: &str = "model";
const LAST_FRAME: &str = "last_frame";
const PHYSICS_OFF: &str = "physics_off";
const SELF_SHADOW: &str = "self_shadow";
const SHOW_IK: &str = "show_ik";

/// The notes of a document; `last_frame` is its last playable frame.
pub(super) fn write(document: &Document, last_frame: u32) -> Value {
    let mut notes = Map::new();
    notes.insert(FORMAT.into(), ID.into());
    notes.insert(SIGNATURE.into(), document.signature.text().into());
    notes.insert(MODEL.into(), document.model.text().into());
    notes.insert(LAST_FRAME.into(), last_frame.into());
    let physics = physics_off(document);
    if !physics.is_empty() {
        notes.insert(PHYSICS_OFF.into(), physics.into());
    }
    if !document.shadows.is_empty() {
        let keys = document.shadows.iter().map(|key| json!([key.frame, key.mode, key.distance]));
        notes.insert(SELF_SHADOW.into(), keys.collect());
    }
    if !document.models.is_empty() {
        notes.insert(SHOW_IK.into(), document.models.iter().map(show_ik).collect());
    }
    notes.into()
}

/// Per bone the frames of the keys that switch physics off.
fn physics_off(document: &Document) -> Map<String, Value> {
    let mut bones: Map<String, Value> = Map::new();
    for key in document.bones.iter().filter(|key| key.physics() == Physics::Off) {
        let frames = bones.entry(key.name.text()).or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(frames) = frames {
            frames.push(key.frame.into());
        }
    }
    bones
}

fn show_ik(key: &ModelKeyframe) -> Value {
    let switches = key.ik.iter().map(|switch| json!([switch.name.text(), switch.enabled]));
    json!([key.frame, key.visible, switches.collect::<Value>()])
}

/// Content of the notes of [`write`], for clips from VMD.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Notes {
    /// Name of the model.
    pub(super) model: Option<String>,
    /// Last frame of the clip when the notes were written.
    pub(super) last_frame: Option<u64>,
    /// Per bone the frames of keys that switch physics off.
    pub(super) physics_off: BTreeMap<String, BTreeSet<u64>>,
    /// Self-shadow keys.
    pub(super) shadows: Vec<ShadowKeyframe>,
    /// Show/IK keys.
    pub(super) models: Vec<ModelKeyframe>,
}

/// Reads notes; notes of other formats count as empty, and so do parts not in the form of [`write`].
pub(super) fn read(source: Option<&Value>) -> Notes {
    let Some(notes) = source.filter(|notes| notes[FORMAT] == ID) else { return Notes::default() };
    let off = notes[PHYSICS_OFF].as_object().into_iter().flatten();
    let off = off.map(|(bone, frames)| (bone.clone(), list(frames).filter_map(Value::as_u64).collect()));
    Notes {
        model: notes[MODEL].as_str().map(str::to_owned),
        last_frame: notes[LAST_FRAME].as_u64(),
        physics_off: map(off),
        shadows: list(&notes[SELF_SHADOW]).filter_map(shadow).collect(),
        models: list(&notes[SHOW_IK]).filter_map(model).collect(),
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn whole<T: TryFrom<u64>>(value: &Value) -> Option<T> {
    T::try_from(value.as_u64()?).ok()
}

fn shadow(value: &Value) -> Option<ShadowKeyframe> {
    let distance = value[2].as_f64()? as f32;
    Some(ShadowKeyframe { frame: whole(&value[0])?, mode: whole(&value[1])?, distance })
}

fn model(value: &Value) -> Option<ModelKeyframe> {
    let switch = |entry: &Value| {
        let name = Name::encode(entry[0].as_str()?, true).ok()?.name;
        Some(IkSwitch { name, enabled: whole(&entry[1])? })
    };
    let ik = list(&value[2]).filter_map(switch).collect();
    Some(ModelKeyframe { frame: whole(&value[0])?, visible: whole(&value[1])?, ik })
}
