//! Meshes, skins, and placeholders that carry morph weights for nodes without a mesh.

use super::graph::Used;
use super::keys::narrow;
use super::materials::Materials;
use super::store::{Entry, Home, Store, VERTEX_TARGET};
use super::values::rest_weights;
use super::values::{boxed, index, stored_all};
use super::vertices::{self, Vertices, attribute};
use crate::gltf::json::parts;
use crate::gltf::json::parts::{Component, Shape};
use dopesheet_core::model::{Mesh, MorphSet, Node, Primitive, Property, Scene, Skin};
use std::collections::{HashMap, HashSet};

/// The `meshes`, `skins` and `materials` of a file, and the nodes that use them.
#[derive(Debug, Default)]
pub(super) struct Geometry<'a> {
    pub(super) meshes: Vec<parts::Mesh>,
    /// Morphs of each mesh, and whether the mesh is a placeholder for them.
    pub(super) morphs: Vec<Option<(&'a MorphSet, bool)>>,
    pub(super) skins: Vec<parts::Skin>,
    pub(super) materials: Materials,
    by_node: Vec<Option<usize>>,
    skin_of: Vec<Option<usize>>,
    /// Skinned nodes whose place has no effect and that no other part depends on.
    independent: HashSet<usize>,
}

/// Tells the meshes of the file apart: mesh, morph set, and whether the mesh is skinned.
type MeshKey = (Option<usize>, Option<usize>, bool);

impl<'a> Geometry<'a> {
    pub(super) fn of(scene: &'a Scene, store: &mut Store<'_>) -> Self {
        let drawn: Vec<Option<&Mesh>> = scene.nodes.iter().map(|node| mesh(scene, node)).collect();
        let skinned = |n: usize| drawn[n].and_then(|mesh| Some((skin(scene, &scene.nodes[n], mesh)?, n)));
        let skins = Used::of(scene.skins.len(), (0..drawn.len()).filter_map(|n| Some(skinned(n)?.0)));
        let mut geometry = Self { materials: Materials::of(scene, &drawn, store), ..Self::default() };
        geometry.skins = skins.kept.iter().map(|s| bound(&scene.skins[*s], store)).collect();
        let mut writer =
            MeshWriter { scene, store, meshes: HashMap::new(), attributes: HashMap::new(), corner: None };
        for (n, node) in scene.nodes.iter().enumerate() {
            let skin = skinned(n).map(|(skin, _)| skin);
            let mesh = writer.mesh(node, drawn[n], skin, &mut geometry);
            geometry.by_node.push(mesh);
            geometry.skin_of.push(skin.and_then(|skin| skins.file_index(skin)));
        }
        geometry.independent = independent_nodes(scene, &geometry.skin_of);
        geometry
    }

    /// The position of a node's mesh in the file.
    pub(super) fn mesh(&self, node: usize) -> Option<usize> {
        self.by_node.get(node).copied().flatten()
    }

    /// The position of a node's skin in the file.
    pub(super) fn skin(&self, node: usize) -> Option<usize> {
        self.skin_of.get(node).copied().flatten()
    }

    /// True if a node is written as a root without a transform: nodes of skinned meshes are not moved by
    /// their parents (glTF 2.0, section 3.7.3.3).
    pub(super) fn stands_alone(&self, node: usize) -> bool {
        self.independent.contains(&node)
    }
}

/// The mesh of a node, if there is anything to draw.
fn mesh<'a>(scene: &'a Scene, node: &Node) -> Option<&'a Mesh> {
    let mesh = scene.meshes.get(node.mesh?.0)?;
    mesh.primitives.iter().any(vertices::is_drawable).then_some(mesh)
}

/// The position of a node's skin in the scene, if the mesh has joints for it.
fn skin(scene: &Scene, node: &Node, mesh: &Mesh) -> Option<usize> {
    let index = node.skin?.0;
    let has_joints = |primitive: &Primitive| {
        !vertices::is_drawable(primitive) || primitive.joints.len() == primitive.positions.len()
    };
    let sound = scene.skins.get(index).is_some_and(|skin| {
        !skin.joints.is_empty() && skin.joints.iter().all(|joint| joint.0 < scene.nodes.len())
    });
    (sound && mesh.primitives.iter().all(has_joints)).then_some(index)
}

fn independent_nodes(scene: &Scene, skins: &[Option<usize>]) -> HashSet<usize> {
    let parents = scene.nodes.iter().filter_map(|node| Some(node.parent?.0));
    let moves = |property: &Property| {
        matches!(property, Property::Translation | Property::Rotation | Property::Scale)
    };
    let tracks = scene.tracks();
    let moved = tracks
        .filter(|track| track.channels.iter().any(|channel| moves(&channel.property)))
        .filter_map(|track| Some(track.target.node?.0));
    let joints = scene.skins.iter().flat_map(|skin| &skin.joints).map(|joint| joint.0);
    let needed: HashSet<usize> = parents.chain(moved).chain(joints).collect();
    let skinned = skins.iter().enumerate().filter_map(|(node, skin)| skin.map(|_| node));
    skinned.filter(|node| !needed.contains(node)).collect()
}

