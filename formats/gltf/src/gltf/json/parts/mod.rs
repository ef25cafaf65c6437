//! The parts of a glTF document that motion needs, named as in glTF 2.0. Members without a field here stay in
//! the document's text.

mod geometry;

pub use geometry::{Image, Material, Mesh, Primitive, Texture, TextureUse};

use crate::meshopt::Layout;
use dopesheet_core::bytes::json::Span;

/// A position in a list of the document.
pub type Index = u32;

/// The typed parts of a document. Members of the file without a field here are kept in its text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parts {
    /// `asset`
    pub asset: Asset,
    /// `extensionsUsed`
    pub extensions_used: Vec<String>,
    /// `extensionsRequired`
    pub extensions_required: Vec<String>,
    /// `scene`: the scene shown first.
    pub scene: Option<Index>,
    /// `scenes`
    pub scenes: Vec<SceneEntry>,
    /// `nodes`
    pub nodes: Vec<Node>,
    /// `meshes`
    pub meshes: Vec<Mesh>,
    /// `skins`
    pub skins: Vec<Skin>,
    /// `cameras`
    pub cameras: Vec<Camera>,
    /// `extensions.KHR_lights_punctual.lights`
    pub lights: Vec<Light>,
    /// `animations`
    pub animations: Vec<Animation>,
    /// `accessors`
    pub accessors: Vec<Accessor>,
    /// `bufferViews`
    pub buffer_views: Vec<BufferView>,
    /// `buffers`
    pub buffers: Vec<Buffer>,
    /// `materials`
    pub materials: Vec<Material>,
    /// `textures`
    pub textures: Vec<Texture>,
    /// `images`
    pub images: Vec<Image>,
}

/// `asset`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asset {
    /// `version`: the glTF version, `major.minor`.
    pub version: String,
    /// `minVersion`
    pub min_version: Option<String>,
    /// `generator`: the program that wrote the file.
    pub generator: Option<String>,
    /// `copyright`: the owner of the file's contents, and terms of use.
    pub copyright: Option<String>,
}

/// An item of `scenes`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneEntry {
    /// `nodes`: the roots.
    pub nodes: Box<[Index]>,
    /// Span of `extras` in the text.
    pub extras: Option<Span>,
}

/// An item of `nodes`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// `name`
    pub name: Option<Box<str>>,
    /// `children`
    pub children: Box<[Index]>,
    /// `matrix`, `translation`, `rotation`, `scale`, as far as given.
    pub transform: Option<Box<NodeTransform>>,
    /// All other members, if there are any: most nodes are bare joints, and files may have very many.
    pub content: Option<Box<NodeContent>>,
}

impl Node {
    /// Content of the node.
    #[must_use]
    pub fn content(&self) -> &NodeContent {
        self.content.as_deref().unwrap_or(&NodeContent::NOTHING)
    }
}

/// Content of a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeContent {
    /// `mesh`
    pub mesh: Option<Index>,
    /// `skin`
    pub skin: Option<Index>,
    /// `camera`
    pub camera: Option<Index>,
    /// `extensions.KHR_lights_punctual.light`
    pub light: Option<Index>,
    /// `weights`: default weights of the mesh's morph targets.
    pub weights: Option<Box<[f64]>>,
    /// True if there are any `extensions`.
    pub has_extensions: bool,
    /// Span of `extras` in the text.
    pub extras: Option<Span>,
}

impl NodeContent {
    const NOTHING: Self = Self {
        mesh: None,
        skin: None,
        camera: None,
        light: None,
        weights: None,
        has_extensions: false,
        extras: None,
    };
}

/// The local transform of a node as the file gives it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeTransform {
    /// `matrix`: 4×4, column-major.
    pub matrix: Option<Box<[f64; 16]>>,
    /// `translation` in metres.
    pub translation: Option<[f64; 3]>,
    /// `rotation`: quaternion x y z w.
    pub rotation: Option<[f64; 4]>,
    /// `scale`
    pub scale: Option<[f64; 3]>,
}

/// An item of `skins`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// `name`
    pub name: Option<Box<str>>,
    /// `joints`
    pub joints: Box<[Index]>,
    /// `inverseBindMatrices`
    pub inverse_bind_matrices: Option<Index>,
    /// `skeleton`
    pub skeleton: Option<Index>,
}

