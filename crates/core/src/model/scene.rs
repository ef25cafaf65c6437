//! The whole contents of a file.

use super::camera::Camera;
use super::clip::{Clip, Track};
use super::english::EnglishNames;
use super::humanoid::Humanoid;
use super::light::Light;
use super::mesh::{Image, Material, Mesh, MorphSet, Skin};
use super::node::Node;
use super::rig::Rig;
use super::{Basis, NodeIndex};

/// Origin of the parents in [`Scene::nodes`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hierarchy {
    /// The file holds the parent of each node.
    #[default]
    Known,
    /// The file only names things; all nodes stand side by side.
    Unknown,
}

/// Origin of the rest poses in [`Scene::nodes`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RestPose {
    /// The file states them, or its values come on top of them.
    #[default]
    Known,
    /// The file states poses of a motion alone; nodes rest at the identity.
    Unknown,
    /// As [`RestPose::Unknown`], with a pose assumed from the first keys.
    Assumed,
    /// The file states no lengths; nodes rest as joints of a body of ordinary proportions.
    Ordinary,
}

/// The content of a file. A motion and a model are both scenes; all parts but the nodes may be empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Name of the model, as stated by motions made for it; `None` if the source has no name for the model.
    pub name: Option<String>,
    /// Directions of the axes and length of the unit.
    pub basis: Basis,
    /// Origin of the parents.
    pub hierarchy: Hierarchy,
    /// Origin of the rest poses.
    pub rest: RestPose,
    /// Everything with a transform; parents before children.
    pub nodes: Vec<Node>,
    /// The motions.
    pub clips: Vec<Clip>,
    /// Cameras, placed by nodes.
    pub cameras: Vec<Camera>,
    /// Lights, placed by nodes.
    pub lights: Vec<Light>,
    /// Meshes, placed by nodes.
    pub meshes: Vec<Mesh>,
    /// Materials of meshes.
    pub materials: Vec<Material>,
    /// Pictures of materials.
    pub images: Vec<Image>,
    /// The joints that deform meshes.
    pub skins: Vec<Skin>,
    /// The morphs of meshes.
    pub morph_sets: Vec<MorphSet>,
    /// Constraints between joints.
    pub rig: Rig,
    /// The bones of a human figure, if the source assigns them to nodes.
    pub humanoid: Option<Humanoid>,
    /// English names of its parts, if the source has them.
    pub english: EnglishNames,
}

impl Scene {
    /// All tracks, clip by clip.
    pub fn tracks(&self) -> impl Iterator<Item = &Track> + Clone {
        self.clips.iter().flat_map(|clip| &clip.tracks)
    }

    /// An empty scene.
    #[must_use]
    pub fn new(basis: Basis) -> Self {
        Self {
            name: None,
            basis,
            hierarchy: Hierarchy::Known,
            rest: RestPose::Known,
            nodes: Vec::new(),
            clips: Vec::new(),
            cameras: Vec::new(),
            lights: Vec::new(),
            meshes: Vec::new(),
            materials: Vec::new(),
            images: Vec::new(),
            skins: Vec::new(),
            morph_sets: Vec::new(),
            rig: Rig::default(),
            humanoid: None,
            english: EnglishNames::default(),
        }
    }

    /// The same scene with the rest poses of another scene of the same nodes, if the rest pose of this scene
    /// is unknown.
    #[must_use]
    pub fn resting_as(mut self, other: &Self) -> Self {
        if self.rest == RestPose::Unknown {
            self.rest = other.rest;
            for (node, other) in self.nodes.iter_mut().zip(&other.nodes) {
                node.rest = other.rest;
            }
        }
        self
    }

    /// Appends a node and yields its index.
    pub fn push_node(&mut self, node: Node) -> NodeIndex {
        self.nodes.push(node);
        NodeIndex(self.nodes.len() - 1)
    }

    /// The node at an index, if there is one.
    #[must_use]
    pub fn node(&self, index: NodeIndex) -> Option<&Node> {
        self.nodes.get(index.0)
    }
}
