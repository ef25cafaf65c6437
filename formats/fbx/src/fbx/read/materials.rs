//! Materials of meshes: colours and textures.

use super::numbers::finite;
use crate::fbx::document::{Surface, Texture};
use dopesheet_core::format::pictures::picture_name;
use dopesheet_core::format::{ResourceName, Source};
use dopesheet_core::model::{AlphaMode, Material};
use dopesheet_core::order::distinct;
use ufbx::MaterialMap;

/// All textures with their pictures, from within or beside the file.
pub(super) fn textures(file: &ufbx::Scene, source: &Source<'_>) -> Vec<Texture> {
    let texture = |texture: &ufbx::Texture| {
        let files = files(texture);
        let bytes = match texture.content.is_empty() {
            false => Some(texture.content.to_vec().into()),
            true => {
                files.iter().find_map(|name| source.resources.get(name)).map(|bytes| bytes.as_slice().into())
            }
        };
        Texture { name: texture.element.name.to_string(), files, bytes }
    };
    file.textures.into_iter().map(texture).collect()
}

/// Names of needed files: pictures of textures without a picture in the file.
pub(super) fn wanted(file: &ufbx::Scene) -> Vec<ResourceName> {
    let absent = file.textures.into_iter().filter(|texture| texture.content.is_empty());
    let mut names: Vec<ResourceName> = absent.flat_map(files).collect();
    distinct(&mut names);
    names
}

/// The path of a picture within the file's folder, and the bare name of the picture, because paths are often of the writing machine.
fn files(texture: &ufbx::Texture) -> Vec<ResourceName> {
    let [relative, absolute] =
        [&texture.relative_filename, &texture.absolute_filename].map(|path| path.as_ref());
    let mut files: Vec<ResourceName> = Vec::new();
    for path in [relative, last_part(relative), last_part(absolute)] {
        files.extend(picture_name(path).filter(|name| !files.contains(name)));
    }
    files
}

fn last_part(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or_default()
}

pub(super) fn materials(file: &ufbx::Scene) -> Vec<Material> {
    file.materials.into_iter().map(material).collect()
}

/// A colour as the product of two properties.
pub(super) struct ColorSource {
    pub(super) color_name: &'static str,
    pub(super) color: [f64; 3],
    /// True unless a texture stands in place of the colour.
    pub(super) color_counts: bool,
    pub(super) factor_name: &'static str,
    pub(super) factor: f64,
}

/// The base colour.
pub(super) fn base(own: &ufbx::Material) -> ColorSource {
    ColorSource {
        color_name: "DiffuseColor",
        color: color(&own.pbr.base_color, [1.0; 3]),
        color_counts: true,
        factor_name: "DiffuseFactor",
        factor: number(&own.pbr.base_factor, 1.0),
    }
}

/// The emitted light.
pub(super) fn emission(own: &ufbx::Material) -> ColorSource {
    // The colour beside a texture says nothing: exporters leave black there.
    let color_counts = texture(&own.pbr.emission_color).is_none();
    ColorSource {
        color_name: "EmissiveColor",
        color: if color_counts { color(&own.pbr.emission_color, [0.0; 3]) } else { [1.0; 3] },
        color_counts,
        factor_name: "EmissiveFactor",
        factor: number(&own.pbr.emission_factor, 1.0),
    }
}

/// A colour in the range of a scene.
pub(super) fn product(color: [f64; 3], factor: f64) -> [f64; 3] {
    color.map(|part| (part * factor).clamp(0.0, 1.0))
}

/// Alpha of the base colour.
pub(super) fn alpha(own: &ufbx::Material) -> f64 {
    // Beside a texture the number says nothing: exporters leave 0 there.
    if opacity(own).is_some() { 1.0 } else { number(&own.pbr.opacity, 1.0).clamp(0.0, 1.0) }
}

fn material(own: &ufbx::Material) -> Material {
    let pbr = &own.pbr;
    let (base, emission, alpha) = (base(own), emission(own), alpha(own));
    let [r, g, b] = product(base.color, base.factor);
    Material {
        name: own.element.name.to_string(),
        base_color: [r, g, b, alpha],
        base_color_image: None,
        emissive: product(emission.color, emission.factor),
        emissive_image: None,
        normal_map: None,
        metallic: number(&pbr.metalness, 0.0).clamp(0.0, 1.0),
        roughness: number(&pbr.roughness, 1.0).clamp(0.0, 1.0),
        alpha: if alpha < 1.0 { AlphaMode::Blend } else { AlphaMode::Opaque },
        double_sided: own.features.double_sided.enabled,
        unlit: false,
        extras: None,
    }
}

/// The textures of each material.
pub(super) fn surfaces(file: &ufbx::Scene) -> Vec<Surface> {
    file.materials.into_iter().map(surface).collect()
}

fn surface(own: &ufbx::Material) -> Surface {
    let (base_color, emissive) = (texture(&own.pbr.base_color), texture(&own.pbr.emission_color));
    let normals = normals(own);
    let kept = [base_color, emissive, normals.map(|(index, _)| index)];
    let further = own.textures.iter().filter(|one| {
        let index = picture_of(&one.texture);
        index.is_some() && !kept.contains(&index)
    });
    let others = further.map(|one| one.material_prop.to_string()).collect();
    Surface { base_color, emissive, normals, opacity: opacity(own), others }
}

/// The texture with normals, and the factor of their slants. Properties named after bumps hold heights.
fn normals(own: &ufbx::Material) -> Option<(usize, f64)> {
    let index = texture(&own.pbr.normal_map)?;
    let mut users = own.textures.iter().filter(|one| picture_of(&one.texture) == Some(index));
    let holds_normals = users.any(|one| !one.material_prop.to_ascii_lowercase().contains("bump"));
    holds_normals.then(|| (index, number(&own.fbx.bump_factor, 1.0)))
}

/// The texture for transparency, under any of its names in the format.
fn opacity(own: &ufbx::Material) -> Option<usize> {
    let maps = [&own.pbr.opacity, &own.fbx.transparency_color, &own.fbx.transparency_factor];
    maps.into_iter().find_map(texture)
}

fn texture(map: &MaterialMap) -> Option<usize> {
    map.texture.as_ref().filter(|_| map.texture_enabled).and_then(|texture| picture_of(texture))
}

/// The position of a texture with a picture; for layers of textures, of the first layer.
fn picture_of(texture: &ufbx::Texture) -> Option<usize> {
    let id = |texture: &ufbx::Texture| texture.element.typed_id as usize;
    match texture.type_ {
        ufbx::TextureType::File => Some(id(texture)),
        _ => texture.file_textures.first().map(|first| id(first)),
    }
}

fn number(map: &MaterialMap, absent: f64) -> f64 {
    if map.has_value { finite(map.value_vec4.x) } else { absent }
}

fn color(map: &MaterialMap, absent: [f64; 3]) -> [f64; 3] {
    let value = &map.value_vec4;
    if map.has_value { [value.x, value.y, value.z].map(finite) } else { absent }
}
