//! The paths of a scene's nodes.

use crate::animation::notes::stored_name;
use dopesheet_core::format::DistinctNames;
use dopesheet_core::model::{Clip, Node, NodeIndex, Property, Scene, TargetKind};
use std::collections::HashMap;

/// Path of each node, from the animated root.
pub(super) struct Paths {
    paths: Vec<String>,
    /// Nodes whose name had to change, with the first of them.
    pub(super) renamed: Vec<String>,
    /// The node that stands for the animated root, if one does.
    pub(super) root: Option<String>,
}

impl Paths {
    /// `is_own` says that the scene comes from a clip, whose paths start at a root that it may not show.
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
            let own = labelled(clip, NodeIndex(index), &node.name);
            let name = taken.entry(parent).or_default().add(&stored_name(own));
            if name != own {
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
/// (`left.IndexTip`) and its name repeats that (`Left_IndexTip`), it is the part's own name.
fn labelled<'a>(clip: &Clip, node: NodeIndex, name: &'a str) -> &'a str {
    let tracks = || clip.tracks.iter().filter(|track| track.target.node == Some(node));
    let parts = tracks().filter_map(|track| match track.target.kind {
        TargetKind::Hand => match track.channels.first().map(|channel| &channel.property) {
            Some(Property::Named(word)) => Some(word.as_ref()),
            _ => None,
        },
        _ => track.target.label.as_deref()?.rsplit_once('.').map(|(_, part)| part),
    });
    let own = |part: &str| {
        let (side, own) = name.split_once('_')?;
        let is_side =
            tracks().any(|track| track.target.label().to_lowercase().starts_with(&side.to_lowercase()));
        (is_side && own.eq_ignore_ascii_case(part)).then_some(own)
    };
    parts.filter_map(own).next().unwrap_or(name)
}

/// The node that the component which plays the clip belongs to. In a scene from a clip that is the one without a name; in
/// others the only root, if it is nothing but a group.
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
