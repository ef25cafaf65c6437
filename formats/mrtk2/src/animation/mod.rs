//! Input animations of MRTK2: recordings of a head, two hands and the gaze of the eyes.
//!
//! A file holds Unity `AnimationCurve`s, one per component of each pose, all in Unity's world space, and markers.
//!
//! # As a scene
//!
//! * One node per pose with keys, flat under `InputAnimation` and the groups `LeftHand` and `RightHand`.
//! * Components are played separately, as in Unity; rotations are normalised afterwards, as MRTK itself
//!   intends but fails to do.
//! * Tracking and pinch of a hand are switches of the hand; their nodes `Left_Tracked` … let formats without
//!   switches show them.
//! * Rotations damaged by the recorder of MRTK 2.6 and 2.7 are restored, unless values are requested as
//!   stored.
//!
//! ```
//! use dopesheet_core::diag::Report;
//! use dopesheet_core::format::{Format, ReadOptions, Source, WriteOptions};
//! use dopesheet_mrtk2::Mrtk2;
//! use dopesheet_mrtk2::animation::{Document, Marker, Version};
//!
//! let mut document = Document::new(Version::V1_1);
//! document.markers = Some(vec![Marker::new(1.5, "start")]);
//! let bytes = Mrtk2::write(&document, &WriteOptions::default())?.main;
//! assert_eq!(Mrtk2::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default())?, document);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod codes;
mod damage;
mod document;
mod edit;
mod from_scene;
mod info;
mod layout;
mod names;
mod notes;
mod play;
mod read;
mod repair;
mod resample;
mod subject;
mod to_scene;
mod update;
mod wrap;
mod write;

pub use damage::Damage;
pub use document::{
    AnyCurve, Document, Hands, Key, KeyShape, Keyframe, Marker, NumberCurve, NumberKeys, Pose, Ray,
    SwitchCurve, Version, Wrap,
};
pub use names::{CurveName, Hand, Joint, PoseName};

use dopesheet_core::diag::{ConvertError, ReadError, Report, WriteError};
use dopesheet_core::format::{
    Format, FormatInfo, KeyStorage, Output, ReadOptions, Source, TimeRounding, ToScene, WriteOptions,
    check_length,
};
use dopesheet_core::forward;
use dopesheet_core::model::Scene;

/// The format of MRTK2's input animations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mrtk2;

impl Format for Mrtk2 {
    type Document = Document;

    const INFO: FormatInfo = info::INFO;

    forward! {
        info::probe, check::check, subject::subject, info::summary, from_scene::in_world,
        from_scene::leave_out, from_scene::from_scene, update::update, edit::edit, from_scene::capabilities
    }

    fn storage(variant: Option<&str>) -> KeyStorage {
        let _ = variant;
        KeyStorage { times: TimeRounding::Single, ..KeyStorage::default() }
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
}
