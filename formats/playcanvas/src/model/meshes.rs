//! Meshes of a model as meshes of a scene.

use super::codes;
use super::document::{Attribute, Mesh, Model, Morph, MorphTarget, VertexBuffer};
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Fault, Place};
use dopesheet_core::format::Format;
use dopesheet_core::model::{MorphDelta, Primitive, VertexJoints};
use std::collections::BTreeMap;

/// Primitive type of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Drawing {
    Triangles,
    Strip,
    Fan,
    /// Points or lines.
    NoSurface,
}

/// Primitive type of a mesh, by the engine's word for it.
pub(super) fn drawing(mesh: &Mesh) -> Drawing {
    match mesh.kind.as_str() {
        "triangles" => Drawing::Triangles,
        "trianglestrip" => Drawing::Strip,
        "trianglefan" => Drawing::Fan,
        _ => Drawing::NoSurface,
    }
}

/// Largest average number of times that a file may have the same vertices drawn; beyond this number the file
/// is refused, because a few bytes could ask for any amount of memory.
const MOST_COPIES: usize = 64;

/// Makes primitives, and counts their vertices against a limit.
pub(super) struct Primitives<'a> {
    model: &'a Model,
    /// The skin for each mesh.
    skins: &'a [Option<usize>],
    count: usize,
    limit: usize,
    /// Weights dropped because their joint does not exist.
    pub(super) beyond: usize,
}

impl<'a> Primitives<'a> {
    pub(super) fn new(model: &'a Model, skins: &'a [Option<usize>]) -> Self {
        let vertices: usize = model.vertices.iter().map(VertexBuffer::len).sum();
        let indices: usize = model.meshes.iter().filter_map(|m| m.indices.as_ref()).map(Vec::len).sum();
        Self { model, skins, count: 0, limit: MOST_COPIES * (vertices + indices), beyond: 0 }
    }

    /// The primitive of a mesh; `None` for a mesh without a surface.
    pub(super) fn primitive(&mut self, index: usize) -> Result<Option<Primitive>, ConvertError> {
        let (Some(mesh), model) = (self.model.meshes.get(index), self.model) else { return Ok(None) };
        let Some(buffer) = model.vertices.get(mesh.vertices) else { return Ok(None) };
        let triangles = triangles(mesh);
        if triangles.is_empty() {
            return Ok(None);
        }
        let used = vertices_of(&triangles);
        self.count += used.len() + triangles.len();
        if self.count > self.limit {
            return Err(too_many_copies(index));
        }
        let skin = self.skins.get(index).copied().flatten().and_then(|skin| model.skins.get(skin));
        let bones = skin.map(|skin| skin.bone_names.len());
        let morph = mesh.morph.and_then(|morph| model.morphs.get(morph));
        Ok(Some(Primitive {
            positions: vectors(buffer.attribute("position"), &used),
            normals: vectors(buffer.attribute("normal"), &used),
            tangents: vectors(buffer.attribute("tangent"), &used),
            uv_sets: uv_sets(buffer, &used),
            joints: bones.map(|bones| self.joints(buffer, &used, bones)).unwrap_or_default(),
            indices: triangles.iter().map(|vertex| number(&used, *vertex).unwrap_or_default()).collect(),
            material: None,
            morphs: morph.map(|morph| deltas(morph, &used)).unwrap_or_default(),
            ..Primitive::default()
        }))
    }

    fn joints(&mut self, buffer: &VertexBuffer, used: &[u32], bones: usize) -> Vec<VertexJoints> {
        let (indices, weights) = (buffer.attribute("blendIndices"), buffer.attribute("blendWeight"));
        let (Some(indices), Some(weights)) = (indices, weights) else { return Vec::new() };
        let vertex = |vertex: &u32| {
            let mut joints = VertexJoints::default();
            let (indices, weights) = (entry(indices, *vertex), entry(weights, *vertex));
            for (n, (index, weight)) in indices.iter().zip(weights).take(4).enumerate() {
                let sound = (0.0..bones as f32).contains(index);
                if sound {
                    joints.joints[n] = *index as u16;
                    joints.weights[n] = *weight;
                } else if *weight != 0.0 {
                    self.beyond += 1;
                }
            }
            joints
        };
        used.iter().map(vertex).map(to_whole).collect()
    }
}

/// The same weights with the sum 1: the file may count them in 255ths. A vertex without weights goes with the first
/// bone.
fn to_whole(mut joints: VertexJoints) -> VertexJoints {
    let sum: f32 = joints.weights.iter().sum();
    if sum <= 0.0 {
        joints.weights = [1.0, 0.0, 0.0, 0.0];
    } else if sum != 1.0 {
        joints.weights = joints.weights.map(|weight| weight / sum);
    }
    joints
}

