//! Files are written beside their target and renamed into place, so that a failed run leaves the old file or none.

use crate::convert::{ConversionReport, ConvertOptions};
use crate::disk::special;
use crate::error::Error;
use crate::read::Opened;
use crate::registry;
use dopesheet_core::format::{AnyFormat, Hint, Output, Pieces, ResourceName};
use std::collections::HashSet;
use std::fs::Metadata;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Prefix and suffix of the names of unfinished files, so that those of a run that was killed can be found again.
const UNFINISHED: (&str, &str) = (".dopesheet-", ".part");

impl Opened {
    /// The format that a file of this name gets: the own one of this file, unless the name says another.
    ///
    /// # Errors
    /// [`Error::Usage`] if the extension is that of no format.
    pub fn format_for(&self, name: &str) -> Result<&'static dyn AnyFormat, Error> {
        match Hint::from_file_name(name).extension {
            Some(extension) if !self.format().info().extensions.contains(&&*extension) => {
                registry::by_file_name(name)
            }
            _ => Ok(self.format()),
        }
    }

    /// Writes this file to disk in [the format of that name](Self::format_for), as [`convert`](fn@crate::convert) does without any
    /// option: in its own format, byte for byte what its document holds. Without `force` nothing is overwritten.
    ///
    /// # Errors
    /// Those of [`convert`](fn@crate::convert) and [`fn@output`].
    pub fn save(&self, path: impl AsRef<Path>, force: bool) -> Result<ConversionReport, Error> {
        let path = path.as_ref();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let to = self.format_for(&name)?;
        let options = ConvertOptions { file_name: Some(name), ..ConvertOptions::to(to) };
        let made = crate::convert(std::slice::from_ref(self), &options)?;
        output(path, &made.output, force)?;
        Ok(made.report)
    }
}

/// Writes a file and the files that belong to it; the main one last.
///
/// Without `force` nothing is overwritten; that is checked for all of them before the first is written.
///
/// # Errors
/// If one of them exists and `force` is not set, or cannot be written.
pub fn output(path: &Path, output: &Output, force: bool) -> Result<(), Error> {
    let main = [&output.main[..]];
    finish(unnamed(path, &main, &output.resources, force)?, force)
}

/// As [`fn@output`], of a file in pieces.
///
/// # Errors
/// As [`fn@output`].
pub fn pieces(path: &Path, pieces: &Pieces, force: bool) -> Result<(), Error> {
    finish(unnamed(path, &pieces.main, &pieces.resources, force)?, force)
}

fn finish(files: Vec<Unfinished>, force: bool) -> Result<(), Error> {
    files.into_iter().try_for_each(|file| file.finish(force))
}

/// As [`fn@output`], up to the moment at which files get their names: in the order of what it hands back, the main one last.
///
/// # Errors
/// If one of them exists and `force` is not set, or cannot be written.
pub fn unnamed(
    path: &Path,
    main: &[impl AsRef<[u8]>],
    resources: &[(ResourceName, Vec<u8>)],
    force: bool,
) -> Result<Vec<Unfinished>, Error> {
    let folder = folder_of(path);
    let resources: Vec<_> = resources.iter().map(|(name, bytes)| (folder.join(name), bytes)).collect();
    for target in resources.iter().map(|(p, _)| p.as_path()).chain([path]) {
        refuse_existing(target, force)?;
    }
    // All of them are on the disk before the first gets its name: a disk that is full half-way leaves none.
    let beside = resources.iter().map(|(target, bytes)| written(target, &[bytes]));
    beside.chain(std::iter::once_with(|| written(path, main))).collect()
}

/// Refuses to overwrite a file.
///
/// # Errors
/// If it exists and `force` is not set, or is no regular file: a device or a pipe is never replaced.
pub fn refuse_existing(path: &Path, force: bool) -> Result<(), Error> {
    match std::fs::metadata(path) {
        Ok(about) if !about.is_file() => Err(not_regular(path, &about)),
        Ok(_) if !force => Err(exists(path)),
        _ => Ok(()),
    }
}

fn not_regular(path: &Path, about: &Metadata) -> Error {
    let (kind, found) = match about.is_dir() {
        true => (io::ErrorKind::IsADirectory, "a folder"),
        false => (io::ErrorKind::NotSeekable, special(about.file_type())),
    };
    let text = format!("expected a file to write, found {found}, which is never replaced");
    Error::Io { path: path.to_owned(), source: io::Error::new(kind, text) }
}

