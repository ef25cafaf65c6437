//! Pictures side by side, as PNG.

use super::encoding::encoding;
use super::options::RenderOptions;
use super::pictures::Pictures;
use crate::error::Error;
use dopesheet_draw::Picture;

/// The file, and its size in pixels.
pub(super) fn png(
    pictures: &Pictures<'_>,
    options: &RenderOptions<'_>,
) -> Result<(Vec<u8>, [u32; 2]), Error> {
    let [columns, rows] = options.grid(pictures.times.len());
    let [width, height] = options.size;
    let size = [columns * width, rows * height];
    let mut sheet = Picture::filled(size, pictures.theme.background);
    for (index, picture) in (0..).zip(pictures.draw(pictures.times)) {
        sheet.put(&picture, [index % columns * width, index / columns * height]);
    }
    Ok((picture_to_png(&sheet, pictures.theme.background)?, size))
}

/// A picture as PNG; with alpha if its `background` is not opaque.
///
/// # Errors
/// If the picture has no pixels, or their number differs from its size.
pub fn picture_to_png(picture: &Picture, background: [u8; 4]) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let mut encoder = encoder(&mut bytes, picture.size, &background);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().map_err(encoding)?;
    writer.write_image_data(&samples(&picture.pixels, background)).map_err(encoding)?;
    writer.finish().map_err(encoding)?;
    Ok(bytes)
}

/// An encoder of pictures with alpha if the background is not opaque.
pub(super) fn encoder<'a>(
    bytes: &'a mut Vec<u8>,
    [width, height]: [u32; 2],
    background: &[u8; 4],
) -> png::Encoder<'a, &'a mut Vec<u8>> {
    let mut encoder = png::Encoder::new(bytes, width, height);
    encoder.set_color(if background[3] == 255 { png::ColorType::Rgb } else { png::ColorType::Rgba });
    encoder.set_depth(png::BitDepth::Eight);
    encoder
}

/// Pixels as [`encoder`] wants them.
pub(super) fn samples(pixels: &[[u8; 4]], background: [u8; 4]) -> Vec<u8> {
    let channels = if background[3] == 255 { 3 } else { 4 };
    pixels.iter().flat_map(|pixel| &pixel[..channels]).copied().collect()
}
