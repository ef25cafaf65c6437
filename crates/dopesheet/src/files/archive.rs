//! Archives: their contents, and files in them by `ARCHIVE:ENTRY`.

pub use super::pack::{pack, packs};
pub use dopesheet_core::format::container::Refused;

use super::disk;
use super::read::{Opened, detect, read_as};
use crate::error::Error;
use crate::registry;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Report};
use dopesheet_core::format::container::{ContainerError, UNSAFE_NAME, Unsafe, WalkedEntry, unsafe_name};
use dopesheet_core::format::{Containers, ReadOptions, Storage};
use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A file on disk, read only in the parts requested.
#[derive(Debug)]
struct Disk {
    file: File,
    length: u64,
    /// Held from a seek to the end of the read after it, because all readers share one position in the file.
    #[cfg(not(unix))]
    turn: std::sync::Mutex<()>,
}

impl Disk {
    fn open(path: &Path) -> io::Result<Self> {
        let (file, length) = disk::open(path)?;
        Ok(Self {
            file,
            length,
            #[cfg(not(unix))]
            turn: std::sync::Mutex::default(),
        })
    }

    #[cfg(unix)]
    fn fill(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, bytes, at)
    }

    #[cfg(not(unix))]
    fn fill(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};
        let _turn = self.turn.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut file = &self.file;
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(bytes)
    }
}

impl Storage for Disk {
    fn length(&self) -> u64 {
        self.length
    }

    fn bytes(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        if range.end > self.length || range.start > range.end {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let length = usize::try_from(range.end - range.start).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let mut bytes = vec![0; length];
        self.fill(&mut bytes, range.start)?;
        Ok(Cow::Owned(bytes))
    }
}

/// Storage of an archive's bytes.
#[derive(Debug)]
enum Bytes {
    Disk(Disk),
    Memory(Vec<u8>),
}

impl Storage for Bytes {
    fn length(&self) -> u64 {
        match self {
            Self::Disk(disk) => disk.length(),
            Self::Memory(bytes) => bytes.as_slice().length(),
        }
    }

    fn bytes(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        match self {
            Self::Disk(disk) => disk.bytes(range),
            Self::Memory(bytes) => bytes.as_slice().bytes(range),
        }
    }
}

/// An archive, on disk or in memory.
#[derive(Debug)]
pub struct Archive {
    path: PathBuf,
    disk: Bytes,
    lenient: bool,
}

/// One file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveEntry {
    /// Path of the entry, with the paths of all archives around it in front.
    pub path: String,
    /// Names from the outside in, if the entry may be written as a file in folders of these names; else the
    /// reason for the refusal: a name is not safe or equals the name of an entry before it (on systems
    /// without case too), or the bytes belong to entries before it.
    pub names: Result<Vec<String>, Refused>,
    /// Range of the entry's bytes in the outermost archive's file.
    pub place: Range<u64>,
    /// True if the entry is itself an archive.
    pub is_archive: bool,
}

