//! Bytes to document. Structural truth only; nothing is repaired.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

use super::document::{Directory, Document, File};
use super::layout::{DEEPEST, LONGEST_NAME, SIGNATURE, SMALLEST_DIRECTORY, SMALLEST_FILE, VERSION};
use super::{ID, codes};
use crate::text::Name;
use dopesheet_core::diag::{Code, Fault, Place, ReadError, Report};
use dopesheet_core::format::container::{ContainerError, ContainerLimits, Storage};
use dopesheet_core::units::ByteOffset;
use dopesheet_core::words::{counted, grouped};
use std::borrow::Cow;
use std::io;

/// Reads a whole archive.
pub(super) fn read(
    bytes: &[u8],
    limits: &ContainerLimits,
    lenient: bool,
    report: &mut Report,
) -> Result<Document, ReadError> {
    let root = match index(&bytes, limits, lenient, report) {
        Ok(read) => read,
        Err(ContainerError::Read(error)) => return Err(error),
        Err(other) => {
            let fault = Fault::new(codes::TRUNCATED.code, Place::File, "bytes in memory", other.to_string());
            return Err(ReadError::new(ID, fault));
        }
    };
    let mut document = Document { root, data: Vec::new() };
    // Files keep their places also behind an index that entries were left out of: what is too long becomes a gap.
    document.data = bytes.get(document.index_size()..).unwrap_or_default().to_vec();
    Ok(document)
}

/// Reads the index alone.
pub(super) fn index(
    storage: &dyn Storage,
    limits: &ContainerLimits,
    lenient: bool,
    report: &mut Report,
) -> Result<Directory, ContainerError> {
    let mut reader = Reader {
        storage,
        length: storage.length(),
        window: Cow::Borrowed(&[]),
        start: 0,
        at: 0,
        left: limits.max_entries,
        limit: limits.max_entries,
        lenient,
        report,
    };
    let root = reader.header().and_then(|()| reader.directory(0));
    match root {
        Ok(root) => Ok(root),
        Err(Stop::Fault(fault)) => Err(ReadError::new(ID, *fault).into()),
        Err(Stop::Io(error)) => Err(error.into()),
    }
}

/// Reason why reading an index stopped.
enum Stop {
    Fault(Box<Fault>),
    Io(io::Error),
}

impl From<Box<Fault>> for Stop {
    fn from(fault: Box<Fault>) -> Self {
        Self::Fault(fault)
    }
}

impl Stop {
    fn within(self, name: &str, index: usize) -> Self {
        match self {
            // The way down to what lies too deep would fill a page.
            Self::Fault(fault) if fault.code != codes::NESTING_TOO_DEEP.code => {
                Self::Fault(Box::new(fault.within(format_args!("[{index}]")).within(name)))
            }
            other => other,
        }
    }
}

type Read<T> = Result<T, Stop>;

/// Number of bytes fetched from a file at a time.
const CHUNK: u64 = 1 << 16;

/// Reads an index front to back, fetching bytes as needed.
struct Reader<'a, 'r> {
    storage: &'a dyn Storage,
    length: u64,
    /// Fetched bytes; `start` is the offset of the first.
    window: Cow<'a, [u8]>,
    start: u64,
    /// Number of bytes of the window already read.
    at: usize,
    /// Number of files and folders still allowed, of `limit`.
    left: usize,
    limit: usize,
    lenient: bool,
    report: &'r mut Report,
}

/// A storage shorter than its stated length.
fn short() -> Stop {
    Stop::Io(io::ErrorKind::UnexpectedEof.into())
}

impl Reader<'_, '_> {
    fn position(&self) -> u64 {
        self.start.saturating_add(self.at as u64)
    }

    fn remaining(&self) -> u64 {
        self.length.saturating_sub(self.position())
    }

