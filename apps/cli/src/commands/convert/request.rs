//! What a run of `dopesheet convert` was asked for, so that going on with it is not mistaken for another one.

use crate::args::{ConvertArgs, ModelArgs, ReadArgs};
use crate::folder::digest;
use dopesheet::{Error, STANDARD_MODEL};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A digest of everything that decides what becomes of an input, the contents of other files and the version of this
/// program included.
pub(crate) fn request(args: &ConvertArgs) -> Result<String, Error> {
    // Every option is named, so that a new one is not forgotten.
    let ConvertArgs {
        inputs: _,
        output: _,
        to,
        model: ModelArgs { model, map },
        into,
        replace,
        settings,
        report: _,
        force: _,
        dry_run: _,
        json: _,
        manifest: _,
        read: ReadArgs { from, lenient, assume },
        batch: _,
    } = args;
    let mut text = format!("convert {}\n", env!("CARGO_PKG_VERSION"));
    let mut add = |value: &dyn std::fmt::Debug| {
        let _ = writeln!(text, "{value:?}");
    };
    add(&(to, replace, settings, from, lenient, assume));
    for file in [model, map, into] {
        add(&file.as_ref().map(contents).transpose()?);
    }
    Ok(digest(text.as_bytes()))
}

fn contents(path: &PathBuf) -> Result<String, Error> {
    if path == Path::new(STANDARD_MODEL) {
        return Ok(STANDARD_MODEL.into());
    }
    dopesheet::file_bytes(path, false).map(|bytes| digest(&bytes))
}
