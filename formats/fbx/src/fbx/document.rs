//! Content of a file, as far as the library reads it. A document is no copy of the file: FBX is read only.

use super::play::{AnimatedProperty, AnimationCurve, Layer, Optics, Paint, Shapes, TransformChain};
use dopesheet_core::format::{Check, ResourceName};
use dopesheet_core::model::{NodeIndex, Scene};
use dopesheet_core::units::{FrameRate, Seconds};
use std::sync::Arc;

/// Content of a file, as far as the library reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Version, encoding and author.
    pub header: Header,
    /// Everything but motions and pictures, in the axes and the unit of length of the file: a scene without clips and images.
    pub still: Scene,
    /// Textures, in the order of the file.
    pub textures: Vec<Texture>,
    /// Textures of each of the scene's materials.
    pub surfaces: Vec<Surface>,
    /// Curves of all takes; objects may share a curve.
    pub curves: Vec<AnimationCurve>,
    /// The motions, in the order of the file.
    pub takes: Vec<Take>,
    /// Oddities, in the reader's order.
    pub remarks: Vec<Remark>,
    /// Kinds of parts of meshes and of objects without a place in a scene, in words: each with its number and names.
    pub unplaced: Vec<String>,
}

/// A picture on surfaces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texture {
    /// Name; may be empty.
    pub name: String,
    /// Names of files beside the main file with the picture, the likeliest first.
    pub files: Vec<ResourceName>,
    /// The picture, still encoded, from within or beside the file; `None` if neither has the picture.
    pub bytes: Option<Arc<[u8]>>,
    /// Position of its UV set among the sets of a mesh.
    pub uv_set: u8,
}

/// Textures of a material, as positions in [`Document::textures`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Texture for the base colour, multiplied with the colour of the material.
    pub base_color: Option<usize>,
    /// Texture for the emitted light, multiplied with the emission of the material.
    pub emissive: Option<usize>,
    /// Texture with normals, and the factor of their slants.
    pub normals: Option<(usize, f64)>,
    /// Texture with an alpha for the transparency.
    pub opacity: Option<usize>,
    /// Names of properties with further textures.
    pub others: Vec<String>,
}

/// Version, encoding and author of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// Version as stated in the file: 7400 is 7.4.
    pub version: u32,
    /// Encoding of its bytes.
    pub encoding: Encoding,
    /// Name of the writing program; may be empty.
    pub creator: String,
    /// Frames per second as stated in the file; may be no sensible number.
    pub frames_per_second: f64,
    /// Ticks of the file's clock in a second.
    pub ticks_per_second: f64,
}

/// Encoding of a file's bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// As records with numbers in them, the lowest byte first.
    #[default]
    Binary,
    /// As binary records with the highest byte first.
    BinaryBigEndian,
    /// As text.
    Ascii,
}

impl Encoding {
    /// Word for the encoding.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::BinaryBigEndian => "binary, big-endian",
            Self::Ascii => "text",
        }
    }
}

/// A motion: FBX calls it an animation stack, its users a take.
#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    /// Name; may be empty.
    pub name: String,
    /// Start, on the clock of the file.
    pub begin: Seconds,
    /// End, on the clock of the file; not before the start.
    pub end: Seconds,
    /// Frame rate of most of its keys.
    pub rate: FrameRate,
    /// Layers, from the lowest up.
    pub layers: Vec<Layer>,
    /// Motions of nodes, in the order of the nodes.
    pub motions: Vec<NodeMotion>,
    /// Weights of morphs over time.
    pub weights: Vec<MorphChannel>,
    /// Cameras, lights and visibility over time.
    pub looks: Vec<Look>,
    /// Colours of materials over time.
    pub tints: Vec<Tint>,
    /// Names of animated properties without a counterpart in a scene, each with its number of objects.
    pub others: Vec<(String, usize)>,
}

/// Motion of a node, in the axes and the unit of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeMotion {
    /// The node.
    pub node: NodeIndex,
    /// Properties behind its transform.
    pub chain: TransformChain,
}

/// Weight of the shapes of a morph over time.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphChannel {
    /// Name; may be empty.
    pub name: String,
    /// Nodes of the mesh.
    pub nodes: Vec<NodeIndex>,
    /// Position of the first shape among the morphs of the mesh.
    pub first_morph: usize,
    /// Weight of each shape in full effect.
    pub shapes: Shapes,
    /// Weight in hundredths.
    pub percent: AnimatedProperty,
}

/// A number or colour of a camera or a light, or the visibility of a node, over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Node of the camera or the light, or the visible or hidden node.
    pub node: NodeIndex,
    /// Meaning of the values.
    pub kind: LookKind,
    /// Values; of a single number in the first place.
    pub values: AnimatedProperty,
}

/// Meaning of the values of a [`Look`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LookKind {
    /// Vertical field of view of a camera, by a property of its optics.
    YFov(Optics),
    /// Intensity of a light, in hundredths.
    Intensity,
    /// Colour of a light: linear RGB, 0..=1 each.
    Color,
    /// Visibility of a node, seen from one half on.
    Visible,
}

/// A colour of a material over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Tint {
    /// Position of the material in the scene.
    pub material: usize,
    /// Numbers of the material behind its colours.
    pub paint: Paint,
    /// True for the emitted light, false for the base colour.
    pub is_emission: bool,
    /// Moving numbers, by their names.
    pub sources: Vec<(&'static str, AnimatedProperty)>,
}

/// An oddity of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// Code and severity.
    pub check: Check,
    /// Name of the object; empty for the whole file.
    pub path: String,
    /// Words of the reader.
    pub text: String,
    /// Number of occurrences.
    pub count: usize,
}
