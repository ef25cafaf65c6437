//! Files that hold files: listing them, finding a file, and refusing names that would lead out of the folder
//! of extraction.
//!
//! Bytes are read only on demand: an archive is a [`Storage`], its index a [`Listing`], and the bytes of an
//! entry are fetched from its [`Entry::range`] alone.

pub use super::safe_name::{Unsafe, unsafe_name};
use claims::Claims;
pub use claims::{DUPLICATE_ENTRY_NAME, ENTRY_OVERLAP, NAME_CASE, Refused, UNSAFE_NAME};
mod claims;

use super::{Confidence, FormatInfo, Hint};
use crate::diag::{ConvertError, ConvertErrorKind, Fault, Place, ReadError, Report, WriteError};
use crate::words::counted;
use std::borrow::Cow;
use std::fmt;
use std::io;
use std::ops::Range;

/// Bytes available piece by piece: a slice in memory, or a file that stays on disk.
pub trait Storage: Sync {
    /// Length in bytes.
    fn length(&self) -> u64;

    /// Bytes of a range; borrowed if they are in memory already.
    ///
    /// # Errors
    /// If the range reaches past the end, or the file cannot be read.
    fn bytes(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>>;
}

impl<T: Storage + ?Sized> Storage for &T {
    fn length(&self) -> u64 {
        (**self).length()
    }

    fn bytes(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        (**self).bytes(range)
    }
}

impl Storage for [u8] {
    fn length(&self) -> u64 {
        self.len() as u64
    }

    fn bytes(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        let bounds = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
        let slice = bounds.and_then(|(start, end)| self.get(start..end));
        slice.map(Cow::Borrowed).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

/// A stretch of another storage: an archive inside an archive.
#[derive(Clone)]
pub struct Part<'a> {
    whole: &'a dyn Storage,
    range: Range<u64>,
}

impl<'a> Part<'a> {
    /// The stretch at `range`, cut to the existing bytes.
    #[must_use]
    pub fn new(whole: &'a dyn Storage, range: Range<u64>) -> Self {
        let end = range.end.min(whole.length());
        Self { whole, range: range.start.min(end)..end }
    }
}

impl Storage for Part<'_> {
    fn length(&self) -> u64 {
        self.range.end.saturating_sub(self.range.start)
    }

    fn bytes(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        if range.end > self.length() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let shifted = |at: u64| self.range.start.saturating_add(at);
        self.whole.bytes(shifted(range.start)..shifted(range.end))
    }
}

impl fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part").field("range", &self.range).finish_non_exhaustive()
    }
}

/// Upper bounds on what an archive may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContainerLimits {
    /// Most entries and folders of an archive, and most entries of all nested archives. Default 2^20.
    pub max_entries: usize,
    /// Archives inside archives. Default 8.
    pub max_depth: usize,
    /// Most memory in bytes for the paths of all entries, beyond four times the length of the archive: a few
    /// long names of folders stand before every entry below them. Default 16 MiB.
    pub max_path_bytes: u64,
}

impl Default for ContainerLimits {
    fn default() -> Self {
        Self { max_entries: 1 << 20, max_depth: 8, max_path_bytes: 16 << 20 }
    }
}

/// A format of files that hold files.
pub trait Container: Send + Sync {
    /// Description of the format.
    fn info(&self) -> &'static FormatInfo;

    /// Confidence that `head` (the first few KiB, or all) is an archive of this format.
    fn probe(&self, head: &[u8], hint: &Hint) -> Confidence;

    /// The index of an archive. Reads no more than the index.
    ///
    /// # Errors
    /// The first structural fault, or the error of the storage; with `lenient`, incomplete entries are left
    /// out and reported.
    fn list(
        &self,
        storage: &dyn Storage,
        limits: &ContainerLimits,
        lenient: bool,
        report: &mut Report,
    ) -> Result<Listing, ContainerError>;

    /// An archive of files by their paths, with slashes between the names; `None` if archives of this format
    /// are read only.
    ///
    /// # Errors
    /// If an archive of this format cannot hold the files.
    fn pack(&self, files: &[(&str, &[u8])]) -> Option<Result<Vec<u8>, WriteError>> {
        let _ = files;
        None
    }
}

impl fmt::Debug for dyn Container + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Container").field(&self.info().id).finish()
    }
}

/// A folder's position in [`Listing::folders`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FolderIndex(pub usize);

/// A folder of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// The folder's name as text; usually empty for the root.
    pub name: String,
    /// The enclosing folder; `None` for the root.
    pub parent: Option<FolderIndex>,
}

