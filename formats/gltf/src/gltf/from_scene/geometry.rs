//! Meshes, skins, and placeholders that carry morph weights where there is no mesh.

use super::graph::Used;
use super::keys::narrow;
use super::materials::Materials;
use super::rest_weights;
use super::store::{Entry, FLOAT, Home, Store, VERTEX_TARGET};
use super::vertices::{self, Vertices};
use dopesheet_core::bytes::json::{JsonWriter, NumberStyle};
use dopesheet_core::model::{Mesh, MorphSet, Node, Primitive, Property, Scene, Skin};
use std::collections::{HashMap, HashSet};

/// The items of `meshes`, `skins` and `materials`, and which node has which.
#[derive(Debug, Default)]
pub(super) struct Geometry {
    pub(super) meshes: Vec<String>,
    pub(super) skins: Vec<String>,
    pub(super) materials: Materials,
    by_node: Vec<Option<usize>>,
    skin_of: Vec<Option<usize>>,
    /// Primitives whose texture coordinates nothing uses.
    pub(super) unused_uvs: usize,
    /// Skinned nodes whose own place has no effect and matters to nobody.
    alone: HashSet<usize>,
}

/// Tells the meshes of the file apart: mesh, morph set, and whether it is skinned.
type MeshKey = (Option<usize>, Option<usize>, bool);

