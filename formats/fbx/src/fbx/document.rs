//! Content of a file, as far as the library reads it. A document is no copy of the file: FBX is read only.

use dopesheet_core::format::{Check, ResourceName};
use dopesheet_core::model::{EulerOrder, Law, NodeIndex, Scene};
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
    /// Number of combined layers.
    pub layers: usize,
    /// Motions of nodes, in the order of the nodes.
    pub motions: Vec<Motion>,
    /// Weights of morphs over time.
    pub weights: Vec<MorphWeights>,
    /// Cameras, lights and visibility over time.
    pub looks: Vec<Look>,
    /// Colours of materials over time.
    pub tints: Vec<Tint>,
    /// Names of animated properties without a counterpart in a scene, each with its number of objects.
    pub others: Vec<(String, usize)>,
    /// Keys added between the keys of the file.
    pub baked: Baked,
}

/// Keys of a node's local transform, in the axes and the unit of the file. A property with an empty list does
/// not move.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// The node.
    pub node: NodeIndex,
    /// Translations.
    pub translation: Vec<Key<3>>,
    /// Rotations, unit quaternions x y z w; in between along the shorter great arc.
    pub rotation: Vec<Key<4>>,
    /// Scale factors.
    pub scale: Vec<Key<3>>,
    /// Curves of the file in place of the lists, as far as a scene can hold them unchanged.
    pub lanes: Lanes,
}

/// Curves of the file for the local transform of a node, three per property.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lanes {
    /// Translations.
    pub translation: Option<[Lane; 3]>,
    /// Angles in degrees, and the order of the turns.
    pub rotation: Option<(EulerOrder, [Lane; 3])>,
    /// Scale factors.
    pub scale: Option<[Lane; 3]>,
}

/// A curve of a single number, constant before the first and after the last key.
#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    /// Keys, one or more.
    pub keys: Vec<LaneKey>,
}

/// A key of a [`Lane`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaneKey {
    /// Time on the clock of the file, in seconds.
    pub time_s: f64,
    /// Value.
    pub value: f64,
    /// Tangent towards the key before.
    pub arriving: Slope,
    /// Tangent towards the next key.
    pub leaving: Slope,
    /// Law of the segment up to the next key.
    pub law: Law,
}

impl LaneKey {
    /// A key of a constant value.
    #[must_use]
    pub const fn held(time_s: f64, value: f64) -> Self {
        Self { time_s, value, arriving: Slope::NONE, leaving: Slope::NONE, law: Law::LINEAR }
    }
}

/// A tangent of a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slope {
    /// Slope per second.
    pub slope: f64,
    /// Length, as a share of the segment's.
    pub weight: f64,
}

impl Slope {
    /// An unused tangent.
    pub const NONE: Self = Self { slope: 0.0, weight: 1.0 / 3.0 };
}

/// Weight of a morph over time.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphWeights {
    /// Nodes of the mesh.
    pub nodes: Vec<NodeIndex>,
    /// Index of the morph in the mesh.
    pub morph: usize,
    /// Weights; 1 is full effect.
    pub keys: Vec<Key<1>>,
}

/// A number or colour of a camera or a light, or the visibility of a node, over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Node of the camera or the light, or the visible or hidden node.
    pub node: NodeIndex,
    /// Values.
    pub values: LookValues,
}

/// Values of a [`Look`].
#[derive(Clone, Debug, PartialEq)]
pub enum LookValues {
    /// Vertical field of view of a camera, in radians.
    YFov(Vec<Key<1>>),
    /// Intensity of a light, in the unit of [`Light::intensity`](dopesheet_core::model::Light::intensity).
    Intensity(Vec<Key<1>>),
    /// Colour of a light: linear RGB, 0..=1 each.
    Color(Vec<Key<3>>),
    /// 1 for a visible node, 0 for a hidden node. Each value holds until the next key.
    Visible(Vec<Key<1>>),
}

/// A colour of a material over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Tint {
    /// Position of the material in the scene.
    pub material: usize,
    /// Values.
    pub values: TintValues,
}

/// Values of a [`Tint`], 0..=1 each.
#[derive(Clone, Debug, PartialEq)]
pub enum TintValues {
    /// Base colour: linear RGBA.
    BaseColor(Vec<Key<4>>),
    /// Emitted light: linear RGB.
    Emissive(Vec<Key<3>>),
}

/// A value at a time. Between two keys the value runs straight; two keys at the same time are a jump, and the
/// later key counts at this time. A value for a single instant has the next key a tick of the file's clock
/// later.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key<const N: usize> {
    /// Time on the clock of the file, in seconds.
    pub time_s: f64,
    /// Value.
    pub value: [f64; N],
}

/// Account of baking: keys added between the keys of the file, because a scene cannot hold the curves, layers and
/// angles of the file, and the largest errors of the straight segments between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Baked {
    /// Number of channels with keys.
    pub channels: usize,
    /// Number of keys of all channels together.
    pub keys: usize,
    /// Number of added keys, absent from the file.
    pub inserted: usize,
    /// Largest error of a translation, in metres.
    pub translation_m: Worst,
    /// Largest error of a rotation, in radians.
    pub rotation_rad: Worst,
    /// Largest error of a scale factor, a weight or a colour.
    pub ratio: Worst,
}

/// A largest error, with its node and its time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Worst {
    /// Size of the error.
    pub value: f64,
    /// Name of the node.
    pub target: String,
    /// Time on the clock of the file.
    pub time: Seconds,
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
