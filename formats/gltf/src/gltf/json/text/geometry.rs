//! Meshes and their materials.

use super::super::parts::{Image, Index, Material, Mesh, Primitive, TextureUse};
use super::members::{extension, index, list, number, numbers, text};
use super::{Extras, Owner};
use crate::gltf::json::parse::UNLIT;
use dopesheet_core::bytes::json::JsonWriter;

pub(super) fn mesh(w: &mut JsonWriter, m: usize, mesh: &mut Mesh, extras: Extras<'_>) {
    text(w, "name", mesh.name.as_deref());
    list(w, "primitives", &mut mesh.primitives, |w, _, part| primitive(w, part));
    numbers(w, "weights", mesh.weights.as_deref());
    mesh.extras = extras(w, Owner::Mesh(m));
}

fn primitive(w: &mut JsonWriter, primitive: &mut Primitive) {
    w.name("attributes").object(|w| attributes(w, &primitive.attributes));
    index(w, "indices", primitive.indices);
    index(w, "material", primitive.material);
    list(w, "targets", &mut primitive.targets, |w, _, part| attributes(w, part));
}

fn attributes(w: &mut JsonWriter, attributes: &[(Box<str>, Index)]) {
    for (name, accessor) in attributes {
        index(w, name, Some(*accessor));
    }
}

pub(super) fn material(w: &mut JsonWriter, m: usize, material: &mut Material, extras: Extras<'_>) {
    text(w, "name", material.name.as_deref());
    let has_factors = material.base_color_factor.is_some()
        || material.metallic_factor.or(material.roughness_factor).is_some();
    if has_factors || material.base_color_texture.is_some() {
        w.name("pbrMetallicRoughness").object(|w| surface(w, material));
    }
    texture(w, "normalTexture", material.normal_texture);
    texture(w, "emissiveTexture", material.emissive_texture);
    numbers(w, "emissiveFactor", material.emissive_factor.as_ref());
    text(w, "alphaMode", material.alpha_mode.as_deref());
    number(w, "alphaCutoff", material.alpha_cutoff);
    if material.double_sided {
        w.name("doubleSided").bool(true);
    }
    if material.unlit {
        extension(w, UNLIT, |_| {});
    }
    material.extras = extras(w, Owner::Material(m));
}

fn surface(w: &mut JsonWriter, material: &Material) {
    numbers(w, "baseColorFactor", material.base_color_factor.as_ref());
    texture(w, "baseColorTexture", material.base_color_texture);
    number(w, "metallicFactor", material.metallic_factor);
    number(w, "roughnessFactor", material.roughness_factor);
}

fn texture(w: &mut JsonWriter, name: &str, used: Option<TextureUse>) {
    let Some(used) = used else { return };
    w.name(name).object(|w| {
        index(w, "index", Some(used.texture));
        index(w, "texCoord", Some(used.tex_coord).filter(|set| *set != 0));
        number(w, "scale", used.scale);
    });
}

pub(super) fn image(w: &mut JsonWriter, image: &Image) {
    text(w, "name", image.name.as_deref());
    index(w, "bufferView", image.view);
    text(w, "mimeType", image.media_type.as_deref());
}
