//! Meshes and their materials.

use super::super::parts::{Image, Material, Mesh, Primitive, Texture, TextureUse, Uri};
use super::value::{
    boolean, borrowed, boxed, fixed, index, list, members, number, numbers, object, position, whole,
};
use crate::gltf::json::uri::is_data;
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::json::JsonCursor;

/// The extension that compresses a primitive, with a method not supported here.
const DRACO: &str = "KHR_draco_mesh_compression";
/// The extension for materials that light does not change.
pub(crate) const UNLIT: &str = "KHR_materials_unlit";
/// The extension that moves and scales pictures on surfaces.
const TEXTURE_TRANSFORM: &str = "KHR_texture_transform";

pub(super) fn mesh(c: &mut JsonCursor<'_>) -> Read<Mesh> {
    let mut mesh = Mesh::default();
    members! { c, name:
        "name" => mesh.name = boxed(c)?,
        "weights" => mesh.weights = Some(numbers(c)?),
        "extras" => mesh.extras = Some(c.skip()?),
        "primitives" => mesh.primitives = list(c, primitive)?,
    }
    Ok(mesh)
}

fn primitive(c: &mut JsonCursor<'_>) -> Read<Primitive> {
    let mut primitive = Primitive::default();
    members! { c, name:
        "attributes" => primitive.attributes = attributes(c)?,
        "indices" => primitive.indices = Some(index(c)?),
        "material" => primitive.material = Some(index(c)?),
        "mode" => primitive.mode = Some(whole(c)?),
        "targets" => primitive.targets = list(c, attributes)?,
        "extensions" => object(c, |c, name| {
            primitive.is_draco |= name == DRACO;
            c.skip().map(drop)
        })?,
    }
    Ok(primitive)
}

/// Accessors by the names of their attributes.
fn attributes(c: &mut JsonCursor<'_>) -> Read<Vec<(Box<str>, u32)>> {
    let mut all = Vec::new();
    object(c, |c, name| {
        all.push((name.into(), index(c)?));
        Ok(())
    })?;
    Ok(all)
}

pub(super) fn material(c: &mut JsonCursor<'_>) -> Read<Material> {
    let mut material = Material::default();
    members! { c, name:
        "name" => material.name = boxed(c)?,
        "pbrMetallicRoughness" => surface(c, &mut material)?,
        "emissiveFactor" => material.emissive_factor = Some(fixed(c)?),
        "emissiveTexture" => material.emissive_texture = texture_use(c)?,
        "normalTexture" => material.normal_texture = texture_use(c)?,
        "alphaMode" => material.alpha_mode = boxed(c)?,
        "alphaCutoff" => material.alpha_cutoff = Some(number(c)?),
        "doubleSided" => material.double_sided = boolean(c)?,
        "extras" => material.extras = Some(c.skip()?),
        "occlusionTexture" => {
            material.other_names.push(name.into());
            c.skip().map(drop)?;
        }
        "extensions" => object(c, |c, name| {
            match name {
                UNLIT => material.unlit = true,
                other => material.other_names.push(other.into()),
            }
            c.skip().map(drop)
        })?,
    }
    Ok(material)
}

fn surface(c: &mut JsonCursor<'_>, material: &mut Material) -> Read<()> {
    members! { c, name:
        "baseColorFactor" => material.base_color_factor = Some(fixed(c)?),
        "baseColorTexture" => material.base_color_texture = texture_use(c)?,
        "metallicFactor" => material.metallic_factor = Some(number(c)?),
        "roughnessFactor" => material.roughness_factor = Some(number(c)?),
        "metallicRoughnessTexture" => {
            material.other_names.push(name.into());
            c.skip().map(drop)?;
        }
    }
    Ok(())
}

fn texture_use(c: &mut JsonCursor<'_>) -> Read<Option<TextureUse>> {
    let (mut texture, mut used) = (None, TextureUse::default());
    members! { c, name:
        "index" => texture = Some(index(c)?),
        "texCoord" => used.tex_coord = index(c)?,
        "scale" => used.scale = Some(number(c)?),
        "extensions" => object(c, |c, name| {
            used.transformed |= name == TEXTURE_TRANSFORM;
            c.skip().map(drop)
        })?,
    }
    Ok(texture.map(|texture| TextureUse { texture, ..used }))
}

pub(super) fn texture(c: &mut JsonCursor<'_>) -> Read<Texture> {
    let mut texture = Texture::default();
    members! { c, name:
        "source" => texture.source = Some(index(c)?),
        "sampler" => texture.sampler = Some(index(c)?),
    }
    Ok(texture)
}

pub(super) fn image(c: &mut JsonCursor<'_>) -> Read<Image> {
    let mut image = Image::default();
    members! { c, name:
        "name" => image.name = boxed(c)?,
        "mimeType" => image.media_type = boxed(c)?,
        "bufferView" => image.view = Some(index(c)?),
        "uri" => image.uri = uri(c)?,
    }
    Ok(image)
}

/// Data URIs may make up most of the file, so only their span is kept.
pub(super) fn uri(c: &mut JsonCursor<'_>) -> Read<Uri> {
    let start = position(c)?;
    let value = borrowed(c)?;
    let span = start..c.position();
    Ok(if is_data(&value) { Uri::Data(span) } else { Uri::File(value.as_ref().into()) })
}