impl Archive {
    /// Opens a file if its bytes are an archive; `None` for any other file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn open(path: &Path, lenient: bool) -> Result<Option<Self>, Error> {
        let io = |source| Error::Io { path: path.to_owned(), source };
        Self { path: path.to_owned(), disk: Bytes::Disk(Disk::open(path).map_err(io)?), lenient }.known()
    }

    /// Takes bytes if they are an archive; `None` for any others. `name` is the caller's name for the bytes.
    ///
    /// # Errors
    /// Never for bytes in memory; the type is that of [`Archive::open`].
    pub fn read(name: &str, bytes: Vec<u8>, lenient: bool) -> Result<Option<Self>, Error> {
        Self { path: name.into(), disk: Bytes::Memory(bytes), lenient }.known()
    }

    /// All bytes of an archive in memory; empty for an archive on disk.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        match self.disk {
            Bytes::Disk(_) => Vec::new(),
            Bytes::Memory(bytes) => bytes,
        }
    }

    /// Returns `self` if its bytes are an archive.
    fn known(self) -> Result<Option<Self>, Error> {
        let is_archive = self.containers().format_of(&self.disk).map(|format| format.is_some());
        match is_archive {
            Ok(is_archive) => Ok(is_archive.then_some(self)),
            Err(source) => Err(Error::Io { path: self.path, source }),
        }
    }

    fn containers(&self) -> Containers<'static> {
        Containers { lenient: self.lenient, ..Containers::new(registry::containers()) }
    }

    fn error(&self, error: ContainerError) -> Error {
        match error {
            ContainerError::Read(error) => Error::Read(error),
            ContainerError::Io(source) => Error::Io { path: self.path.clone(), source },
            other => ConvertError::new("archive", ConvertErrorKind::Unsupported(other.to_string())).into(),
        }
    }

    /// The entries, in the order of the index; with `recursive` also the contents of archives inside.
    ///
    /// # Errors
    /// If the archive is damaged.
    pub fn entries(&self, recursive: bool) -> Result<Vec<ArchiveEntry>, Error> {
        let mut entries = Vec::new();
        let mut visit = |walked: &WalkedEntry<'_>| {
            entries.push(entry(walked));
            Ok(())
        };
        let containers = self.containers();
        let done = match recursive {
            true => containers.walk(&self.disk, &mut visit),
            false => containers.walk_top(&self.disk, &mut visit),
        };
        done.map_err(|e| self.error(e))?;
        Ok(entries)
    }

    /// Faults of the archive's index.
    ///
    /// # Errors
    /// If the archive is too damaged to be listed.
    pub fn check(&self) -> Result<Report, Error> {
        let mut report = Report::default();
        let containers = self.containers();
        let io = |source| Error::Io { path: self.path.clone(), source };
        if let Some(format) = containers.format_of(&self.disk).map_err(io)? {
            containers.list(format, &self.disk, &mut report).map_err(|e| self.error(e))?;
        }
        Ok(report)
    }

    /// The bytes of an entry; nothing else is read.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn bytes(&self, entry: &ArchiveEntry) -> Result<Vec<u8>, Error> {
        self.part(entry.place.clone())
    }

    /// Reads an entry of a known format, with the files around the entry that it names; `None` if the format
    /// is not known.
    ///
    /// # Errors
    /// If the entry cannot be read or is damaged.
    pub fn open_entry(&self, entry: &ArchiveEntry, options: &ReadOptions) -> Result<Option<Opened>, Error> {
        let bytes = self.bytes(entry)?;
        let Ok(format) = detect(&entry.path, &bytes) else { return Ok(None) };
        let name = format!("{}:{}", self.path.display(), entry.path);
        let mut fetch = |wanted: &str| self.beside(&entry.path, wanted);
        read_as(format, &name, &bytes, options, &mut fetch).map(Some)
    }

    /// A file by the name that an entry gives it: from the entry's folder, else from the folders around it,
    /// up to and including the roots of the archives around.
    fn beside(&self, entry: &str, name: &str) -> Option<Vec<u8>> {
        let ends = entry.rmatch_indices('/').map(|(at, _)| at + 1).chain([0]);
        let mut paths = ends.map(|end| format!("{}{name}", &entry[..end]));
        paths.find_map(|path| self.find(&path).ok())
    }

    fn part(&self, range: Range<u64>) -> Result<Vec<u8>, Error> {
        let bytes = self.disk.bytes(range).map_err(|source| Error::Io { path: self.path.clone(), source })?;
        Ok(bytes.into_owned())
    }

    /// The bytes of the entry at a path.
    ///
    /// # Errors
    /// If there is no such entry.
    pub fn find(&self, path: &str) -> Result<Vec<u8>, Error> {
        let location = self.containers().locate(&self.disk, path).map_err(|e| self.error(e))?;
        self.part(location)
    }
}

fn entry(walked: &WalkedEntry<'_>) -> ArchiveEntry {
    // The archives around it become folders, too.
    let unsafe_outer = walked.outer.iter().find_map(|name| {
        let refused = Unsafe { name: name.clone(), why: unsafe_name(name)? };
        Some(Refused { code: UNSAFE_NAME, why: refused.to_string() })
    });
    let names = match unsafe_outer.or_else(|| walked.refused.cloned()) {
        Some(refused) => Err(refused),
        None => {
            let names = walked.listing.components(walked.entry).into_iter().map(str::to_owned);
            Ok(walked.outer.iter().cloned().chain(names).collect())
        }
    };
    ArchiveEntry { path: walked.path(), names, place: walked.range.clone(), is_archive: walked.is_archive }
}

/// A file in an archive on disk, and access to the files beside it.
pub(crate) struct InArchive {
    archive: Archive,
    path: String,
}

impl InArchive {
    /// The entry that `ARCHIVE:ENTRY` names: the longest part before a `:` that is an archive, and the entry
    /// behind it. `None` if no part of the name is an archive.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub(crate) fn new(name: &str, lenient: bool) -> Result<Option<Self>, Error> {
        for (at, _) in name.rmatch_indices(':') {
            let (archive, entry) = (Path::new(&name[..at]), &name[at + 1..]);
            if !archive.is_file() {
                continue;
            }
            if let Some(archive) = Archive::open(archive, lenient)? {
                return Ok(Some(Self { archive, path: entry.to_owned() }));
            }
        }
        Ok(None)
    }

    /// The file's bytes.
    ///
    /// # Errors
    /// If the archive is damaged or has no such entry.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, Error> {
        self.archive.find(&self.path)
    }

    /// Another file by the name that this file gives it; see [`Archive::open_entry`].
    pub(crate) fn beside(&self, name: &str) -> Option<Vec<u8>> {
        self.archive.beside(&self.path, name)
    }
}
