//! The model that is always there.

use crate::error::Error;
use crate::open::{Opened, open, read};
use dopesheet_core::format::ReadOptions;
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

/// Opens the file of a model, or our own one where the path is [`STANDARD_MODEL`].
///
/// # Errors
/// As [`open`](fn@open).
pub fn open_model(path: &Path) -> Result<Opened, Error> {
    match path.to_str() {
        Some(STANDARD_MODEL) => standard_model(),
        _ => open(path, None, &ReadOptions::default()),
    }
}
