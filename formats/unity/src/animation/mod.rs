//! Animation clips of Unity, in the text form of its editor.
//!
//! A file holds Unity `AnimationCurve`s: of rotations, positions and scales by the path of an object, and of
//! any other number by the class of a component and the name of a property.
//!
//! # As a scene
//!
//! * One node per name of a path. There are no rest poses.
//! * Components have separate curves with Unity's laws: steps for infinite slopes, cubics with slopes and,
//!   for keys with weights, weights. Rotations are normalised after the evaluation of their components;
//!   angles keep their degrees and order.
//! * Numbers of keys without an effect on playback (slopes beside a step, ineffective weights) stay with the
//!   curves.
//! * Blend shapes are morphs, in percent; `m_IsActive` shows and hides; lenses are cameras; all other numbers
//!   keep their names. Muscles of the humanoid are such numbers, marked as requiring an avatar. Events are
//!   markers.
//! * A scene is written with its keys. Components of one value share their keys in the file: if one has a key
//!   and another has none, the other component's segment is divided there without changing its values.
//! * Turns along the shorter great arc become cubics with an error of at most 7.4e-7 radians, divided at 30°.
//!
//! ```
//! use dopesheet_core::diag::Report;
//! use dopesheet_core::format::{Format, ReadOptions, Source, WriteOptions};
//! use dopesheet_unity::{UnityAnim, animation};
//!
//! let clip = animation::Clip { name: "Wave".into(), ..animation::Clip::default() };
//! let file = animation::File { clips: vec![clip], other_objects: 0 };
//! let text = UnityAnim::write(&animation::Document::new(file.clone()), &WriteOptions::default())?.main;
//! assert!(text.starts_with(b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n"));
//! let document = UnityAnim::read(&Source::new(&text), &ReadOptions::default(), &mut Report::default())?;
//! assert_eq!(*document.file(), file);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod codes;
mod curves;
mod document;
mod from_scene;
mod info;
mod muscles;
mod notes;
mod numbering;
mod read;
mod spans;
mod spelling;
mod splice;
mod subject;
mod to_scene;
mod update;
mod values;
mod write;

pub use document::{
    AnimationCurve, Clip, Document, Event, File, FloatCurve, Keyframe, ObjectCurve, ObjectReference,
    Settings, TransformCurve,
};

use dopesheet_core::diag::{ConvertError, ReadError, Report, WriteError};
use dopesheet_core::format::{
    Capabilities, Format, FormatInfo, Output, ReadOptions, Source, ToScene, WriteOptions, check_length,
};
use dopesheet_core::forward;
use dopesheet_core::model::Scene;

/// Id of the format.
const ID: &str = "unity-anim";

/// The format of Unity's animation clips.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnityAnim;

impl Format for UnityAnim {
    type Document = Document;

    const INFO: FormatInfo = info::INFO;

    forward! {
        info::probe, check::check, subject::subject, info::summary, from_scene::from_scene, update::update, notes::stored_name
    }

    fn read(source: &Source<'_>, options: &ReadOptions, report: &mut Report) -> Result<Document, ReadError> {
        check_length(&Self::INFO, codes::FILE_TOO_LONG.code, source, &options.limits)?;
        read::read(source.main, options.lenient, report).map_err(|fault| ReadError::new(ID, *fault))
    }

    fn write(document: &Document, _options: &WriteOptions) -> Result<Output, WriteError> {
        let text = splice::text(document).map_err(|fault| WriteError::new(ID, fault))?;
        Ok(Output::new(text.into_owned()))
    }

    fn to_scene(document: &Document, options: &ToScene, report: &mut Report) -> Result<Scene, ConvertError> {
        Ok(to_scene::to_scene(document, options, report))
    }

    fn capabilities(scene: &Scene, _: Option<&str>) -> Capabilities {
        info::capabilities(scene)
    }
}
