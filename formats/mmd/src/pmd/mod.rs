//! PMD: models of MikuMikuDance before PMX.
//!
//! A file holds a skinned surface, its materials, bones with inverse kinematics, morphs, and the bodies of a physics
//! engine.
//!
//! # As a scene
//!
//! The model becomes the PMX model made by MikuMikuDance on loading, and the PMX model becomes a scene; see
//! [`Pmx`](crate::Pmx). On the way:
//!
//! * types of bones become flags, appended rotations and fixed axes; goals of IK are solved behind other
//!   bones, and bones that follow the goals behind them;
//! * the step of an IK chain is four times its weight, and links named ひざ bend backwards only;
//! * morphs find their vertices through the base morph, which disappears;
//! * rigid bodies get positions in the model.
//!
//! ```
//! use dopesheet_core::diag::Report;
//! use dopesheet_core::format::{Format, ReadOptions, Source, WriteOptions};
//! use dopesheet_mmd::{Pmd, pmd, text::Name};
//!
//! let model = pmd::Document::new(&Name::encode("初音ミク", false)?.name);
//! let bytes = Pmd::write(&model, &WriteOptions::default())?.main;
//! let document = Pmd::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default())?;
//! assert_eq!(document.name.text(), "初音ミク");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod codes;
mod document;
mod info;
mod layout;
mod lift;
mod read;
mod to_scene;
mod write;

pub use document::{
    Bone, BoneType, Comment, Document, English, FramedBone, Ik, Index, Joint, Material, Morph, MorphOffset,
    Pictures, RigidBody, SphereMode, Vertex,
};

use crate::pmx;
use dopesheet_core::diag::{ReadError, Report, WriteError};
use dopesheet_core::format::{Format, FormatInfo, Output, ReadOptions, Source, WriteOptions, check_length};
use dopesheet_core::forward;

/// The format PMD.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pmd;

impl Document {
    /// The PMX model made by MikuMikuDance when loading this model, with texts in UTF-8. Reports references
    /// to nowhere, which are left out.
    #[must_use]
    pub fn lift(&self, report: &mut Report) -> pmx::Document {
        lift::lift(self, report)
    }
}

impl Format for Pmd {
    type Document = Document;

    const INFO: FormatInfo = info::INFO;

    forward! { info::probe, to_scene::wants, check::check, info::summary, to_scene::to_scene }

    fn read(source: &Source<'_>, options: &ReadOptions, report: &mut Report) -> Result<Document, ReadError> {
        check_length(&Self::INFO, codes::FILE_TOO_LONG.code, source, &options.limits)?;
        let result = read::read(source.main, options.lenient, report);
        let mut document = result.map_err(|fault| ReadError::new(info::ID, *fault))?;
        document.pictures = to_scene::pictures(&document, &source.resources);
        Ok(document)
    }

    fn write(document: &Document, _options: &WriteOptions) -> Result<Output, WriteError> {
        write::write(document).map(Output::new).map_err(|fault| WriteError::new(info::ID, fault))
    }
}
