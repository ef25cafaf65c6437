//! Morphs, and the frames for bones and morphs in editors.

use super::header::{Index, Text};

/// A change of the model, scaled by a weight.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Morph {
    /// Name, used by motions for the morph.
    pub name: Text,
    /// Name in English.
    pub english_name: Text,
    /// Place of the morph in editors: 0 hidden, 1 brows, 2 eyes, 3 mouth, 4 other.
    pub panel: u8,
    /// Changes at weight 1.
    pub offsets: MorphOffsets,
}

/// Changes of a morph at weight 1.
#[derive(Clone, Debug, PartialEq)]
pub enum MorphOffsets {
    /// Weights of other morphs.
    Group(Vec<GroupOffset>),
    /// Positions of vertices.
    Vertex(Vec<VertexOffset>),
    /// Bones.
    Bone(Vec<BoneOffset>),
    /// The texture coordinate, or an additional texture coordinate.
    Uv {
        /// 0 is the texture coordinate, 1..=4 the additional ones; more cannot be written.
        set: u8,
        /// The vertices.
        offsets: Vec<UvOffset>,
    },
    /// Materials.
    Material(Vec<MaterialOffset>),
    /// The weight of a morph from a list, chosen by this morph's weight. Version 2.1 only.
    Flip(Vec<GroupOffset>),
    /// Velocities of rigid bodies. Version 2.1 only.
    Impulse(Vec<ImpulseOffset>),
}

impl Default for MorphOffsets {
    fn default() -> Self {
        Self::Vertex(Vec::new())
    }
}

impl MorphOffsets {
    /// Number of changes.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Group(offsets) | Self::Flip(offsets) => offsets.len(),
            Self::Vertex(offsets) => offsets.len(),
            Self::Bone(offsets) => offsets.len(),
            Self::Uv { offsets, .. } => offsets.len(),
            Self::Material(offsets) => offsets.len(),
            Self::Impulse(offsets) => offsets.len(),
        }
    }

    /// True if the morph changes nothing.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The byte in the file.
    #[must_use]
    pub const fn kind(&self) -> u8 {
        match self {
            Self::Group(_) => 0,
            Self::Vertex(_) => 1,
            Self::Bone(_) => 2,
            Self::Uv { set, .. } => 3_u8.saturating_add(*set),
            Self::Material(_) => 8,
            Self::Flip(_) => 9,
            Self::Impulse(_) => 10,
        }
    }
}

/// A share of a morph in a group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroupOffset {
    /// The other morph.
    pub morph: Index,
    /// Its weight at weight 1 of the group.
    pub ratio: f32,
}

/// Change of the position of a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VertexOffset {
    /// The vertex.
    pub vertex: u32,
    /// Added to its position, in MikuMikuDance's units.
    pub offset: [f32; 3],
}

/// Change of a bone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BoneOffset {
    /// The bone.
    pub bone: Index,
    /// Added to its translation, in MikuMikuDance's units.
    pub translation: [f32; 3],
    /// Rotation x y z w.
    pub rotation: [f32; 4],
}

/// Change of a texture coordinate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UvOffset {
    /// The vertex.
    pub vertex: u32,
    /// Added to the coordinate; the texture coordinate uses the first two.
    pub offset: [f32; 4],
}

/// Change of a material. Each number multiplies the material's number or is added to it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MaterialOffset {
    /// The material; none stands for all materials.
    pub material: Index,
    /// 0 multiplies, 1 adds.
    pub operation: u8,
    /// Red, green, blue and alpha.
    pub diffuse: [f32; 4],
    /// Red, green and blue.
    pub specular: [f32; 3],
    /// Exponent of the highlight.
    pub shininess: f32,
    /// Red, green and blue.
    pub ambient: [f32; 3],
    /// Red, green, blue and alpha of the outline.
    pub edge_color: [f32; 4],
    /// Width of the outline.
    pub edge_size: f32,
    /// Red, green, blue and alpha of the tint of the colour picture.
    pub texture: [f32; 4],
    /// Red, green, blue and alpha of the tint of the sphere picture.
    pub sphere: [f32; 4],
    /// Red, green, blue and alpha of the tint of the picture of shades.
    pub toon: [f32; 4],
}

/// Impulse on a rigid body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ImpulseOffset {
    /// The body.
    pub body: Index,
    /// 1 along the axes of the body, 0 along the axes of the model.
    pub local: u8,
    /// Velocity.
    pub velocity: [f32; 3],
    /// Torque.
    pub torque: [f32; 3],
}

/// A group of bones and morphs in editors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DisplayFrame {
    /// Name.
    pub name: Text,
    /// Name in English.
    pub english_name: Text,
    /// 1 for the two groups of every model: "Root" and "表情".
    pub special: u8,
    /// Bones and morphs in the group.
    pub elements: Vec<FrameElement>,
}

/// An entry of a display frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameElement {
    /// A bone.
    Bone(Index),
    /// A morph.
    Morph(Index),
}
