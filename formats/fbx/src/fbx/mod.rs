//! FBX: scenes with their motions, as Autodesk's programs, Blender and most sellers of motion capture write them.
//!
//! Binary or text, of versions 3 to 7.7, read through [ufbx](https://ufbx.github.io). It is read only, and a document is
//! what was read, not the file.
//!
//! # As a scene
//!
//! * One node per node of the file, without the root that all files have. Pivots, rotations before and after, and orders of
//!   angles are in the transform of their node; where a node does not take over its parent's scale, the scale is made up
//!   for in what hangs on it, or stands in a node of its own behind the file's.
//! * One clip per take. Curves of a single layer stay as they are where a node has neither pivots nor rotations before and after
//!   its angles, nor makes up for its parent's scale. Else layers are put together as the file says, and keys are made of what
//!   comes of it: as few that what is straight in between is nowhere further off than [`TOLERANCE_M`], [`TOLERANCE_RAD`] and [`TOLERANCE_RATIO`]; the
//!   largest difference that was measured is reported. Keys of straight lines and of steps stay as they are.
//! * A take begins at time 0, whatever the clock of the file says there, which [`check`](Format::check) mentions.
//! * Meshes, with up to four joints per corner; morphs, of which shapes in between are morphs of their own; materials by their
//!   colours and the pictures of these, in the file or beside it; cameras and lights, as far as a scene has them; nodes that are seen or not.
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

mod check;
mod codes;
mod document;
mod info;
mod pictures;
mod read;
mod to_scene;
mod write;

pub use document::{
    Baked, Document, Encoding, Header, Key, Lane, LaneKey, Lanes, Look, LookValues, MorphWeights, Motion,
    Remark, Slope, Surface, Take, Texture, Worst,
};
pub use read::{TOLERANCE_M, TOLERANCE_RAD, TOLERANCE_RATIO};

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