struct MeshWriter<'a, 'b, 's> {
    scene: &'a Scene,
    store: &'b mut Store<'s>,
    meshes: HashMap<MeshKey, usize>,
    attributes: HashMap<(usize, usize, bool), Vertices>,
    /// The accessor of placeholder triangles.
    corner: Option<usize>,
}

impl<'a> MeshWriter<'a, '_, '_> {
    fn mesh(
        &mut self,
        node: &Node,
        mesh: Option<&Mesh>,
        skin: Option<usize>,
        geometry: &mut Geometry<'a>,
    ) -> Option<usize> {
        let set = node.morphs.and_then(|set| Some((set.0, self.scene.morph_sets.get(set.0)?)));
        let set = set.filter(|(_, set)| !set.morphs.is_empty());
        let drawn = mesh.zip(node.mesh).map(|(mesh, index)| (mesh, index.0));
        let key = (drawn.map(|(_, index)| index), set.map(|(set, _)| set), skin.is_some());
        if let Some(mesh_number) = self.meshes.get(&key) {
            return Some(*mesh_number);
        }
        let set = set.map(|(_, set)| set);
        let (name, primitives) = match (drawn, set) {
            (Some((mesh, index)), set) => {
                let joints = skin.and_then(|skin| self.scene.skins.get(skin)).map(|skin| skin.joints.len());
                let targets = set.map_or(0, |set| set.morphs.len());
                (&mesh.name, self.drawn(mesh, index, joints, targets, &geometry.materials))
            }
            (None, Some(set)) => {
                let corner = *self.corner.get_or_insert_with(|| triangle_of_nothing(self.store));
                (&set.name, vec![placeholder(set, corner)])
            }
            (None, None) => return None,
        };
        let weights = set.map(rest_weights).filter(|weights| weights.iter().any(|weight| *weight != 0.0));
        let weights = weights.map(|weights| stored_all(&weights));
        geometry.meshes.push(parts::Mesh { name: boxed(name), primitives, weights, extras: None });
        geometry.morphs.push(set.map(|set| (set, drawn.is_none())));
        self.meshes.insert(key, geometry.meshes.len() - 1);
        Some(geometry.meshes.len() - 1)
    }

    fn drawn(
        &mut self,
        mesh: &Mesh,
        index: usize,
        joints: Option<usize>,
        targets: usize,
        materials: &Materials,
    ) -> Vec<parts::Primitive> {
        let drawable = mesh.primitives.iter().enumerate().filter(|(_, p)| vertices::is_drawable(p));
        let written = drawable.map(|(p, primitive)| {
            let uv_sets = vertices::uv_sets(primitive).max(materials.uv_sets(primitive));
            let entry = self.attributes.entry((index, p, joints.is_some()));
            let vertices = entry.or_insert_with(|| Vertices::of(primitive, joints, uv_sets, self.store));
            vertices.primitive(primitive, materials.file_index(primitive), targets, self.store)
        });
        written.collect()
    }
}

/// Three equal positions, also usable as the offsets of any number of morphs.
fn triangle_of_nothing(store: &mut Store<'_>) -> usize {
    let home = Home::Blob(store.blob(vec![0; 36], Some(VERTEX_TARGET)));
    let bounds = Some([vec![0.0; 3], vec![0.0; 3]]);
    store.entry(Entry { bounds, ..Entry::plain(home, Component::F32, 3, Shape::Vec3) })
}

fn placeholder(set: &MorphSet, zeros: usize) -> parts::Primitive {
    let attributes = vec![attribute("POSITION", zeros)];
    parts::Primitive {
        targets: vec![attributes.clone(); set.morphs.len()],
        attributes,
        ..parts::Primitive::default()
    }
}

/// An item of `skins`; the nodes of the file are the nodes of the scene.
fn bound(skin: &Skin, store: &mut Store<'_>) -> parts::Skin {
    let matrices = (skin.inverse_bind.len() == skin.joints.len()).then(|| {
        let mut bytes = Vec::with_capacity(skin.joints.len() * 64);
        for matrix in &skin.inverse_bind {
            for (at, value) in matrix.iter().enumerate() {
                // The last row must be 0 0 0 1 exactly.
                let stored = match at {
                    15 => 1.0,
                    3 | 7 | 11 => 0.0,
                    _ => narrow(*value),
                };
                bytes.extend(stored.to_le_bytes());
            }
        }
        let home = Home::Blob(store.blob(bytes, None));
        store.entry(Entry::plain(home, Component::F32, skin.joints.len(), Shape::Mat4))
    });
    parts::Skin {
        name: boxed(&skin.name),
        joints: skin.joints.iter().map(|joint| index(joint.0)).collect(),
        inverse_bind_matrices: matrices.map(index),
        skeleton: None,
    }
}
