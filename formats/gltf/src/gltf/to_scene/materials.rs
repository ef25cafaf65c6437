//! Materials and their pictures.

use super::super::document::Document;
use super::super::picture;
use super::losses::LeftOutParts;
use crate::gltf::binary::views::Views;
use crate::gltf::json::parts::{Image as StoredImage, Index, Material as StoredMaterial, TextureUse, Uri};
use crate::gltf::json::uri;
use dopesheet_core::bytes::json::JsonCursor;
use dopesheet_core::model::{AlphaMode, Image, ImageIndex, Material, MaterialImage, NormalMap, Scene};

/// Adds all materials and the pictures they use.
pub(super) fn materials(views: &Views<'_>, scene: &mut Scene, losses: &mut LeftOutParts) {
    let parts = &views.document.parts;
    let mut places: Vec<Option<Option<ImageIndex>>> = vec![None; parts.images.len()];
    for stored in &parts.materials {
        let mut image = |used: Option<TextureUse>| {
            let (source, uv_set) = source(views.document, used?, losses)?;
            let slot = places.get_mut(source as usize)?;
            let image = *slot.get_or_insert_with(|| add_image(views, source, scene, losses));
            Some(MaterialImage { image: image?, uv_set })
        };
        let scale = stored.normal_texture.and_then(|used| used.scale).unwrap_or(1.0);
        let base_color_image = image(stored.base_color_texture);
        let emissive_image = image(stored.emissive_texture);
        let normal_map = image(stored.normal_texture).map(|image| NormalMap { image, scale });
        let bare = material(views.document, stored, losses);
        scene.materials.push(Material { base_color_image, normal_map, emissive_image, ..bare });
    }
}

/// The image of a texture of a material, and its set of texture coordinates.
fn source(document: &Document, used: TextureUse, losses: &mut LeftOutParts) -> Option<(Index, u8)> {
    let texture = document.parts.textures.get(used.texture as usize)?;
    let Ok(set) = u8::try_from(used.tex_coord) else {
        losses.add("pictures", "a scene has at most 256 sets of texture coordinates");
        return None;
    };
    if used.transformed {
        losses.add("placements of pictures on materials", "KHR_texture_transform is not read");
    }
    if texture.sampler.is_some() {
        losses.add("samplers of pictures", "how pictures repeat and blur has no place in a scene");
    }
    if texture.source.is_none() {
        losses.add("pictures", "only PNG and JPEG are kept");
    }
    Some((texture.source?, set))
}

fn add_image(
    views: &Views<'_>,
    index: Index,
    scene: &mut Scene,
    losses: &mut LeftOutParts,
) -> Option<ImageIndex> {
    let stored = views.document.parts.images.get(index as usize)?;
    let Some(bytes) = bytes(views, index, stored) else {
        losses.add("pictures", "their bytes are not there");
        return None;
    };
    let Some(media_type) = picture::media_type(&bytes) else {
        losses.add("pictures", "only PNG and JPEG are kept");
        return None;
    };
    let name = stored.name.as_deref().unwrap_or_default().to_owned();
    scene.images.push(Image { name, media_type, bytes: bytes.into() });
    Some(ImageIndex(scene.images.len() - 1))
}

fn bytes(views: &Views<'_>, index: Index, stored: &StoredImage) -> Option<Vec<u8>> {
    let document = views.document;
    if let Some(view) = stored.view {
        let bytes = views.bytes(view, || format!("/images/{index}/bufferView"));
        return bytes.ok().map(|(bytes, _)| bytes.to_vec());
    }
    match &stored.uri {
        Uri::None => None,
        Uri::Data(span) => {
            let text = document.json.get(span.clone())?;
            let uri = JsonCursor::from_text(text, crate::gltf::json::place::JSON_CODES).string().ok()?;
            uri::decode_data(&uri)
        }
        Uri::File(written) => {
            let name = uri::file_name(written)?;
            document.images.iter().find(|(image_name, _)| *image_name == name).map(|(_, bytes)| bytes.clone())
        }
    }
}

/// A material without pictures. Defaults as in glTF 2.0, section 5.19.
fn material(document: &Document, stored: &StoredMaterial, losses: &mut LeftOutParts) -> Material {
    for other in &stored.other_names {
        losses.add(&format!("{other} of materials"), "a scene has no place for it");
    }
    let alpha = match stored.alpha_mode.as_deref() {
        Some("MASK") => AlphaMode::Mask(stored.alpha_cutoff.unwrap_or(0.5)),
        Some("BLEND") => AlphaMode::Blend,
        _ => AlphaMode::Opaque,
    };
    Material {
        name: stored.name.as_deref().unwrap_or_default().to_owned(),
        base_color: stored.base_color_factor.unwrap_or([1.0; 4]),
        base_color_image: None,
        emissive: stored.emissive_factor.unwrap_or([0.0; 3]),
        emissive_image: None,
        normal_map: None,
        metallic: stored.metallic_factor.unwrap_or(1.0),
        roughness: stored.roughness_factor.unwrap_or(1.0),
        alpha,
        double_sided: stored.double_sided,
        unlit: stored.unlit,
        extras: document.value(stored.extras.as_ref()),
    }
}
