//! Pictures of materials, decoded and made smaller step by step.

use crate::theme::{linear, shown};
use dopesheet_core::model::Image;
use image::{ImageReader, Limits};
use std::collections::HashMap;
use std::io::Cursor;
use std::sync::{Arc, OnceLock};

/// Most memory of a decoded picture: 8192 by 8192 texels of four bytes.
const MOST_BYTES: u64 = 8192 * 8192 * 4;
/// Greatest width and height of a decoded picture, in texels.
const MOST_ACROSS: u32 = 16_384;

/// A picture, and copies each half as wide and high as the last, down to a single texel.
#[derive(Clone, Debug)]
pub struct Texture {
    full: Level,
    /// Made at the first use of any of them: graphics processors make their own.
    smaller: OnceLock<Vec<Level>>,
}

impl PartialEq for Texture {
    fn eq(&self, other: &Self) -> bool {
        self.full == other.full
    }
}

/// A size of a texture.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// Texels across and down, at least 1 each.
    pub size: [u32; 2],
    /// sRGB with straight alpha, row by row from the top.
    pub texels: Vec<[u8; 4]>,
}

impl Texture {
    /// Decodes a picture; `None` if it is damaged, or larger than 16,384 texels across or 8192 × 8192 in all.
    #[must_use]
    pub fn decode(image: &Image) -> Option<Self> {
        let mut limits = Limits::default();
        limits.max_image_width = Some(MOST_ACROSS);
        limits.max_image_height = Some(MOST_ACROSS);
        limits.max_alloc = Some(MOST_BYTES);
        let mut reader = ImageReader::new(Cursor::new(&*image.bytes)).with_guessed_format().ok()?;
        reader.limits(limits);
        let picture = reader.decode().ok()?.into_rgba8();
        let texels = picture.as_raw().as_chunks::<4>().0.to_vec();
        Self::new([picture.width(), picture.height()], texels)
    }

    /// A texture of texels as [`Level::texels`] has them; `None` if their number does not fit the size.
    #[must_use]
    pub fn new(size: [u32; 2], texels: Vec<[u8; 4]>) -> Option<Self> {
        let count = u64::from(size[0]) * u64::from(size[1]);
        if count == 0 || count != texels.len() as u64 {
            return None;
        }
        Some(Self { full: Level { size, texels }, smaller: OnceLock::new() })
    }

    /// The picture in its full size.
    #[must_use]
    pub const fn full(&self) -> &Level {
        &self.full
    }

    /// The smaller sizes, the largest first.
    #[must_use]
    pub fn smaller(&self) -> &[Level] {
        self.smaller.get_or_init(|| std::iter::successors(self.full.halved(), Level::halved).collect())
    }

    /// The level of a number, 0 for the full size; the smallest for all numbers beyond.
    fn level(&self, number: usize) -> &Level {
        let Some(behind) = number.checked_sub(1) else { return &self.full };
        let smaller = self.smaller();
        smaller.get(behind).or(smaller.last()).unwrap_or(&self.full)
    }

    /// The colour at a texture coordinate in a size; coordinates outside of 0..=1 repeat the picture. sRGB with straight
    /// alpha, 0..=255 each.
    #[must_use]
    pub fn at(&self, [u, v]: [f32; 2], level: usize) -> [f32; 4] {
        let Level { size, texels } = self.level(level);
        let neighbours = |x: f32, count: u32| {
            let x = (x - x.floor()) * count as f32 - 0.5;
            let low = x.floor();
            let wrapped = |n: f32| (n as i64).rem_euclid(i64::from(count)) as usize;
            (wrapped(low), wrapped(low + 1.0), x - low)
        };
        if !(u.is_finite() && v.is_finite()) {
            return [255.0; 4];
        }
        let (x0, x1, fx) = neighbours(u, size[0]);
        let (y0, y1, fy) = neighbours(v, size[1]);
        let texel = |x: usize, y: usize| texels[y * size[0] as usize + x].map(f32::from);
        let row = |y: usize| mix(texel(x0, y), texel(x1, y), fx);
        mix(row(y0), row(y1), fy)
    }
}

/// Decoded pictures. A picture shared by several scenes or clips is decoded once.
#[derive(Debug, Default)]
pub struct Textures {
    /// By their bytes.
    by_bytes: HashMap<Arc<[u8]>, Option<Arc<Texture>>>,
}

impl Textures {
    /// The pictures of a scene, `None` for pictures that are not drawn; in their order, with `None` also for
    /// pictures that cannot be decoded, see [`Texture::decode`]. The pictures of the last scene that had any stay
    /// decoded, and so do pictures still in use elsewhere.
    pub fn of(&mut self, images: &[Option<&Image>]) -> Vec<Option<Arc<Texture>>> {
        if images.iter().all(Option::is_none) {
            return vec![None; images.len()];
        }
        let mut earlier = std::mem::take(&mut self.by_bytes);
        let mut texture = |image: &Image| {
            let decode = || Texture::decode(image).map(Arc::new);
            let entry = self.by_bytes.entry(Arc::clone(&image.bytes));
            entry.or_insert_with(|| earlier.remove(&image.bytes).unwrap_or_else(decode)).clone()
        };
        let of_scene = images.iter().map(|image| texture((*image)?)).collect();
        earlier.retain(|_, texture| texture.as_ref().is_some_and(|texture| Arc::strong_count(texture) > 1));
        self.by_bytes.extend(earlier);
        of_scene
    }
}

fn mix(a: [f32; 4], b: [f32; 4], share: f32) -> [f32; 4] {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * share)
}

