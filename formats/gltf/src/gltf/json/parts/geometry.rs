//! Meshes and their materials.

use super::{Index, Parts, Uri};
use dopesheet_core::bytes::json::Span;
use std::collections::BTreeSet;

impl Parts {
    /// The accessors whose numbers only decompressing a primitive gives (`KHR_draco_mesh_compression`):
    /// accessors named as attributes or indices by compressed primitives alone.
    pub(crate) fn compressed_accessors(&self) -> BTreeSet<Index> {
        let (mut compressed, mut read) = (BTreeSet::new(), BTreeSet::new());
        for primitive in self.meshes.iter().flat_map(|mesh| &mesh.primitives) {
            let set = if primitive.is_draco { &mut compressed } else { &mut read };
            set.extend(primitive.attributes.iter().map(|(_, index)| *index).chain(primitive.indices));
            read.extend(primitive.targets.iter().flatten().map(|(_, index)| *index));
        }
        if compressed.is_empty() {
            return compressed;
        }
        let samplers = self.animations.iter().flat_map(|animation| &animation.samplers);
        read.extend(samplers.flat_map(|sampler| [sampler.input, sampler.output]));
        read.extend(self.skins.iter().filter_map(|skin| skin.inverse_bind_matrices));
        &compressed - &read
    }
}

/// An item of `meshes`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// `name`
    pub name: Option<Box<str>>,
    /// `primitives`
    pub primitives: Vec<Primitive>,
    /// `weights`: default weights.
    pub weights: Option<Box<[f64]>>,
    /// Span of `extras` in the text.
    pub extras: Option<Span>,
}

impl Mesh {
    /// The number of morph targets, taken from the first primitive.
    #[must_use]
    pub fn targets(&self) -> usize {
        self.primitives.first().map_or(0, |primitive| primitive.targets.len())
    }
}

/// An item of a mesh's `primitives`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Primitive {
    /// `attributes`: accessors by the names of the attributes.
    pub attributes: Vec<(Box<str>, Index)>,
    /// `indices`
    pub indices: Option<Index>,
    /// `material`
    pub material: Option<Index>,
    /// `mode`: 0 points, 1 to 3 lines, 4 triangles, 5 strips, 6 fans; 4 if absent.
    pub mode: Option<u64>,
    /// `targets`: the accessors of each morph target.
    pub targets: Vec<Vec<(Box<str>, Index)>>,
    /// True if `KHR_draco_mesh_compression` holds the vertices.
    pub is_draco: bool,
}

/// An item of `materials`. Numbers the file leaves out are `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// `name`
    pub name: Option<Box<str>>,
    /// `pbrMetallicRoughness.baseColorFactor`: linear RGBA.
    pub base_color_factor: Option<[f64; 4]>,
    /// `pbrMetallicRoughness.baseColorTexture`
    pub base_color_texture: Option<TextureUse>,
    /// `pbrMetallicRoughness.metallicFactor`
    pub metallic_factor: Option<f64>,
    /// `pbrMetallicRoughness.roughnessFactor`
    pub roughness_factor: Option<f64>,
    /// `emissiveFactor`: linear RGB.
    pub emissive_factor: Option<[f64; 3]>,
    /// `emissiveTexture`
    pub emissive_texture: Option<TextureUse>,
    /// `normalTexture`
    pub normal_texture: Option<TextureUse>,
    /// `alphaMode`: `OPAQUE`, `MASK` or `BLEND`.
    pub alpha_mode: Option<Box<str>>,
    /// `alphaCutoff`
    pub alpha_cutoff: Option<f64>,
    /// `doubleSided`
    pub double_sided: bool,
    /// True if the material has `KHR_materials_unlit`.
    pub unlit: bool,
    /// Names of the material's other textures and extensions.
    pub other_names: Vec<Box<str>>,
    /// Span of `extras` in the text.
    pub extras: Option<Span>,
}

impl Material {
    /// The textures in use, each with its pointer below the material.
    pub(crate) fn textures(&self) -> impl Iterator<Item = (&'static str, TextureUse)> {
        [
            ("pbrMetallicRoughness/baseColorTexture", self.base_color_texture),
            ("normalTexture", self.normal_texture),
            ("emissiveTexture", self.emissive_texture),
        ]
        .into_iter()
        .filter_map(|(pointer, used)| Some((pointer, used?)))
    }
}

/// Use of an item of `textures` by a material.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TextureUse {
    /// `index`
    pub texture: Index,
    /// `texCoord`: the number of a set of texture coordinates.
    pub tex_coord: u32,
    /// True if `KHR_texture_transform` moves the texture.
    pub transformed: bool,
    /// `scale` of a `normalTexture`.
    pub scale: Option<f64>,
}

/// An item of `textures`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Texture {
    /// `source`: an item of `images`.
    pub source: Option<Index>,
    /// `sampler`
    pub sampler: Option<Index>,
}

/// An item of `images`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// `name`
    pub name: Option<Box<str>>,
    /// `mimeType`
    pub media_type: Option<Box<str>>,
    /// `bufferView`
    pub view: Option<Index>,
    /// Place of the picture's bytes, if they are in no view.
    pub uri: Uri,
}
