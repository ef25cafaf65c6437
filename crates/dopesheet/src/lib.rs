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
//! # Features
//!
//! Each format is a feature, and all are on by default. FBX is read by a library in C: without a compiler for C, turn the default features
//! off and `without-c` on. For wasm it takes the feature `fbx-wasm` and clang with the flags of our `.cargo/config.toml`. All other features are off by default, so that a page or program that needs none
//! of them stays small:
//!
//! | Feature | What it adds |
//! | --- | --- |
//! | `research` | pickles and layouts of research projects in arrays of NumPy (AMASS, HumanML3D, Isaac Lab and others), and recordings of WebXR |
//! | `arrow`, `parquet` | `table`: sampled values as tables of Arrow, and files of these |
//!
//! The command has `research`.
//!
//! Start at [`open`](fn@open) or [`read`](fn@read); then [`info`](fn@info), [`check`](fn@check), [`sample`](fn@sample),
//! [`convert`](fn@convert), [`diff`](fn@diff), [`plot`](fn@plot) and [`render`](fn@render). Each format is described in [`registry`].

mod choice;
pub mod convert;
pub mod edit;
mod error;
mod files;
pub mod formats;
mod models;
mod pictures;
mod playing;
pub mod registry;
mod results;
pub mod save;
#[cfg(feature = "arrow")]
pub mod table;

pub use edit::edit;
pub use models::{persons, vocabularies};
pub use playing::contacts::{self, contacts};
pub use results::bone_table;

pub use choice::clip_choice::ClipChoice;
pub use choice::times::{self, TimeSpec};
pub use convert::{Conversion, ConvertOptions, convert};
pub use dopesheet_core as core;
pub use dopesheet_core::diag::{Finding, Loss, Report, Severity};
pub use dopesheet_core::format::{NameMap, ReadOptions, WriteOptions};
pub use dopesheet_core::units::{FrameRate, Seconds};
pub use dopesheet_draw as draw;
pub use dopesheet_human as human;
pub use dopesheet_motion as motion;
pub use dopesheet_motion::Tolerance;
pub use error::Error;
pub use files::archive::{self, Archive};
pub use files::open::{self, open};
pub use files::read::{Opened, read};
pub use models::binding::{self, binding};
pub use models::{names, points, puppet};
pub use pictures::plot::{self, PlotOptions, plot};
pub use pictures::render::{self, RenderOptions, render};
pub use pictures::show;
pub use playing::played::{self, PlayedClip};
pub use playing::poses::{self, Poses, poses};
pub use playing::rotation;
pub use playing::sample::{self, SampleOptions, sample};
pub use results::check::{self, check};
pub use results::diff::{self, DiffOptions, diff};
pub use results::info::{self, Info, info};
pub use results::json;