/// A file of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name as text, without folders.
    pub name: String,
    /// The folder of the entry.
    pub folder: FolderIndex,
    /// Range of the entry's bytes, from the archive's first byte; within the archive.
    pub range: Range<u64>,
}

/// The entries of an archive, in the order of its index. Paths are put together when they are asked for, for many long
/// ones would take far more memory than the index they stand in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// All folders; enclosing ones first, the root at 0.
    pub folders: Vec<Folder>,
    /// All files, in the order of the index.
    pub entries: Vec<Entry>,
}

impl Listing {
    /// The names from the root (without it) down to an entry.
    #[must_use]
    pub fn components<'a>(&'a self, entry: &'a Entry) -> Vec<&'a str> {
        let mut names = vec![entry.name.as_str()];
        let mut at = self.folders.get(entry.folder.0);
        while let Some(folder) = at {
            let Some(parent) = folder.parent else { break };
            names.push(&folder.name);
            at = self.folders.get(parent.0);
        }
        names.reverse();
        names
    }

    /// The names of an entry and its folders with slashes between them.
    #[must_use]
    pub fn path(&self, entry: &Entry) -> String {
        self.components(entry).join("/")
    }

    /// The names under which an entry may be written below a folder.
    ///
    /// # Errors
    /// If a name would lead elsewhere, or has another meaning on some system: see [`unsafe_name`].
    pub fn safe_components<'a>(&'a self, entry: &'a Entry) -> Result<Vec<&'a str>, Unsafe> {
        let names = self.components(entry);
        match names.iter().find_map(|name| Some((*name, unsafe_name(name)?))) {
            Some((name, why)) => Err(Unsafe { name: name.to_owned(), why }),
            None => Ok(names),
        }
    }

    /// The first entry with a path, exactly or else whatever its ASCII case.
    fn find(&self, path: &[&str]) -> Option<&Entry> {
        let exact = |a: &str, b: &str| a == b;
        let by = |same: fn(&str, &str) -> bool| self.entries.iter().find(|e| self.has_path(e, path, same));
        by(exact).or_else(|| by(str::eq_ignore_ascii_case))
    }

    fn has_path(&self, entry: &Entry, path: &[&str], same: fn(&str, &str) -> bool) -> bool {
        let Some((last, folders)) = path.split_last() else { return false };
        let mut at = self.folders.get(entry.folder.0);
        for name in folders.iter().rev() {
            match at {
                Some(folder) if folder.parent.is_some() && same(&folder.name, name) => {
                    at = folder.parent.and_then(|parent| self.folders.get(parent.0));
                }
                _ => return false,
            }
        }
        same(&entry.name, last) && at.is_some_and(|folder| folder.parent.is_none())
    }
}

/// An error on the way to an entry.
#[derive(Debug)]
#[non_exhaustive]
pub enum ContainerError {
    /// An archive is damaged or nested too deeply.
    Read(ReadError),
    /// No entry has the path; the text is the path.
    NoSuchEntry(String),
    /// The archive's file cannot be read from its storage.
    Io(io::Error),
}

impl fmt::Display for ContainerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::NoSuchEntry(path) => {
                write!(f, "expected an entry of the archive, found none of the name {path}")
            }
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ContainerError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(error) => Some(error),
            Self::Io(error) => Some(error),
            Self::NoSuchEntry(_) => None,
        }
    }
}

impl From<io::Error> for ContainerError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<ReadError> for ContainerError {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

/// Archives of known formats, and how far into each other they are followed.
#[derive(Clone, Copy, Debug)]
pub struct Containers<'a> {
    /// The formats of archives that are recognised.
    pub formats: &'a [&'a dyn Container],
    /// The limits in force for all archives.
    pub limits: ContainerLimits,
    /// True to list as much of a damaged archive as can be read.
    pub lenient: bool,
}