/// An item of `cameras`. Numbers the file leaves out are `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Camera {
    /// `name`
    pub name: Option<Box<str>>,
    /// True if `type` is `orthographic`.
    pub orthographic: bool,
    /// `yfov`: vertical field of view in radians.
    pub yfov: Option<f64>,
    /// `aspectRatio`: width over height.
    pub aspect_ratio: Option<f64>,
    /// `xmag`: half the visible width in metres.
    pub xmag: Option<f64>,
    /// `ymag`: half the visible height in metres.
    pub ymag: Option<f64>,
    /// `znear` in metres.
    pub znear: Option<f64>,
    /// `zfar` in metres.
    pub zfar: Option<f64>,
}

/// An item of `extensions.KHR_lights_punctual.lights`. Numbers the file leaves out are `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Light {
    /// `name`
    pub name: Option<Box<str>>,
    /// `type`: `directional`, `point` or `spot`.
    pub kind: Box<str>,
    /// `color`: linear RGB.
    pub color: Option<[f64; 3]>,
    /// `intensity` in lux or candela.
    pub intensity: Option<f64>,
    /// `range` in metres.
    pub range: Option<f64>,
    /// `spot.innerConeAngle` in radians.
    pub inner_cone_angle: Option<f64>,
    /// `spot.outerConeAngle` in radians.
    pub outer_cone_angle: Option<f64>,
}

/// An item of `animations`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animation {
    /// `name`
    pub name: Option<Box<str>>,
    /// `channels`
    pub channels: Vec<Channel>,
    /// `samplers`
    pub samplers: Vec<AnimationSampler>,
    /// Span of `extras` in the text.
    pub extras: Option<Span>,
}

/// An item of an animation's `channels`.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// `sampler`
    pub sampler: Index,
    /// `target.node`
    pub node: Option<Index>,
    /// `target.path`
    pub path: Path,
    /// `target.extensions.KHR_animation_pointer.pointer`
    pub pointer: Option<Box<str>>,
}

/// Property that a channel animates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Path {
    /// `translation`
    Translation,
    /// `rotation`
    Rotation,
    /// `scale`
    Scale,
    /// `weights`
    Weights,
    /// `pointer`
    Pointer,
    /// Any other word.
    Other(Box<str>),
}

impl Path {
    /// The path's word.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
            Self::Weights => "weights",
            Self::Pointer => "pointer",
            Self::Other(word) => word,
        }
    }

    /// The path with a word.
    #[must_use]
    pub fn from_word(word: &str) -> Self {
        [Self::Translation, Self::Rotation, Self::Scale, Self::Weights, Self::Pointer]
            .into_iter()
            .find(|path| path.word() == word)
            .unwrap_or_else(|| Self::Other(word.into()))
    }
}

/// An item of an animation's `samplers`.
#[derive(Clone, Debug, PartialEq)]
pub struct AnimationSampler {
    /// `input`: the accessor of key times in seconds.
    pub input: Index,
    /// `output`: the accessor of values.
    pub output: Index,
    /// `interpolation`
    pub interpolation: Interpolation,
}

/// The law between two keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// `STEP`
    Step,
    /// `LINEAR`, also if the file states no interpolation.
    #[default]
    Linear,
    /// `CUBICSPLINE`
    CubicSpline,
    /// Any other word; read as `LINEAR`.
    Other(Box<str>),
}

impl Interpolation {
    /// Number of elements of the output per key.
    #[must_use]
    pub const fn elements_per_key(&self) -> u64 {
        if matches!(self, Self::CubicSpline) { 3 } else { 1 }
    }

    /// The word in the file.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Step => "STEP",
            Self::Linear => "LINEAR",
            Self::CubicSpline => "CUBICSPLINE",
            Self::Other(word) => word,
        }
    }
}

/// An item of `accessors`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Accessor {
    /// `bufferView`; without a view all elements are zero.
    pub view: Option<Index>,
    /// `byteOffset` in the view.
    pub byte_offset: u64,
    /// `componentType`
    pub component: Component,
    /// `normalized`: whether integers stand for 0..1 or −1..1.
    pub normalized: bool,
    /// `count` of elements.
    pub count: u64,
    /// `type`
    pub shape: Shape,
    /// `min`, one number per component; empty if absent.
    pub min: Box<[f64]>,
    /// `max`, one number per component; empty if absent.
    pub max: Box<[f64]>,
    /// `sparse`
    pub sparse: Option<Box<Sparse>>,
}

/// The replaced elements of an accessor.
#[derive(Clone, Debug, PartialEq)]
pub struct Sparse {
    /// `count` of replaced elements.
    pub count: u64,
    /// `indices.bufferView`
    pub index_view: Index,
    /// `indices.byteOffset`
    pub index_offset: u64,
    /// `indices.componentType`
    pub index_component: Component,
    /// `values.bufferView`
    pub value_view: Index,
    /// `values.byteOffset`
    pub value_offset: u64,
}

