//! Bring a document up to a scene made from this document and changed since: its animations are written anew
//! if any of them changed, names if they differ, and everything else stays as written.

pub(crate) mod attach;
pub(crate) mod edit;

use super::document::{Container, Document};
use super::edited::settle::settle;
use super::from_scene::{Extras, Packing, PlanRemarks, PlannedClip, Rules, from_scene, plan};
use super::json::place;
use super::json::splice::JsonPatches;
use super::read::Wrapper;
use super::to_scene::to_scene;
use attach::{REST_TOLERANCE, material, splice, target_node};
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Fault, Report};
use dopesheet_core::format::{FromScene, ToScene, warn_written_anew};
use dopesheet_core::model::{Clip, Scene, Track};
use edit::extras;

/// Changes the names and animations of a document that differ in a scene.
pub(crate) fn update(
    format: &'static str,
    document: &mut Document,
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<(), ConvertError> {
    let fault = |fault| ConvertError::new(format, ConvertErrorKind::Fault(fault));
    let before = to_scene(format, document, &ToScene::to_update(), &mut Report::default())?;
    let before = match renamed(document, &before, scene).map_err(fault)? {
        Some(renamed) => {
            *document = renamed;
            to_scene(format, document, &ToScene::to_update(), &mut Report::default())?
        }
        None => before,
    };
    let mut remarks = PlanRemarks::default();
    let (mut planned, mut gone) = (Vec::new(), Vec::new());
    for (at, clip) in scene.clips.iter().enumerate() {
        let (old_clip, old) = (before.clips.get(at), document.parts.animations.get(at));
        if old_clip == Some(clip) {
            continue;
        }
        let result = planned_clip(document, scene, clip, &mut remarks);
        let mut new_clip =
            result.map_err(|unfit| ConvertError::new(format, ConvertErrorKind::Unsupported(unfit)))?;
        // A clip without channels stands in the extras of the scene, as whole conversions put it there.
        let says_something = old.is_none() || !clip.tracks.is_empty() || !clip.markers.is_empty();
        if new_clip.channels.is_empty() && says_something {
            *document = from_scene(format, scene, options, report)?;
            warn_written_anew(report);
            return Ok(());
        }
        if let (Some(old_clip), Some(old)) = (old_clip, old) {
            new_clip.extras = kept(extras(document, old), old_clip, clip).unwrap_or(new_clip.extras);
            gone.push(at);
        }
        planned.extend(Some(new_clip).filter(|new_clip| !new_clip.channels.is_empty()));
    }
    gone.extend(scene.clips.len()..document.parts.animations.len());
    if planned.is_empty() && gone.is_empty() {
        return Ok(());
    }
    remarks.report(report);
    let (changed, _) = splice(document, &mut planned, &gone, Packing::default(), report).map_err(fault)?;
    *document = changed;
    Ok(())
}

/// The extras of an animation, if neither the extras nor the old and new clips hold any motion data for
/// extras.
fn kept(members: &str, old_clip: &Clip, clip: &Clip) -> Option<Extras<'static>> {
    let says_nothing = |clip: &Clip| clip.markers.is_empty() && clip.source.is_none();
    let words = ["\"duration\"", "\"tracks\"", "\"loop\"", "\"events\""];
    let stays = says_nothing(clip)
        && says_nothing(old_clip)
        && clip.looping == old_clip.looping
        && !words.iter().any(|word| members.contains(word));
    stays.then(|| Extras::Kept(members.to_owned()))
}

fn planned_clip<'a>(
    document: &Document,
    scene: &'a Scene,
    clip: &'a Clip,
    remarks: &mut PlanRemarks,
) -> Result<PlannedClip<'a>, String> {
    let rules = Rules { keep_constant: true, collapses: false, rest_tolerance: REST_TOLERANCE };
    let seat_of = |track: &Track, remarks: &mut PlanRemarks| {
        let seated = node_of(scene, track).and_then(|index| Some((index, document.parts.nodes.get(index)?)));
        if seated.is_none() {
            remarks.unmatched.push(track.target.name.clone());
        }
        seated.map(|(index, node)| target_node(document, index, node))
    };
    plan(clip, clip.name.clone(), rules, remarks, seat_of, |target| material(document, target))
}

/// The node of a track in the document.
fn node_of(scene: &Scene, track: &Track) -> Option<usize> {
    track.target.node.and_then(|node| scene.node(node))?.source_index
}

/// The document with other names of nodes; `None` if all are the same.
fn renamed(document: &Document, before: &Scene, scene: &Scene) -> Result<Option<Document>, Box<Fault>> {
    let pairs = before.nodes.iter().zip(&scene.nodes).filter(|(old, new)| old.name != new.name);
    let named = pairs.filter_map(|(_, new)| Some((new.source_index?, &new.name)));
    let mut edits = JsonPatches::new(&document.json);
    let mut count = 0;
    for (index, name) in named {
        let text = serde_json::Value::String(name.clone()).to_string();
        let pointer = format!("/nodes/{index}");
        match place::span(&document.json, &format!("{pointer}/name")) {
            Some(span) => edits.replace(span, text),
            None => edits.add_member(&pointer, &format!("\"name\":{text}")),
        }
        count += 1;
    }
    if count == 0 {
        return Ok(None);
    }
    let wrapper = match &document.container {
        Container::Text => Wrapper::Text,
        Container::Binary(glb) => Wrapper::Binary(glb.clone()),
    };
    settle(document, edits.apply(), wrapper).map(Some)
}
