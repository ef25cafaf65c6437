//! Meshes as triangles, and their joints.

use super::morphs::{self, Shapes};
use super::numbers::{matrix, narrow, vector};
use super::remarks::Remarks;
use super::still::Still;
use crate::fbx::codes;
use dopesheet_core::model::{MaterialIndex, Mesh, MeshIndex, Primitive, Skin, SkinIndex, VertexJoints};
use std::collections::HashMap;
use ufbx::SkinningMethod;

/// Largest number of joints of a vertex in a scene.
const MOST_JOINTS: usize = 4;

/// Bytes of a number of a vertex, once in its column and once in the table of known vertices.
const NUMBER_BYTES: usize = 8;

/// Adds all meshes, with their skins and morphs, and puts them on their nodes. Yields the names of meshes with more sets of coordinates
/// and colours than a memory limit in bytes allows, since a few bytes of a file make a set of any length.
pub(super) fn add(
    file: &ufbx::Scene,
    still: &mut Still,
    mut memory: usize,
    remarks: &mut Remarks,
) -> Vec<String> {
    let mut cut = Vec::new();
    let (mut skins, mut morph_sets) = (Vec::new(), Vec::new());
    for mesh in &file.meshes {
        let shapes = Shapes::of(mesh, remarks);
        let numbers = mesh.vertices.iter().flat_map(|v| [v.x, v.y, v.z]);
        let colors = mesh.color_sets.iter().flat_map(|set| &set.vertex_color.values);
        let numbers = numbers.chain(colors.flat_map(|v| [v.x, v.y, v.z, v.w]));
        let uvs = mesh.uv_sets.iter().flat_map(|set| &set.vertex_uv.values).flat_map(|v| [v.x, v.y]);
        remarks.finite(|| format!("mesh {:?}", name(&mesh.element)), numbers.chain(uvs));
        let (skin, joints) = skin(mesh, still).unzip();
        let of_vertices = joints.map_or_else(Vec::new, |joints| vertex_joints(mesh, &joints, remarks));
        let counts = [mesh.uv_sets.len(), mesh.color_sets.len()];
        let sets = affordable(mesh, &mut memory);
        if sets != counts {
            cut.push(name(&mesh.element));
        }
        still.scene.meshes.push(self::mesh(mesh, sets, &shapes, &of_vertices));
        skins.push(skin);
        morph_sets.push(morphs::add_set(mesh, &shapes, still));
    }
    for node in &file.nodes {
        let Some((mesh, index)) = node.mesh.as_ref().zip(still.node(node)) else { continue };
        let id = mesh.element.typed_id as usize;
        let Some(own) = still.scene.nodes.get_mut(index.0) else { continue };
        own.mesh = Some(MeshIndex(id));
        own.skin = skins.get(id).copied().flatten();
        own.morphs = morph_sets.get(id).copied().flatten();
    }
    cut
}

/// The numbers of UV sets and of colour sets with room in memory, which they then take.
fn affordable(mesh: &ufbx::Mesh, memory: &mut usize) -> [usize; 2] {
    [(mesh.uv_sets.len(), 2), (mesh.color_sets.len(), 4)].map(|(sets, width)| {
        let cost = mesh.num_indices.saturating_mul(width * NUMBER_BYTES).max(1);
        let sets = sets.min(*memory / cost);
        *memory -= sets * cost;
        sets
    })
}

/// A mesh with a primitive for each material.
fn mesh(mesh: &ufbx::Mesh, sets: [usize; 2], shapes: &Shapes<'_>, joints: &[VertexJoints]) -> Mesh {
    let parts = mesh.material_parts.iter().filter(|part| part.num_triangles > 0);
    let primitive = |part: &ufbx::MeshPart| {
        let mut builder = Builder::new(mesh, sets, joints);
        for face in part.face_indices.iter().filter_map(|index| mesh.faces.get(*index as usize)) {
            builder.add(face);
        }
        let material = mesh.materials.get(part.index as usize);
        let material = material.map(|own| MaterialIndex(own.element.typed_id as usize));
        let morphs = shapes.deltas(&builder.of_vertex);
        Primitive { material, morphs, ..builder.primitive }
    };
    Mesh { name: name(&mesh.element), primitives: parts.map(primitive).collect() }
}

