//! Materials of meshes: colours and textures.

use super::numbers::finite;
use crate::fbx::document::{Surface, Texture};
use crate::fbx::play::{Alpha, Paint};
use dopesheet_core::format::pictures::picture_name;
use dopesheet_core::format::{ResourceName, Source};
use dopesheet_core::model::{AlphaMode, Material};
use dopesheet_core::order::distinct;
use std::collections::BTreeMap;
use ufbx::{MaterialMap, ShaderType};

/// All textures with their pictures, from within or beside the file.
pub(super) fn textures(file: &ufbx::Scene, source: &Source<'_>) -> Vec<Texture> {
    // Textures name their sets. The first mesh with a name decides on its number, which is the same in nearly all meshes.
    let mut uv_sets: BTreeMap<&str, u8> = BTreeMap::new();
    for (set, number) in file.meshes.iter().flat_map(|mesh| mesh.uv_sets.iter().zip(0..=u8::MAX)) {
        uv_sets.entry(set.name.as_ref()).or_insert(number);
    }
    let texture = |texture: &ufbx::Texture| {
        let files = files(texture);
        let bytes = match texture.content.is_empty() {
            false => Some(texture.content.to_vec().into()),
            true => {
                files.iter().find_map(|name| source.resources.get(name)).map(|bytes| bytes.as_slice().into())
            }
        };
        let uv_set = uv_sets.get(texture.uv_set.as_ref()).copied().unwrap_or_default();
        Texture { name: texture.element.name.to_string(), files, bytes, uv_set }
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

/// True of the materials that the format itself defines.
pub(super) fn is_classic(own: &ufbx::Material) -> bool {
    [ShaderType::FbxLambert, ShaderType::FbxPhong, ShaderType::BlenderPhong].contains(&own.shader_type)
}

/// Numbers of a material behind its colours.
pub(super) fn paint(own: &ufbx::Material) -> Paint {
    let stated =
        |name| ufbx::find_prop(&own.element.props, name).map(|property| finite(property.value_vec4.x));
    let alpha = match (opacity(own), is_classic(own)) {
        (Some(_), _) => Alpha::Opacity(1.0),
        (None, false) => Alpha::Opacity(number(&own.pbr.opacity, 1.0)),
        (None, true) => Alpha::Classic {
            factor: number(&own.fbx.transparency_factor, 0.0),
            opacity: stated("Opacity"),
            color: color(&own.fbx.transparency_color, [0.0; 3]),
        },
    };
    Paint {
        diffuse: color(&own.pbr.base_color, [1.0; 3]),
        diffuse_factor: number(&own.pbr.base_factor, 1.0),
        emissive: color(&own.pbr.emission_color, [0.0; 3]),
        emissive_factor: number(&own.pbr.emission_factor, 1.0),
        is_emission_textured: texture(&own.pbr.emission_color).is_some(),
        alpha,
    }
}

pub(super) fn material(own: &ufbx::Material) -> Material {
    let (pbr, paint) = (&own.pbr, paint(own));
    let base_color = paint.base(&|_| None);
    Material {
        name: own.element.name.to_string(),
        base_color,
        base_color_image: None,
        emissive: paint.emission(&|_| None),
        emissive_image: None,
        normal_map: None,
        metallic: number(&pbr.metalness, 0.0).clamp(0.0, 1.0),
        roughness: number(&pbr.roughness, 1.0).clamp(0.0, 1.0),
        alpha: if base_color[3] < 1.0 { AlphaMode::Blend } else { AlphaMode::Opaque },
        double_sided: own.features.double_sided.enabled,
        unlit: false,
        extras: None,
    }
}

/// The textures of a material.
pub(super) fn surface(own: &ufbx::Material) -> Surface {
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
