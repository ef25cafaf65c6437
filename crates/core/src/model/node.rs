//! The hierarchy: joints, and whatever else has a place in space.

use super::Transform;
use super::index::NodeIndex;
use super::mesh::{MorphSetIndex, SkinIndex};

/// A camera's position in [`Scene::cameras`](super::Scene::cameras).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CameraIndex(pub usize);

/// A light's position in [`Scene::lights`](super::Scene::lights).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LightIndex(pub usize);

/// A mesh's position in [`Scene::meshes`](super::Scene::meshes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MeshIndex(pub usize);

/// A node. Parents stand before their children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// The source's name, unchanged; names may repeat or be empty.
    pub name: String,
    /// The node's number in the source file, if the file numbers nodes.
    pub source_index: Option<usize>,
    /// The enclosing node.
    pub parent: Option<NodeIndex>,
    /// Local transform when nothing animates the node.
    pub rest: Transform,
    /// The mesh drawn at the node.
    pub mesh: Option<MeshIndex>,
    /// The skin that deforms the mesh.
    pub skin: Option<SkinIndex>,
    /// The morph weights that act on the mesh.
    pub morphs: Option<MorphSetIndex>,
    /// The camera at the node.
    pub camera: Option<CameraIndex>,
    /// The light at the node.
    pub light: Option<LightIndex>,
    /// Further data of the source.
    pub extras: Option<serde_json::Value>,
}

impl Node {
    /// A node with a name and a rest transform and nothing else.
    #[must_use]
    pub fn new(name: impl Into<String>, parent: Option<NodeIndex>, rest: Transform) -> Self {
        Self { name: name.into(), parent, rest, ..Self::default() }
    }
}
