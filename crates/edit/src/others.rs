//! Clips of other files, as ones of a scene.

use crate::refused::Reason;
use dopesheet_core::model::{
    CameraIndex, Clip, Curve, Hierarchy, LightIndex, Node, NodeIndex, Scene, TargetKind, Track, rebase,
};
use dopesheet_core::units::FrameRate;
use dopesheet_core::words::counted;
use std::collections::HashMap;
use std::sync::Arc;

/// The clip of another scene at a position, in the axes of `scene` and on its nodes. The document has none of
/// the clip's keys.
///
/// Targets without a node in `scene` get a new node, unless the hierarchy of `scene` is known.
pub(crate) fn adopted(scene: &mut Scene, clip: usize, other: &Scene) -> Result<Clip, Reason> {
    let mut other = other.clone();
    rebase(&mut other, &scene.basis, None);
    let clip_count = other.clips.len();
    let (Some(first_clip), true) = (scene.clips.get(clip), clip < clip_count) else {
        return Err(Reason::new(format!(
            "expected a clip at position {clip} of the other file, which has {}; --clip chooses one",
            counted(clip_count, "clip")
        )));
    };
    let mut adopted_clip = other.clips.swap_remove(clip);
    let rate = |grid: Option<FrameRate>| grid.map_or_else(|| "no frames".to_owned(), |rate| rate.to_string());
    // A clip whose keys may be at any time takes those of any frames.
    if first_clip.grid.is_some() && first_clip.grid != adopted_clip.grid {
        return Err(Reason::new(format!(
            "expected a motion with {} as the first one, found {}; resample one of them first",
            rate(first_clip.grid),
            rate(adopted_clip.grid)
        )));
    }
    if first_clip.relation != adopted_clip.relation {
        return Err(Reason::new(
            "expected motions of the same kind of format, found poses on top of rest and poses that replace it; \
             convert one of them first",
        ));
    }
    let next = first_clip.tracks.iter().map(|track| track.target.index + 1).max().unwrap_or(0);
    for (next, track) in (next..).zip(&mut adopted_clip.tracks) {
        let node = track.target.node.and_then(|node| other.nodes.get(node.0));
        let node = node.map(|node| node_of(scene, &other, node, track.target.kind)).transpose()?;
        let source = node.and_then(|node| scene.node(node)?.source_index);
        track.target.node = node;
        track.target.index = source.unwrap_or(next);
        for curve in track.channels.iter_mut().flat_map(|channel| channel.composition.curves_mut()) {
            disown(curve);
        }
    }
    Ok(adopted_clip)
}

/// Marks all keys of a curve as absent from the document.
fn disown(curve: &mut Curve) {
    if let Some(sources) = &mut curve.sources {
        *sources = Arc::new(vec![None; sources.len()]);
    }
}

fn other_skeleton(node: &str) -> Reason {
    Reason::new(format!(
        "expected the skeleton of the first file, found \"{node}\", which has no place in it; rename it, or retarget \
         the motion first"
    ))
}

/// The node of a scene that corresponds to a node of another scene.
fn node_of(scene: &mut Scene, other: &Scene, node: &Node, kind: TargetKind) -> Result<NodeIndex, Reason> {
    let is_it = |candidate: &Node| match kind {
        TargetKind::Camera => candidate.camera.is_some() && candidate.name == node.name,
        TargetKind::Light => candidate.light.is_some() && candidate.name == node.name,
        _ => candidate.name == node.name,
    };
    if let Some(at) = scene.nodes.iter().position(is_it) {
        let parents = [(&*scene, scene.nodes.get(at)), (other, Some(node))].map(|(scene, node)| {
            let parent = node.and_then(|node| node.parent);
            parent.and_then(|parent| scene.node(parent)).map(|parent| parent.name.as_str())
        });
        let is_known =
            [scene.hierarchy, other.hierarchy].iter().all(|hierarchy| *hierarchy == Hierarchy::Known);
        return match is_known && parents[0] != parents[1] && kind == TargetKind::Joint {
            true => Err(other_skeleton(&node.name)),
            false => Ok(NodeIndex(at)),
        };
    }
    if scene.hierarchy == Hierarchy::Known {
        return Err(other_skeleton(&node.name));
    }
    let mut new = Node { source_index: None, ..Node::new(node.name.clone(), None, node.rest) };
    if let Some(camera) = node.camera.and_then(|camera| other.cameras.get(camera.0)) {
        scene.cameras.push(camera.clone());
        new.camera = Some(CameraIndex(scene.cameras.len() - 1));
    }
    if let Some(light) = node.light.and_then(|light| other.lights.get(light.0)) {
        scene.lights.push(light.clone());
        new.light = Some(LightIndex(scene.lights.len() - 1));
    }
    Ok(scene.push_node(new))
}

/// Numbers tracks of equal kind and name: tracks correspond if kind, name and number are equal.
pub(crate) fn numbered(tracks: &[Track]) -> Vec<(TargetKind, &str, usize)> {
    let mut seen: HashMap<(TargetKind, &str), usize> = HashMap::new();
    tracks
        .iter()
        .map(|track| {
            let (kind, name) = (track.target.kind, track.target.name.as_str());
            let count = seen.entry((kind, name)).or_default();
            *count += 1;
            (kind, name, *count)
        })
        .collect()
}
