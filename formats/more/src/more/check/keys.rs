//! Names, types, and the order of keys.

use super::CheckFn;
use super::visit::{Located, Subject};
use crate::more::animation::{Animation, Body, ValueType};
use crate::more::codes;
use dopesheet_core::format::SightingsByCode;
use dopesheet_core::order::by_number;
use std::collections::HashMap;

pub(super) const CHECKS: &[CheckFn] = &[
    rare_type,
    trailing_nul,
    terminate_false,
    displacement_kind,
    unsorted,
    duplicate_time,
    negative_time,
    key_after_duration,
];

/// Tolerated rounding of times, in seconds: a step of a 16-bit time.
const SLACK_S: f64 = 0.01;

pub(super) fn animation(subject: &Subject<'_>, animation: &Animation, seen: &mut SightingsByCode) {
    duplicate_track_name(subject, animation, seen);
    if let Some(name) = animation.name.as_ref().filter(|name| name.has_trailing_nul()) {
        let actual = format!("{name:?}");
        seen.add(codes::TRAILING_NUL, || subject.fault("name", "a string without NUL", actual));
    }
    let end = f64::from(animation.duration) + SLACK_S;
    for (index, instant) in animation.instants.iter().enumerate() {
        if f64::from(instant.time) > end {
            let (expected, actual) = (at_most(animation.duration.into()), format!("{} s", instant.time));
            let path = format!("instants[{index}].time");
            seen.add(codes::KEY_AFTER_DURATION, || subject.fault(&path, expected, actual));
        }
    }
}

fn at_most(duration: f64) -> String {
    format!("at most the duration, {duration} s")
}

fn duplicate_track_name(subject: &Subject<'_>, animation: &Animation, seen: &mut SightingsByCode) {
    let mut first = HashMap::new();
    for (index, track) in animation.tracks.iter().enumerate() {
        let other = *first.entry(track.name.text()).or_insert(index);
        if other != index {
            let actual = format!("\"{}\" again, as in tracks[{other}]", track.name);
            let path = format!("tracks[{index}].name");
            seen.add(codes::DUPLICATE_TRACK_NAME, || {
                subject.fault(&path, "a different name for each track", actual)
            });
        }
    }
}

fn rare_type(located: &Located<'_>, seen: &mut SightingsByCode) {
    let track_type = located.track.track_type;
    if track_type.code() >= 0x0D {
        seen.add(codes::RARE_TYPE, || {
            located.fault("type", "a type below 0x0d, as in the game's files", track_type.to_string())
        });
    }
}

fn trailing_nul(located: &Located<'_>, seen: &mut SightingsByCode) {
    let expected = "a string without NUL";
    let name = &located.track.name;
    if name.has_trailing_nul() {
        seen.add(codes::TRAILING_NUL, || located.fault("name", expected, format!("{name:?}")));
    }
    let Body::Events(events) = &located.track.body else { return };
    for (key, event) in events.iter().enumerate().filter(|(_, event)| event.user_data.has_trailing_nul()) {
        let actual = format!("{:?}", event.user_data);
        seen.add(codes::TRAILING_NUL, || located.fault_in_key(key, "userData", expected, actual));
    }
}

fn terminate_false(located: &Located<'_>, seen: &mut SightingsByCode) {
    let terminate = match &located.track.body {
        Body::Keys(keys) => keys.terminate,
        Body::User { terminate } => *terminate,
        Body::Events(_) | Body::Displacement(_) => true,
    };
    if !terminate {
        seen.add(codes::TERMINATE_FALSE, || located.fault("terminate", "true", "false"));
    }
}

fn displacement_kind(located: &Located<'_>, seen: &mut SightingsByCode) {
    let Body::Displacement(pair) = &located.track.body else { return };
    let (position, rotation) = (pair.position.track_type, pair.rotation.track_type);
    if position.value() != Some(ValueType::Vector) || position.is_rotation() {
        let actual = format!("type {position}");
        seen.add(codes::DISPLACEMENT_KIND, || located.fault("position", "a track of vectors", actual));
    }
    if !rotation.is_rotation() {
        let actual = format!("type {rotation}");
        seen.add(codes::DISPLACEMENT_KIND, || located.fault("rotation", "a track of rotations", actual));
    }
}

fn unsorted(located: &Located<'_>, seen: &mut SightingsByCode) {
    let check = match located.track.body {
        Body::Events(_) => codes::EVENTS_UNSORTED,
        _ => codes::KEYS_UNSORTED,
    };
    let mut last = f64::NEG_INFINITY;
    for (key, time) in times_of(&located.track.body).into_iter().enumerate() {
        if time < last {
            let (expected, actual) = (format!("at least {last} s"), format!("{time} s"));
            seen.add(check, || located.fault_in_key(key, "time", expected, actual));
        }
        last = time;
    }
}

fn duplicate_time(located: &Located<'_>, seen: &mut SightingsByCode) {
    let Body::Keys(keys) = &located.track.body else { return };
    let mut times: Vec<(f64, usize)> = keys.times.iter().zip(0..).collect();
    by_number(&mut times, |(time, _)| *time);
    for (time, key) in times.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1]) {
        let actual = || format!("{time} s again");
        let fault = || located.fault_in_key(key, "time", "a time of its own", actual());
        seen.add(codes::DUPLICATE_TIME, fault);
    }
}

fn times_of(body: &Body) -> Vec<f64> {
    match body {
        Body::Keys(keys) => keys.times.iter().collect(),
        Body::Events(events) => events.iter().map(|e| f64::from(e.time)).collect(),
        Body::Displacement(_) | Body::User { .. } => Vec::new(),
    }
}

fn negative_time(located: &Located<'_>, seen: &mut SightingsByCode) {
    let Body::Keys(keys) = &located.track.body else { return };
    for (key, time) in keys.times.iter().enumerate().filter(|(_, time)| *time < 0.0) {
        let actual = format!("{time} s");
        seen.add(codes::NEGATIVE_TIME, || located.fault_in_key(key, "time", "at least 0 s", actual));
    }
}

fn key_after_duration(located: &Located<'_>, seen: &mut SightingsByCode) {
    let end = located.duration + SLACK_S;
    for (key, time) in times_of(&located.track.body).into_iter().enumerate().filter(|(_, t)| *t > end) {
        let (expected, actual) = (at_most(located.duration), format!("{time} s"));
        seen.add(codes::KEY_AFTER_DURATION, || located.fault_in_key(key, "time", expected, actual));
    }
}