    fn fault(
        &self,
        at: u64,
        code: Code,
        name: &str,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Stop {
        let byte = Place::Byte(ByteOffset(at));
        Stop::Fault(Box::new(Fault::new(code, byte, expected.into(), found.into()).at_path(name)))
    }

    fn take(&mut self, count: usize, name: &'static str) -> Read<&[u8]> {
        if count as u64 > self.remaining() {
            let actual = format!("{} left", self.remaining());
            let at = self.position();
            return Err(self.fault(at, codes::TRUNCATED.code, name, counted(count, "byte"), actual));
        }
        let end = self.at.saturating_add(count);
        if end > self.window.len() {
            let start = self.position();
            let stop = start.saturating_add(CHUNK.max(count as u64)).min(self.length);
            self.window = self.storage.bytes(start..stop).map_err(Stop::Io)?;
            (self.start, self.at) = (start, 0);
        }
        let from = self.at;
        self.at = from.saturating_add(count);
        self.window.get(from..self.at).ok_or_else(short)
    }

    fn array<const N: usize>(&mut self, name: &'static str) -> Read<[u8; N]> {
        self.take(N, name)?.first_chunk().copied().ok_or_else(short)
    }

    fn u32(&mut self, name: &'static str) -> Read<u32> {
        self.array(name).map(u32::from_le_bytes)
    }

    fn header(&mut self) -> Read<()> {
        let start = self.position();
        let signature: [u8; SIGNATURE.len()] = self.array("signature")?;
        if signature != *SIGNATURE {
            let actual = format!("\"{}\"", signature.escape_ascii());
            let expected = format!("\"{}\"", SIGNATURE.escape_ascii());
            return Err(self.fault(start, codes::BAD_MAGIC.code, "signature", expected, actual));
        }
        let start = self.position();
        let version = self.u32("version")?;
        if version != VERSION {
            let code = codes::BAD_ARCHIVE_VERSION.code;
            return Err(self.fault(start, code, "version", VERSION.to_string(), version.to_string()));
        }
        Ok(())
    }

    fn name(&mut self) -> Read<Name> {
        let start = self.position();
        let length = self.u32("name")?;
        let limit = self.remaining().min(u64::from(LONGEST_NAME));
        if u64::from(length) > limit {
            let (expected, actual) =
                (format!("a name of at most {limit} bytes"), format!("one of {}", grouped(length as usize)));
            return Err(self.fault(start, codes::STRING_EXCEEDS_DATA.code, "name", expected, actual));
        }
        self.take(length as usize, "name").map(|bytes| Name(bytes.into()))
    }

    /// Compares a count with the bytes left and with the limit of the caller.
    fn check_count(&mut self, at: u64, count: u32, smallest: u64, name: &'static str) -> Read<usize> {
        let limit = self.remaining().checked_div(smallest).unwrap_or(0);
        if u64::from(count) > limit {
            let expected = format!("at most {limit} ({} bytes left, {smallest} each)", self.remaining());
            return Err(self.fault(
                at,
                codes::COUNT_EXCEEDS_DATA.code,
                name,
                expected,
                grouped(count as usize),
            ));
        }
        let count = count as usize;
        match self.left.checked_sub(count) {
            Some(left) => self.left = left,
            None => {
                let expected = format!("at most {} files and folders (the limit)", grouped(self.limit));
                return Err(self.fault(at, codes::TOO_MANY_ENTRIES.code, name, expected, "more"));
            }
        }
        Ok(count)
    }

    fn directory(&mut self, depth: usize) -> Read<Directory> {
        let start = self.position();
        if depth > DEEPEST {
            let expected = format!("folders at most {DEEPEST} levels deep");
            let actual = format!("one at level {depth}");
            return Err(self.fault(start, codes::NESTING_TOO_DEEP.code, "folder", expected, actual));
        }
        let name = self.name()?;
        let start = self.position();
        let [count] = self.array("folders")?;
        let count = self.check_count(start, count.into(), SMALLEST_DIRECTORY, "folders")?;
        let mut directories = Vec::with_capacity(count);
        for index in 0..count {
            let below = self.directory(depth.saturating_add(1));
            directories.push(below.map_err(|stop| stop.within("folders", index))?);
        }
        let start = self.position();
        let count = self.u32("files")?;
        let count = self.check_count(start, count, SMALLEST_FILE, "files")?;
        let mut files = Vec::with_capacity(count);
        for index in 0..count {
            files.extend(self.file().map_err(|stop| stop.within("files", index))?);
        }
        Ok(Directory { name, directories, files })
    }

    /// `None` if the file is incomplete and the reader is lenient.
    fn file(&mut self) -> Read<Option<File>> {
        let start = self.position();
        let file = File { name: self.name()?, size: self.u32("size")?, position: self.u32("position")? };
        let end = u64::from(file.position).saturating_add(u64::from(file.size));
        if end <= self.length {
            return Ok(Some(file));
        }
        let code = codes::ENTRY_OUT_OF_BOUNDS.code;
        let expected = format!("a file that ends within the archive's {} bytes", self.length);
        let extent = format!(
            "\"{}\" at byte {} with {}",
            file.name,
            file.position,
            counted(file.size as usize, "byte")
        );
        match self.fault(start, code, "file", expected, extent) {
            Stop::Fault(fault) if self.lenient => {
                let actual = format!("{} (left out)", fault.found);
                self.report.error(Fault { found: actual.into(), ..*fault });
                Ok(None)
            }
            stop => Err(stop),
        }
    }
}
