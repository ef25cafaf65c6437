//! The paths of a scene's nodes.

use crate::animation::notes::stored_name;
use dopesheet_core::format::DistinctNames;
use dopesheet_core::model::{Clip, Node, NodeIndex, Property, Scene, TargetKind};
use std::collections::HashMap;

/// Path of each node, from the animated root.
pub(super) struct Paths {
    paths: Vec<String>,
    /// Nodes with a changed name.
    pub(super) renamed: Vec<String>,
    /// The node taken for the animated root, if there is any.
    pub(super) root: Option<String>,
}

impl Paths {
    /// `is_own` tells that the scene was made from a clip, whose paths start at a root that the scene may not
    /// contain.
    pub(super) fn of(scene: &Scene, clip: &Clip, is_own: bool) -> Self {
        let root = root(scene, clip, is_own);
        let mut taken: HashMap<Option<usize>, DistinctNames> = HashMap::new();
        let mut paths: Vec<String> = Vec::with_capacity(scene.nodes.len());
        let mut renamed = Vec::new();
        for (index, node) in scene.nodes.iter().enumerate() {
            if root == Some(index) {
                paths.push(String::new());
                continue;
            }
            let parent = node.parent.map(|parent| parent.0).filter(|parent| *parent < index);
            let label = labelled(clip, NodeIndex(index), &node.name);
            let name = taken.entry(parent).or_default().add(&stored_name(label));
            if name != label {
                renamed.push(node.name.clone());
            }
            let above = parent.and_then(|parent| paths.get(parent)).map_or("", String::as_str);
            paths.push(if above.is_empty() { name } else { format!("{above}/{name}") });
        }
        let root =
            root.filter(|_| !is_own).and_then(|root| scene.nodes.get(root)).map(|node| node.name.clone());
        Self { paths, renamed, root }
    }

    /// Path of a node's parent.
    pub(super) fn above(&self, node: NodeIndex) -> Option<&str> {
        self.get(node)?.rsplit_once('/').map(|(above, _)| above)
    }

    /// The paths of all nodes.
    pub(super) fn into_all(self) -> Vec<String> {
        self.paths
    }

    pub(super) fn get(&self, node: NodeIndex) -> Option<&str> {
        self.paths.get(node.0).map(String::as_str)
    }
}

/// Name of a node below its parent. If the source labels the node's track as a part of something
/// (`left.IndexTip`) and the node's name repeats the label (`Left_IndexTip`), only the name of the part.
fn labelled<'a>(clip: &Clip, node: NodeIndex, name: &'a str) -> &'a str {
    let tracks = || clip.tracks.iter().filter(|track| track.target.node == Some(node));
    let parts = tracks().filter_map(|track| match track.target.kind {
        TargetKind::Hand => match track.channels.first().map(|channel| &channel.property) {
            Some(Property::Named(word)) => Some(word.as_ref()),
            _ => None,
        },
        _ => track.target.label.as_deref()?.rsplit_once('.').map(|(_, part)| part),
    });
    let part_name = |part: &str| {
        let (side, behind) = name.split_once('_')?;
        let is_side =
            tracks().any(|track| track.target.label().to_lowercase().starts_with(&side.to_lowercase()));
        (is_side && behind.eq_ignore_ascii_case(part)).then_some(behind)
    };
    parts.filter_map(part_name).next().unwrap_or(name)
}

/// The node of the component that plays the clip: in a scene made from a clip, the nameless root; in other
/// scenes, the only root, if it is a mere group.
fn root(scene: &Scene, clip: &Clip, is_own: bool) -> Option<usize> {
    let mut roots = scene.nodes.iter().enumerate().filter(|(_, node)| node.parent.is_none());
    let (index, root) = roots.next().filter(|_| roots.next().is_none())?;
    if is_own {
        return root.name.is_empty().then_some(index);
    }
    let is_bare = |n: &Node| n.mesh.is_none() && n.camera.is_none() && n.light.is_none();
    let moves = clip.tracks.iter().any(|track| track.target.node == Some(NodeIndex(index)));
    let is_group = scene.nodes.iter().any(|node| node.parent == Some(NodeIndex(index)));
    (is_bare(root) && !moves && is_group).then_some(index)
}