impl Geometry {
    pub(super) fn of(scene: &Scene, store: &mut Store<'_>) -> Self {
        let drawn: Vec<Option<&Mesh>> = scene.nodes.iter().map(|node| mesh(scene, node)).collect();
        let skinned = |n: usize| drawn[n].and_then(|mesh| Some((skin(scene, &scene.nodes[n], mesh)?, n)));
        let skins = Used::of(scene.skins.len(), (0..drawn.len()).filter_map(|n| Some(skinned(n)?.0)));
        let mut geometry = Self { materials: Materials::of(scene, &drawn, store), ..Self::default() };
        geometry.skins = skins.kept.iter().map(|s| skin_json(&scene.skins[*s], store)).collect();
        let mut writer =
            MeshWriter { scene, store, known: HashMap::new(), attributes: HashMap::new(), corner: None };
        for (n, node) in scene.nodes.iter().enumerate() {
            let skin = skinned(n).map(|(skin, _)| skin);
            let mesh = writer.mesh(node, drawn[n], skin, &mut geometry);
            geometry.by_node.push(mesh);
            geometry.skin_of.push(skin.and_then(|skin| skins.place(skin)));
        }
        geometry.alone = alone(scene, &geometry.skin_of);
        let primitives = drawn.iter().flatten().flat_map(|mesh| &mesh.primitives);
        let unused = |p: &&Primitive| !p.uvs.is_empty() && !geometry.materials.is_textured(p);
        geometry.unused_uvs = primitives.filter(unused).count();
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

    /// Whether a node is written as a root without a transform: those of skinned meshes are not moved by their parents
    /// (glTF 2.0, section 3.7.3.3).
    pub(super) fn stands_alone(&self, node: usize) -> bool {
        self.alone.contains(&node)
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

fn alone(scene: &Scene, skins: &[Option<usize>]) -> HashSet<usize> {
    let parents = scene.nodes.iter().filter_map(|node| Some(node.parent?.0));
    let moves = |property: &Property| {
        matches!(property, Property::Translation | Property::Rotation | Property::Scale)
    };
    let tracks = scene.clips.iter().flat_map(|clip| &clip.tracks);
    let moved = tracks
        .filter(|track| track.channels.iter().any(|channel| moves(&channel.property)))
        .filter_map(|track| Some(track.target.node?.0));
    let joints = scene.skins.iter().flat_map(|skin| &skin.joints).map(|joint| joint.0);
    let needed: HashSet<usize> = parents.chain(moved).chain(joints).collect();
    let skinned = skins.iter().enumerate().filter_map(|(node, skin)| skin.map(|_| node));
    skinned.filter(|node| !needed.contains(node)).collect()
}

struct MeshWriter<'a, 's> {
    scene: &'a Scene,
    store: &'a mut Store<'s>,
    known: HashMap<MeshKey, usize>,
    attributes: HashMap<(usize, usize, bool), Vertices>,
    /// The accessor of placeholder triangles.
    corner: Option<usize>,
}

impl MeshWriter<'_, '_> {
    fn mesh(
        &mut self,
        node: &Node,
        mesh: Option<&Mesh>,
        skin: Option<usize>,
        geometry: &mut Geometry,
    ) -> Option<usize> {
        let set = node.morphs.and_then(|set| Some((set.0, self.scene.morph_sets.get(set.0)?)));
        let set = set.filter(|(_, set)| !set.morphs.is_empty());
        let index = mesh.and(node.mesh).map(|mesh| mesh.0);
        let key = (index, set.map(|(set, _)| set), skin.is_some());
        if let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        let json = match (mesh, index, set) {
            (Some(mesh), Some(index), set) => {
                let joints = skin.and_then(|skin| self.scene.skins.get(skin)).map(|skin| skin.joints.len());
                self.drawn(mesh, index, joints, set.map(|(_, set)| set), &geometry.materials)
            }
            (_, _, Some((_, set))) => {
                placeholder(set, *self.corner.get_or_insert_with(|| triangle_of_nothing(self.store)))
            }
            _ => return None,
        };
        geometry.meshes.push(json);
        self.known.insert(key, geometry.meshes.len() - 1);
        Some(geometry.meshes.len() - 1)
    }

    fn drawn(
        &mut self,
        mesh: &Mesh,
        index: usize,
        joints: Option<usize>,
        set: Option<&MorphSet>,
        materials: &Materials,
    ) -> String {
        let mut json = JsonWriter::new(NumberStyle::ShortestF32);
        json.object(|w| {
            if !mesh.name.is_empty() {
                w.name("name").string(&mesh.name);
            }
            w.name("primitives").array(|w| {
                for (p, primitive) in mesh.primitives.iter().enumerate() {
                    if vertices::is_drawable(primitive) {
                        let textured = materials.is_textured(primitive);
                        let known = self.attributes.entry((index, p, joints.is_some()));
                        let vertices =
                            known.or_insert_with(|| Vertices::of(primitive, joints, textured, self.store));
                        let targets = set.map_or(0, |set| set.morphs.len());
                        w.object(|w| {
                            vertices.write(w);
                            if let Some(material) = materials.place(primitive) {
                                w.name("material").integer(material);
                            }
                            vertices.write_targets(w, primitive, targets, self.store);
                        });
                    }
                }
            });
            if let Some(set) = set {
                morphs(w, set, false);
            }
        });
        json.finish()
    }
}

/// Default weights and names of morph targets.
fn morphs(w: &mut JsonWriter, set: &MorphSet, placeholder: bool) {
    let weights = rest_weights(set);
    if weights.iter().any(|weight| *weight != 0.0) {
        w.name("weights").numbers(weights.iter().map(|weight| f64::from(*weight)));
    }
    w.name("extras").object(|w| {
        w.name("targetNames").array(|w| {
            for morph in &set.morphs {
                w.string(morph);
            }
        });
        if placeholder {
            w.name("placeholder").bool(true);
        }
    });
}

/// Three equal positions, which also serve as the offsets of any number of morphs.
fn triangle_of_nothing(store: &mut Store<'_>) -> usize {
    let blob = store.blob(vec![0; 36], Some(VERTEX_TARGET));
    store.entry(Entry {
        home: Home::Blob(blob),
        component: FLOAT,
        count: 3,
        shape: "VEC3",
        bounds: Some([vec![0.0; 3], vec![0.0; 3]]),
        sparse: None,
    })
}

fn placeholder(set: &MorphSet, zeros: usize) -> String {
    let mut json = JsonWriter::new(NumberStyle::ShortestF32);
    json.object(|w| {
        if !set.name.is_empty() {
            w.name("name").string(&set.name);
        }
        w.name("primitives").array(|w| {
            w.object(|w| {
                let position = |w: &mut JsonWriter| {
                    w.object(|w| {
                        w.name("POSITION").integer(zeros);
                    });
                };
                position(w.name("attributes"));
                w.name("targets").array(|w| set.morphs.iter().for_each(|_| position(w)));
            });
        });
        morphs(w, set, true);
    });
    json.finish()
}

/// An item of `skins`; the nodes of the file are those of the scene.
fn skin_json(skin: &Skin, store: &mut Store<'_>) -> String {
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
        let count = skin.joints.len();
        store.entry(Entry { home, component: FLOAT, count, shape: "MAT4", bounds: None, sparse: None })
    });
    let mut json = JsonWriter::new(NumberStyle::ShortestF32);
    json.object(|w| {
        if !skin.name.is_empty() {
            w.name("name").string(&skin.name);
        }
        if let Some(matrices) = matrices {
            w.name("inverseBindMatrices").integer(matrices);
        }
        w.name("joints").array(|w| {
            for joint in &skin.joints {
                w.integer(joint.0);
            }
        });
    });
    json.finish()
}
