//! Facts about a motion known to MORE only, as JSON carried by its clip and markers.
//!
//! With these notes a motion can come back from a format without a place for such facts.

use super::animation::{Animation, Body, Event, Instant, TrackType};
use super::clip::{Clip, ClipContent, TimeMap};
use super::document::Document;
use super::info::{ID, variant_of};
use crate::text::Name;
use dopesheet_core::model::Marker;
use dopesheet_core::units::Seconds;
use serde_json::{Map, Value, json};

const FORMAT: &str = "format";
const VERSION: &str = "version";
const NAME: &str = "name";
const DURATION: &str = "duration";
const IS_DELTA: &str = "isDelta";
const INSTANTS: &str = "instants";
const USER: &str = "user";
const VALUE: &str = "value";
const USER_DATA: &str = "userData";
const TRACK: &str = "track";
const CLIP: &str = "clip";

/// The notes of an animation.
pub(super) fn write(document: &Document, animation: &Animation) -> Value {
    let mut notes = Map::new();
    notes.insert(FORMAT.into(), ID.into());
    notes.insert(VERSION.into(), variant_of(document.version, document.endian).into());
    if let Some(name) = &animation.name {
        notes.insert(NAME.into(), name.text().into());
    }
    notes.insert(DURATION.into(), json!(animation.duration));
    notes.insert(IS_DELTA.into(), animation.is_delta.into());
    if !animation.instants.is_empty() {
        notes.insert(INSTANTS.into(), animation.instants.iter().map(|i| json!([i.time, i.id])).collect());
    }
    let users = animation.tracks.iter().enumerate().filter_map(|(index, track)| match track.body {
        Body::User { terminate } => {
            Some(json!([index, track.track_type.code(), track.name.text(), terminate]))
        }
        _ => None,
    });
    let users: Vec<Value> = users.collect();
    if !users.is_empty() {
        notes.insert(USER.into(), users.into());
    }
    notes.into()
}

/// Adds a clip's statements about playback, and converts the marks for synchronisation to the clip's time.
pub(super) fn add_clip(notes: &mut Value, clip: &Clip, map: &TimeMap) {
    let Some(notes) = notes.as_object_mut() else { return };
    let mut played = Map::new();
    played.insert("layerID".into(), clip.layer_id.into());
    played.insert("isLooping".into(), clip.is_looping.into());
    played.insert("timeScale".into(), json!(clip.time_scale));
    if let Some(transition) = clip.transition {
        played.insert("blending".into(), json!(transition.blending));
        played.insert("transitionIn".into(), json!(transition.fade_in));
        played.insert("transitionOut".into(), json!(transition.fade_out));
    }
    if let Some(warp) = &clip.time_warp {
        played.insert("timeWarp".into(), json!(warp));
    }
    if let ClipContent::Synchronised { blendings, adjust_durations, .. } = &clip.content {
        played.insert("blendings".into(), json!(blendings));
        played.insert("adjustDurations".into(), json!(adjust_durations));
    }
    notes.insert(CLIP.into(), played.into());
    if let Some(Value::Array(instants)) = notes.get_mut(INSTANTS) {
        let moved = |mark: &Value| {
            let time = map.when(mark[0].as_f64()?).first().copied()? as f32;
            Some(json!([time, mark[1]]))
        };
        *instants = instants.iter().filter_map(moved).collect();
    }
}

/// An event as a marker under its track's name.
pub(super) fn marker(track: usize, name: &str, event: &Event) -> Marker {
    let mut data = Map::new();
    data.insert(VALUE.into(), event.value.into());
    data.insert(USER_DATA.into(), event.user_data.text().into());
    data.insert(TRACK.into(), track.into());
    Marker { time: moment(event.time), name: name.to_owned(), data: Some(data.into()) }
}

/// The event of a marker from this format; for other markers, an event with the marker's data as text.
pub(super) fn event(marker: &Marker) -> Event {
    let noted = marker.data.as_ref().filter(|data| data[VALUE].is_u64() && data[USER_DATA].is_string());
    let user_data = match (noted, &marker.data) {
        (Some(data), _) => data[USER_DATA].as_str().unwrap_or_default().to_owned(),
        (None, Some(Value::String(text))) => text.clone(),
        (None, Some(other)) => other.to_string(),
        (None, None) => String::new(),
    };
    let value = noted.and_then(|data| data[VALUE].as_u64()).and_then(|value| u32::try_from(value).ok());
    Event { time: marker.time.0 as f32, value: value.unwrap_or(0), user_data: Name::new(&user_data) }
}

/// Notes made by [`write`], for clips from MORE.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Notes {
    /// The name of the animation.
    pub(super) name: Option<String>,
    /// True if its values are offsets from the pose of a model.
    pub(super) is_delta: bool,
    /// Marks for synchronisation.
    pub(super) instants: Vec<Instant>,
    /// User tracks: type, name and terminate switch.
    pub(super) users: Vec<(TrackType, String, bool)>,
}

/// Reads notes; notes of other formats count as empty, and so do parts not in the form of [`write`].
pub(super) fn read(source: Option<&Value>) -> Notes {
    let Some(notes) = source.filter(|notes| notes[FORMAT] == ID) else { return Notes::default() };
    Notes {
        name: notes[NAME].as_str().map(str::to_owned),
        is_delta: notes[IS_DELTA] == true,
        instants: list(&notes[INSTANTS]).filter_map(instant).collect(),
        users: list(&notes[USER]).filter_map(user).collect(),
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn instant(value: &Value) -> Option<Instant> {
    Some(Instant { time: value[0].as_f64()? as f32, id: u16::try_from(value[1].as_u64()?).ok()? })
}

fn user(value: &Value) -> Option<(TrackType, String, bool)> {
    let track_type = TrackType::new(u32::try_from(value[1].as_u64()?).ok()?)?;
    Some((track_type, value[2].as_str()?.to_owned(), value[3].as_bool()?))
}

/// The time of a marker.
pub(super) fn moment(time: f32) -> Seconds {
    Seconds(f64::from(time))
}
