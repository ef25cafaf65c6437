//! Drawings: surfaces of triangles, and lines of a width in pixels.

use dopesheet_core::model::AlphaMode;
use std::sync::Arc;

/// All visible shapes of an instant, in metres and glTF's axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// Drawn in this order; surfaces that blend with their background come after the opaque surfaces.
    pub surfaces: Vec<Surface>,
    /// Drawn after all surfaces, hidden by nearer shapes.
    pub lines: Vec<Line>,
    /// As `lines`, but of arbitrary length: rays and the arrows of lights, which a picture may cut.
    pub marks: Vec<Line>,
}

/// Triangles with a common look.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// Positions of the vertices, in metres.
    pub positions: Vec<[f32; 3]>,
    /// A normal per position; about unit length.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates, origin at the top left; one per position, or an empty list. All instants share
    /// the coordinates of a mesh unless a morph moves them.
    pub uvs: Arc<[[f32; 2]]>,
    /// Factors of the look's colour: linear RGBA; one per position, or an empty list.
    pub colors: Arc<[[f32; 4]]>,
    /// Three per triangle, counter-clockwise seen from the front. Of a mesh, the same ones at every instant.
    pub indices: Arc<[u32]>,
    /// Material of the triangles.
    pub look: Look,
}

/// The material of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Linear RGBA with straight alpha, 0..=1 each.
    pub color: [f32; 4],
    /// Multiplied with `color`: a position in [`Stage::textures`](crate::Stage::textures).
    pub texture: Option<usize>,
    /// Effect of the alpha of `color` and texture.
    pub alpha: AlphaMode,
    /// True if back faces are drawn.
    pub double_sided: bool,
    /// True if light has no effect on the surface.
    pub unlit: bool,
}

impl Look {
    /// A matt opaque surface of a plain colour, given as sRGB.
    #[must_use]
    pub fn matt(color: [u8; 3]) -> Self {
        let [r, g, b] = color.map(crate::theme::linear);
        Self {
            color: [r, g, b, 1.0],
            texture: None,
            alpha: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
        }
    }
}

/// A straight line with round ends; a dot if both are the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Start and end, in metres.
    pub ends: [[f32; 3]; 2],
    /// Colour as sRGB with straight alpha, 0..=255 each.
    pub color: [u8; 4],
    /// Width in pixels of a picture 480 pixels high; larger pictures have wider lines.
    pub width_px: f32,
}

impl Drawing {
    /// All points that a picture has to show.
    pub fn points(&self) -> impl Iterator<Item = [f32; 3]> {
        let corners = self.surfaces.iter().flat_map(|surface| surface.positions.iter().copied());
        corners.chain(self.lines.iter().flat_map(|line| line.ends))
    }
}
