//! Pieces to pixels, and pixels to PNG.

use super::{Colour, PIECES, Paint};
use crate::puppet::pieces::{Piece, SIZE};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder as _};
use xtask_generate::Outcome;

/// Samples per pixel and direction.
const FINE: u32 = 4;

/// The picture as a PNG file.
pub(in crate::puppet) fn png() -> Outcome<Vec<u8>> {
    let mut bytes = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, FilterType::Adaptive);
    encoder.write_image(&pixels(), SIZE, SIZE, ExtendedColorType::Rgb8)?;
    Ok(bytes)
}

/// Red, green and blue, row by row.
fn pixels() -> Vec<u8> {
    let mut pixels = vec![0; (SIZE * SIZE * 3) as usize];
    for (piece, paint) in PIECES {
        let [left, top, width, height] = piece.place;
        for y in 0..height {
            for x in 0..width {
                let at = (((top + y) * SIZE + left + x) * 3) as usize;
                let colour = average(piece, paint, x, y).map(|part| (part * 255.0).round() as u8);
                pixels[at..at + 3].copy_from_slice(&colour);
            }
        }
    }
    pixels
}

fn average(piece: Piece, paint: Paint, x: u32, y: u32) -> Colour {
    let mut sum = [0.0; 3];
    for n in 0..FINE * FINE {
        let inside = |pixel: u32, step: u32| f64::from(pixel) + (f64::from(step) + 0.5) / f64::from(FINE);
        let [turns, at] = piece.around_and_along(inside(x, n % FINE), inside(y, n / FINE));
        let colour = paint(turns, at);
        sum = std::array::from_fn(|part| sum[part] + colour[part]);
    }
    sum.map(|part| part / f64::from(FINE * FINE))
}
