//! VPD: poses of MikuMikuDance.
//!
//! A text with the transforms of a model's bones and the weights of its morphs, without any time.
//!
//! # As a scene
//!
//! * One flat node per bone, and one clip with one key per bone and morph at frame 0, on MikuMikuDance's
//!   grid; translations and rotations come on top of the rest pose. Of equal names the last one counts.
//! * A clip becomes the pose at its start. Every bone and morph moved by the clip is written, including bones
//!   and morphs at rest, because a pose leaves alone everything it does not name. The keys behind the start
//!   are reported as dropped.
//!
//! ```
//! use dopesheet_core::diag::Report;
//! use dopesheet_core::format::{Format, ReadOptions, Source, WriteOptions};
//! use dopesheet_mmd::{Vpd, vpd};
//!
//! let center = vpd::Bone { name: "センター".into(), translation: [0.0, -1.25, 0.0], rotation: [0.0, 0.0, 0.0, 1.0] };
//! let pose = vpd::Pose { parent: "miku.osm".into(), announced_bones: 1, bones: vec![center], morphs: vec![] };
//! let bytes = Vpd::write(&vpd::Document::new(pose.clone()), &WriteOptions::default())?.main;
//! let document = Vpd::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default())?;
//! assert_eq!(*document.pose(), pose);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod codes;
mod document;
mod from_scene;
mod info;
mod read;
mod spans;
mod splice;
mod subject;
mod to_scene;
mod update;
mod write;

pub use document::{Bone, Document, Morph, Pose};

use dopesheet_core::diag::{ConvertError, ReadError, Report, WriteError};
use dopesheet_core::format::{
    Format, FormatInfo, Output, ReadOptions, Source, ToScene, WriteOptions, check_length,
};
use dopesheet_core::forward;
use dopesheet_core::model::Scene;

/// The format VPD.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vpd;

impl Format for Vpd {
    type Document = Document;

    const INFO: FormatInfo = info::INFO;

    forward! {
        info::probe, check::check, subject::subject, info::summary, from_scene::from_scene, update::update, from_scene::stored_name
    }

    fn read(source: &Source<'_>, options: &ReadOptions, report: &mut Report) -> Result<Document, ReadError> {
        check_length(&Self::INFO, codes::FILE_TOO_LONG.code, source, &options.limits)?;
        read::read(source.main, options.lenient, report).map_err(|fault| ReadError::new(info::ID, *fault))
    }

    fn write(document: &Document, _options: &WriteOptions) -> Result<Output, WriteError> {
        let text = splice::text(document).map_err(|fault| WriteError::new(info::ID, fault))?;
        Ok(Output::new(text.into_owned()))
    }

    fn to_scene(document: &Document, options: &ToScene, report: &mut Report) -> Result<Scene, ConvertError> {
        Ok(to_scene::to_scene(document, options, report))
    }
}
