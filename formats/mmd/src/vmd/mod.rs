//! VMD: motions of MikuMikuDance.
//!
//! A file holds keys of bones, morphs, one camera, one light, the self shadow, and of the model as a whole (shown or
//! hidden, IK chains on or off), all on a grid of 30 frames per second.
//!
//! # As a scene
//!
//! * One flat node per bone, in order of first appearance; translations and rotations come on top of the rest pose.
//! * The law of a segment is the law of the key it **arrives** at, as MikuMikuDance plays it.
//! * MikuMikuDance has a rest key at frame 0 for everything. So a track with a later first key moves there
//!   from the rest pose (weight 0, the default camera or light), along that key's own curve; switches have
//!   their default until their first key. Most other programs hold the first key instead.
//! * Keys of one frame: the segment before runs to the first of them, from their frame on the last one
//!   counts.
//! * Camera and light hold their key for the whole of a segment one frame long: such a segment is a cut.
//!
//! ```
//! use dopesheet_core::diag::Report;
//! use dopesheet_core::format::{Format, ReadOptions, Source, WriteOptions};
//! use dopesheet_mmd::{Vmd, text::Name, vmd};
//!
//! let model = Name::encode("初音ミク", false)?.name;
//! let bytes = Vmd::write(&vmd::Document::new(vmd::Version::V0002, &model), &WriteOptions::default())?.main;
//! let document = Vmd::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default())?;
//! assert_eq!(document.model.text(), "初音ミク");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod codes;
mod curves;
mod defaults;
mod document;
mod edit;
mod from_scene;
mod info;
mod layout;
mod notes;
mod read;
mod subject;
mod targets;
mod to_scene;
mod tracks;
mod update;
mod write;

pub use curves::{BoneChannel, CameraChannel, LINEAR, Physics};
pub use document::{
    BoneKeyframe, CameraKeyframe, Document, IkSwitch, LightKeyframe, ModelKeyframe, ModelName, MorphKeyframe,
    Section, ShadowKeyframe, Version,
};
pub use tracks::Tracks;

use dopesheet_core::diag::{ConvertError, Place, ReadError, Report, WriteError};
use dopesheet_core::format::{
    Format, FormatInfo, FromScene, Output, ReadOptions, Source, ToScene, WriteOptions, check_length,
};
use dopesheet_core::forward;
use dopesheet_core::model::Scene;

/// The format VMD.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vmd;

impl Format for Vmd {
    type Document = Document;

    const INFO: FormatInfo = info::INFO;

    forward! {
        info::probe, check::check, subject::subject, info::summary, from_scene::leave_out, update::update, from_scene::stored_name, edit::edit
    }

    fn read(source: &Source<'_>, options: &ReadOptions, report: &mut Report) -> Result<Document, ReadError> {
        check_length(&Self::INFO, codes::FILE_TOO_LONG.code, source, &options.limits)?;
        read::read(source.main, options.lenient, report).map_err(|fault| ReadError::new(info::ID, *fault))
    }

    fn write(document: &Document, _options: &WriteOptions) -> Result<Output, WriteError> {
        write::write(document).map(Output::new).map_err(|fault| WriteError::new(info::ID, fault))
    }

    fn to_scene(document: &Document, options: &ToScene, report: &mut Report) -> Result<Scene, ConvertError> {
        Ok(to_scene::to_scene(document, options, report))
    }

    fn from_scene(scene: &Scene, options: &FromScene, report: &mut Report) -> Result<Document, ConvertError> {
        let document = from_scene::from_scene(scene, options, report)?;
        if let Some(fault) = check::model_and_camera(&document, Place::File) {
            report.push(codes::CAMERA_WITH_BONES.severity, fault);
        }
        Ok(document)
    }

    fn node_names(scene: &Scene) -> Vec<String> {
        from_scene::node_names(scene)
    }
}