/// Name of a mesh or another object, or the name of its first node for the many objects without a name.
pub(super) fn name(object: &ufbx::Element) -> String {
    let stated = object.name.as_ref();
    let node = object.instances.first().map(|node| node.element.name.as_ref());
    if stated.is_empty() { node.unwrap_or_default().to_owned() } else { stated.to_owned() }
}

/// A growing primitive. Corners with equal vertex, normal, tangent, coordinates and colours become a single vertex.
struct Builder<'a> {
    mesh: &'a ufbx::Mesh,
    joints: &'a [VertexJoints],
    primitive: Primitive,
    /// The numbers of the current corner.
    numbers: Vec<f32>,
    /// Vertices of the primitive by the bits of their numbers, with the vertex of the mesh at the end: many files list equal values again
    /// and again.
    made: HashMap<Vec<u32>, u32>,
    /// Vertices of the primitive by vertex of the mesh.
    of_vertex: HashMap<u32, Vec<u32>>,
    corners: Vec<u32>,
}

impl<'a> Builder<'a> {
    fn new(mesh: &'a ufbx::Mesh, sets: [usize; 2], joints: &'a [VertexJoints]) -> Self {
        let [uv_sets, colors] = sets;
        Self {
            mesh,
            joints,
            primitive: Primitive {
                uv_sets: vec![Vec::new(); uv_sets],
                colors: vec![Vec::new(); colors],
                ..Primitive::default()
            },
            numbers: Vec::new(),
            made: HashMap::new(),
            of_vertex: HashMap::new(),
            corners: Vec::new(),
        }
    }

    fn add(&mut self, face: &ufbx::Face) {
        let triangles = (face.num_indices as usize).saturating_sub(2);
        self.corners.clear();
        self.corners.resize(triangles * 3, 0);
        if triangles == 0 {
            return;
        }
        let face = ufbx::Face { index_begin: face.index_begin, num_indices: face.num_indices };
        let count = ufbx::triangulate_face(&mut self.corners, self.mesh, face) as usize;
        for at in 0..(count * 3).min(self.corners.len()) {
            let vertex = self.vertex(self.corners[at] as usize);
            self.primitive.indices.push(vertex);
        }
    }

    /// The vertex of a corner.
    fn vertex(&mut self, corner: usize) -> u32 {
        let vertex = self.mesh.vertex_indices.get(corner).copied().unwrap_or(u32::MAX);
        self.read(corner);
        let bits: Vec<u32> = self.numbers.iter().map(|number| number.to_bits()).chain([vertex]).collect();
        let new = self.primitive.positions.len() as u32;
        let known = *self.made.entry(bits).or_insert(new);
        if known == new {
            self.add_vertex(vertex);
            self.of_vertex.entry(vertex).or_default().push(new);
        }
        known
    }

    /// Reads the normal, the tangent, and the coordinates and colours of all sets of a corner.
    fn read(&mut self, corner: usize) {
        let (mesh, numbers) = (self.mesh, &mut self.numbers);
        numbers.clear();
        let direction = |list: &ufbx::VertexVec3| at(&list.values, &list.indices, corner).map(vector);
        let normal = direction(&mesh.vertex_normal).unwrap_or(AHEAD);
        if mesh.vertex_normal.exists {
            numbers.extend(unit(normal));
        }
        if has_tangents(mesh) {
            let along = direction(&mesh.vertex_tangent).unwrap_or(AHEAD);
            numbers.extend(tangent(normal, along, direction(&mesh.vertex_bitangent)));
        }
        for uvs in mesh.uv_sets.iter().take(self.primitive.uv_sets.len()).map(|set| &set.vertex_uv) {
            // The format counts upwards from the lower edge of a picture.
            let uv = at(&uvs.values, &uvs.indices, corner);
            numbers.extend(uv.map_or([0.0, 1.0], |uv| [uv.x, 1.0 - uv.y]).map(narrow));
        }
        for colors in mesh.color_sets.iter().take(self.primitive.colors.len()).map(|set| &set.vertex_color) {
            let color = at(&colors.values, &colors.indices, corner);
            numbers.extend(color.map_or([1.0; 4], |color| [color.x, color.y, color.z, color.w]).map(narrow));
        }
    }

