//! The joints of a scene as a tree, with the longest way down from each.

use dopesheet_core::model::{Node, NodeIndex, Scene};
use glam::DVec3;
use std::collections::HashSet;

/// Most joints of a limb that are examined, including the joint above.
const MOST_JOINTS: usize = 16;
/// Endings of names of joints at ends of limbs, in small letters.
const ENDS: [&str; 5] = ["end", "site", "nub", "tip", "top"];

/// Joints in a pose.
pub(crate) struct Tree<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) places: Vec<DVec3>,
    children: Vec<Vec<usize>>,
    /// Length of the longest way down from each joint.
    reach: Vec<f64>,
    /// First joint of the longest way down.
    longest: Vec<Option<usize>>,
    /// Joints moved by the first clip; `None` without a clip.
    moved: Option<HashSet<NodeIndex>>,
}

impl<'a> Tree<'a> {
    /// Joints are all nodes except for nodes that show something and have no joint below.
    pub(crate) fn of(scene: &'a Scene, places: Vec<DVec3>) -> Self {
        let count = scene.nodes.len().min(places.len());
        let mut tree = Self {
            scene,
            children: vec![Vec::new(); count],
            reach: vec![0.0; count],
            longest: vec![None; count],
            places,
            moved: scene
                .clips
                .first()
                .map(|clip| clip.tracks.iter().filter_map(|track| track.target.node).collect()),
        };
        for (index, node) in scene.nodes.iter().enumerate().take(count).rev() {
            let is_joint = is_bare(node) || tree.children.get(index).is_some_and(|below| !below.is_empty());
            let Some(parent) = node.parent.map(|parent| parent.0).filter(|_| is_joint) else { continue };
            let length = tree.length(parent, index);
            if let Some(children) = tree.children.get_mut(parent) {
                children.push(index);
            }
            if let (Some(reach), Some(longest)) = (tree.reach.get_mut(parent), tree.longest.get_mut(parent))
                && (length > *reach || longest.is_none())
            {
                (*reach, *longest) = (length, Some(index));
            }
        }
        tree.children.iter_mut().for_each(|children| children.reverse());
        tree
    }

    pub(crate) fn place(&self, node: usize) -> DVec3 {
        self.places.get(node).copied().unwrap_or_default()
    }

    pub(crate) fn children(&self, node: usize) -> &[usize] {
        self.children.get(node).map_or(&[], Vec::as_slice)
    }

    /// Number of chains below a joint.
    pub(crate) fn limbs_below(&self, node: usize) -> usize {
        let has_length = |below: &&usize| self.reach.get(**below).is_some_and(|reach| *reach > 0.0);
        self.children(node).iter().filter(has_length).count()
    }

    /// Every joint with more than one joint below.
    pub(crate) fn branches(&self) -> impl Iterator<Item = usize> {
        self.children.iter().enumerate().filter(|(_, below)| below.len() > 1).map(|(node, _)| node)
    }

    /// Length from a joint through a joint below it to the end of the longest chain.
    pub(crate) fn length(&self, from: usize, first: usize) -> f64 {
        self.place(from).distance(self.place(first)) + self.reach.get(first).copied().unwrap_or_default()
    }

    /// A joint, a joint below it, and the longest chain on from there.
    pub(crate) fn path(&self, from: usize, first: usize) -> Vec<usize> {
        let next = |node: &usize| self.longest.get(*node).copied().flatten();
        std::iter::once(from).chain(std::iter::successors(Some(first), next)).take(MOST_JOINTS).collect()
    }

    /// A joint and all joints above.
    pub(crate) fn above(&self, node: usize) -> impl Iterator<Item = usize> {
        let parent = |node: &usize| self.scene.nodes.get(*node)?.parent.map(|parent| parent.0);
        std::iter::successors(Some(node), parent).take(self.scene.nodes.len())
    }

    /// True of a joint without joints below that marks the end of a limb: by its name, or because the first
    /// clip does not move the joint.
    pub(crate) fn is_end(&self, node: usize) -> bool {
        let name = self.name(node).to_lowercase();
        let is_named = name.is_empty() || ENDS.iter().any(|end| name.ends_with(end));
        let is_still = self.moved.as_ref().is_some_and(|moved| !moved.contains(&NodeIndex(node)));
        self.children(node).is_empty() && (is_named || is_still)
    }

    pub(crate) fn name(&self, node: usize) -> &str {
        self.scene.nodes.get(node).map_or("", |node| node.name.as_str())
    }
}

/// True of a node without a mesh, a camera or a light.
fn is_bare(node: &Node) -> bool {
    node.mesh.is_none() && node.camera.is_none() && node.light.is_none()
}
