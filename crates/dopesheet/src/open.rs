//! Find out what a file is, and read it.

use crate::archive::InArchive;
use crate::disk;
use crate::error::Error;
use crate::registry;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{AnyDocument, AnyFormat, Assumptions, Confidence, Hint, ReadOptions, Source};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Bytes of a file that are shown to the probes.
const PROBE_BYTES: usize = 64 << 10;

/// A file that has been read.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The caller's name of the file; used in messages and for names of clips that have none.
    pub name: String,
    /// The document.
    pub document: AnyDocument,
    /// Findings of reading (with [`ReadOptions::lenient`], what was left).
    pub report: Report,
}

impl Opened {
    /// The format it is in.
    #[must_use]
    pub fn format(&self) -> &'static dyn AnyFormat {
        self.document.format()
    }

    /// Takes for true what the file leaves open; see [`Assumptions`].
    ///
    /// # Errors
    /// If files of the format leave no such thing open, or a value makes no sense.
    pub fn assume(&mut self, facts: &Assumptions) -> Result<(), Error> {
        let format = self.document.format();
        Ok(format.assume(&mut self.document, facts)?)
    }

    /// The file's name without folders and extension.
    #[must_use]
    pub fn stem(&self) -> &str {
        file_stem(&self.name)
    }
}

/// A file name without folders and without its last extension.
#[must_use]
pub fn file_stem(name: &str) -> &str {
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match base.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => base,
    }
}

/// The format of some bytes: by content first, by extension second.
///
/// # Errors
/// [`Error::UnknownFormat`] if neither tells, [`Error::NotBuilt`] if this build lacks it.
pub fn detect(name: &str, bytes: &[u8]) -> Result<&'static dyn AnyFormat, Error> {
    let hint = Hint::from_file_name(name);
    let head = bytes.get(..PROBE_BYTES).unwrap_or(bytes);
    let mut best: Option<(Confidence, &'static dyn AnyFormat)> = None;
    for &format in registry::formats() {
        let confidence = format.probe(head, &hint);
        if confidence > best.map_or(Confidence::No, |(best, _)| best) {
            best = Some((confidence, format));
        }
    }
    let by_name = || hint.extension.as_deref().and_then(registry::by_extension);
    best.map(|(_, format)| format).or_else(by_name).ok_or_else(|| match registry::lacking(&hint, head) {
        Some(format) => Error::NotBuilt(format),
        None => Error::UnknownFormat { head: head.get(..16).unwrap_or(head).to_vec() },
    })
}

/// Reads bytes whose format is found by [`detect`]. `fetch` yields the other files that the main one names.
///
/// # Errors
/// If the format is unknown or the file is damaged.
pub fn read(
    name: &str,
    bytes: &[u8],
    options: &ReadOptions,
    fetch: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Result<Opened, Error> {
    read_as(detect(name, bytes)?, name, bytes, options, fetch)
}

/// Reads bytes of a known format.
///
/// # Errors
/// If the file is damaged.
pub fn read_as(
    format: &'static dyn AnyFormat,
    name: &str,
    bytes: &[u8],
    options: &ReadOptions,
    fetch: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Result<Opened, Error> {
    let mut source = Source::new(bytes);
    for wanted in format.wants(bytes) {
        if let Some(resource) = fetch(&wanted) {
            source.resources.insert(wanted, resource);
        }
    }
    let mut report = Report::default();
    let document = format.read(&source, options, &mut report)?;
    Ok(Opened { name: name.to_owned(), document, report })
}

/// A file's bytes; or those of `ARCHIVE:ENTRY` and where they are, if there is no file of the whole name.
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
        None => Err(Error::Io { path: path.to_owned(), source }),
    }
}

/// A file below a folder by a name with slashes: of exactly this name, or else whatever the case of its letters, because
/// many files were made where that does not matter.
///
/// Links are followed as long as they stay below the folder.
fn beside(folder: &Path, name: &str, most: u64) -> Option<Vec<u8>> {
    let exact = disk::inside(folder, &folder.join(name), most);
    exact.or_else(|| {
        let mut path = folder.to_owned();
        for part in name.split('/') {
            path = in_any_case(&path, part)?;
        }
        disk::inside(folder, &path, most)
    })
}

/// The first entry of a folder, by name, that is called `name` but for the case of its letters.
fn in_any_case(folder: &Path, name: &str) -> Option<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let wanted = name.to_lowercase();
    let entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let same = entries.filter(|e| e.file_name().to_str().is_some_and(|own| own.to_lowercase() == wanted));
    same.map(|entry| entry.path()).min()
}

/// The bytes of a file on disk, or of a file in an archive on disk (`ARCHIVE:ENTRY`), as [`open`] reads them.
///
/// # Errors
/// If it cannot be read.
pub fn file_bytes(path: &Path, lenient: bool) -> Result<Vec<u8>, Error> {
    bytes_of(path, &ReadOptions { lenient, ..ReadOptions::default() }).map(|(bytes, _)| bytes)
}

/// Opens a file on disk, or a file in an archive on disk (`ARCHIVE:ENTRY`), and the files beside it that it needs: for
/// an entry, those of its archive.
/// `format` overrides detection.
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
