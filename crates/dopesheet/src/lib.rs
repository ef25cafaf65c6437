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
//! | `editing` | `edit`, operations on motions that leave the rest of a file to the byte (`edited.save(path)` writes it), and `ConvertOptions::onto`, which puts a motion onto another figure |
//! | `research` | pickles and layouts of research projects in arrays of NumPy (AMASS, HumanML3D, Isaac Lab and others), and recordings of WebXR |
//! | `arrow`, `parquet` | `table`: sampled values as tables of Arrow, and files of these |
//!
//! The command has `editing` and `research`.
//!
//! Start at [`open`](fn@open) or [`read`](fn@read); then [`info`](fn@info), [`check`](fn@check), [`sample`](fn@sample),
//! [`convert`](fn@convert), [`diff`](fn@diff), [`plot`](fn@plot) and [`render`](fn@render). Each format is described in [`registry`].

pub mod archive;
pub mod binding;
mod bone_map;
mod bound;
pub mod check;
#[cfg(feature = "editing")]
pub mod contacts;
pub mod convert;
pub mod diff;
mod disk;
#[cfg(feature = "editing")]
pub mod edit;
mod english;
mod error;
pub mod formats;
pub mod info;
pub mod json;
mod memory;
mod muscles;
pub mod names;
mod nearest;
#[cfg(feature = "numpy")]
mod npz;
pub mod open;
mod pack;
pub mod played;
pub mod plot;
pub mod poses;
pub mod puppet;
mod reach;
mod read;
pub mod registry;
pub mod render;
mod requested;
pub mod rotation;
pub mod sample;
pub mod save;
pub mod show;
mod solving;
#[cfg(feature = "arrow")]
pub mod table;
pub mod times;
mod unbound;
#[cfg(feature = "editing")]
pub mod vocabularies;
#[cfg(feature = "editing")]
mod wrong_option;

pub use archive::Archive;
pub use binding::binding;
pub use check::check;
#[cfg(feature = "editing")]
pub use contacts::contacts;
pub use convert::{ClipChoice, Conversion, ConvertOptions, convert};
pub use diff::{DiffOptions, diff};
pub use dopesheet_core as core;
pub use dopesheet_core::diag::{Finding, Loss, Report, Severity};
pub use dopesheet_core::format::{NameMap, ReadOptions, WriteOptions};
pub use dopesheet_core::units::{FrameRate, Seconds};
pub use dopesheet_draw as draw;
pub use dopesheet_motion as motion;
pub use dopesheet_motion::Tolerance;
#[cfg(feature = "editing")]
pub use edit::edit;
pub use error::Error;
pub use info::{Info, info};
pub use open::open;
pub use played::PlayedClip;
pub use plot::{PlotOptions, plot};
pub use poses::{Poses, poses};
pub use read::{Opened, read};
pub use render::{RenderOptions, render};
pub use sample::{SampleOptions, sample};
pub use times::TimeSpec;
