//! Recordings of IWER, the Immersive Web Emulation Runtime: the head, and controllers and hands frame by frame.
//!
//! # As a scene
//!
//! * `viewer` is the head, a camera. Each input source is a node at the start of its target ray, pointing
//!   along the ray. `left-hand`, `right-controller`.
//! * The joints of a hand are children of that node, because the file has them relative to the ray:
//!   `left-wrist` to `left-pinky-finger-tip`.
//! * The presence of a source, and its buttons, axes and radii, are tracks of numbers.
//! * Frames have individual times. Positions go straight and rotations along the shorter arc, as in IWER's
//!   `ActionPlayer`.
//!
//! ```
//! use dopesheet_core::diag::Report;
//! use dopesheet_core::format::{Format, ReadOptions, Source, WriteOptions};
//! use dopesheet_webxr::Iwer;
//! use dopesheet_webxr::iwer::{Document, Frame, Recording};
//!
//! let frame = |time_ms| Frame { time_ms, viewer: [0.0, 1.6, 0.0, 0.0, 0.0, 0.0, 1.0], inputs: Vec::new() };
//! let document = Document::new(Recording { schema: Vec::new(), frames: vec![frame(0.0), frame(16.7)] });
//! let bytes = Iwer::write(&document, &WriteOptions::default())?.main;
//! let read = Iwer::read(&Source::new(&bytes), &ReadOptions::default(), &mut Report::default())?;
//! assert_eq!(read.recording(), document.recording());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod codes;
mod document;
mod from_scene;
mod info;
mod names;
mod notes;
mod read;
mod splice;
mod subject;
mod to_scene;
mod update;
mod write;

pub use document::{Document, Entry, Frame, Gamepad, GamepadState, Input, InputSource, Pose, Recording};

use dopesheet_core::diag::{ConvertError, Fault, ReadError, Report, Subject, WriteError};
use dopesheet_core::format::{
    Capabilities, Format, FormatInfo, FromScene, Output, ReadOptions, Source, Summary, ToScene, WriteOptions,
};
use dopesheet_core::forward;
use dopesheet_core::model::Scene;

/// The recordings of IWER.
#[derive(Clone, Copy, Debug, Default)]
pub struct Iwer;

impl Format for Iwer {
    type Document = Document;

    const INFO: FormatInfo = info::INFO;

    forward! { info::probe, check::check, from_scene::in_world, update::update }

    fn read(source: &Source<'_>, options: &ReadOptions, _report: &mut Report) -> Result<Document, ReadError> {
        read::read(source, options)
    }

    fn write(document: &Document, _options: &WriteOptions) -> Result<Output, WriteError> {
        Ok(Output::new(splice::text(document).into_owned().into_bytes()))
    }

    fn subject(document: &Document, fault: &Fault) -> Option<Subject> {
        subject::subject(document.recording(), fault)
    }

    fn summary(document: &Document) -> Summary {
        info::summary(document.recording())
    }

    fn to_scene(document: &Document, options: &ToScene, report: &mut Report) -> Result<Scene, ConvertError> {
        Ok(to_scene::to_scene(document.recording(), options, report))
    }

    fn capabilities(scene: &Scene, _variant: Option<&str>) -> Capabilities {
        from_scene::capabilities(scene)
    }

    fn from_scene(scene: &Scene, options: &FromScene, report: &mut Report) -> Result<Document, ConvertError> {
        from_scene::from_scene(scene, options, report).map(Document::new)
    }
}