impl<'a> Containers<'a> {
    /// All formats of a list, with the usual limits.
    #[must_use]
    pub fn new(formats: &'a [&'a dyn Container]) -> Self {
        Self { formats, limits: ContainerLimits::default(), lenient: false }
    }

    /// The format of an archive, by its bytes alone; `None` for any other file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn format_of(&self, storage: &dyn Storage) -> io::Result<Option<&'a dyn Container>> {
        let head = storage.bytes(0..self.head().min(storage.length()))?;
        let is = |c: &&&dyn Container| c.probe(&head, &Hint::default()) == Confidence::Certain;
        Ok(self.formats.iter().find(is).copied())
    }

    /// Number of bytes that distinguish archives from other files: up to the last byte of any format's
    /// marker. An archive may have very many entries to probe.
    fn head(&self) -> u64 {
        let magics = self.formats.iter().flat_map(|format| format.info().magics);
        magics.map(|magic| magic.offset.saturating_add(magic.bytes.len()) as u64).max().unwrap_or(0)
    }

    /// The index of an archive.
    ///
    /// # Errors
    /// If the archive is damaged.
    pub fn list(
        &self,
        format: &dyn Container,
        storage: &dyn Storage,
        report: &mut Report,
    ) -> Result<Listing, ContainerError> {
        format.list(storage, &self.limits, self.lenient, report)
    }

    /// Range of the bytes of the entry at a path, from the first byte of the outermost archive.
    ///
    /// A component that names an archive may be followed by a path inside it. Names are compared exactly
    /// first, then without regard to ASCII case; of several entries the first in the index counts.
    ///
    /// # Errors
    /// If the entry does not exist, or an archive on the way is damaged or too deep.
    pub fn locate(&self, storage: &dyn Storage, path: &str) -> Result<Range<u64>, ContainerError> {
        let components: Vec<&str> = path.split('/').filter(|c| !c.is_empty()).collect();
        let range = self.locate_in(storage, &components, 0)?;
        range.ok_or_else(|| ContainerError::NoSuchEntry(path.to_owned()))
    }

    fn locate_in(
        &self,
        storage: &dyn Storage,
        path: &[&str],
        depth: usize,
    ) -> Result<Option<Range<u64>>, ContainerError> {
        let Some(format) = self.format_of(storage)? else { return Ok(None) };
        if depth > self.limits.max_depth {
            return Err(too_deep(format, self.limits.max_depth).into());
        }
        let listing = self.list(format, storage, &mut Report::default())?;
        if let Some(entry) = listing.find(path) {
            return Ok(Some(entry.range.clone()));
        }
        for split in (1..path.len()).rev() {
            let (Some(head), Some(rest)) = (path.get(..split), path.get(split..)) else { continue };
            let Some(entry) = listing.find(head) else { continue };
            let inner = Part::new(storage, entry.range.clone());
            if let Some(range) = self.locate_in(&inner, rest, depth.saturating_add(1))? {
                let shifted = |at: u64| entry.range.start.saturating_add(at);
                return Ok(Some(shifted(range.start)..shifted(range.end)));
            }
        }
        Ok(None)
    }

    /// Calls `visit` with the path and the place (from the outermost archive's first byte) of every entry.
    /// The entries of an inner archive follow the entry of the archive itself.
    ///
    /// # Errors
    /// If an archive is damaged or too deep, there are too many entries, or `visit` fails.
    pub fn walk(&self, storage: &dyn Storage, visit: &mut Visit<'_>) -> Result<(), ContainerError> {
        self.start(storage, true, visit)
    }

    /// As [`Containers::walk`], without the contents of inner archives.
    ///
    /// # Errors
    /// If the archive is damaged, there are too many entries, or `visit` fails.
    pub fn walk_top(&self, storage: &dyn Storage, visit: &mut Visit<'_>) -> Result<(), ContainerError> {
        self.start(storage, false, visit)
    }

    fn start(
        &self,
        storage: &dyn Storage,
        descends: bool,
        visit: &mut Visit<'_>,
    ) -> Result<(), ContainerError> {
        // Archives may share their bytes, so that a small file can hold a huge number of entries.
        let paths =
            self.limits.max_path_bytes.saturating_add(storage.length().saturating_mul(PATHS_PER_BYTE));
        let mut left = Left { entries: self.limits.max_entries, paths, most_paths: paths };
        let walk = Walk { outer: Vec::new(), offset: 0, depth: 0, descends };
        self.walk_in(storage, &walk, &mut left, visit)
    }

    fn walk_in(
        &self,
        storage: &dyn Storage,
        walk: &Walk,
        left: &mut Left,
        visit: &mut Visit<'_>,
    ) -> Result<(), ContainerError> {
        let Some(format) = self.format_of(storage)? else { return Ok(()) };
        if walk.depth > self.limits.max_depth {
            return Err(too_deep(format, self.limits.max_depth).into());
        }
        let listing = self.list(format, storage, &mut Report::default())?;
        let mut claims = Claims::default();
        for entry in &listing.entries {
            left.take(format, walk, &listing, entry, self.limits.max_entries)?;
            let is_free = claims.are_free(entry);
            let refused = claims.claim(&listing, entry);
            let inner = Part::new(storage, entry.range.clone());
            let is_archive = self.format_of(&inner)?.is_some();
            let shifted = |at: u64| walk.offset.saturating_add(at);
            let entry_range = shifted(entry.range.start)..shifted(entry.range.end);
            visit(&WalkedEntry {
                outer: &walk.outer,
                listing: &listing,
                entry,
                range: entry_range.clone(),
                is_archive,
                refused: refused.as_ref(),
            })?;
            // Archives that share their bytes would multiply what they hold.
            if is_archive && walk.descends && is_free {
                let mut outer = walk.outer.clone();
                outer.extend(listing.components(entry).into_iter().map(str::to_owned));
                let depth = walk.depth.saturating_add(1);
                let next = Walk { outer, offset: entry_range.start, depth, descends: true };
                self.walk_in(&inner, &next, left, visit)?;
            }
        }
        Ok(())
    }
}

