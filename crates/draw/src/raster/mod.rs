//! Triangles and lines as pixels, without a graphics processor.
//!
//! Each pixel is the mean of two by two samples. Whatever the numbers of a drawing are, a picture takes
//! memory in proportion to its size and time in proportion to the number of triangles and lines, and to a
//! bounded number of samples: shapes beyond that number are not drawn, and [`Picture::is_complete`] says so.

mod canvas;
mod light;
mod lines;
mod triangles;

use crate::drawing::Drawing;
use crate::texture::Texture;
use crate::view::View;
use canvas::Canvas;
use std::sync::Arc;

/// The widest and highest picture, in pixels.
pub const MOST_ACROSS: u32 = 2048;

/// Pixels in rows from the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across and down.
    pub size: [u32; 2],
    /// sRGB with straight alpha, row by row from the top.
    pub pixels: Vec<[u8; 4]>,
    /// True if everything was drawn before the limit on samples.
    pub is_complete: bool,
}

impl Picture {
    /// A picture of a plain colour.
    #[must_use]
    pub fn filled(size: [u32; 2], color: [u8; 4]) -> Self {
        let count = size[0] as usize * size[1] as usize;
        Self { size, pixels: vec![color; count], is_complete: true }
    }

    /// Puts another picture into this picture, as far as it fits, and overwrites the pixels there.
    pub fn put(&mut self, other: &Self, [left, top]: [u32; 2]) {
        let width = self.size[0].saturating_sub(left).min(other.size[0]) as usize;
        let rows = self.pixels.chunks_exact_mut(self.size[0].max(1) as usize).skip(top as usize);
        for (target_row, row) in rows.zip(other.pixels.chunks_exact(other.size[0].max(1) as usize)) {
            target_row[left.min(self.size[0]) as usize..][..width].copy_from_slice(&row[..width]);
        }
        self.is_complete &= other.is_complete;
    }
}

/// Draws drawings, in order, as seen from a view. The size is cut to 1..=[`MOST_ACROSS`] each way.
#[must_use]
pub fn raster(
    drawings: &[&Drawing],
    textures: &[Option<Arc<Texture>>],
    view: &View,
    size: [u32; 2],
    background: [u8; 4],
) -> Picture {
    let mut canvas = Canvas::new(size.map(|x| x.clamp(1, MOST_ACROSS)), background);
    for drawing in drawings {
        for surface in &drawing.surfaces {
            triangles::draw(&mut canvas, surface, textures, view);
        }
    }
    for drawing in drawings {
        for line in drawing.lines.iter().chain(&drawing.marks) {
            lines::draw(&mut canvas, line, view);
        }
    }
    canvas.picture()
}