/// The type of one number in an accessor (glTF 2.0, section 3.6.2.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Component {
    /// 5120
    I8,
    /// 5121
    U8,
    /// 5122
    I16,
    /// 5123
    U16,
    /// 5125
    U32,
    /// 5126
    #[default]
    F32,
}

impl Component {
    /// The component with an OpenGL number.
    #[must_use]
    pub fn from_number(number: u64) -> Option<Self> {
        [Self::I8, Self::U8, Self::I16, Self::U16, Self::U32, Self::F32]
            .into_iter()
            .find(|component| component.number() == number)
    }

    /// Its OpenGL number.
    #[must_use]
    pub const fn number(self) -> u64 {
        match self {
            Self::I8 => 5120,
            Self::U8 => 5121,
            Self::I16 => 5122,
            Self::U16 => 5123,
            Self::U32 => 5125,
            Self::F32 => 5126,
        }
    }

    /// Its size in bytes.
    #[must_use]
    pub const fn size(self) -> u64 {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Its name in the specification.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::I8 => "BYTE",
            Self::U8 => "UNSIGNED_BYTE",
            Self::I16 => "SHORT",
            Self::U16 => "UNSIGNED_SHORT",
            Self::U32 => "UNSIGNED_INT",
            Self::F32 => "FLOAT",
        }
    }
}

/// The shape of an accessor's elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// A single number.
    #[default]
    Scalar,
    /// Two numbers.
    Vec2,
    /// Three numbers.
    Vec3,
    /// Four numbers.
    Vec4,
    /// 2×2, column-major.
    Mat2,
    /// 3×3, column-major.
    Mat3,
    /// 4×4, column-major.
    Mat4,
}

impl Shape {
    /// The shape with a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Scalar, Self::Vec2, Self::Vec3, Self::Vec4, Self::Mat2, Self::Mat3, Self::Mat4]
            .into_iter()
            .find(|shape| shape.name() == name)
    }

    /// Its name in the specification.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "SCALAR",
            Self::Vec2 => "VEC2",
            Self::Vec3 => "VEC3",
            Self::Vec4 => "VEC4",
            Self::Mat2 => "MAT2",
            Self::Mat3 => "MAT3",
            Self::Mat4 => "MAT4",
        }
    }

    /// Number of numbers in an element.
    #[must_use]
    pub const fn components(self) -> usize {
        match self {
            Self::Scalar => 1,
            Self::Vec2 => 2,
            Self::Vec3 => 3,
            Self::Vec4 | Self::Mat2 => 4,
            Self::Mat3 => 9,
            Self::Mat4 => 16,
        }
    }

    /// The columns of a matrix and the numbers in each; a vector is one column.
    #[must_use]
    pub const fn columns(self) -> (usize, usize) {
        match self {
            Self::Mat2 => (2, 2),
            Self::Mat3 => (3, 3),
            Self::Mat4 => (4, 4),
            vector => (1, vector.components()),
        }
    }
}

/// An item of `bufferViews`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BufferView {
    /// `buffer`
    pub buffer: Index,
    /// `byteOffset` in the buffer.
    pub byte_offset: u64,
    /// `byteLength`
    pub byte_length: u64,
    /// `byteStride` between elements; without a stride the elements are packed.
    pub byte_stride: Option<u64>,
    /// `target`: OpenGL's number for vertex data or triangle indices.
    pub target: Option<u64>,
    /// `EXT_meshopt_compression` or `KHR_meshopt_compression`: the view is compressed.
    pub compressed: Option<Box<Compression>>,
}

/// Place of the compressed bytes of a buffer view, and the layout of their contents.
#[derive(Clone, Debug, PartialEq)]
pub struct Compression {
    /// The extension's name.
    pub extension: &'static str,
    /// `buffer`
    pub buffer: Index,
    /// `byteOffset` in the buffer.
    pub byte_offset: u64,
    /// `byteLength` of the compressed bytes.
    pub byte_length: u64,
    /// `mode`, `filter`, `count` and `byteStride`.
    pub layout: Layout,
}

/// An item of `buffers`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Buffer {
    /// `byteLength`
    pub byte_length: u64,
    /// Place of the buffer's bytes.
    pub uri: Uri,
}

/// Place of the bytes of a buffer or a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Uri {
    /// No `uri`: for the first buffer of a GLB, the BIN chunk if there is one; for any other buffer, no
    /// bytes.
    #[default]
    None,
    /// A data URI; span of the string's value in the text, quotes included.
    Data(Span),
    /// A file: the `uri` as written.
    File(Box<str>),
}
