//! Document to scene: interprets laws and names, repairs, and reports its repairs.

mod camera;
mod keys;
mod model;

use super::document::{Document, Section};
use super::{defaults, notes, targets};
use crate::BASIS;
use dopesheet_core::diag::Report;
use dopesheet_core::format::ToScene;
use dopesheet_core::model::{Clip, Hierarchy, PoseRelation, Scene, TargetKind, Track};
use dopesheet_core::units::FrameRate;
pub(super) use keys::timing;
use keys::{EffectiveKeys, Key, Repairs};

/// The grid of all keys.
const GRID: FrameRate = FrameRate::FPS_30;

pub(super) fn to_scene(document: &Document, options: &ToScene, report: &mut Report) -> Scene {
    let mut repairs = Repairs::new(options);
    let mut scene = Scene { hierarchy: Hierarchy::Unknown, ..Scene::new(BASIS) };
    let mut tracks = model::bone_tracks(document, &mut scene, &mut repairs);
    tracks.extend(model::morph_tracks(document, &mut scene, &mut repairs));
    tracks.extend(camera::camera_track(document, &mut scene, &mut repairs));
    tracks.extend(camera::light_track(document, &mut scene, &mut repairs));
    tracks.extend(model::shadow_track(document, &mut repairs));
    tracks.extend(model::switch_tracks(document, &mut repairs));
    scene.clips.push(clip(document, options, tracks));
    repairs.report(report);
    scene
}

fn clip(document: &Document, options: &ToScene, tracks: Vec<Track>) -> Clip {
    let last = last_frame(document);
    Clip {
        name: options.fallback_name.clone(),
        made_for: made_for(document),
        duration: GRID.seconds(f64::from(last)),
        tracks,
        grid: Some(GRID),
        relation: PoseRelation::OnTopOfRest,
        source: Some(notes::write(document, last)),
        ..Clip::default()
    }
}

/// For each section, true for each effective key: a playable key not hidden by other keys of the same frame.
pub(super) fn played(document: &Document) -> [Vec<bool>; Section::ALL.len()] {
    let mut repairs = Repairs::new(&ToScene::to_update());
    let mut played = Section::ALL.map(|section| vec![false; document.count(section)]);
    for (_, keys) in document.bone_tracks().iter() {
        mark(&mut played, EffectiveKeys::new(&document.bones, keys, &mut repairs));
    }
    for (_, keys) in document.morph_tracks().iter() {
        mark(&mut played, EffectiveKeys::new(&document.morphs, keys, &mut repairs));
    }
    mark(&mut played, EffectiveKeys::sorted(&document.cameras, &mut repairs));
    mark(&mut played, EffectiveKeys::sorted(&document.lights, &mut repairs));
    mark(&mut played, EffectiveKeys::sorted(&document.shadows, &mut repairs));
    mark(&mut played, EffectiveKeys::sorted(&document.models, &mut repairs));
    played
}

fn mark<K: Key>(played: &mut [Vec<bool>; Section::ALL.len()], keys: Option<EffectiveKeys<'_, K>>) {
    for position in keys.iter().flat_map(EffectiveKeys::places) {
        if let Some(is_played) = played[K::SECTION as usize].get_mut(position as usize) {
            *is_played = true;
        }
    }
}

/// The section of a track of [`to_scene`].
pub(super) fn section_of(track: &Track) -> Section {
    match track.target.kind {
        TargetKind::Morph => Section::Morphs,
        TargetKind::Camera => Section::Cameras,
        TargetKind::Light => Section::Lights,
        TargetKind::Custom if track.target.name == targets::SHADOW && track.target.label.is_none() => {
            Section::Shadows
        }
        TargetKind::Custom => Section::Models,
        TargetKind::Joint | TargetKind::Hand => Section::Bones,
    }
}

/// The model named in a motion; motions of cameras and lights have none.
fn made_for(document: &Document) -> Option<String> {
    let moves_a_model = !document.bones.is_empty() || !document.morphs.is_empty();
    Some(document.model.text()).filter(|name| moves_a_model && !name.is_empty())
}

/// The last frame of all keys accepted by conversion.
fn last_frame(document: &Document) -> u32 {
    let frames = Section::ALL.into_iter().flat_map(|section| document.frames(section));
    frames.filter(|frame| *frame <= defaults::LAST_FRAME).max().unwrap_or(0)
}
