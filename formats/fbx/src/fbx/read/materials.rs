//! Materials of meshes: colours, and pictures that are in the file.

use super::numbers::finite;
use dopesheet_core::model::{AlphaMode, Image, ImageIndex, Material};
use ufbx::MaterialMap;

/// First bytes of the pictures that a scene holds, with their media types.
const KINDS: [(&[u8], &str); 2] = [(b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg")];

/// The media type of an embedded picture that a scene holds.
fn media_type(texture: &ufbx::Texture) -> Option<&'static str> {
    KINDS.iter().find(|(start, _)| texture.content.starts_with(start)).map(|(_, kind)| *kind)
}

/// The textures whose pictures are in the file, in its order.
fn embedded(file: &ufbx::Scene) -> impl Iterator<Item = &ufbx::Texture> {
    file.textures.into_iter().filter(|texture| media_type(texture).is_some())
}

pub(super) fn images(file: &ufbx::Scene) -> Vec<Image> {
    let image = |texture: &ufbx::Texture| {
        let media_type = media_type(texture)?;
        let bytes = texture.content.to_vec().into();
        Some(Image { name: texture.element.name.to_string(), media_type, bytes })
    };
    embedded(file).filter_map(image).collect()
}

pub(super) fn materials(file: &ufbx::Scene) -> Vec<Material> {
    file.materials.into_iter().map(|own| material(file, own)).collect()
}

fn material(file: &ufbx::Scene, own: &ufbx::Material) -> Material {
    let pbr = &own.pbr;
    let factor = number(&pbr.base_factor, 1.0);
    let [r, g, b] = color(&pbr.base_color, [1.0; 3]).map(|part| (part * factor).clamp(0.0, 1.0));
    let alpha = number(&pbr.opacity, 1.0).clamp(0.0, 1.0);
    let image = pbr.base_color.texture.as_ref().and_then(|texture| {
        let id = texture.element.typed_id;
        embedded(file).position(|known| known.element.typed_id == id).map(ImageIndex)
    });
    let emissive = color(&pbr.emission_color, [0.0; 3]).map(|part| part * number(&pbr.emission_factor, 0.0));
    Material {
        name: own.element.name.to_string(),
        base_color: [r, g, b, alpha],
        base_color_image: image,
        emissive: emissive.map(|part| part.clamp(0.0, 1.0)),
        metallic: number(&pbr.metalness, 0.0).clamp(0.0, 1.0),
        roughness: number(&pbr.roughness, 1.0).clamp(0.0, 1.0),
        alpha: if alpha < 1.0 { AlphaMode::Blend } else { AlphaMode::Opaque },
        double_sided: own.features.double_sided.enabled,
        unlit: false,
        extras: None,
    }
}

fn number(map: &MaterialMap, absent: f64) -> f64 {
    if map.has_value { finite(map.value_vec4.x) } else { absent }
}

fn color(map: &MaterialMap, absent: [f64; 3]) -> [f64; 3] {
    let value = &map.value_vec4;
    if map.has_value { [value.x, value.y, value.z].map(finite) } else { absent }
}
