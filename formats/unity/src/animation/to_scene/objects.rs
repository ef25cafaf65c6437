//! The objects of a clip: a node per name of each path.

use crate::animation::document::Clip;
use dopesheet_core::model::{Node, NodeIndex, Scene, Transform};
use std::collections::HashMap;

/// Nodes by paths.
#[derive(Default)]
pub(super) struct Objects(HashMap<String, NodeIndex>);

/// Paths of a clip, in the order of its lists.
fn paths(clip: &Clip) -> impl Iterator<Item = &str> {
    let vectors = clip.euler_curves.iter().chain(&clip.position_curves).chain(&clip.scale_curves);
    let placed = clip.rotation_curves.iter().map(|curve| &curve.path).chain(vectors.map(|curve| &curve.path));
    placed.chain(clip.float_curves.iter().map(|curve| &curve.path)).map(String::as_str)
}

impl Objects {
    /// All objects named in the clips of a file. Top-level objects are below a node for the root if a clip
    /// moves the root.
    pub(super) fn of(clips: &[Clip], scene: &mut Scene) -> Self {
        let mut objects = Self::default();
        let vectors = |clip: &Clip| {
            let three = clip.euler_curves.iter().chain(&clip.position_curves).chain(&clip.scale_curves);
            three
                .map(|curve| curve.path.is_empty())
                .chain(clip.rotation_curves.iter().map(|curve| curve.path.is_empty()))
                .any(|is| is)
        };
        if clips.iter().any(vectors) {
            objects.0.insert(String::new(), scene.push_node(Node::new("", None, Transform::IDENTITY)));
        }
        for path in clips.iter().flat_map(paths) {
            objects.add(path, scene);
        }
        objects
    }

    fn add(&mut self, path: &str, scene: &mut Scene) {
        if path.is_empty() || self.0.contains_key(path) {
            return;
        }
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        let mut parent = self.0.get("").copied();
        let mut start = 0;
        for end in ends {
            let so_far = &path[..end];
            let node = match self.0.get(so_far) {
                Some(node) => *node,
                None => {
                    let node = scene.push_node(Node::new(&path[start..end], parent, Transform::IDENTITY));
                    self.0.insert(so_far.to_owned(), node);
                    node
                }
            };
            (parent, start) = (Some(node), end + 1);
        }
    }

    pub(super) fn get(&self, path: &str) -> Option<NodeIndex> {
        self.0.get(path).copied()
    }
}
