//! Pictures: decoded to see their alpha, and encoded as PNG unless they are PNG or JPEG.

use crate::pmx::document::{Document, Index};
use dopesheet_core::diag::Report;
use dopesheet_core::format::ResourceName;
use dopesheet_core::model::{Image, ImageIndex, Scene};
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};
use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::Arc;

/// Use of a picture's alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alpha {
    /// Nothing is transparent.
    Solid,
    /// Texels are there or not.
    Cutout,
    /// Some texels let part of the light through.
    Translucent,
}

/// A picture of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Picture {
    pub(super) image: ImageIndex,
    pub(super) alpha: Alpha,
}

/// The pictures of a scene by their names.
#[derive(Default)]
pub(super) struct Pictures(BTreeMap<ResourceName, Picture>);

impl Pictures {
    /// The picture of a texture, if it could be had.
    pub(super) fn of(&self, document: &Document, texture: Index) -> Option<Picture> {
        self.0.get(&document.picture_name(texture)?).copied()
    }
}

/// The colour pictures of all materials. What is missing or cannot be decoded is reported, and conversion goes on
/// without it.
pub(super) fn load(document: &Document, scene: &mut Scene, report: &mut Report) -> Pictures {
    let mut pictures = Pictures::default();
    for name in document.wanted_pictures() {
        let Some(bytes) = document.pictures.get(&name) else {
            report.dropped(format!("the picture {name}"), "it was not found beside the model");
            continue;
        };
        match picture(&name, bytes) {
            Ok((image, alpha)) => {
                scene.images.push(image);
                pictures.0.insert(name, Picture { image: ImageIndex(scene.images.len() - 1), alpha });
            }
            Err(why) => report.dropped(format!("the picture {name}"), why),
        }
    }
    pictures
}

/// The widest and highest picture that is decoded; twice what graphics processors commonly take.
const MOST_TEXELS_ACROSS: u32 = 32_768;
/// The most memory that a decoded picture may take: 8192 by 8192 texels of four bytes.
const MOST_BYTES: u64 = 8192 * 8192 * 4;

fn picture(name: &str, bytes: &Arc<[u8]>) -> Result<(Image, Alpha), String> {
    let format = format_of(name, bytes).ok_or("it is no BMP, TGA, DDS, PNG or JPEG")?;
    let decoded = decode(bytes, format).map_err(|error| format!("it cannot be decoded ({error})"))?;
    let alpha = alpha(&decoded);
    let (media_type, bytes) = match format {
        ImageFormat::Png => ("image/png", Arc::clone(bytes)),
        ImageFormat::Jpeg => ("image/jpeg", Arc::clone(bytes)),
        _ => {
            ("image/png", encode(&decoded).map_err(|error| format!("it cannot be written as PNG ({error})"))?)
        }
    };
    Ok((Image { name: name.to_owned(), media_type, bytes }, alpha))
}

/// The format of a picture by its first bytes; TGA has none of its own and goes by the name.
fn format_of(name: &str, bytes: &[u8]) -> Option<ImageFormat> {
    let known = [ImageFormat::Bmp, ImageFormat::Dds, ImageFormat::Png, ImageFormat::Jpeg];
    let by_bytes = image::guess_format(bytes).ok().filter(|format| known.contains(format));
    let is_tga = || name.rsplit('.').next().is_some_and(|extension| extension.eq_ignore_ascii_case("tga"));
    by_bytes.or_else(|| is_tga().then_some(ImageFormat::Tga))
}

fn decode(bytes: &[u8], format: ImageFormat) -> image::ImageResult<DynamicImage> {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MOST_TEXELS_ACROSS);
    limits.max_image_height = Some(MOST_TEXELS_ACROSS);
    limits.max_alloc = Some(MOST_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder()?;
    decoder.set_limits(limits.clone())?;
    limits.reserve(decoder.total_bytes())?;
    DynamicImage::from_decoder(decoder)
}

fn encode(picture: &DynamicImage) -> image::ImageResult<Arc<[u8]>> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png)?;
    Ok(bytes.into_inner().into())
}

fn alpha(picture: &DynamicImage) -> Alpha {
    if !picture.color().has_alpha() {
        return Alpha::Solid;
    }
    let texels = picture.to_rgba8();
    let mut alpha = Alpha::Solid;
    for texel in texels.pixels() {
        match texel.0[3] {
            255 => {}
            0 => alpha = Alpha::Cutout,
            _ => return Alpha::Translucent,
        }
    }
    alpha
}
