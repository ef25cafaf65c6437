//! The shape of the file: names, children, roots, and the cameras and lights in use.

use super::names::node_names;
use dopesheet_core::model::{Lens, Scene};

/// Name of the node added above several roots.
const ROOT_NAME: &str = "Root";

/// The used items of a list, and their positions in the file.
#[derive(Debug, Default)]
pub(super) struct Used {
    /// Positions in the scene, in the order of the file.
    pub(super) kept: Vec<usize>,
    file_indices: Vec<Option<usize>>,
}

impl Used {
    /// The items of a list of `count` named by `users`.
    pub(super) fn of(count: usize, users: impl Iterator<Item = usize>) -> Self {
        let mut named = vec![false; count];
        for user in users {
            if let Some(slot) = named.get_mut(user) {
                *slot = true;
            }
        }
        let mut used = Self { kept: Vec::new(), file_indices: vec![None; count] };
        for (index, _) in named.iter().enumerate().filter(|(_, named)| **named) {
            used.file_indices[index] = Some(used.kept.len());
            used.kept.push(index);
        }
        used
    }

    /// Its position in the file.
    pub(super) fn file_index(&self, index: usize) -> Option<usize> {
        self.file_indices.get(index).copied().flatten()
    }
}

/// The shape of the file. Nodes keep their positions; an added root comes last.
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) names: Vec<String>,
    pub(super) children: Vec<Vec<usize>>,
    /// Children of the added root, and its name.
    pub(super) added_root: Option<(String, Vec<usize>)>,
    /// The roots of the glTF scene.
    pub(super) roots: Vec<usize>,
    pub(super) cameras: Used,
    pub(super) lights: Used,
}

impl Graph {
    /// `stands_alone` tells the nodes that must be roots whatever their parents are.
    pub(super) fn of(scene: &Scene, stands_alone: impl Fn(usize) -> bool) -> Self {
        let count = scene.nodes.len();
        let mut children = vec![Vec::new(); count];
        let (mut roots, mut alone) = (Vec::new(), Vec::new());
        for (index, node) in scene.nodes.iter().enumerate() {
            // Parents stand before children; anything else would be a loop.
            match node.parent.filter(|parent| parent.0 < index) {
                _ if stands_alone(index) => alone.push(index),
                Some(parent) => children[parent.0].push(index),
                None => roots.push(index),
            }
        }
        let order = depth_first(&children, roots.iter().chain(&alone));
        let (names, mut taken) = node_names(&scene.nodes, &order);
        let added_root = (roots.len() > 1).then(|| (taken.add(ROOT_NAME), roots.clone()));
        let mut scene_roots = if added_root.is_some() { vec![count] } else { roots };
        scene_roots.extend(alone);
        let nodes = || scene.nodes.iter();
        Self {
            names,
            children,
            added_root,
            roots: scene_roots,
            cameras: Used::of(scene.cameras.len(), nodes().filter_map(|node| Some(node.camera?.0))),
            lights: Used::of(scene.lights.len(), nodes().filter_map(|node| Some(node.light?.0))),
        }
    }

    /// The position in the file of a node's camera, if it has perspective.
    pub(super) fn perspective(&self, scene: &Scene, node: usize) -> Option<usize> {
        let camera = scene.nodes.get(node)?.camera?.0;
        let lens = scene.cameras.get(camera)?.lens;
        self.cameras.file_index(camera).filter(|_| matches!(lens, Lens::Perspective { .. }))
    }
}

/// Parents before children, each family contiguous.
fn depth_first<'a>(children: &[Vec<usize>], roots: impl DoubleEndedIterator<Item = &'a usize>) -> Vec<usize> {
    let mut order = Vec::with_capacity(children.len());
    let mut line: Vec<usize> = roots.rev().copied().collect();
    while let Some(index) = line.pop() {
        order.push(index);
        line.extend(children[index].iter().rev());
    }
    order
}