fn too_many_copies(mesh: usize) -> ConvertError {
    let expected = format!("meshes that use the vertices of the file up to {MOST_COPIES} times");
    let fault = Fault::new(codes::MESHES.code, Place::File, expected, "more").at_path(format!("mesh {mesh}"));
    ConvertError::new(super::PlayCanvasModel::INFO.id, ConvertErrorKind::Fault(Box::new(fault)))
}

/// The vertices of all triangles of a mesh, three for each.
fn triangles(mesh: &Mesh) -> Vec<u32> {
    let range = mesh.base..mesh.base + mesh.count;
    let drawn: Vec<u32> = match &mesh.indices {
        Some(indices) => indices.get(range).unwrap_or_default().to_vec(),
        None => range.map(|vertex| vertex as u32).collect(),
    };
    match drawing(mesh) {
        Drawing::Triangles => drawn.chunks_exact(3).flatten().copied().collect(),
        // Every second triangle of a strip runs the other way round.
        Drawing::Strip => (0..drawn.len().saturating_sub(2))
            .flat_map(|n| match n % 2 {
                0 => [drawn[n], drawn[n + 1], drawn[n + 2]],
                _ => [drawn[n + 1], drawn[n], drawn[n + 2]],
            })
            .collect(),
        Drawing::Fan => {
            (1..drawn.len().saturating_sub(1)).flat_map(|n| [drawn[0], drawn[n], drawn[n + 1]]).collect()
        }
        Drawing::NoSurface => Vec::new(),
    }
}

/// The vertices of a shared buffer used by triangles, in ascending order.
fn vertices_of(triangles: &[u32]) -> Vec<u32> {
    let mut vertices = triangles.to_vec();
    vertices.sort_unstable();
    vertices.dedup();
    vertices
}

/// The new number of a vertex.
fn number(used: &[u32], vertex: u32) -> Option<u32> {
    used.binary_search(&vertex).ok().map(|number| number as u32)
}

fn entry(attribute: &Attribute, vertex: u32) -> &[f32] {
    let start = vertex as usize * attribute.components;
    attribute.data.get(start..start + attribute.components).unwrap_or_default()
}

/// The vectors of an attribute; without the attribute, or with fewer numbers than a vector has, none.
fn vectors<const N: usize>(attribute: Option<&Attribute>, used: &[u32]) -> Vec<[f32; N]> {
    let Some(attribute) = attribute.filter(|attribute| attribute.components >= N) else { return Vec::new() };
    let vector = |vertex: &u32| entry(attribute, *vertex).first_chunk().copied().unwrap_or([0.0; N]);
    used.iter().map(vector).collect()
}

/// The engine's names of the sets of texture coordinates.
const UV_SETS: [&str; 8] =
    ["texCoord0", "texCoord1", "texCoord2", "texCoord3", "texCoord4", "texCoord5", "texCoord6", "texCoord7"];

/// Texture coordinates with the origin at the top; the file counts V from the bottom.
fn uv_sets(buffer: &VertexBuffer, used: &[u32]) -> Vec<Vec<[f32; 2]>> {
    let set = |name: &&str| vectors(buffer.attribute(name), used);
    let mut sets: Vec<Vec<[f32; 2]>> = UV_SETS.iter().map(set).collect();
    sets.iter_mut().flatten().for_each(|[_, v]| *v = 1.0 - *v);
    while sets.pop_if(|set| set.is_empty()).is_some() {}
    sets
}

fn deltas(morph: &Morph, used: &[u32]) -> Vec<MorphDelta> {
    let target = |target: &MorphTarget| MorphDelta {
        positions: offsets(target, &target.delta_positions, used),
        normals: offsets(target, &target.delta_normals, used),
        ..MorphDelta::default()
    };
    morph.targets.iter().map(target).collect()
}

/// The offsets of a morph target for the vertices in use, without zeros.
fn offsets(target: &MorphTarget, numbers: &[f32], used: &[u32]) -> Vec<(u32, [f32; 3])> {
    let mut moved = BTreeMap::new();
    for (n, delta) in numbers.as_chunks::<3>().0.iter().enumerate() {
        let vertex = target.indices.as_ref().map_or(Some(n as u32), |indices| indices.get(n).copied());
        if let Some(vertex) = vertex.and_then(|vertex| number(used, vertex))
            && *delta != [0.0; 3]
        {
            moved.insert(vertex, *delta);
        }
    }
    moved.into_iter().collect()
}
