//! Bring a document up to a scene made from this document and changed since: everything not touched by the
//! change keeps its numbers, digits and all.

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

/// The new recording with the document's numbers for all numbers equal in `old`, the recording made from the
/// document without a change; `None` if the frames of the document differ from the frames of `old`.
fn merged(document: &Recording, old: &Recording, new: &Recording) -> Option<Recording> {
    let are_alike = document.frames.iter().zip(&old.frames).all(|(kept, old)| kept.is_like(old));
    if document.frames.len() != old.frames.len() || !are_alike {
        return None;
    }
    let frame = |(number, new): (usize, &Frame)| {
        let position = match new_frames_are_old(new, old, number) {
            true => Some(number),
            false => old.frames.binary_search_by(|old| old.time_ms.total_cmp(&new.time_ms)).ok(),
        };
        let pair = position.and_then(|position| old.frames.get(position).zip(document.frames.get(position)));
        match pair.filter(|(old, _)| old.is_like(new)) {
            Some((old, stored)) => new.with_numbers_of(stored, old),
            None => new.clone(),
        }
    };
    Some(Recording {
        schema: if new.schema == old.schema { document.schema.clone() } else { new.schema.clone() },
        frames: new.frames.iter().enumerate().map(frame).collect(),
    })
}

/// True if a new frame is the old frame at the same place: with the same time, or with the same head.
fn new_frames_are_old(new: &Frame, old: &Recording, number: usize) -> bool {
    old.frames.get(number).is_some_and(|old| old.time_ms == new.time_ms || old.viewer == new.viewer)
}
