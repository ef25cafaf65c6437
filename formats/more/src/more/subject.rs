//! The key that a finding is about.

use super::animation::{Animation, Body};
use super::clip::SubResource;
use super::document::{Document, Resource};
use dopesheet_core::diag::{Fault, Subject};
use dopesheet_core::units::Seconds;

pub(super) fn subject(document: &Document, fault: &Fault) -> Option<Subject> {
    match &document.resource {
        Resource::Animation(animation) => of_animation(animation, fault),
        Resource::Clip(clip) => {
            let layer = fault.position_in("subLayers").unwrap_or(0);
            let Some(SubResource::Embedded(animation)) = clip.content.layers().get(layer) else {
                return None;
            };
            // A clip plays its animations at times of its own.
            Some(Subject { time: None, ..of_animation(animation, fault)? })
        }
        Resource::Actor(_) | Resource::Opaque(_) => None,
    }
}

fn of_animation(animation: &Animation, fault: &Fault) -> Option<Subject> {
    let mut track = animation.tracks.get(fault.position_in("tracks")?)?;
    let mut label = track.name.text().into_owned();
    for step in fault.path.split(['.', '[']) {
        let Body::Displacement(pair) = &track.body else { break };
        track = match step {
            "position" => &pair.position,
            "rotation" => &pair.rotation,
            _ => continue,
        };
        label = format!("{label}/{step}");
    }
    match &track.body {
        Body::Keys(keys) => {
            let time = fault.position_in("keys").and_then(|key| keys.times.get(key)).map(Seconds);
            Some(Subject::target(label).channel(Some("value")).at(time))
        }
        Body::Events(events) => {
            let event = events.get(fault.position_in("events")?)?;
            Some(Subject::moment(Seconds(event.time.into())))
        }
        // What it holds has tracks of its own; and the game feeds the others.
        Body::Displacement(_) | Body::User { .. } => None,
    }
}
