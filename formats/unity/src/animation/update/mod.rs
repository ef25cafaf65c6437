//! Bring a document up to a scene made from this document and changed since.
//!
//! A clip is made both from the scene before and from the scene after; everything equal in both keeps the
//! content of the file, down to its text. Keys are paired by their numbers.

mod curves;
mod editor;
mod events;

use super::document::{Clip, Document, FloatCurve, TransformCurve};
use super::from_scene::{ClipFromScene, from_scene, with_sources};
use super::numbering::Numbering;
use super::read::{Parsed, parse, read};
use super::spans::ClipList;
use super::splice::{self, Origin, Origins};
use super::to_scene::to_scene;
use curves::{Bound, merged, rename};
use dopesheet_core::diag::{ConvertError, Report};
use dopesheet_core::format::{FromScene, ToScene, warn_written_anew};
use dopesheet_core::model::{Clip as SceneClip, Looping, Scene};
use dopesheet_core::words::counted;
use std::collections::HashMap;

pub(super) fn update(
    document: &mut Document,
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<(), ConvertError> {
    let mut attempt = Report::default();
    match updated(document, scene, options, &mut attempt) {
        Some(updated) => {
            *document = updated;
            report.extend(attempt);
        }
        None => {
            *document = from_scene(scene, options, report)?;
            warn_written_anew(report);
        }
    }
    Ok(())
}

/// `None` if the text has no places for the changes.
fn updated(document: &Document, scene: &Scene, options: &FromScene, report: &mut Report) -> Option<Document> {
    let text = splice::text(document).ok()?;
    let Parsed { mut file, spans, .. } = parse(&text, false, &mut Report::default()).ok()?;
    let read_options = ToScene::to_update();
    let before = to_scene(document, &read_options, &mut Report::default());
    if scene.clips.len() != file.clips.len() || before.clips.len() != file.clips.len() {
        return None;
    }
    let old = file.clone();
    let mut origins = Vec::with_capacity(old.clips.len());
    for (clip, [before_clip, changed]) in
        file.clips.iter_mut().zip(before.clips.iter().zip(&scene.clips).map(|(own, new)| [own, new]))
    {
        let numbering = Numbering::of(clip);
        let base = with_sources(&before, before_clip, &numbering, options, &mut Report::default());
        let changed_clip = with_sources(scene, changed, &numbering, options, report);
        let (new, places) = of_clip(clip, base, changed_clip, [before_clip, changed], &numbering, report);
        *clip = new;
        origins.push(places);
    }
    let text = splice::written(&text, [&old, &file], &spans, Some(&origins))?;
    read(&text, false, &mut Report::default()).ok()
}

/// A clip of the file with the differences between the clips made from the scene before and after.
fn of_clip(
    old: &Clip,
    base: ClipFromScene,
    changed_file: ClipFromScene,
    [base_clip, changed]: [&SceneClip; 2],
    numbering: &Numbering,
    report: &mut Report,
) -> (Clip, Origins) {
    let mut new = old.clone();
    let mut origins = Origins::default();
    let paths = base.paths.iter().cloned().zip(changed_file.paths.iter().cloned());
    let renamed: HashMap<String, String> = paths.filter(|(before, after)| before != after).collect();
    settings(&mut new, &base.clip, &changed_file.clip, [base_clip, changed]);
    macro_rules! list {
        ($list:ident, $field:ident, $sources:ident) => {
            (new.$field, origins[ClipList::$list as usize]) = merged(
                &old.$field,
                Bound::new(base.clip.$field, base.sources.$sources),
                Bound::new(changed_file.clip.$field, changed_file.sources.$sources),
                |number| numbering.key(number).filter(|place| place.list == ClipList::$list),
                &renamed,
            );
        };
    }
    list!(Rotation, rotation_curves, rotation);
    list!(Euler, euler_curves, euler);
    list!(Position, position_curves, position);
    list!(Scale, scale_curves, scale);
    list!(Float, float_curves, float);
    origins[ClipList::Object as usize] = unchanged(&old.object_curves);
    for curve in &mut new.object_curves {
        rename(&mut curve.path, &renamed);
    }
    (new.events, origins[ClipList::Events as usize]) =
        events::merged(&old.events, &base_clip.markers, &changed.markers);
    editor::follow(old, &mut new, &mut origins, &renamed, report);
    if !old.object_curves.is_empty() && has_moved(base_clip, changed) {
        let what = format!("new times of {} of references", counted(old.object_curves.len(), "curve"));
        report.dropped(what, "they refer to objects of a Unity project, and stay as they are");
    }
    (new, origins)
}

/// Origins of unchanged entries.
fn unchanged<T>(entries: &[T]) -> Vec<Origin> {
    (0..entries.len()).map(|entry| Origin { entry: Some(entry), keys: Vec::new() }).collect()
}

/// True if keys of a clip have other times.
fn has_moved(before: &SceneClip, changed: &SceneClip) -> bool {
    let times = |clip: &SceneClip| -> Vec<f64> {
        clip.curves().flat_map(|curve| curve.times.iter()).map(|time| time.0).collect()
    };
    before.duration != changed.duration || times(before) != times(changed)
}

/// Single values of a clip.
fn settings(new: &mut Clip, base: &Clip, made: &Clip, [own, changed]: [&SceneClip; 2]) {
    if made.name != base.name {
        new.name.clone_from(&made.name);
    }
    if made.sample_rate != base.sample_rate && changed.grid.is_some() {
        new.sample_rate = made.sample_rate;
    }
    if changed.looping != own.looping {
        // The component `Animation` has a mode of its own.
        (new.settings.loop_time, new.wrap_mode) = match changed.looping {
            Looping::Loop => (true, new.wrap_mode),
            Looping::Once => (false, 1),
            _ => (false, 0),
        };
    }
    if made.settings.stop_time != base.settings.stop_time {
        // A clip that the editor has not saved ends with its last key.
        let is_open = new.settings.stop_time <= 0.0 && last_key(made) == made.settings.stop_time;
        if !is_open {
            new.settings.stop_time = made.settings.stop_time;
        }
    }
}

/// Time of the last key, and at least 0.
fn last_key(clip: &Clip) -> f32 {
    fn of<const N: usize>(curves: &[TransformCurve<N>]) -> f32 {
        curves.iter().flat_map(|curve| &curve.curve.keys).map(|key| key.time).fold(0.0, f32::max)
    }
    let numbers = |curves: &[FloatCurve]| {
        curves.iter().flat_map(|curve| &curve.curve.keys).map(|key| key.time).fold(0.0, f32::max)
    };
    [
        of(&clip.rotation_curves),
        of(&clip.euler_curves),
        of(&clip.position_curves),
        of(&clip.scale_curves),
        numbers(&clip.float_curves),
    ]
    .into_iter()
    .fold(0.0, f32::max)
}
