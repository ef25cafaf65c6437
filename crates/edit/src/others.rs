//! Clips of other files, as ones of a scene.

use crate::refused::Reason;
use dopesheet_core::model::{
    CameraIndex, Clip, Curve, Hierarchy, LightIndex, Node, NodeIndex, Scene, TargetKind, Track, rebase,
};
use dopesheet_core::units::FrameRate;
use dopesheet_core::words::counted;
use std::collections::HashMap;
use std::sync::Arc;

/// The clip of another scene at a position, in the axes of this one and on its nodes. Its keys are none of the document's.
///
/// What the scene has no node for gets one, unless its hierarchy is known.
pub(crate) fn adopted(scene: &mut Scene, clip: usize, other: &Scene) -> Result<Clip, Reason> {
    let mut other = other.clone();
    rebase(&mut other, &scene.basis, None);
    let found = other.clips.len();
    let (Some(own), true) = (scene.clips.get(clip), clip < found) else {
        return Err(Reason::new(format!(
            "expected a clip at position {clip} of the other file, which has {}; --clip chooses one",
            counted(found, "clip")
        )));
    };
    let mut made = other.clips.swap_remove(clip);
    let rate = |grid: Option<FrameRate>| grid.map_or_else(|| "no frames".to_owned(), |rate| rate.to_string());
    // A clip whose keys may be at any time takes those of any frames.
    if own.grid.is_some() && own.grid != made.grid {
        return Err(Reason::new(format!(
            "expected a motion with {} as the first one, found {}; resample one of them first",
            rate(own.grid),
            rate(made.grid)
        )));
    }
    if own.relation != made.relation {
        return Err(Reason::new(
            "expected motions of the same kind of format, found poses on top of rest and poses that replace it; \
             convert one of them first",
        ));
    }
    let next = own.tracks.iter().map(|track| track.target.index + 1).max().unwrap_or(0);
    for (next, track) in (next..).zip(&mut made.tracks) {
        let node = track.target.node.and_then(|node| other.nodes.get(node.0));
        let node = node.map(|node| node_of(scene, &other, node, track.target.kind)).transpose()?;
        let source = node.and_then(|node| scene.node(node)?.source_index);
        track.target.node = node;
        track.target.index = source.unwrap_or(next);
        for curve in track.channels.iter_mut().flat_map(|channel| channel.composition.curves_mut()) {
            disown(curve);
        }
    }
    Ok(made)
}

/// Says of all keys of a curve that the document does not have them.
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

/// The node of a scene that stands for one of another scene.
fn node_of(scene: &mut Scene, other: &Scene, node: &Node, kind: TargetKind) -> Result<NodeIndex, Reason> {
    let is_it = |own: &Node| match kind {
        TargetKind::Camera => own.camera.is_some() && own.name == node.name,
        TargetKind::Light => own.light.is_some() && own.name == node.name,
        _ => own.name == node.name,
    };
    if let Some(at) = scene.nodes.iter().position(is_it) {
        let parents = [(&*scene, scene.nodes.get(at)), (other, Some(node))].map(|(scene, node)| {
            let parent = node.and_then(|node| node.parent);
            parent.and_then(|parent| scene.node(parent)).map(|parent| parent.name.as_str())
        });
        let is_known = [scene.hierarchy, other.hierarchy].iter().all(|own| *own == Hierarchy::Known);
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

/// Which of several tracks of one kind and name each one is: tracks are the same if all three are.
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
