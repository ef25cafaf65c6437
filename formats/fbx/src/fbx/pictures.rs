//! Pictures of materials, as far as a scene has a place for them.

use super::document::{Document, Surface, Texture};
use dopesheet_core::diag::Report;
use dopesheet_core::format::pictures::{encoded, picture};
use dopesheet_core::model::{AlphaMode, Image, ImageIndex, MaterialImage, NormalMap, Scene};
use dopesheet_core::words::counted;
use std::collections::BTreeMap;

/// Adds the pictures of all materials, and reports missing pictures and pictures of further properties.
pub(super) fn add(document: &Document, scene: &mut Scene, report: &mut Report) {
    let mut loaded: BTreeMap<usize, Option<(MaterialImage, AlphaMode)>> = BTreeMap::new();
    for (at, surface) in document.surfaces.iter().enumerate() {
        let mut picture = |index: usize| {
            let texture = document.textures.get(index)?;
            let see_through = document.surfaces.iter().any(|surface| surface.opacity == Some(index));
            *loaded.entry(index).or_insert_with(|| load(texture, see_through, scene, report))
        };
        let base_color = surface.base_color.and_then(&mut picture);
        let emissive = surface.emissive.and_then(&mut picture);
        let normals = surface.normals.and_then(|(index, scale)| Some((picture(index)?.0, scale)));
        let Some(material) = scene.materials.get_mut(at) else { continue };
        material.base_color_image = base_color.map(|(image, _)| image);
        material.emissive_image = emissive.map(|(image, _)| image);
        material.normal_map = normals.map(|(image, scale)| NormalMap { image, scale });
        let see_through = surface.opacity == surface.base_color && material.alpha == AlphaMode::Opaque;
        if let Some((_, alpha)) = base_color.filter(|_| see_through) {
            material.alpha = alpha;
        }
    }
    say_others(&document.surfaces, report);
}

/// The picture of a texture, with its alpha if the material is transparent.
fn load(
    texture: &Texture,
    see_through: bool,
    scene: &mut Scene,
    report: &mut Report,
) -> Option<(MaterialImage, AlphaMode)> {
    let file = texture.files.first().unwrap_or(&texture.name);
    let bytes = texture.bytes.as_ref().ok_or_else(|| "it was not found beside the file".to_owned());
    let loaded = bytes.and_then(|bytes| match see_through {
        true => picture(file, bytes),
        false => Ok((encoded(file, bytes)?, AlphaMode::Opaque)),
    });
    match loaded {
        Ok((image, alpha)) => {
            scene.images.push(Image { name: texture.name.clone(), ..image });
            let image = ImageIndex(scene.images.len() - 1);
            Some((MaterialImage { image, uv_set: texture.uv_set }, alpha))
        }
        Err(why) => {
            report.dropped(format!("the picture {file}"), why);
            None
        }
    }
}

/// Reports properties of materials with omitted pictures.
fn say_others(surfaces: &[Surface], report: &mut Report) {
    let mut omitted: BTreeMap<&str, usize> = BTreeMap::new();
    for name in surfaces.iter().flat_map(|surface| &surface.others) {
        *omitted.entry(name).or_default() += 1;
    }
    for (name, count) in omitted {
        let what = format!("pictures of the property {name:?} of {}", counted(count, "material"));
        report.dropped(
            what,
            "a scene has places for pictures of the base colour, the emission and the normals",
        );
    }
}