/// The function that [`Containers::walk`] calls for each entry.
pub type Visit<'a> = dyn FnMut(&WalkedEntry<'_>) -> Result<(), ContainerError> + 'a;

/// Part of [`ContainerLimits::max_path_bytes`] that grows with an archive: bytes of paths for each byte of
/// the archive.
const PATHS_PER_BYTE: u64 = 4;
/// Bytes of memory for a name besides its letters.
const NAME_BYTES: u64 = 48;

/// The remaining allowances of a walk.
struct Left {
    entries: usize,
    paths: u64,
    most_paths: u64,
}

impl Left {
    /// Takes off an entry with its path.
    fn take(
        &mut self,
        format: &dyn Container,
        walk: &Walk,
        listing: &Listing,
        entry: &Entry,
        limit: usize,
    ) -> Result<(), ReadError> {
        self.entries =
            self.entries.checked_sub(1).ok_or_else(|| too_many(format, counted(limit, "entry")))?;
        let outer = walk.outer.iter().map(String::len);
        let lengths = outer.chain(listing.components(entry).into_iter().map(str::len));
        let bytes =
            lengths.fold(0u64, |sum, length| sum.saturating_add(NAME_BYTES).saturating_add(length as u64));
        let refuse = || too_many(format, format!("paths of {} in all", counted(self.most_paths, "byte")));
        self.paths = self.paths.checked_sub(bytes).ok_or_else(refuse)?;
        Ok(())
    }
}

struct Walk {
    outer: Vec<String>,
    offset: u64,
    depth: usize,
    /// True if archives inside the archive are walked through.
    descends: bool,
}

/// An entry met by [`Containers::walk`].
#[derive(Clone, Debug)]
pub struct WalkedEntry<'a> {
    /// Names of the enclosing archives and their folders; empty for the outermost archive.
    pub outer: &'a [String],
    /// The index with the entry.
    pub listing: &'a Listing,
    /// The entry.
    pub entry: &'a Entry,
    /// Range of the entry's bytes, from the outermost archive's first byte.
    pub range: Range<u64>,
    /// True if the entry is itself an archive.
    pub is_archive: bool,
    /// The reason why the entry is never extracted, if there is one. The names of the archives around it are
    /// not checked.
    pub refused: Option<&'a Refused>,
}

impl WalkedEntry<'_> {
    /// All names from the outermost archive down to the entry.
    #[must_use]
    pub fn path(&self) -> String {
        let outer = self.outer.iter().map(String::as_str);
        outer.chain(self.listing.components(self.entry)).collect::<Vec<_>>().join("/")
    }
}

/// The word for archives inside archives beyond the limit.
pub const NESTING_TOO_DEEP: &str = "nesting-too-deep";
/// The word for more entries than the limit allows.
pub const TOO_MANY_ENTRIES: &str = "too-many-entries";

fn too_many(format: &dyn Container, limit: String) -> ReadError {
    let expected = format!("at most {limit} (the limit in force)");
    ReadError::new(format.info().id, Fault::new(TOO_MANY_ENTRIES, Place::File, expected, "more"))
}

fn too_deep(format: &dyn Container, limit: usize) -> ReadError {
    let expected = format!("archives at most {} inside each other", counted(limit, "level"));
    let fault = Fault::new(NESTING_TOO_DEEP, Place::File, expected, "one more (an archive may hold itself)");
    ReadError::new(format.info().id, fault)
}

/// The error of an archive format that is asked for a scene.
#[must_use]
pub fn not_a_scene(info: &FormatInfo) -> ConvertError {
    let what = format!("{} holds files, not motions; convert its entries (archive:path/of/entry)", info.name);
    ConvertError::new(info.id, ConvertErrorKind::Unsupported(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_never_reaches_beyond_itself() {
        let whole: &[u8] = &[0, 1, 2, 3, 4];
        let part = Part::new(&whole, 1..4);
        assert_eq!(part.bytes(0..3).unwrap().as_ref(), [1, 2, 3]);
        assert!(part.bytes(0..4).is_err());
        assert_eq!(Part::new(&whole, 4..9).length(), 1);
        let start = 3;
        assert!(part.bytes(start..2).is_err());
    }
}
