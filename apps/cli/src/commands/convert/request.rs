//! The request of a run of `dopesheet convert`, which distinguishes a resumed run from a different one.

use crate::args::{ConvertArgs, ModelArgs, ReadArgs, RunArgs, TargetArgs};
use crate::folder::digest;
use dopesheet::{Error, puppet::STANDARD_MODEL};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A digest of everything that determines the output of an input, including the contents of other files and
/// the version of this program.
pub(crate) fn request(args: &ConvertArgs) -> Result<String, Error> {
    // Every option is named, so that a new one is not forgotten.
    let ConvertArgs {
        inputs: _,
        target,
        model: ModelArgs { model, map },
        into,
        onto,
        motion_only,
        replace,
        split,
        no_show_bones,
        settings,
        run,
        edits,
    } = args;
    let TargetArgs { output: _, to } = target;
    let RunArgs {
        report: _,
        verbose: _,
        fail_on_loss,
        force: _,
        dry_run: _,
        json: _,
        manifest: _,
        // The latter decide whether a file is read, not what is read.
        read: ReadArgs { from, lenient, assume, max_memory: _, pipes: _ },
        batch: _,
    } = run;
    let options: [&dyn std::fmt::Debug; 2] = [
        &(to, motion_only, replace, split, no_show_bones),
        &(settings, fail_on_loss, from, lenient, assume, edits),
    ];
    digest_of(
        "convert",
        &options,
        [model, map, into, onto].map(|file| file.as_ref().map(contents).transpose()),
    )
}

/// A digest of a verb, its options, the contents of other files, and the version of this program.
pub(in crate::commands) fn digest_of<const N: usize>(
    verb: &str,
    options: &[&dyn std::fmt::Debug],
    files: [Result<Option<String>, Error>; N],
) -> Result<String, Error> {
    let mut text = format!("{verb} {}\n", env!("CARGO_PKG_VERSION"));
    for option in options {
        let _ = writeln!(text, "{option:?}");
    }
    for file in files {
        let _ = writeln!(text, "{:?}", file?);
    }
    Ok(digest(text.as_bytes()))
}

/// The digest of a file on which outputs depend.
pub(in crate::commands) fn contents(path: &PathBuf) -> Result<String, Error> {
    if path == Path::new(STANDARD_MODEL) {
        return Ok(STANDARD_MODEL.into());
    }
    dopesheet::open::file_bytes(path, false).map(|bytes| digest(&bytes))
}
