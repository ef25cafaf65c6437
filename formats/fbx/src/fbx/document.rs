//! Content of a file, as far as the library reads it. A document is no copy of the file: FBX is read only.

use super::play::{AnimatedProperty, AnimationCurve, Layer, Optics, Paint, Shapes, TransformChain};
use dopesheet_core::format::{Check, ResourceName};
use dopesheet_core::model::{MeshIndex, Scene};
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
    /// Encoding of its bytes, in words: `binary`, `binary, big-endian` or `text`.
    pub encoding: &'static str,
    /// Name of the writing program; may be empty.
    pub creator: String,
    /// Frames per second as stated in the file; may be no sensible number.
    pub frames_per_second: f64,
    /// Ticks of the file's clock in a second.
    pub ticks_per_second: f64,
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
    pub motions: Vec<TransformChain>,
    /// Weights of morphs over time.
    pub weights: Vec<MorphChannel>,
    /// Cameras, lights, visibility and colours of materials over time.
    pub looks: Vec<Look>,
    /// Names of animated properties without a counterpart in a scene, each with its number of objects.
    pub others: Vec<(String, usize)>,
}

/// Weight of the shapes of a morph over time.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphChannel {
    /// Name; may be empty.
    pub name: String,
    /// The mesh.
    pub mesh: MeshIndex,
    /// Position of the first shape among the morphs of the mesh.
    pub first_morph: usize,
    /// Weight of each shape in full effect.
    pub shapes: Shapes,
    /// Weight in hundredths.
    pub percent: AnimatedProperty,
}

/// A number or colour of a camera, a light or a material, or the visibility of a node, over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Position in the scene of the material, or of the node of the camera or light.
    pub index: usize,
    /// Meaning of the values.
    pub kind: LookKind,
    /// Moving numbers of a material, by their names; else the only property, without a name.
    pub sources: Vec<(&'static str, AnimatedProperty)>,
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
    /// Base colour of a material, by the numbers behind its colours.
    BaseColor(Paint),
    /// Emitted light of a material, by the numbers behind its colours.
    Emission(Paint),
}

/// An oddity of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// Code and severity.
    pub check: Check,
    /// State of a sound file.
    pub expected: &'static str,
    /// Name of the object; empty for the whole file.
    pub path: String,
    /// Words of the reader.
    pub text: String,
    /// Number of occurrences.
    pub count: usize,
}
