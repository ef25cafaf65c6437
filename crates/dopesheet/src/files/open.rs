//! Open files on disk, and files in archives on disk.

pub use super::disk::stream;
pub use super::read::{detect, file_stem, read_as};

use super::archive::InArchive;
use super::disk;
use super::read::{Opened, read};
use crate::error::Error;
use dopesheet_core::format::{AnyFormat, ReadOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Least likeness, 0..=1, at which the name of an existing file is suggested instead of a missing one.
const ALIKE: f64 = 0.75;

/// Most entries of a folder that are compared with a missing name.
const MOST_ENTRIES: usize = 10_000;

/// A file's bytes; or the bytes of `ARCHIVE:ENTRY` and their location, if no file has the whole name.
fn bytes_of(path: &Path, options: &ReadOptions) -> Result<(Vec<u8>, Option<InArchive>), Error> {
    let source = match disk::whole(path, options.limits.max_bytes) {
        Ok(bytes) => return Ok((bytes, None)),
        Err(source) => source,
    };
    // Of other faults the file that is there is the cause.
    let is_absent = matches!(
        source.kind(),
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidInput | ErrorKind::InvalidFilename
    );
    let entry = path.to_str().filter(|_| is_absent);
    match entry.map(|name| InArchive::new(name, options.lenient)).transpose()?.flatten() {
        Some(entry) => Ok((entry.bytes()?, Some(entry))),
        None => {
            let source = if source.kind() == ErrorKind::NotFound { absent(path, source) } else { source };
            Err(Error::Io { path: path.to_owned(), source })
        }
    }
}

/// The error about a missing file, with the name of a file in its folder whose name is nearly the same.
fn absent(path: &Path, source: io::Error) -> io::Error {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (Some(name), Ok(entries)) = (path.file_name().and_then(|name| name.to_str()), folder.read_dir())
    else {
        return source;
    };
    let likeness = |other: &str| strsim::normalized_levenshtein(&name.to_lowercase(), &other.to_lowercase());
    let names = entries.take(MOST_ENTRIES).filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let alike = names.map(|other| (likeness(&other), other)).filter(|(likeness, _)| *likeness >= ALIKE);
    match alike.max_by(|(a, x), (b, y)| a.total_cmp(b).then_with(|| y.cmp(x))) {
        Some((_, other)) => io::Error::new(source.kind(), format!("no such file; did you mean \"{other}\"?")),
        None => source,
    }
}

/// A file below a folder by a name with slashes: the file of exactly this name, or else the file whose name
/// differs only in the case of letters, because many files were made on systems without case.
///
/// Links are followed as long as they stay below the folder.
fn beside(folder: &Path, name: &str, max_bytes: u64) -> Option<Vec<u8>> {
    let exact = disk::inside(folder, &folder.join(name), max_bytes);
    exact.or_else(|| {
        let mut path = folder.to_owned();
        for part in name.split('/') {
            path = in_any_case(&path, part)?;
        }
        disk::inside(folder, &path, max_bytes)
    })
}

/// The first entry of a folder, by name, whose name equals `name` except for the case of letters.
fn in_any_case(folder: &Path, name: &str) -> Option<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let wanted = name.to_lowercase();
    let entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let same = entries
        .filter(|e| e.file_name().to_str().is_some_and(|entry_name| entry_name.to_lowercase() == wanted));
    same.map(|entry| entry.path()).min()
}

/// The bytes of a file on disk, or of a file in an archive on disk (`ARCHIVE:ENTRY`), as [`open`] reads them.
///
/// # Errors
/// If the file cannot be read.
pub fn file_bytes(path: &Path, lenient: bool) -> Result<Vec<u8>, Error> {
    bytes_of(path, &ReadOptions { lenient, ..ReadOptions::default() }).map(|(bytes, _)| bytes)
}

/// Opens a file on disk, or a file in an archive on disk (`ARCHIVE:ENTRY`), and the files beside it that it
/// needs: for an entry, files of its archive. `format` overrides detection.
///
/// # Errors
/// If the file cannot be read, its format is unknown, or it is damaged.
pub fn open(
    path: &Path,
    format: Option<&'static dyn AnyFormat>,
    options: &ReadOptions,
) -> Result<Opened, Error> {
    let (bytes, entry) = bytes_of(path, options)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    // A format names only files inside the main file's folder; `..` and absolute paths never get here.
    let mut fetch = |name: &str| match &entry {
        Some(entry) => entry.beside(name),
        None => beside(folder, name, options.limits.max_bytes),
    };
    let name = path.to_string_lossy();
    match format {
        Some(format) => read_as(format, &name, &bytes, options, &mut fetch),
        None => read(&name, &bytes, options, &mut fetch),
    }
}
