//! Read, check, play, compare and convert keyframe animation exactly, and say what a conversion lost.
//!
//! ```
//! let bytes = br#"{"animation":{"version":4,"name":"door","duration":1,"nodes":[
//!     {"name":"Hinge","defaults":{},"keys":[{"t":0,"p":[0,0,0],"r":[0,0,0],"s":[1,1,1]},
//!                                           {"t":1,"p":[0,0,0],"r":[0,90,0],"s":[1,1,1]}]}]}}"#;
//! let opened = dopesheet::read("door.json", bytes, &dopesheet::ReadOptions::default(), &mut |_| None)?;
//! assert_eq!(opened.format().info().id, "playcanvas");
//!
//! let options = dopesheet::ConvertOptions::to(dopesheet::registry::by_id("glb").unwrap());
//! let conversion = dopesheet::convert(&[opened], &options)?;
//! assert_eq!(&conversion.output.main[..4], b"glTF");
//! # Ok::<(), dopesheet::Error>(())
//! ```
//!
//! Start at [`open`] or [`read`](fn@read); then [`info`](fn@info), [`check`](fn@check), [`sample`](fn@sample),
//! [`convert`](fn@convert), [`diff`](fn@diff), [`plot`](fn@plot) and [`render`](fn@render). Each format is described in [`registry`].

mod archive;
mod binding;
mod bound;
mod check;
mod convert;
mod diff;
mod disk;
mod english;
mod error;
pub mod formats;
mod info;
mod json;
mod memory;
mod muscles;
mod names;
mod nearest;
#[cfg(feature = "numpy")]
mod npz;
mod open;
mod pack;
mod played;
mod plot;
pub mod poses;
mod puppet;
mod reach;
mod read;
pub mod registry;
mod render;
mod requested;
pub mod rotation;
mod sample;
pub mod save;
mod show;
#[cfg(feature = "arrow")]
pub mod table;
mod times;
mod unbound;

pub use archive::{Archive, ArchiveEntry};
pub use binding::{BINDING_CHECKS, Binding, Chain, binding};
pub use check::{check, check_on};
pub use convert::{
    CONVERSION_CHECKS, ClipChoice, Conversion, ConversionReport, ConvertOptions, ForbiddenLosses, LineKind,
    ReportLine, Setting, SettingKind, TOLERANCE_EXCEEDED, Telling, convert, convert_owned, metres,
    most_frames, rate, settings,
};
pub use diff::{Comparer, Diff, DiffOptions, diff};
pub use disk::stream;
pub use dopesheet_core as core;
pub use dopesheet_core::diag::{Finding, Loss, Report, Severity, Subject};
pub use dopesheet_core::format::container::Refused;
pub use dopesheet_core::format::{
    AnyFormat, Assumable, Assumptions, FormatInfo, Hint, Limits, NameMap, Output, Pieces, ReadOptions, Role,
    WriteOptions,
};
pub use dopesheet_core::units::{FrameRate, Seconds};
pub use dopesheet_draw as draw;
pub use dopesheet_motion as motion;
pub use dopesheet_motion::Tolerance;
pub use english::Language;
pub use error::Error;
pub use info::{ClipInfo, HumanoidInfo, Info, humanoid, info, info_on};
pub use json::{SCHEMA_VERSION, check_to_json, format_to_json};
pub use names::read_names;
pub use open::{file_bytes, open};
pub use pack::{pack, packs};
pub use played::{NamedPose, PlayedClip};
pub use plot::{PlotOptions, plot};
pub use poses::{PoseJoint, Poses, poses};
pub use puppet::{STANDARD_MODEL, open_model, standard_model};
pub use read::{Opened, detect, file_stem, read, read_as};
pub use render::{RenderForm, RenderOptions, Rendered, background, picture_to_png, render};
pub use rotation::RotationForm;
pub use sample::{Axes, SampleOptions, Sampled, SampledChannel, SampledTrack, Space, sample};
pub use show::show;
pub use times::{RangeSpec, TimeSpec, TimeValue};
pub use unbound::{Lost, Unbound};
