//! BVH: motion capture as a skeleton and its poses.
//!
//! A text in two parts: joints with their offsets and channels, one within the other, and a line of numbers for each frame.
//! All joints rest without a rotation; the rest pose of a skeleton is given by the offsets alone.
//!
//! # As a scene
//!
//! * One node per joint and per end site, at its offset, and one clip with a key of every channel on every
//!   frame. An end site without a name gets the name of its joint: `Head_end`.
//! * Rotations are three angles in the file's own degrees and order. They state poses on frames; in between a
//!   joint takes the shortest rotation. A joint with angles beyond ±360° counts turns: its angles run evenly
//!   from frame to frame, as all angles do with [`ToScene::literal_angles`]. Joints with one or two rotations
//!   do not turn about the other axes; more than three, or two about one axis, are multiplied out.
//! * Positions replace the offset: `positions replace` in [`LAYOUT.md`], with the reasons.
//! * Frame times become frame rates as far as their digits allow (`0.033333` is 30 fps), which is reported.
//! * The format has no unit and no axes: centimetres, +Y up and +Z in front are assumed, and the former is reported.
//! * A scene is written with all its joints, in a pose per frame of the clip's grid. Rotations of rest poses
//!   are taken out: offsets become offsets in model space. Angles are the scene's angles if it has any; for
//!   other rotations, the angles continue from the angles of the frame before.
//!
//! [`LAYOUT.md`]: https://github.com/dopesheet/dopesheet/blob/main/formats/bvh/src/bvh/LAYOUT.md
//!
//! ```
//! use dopesheet_bvh::{Bvh, bvh};
//! use dopesheet_core::diag::Report;
//! use dopesheet_core::format::{Format, ReadOptions, Source, WriteOptions};
//!
//! let text = b"HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 1 Yposition\n}\nMOTION\nFrames: 2\nFrame Time: 0.04\n90\n91.5\n";
//! let document = Bvh::read(&Source::new(text), &ReadOptions::default(), &mut Report::default())?;
//! assert_eq!(document.motion().values, [90.0, 91.5]);
//! assert_eq!(document.motion().joints[0].channels, [bvh::Channel::Position(1)]);
//! assert_eq!(Bvh::write(&document, &WriteOptions::default())?.main, text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod codes;
mod document;
mod from_scene;
mod info;
mod notes;
mod rate;
mod read;
mod spans;
mod splice;
mod subject;
mod to_scene;
mod turns;
mod update;
mod winding;
mod write;

pub use document::{Channel, Document, Joint, JointKind, Motion};

use dopesheet_core::diag::{ConvertError, ReadError, Report, WriteError};
use dopesheet_core::format::{
    Assumable, Assumptions, Format, FormatInfo, Output, ReadOptions, Source, ToScene, WriteOptions,
    check_length,
};
use dopesheet_core::forward;
use dopesheet_core::model::Scene;

/// The format BVH.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bvh;

impl Format for Bvh {
    type Document = Document;

    const INFO: FormatInfo = info::INFO;

    forward! {
        info::probe, check::check, subject::subject, info::summary, from_scene::from_scene, update::update, notes::stored_name
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

    fn assumable() -> &'static [Assumable] {
        info::ASSUMABLE
    }

    fn assume(document: &mut Document, facts: &Assumptions) -> Result<(), ConvertError> {
        info::assume(document, facts)
    }
}
