//! The journal of a run, which becomes its manifest.
//!
//! Every line is appended by a single write before the announced action, so that a run can be cut off at any
//! time: announced results can be looked for, and results without an announcement do not exist. Only the
//! positions of lines are kept in memory.

use super::record::{Key, Record, Status};
use dopesheet::core::bytes::json;
use dopesheet::{Error, save};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Seek, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Most bytes of a line of a journal or manifest: enough for hundreds of thousands of inputs of one output.
const LONGEST_LINE: u64 = 64 << 20;

/// Ways to start a run after a possible earlier run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// No unfinished run may exist.
    Fresh,
    /// Continues an unfinished run.
    Resume,
    /// Ignores any earlier run.
    Anew,
}

/// The journal of a run.
#[derive(Debug)]
pub(crate) struct Journal {
    manifest: PathBuf,
    path: PathBuf,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    journal: File,
    /// Length of the journal: whole lines only.
    length: u64,
    /// The manifest of an earlier run.
    earlier: Option<File>,
    places: BTreeMap<Key, LastLine>,
}

/// Position of the last line about an output.
#[derive(Clone, Copy, Debug)]
struct LastLine {
    in_journal: bool,
    at: u64,
    length: usize,
    /// True if the output has its name, although the line announces only the naming.
    settled: bool,
}

