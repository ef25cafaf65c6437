//! Materials in metallic-roughness words.

use super::numbers::{dropped, finite};
use super::textures::Pictures;
use crate::pmx::document::{Document, Index, Material as Own, MaterialFlags, Toon};
use dopesheet_core::diag::Report;
use dopesheet_core::model::{AlphaMode, Material, MaterialImage};
use serde_json::{Value, json};

/// The light of MikuMikuDance when nothing else is set, 154 of 256 in each colour.
const LIGHT: f64 = 0.602;

/// All materials in the order of the file.
pub(super) fn materials(document: &Document, pictures: &Pictures, report: &mut Report) -> Vec<Material> {
    report_losses(document, report);
    document.materials.iter().map(|stored| material(document, stored, pictures)).collect()
}

fn material(document: &Document, stored: &Own, pictures: &Pictures) -> Material {
    let [diffuse @ .., alpha] = stored.diffuse.map(|x| f64::from(finite(x)));
    let shown =
        |(diffuse, ambient): (f64, f32)| (f64::from(finite(ambient)) + LIGHT * diffuse).clamp(0.0, 1.0);
    let [red, green, blue] = std::array::from_fn(|at| linear(shown((diffuse[at], stored.ambient[at]))));
    let picture = pictures.of(document, stored.texture);
    let alpha = alpha.clamp(0.0, 1.0);
    Material {
        name: document.text(&stored.name),
        base_color: [red, green, blue, alpha],
        base_color_image: picture.map(|picture| MaterialImage { image: picture.image, uv_set: 0 }),
        emissive: [0.0; 3],
        emissive_image: None,
        normal_map: None,
        metallic: 0.0,
        roughness: 1.0,
        alpha: alpha_mode(alpha, picture.map(|picture| picture.alpha)),
        double_sided: stored.flags.has(MaterialFlags::DOUBLE_SIDED),
        unlit: false,
        extras: Some(notes(document, stored)),
    }
}

fn alpha_mode(alpha: f64, picture: Option<AlphaMode>) -> AlphaMode {
    if alpha < 1.0 { AlphaMode::Blend } else { picture.unwrap_or(AlphaMode::Opaque) }
}

/// From sRGB as shown on a screen to amounts of light (IEC 61966-2-1).
fn linear(shown: f64) -> f64 {
    if shown <= 0.040_45 { shown / 12.92 } else { libm::pow((shown + 0.055) / 1.055, 2.4) }
}

/// The file's own words about a material.
fn notes(document: &Document, stored: &Own) -> Value {
    let path = |texture: Index| {
        texture.get().and_then(|texture| document.textures.get(texture)).map(|path| document.text(path))
    };
    let toon = match stored.toon {
        Toon::Shared(number) => Some(format!("toon{:02}.bmp", u16::from(number) + 1)),
        Toon::Texture(texture) => path(texture),
    };
    json!({
        "format": super::ID,
        "english_name": document.text(&stored.english_name),
        "diffuse": stored.diffuse,
        "specular": stored.specular,
        "shininess": stored.shininess,
        "ambient": stored.ambient,
        "ground_shadow": stored.flags.has(MaterialFlags::GROUND_SHADOW),
        "casts_shadow": stored.flags.has(MaterialFlags::CASTS_SHADOW),
        "receives_shadow": stored.flags.has(MaterialFlags::RECEIVES_SHADOW),
        "outline": stored.flags.has(MaterialFlags::OUTLINE),
        "edge_color": stored.edge_color,
        "edge_size": stored.edge_size,
        "texture": path(stored.texture),
        "sphere_texture": path(stored.sphere_texture),
        "sphere_mode": stored.sphere_mode,
        "toon": toon,
        "memo": document.text(&stored.memo),
    })
}

/// Reports the pictures without a place in a scene's materials.
fn report_losses(document: &Document, report: &mut Report) {
    let exists = |texture: Index| texture.get().is_some_and(|texture| texture < document.textures.len());
    let spheres = document.materials.iter().filter(|material| exists(material.sphere_texture)).count();
    let toons = document.materials.iter().filter(|material| match material.toon {
        Toon::Shared(_) => true,
        Toon::Texture(texture) => exists(texture),
    });
    let why = "a scene's materials have no place for it; the notes of the material name it";
    dropped(report, spheres, "sphere picture", why);
    dropped(report, toons.count(), "toon picture", why);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_become_amounts_of_light() {
        assert_eq!((linear(0.0), linear(1.0)), (0.0, 1.0));
        // 188 of 255 shows about half as much light as 255.
        assert!((linear(188.0 / 255.0) - 0.502_886).abs() < 1e-6);
    }

    #[test]
    fn alpha_of_the_material_goes_before_that_of_the_picture() {
        assert_eq!(alpha_mode(0.5, Some(AlphaMode::Opaque)), AlphaMode::Blend);
        assert_eq!(alpha_mode(1.0, Some(AlphaMode::Mask(0.5))), AlphaMode::Mask(0.5));
        assert_eq!(alpha_mode(1.0, Some(AlphaMode::Blend)), AlphaMode::Blend);
        assert_eq!(alpha_mode(1.0, Some(AlphaMode::Opaque)), AlphaMode::Opaque);
        assert_eq!(alpha_mode(1.0, None), AlphaMode::Opaque);
    }
}
