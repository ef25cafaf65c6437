//! Pictures in sequence, as animated PNG.

use super::encoding::encoding;
use super::gif::{Area, delays};
use super::pictures::Pictures;
use super::sheet::{encoder, samples};
use crate::error::Error;

/// Units of delay per second that APNG has here.
const MILLISECONDS: f64 = 1000.0;

pub(super) fn apng(pictures: &Pictures<'_>) -> Result<Vec<u8>, Error> {
    let background = pictures.theme.background;
    let count = u32::try_from(pictures.times.len()).unwrap_or(u32::MAX);
    let mut bytes = Vec::new();
    let mut encoder = encoder(&mut bytes, pictures.size, &background);
    encoder.set_compression(png::Compression::High);
    encoder.set_animated(count, 0).map_err(encoding)?;
    let mut writer = encoder.write_header().map_err(encoding)?;
    let mut before: Option<Vec<[u8; 4]>> = None;
    let delays = delays(pictures.times, MILLISECONDS, 10);
    for (times, delays) in pictures.batches().zip(delays.chunks(pictures.at_once())) {
        for (picture, delay) in pictures.draw(times).into_iter().zip(delays) {
            let area = Area::of_change(before.as_deref(), &picture.pixels, picture.size);
            if before.is_some() {
                // A size is checked against the place of the picture before.
                writer.reset_frame_position().map_err(encoding)?;
                writer.set_frame_dimension(area.size[0], area.size[1]).map_err(encoding)?;
                writer.set_frame_position(area.corner[0], area.corner[1]).map_err(encoding)?;
            }
            writer.set_frame_delay(*delay, MILLISECONDS as u16).map_err(encoding)?;
            let pixels = area.cut(&picture.pixels, picture.size[0]);
            writer.write_image_data(&samples(&pixels, background)).map_err(encoding)?;
            before = Some(picture.pixels);
        }
    }
    writer.finish().map_err(encoding)?;
    Ok(bytes)
}
