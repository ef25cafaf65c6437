//! Content of a file, as far as it is read. It is no copy of the file: FBX is read only.

use dopesheet_core::format::{Check, ResourceName};
use dopesheet_core::model::{EulerOrder, Law, NodeIndex, Scene};
use dopesheet_core::units::{FrameRate, Seconds};
use std::sync::Arc;

/// Content of a file, as far as it is read.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Version, encoding and author.
    pub header: Header,
    /// Everything but motions and pictures, in the file's own axes and unit of length. It has no clips and no images.
    pub still: Scene,
    /// Textures, in the order of the file.
    pub textures: Vec<Texture>,
    /// Textures of each of the scene's materials.
    pub surfaces: Vec<Surface>,
    /// The motions, in the order of the file.
    pub takes: Vec<Take>,
    /// Oddities, in the order in which the reader met them.
    pub remarks: Vec<Remark>,
}

/// A picture on surfaces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texture {
    /// Name; may be empty.
    pub name: String,
    /// Names of files beside the main one that may be the picture, the likeliest first.
    pub files: Vec<ResourceName>,
    /// The picture, still encoded, from within the file or from beside it; `None` if it was found in neither.
    pub bytes: Option<Arc<[u8]>>,
}

/// Textures of a material, as positions in [`Document::textures`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Texture that is multiplied with the base colour.
    pub base_color: Option<usize>,
    /// Texture whose alpha lets light through.
    pub opacity: Option<usize>,
    /// Names of other properties that have textures.
    pub others: Vec<String>,
}

/// Version, encoding and author of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// The version that the file states: 7400 is 7.4.
    pub version: u32,
    /// Encoding of its bytes.
    pub encoding: Encoding,
    /// Name of the program that wrote it; may be empty.
    pub creator: String,
    /// Frames per second that the file states; it may be no sensible number.
    pub frames_per_second: f64,
}

/// Encoding of a file's bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// As records with numbers in them, the lowest byte first.
    #[default]
    Binary,
    /// As such records with the highest byte first.
    BinaryBigEndian,
    /// As text.
    Ascii,
}

impl Encoding {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::BinaryBigEndian => "binary, big-endian",
            Self::Ascii => "text",
        }
    }
}

/// One motion: what FBX calls an animation stack, and its users a take.
#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    /// Name; may be empty.
    pub name: String,
    /// Start, on the clock of the file.
    pub begin: Seconds,
    /// End, on the clock of the file; not before the start.
    pub end: Seconds,
    /// Frame rate on which most of its keys lie.
    pub rate: FrameRate,
    /// Number of layers that were combined.
    pub layers: usize,
    /// Motions of nodes, in the order of the nodes.
    pub motions: Vec<Motion>,
    /// Weights of morphs over time.
    pub weights: Vec<MorphWeights>,
    /// Cameras, lights and visibility over time.
    pub looks: Vec<Look>,
    /// Names of animated properties that the scene has no place for, each with the number of objects it
    /// moves.
    pub others: Vec<(String, usize)>,
    /// Keys that were added between authored ones.
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
    /// Curves of the file in place of those lists, as far as a scene says them as the file does.
    pub lanes: Lanes,
}

/// Curves of a node's local transform, one for each axis, as the file has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lanes {
    /// Translations.
    pub translation: Option<[Lane; 3]>,
    /// Angles in degrees, and the order in which they turn.
    pub rotation: Option<(EulerOrder, [Lane; 3])>,
    /// Scale factors.
    pub scale: Option<[Lane; 3]>,
}

/// A curve of one number, which holds its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    /// Keys, at least one.
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
    /// A key of a value that never changes.
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
    /// A tangent that nothing asks for.
    pub const NONE: Self = Self { slope: 0.0, weight: 1.0 / 3.0 };
}

/// Weight of a morph over time.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphWeights {
    /// The nodes that show the mesh.
    pub nodes: Vec<NodeIndex>,
    /// Index of the morph in the mesh.
    pub morph: usize,
    /// Weights; 1 is full effect.
    pub keys: Vec<Key<1>>,
}

/// A number or colour of a camera or a light, or the visibility of a node, over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// The node that has the camera or the light, or is seen or not.
    pub node: NodeIndex,
    /// Values.
    pub values: LookValues,
}

/// Values of a [`Look`].
#[derive(Clone, Debug, PartialEq)]
pub enum LookValues {
    /// Vertical field of view of a camera, in radians.
    YFov(Vec<Key<1>>),
    /// Intensity of a light, as [`Light::intensity`](dopesheet_core::model::Light::intensity) has it.
    Intensity(Vec<Key<1>>),
    /// Colour of a light: linear RGB, 0..=1 each.
    Color(Vec<Key<3>>),
    /// 1 where the node is seen, 0 where not. Each value holds until the next key.
    Visible(Vec<Key<1>>),
}

/// A value at a time. Between two keys the value runs straight; two keys at one time are a jump, at which the
/// later one counts. Where a value counts for one time alone, the next key stands one tick of the file's
/// clock behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key<const N: usize> {
    /// Time on the clock of the file, in seconds.
    pub time_s: f64,
    /// Value.
    pub value: [f64; N],
}

/// Account of baking: keys that were added between authored ones, because a scene has no other way to hold
/// the curves, layers and angles of the file, and the largest errors of the straight segments between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Baked {
    /// Number of channels that got keys.
    pub channels: usize,
    /// Number of keys of all channels together.
    pub keys: usize,
    /// Number of those keys that the file does not have.
    pub inserted: usize,
    /// Largest error of a translation, in metres.
    pub translation_m: Worst,
    /// Largest error of a rotation, in radians.
    pub rotation_rad: Worst,
    /// Largest error of a scale factor or a weight.
    pub ratio: Worst,
}

/// A largest error, and where it occurs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Worst {
    /// Size of the error.
    pub value: f64,
    /// Name of the node.
    pub target: String,
    /// Time on the clock of the file.
    pub time: Seconds,
}

/// Something odd that the reader met.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// Code and severity.
    pub check: Check,
    /// Name of what it is about; empty for the whole file.
    pub path: String,
    /// Words of the reader about it.
    pub text: String,
    /// Number of times it was met.
    pub count: usize,
}