fn exists(path: &Path) -> Error {
    let source = io::Error::new(io::ErrorKind::AlreadyExists, "exists already (--force overwrites it)");
    Error::Io { path: path.to_owned(), source }
}

/// Writes one file, and the folders that it is to be in.
///
/// # Errors
/// If it exists and `force` is not set, or cannot be written.
pub fn bytes_to(path: &Path, bytes: &[u8], force: bool) -> Result<(), Error> {
    written(path, &[bytes])?.finish(force)
}

fn written(path: &Path, pieces: &[impl AsRef<[u8]>]) -> Result<Unfinished, Error> {
    let io = |source| Error::Io { path: path.to_owned(), source };
    let mut file = Unfinished::beside(path)?;
    // Pieces may be short and many.
    let mut buffered = BufWriter::new(&mut file);
    pieces.iter().try_for_each(|piece| buffered.write_all(piece.as_ref())).map_err(io)?;
    buffered.flush().map_err(io)?;
    drop(buffered);
    file.sync().map_err(io)?;
    Ok(file)
}

/// Where the unfinished files of this process are.
static BEGUN: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);

fn begun() -> MutexGuard<'static, Option<HashSet<PathBuf>>> {
    BEGUN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all unfinished files of this process, for when it ends before they are finished. Whoever begins or finishes one after
/// that waits for the end of the process.
pub fn abandon() {
    let mut begun = begun();
    for path in begun.iter_mut().flat_map(HashSet::drain) {
        // What cannot be removed is found by `sweep`.
        let _ = std::fs::remove_file(path);
    }
    std::mem::forget(begun);
}

/// A file that is being written: nobody sees it under its name before [`Unfinished::finish`], and it is gone when it is
/// dropped.
#[derive(Debug)]
pub struct Unfinished {
    file: tempfile::NamedTempFile,
    path: PathBuf,
    begun: Begun,
}

/// A place in the list of unfinished files, which is left when the file has its name or is gone.
#[derive(Debug)]
struct Begun(PathBuf);

impl Drop for Begun {
    fn drop(&mut self) {
        if let Some(begun) = begun().as_mut() {
            begun.remove(&self.0);
        }
    }
}

impl Unfinished {
    /// Starts a file, and makes the folders that it is to be in.
    ///
    /// # Errors
    /// If it cannot be written there.
    pub fn beside(path: &Path) -> Result<Self, Error> {
        Self::within(folder_of(path), path)
    }

    /// As [`Unfinished::beside`], but in another folder of the same disk until it gets its name: in one that
    /// [`sweep`] is told of.
    ///
    /// # Errors
    /// If it cannot be written there.
    pub fn within(folder: &Path, path: &Path) -> Result<Self, Error> {
        let io = |source| Error::Io { path: path.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(io)?;
        let (prefix, suffix) = UNFINISHED;
        // Opened here, because `tempfile` writes its own random name into what the system says.
        let open = |path: &Path| std::fs::File::options().write(true).create_new(true).open(path);
        let mut list = begun();
        let file =
            tempfile::Builder::new().prefix(prefix).suffix(suffix).make_in(folder, open).map_err(io)?;
        list.get_or_insert_default().insert(file.path().to_owned());
        drop(list);
        let begun = Begun(file.path().to_owned());
        // Held as long as somebody writes here; see `sweep`. Where there are no locks, nothing is swept.
        let _ = file.as_file().try_lock();
        Ok(Self { file, path: path.to_owned(), begun })
    }

    /// Waits until all that was written is on the disk.
    ///
    /// # Errors
    /// If the disk cannot hold it.
    pub fn sync(&self) -> io::Result<()> {
        self.file.as_file().sync_all()
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If there is one of that name and `force` is not set, or it cannot have it.
    pub fn finish(self, force: bool) -> Result<(), Error> {
        let path = self.path;
        let io = |source| Error::Io { path: path.clone(), source };
        set_usual_permissions(&self.file).map_err(io)?;
        if self.file.path().parent() != path.parent() {
            std::fs::create_dir_all(folder_of(&path)).map_err(io)?;
        }
        refuse_existing(&path, true)?;
        let Begun(own) = &self.begun;
        // Held until the file has its name, so that nobody removes it on its way.
        let mut list = begun();
        if let Some(list) = list.as_mut() {
            list.remove(own);
        }
        if force {
            return self.file.persist(&path).map(drop).map_err(|e| io(e.error));
        }
        self.file.persist_noclobber(&path).map(drop).map_err(|e| match e.error.kind() {
            io::ErrorKind::AlreadyExists => exists(&path),
            _ => io(e.error),
        })
    }
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_file_mut().flush()
    }
}

/// Removes what runs that were killed left unfinished in a folder, not in those below it; how many files that were. What
/// another run is writing at the moment stays.
///
/// # Errors
/// If the folder cannot be read, or such a file cannot be removed. That there is no such folder is none.
pub fn sweep(folder: &Path) -> Result<usize, Error> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    };
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        entries => entries.map_err(io(folder))?,
    };
    let mut swept = 0;
    for entry in entries {
        let entry = entry.map_err(io(folder))?;
        let (name, path) = (entry.file_name(), entry.path());
        let name = name.to_string_lossy();
        // Opening a pipe waits for whoever reads it.
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !(is_file && name.starts_with(UNFINISHED.0) && name.ends_with(UNFINISHED.1)) {
            continue;
        }
        // Locked or gone: somebody writes it, or has just finished.
        if std::fs::File::options().write(true).open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            std::fs::remove_file(&path).map_err(io(&path))?;
            swept += 1;
        }
    }
    Ok(swept)
}