impl Level {
    /// The mean of each two by two texels; `None` of a single texel.
    fn halved(&self) -> Option<Self> {
        let [width, height] = self.size;
        if width == 1 && height == 1 {
            return None;
        }
        let size = self.size.map(|x| (x / 2).max(1));
        let texel = |x: u32, y: u32| self.texels[(y.min(height - 1) * width + x.min(width - 1)) as usize];
        let mut texels = Vec::with_capacity((size[0] * size[1]) as usize);
        for y in 0..size[1] {
            for x in 0..size[0] {
                let four = [(0, 0), (1, 0), (0, 1), (1, 1)];
                texels.push(mean(four.map(|(dx, dy)| texel(2 * x + dx, 2 * y + dy))));
            }
        }
        Some(Self { size, texels })
    }
}

/// The mean as light, weighted by alpha.
fn mean(four: [[u8; 4]; 4]) -> [u8; 4] {
    let alpha: f32 = four.iter().map(|texel| f32::from(texel[3])).sum();
    if alpha == 0.0 {
        return [four[0][0], four[0][1], four[0][2], 0];
    }
    let colour = |i: usize| {
        let light: f32 = four.iter().map(|texel| linear(texel[i]) * f32::from(texel[3])).sum();
        shown(light / alpha).round() as u8
    };
    [colour(0), colour(1), colour(2), (alpha / 4.0).round() as u8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_texture_has_the_size_of_its_texels() {
        assert!(Texture::new([2, 2], vec![[0; 4]; 3]).is_none());
        assert!(Texture::new([0, 0], Vec::new()).is_none());
        let texture = Texture::new([5, 2], vec![[9; 4]; 10]).unwrap();
        assert_eq!(texture.full().size, [5, 2]);
        let sizes: Vec<_> = texture.smaller().iter().map(|level| level.size).collect();
        assert_eq!(sizes, [[2, 1], [1, 1]]);
        assert_eq!([0, 1, 2, 9].map(|n| texture.level(n).size), [[5, 2], [2, 1], [1, 1], [1, 1]]);
    }

    /// A picture of a single texel as a file.
    fn image(shade: u8) -> Image {
        let mut bytes = Vec::new();
        let picture = image::RgbaImage::from_pixel(1, 1, image::Rgba([shade; 4]));
        picture.write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png).unwrap();
        Image { name: String::new(), media_type: "image/png", bytes: bytes.into() }
    }

    #[test]
    fn a_picture_is_decoded_once_as_long_as_somebody_may_want_it() {
        let (one, two, damaged) = (image(1), image(2), Image { bytes: [0; 9].into(), ..image(0) });
        let mut textures = Textures::default();
        let first = textures.of(&[Some(&one), Some(&damaged)]);
        assert_eq!(first.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false]);
        let is_same = |a: &Option<Arc<Texture>>, b: &Option<Arc<Texture>>| {
            Arc::ptr_eq(a.as_ref().unwrap(), b.as_ref().unwrap())
        };
        // The same bytes in another scene, also after one without pictures and one with others.
        assert!(textures.of(&[]).is_empty());
        let second = textures.of(&[Some(&two), None, Some(&one)]);
        assert!(is_same(&second[2], &first[0]) && !is_same(&second[0], &first[0]));
        assert!(second[1].is_none(), "a normal map is not decoded");
        assert_eq!(second[0].as_ref().unwrap().full().texels, [[2; 4]]);
        drop(second);
        assert!(is_same(&textures.of(&[Some(&damaged), Some(&one)])[1], &first[0]));
        drop(first);
        textures.of(&[Some(&two)]);
        assert_eq!(textures.by_bytes.len(), 1, "nobody holds the others");
    }

    #[test]
    fn a_picture_that_is_cut_or_changed_anywhere_is_decoded_or_not_drawn() {
        use image::{DynamicImage, ImageFormat, RgbImage};
        let picture = DynamicImage::ImageRgb8(RgbImage::from_pixel(2, 2, image::Rgb([200, 100, 50])));
        for format in [ImageFormat::Png, ImageFormat::Bmp, ImageFormat::Jpeg] {
            let mut bytes = Cursor::new(Vec::new());
            picture.write_to(&mut bytes, format).unwrap();
            let bytes = bytes.into_inner();
            let decode = |bytes: &[u8]| {
                Texture::decode(&Image { name: String::new(), media_type: "image/png", bytes: bytes.into() })
            };
            assert_eq!(decode(&bytes).unwrap().full().size, [2, 2], "{format:?}");
            for at in 0..bytes.len() {
                let damaged = [0x01, 0x80, 0xff].map(|mask| {
                    let mut changed = bytes.clone();
                    changed[at] ^= mask;
                    changed
                });
                for bytes in damaged.iter().map(Vec::as_slice).chain([&bytes[..at]]) {
                    let Some(texture) = decode(bytes) else { continue };
                    let [width, height] = texture.full().size;
                    assert_eq!(texture.full().texels.len() as u64, u64::from(width) * u64::from(height));
                }
            }
        }
    }

    #[test]
    fn coordinates_repeat_and_never_leave_the_picture() {
        let texture = Texture::new([2, 1], vec![[0, 0, 0, 255], [200, 0, 0, 255]]).unwrap();
        assert_eq!(texture.at([0.25, 0.5], 0), [0.0, 0.0, 0.0, 255.0]);
        assert_eq!(texture.at([-0.25, 7.5], 0), [200.0, 0.0, 0.0, 255.0]);
        for wild in [f32::NAN, f32::INFINITY, -1e30, 1e30, f32::MIN_POSITIVE] {
            assert!(texture.at([wild, wild], 99)[3] > 0.0);
        }
    }

    #[test]
    fn what_is_transparent_lends_no_colour() {
        assert_eq!(
            mean([[255, 0, 0, 255], [0, 255, 0, 0], [0, 255, 0, 0], [255, 0, 0, 255]])[..3],
            [255, 0, 0]
        );
    }
}
