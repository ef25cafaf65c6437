//! PMX: models of MikuMikuDance and MikuMikuMoving, versions 2.0 and 2.1.
//!
//! A file holds a skinned surface, its materials, bones with inverse kinematics and appended motion, morphs, and the
//! bodies of a physics engine.
//!
//! # As a scene
//!
//! * One node per bone, parents first; a node's `source_index` is the bone's position in the file. Rest
//!   rotations are the identity, so bones differ in position only.
//! * [`Rig`](dopesheet_core::model::Rig) has an entry for each bone, the IK chains, and all morphs in the order of the
//!   file.
//! * Behind the bones a node with the model's name carries the mesh: one primitive per material with faces,
//!   each with the vertices of its faces. Physics bodies and display frames are notes on this node.
//! * Vertices of several bones are blended linearly. SDEF and QDEF differ from linear blending, so the
//!   difference is reported.
//! * Materials are translated as shown by MikuMikuDance under its own light: the colour is
//!   `min(1, ambient + 0.602 · diffuse)`.
//!
//! ```
//! use dopesheet_core::diag::Report;
//! use dopesheet_core::format::{Format, ReadOptions, Source, WriteOptions};
//! use dopesheet_mmd::{Pmx, pmx};
//!
//! let header = pmx::Header::default();
//! let name = pmx::Text::new("初音ミク", header.encoding);
//! let model = pmx::Document { header, name, ..pmx::Document::default() };
//! let bytes = Pmx::write(&model, &WriteOptions::default())?.main;
//! let document = Pmx::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default())?;
//! assert_eq!(document.model_name(), "初音ミク");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod codes;
mod document;
mod info;
mod layout;
mod pictures;
mod read;
mod skeleton;
mod to_scene;
mod write;

pub use document::*;
pub(crate) use skeleton::Links;

use dopesheet_core::diag::{ConvertError, ReadError, Report, WriteError};
use dopesheet_core::format::{
    Format, FormatInfo, Output, ReadOptions, ResourceName, Source, ToScene, WriteOptions, check_length,
};
use dopesheet_core::forward;
use dopesheet_core::model::Scene;

/// The format PMX.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pmx;

impl Format for Pmx {
    type Document = Document;

    const INFO: FormatInfo = info::INFO;

    forward! { info::probe, check::check, info::summary }

    fn wants(main: &[u8]) -> Vec<ResourceName> {
        read::textures(main).wanted_pictures()
    }

    fn read(source: &Source<'_>, options: &ReadOptions, report: &mut Report) -> Result<Document, ReadError> {
        check_length(&Self::INFO, codes::FILE_TOO_LONG.code, source, &options.limits)?;
        let result = read::read(source.main, options.lenient, report);
        let mut document = result.map_err(|fault| ReadError::new(info::ID, *fault))?;
        document.keep_pictures(&source.resources);
        Ok(document)
    }

    fn write(document: &Document, _options: &WriteOptions) -> Result<Output, WriteError> {
        write::write(document).map(Output::new).map_err(|fault| WriteError::new(info::ID, fault))
    }

    fn to_scene(document: &Document, _options: &ToScene, report: &mut Report) -> Result<Scene, ConvertError> {
        to_scene::to_scene(document, report)
    }
}