/// Writes one file below a folder, under names that a stranger chose: never through a symbolic link, which could lead
/// anywhere, nor over one. The folder itself may be a link. Where the file is now.
///
/// # Errors
/// As [`bytes_to`]; also if there is such a link.
pub fn below(folder: &Path, names: &[String], bytes: &[u8], force: bool) -> Result<PathBuf, Error> {
    let path: PathBuf = std::iter::once(folder).chain(names.iter().map(Path::new)).collect();
    refuse_links(folder, &path)?;
    bytes_to(&path, bytes, force).map(|()| path)
}

/// Refuses a path that goes through a symbolic link below a folder, or ends in one. The folder itself may be a link, and a path that is
/// not below it may go through any.
///
/// # Errors
/// If there is such a link.
pub fn refuse_links(folder: &Path, path: &Path) -> Result<(), Error> {
    let mut below = folder.to_owned();
    for name in path.strip_prefix(folder).unwrap_or(Path::new("")) {
        below.push(name);
        if below.is_symlink() {
            let text = "expected a folder or a new file, found a symbolic link, which is not followed";
            let source = io::Error::new(io::ErrorKind::AlreadyExists, text);
            return Err(Error::Io { path: below, source });
        }
    }
    Ok(())
}

/// Whatever else the system would give a new file, everyone may read it.
#[cfg(unix)]
fn set_usual_permissions(file: &tempfile::NamedTempFile) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn set_usual_permissions(_: &tempfile::NamedTempFile) -> io::Result<()> {
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_writes_any_more_is_swept() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in [".dopesheet-1.part", ".dopesheet-2.part", ".dopesheet-notes", "walk.glb", "x.part"] {
            std::fs::write(at(name), "x").unwrap();
        }
        let held = std::fs::File::options().write(true).open(at(".dopesheet-2.part")).unwrap();
        held.try_lock().unwrap();
        assert_eq!(sweep(folder.path()).unwrap(), 1);
        assert!(!at(".dopesheet-1.part").exists() && at(".dopesheet-2.part").exists());
        drop(held);
        assert_eq!(sweep(folder.path()).unwrap(), 1);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
        assert_eq!(sweep(&at("nowhere")).unwrap(), 0);
    }

    #[test]
    fn what_the_system_says_names_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file/walk.glb");
        std::fs::create_dir(folder.path().join("file")).unwrap();
        let unfinished = Unfinished::beside(&path).unwrap();
        std::fs::remove_dir_all(folder.path().join("file")).unwrap();
        let said = unfinished.finish(false).unwrap_err().to_string();
        assert!(said.starts_with(&format!("{}: ", path.display())) && !said.contains(".part"), "{said}");
    }
}
