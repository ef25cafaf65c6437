//! FBX: scenes with their motions, as Autodesk's programs, Blender and most sellers of motion capture write them.
//!
//! Binary or text, of versions 3 to 7.7, read through [ufbx](https://ufbx.github.io). The format is read only: a document is
//! less than its file.
//!
//! # As a scene
//!
//! * A node per node of the file, without the root of all files. Pivots, rotations before and after, and orders of
//!   angles are in the transform of their node; if a node does not inherit the scale of its parent, its children make up for
//!   the scale, or a further node behind the node of the file holds the scale.
//! * A clip per take. Properties with keys on most frames are recordings: their frames are the motion, with the shorter way between, unless
//!   [`ToScene::literal_angles`] asks for the stored curves. Other curves of a single layer stay unchanged if a node has neither pivots nor
//!   rotations before and after its angles, nor makes up for the scale of its parent. Else layers are combined by the rules of the file,
//!   with as few keys as keep straight segments within [`TOLERANCE_M`], [`TOLERANCE_RAD`] and [`TOLERANCE_RATIO`]; the report has the
//!   largest measured difference. Keys of straight lines and of steps stay unchanged.
//! * A take begins at time 0; [`check`](Format::check) mentions its start on the clock of the file.
//! * Meshes, with up to four joints per corner; morphs, with a morph for each shape in between; materials by their
//!   colours and the pictures of the colours, in the file or beside the file; cameras and lights, as far as a scene has them; visible and hidden nodes.
//!
//! ```
//! use dopesheet_core::diag::Report;
//! use dopesheet_core::format::{Format, ReadOptions, Source};
//! use dopesheet_fbx::Fbx;
//!
//! let text = b"; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 7400\n}\n";
//! let document = Fbx::read(&Source::new(text), &ReadOptions::default(), &mut Report::default())?;
//! assert_eq!(document.header.version, 7400);
//! assert!(document.takes.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bake;
mod check;
mod codes;
mod document;
mod info;
mod pictures;
mod play;
mod read;
mod to_scene;
mod write;

pub use bake::{TOLERANCE_M, TOLERANCE_RAD, TOLERANCE_RATIO};
pub use document::{Document, Header, Look, LookKind, MorphChannel, Remark, Surface, Take, Texture};
pub use play::{
    Alpha, AnimatedProperty, AnimationCurve, CurveKey, CurveNode, Extrapolation, Interpolation, Layer,
    LayerMode, Optics, Paint, Player, PropertyKind, Shapes, Tangent, TransformChain,
};

use dopesheet_core::diag::{ConvertError, Fault, ReadError, Report, WriteError};
use dopesheet_core::format::{
    Format, FormatInfo, Output, ReadOptions, ResourceName, Source, ToScene, WriteOptions, check_length,
};
use dopesheet_core::forward;
use dopesheet_core::model::Scene;

/// The format FBX.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fbx;

impl Format for Fbx {
    type Document = Document;

    const INFO: FormatInfo = info::INFO;

    forward! { info::probe, check::check, info::summary }

    fn wants(main: &[u8]) -> Vec<ResourceName> {
        read::wants(main)
    }

    fn read(source: &Source<'_>, options: &ReadOptions, _report: &mut Report) -> Result<Document, ReadError> {
        check_length(&Self::INFO, codes::FILE_TOO_LONG.code, source, &options.limits)?;
        read::read(source).map_err(|fault| ReadError::new(info::ID, fault))
    }

    fn write(_document: &Document, _options: &WriteOptions) -> Result<Output, WriteError> {
        Err(WriteError::new(info::ID, write::refusal()))
    }

    fn read_only(_document: &Document) -> Option<Fault> {
        Some(write::refusal())
    }

    fn to_scene(document: &Document, options: &ToScene, report: &mut Report) -> Result<Scene, ConvertError> {
        Ok(to_scene::to_scene(document, options, report))
    }
}
