//! Bring a document up to a scene that was made of it and changed since: what the change left alone keeps its numbers, digits and all.

use super::document::{Document, Frame, Recording};
use super::from_scene::from_scene;
use super::to_scene::to_scene;
use dopesheet_core::diag::{ConvertError, Report};
use dopesheet_core::format::{FromScene, ToScene};
use dopesheet_core::model::Scene;

pub(super) fn update(
    document: &mut Document,
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<(), ConvertError> {
    let before = to_scene(document.recording(), &ToScene::to_update(), &mut Report::default());
    let before = before.resting_as(scene);
    if before == *scene {
        return Ok(());
    }
    let new = from_scene(scene, options, report)?;
    let old = from_scene(&before, options, &mut Report::default()).ok();
    let merged = old.and_then(|old| merged(document.recording(), &old, &new)).unwrap_or(new);
    *document.recording_mut() = merged;
    Ok(())
}

/// The new recording with the document's own numbers wherever the old one, which the document would become without a change, has the
/// same; `None` if the frames of the document are not those of the old one.
fn merged(own: &Recording, old: &Recording, new: &Recording) -> Option<Recording> {
    let are_alike = own.frames.iter().zip(&old.frames).all(|(own, old)| own.is_like(old));
    if own.frames.len() != old.frames.len() || !are_alike {
        return None;
    }
    let frame = |(place, new): (usize, &Frame)| {
        let place = match new_frames_are_old(new, old, place) {
            true => Some(place),
            false => old.frames.binary_search_by(|old| old.time_ms.total_cmp(&new.time_ms)).ok(),
        };
        let pair = place.and_then(|place| old.frames.get(place).zip(own.frames.get(place)));
        match pair.filter(|(old, _)| old.is_like(new)) {
            Some((old, own)) => new.with_numbers_of(own, old),
            None => new.clone(),
        }
    };
    Some(Recording {
        schema: if new.schema == old.schema { own.schema.clone() } else { new.schema.clone() },
        frames: new.frames.iter().enumerate().map(frame).collect(),
    })
}

/// True if a new frame is the old one at the same place: at the same time, or with the same head.
fn new_frames_are_old(new: &Frame, old: &Recording, place: usize) -> bool {
    old.frames.get(place).is_some_and(|old| old.time_ms == new.time_ms || old.viewer == new.viewer)
}
