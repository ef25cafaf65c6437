//! Vertices and materials.

use super::header::{Index, Text};

/// A point of the surface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vertex {
    /// Position in model space, in MikuMikuDance's units.
    pub position: [f32; 3],
    /// Unit vector away from the surface.
    pub normal: [f32; 3],
    /// Texture coordinate; origin at the top left.
    pub uv: [f32; 2],
    /// The bones that move the vertex.
    pub skinning: Skinning,
    /// Width of the outline here, times that of the material.
    pub edge_scale: f32,
}

/// The bones that move a vertex, and their weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Skinning {
    /// One bone.
    Bdef1(Index),
    /// Two bones and the weight of the first; the second bone has the remainder up to 1.
    Bdef2([Index; 2], f32),
    /// Four bones and their weights; the sum of the weights need not be 1.
    Bdef4([Index; 4], [f32; 4]),
    /// Two bones around a centre that keeps its distance from both.
    Sdef(Sdef),
    /// As [`Skinning::Bdef4`], blended as dual quaternions. Version 2.1 only.
    Qdef([Index; 4], [f32; 4]),
}

impl Default for Skinning {
    fn default() -> Self {
        Self::Bdef1(Index::NONE)
    }
}

/// Spherical deformation: two bones turn a vertex about a centre.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sdef {
    /// The bones.
    pub bones: [Index; 2],
    /// Weight of the first bone; the second bone has the remainder up to 1.
    pub weight: f32,
    /// The centre C.
    pub center: [f32; 3],
    /// R0 of the first bone.
    pub r0: [f32; 3],
    /// R1 of the second bone.
    pub r1: [f32; 3],
}

/// Look of a run of triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// Name.
    pub name: Text,
    /// Name in English.
    pub english_name: Text,
    /// Red, green, blue and alpha, 0..=1, as shown on the screen.
    pub diffuse: [f32; 4],
    /// Red, green and blue, 0..=1.
    pub specular: [f32; 3],
    /// Exponent of the highlight; 0 is none.
    pub shininess: f32,
    /// Red, green and blue, 0..=1.
    pub ambient: [f32; 3],
    /// Switches.
    pub flags: MaterialFlags,
    /// Red, green, blue and alpha of the outline, 0..=1.
    pub edge_color: [f32; 4],
    /// Width of the outline.
    pub edge_size: f32,
    /// The colour picture.
    pub texture: Index,
    /// The sphere picture.
    pub sphere_texture: Index,
    /// 0 off, 1 multiplied, 2 added, 3 drawn with the first additional texture coordinate; 255 has been seen and is off.
    pub sphere_mode: u8,
    /// The picture of its shades.
    pub toon: Toon,
    /// Whatever its author wrote; some programs keep settings here.
    pub memo: Text,
    /// Number of [`Document::faces`](super::Document::faces) owned by the material: three per triangle.
    /// Negative has no meaning.
    pub index_count: i32,
}

/// Switches of a material, as they stand in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MaterialFlags(pub u8);

impl MaterialFlags {
    /// Back faces are drawn.
    pub const DOUBLE_SIDED: u8 = 0x01;
    /// Casts a shadow on the ground.
    pub const GROUND_SHADOW: u8 = 0x02;
    /// Casts a shadow on models.
    pub const CASTS_SHADOW: u8 = 0x04;
    /// Receives shadows.
    pub const RECEIVES_SHADOW: u8 = 0x08;
    /// Has an outline.
    pub const OUTLINE: u8 = 0x10;
    /// The first additional texture coordinate is a colour (2.1).
    pub const VERTEX_COLOR: u8 = 0x20;
    /// Points are drawn instead of triangles (2.1).
    pub const POINTS: u8 = 0x40;
    /// Lines are drawn instead of triangles (2.1).
    pub const LINES: u8 = 0x80;

    /// True if all of these bits are set.
    #[must_use]
    pub const fn has(self, bits: u8) -> bool {
        self.0 & bits == bits
    }
}

/// The picture of a material's shades.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toon {
    /// A picture of the file.
    Texture(Index),
    /// A picture included in every program: 0..=9 for `toon01.bmp` to `toon10.bmp`.
    Shared(u8),
}

impl Default for Toon {
    fn default() -> Self {
        Self::Texture(Index::NONE)
    }
}
