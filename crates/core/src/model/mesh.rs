//! Geometry, with materials and pictures.

use super::index::NodeIndex;
use std::sync::Arc;

/// A material's position in [`Scene::materials`](super::Scene::materials).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaterialIndex(pub usize);

/// An image's position in [`Scene::images`](super::Scene::images).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ImageIndex(pub usize);

/// A skin's position in [`Scene::skins`](super::Scene::skins).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkinIndex(pub usize);

/// A morph set's position in [`Scene::morph_sets`](super::Scene::morph_sets).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MorphSetIndex(pub usize);

/// A mesh: one or more primitives that share a place, a skin and morph weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Name in the source; may be empty.
    pub name: String,
    /// The parts of the mesh, drawn in this order.
    pub primitives: Vec<Primitive>,
}

/// Triangles of the same material. All vertex columns have an entry per vertex or are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Primitive {
    /// Positions of the vertices at rest, in units of the basis.
    pub positions: Vec<[f32; 3]>,
    /// Normals of the vertices, as unit vectors.
    pub normals: Vec<[f32; 3]>,
    /// Tangents of the vertices: unit vectors towards the right of a picture, and in the last number the sign of the
    /// bitangent `sign × normal × tangent`, which points to the top of the picture (glTF 2.0, section 3.7.2.1).
    pub tangents: Vec<[f32; 4]>,
    /// Sets of texture coordinates, origin at the top left.
    pub uv_sets: Vec<Vec<[f32; 2]>>,
    /// Sets of colours: linear RGBA, 0..=1 each. The first set is multiplied with the material's base colour.
    pub colors: Vec<Vec<[f32; 4]>>,
    /// The joints of the skin that move each vertex, with their weights.
    pub joints: Vec<VertexJoints>,
    /// Three vertices per triangle, counter-clockwise seen from the front in a right-handed basis.
    pub indices: Vec<u32>,
    /// Material of the triangles.
    pub material: Option<MaterialIndex>,
    /// An entry per morph of the mesh's [`MorphSet`].
    pub morphs: Vec<MorphDelta>,
}

/// The joints of a vertex: positions in [`Skin::joints`], and weights that sum to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VertexJoints {
    /// Positions in [`Skin::joints`].
    pub joints: [u16; 4],
    /// Weights; 0 for unused entries.
    pub weights: [f32; 4],
}

/// Offsets that a morph adds to a primitive at weight 1; only for vertices that move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphDelta {
    /// Vertex and offset, in units of the basis.
    pub positions: Vec<(u32, [f32; 3])>,
    /// Vertex and offset of the normal, whose sum is not of unit length.
    pub normals: Vec<(u32, [f32; 3])>,
    /// Vertex and offset of the direction of the tangent.
    pub tangents: Vec<(u32, [f32; 3])>,
    /// For each set of texture coordinates, vertex and offset of the coordinate; sets at the end may be missing.
    pub uv_sets: Vec<Vec<(u32, [f32; 2])>>,
}

/// The morphs of a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphSet {
    /// Name in the source; may be empty.
    pub name: String,
    /// A name per morph, in the order of the weights.
    pub morphs: Vec<String>,
    /// Weights when nothing animates them; empty is all zero.
    pub rest: Vec<f32>,
}

/// The joints that deform a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Name in the source; may be empty.
    pub name: String,
    /// The joints, in the order of the positions in [`VertexJoints`].
    pub joints: Vec<NodeIndex>,
    /// From mesh space to each joint's space at bind time; column-major 4×4.
    pub inverse_bind: Vec<[f64; 16]>,
}

/// Look of a surface, in glTF's metallic-roughness words.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name in the source; may be empty.
    pub name: String,
    /// Linear RGBA, 0..=1 each.
    pub base_color: [f64; 4],
    /// Picture of the base colour, multiplied with `base_color`.
    pub base_color_image: Option<MaterialImage>,
    /// Linear RGB of the emitted light.
    pub emissive: [f64; 3],
    /// Picture of the emitted light, multiplied with `emissive`.
    pub emissive_image: Option<MaterialImage>,
    /// Unevenness too fine for the triangles.
    pub normal_map: Option<NormalMap>,
    /// Metalness, from 0 (dielectric) to 1 (metal).
    pub metallic: f64,
    /// Roughness, from 0 (mirror) to 1 (matt).
    pub roughness: f64,
    /// Use of the alpha of the base colour.
    pub alpha: AlphaMode,
    /// True if back faces are drawn.
    pub double_sided: bool,
    /// True if light has no effect on the material.
    pub unlit: bool,
    /// Further data of the source.
    pub extras: Option<serde_json::Value>,
}

impl Material {
    /// All pictures of the material.
    pub fn images(&self) -> impl Iterator<Item = MaterialImage> {
        let normals = self.normal_map.map(|map| map.image);
        [self.base_color_image, self.emissive_image, normals].into_iter().flatten()
    }
}

/// A picture on a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaterialImage {
    /// The picture.
    pub image: ImageIndex,
    /// Position in [`Primitive::uv_sets`] of the texture coordinates that place the picture.
    pub uv_set: u8,
}

/// Normals of a surface as the colours of a picture, as in glTF: red to the right of the picture, green upwards,
/// blue away from the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalMap {
    /// The picture.
    pub image: MaterialImage,
    /// Factor of red and green; 1 for normals as in the picture.
    pub scale: f64,
}

/// Use of a material's alpha.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// No use at all: everything is opaque.
    #[default]
    Opaque,
    /// Below the cutoff (0..=1) nothing is drawn.
    Mask(f64),
    /// Mixed with the background.
    Blend,
}

/// A picture, still encoded.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Name in the source; may be empty.
    pub name: String,
    /// Media type of the bytes: `image/png` or `image/jpeg`.
    pub media_type: &'static str,
    /// The encoded picture, as in the file.
    pub bytes: Arc<[u8]>,
}
