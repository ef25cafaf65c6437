//! Pictures on surfaces: names of files beside a model, and common kinds of pictures as the PNG or JPEG of a
//! scene.

use super::ResourceName;
use crate::model::{AlphaMode, Image};
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};
use std::io::Cursor;
use std::sync::Arc;

/// Largest width and height of a decoded picture; twice the usual limit of graphics processors.
const MOST_TEXELS_ACROSS: u32 = 32_768;
/// Largest memory of a decoded picture: 8192 by 8192 texels of four bytes.
const MOST_BYTES: u64 = 8192 * 8192 * 4;

/// Threshold of alpha between visible and invisible texels: half way between opaque and clear.
const CUTOFF: f64 = 0.5;

/// Name of a picture as a resource: a path with forward slashes and without `.` parts. `None` if the path is empty, absolute, names a
/// drive or leads out of the model's folder.
#[must_use]
pub fn picture_name(path: &str) -> Option<ResourceName> {
    let path = path.trim_end_matches('\0').replace('\\', "/");
    let leads_out = |part: &str| part == ".." || part.contains([':', '\0']);
    if path.starts_with('/') || path.split('/').any(leads_out) {
        return None;
    }
    let parts: Vec<_> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// A picture for a scene, with the mode of an opaque material for its alpha: PNG and JPEG unchanged, other formats as PNG.
///
/// # Errors
/// A clause with the reason, if the bytes are no BMP, TGA, DDS, PNG or JPEG, or cannot be decoded.
pub fn picture(name: &str, bytes: &Arc<[u8]>) -> Result<(Image, AlphaMode), String> {
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

/// A picture for a scene as [`picture`] makes it, without a mode: PNG and JPEG are not decoded.
///
/// # Errors
/// As [`picture`], but for damaged PNG and JPEG.
pub fn encoded(name: &str, bytes: &Arc<[u8]>) -> Result<Image, String> {
    let media_type = match format_of(name, bytes) {
        Some(ImageFormat::Png) => "image/png",
        Some(ImageFormat::Jpeg) => "image/jpeg",
        _ => return picture(name, bytes).map(|(image, _)| image),
    };
    Ok(Image { name: name.to_owned(), media_type, bytes: Arc::clone(bytes) })
}

/// The format of a picture by its first bytes; TGA has no fixed first bytes and goes by the name.
fn format_of(name: &str, bytes: &[u8]) -> Option<ImageFormat> {
    let accepted = [ImageFormat::Bmp, ImageFormat::Dds, ImageFormat::Png, ImageFormat::Jpeg];
    let by_bytes = image::guess_format(bytes).ok().filter(|format| accepted.contains(format));
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

fn alpha(picture: &DynamicImage) -> AlphaMode {
    if !picture.color().has_alpha() {
        return AlphaMode::Opaque;
    }
    let texels = picture.to_rgba8();
    let mut alpha = AlphaMode::Opaque;
    for texel in texels.pixels() {
        match texel.0[3] {
            255 => {}
            0 => alpha = AlphaMode::Mask(CUTOFF),
            _ => return AlphaMode::Blend,
        }
    }
    alpha
}

#[cfg(test)]
mod tests {
    use super::picture_name;

    #[test]
    fn paths_become_names_with_forward_slashes() {
        for (path, name) in
            [("tex\\face.bmp", "tex/face.bmp"), ("./a//b.png", "a/b.png"), ("顔.tga", "顔.tga")]
        {
            assert_eq!(picture_name(path).as_deref(), Some(name));
        }
    }

    #[test]
    fn paths_out_of_the_folder_are_never_asked_for() {
        for path in [
            "",
            "/etc/passwd",
            "\\\\host\\a.bmp",
            "C:\\a.bmp",
            "c:a.bmp",
            "../a.bmp",
            "a/..\\..\\b",
            ".",
            "a\0b",
        ] {
            assert_eq!(picture_name(path), None, "{path:?}");
        }
    }
}
