//! Bring a document up to a scene made from this document and changed since: numbers and members not touched
//! by any operation keep their text, even if their places change.

mod nodes;
mod rows;

use super::document::{Animation, Document};
use super::from_scene::made_node;
use super::splice::{self, Origin};
use super::to_scene::{played_places, to_scene};
use super::write::validate;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Report};
use dopesheet_core::format::{Format, ToScene};
use dopesheet_core::model::{Clip, Scene, TargetKind, Track};
use dopesheet_core::words::counted;
use std::collections::{HashMap, HashSet};

pub(super) fn update(
    document: &mut Document,
    scene: &Scene,
    report: &mut Report,
) -> Result<(), ConvertError> {
    let read = ToScene::to_update();
    let before = to_scene(document.animation(), &read, &mut Report::default());
    let nothing = Clip::default();
    let [old_clip, clip] = [&before, scene].map(|scene| scene.clips.first().unwrap_or(&nothing));
    let old = document.animation();
    let mut new = Animation { nodes: Vec::new(), ..old.clone() };
    if clip.name != old_clip.name {
        new.name = clip.name.clone().unwrap_or_default();
    }
    let origins = change_nodes(&before, scene, [old_clip, clip], old, &mut new);
    if clip.duration != old_clip.duration {
        // A file that does not state its duration lasts up to its last key.
        let duration = rows::decimal(clip.end().0);
        let is_open = old.duration.is_none()
            && Animation { duration: None, ..new.clone() }.effective_duration() == duration;
        new.duration = Some(duration).filter(|_| !is_open);
    }
    let fault = |fault| ConvertError::new(super::PlayCanvas::INFO.id, ConvertErrorKind::Fault(fault));
    validate(&new).map_err(|invalid| fault(Box::new(invalid)))?;
    let keys: usize = new.nodes.iter().map(|node| node.keys.len()).sum();
    report.kept(format!("{} of {}", counted(keys, "key"), counted(new.nodes.len(), "node")));
    match splice::changed(document, &new, origins) {
        Some(text) => {
            document.source = Some(text);
            (document.edited, document.animation) = (false, new);
        }
        None => *document.animation_mut() = new,
    }
    Ok(())
}

/// The nodes of the file after a change, in its order; new nodes come behind.
fn change_nodes(
    before: &Scene,
    scene: &Scene,
    [own, clip]: [&Clip; 2],
    old: &Animation,
    new: &mut Animation,
) -> Vec<Origin> {
    let joints = |clip: &'_ Clip| -> HashMap<usize, usize> {
        let joints =
            clip.tracks.iter().enumerate().filter(|(_, track)| track.target.kind == TargetKind::Joint);
        joints.map(|(at, track)| (track.target.index, at)).collect()
    };
    let [own_joints, clip_joints] = [own, clip].map(joints);
    // A track has the index of the first node of its name.
    let firsts: HashMap<usize, usize> =
        played_places(old).into_iter().map(|(first, position)| (position, first)).collect();
    let of = |clip: &'_ Clip, joints: &HashMap<usize, usize>, index: usize| -> Option<Track> {
        joints.get(&index).and_then(|at| clip.tracks.get(*at)).cloned()
    };
    // Of nodes with one name the last one plays: all of them get another name, or go.
    let mut names: HashMap<&str, &str> = HashMap::new();
    for (old, new) in before.nodes.iter().zip(&scene.nodes) {
        names.insert(&old.name, &new.name);
    }
    let is_gone = |track: &&Track| !clip_joints.contains_key(&track.target.index);
    let gone: HashSet<&str> =
        own.tracks.iter().filter(is_gone).map(|track| track.target.name.as_str()).collect();
    let mut origins = Vec::with_capacity(old.nodes.len());
    for (index, node) in old.nodes.iter().enumerate().filter(|(_, node)| !gone.contains(&*node.name)) {
        let name = names.get(&*node.name).map_or_else(|| node.name.clone(), |name| (*name).to_owned());
        let first = firsts.get(&index);
        let track = first.and_then(|first| of(own, &own_joints, *first));
        let changed = first.and_then(|first| of(clip, &clip_joints, *first));
        let (mut new_node, keys) = match (track, changed) {
            (Some(track), Some(changed)) if track.channels != changed.channels => {
                let rest = changed.target.node.and_then(|node| scene.node(node)).map(|node| node.rest);
                nodes::changed(old, node, [&track, &changed], &rest.unwrap_or_default())
            }
            _ => (node.clone(), (0..node.keys.len()).map(Some).collect()),
        };
        new_node.name = name;
        new.nodes.push(new_node);
        origins.push(Origin { node: Some(index), keys });
    }
    for track in clip.tracks.iter().filter(|track| track.target.kind == TargetKind::Joint) {
        if !own_joints.contains_key(&track.target.index)
            && let Some(node) = made_node(scene, clip, track, new.version)
        {
            origins.push(Origin { node: None, keys: vec![None; node.keys.len()] });
            new.nodes.push(node);
        }
    }
    origins
}
