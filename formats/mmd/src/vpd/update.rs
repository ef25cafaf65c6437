//! Bring a document up to a scene made from this document and changed since: bones and morphs not touched by
//! any operation keep every byte.

use super::document::{Bone, Document, Morph, Pose};
use super::from_scene::{rounded, start, stored};
use super::info::ID;
use super::splice;
use super::to_scene::to_scene;
use dopesheet_core::bytes::text::TextDocument;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Report};
use dopesheet_core::format::{FromScene, ToScene};
use dopesheet_core::model::{Clip, Property, Scene, TargetKind, Track};
use dopesheet_core::words::{counted, time};
use std::collections::{HashMap, HashSet};

pub(super) fn update(
    document: &mut Document,
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<(), ConvertError> {
    let read = ToScene::to_update();
    let before = to_scene(document, &read, &mut Report::default());
    let nothing = Clip::default();
    let [old_clip, clip] = [&before, scene].map(|scene| scene.clips.first().unwrap_or(&nothing));
    check_times(clip)?;
    let old = document.pose();
    let writer = Writer { replace: options.replace_unencodable, old: old_clip, clip };
    let bones = writer.items(&old.bones, TargetKind::Joint, report)?;
    let morphs = writer.items(&old.morphs, TargetKind::Morph, report)?;
    let mut pose = Pose { bones: bones.items, morphs: morphs.items, ..old.clone() };
    if let Some(name) = &options.model_name {
        pose.parent = stored("model", &format!("{name}.osm"), options.replace_unencodable, report)?;
    }
    if pose.bones.len() != old.bones.len() {
        let gone = u32::try_from(old.bones.len().saturating_sub(pose.bones.len())).unwrap_or(u32::MAX);
        let put = u32::try_from(pose.bones.len().saturating_sub(old.bones.len())).unwrap_or(u32::MAX);
        pose.announced_bones = old.announced_bones.saturating_sub(gone).saturating_add(put);
    }
    report.kept(counted(pose.bones.len(), "bone"));
    if !pose.morphs.is_empty() {
        report.kept(counted(pose.morphs.len(), "morph"));
    }
    match splice::rearranged(document, &pose, [&bones.origins, &morphs.origins]) {
        Some(text) => document.0 = TextDocument::read(text, pose, false),
        None => *document.pose_mut() = pose,
    }
    Ok(())
}

/// Refuses keys at times other than the pose's only time.
fn check_times(clip: &Clip) -> Result<(), ConvertError> {
    let curves = clip.curves();
    match curves.flat_map(|curve| curve.times.iter()).find(|time| time.0 != 0.0) {
        Some(key) => {
            let what = format!(
                "a pose is one moment, and an edit put a key at {}; convert the pose to VMD first, and edit that",
                time(key)
            );
            Err(ConvertError::new(ID, ConvertErrorKind::Unsupported(what)))
        }
        None => Ok(()),
    }
}

/// Items of a list, and the place of each in the file.
struct Items<T> {
    items: Vec<T>,
    origins: Vec<Option<usize>>,
}

/// A bone or morph.
trait Item: Clone + Default {
    fn name(&self) -> &str;
    fn set_name(&mut self, name: String);

    /// Takes over the values of a track that differ from their values before.
    fn take(&mut self, before: Option<&Track>, track: &Track);
}

impl Item for Bone {
    fn name(&self) -> &str {
        &self.name
    }

    fn set_name(&mut self, name: String) {
        self.name = name;
    }

    fn take(&mut self, before: Option<&Track>, track: &Track) {
        let old_value = |property| before.and_then(|track| start(track, property));
        let new = start(track, &Property::Translation).unwrap_or_default();
        if old_value(&Property::Translation) != Some(new) {
            self.translation = rounded(new);
        }
        let old_start = |property| before.and_then(|track| start(track, property));
        let new = start(track, &Property::Rotation).unwrap_or([0.0, 0.0, 0.0, 1.0]);
        if old_start(&Property::Rotation) != Some(new) {
            self.rotation = rounded(new);
        }
    }
}

impl Item for Morph {
    fn name(&self) -> &str {
        &self.name
    }

    fn set_name(&mut self, name: String) {
        self.name = name;
    }

    fn take(&mut self, before: Option<&Track>, track: &Track) {
        let [new] = start(track, &Property::Weight).unwrap_or_default();
        if before.and_then(|track| start(track, &Property::Weight)) != Some([new]) {
            [self.weight] = rounded([new]);
        }
    }
}

struct Writer<'a> {
    replace: bool,
    old: &'a Clip,
    clip: &'a Clip,
}

/// Position in the file of a track's target.
fn file_position(track: &Track) -> Option<usize> {
    let mut curves = track.channels.iter().flat_map(|channel| channel.composition.curves());
    curves.find_map(|curve| curve.source(0)).map(|position| position as usize)
}

impl Writer<'_> {
    fn items<T: Item>(
        &self,
        old: &[T],
        kind: TargetKind,
        report: &mut Report,
    ) -> Result<Items<T>, ConvertError> {
        let of = |clip: &'_ Clip| -> Vec<Track> {
            clip.tracks.iter().filter(|track| track.target.kind == kind).cloned().collect()
        };
        let [old_tracks, clip] = [self.old, self.clip].map(of);
        let word = if kind == TargetKind::Morph { "morph" } else { "bone" };
        let before: HashMap<usize, &Track> =
            old_tracks.iter().filter_map(|track| Some((file_position(track)?, track))).collect();
        let after: HashMap<usize, &Track> =
            clip.iter().filter_map(|track| Some((file_position(track)?, track))).collect();
        // Of one name the last one plays: all of them get another name, or go.
        let mut names: HashMap<&str, String> = HashMap::new();
        let mut gone: HashSet<&str> = HashSet::new();
        for (position, track) in &before {
            match after.get(position) {
                Some(now) if now.target.name != track.target.name => {
                    let name = stored(word, &now.target.name, self.replace, report)?;
                    names.insert(&track.target.name, name);
                }
                Some(_) => {}
                None => {
                    gone.insert(&track.target.name);
                }
            }
        }
        let mut new_items =
            Items { items: Vec::with_capacity(old.len()), origins: Vec::with_capacity(old.len()) };
        for (position, item) in old.iter().enumerate().filter(|(_, item)| !gone.contains(item.name())) {
            let mut item = item.clone();
            if let Some(track) = after.get(&position) {
                item.take(before.get(&position).copied(), track);
            }
            if let Some(name) = names.get(item.name()) {
                item.set_name(name.clone());
            }
            new_items.items.push(item);
            new_items.origins.push(Some(position));
        }
        for track in clip.iter().filter(|track| file_position(track).is_none()) {
            let mut item = T::default();
            item.set_name(stored(word, &track.target.name, self.replace, report)?);
            item.take(None, track);
            new_items.items.push(item);
            new_items.origins.push(None);
        }
        Ok(new_items)
    }
}
