//! Bring a document up to a scene made from this document and changed since, by way of its GLB: there, an
//! expression is a node whose X translation is its weight.

use super::document::Document;
use super::from_scene::from_scene;
use super::{Vrma, read, to_scene};
use crate::gltf;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Report};
use dopesheet_core::format::{Format, FromScene, ToScene, warn_written_anew};
use dopesheet_core::model::{
    Channel, Clip, Composition, NodeIndex, Property, Scene, Target, TargetKind, Track,
};
use std::collections::HashMap;

pub(super) fn update(
    document: &mut Document,
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<(), ConvertError> {
    let Some(whole) = whole(document, scene)? else {
        *document = from_scene(scene, options, report)?;
        warn_written_anew(report);
        return Ok(());
    };
    gltf::update(Vrma::INFO.id, &mut document.glb, &whole, options, report)?;
    if gltf::root_extension(&document.glb, read::EXTENSION).is_none() {
        // The GLB was written anew, as a plain one.
        *document = from_scene(scene, options, report)?;
        return Ok(());
    }
    let failed = |fault| ConvertError::new(Vrma::INFO.id, ConvertErrorKind::Fault(fault));
    *document = read::document(document.glb.clone()).map_err(failed)?;
    Ok(())
}

/// The scene of the GLB with the motion of a figure; `None` if the GLB lacks a node for some track.
fn whole(document: &Document, scene: &Scene) -> Result<Option<Scene>, ConvertError> {
    let read = ToScene::to_update();
    let figure = to_scene::to_scene(document, &read, &mut Report::default())?;
    let before = gltf::to_scene(Vrma::INFO.id, &document.glb, &read, &mut Report::default())?;
    let Some(extension) = &document.extension else { return Ok(None) };
    let sources = before.nodes.iter().enumerate();
    let places: HashMap<usize, usize> =
        sources.filter_map(|(number, node)| Some((node.source_index?, number))).collect();
    let expressions = extension.expressions();
    let faces: HashMap<&str, usize> = expressions
        .filter_map(|(name, node)| Some((name.as_str(), *places.get(&(*node as usize))?)))
        .collect();
    let mut whole = before.clone();
    let of = |node: usize| places.get(&scene.nodes.get(node)?.source_index?).copied();
    for (at, node) in scene.nodes.iter().enumerate() {
        let Some(whole_node) = of(at).and_then(|number| whole.nodes.get_mut(number)) else { return Ok(None) };
        whole_node.name.clone_from(&node.name);
    }
    whole.clips = Vec::with_capacity(scene.clips.len());
    for (at, clip) in scene.clips.iter().enumerate() {
        let [plain_clip, old] = [&before, &figure].map(|scene| scene.clips.get(at));
        if old == Some(clip) {
            whole.clips.extend(plain_clip.cloned());
            continue;
        }
        let mut new_clip = Clip { tracks: Vec::with_capacity(clip.tracks.len()), ..clip.clone() };
        for track in &clip.tracks {
            let node_number = match track.target.kind {
                TargetKind::Morph => faces.get(track.target.name.as_str()).copied(),
                _ => track.target.node.and_then(|node| of(node.0)),
            };
            let Some((number, node)) =
                node_number.and_then(|number| Some((number, before.nodes.get(number)?)))
            else {
                return Ok(None);
            };
            let name = if track.target.kind == TargetKind::Morph { &node.name } else { &track.target.name };
            let index = node.source_index.unwrap_or(number);
            let target = Target::new(TargetKind::Joint, name, index, Some(NodeIndex(number)));
            let channels = match track.target.kind {
                TargetKind::Morph => track.channels.iter().filter_map(placed).collect(),
                _ => track.channels.clone(),
            };
            new_clip.tracks.push(Track { target: Target { kind: kind(track), ..target }, channels });
        }
        whole.clips.push(new_clip);
    }
    Ok(Some(whole))
}

/// Kind of the target in the GLB: an expression is a node.
const fn kind(track: &Track) -> TargetKind {
    match track.target.kind {
        TargetKind::Morph => TargetKind::Joint,
        other => other,
    }
}

/// A weight as the place of a node along X.
fn placed(channel: &Channel) -> Option<Channel> {
    let Composition::Whole(curve) = &channel.composition else { return None };
    let along_x = |weights: &[f32]| weights.iter().flat_map(|weight| [*weight, 0.0, 0.0]).collect();
    Some(Channel::whole(Property::Translation, curve.with_columns(3, along_x)))
}
