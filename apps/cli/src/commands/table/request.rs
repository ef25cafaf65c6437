//! The request of a run of `dopesheet table`, and the results of an earlier one.

use super::plan;
use crate::args::{FrameArgs, ModelArgs, ReadArgs, TableArgs};
use crate::commands::convert::request::{contents, digest_of};
use crate::folder::{self, Record};
use dopesheet::Error;
use std::path::Path;

/// A digest of everything that determines a dataset except the inputs' contents: options, names of the
/// inputs, their division into chunks, the contents of other files, and the version of this program.
pub(super) fn request(args: &TableArgs, jobs: &[folder::Job]) -> Result<String, Error> {
    // Every option is named, so that a new one is not forgotten.
    let TableArgs {
        inputs: _,
        output: _,
        to,
        layout,
        fps,
        frame: FrameArgs { axes, names, space },
        model: ModelArgs { model, map },
        clip,
        only,
        precision,
        chunk_files: _,
        chunk_rows,
        force: _,
        dry_run: _,
        json: _,
        manifest: _,
        // The latter decide whether a file is read, not what is read.
        read: ReadArgs { from, lenient, assume, max_memory: _, pipes: _ },
        frames: _,
        batch: _,
    } = args;
    let files: Vec<Vec<_>> = jobs.iter().map(|job| job.inputs().iter().map(plan::id).collect()).collect();
    let options: [&dyn std::fmt::Debug; 4] = [
        &(to, layout, fps, axes, names, space),
        &(clip, only, precision, chunk_rows),
        &(from, lenient, assume),
        &files,
    ];
    let contents_of_files = [model, map].map(|file| file.as_ref().map(contents).transpose());
    digest_of("table", &options, contents_of_files)
}

/// Refuses a mix of two datasets in a folder, or removes the earlier dataset if allowed.
pub(super) fn prepare(args: &TableArgs, request: &str) -> Result<(), Error> {
    let manifest = args.manifest.path(&args.output);
    let lists = [folder::journal_of(&manifest), manifest.clone()];
    if args.manifest.resume {
        for list in &lists {
            for_each(list, |record| {
                if record.is_asked_for(request) {
                    return Ok(());
                }
                Err(Error::Usage(format!(
                    "{}: the dataset was made of other inputs, or with other options or another version; --force makes a new one",
                    list.display()
                )))
            })?;
        }
        return Ok(());
    }
    if !args.force {
        // A journal is refused when it is opened.
        if manifest.exists() {
            return Err(Error::Usage(format!(
                "{}: the folder has a dataset already; --resume resumes it, --force replaces it",
                manifest.display()
            )));
        }
        return Ok(());
    }
    for list in &lists {
        for_each(list, |record| folder::remove_files(&record, &args.output))?;
    }
    match std::fs::remove_file(&manifest) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::Io { path: manifest, source })
        }
        _ => Ok(()),
    }
}

/// Calls `act` for the records of a list, if the list exists.
fn for_each(list: &Path, mut act: impl FnMut(Record) -> Result<(), Error>) -> Result<(), Error> {
    let Some(mut reader) = folder::earlier(list)? else { return Ok(()) };
    let mut line = Vec::new();
    let io = |source| Error::Io { path: list.to_owned(), source };
    while folder::next_line(&mut reader, &mut line).map_err(io)? {
        Record::parse(&line).map_or(Ok(()), &mut act)?;
    }
    Ok(())
}
