//! What a file says, as far as it was read. It is no copy of the file: FBX is read only.

use dopesheet_core::format::Check;
use dopesheet_core::model::{NodeIndex, Scene};
use dopesheet_core::units::{FrameRate, Seconds};

/// What was read of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// How and by what it was written.
    pub header: Header,
    /// Everything but the motions, in the file's own axes and unit of length. It has no clips.
    pub still: Scene,
    /// The motions, in the order of the file.
    pub takes: Vec<Take>,
    /// What the reader found odd, in the order in which it met it.
    pub remarks: Vec<Remark>,
}

/// How and by what a file was written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// The version that the file states: 7400 is 7.4.
    pub version: u32,
    /// How its bytes are to be read.
    pub encoding: Encoding,
    /// What the file calls the program that wrote it; may be empty.
    pub creator: String,
    /// Frames per second that the file states; it may be no sensible number.
    pub frames_per_second: f64,
}

/// How the bytes of a file are to be read.
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
    /// What it is called; may be empty.
    pub name: String,
    /// Where it begins, on the clock of the file.
    pub begin: Seconds,
    /// Where it ends, on the clock of the file; not before it begins.
    pub end: Seconds,
    /// The frames on which its keys lie, mostly.
    pub rate: FrameRate,
    /// How many layers were put together.
    pub layers: usize,
    /// How nodes move, in the order of the nodes.
    pub motions: Vec<Motion>,
    /// How morphs move.
    pub weights: Vec<MorphWeights>,
    /// How the fields of view of cameras move.
    pub fields_of_view: Vec<FieldOfView>,
    /// Names of animated properties that the scene has no place for, each with how many things it moves.
    pub others: Vec<(String, usize)>,
    /// What was put between authored keys.
    pub baked: Baked,
}

/// How a node moves: keys of what it is relative to its parent, in the axes and the unit of the file. A list without keys
/// does not move.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// Which node.
    pub node: NodeIndex,
    /// Its places.
    pub translation: Vec<Key<3>>,
    /// Its rotations, unit quaternions x y z w; in between along the shorter great arc.
    pub rotation: Vec<Key<4>>,
    /// Its scale factors.
    pub scale: Vec<Key<3>>,
}

/// How the weight of a morph moves.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphWeights {
    /// The nodes that show the mesh.
    pub nodes: Vec<NodeIndex>,
    /// Which morph of the mesh.
    pub morph: usize,
    /// Weights; 1 is full effect.
    pub keys: Vec<Key<1>>,
}

/// How the field of view of a camera moves.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldOfView {
    /// The node that has the camera.
    pub node: NodeIndex,
    /// Vertical angles in radians.
    pub keys: Vec<Key<1>>,
}

/// A value at a time. What lies between two keys is straight; two keys at one time are a jump, at which the later one counts.
/// Where a value counts for one time alone, the next key stands one tick of the file's clock behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key<const N: usize> {
    /// When, on the clock of the file, in seconds.
    pub time_s: f64,
    /// What.
    pub value: [f64; N],
}

/// What was put between authored keys, because curves, layers and angles have no other words in a scene, and how far what is
/// straight in between is from what the file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Baked {
    /// How many channels got keys.
    pub channels: usize,
    /// How many keys all channels have together.
    pub keys: usize,
    /// How many of them the file has not.
    pub inserted: usize,
    /// The largest distance that was measured between places.
    pub translation_m: Worst,
    /// The largest angle that was measured between rotations, in radians.
    pub rotation_rad: Worst,
    /// The largest difference that was measured between scale factors and between weights.
    pub ratio: Worst,
}

/// A largest difference, and where it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Worst {
    /// How large.
    pub value: f64,
    /// Whose.
    pub target: String,
    /// When, on the clock of the file.
    pub time: Seconds,
}

/// Something odd that the reader met.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// What it is.
    pub check: Check,
    /// Whose name it is about; empty for the whole file.
    pub path: String,
    /// What the reader says of it.
    pub text: String,
    /// How often it was met.
    pub count: usize,
}