    /// Appends a vertex of the mesh with the numbers read last.
    fn add_vertex(&mut self, vertex: u32) {
        let mut numbers = self.numbers.iter().copied();
        let mut next = || numbers.next().unwrap_or_default();
        let primitive = &mut self.primitive;
        let position = self.mesh.vertices.get(vertex as usize).map_or([0.0; 3], vector);
        primitive.positions.push(position.map(narrow));
        if self.mesh.vertex_normal.exists {
            primitive.normals.push(std::array::from_fn(|_| next()));
        }
        if has_tangents(self.mesh) {
            primitive.tangents.push(std::array::from_fn(|_| next()));
        }
        primitive.uv_sets.iter_mut().for_each(|set| set.push(std::array::from_fn(|_| next())));
        primitive.colors.iter_mut().for_each(|set| set.push(std::array::from_fn(|_| next())));
        if !self.joints.is_empty() {
            primitive.joints.push(self.joints.get(vertex as usize).copied().unwrap_or_default());
        }
    }
}

/// Replacement of a direction that is missing.
const AHEAD: [f64; 3] = [0.0, 0.0, 1.0];

/// The value of a corner in a list.
fn at<'a, T>(values: &'a ufbx::List<T>, indices: &ufbx::List<u32>, corner: usize) -> Option<&'a T> {
    values.get(*indices.get(corner)? as usize)
}

/// True if a mesh states tangents, which have a meaning beside normals only.
fn has_tangents(mesh: &ufbx::Mesh) -> bool {
    mesh.vertex_normal.exists && mesh.vertex_tangent.exists
}

/// A tangent with the sign of its bitangent; the sign is 1 without a bitangent.
fn tangent(normal: [f64; 3], tangent: [f64; 3], bitangent: Option<[f64; 3]>) -> [f32; 4] {
    let ([a, b, c], [d, e, f]) = (normal, tangent);
    let product = [b * f - c * e, c * d - a * f, a * e - b * d];
    let turned = bitangent.map_or(1.0, |v| v.iter().zip(product).map(|(x, y)| x * y).sum());
    let [x, y, z] = unit(tangent);
    [x, y, z, if turned < 0.0 { -1.0 } else { 1.0 }]
}

fn unit(v: [f64; 3]) -> [f32; 3] {
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 1e-12 { v.map(|x| narrow(x / length)) } else { AHEAD.map(narrow) }
}

/// The joints of each vertex of a mesh, by a list of the joints of all clusters and, at its end, the joint of free vertices.
fn vertex_joints(mesh: &ufbx::Mesh, of_clusters: &[u16], remarks: &mut Remarks) -> Vec<VertexJoints> {
    let Some(skin) = mesh.skin_deformers.first() else { return Vec::new() };
    let path = || format!("mesh {:?}", name(&mesh.element));
    if skin.max_weights_per_vertex > MOST_JOINTS {
        let counts = format!("up to {} joints; the strongest four are used", skin.max_weights_per_vertex);
        remarks.push(codes::WEIGHTS, "at most four joints for each vertex", path(), counts);
    }
    if [SkinningMethod::DualQuaternion, SkinningMethod::BlendedDqLinear].contains(&skin.skinning_method) {
        remarks.push(codes::DUAL_QUATERNION, "joints blended as matrices", path(), "dual quaternions");
    }
    let joint = |cluster: usize| of_clusters.get(cluster).copied().unwrap_or_default();
    let of_vertex = |vertex: &ufbx::SkinVertex| {
        let mut joints = VertexJoints::default();
        let weights = strongest(skin, vertex);
        let sum: f64 = weights.iter().map(|one| one.weight.max(0.0)).sum();
        if sum <= 0.0 {
            joints.joints[0] = joint(skin.clusters.len());
            joints.weights[0] = 1.0;
            return joints;
        }
        for (slot, one) in weights.iter().enumerate() {
            joints.joints[slot] = joint(one.cluster_index as usize);
            joints.weights[slot] = narrow(one.weight.max(0.0) / sum);
        }
        joints
    };
    skin.vertices.iter().map(of_vertex).collect()
}

