//! The model that is always there.

use crate::error::Error;
use crate::open::open;
use crate::read::{Opened, read};
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::{ReadOptions, Role};
use std::path::Path;

/// The word that stands for it where a model's file could stand.
pub const STANDARD_MODEL: &str = "standard";

/// Our own puppet: the standard and semi-standard bones of MikuMikuDance's models with their IK, and a skinned and textured
/// body 158 cm tall, so that motions can be seen without a model of anybody else.
///
/// # Errors
/// Never, unless the build lacks the format PMX.
pub fn standard_model() -> Result<Opened, Error> {
    let picture =
        |name: &str| (name == "standard.png").then(|| include_bytes!("standard/standard.png").to_vec());
    let model = include_bytes!("standard/standard.pmx");
    read("standard.pmx", model, &ReadOptions::default(), &mut |name| picture(name))
}

/// Our own puppet for a motion of MikuMikuDance without a model, which the report says.
pub(crate) fn assume_standard_model(report: &mut Report) -> Result<Opened, Error> {
    let expected = "a model, for its hierarchy (give one with -m)";
    let found = format!("none; the standard model stands for it, as with -m {STANDARD_MODEL}");
    report.info(Fault::new("model-assumed", Place::File, expected, found));
    standard_model()
}

/// Refuses files in formats that hold motions without what moves.
fn refuse_motion(opened: Opened) -> Result<Opened, Error> {
    let info = opened.format().info();
    match info.role {
        Role::Motion => Err(Error::Usage(format!(
            "{}: expected a model for -m, found a motion ({}); models are files such as .pmx, .glb and .vrm, and -m {STANDARD_MODEL} is \
             one of our own",
            opened.name, info.name
        ))),
        _ => Ok(opened),
    }
}

/// Opens the file of a figure that motions are put onto, or our own where the path is [`STANDARD_MODEL`].
///
/// # Errors
/// As [`open`](fn@open).
pub fn open_figure(path: &Path) -> Result<Opened, Error> {
    match path.to_str() {
        Some(STANDARD_MODEL) => standard_model(),
        _ => open(path, None, &ReadOptions::default()),
    }
}

/// Opens the file of a model, or our own one where the path is [`STANDARD_MODEL`].
///
/// # Errors
/// As [`open`](fn@open).
pub fn open_model(path: &Path) -> Result<Opened, Error> {
    open_figure(path).and_then(refuse_motion)
}
