//! Materials and their pictures, as far as drawn meshes use them.

use super::graph::Used;
use super::store::{Base, Store};
use super::values::{boxed, index, stored};
use crate::gltf::json::parts;
use crate::gltf::json::parts::{Texture, TextureUse};
use dopesheet_core::model::{
    AlphaMode, Image, Material, MaterialImage, Mesh, NormalMap, Primitive, Scene, Target,
};

/// The `materials`, `textures` and `images` of a file. Each image has one texture.
#[derive(Debug, Default)]
pub(super) struct Materials {
    pub(super) items: Vec<parts::Material>,
    pub(super) used: Used,
    pub(super) images: Vec<parts::Image>,
}

impl Materials {
    pub(super) fn of(scene: &Scene, drawn: &[Option<&Mesh>], store: &mut Store<'_>) -> Self {
        let primitives = drawn.iter().flatten().flat_map(|mesh| &mesh.primitives);
        let users = primitives.filter_map(|primitive| Some(primitive.material?.0));
        let used = Used::of(scene.materials.len(), users);
        let kept = || used.kept.iter().map(|index| &scene.materials[*index]);
        let sound = |index: usize| scene.images.get(index).is_some_and(|image| !image.bytes.is_empty());
        let named = kept().flat_map(|material| material.images().map(|used| used.image.0));
        let images = Used::of(scene.images.len(), named.filter(|index| sound(*index)));
        let items = kept().map(|m| material(m, &images)).collect();
        let add = |image: &Image| parts::Image {
            name: boxed(&image.name),
            media_type: Some(image.media_type.into()),
            view: Some(index(Store::blob_view(store.blob(image.bytes.to_vec(), None), &Base::default()))),
            ..parts::Image::default()
        };
        let images = images.kept.iter().map(|index| &scene.images[*index]).map(add).collect();
        Self { items, used, images }
    }

    /// The position of a primitive's material in the file.
    pub(super) fn file_index(&self, primitive: &Primitive) -> Option<usize> {
        self.used.file_index(primitive.material?.0)
    }

    /// The position in the file of the material that a target names.
    pub(super) fn of_target(&self, scene: &Scene, target: &Target) -> Option<usize> {
        let names = scene.materials.iter().map(|material| &*material.name);
        self.used.file_index(named(names, target)?)
    }

    /// Number of sets of texture coordinates that the pictures of a primitive's material ask for.
    pub(super) fn uv_sets(&self, primitive: &Primitive) -> usize {
        let material = self.file_index(primitive).and_then(|number| self.items.get(number));
        let sets = material.into_iter().flat_map(parts::Material::textures);
        sets.map(|(_, used)| used.tex_coord as usize + 1).max().unwrap_or(0)
    }

    pub(super) fn textures(&self) -> Vec<Texture> {
        let texture = |image| Texture { source: Some(index(image)), ..Texture::default() };
        (0..self.images.len()).map(texture).collect()
    }
}

/// The position of the material that a target names: of several with the name the material at the position of the
/// target, else the first.
pub(in crate::gltf) fn named<'a>(materials: impl Iterator<Item = &'a str>, target: &Target) -> Option<usize> {
    let all: Vec<usize> =
        materials.enumerate().filter(|(_, name)| *name == target.name).map(|(index, _)| index).collect();
    all.iter().find(|index| **index == target.index).or(all.first()).copied()
}

/// Clamped to 0..=1, the range of glTF; 0 for NaN.
fn share(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) }
}

fn material(material: &Material, images: &Used) -> parts::Material {
    let color = material.base_color.map(share);
    let emissive = material.emissive.map(share);
    let factor = |value: f64| Some(share(value)).filter(|value| *value != 1.0).map(stored);
    let (alpha_mode, alpha_cutoff) = match material.alpha {
        AlphaMode::Opaque => (None, None),
        AlphaMode::Mask(0.5) => (Some("MASK"), None),
        AlphaMode::Mask(cutoff) => (Some("MASK"), Some(stored(cutoff.max(0.0)))),
        AlphaMode::Blend => (Some("BLEND"), None),
    };
    let used = |used: MaterialImage| {
        let texture = index(images.file_index(used.image.0)?);
        Some(TextureUse { texture, tex_coord: used.uv_set.into(), ..TextureUse::default() })
    };
    let normals = |map: NormalMap| {
        let scale = Some(map.scale).filter(|scale| scale.is_finite() && *scale != 1.0).map(stored);
        Some(TextureUse { scale, ..used(map.image)? })
    };
    parts::Material {
        name: boxed(&material.name),
        base_color_factor: (color != [1.0; 4]).then(|| color.map(stored)),
        base_color_texture: material.base_color_image.and_then(used),
        metallic_factor: factor(material.metallic),
        roughness_factor: factor(material.roughness),
        emissive_texture: material.emissive_image.and_then(used),
        normal_texture: material.normal_map.and_then(normals),
        emissive_factor: (emissive != [0.0; 3]).then(|| emissive.map(stored)),
        alpha_mode: alpha_mode.map(Into::into),
        alpha_cutoff,
        double_sided: material.double_sided,
        unlit: material.unlit,
        ..parts::Material::default()
    }
}