/// The strongest weights of a vertex; the library sorts them.
fn strongest<'a>(skin: &'a ufbx::SkinDeformer, vertex: &ufbx::SkinVertex) -> &'a [ufbx::SkinWeight] {
    let first = vertex.weight_begin as usize;
    let count = (vertex.num_weights as usize).min(MOST_JOINTS);
    skin.weights.get(first..first.saturating_add(count)).unwrap_or_default()
}

/// Node and inverse bind matrix for free vertices, moved by no joint of the skin: the node of the mesh. Joints of a glTF need a common root;
/// if the node of the mesh has a different root, the root of the joints holds free vertices at the rest pose. `None` without free vertices.
fn holder<'a>(mesh: &'a ufbx::Mesh, skin: &'a ufbx::SkinDeformer) -> Option<(&'a ufbx::Node, [f64; 16])> {
    let is_free = |vertex: &ufbx::SkinVertex| strongest(skin, vertex).iter().all(|one| one.weight <= 0.0);
    if !skin.vertices.iter().any(is_free) {
        return None;
    }
    let node = mesh.element.instances.first()?.as_ref();
    let root = top(skin.clusters.first()?.bone_node.as_ref()?);
    let holder = if top(node).element.element_id == root.element.element_id { node } else { root };
    let to_holder = ufbx::matrix_mul(&ufbx::matrix_invert(&holder.node_to_world), &node.node_to_world);
    Some((holder, matrix(&to_holder)))
}

/// The topmost node above a node, or the node itself, below the root of the file.
fn top(node: &ufbx::Node) -> &ufbx::Node {
    let mut top = node;
    while let Some(parent) = top.parent.as_ref().filter(|parent| !parent.is_root) {
        top = parent;
    }
    top
}

/// The skin of a mesh, with the position of each cluster's joint and, last, of the joint of free vertices; `None` if a cluster has no
/// node. A node of several clusters is a single joint, bound by the first of them.
fn skin(mesh: &ufbx::Mesh, still: &mut Still) -> Option<(SkinIndex, Vec<u16>)> {
    let deformer = mesh.skin_deformers.first()?;
    let clusters = deformer
        .clusters
        .into_iter()
        .map(|own| Some((own.bone_node.as_deref()?, matrix(&own.geometry_to_bone))));
    let mut bound = clusters.collect::<Option<Vec<(&ufbx::Node, [f64; 16])>>>()?;
    if bound.is_empty() {
        return None;
    }
    bound.extend(holder(mesh, deformer));
    let mut skin = Skin { name: deformer.element.name.to_string(), ..Skin::default() };
    let mut joints = Vec::with_capacity(bound.len());
    for (node, bind) in bound {
        let node = still.node(node)?;
        let earlier = skin.joints.iter().position(|joint| *joint == node);
        joints.push(u16::try_from(earlier.unwrap_or(skin.joints.len())).ok()?);
        if earlier.is_none() {
            skin.joints.push(node);
            skin.inverse_bind.push(bind);
        }
    }
    still.scene.skins.push(skin);
    Some((SkinIndex(still.scene.skins.len() - 1), joints))
}