impl Journal {
    /// Opens the journal beside a manifest, and locks it until the end of this run. A file that is no
    /// manifest stays if a person has named it, or if there is no permission to replace it.
    ///
    /// # Errors
    /// If an unfinished journal exists and `start` is no decision about it, the journal belongs to a running
    /// process, or it cannot be written. Also if another file has the name of the manifest.
    pub(crate) fn open(manifest: &Path, start: Start, is_named: bool) -> Result<Self, Error> {
        let path = journal_of(manifest);
        let io = |source| Error::Io { path: path.clone(), source };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(io)?;
        }
        check_regular(&path).map_err(io)?;
        if path.is_symlink() {
            let text = "expected a regular file, found a symbolic link, which is not followed";
            return Err(io(io::Error::new(io::ErrorKind::AlreadyExists, text)));
        }
        check_regular(manifest).map_err(|source| Error::Io { path: manifest.to_owned(), source })?;
        let mut journal = File::options().read(true).append(true).create(true).open(&path).map_err(io)?;
        let (start_of_records, mut head) = (b"{\"schema_version\":", Vec::new());
        (&journal).take(start_of_records.len() as u64).read_to_end(&mut head).map_err(io)?;
        if (is_named || start == Start::Anew) && !start_of_records.starts_with(&head) {
            let text = "expected the journal of an earlier run, found another file, which stays";
            return Err(io(io::Error::new(io::ErrorKind::AlreadyExists, text)));
        }
        match journal.try_lock() {
            Err(std::fs::TryLockError::WouldBlock) => {
                let text = "belongs to a run that is still in progress";
                return Err(io(io::Error::new(io::ErrorKind::ResourceBusy, text)));
            }
            // Where there are no locks, people have to take care themselves.
            Ok(()) | Err(std::fs::TryLockError::Error(_)) => {}
        }
        if !head.is_empty() && start == Start::Fresh {
            return Err(Error::Usage(format!(
                "{}: an earlier run was interrupted; --resume resumes it, --force starts over",
                path.display()
            )));
        }
        if start == Start::Anew {
            journal.set_len(0).map_err(io)?;
        }
        let mut places = BTreeMap::new();
        let mut earlier = File::open(manifest).ok();
        if let Some(file) = &mut earlier {
            let io = |source| Error::Io { path: manifest.to_owned(), source };
            scan(file, false, &mut places).map_err(io)?;
            let may_go = start != Start::Fresh && !is_named;
            if places.is_empty() && !may_go && file.metadata().map_err(io)?.len() > 0 {
                let text = "expected the manifest of an earlier run, found another file, which stays";
                return Err(io(io::Error::new(io::ErrorKind::AlreadyExists, text)));
            }
        }
        // What stands behind the last whole line was being written when the run was cut off.
        let length = scan(&mut journal, true, &mut places).map_err(io)?;
        journal.set_len(length).map_err(io)?;
        // What an earlier run could not even try is found again, or is no more.
        places.retain(|key, _| matches!(key, Key::Output(_)));
        let inner = Mutex::new(Inner { journal, length, earlier, places });
        Ok(Self { manifest: manifest.to_owned(), path, inner })
    }

    /// Path of the future manifest.
    pub(crate) fn manifest(&self) -> &Path {
        &self.manifest
    }

    /// The record of an output, if there is one.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub(crate) fn known(&self, output: &str) -> Result<Option<Record>, Error> {
        let mut inner = self.inner();
        let Some(last_line) = inner.places.get(&Key::Output(output.to_owned())).copied() else {
            return Ok(None);
        };
        let line = inner.line(last_line).map_err(self.io())?;
        Ok(Record::parse(&line).map(|record| last_line.settle(record)))
    }

    /// Appends a record.
    ///
    /// # Errors
    /// If the record cannot be written; then the announced action must not happen.
    pub(crate) fn note(&self, record: &Record) -> Result<(), Error> {
        let mut inner = self.inner();
        let line = record.line();
        let last_line = LastLine { in_journal: true, at: inner.length, length: line.len(), settled: false };
        inner.append(&line).map_err(self.io())?;
        inner.places.insert(record.key(), last_line);
        Ok(())
    }

    /// Notes that an output with a record has its name.
    ///
    /// # Errors
    /// If the note cannot be written.
    pub(crate) fn settle(&self, output: &str) -> Result<(), Error> {
        let mut inner = self.inner();
        let line = format!("{}\n", serde_json::json!({ "settled": output }));
        inner.append(&line).map_err(self.io())?;
        if let Some(last_line) = inner.places.get_mut(&Key::Output(output.to_owned())) {
            last_line.settled = true;
        }
        Ok(())
    }

    /// Makes the manifest: a line for each output, sorted. Then the journal is removed.
    ///
    /// # Errors
    /// If the manifest cannot be written; then the journal stays.
    pub(crate) fn finish(self, folder: &Path) -> Result<(), Error> {
        let (io, manifest_io) = (self.io(), |source| Error::Io { path: self.manifest.clone(), source });
        save::refuse_read(&self.manifest)?;
        let mut inner = self.inner();
        let mut manifest = save::Unfinished::beside(&self.manifest)?;
        let places: Vec<LastLine> = inner.places.values().copied().collect();
        for last_line in places {
            let line = inner.line(last_line).map_err(&io)?;
            let record = Record::parse(&line).map(|record| last_line.settle(record));
            if let Some(record) = record.and_then(|record| record.concluded(folder)) {
                manifest.write_all(record.line().as_bytes()).map_err(manifest_io)?;
            }
        }
        manifest.sync().map_err(manifest_io)?;
        manifest.finish(true)?;
        std::fs::remove_file(&self.path).map_err(&io)
    }

    fn io(&self) -> impl Fn(io::Error) -> Error + use<> {
        let path = self.path.clone();
        move |source| Error::Io { path: path.clone(), source }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The journal of a manifest.
pub(crate) fn journal_of(manifest: &Path) -> PathBuf {
    let mut name = OsString::from(manifest);
    name.push(".journal");
    name.into()
}

impl LastLine {
    fn settle(self, record: Record) -> Record {
        if self.settled { record.with(Status::Done) } else { record }
    }
}

impl Inner {
    /// Appends a whole line or nothing.
    fn append(&mut self, line: &str) -> io::Result<()> {
        if let Err(error) = self.journal.write_all(line.as_bytes()) {
            // On a full disk a part of the line may be there.
            let _ = self.journal.set_len(self.length);
            return Err(error);
        }
        self.length += line.len() as u64;
        Ok(())
    }

    fn line(&mut self, last_line: LastLine) -> io::Result<Vec<u8>> {
        let missing = || io::Error::from(io::ErrorKind::NotFound);
        let file = if last_line.in_journal {
            &mut self.journal
        } else {
            self.earlier.as_mut().ok_or_else(missing)?
        };
        let mut line = vec![0; last_line.length];
        file.seek(SeekFrom::Start(last_line.at))?;
        file.read_exact(&mut line)?;
        Ok(line)
    }
}

/// Refuses a pipe or a device in place of a list: opening a pipe waits for another process, and a device may
/// never end.
fn check_regular(path: &Path) -> io::Result<()> {
    match path.metadata() {
        Ok(about) if !about.is_file() => {
            Err(io::Error::other("expected a regular file, found something else"))
        }
        _ => Ok(()),
    }
}

/// A journal or manifest of an earlier run, if there is one.
///
/// # Errors
/// If the list is no regular file.
#[cfg(feature = "table")]
pub(crate) fn earlier(list: &Path) -> Result<Option<BufReader<File>>, Error> {
    check_regular(list).map_err(|source| Error::Io { path: list.to_owned(), source })?;
    Ok(File::open(list).ok().map(BufReader::new))
}

/// Reads a line with its end; false after the last complete line.
///
/// # Errors
/// The error of the file; also if the line is longer than any written line.
pub(crate) fn next_line(from: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    from.take(LONGEST_LINE).read_until(b'\n', line)?;
    let is_whole = line.last() == Some(&b'\n');
    if !is_whole && line.len() as u64 == LONGEST_LINE {
        let text = format!("expected lines of at most {LONGEST_LINE} bytes, found a longer one");
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    Ok(is_whole)
}

/// Finds the lines of a file, and its length in complete lines.
fn scan(file: &mut File, in_journal: bool, places: &mut BTreeMap<Key, LastLine>) -> io::Result<u64> {
    file.seek(SeekFrom::Start(0))?;
    let (mut reader, mut at, mut line) = (BufReader::new(file), 0, Vec::new());
    while next_line(&mut reader, &mut line)? {
        let length = line.len();
        if let Some(record) = Record::parse(&line) {
            places.insert(record.key(), LastLine { in_journal, at, length, settled: false });
        } else if let Some(output) = settled(&line)
            && let Some(last_line) = places.get_mut(&Key::Output(output))
        {
            last_line.settled = true;
        }
        at += length as u64;
    }
    Ok(at)
}

fn settled(line: &[u8]) -> Option<String> {
    let value = json::value(str::from_utf8(line).ok()?)?;
    value["settled"].as_str().map(str::to_owned)
}
