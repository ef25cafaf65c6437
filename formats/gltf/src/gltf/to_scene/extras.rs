//! `animations[i].extras`: data without a place in glTF, as written by `from_scene`.

use dopesheet_core::model::{
    Blend, Channel, Clip, Curve, Handles, Law, Laws, Looping, Marker, Property, Target, TargetKind, Times,
    Timing, Track,
};
use dopesheet_core::units::Seconds;
use serde_json::Value;
use std::borrow::Cow;

/// Adds the contents of `extras` to a clip.
pub(super) fn apply(extras: Option<Value>, clip: &mut Clip) {
    let Some(Value::Object(mut extras)) = extras else { return };
    if let Some(duration) = extras.get("duration").and_then(Value::as_f64).filter(|d| *d >= 0.0) {
        clip.duration = Seconds(duration);
    }
    clip.looping = match extras.get("loop") {
        Some(Value::Bool(true)) => Looping::Loop,
        Some(Value::Bool(false)) => Looping::Once,
        _ => Looping::Unspecified,
    };
    if let Some(Value::Array(events)) = extras.get_mut("events") {
        clip.markers.extend(events.drain(..).filter_map(marker));
    }
    if let Some(Value::Array(tracks)) = extras.get("tracks") {
        clip.tracks.extend(joined(tracks.iter().filter_map(track)));
    }
    clip.source = extras.shift_remove("source");
}

/// Tracks with one channel each as tracks with all channels of a target.
fn joined(single: impl Iterator<Item = Track>) -> Vec<Track> {
    let mut tracks: Vec<Track> = Vec::new();
    for track in single {
        match tracks.iter_mut().find(|joined_track| joined_track.target == track.target) {
            Some(joined_track) => joined_track.channels.extend(track.channels),
            None => tracks.push(track),
        }
    }
    tracks
}

/// `scenes[0].extras.clips`
pub(super) fn clips_without_channels(mut extras: Value) -> Vec<Clip> {
    let Some(Value::Array(clips)) = extras.get_mut("clips") else { return Vec::new() };
    clips
        .drain(..)
        .map(|extras| {
            let name = extras.get("name").and_then(Value::as_str).map(str::to_owned);
            let mut clip = Clip { name, ..Clip::default() };
            apply(Some(extras), &mut clip);
            clip
        })
        .collect()
}

/// `data` alone is the marker's data; if an event has other members, all its members together are the data.
fn marker(event: Value) -> Option<Marker> {
    let Value::Object(mut event) = event else { return None };
    let time = Seconds(event.shift_remove("time")?.as_f64()?);
    let name = match event.shift_remove("name") {
        Some(Value::String(name)) => name,
        _ => String::new(),
    };
    let only_data = event.len() == 1 && event.contains_key("data");
    let data = match event.len() {
        0 => None,
        _ if only_data => event.shift_remove("data"),
        _ => Some(Value::Object(event)),
    };
    Some(Marker { time, name, data })
}

fn track(stored: &Value) -> Option<Track> {
    let text = |name: &str| stored.get(name).and_then(Value::as_str);
    let numbers = |name: &str| -> Option<Vec<f64>> {
        stored.get(name)?.as_array()?.iter().map(Value::as_f64).collect()
    };
    let times = numbers("times").filter(|times| !times.is_empty() && times.is_sorted())?;
    let values = numbers("values")?;
    let words: Vec<&str> = match stored.get("law") {
        Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).collect(),
        law => vec![law.and_then(Value::as_str).unwrap_or("LINEAR")],
    };
    let is_cubic = words.contains(&"CUBICSPLINE");
    let stride = values.len() / times.len();
    let width = if is_cubic { stride / 3 } else { stride };
    if width == 0 || width * (1 + 2 * usize::from(is_cubic)) * times.len() != values.len() {
        return None;
    }
    let part = |number: usize| -> Vec<f32> {
        let keys = values.chunks_exact(stride);
        keys.flat_map(|key| &key[number * width..(number + 1) * width])
            .map(|value| super::accessor::narrow(*value))
            .collect()
    };
    let laws = Laws::from_segments(words.into_iter().map(law));
    let mut curve = Curve::new(Times::Seconds(times.into()), width, part(usize::from(is_cubic)), laws);
    if is_cubic {
        curve.handles = Some(Box::new(Handles { arriving: part(0), leaving: part(2) }));
    }
    let index = stored.get("index").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok());
    let kind = text("kind").map_or(TargetKind::Custom, word_kind);
    let mut target = Target::new(kind, text("name")?, index.unwrap_or(0), None);
    target.label = text("label").map(str::to_owned);
    let property = text("property").map_or(Property::Value, property);
    Some(Track { target, channels: vec![Channel::whole(property, curve)] })
}

/// The law with a word of glTF's.
fn law(word: &str) -> Law {
    match word {
        "STEP" => Law::STEP,
        "CUBICSPLINE" => Law { timing: Timing::Linear, blend: Blend::Hermite },
        _ => Law::LINEAR,
    }
}

/// The kind of target with a word of [`TargetKind::word`]; an unknown kind has no place in space.
fn word_kind(word: &str) -> TargetKind {
    [TargetKind::Camera, TargetKind::Light, TargetKind::Hand, TargetKind::Morph, TargetKind::Joint]
        .into_iter()
        .find(|kind| kind.word() == word)
        .unwrap_or(TargetKind::Custom)
}

/// The property with a word of [`Property::word`].
fn property(word: &str) -> Property {
    let properties = [
        Property::Weight,
        Property::Visible,
        Property::Enabled,
        Property::YFov,
        Property::Orthographic,
        Property::Color,
        Property::Intensity,
        Property::Direction,
        Property::Origin,
        Property::Value,
    ];
    let same = properties.into_iter().find(|property| property.word() == word);
    same.unwrap_or_else(|| Property::Named(Cow::Owned(word.to_owned())))
}
