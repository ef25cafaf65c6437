//! Files are written beside their target and renamed into place, so that a failed run leaves the old file or
//! none.

pub use crate::files::reserved::{identity, refuse_read, reserve};

use crate::convert::{ConversionReport, ConvertOptions};
use crate::error::Error;
use crate::files::disk::special;
use crate::files::read::Opened;
use crate::files::reserved::refuse_output;
use crate::registry;
use dopesheet_core::format::{AnyFormat, Hint, Output, ResourceName};
use std::collections::HashSet;
use std::fs::{File, Metadata};
use std::io::{self, BufWriter, Write};
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Prefix and suffix of the names of unfinished files, by which the files of a killed run are recognised.
const UNFINISHED: (&str, &str) = (".dopesheet-", ".part");

impl Opened {
    /// The format of a saved file by its name: the format of this file, unless the name's extension belongs
    /// to another.
    ///
    /// # Errors
    /// [`Error::Usage`] if the extension belongs to no format.
    pub fn format_for(&self, name: &str) -> Result<&'static dyn AnyFormat, Error> {
        match Hint::from_file_name(name).extension {
            Some(extension) if !self.format().info().extensions.contains(&&*extension) => {
                registry::by_file_name(name)
            }
            _ => Ok(self.format()),
        }
    }

    /// Writes this file to disk in [the format of that name](Self::format_for), as
    /// [`convert`](fn@crate::convert) does without any option: in the file's own format, byte for byte the
    /// contents of the document. Without `force` no file is overwritten.
    ///
    /// # Errors
    /// As [`convert`](fn@crate::convert) and [`fn@output`].
    pub fn save(&self, path: impl AsRef<Path>, force: bool) -> Result<ConversionReport, Error> {
        let path = path.as_ref();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let to = self.format_for(&name)?;
        let options = ConvertOptions { file_name: Some(name), ..ConvertOptions::to(to) };
        let conversion = crate::convert(std::slice::from_ref(self), &options)?;
        output(path, &conversion.output, force)?;
        Ok(conversion.report)
    }
}

/// Writes a file and its resources; the main file last.
///
/// Without `force` no file is overwritten: all paths are checked before the first file is written.
///
/// # Errors
/// If a file exists and `force` is not set, or a file cannot be written.
pub fn output(path: &Path, output: &Output, force: bool) -> Result<(), Error> {
    let main = [&output.main[..]];
    let files = unnamed(path, &main, &output.resources, force)?;
    files.into_iter().try_for_each(|file| file.finish(force))
}

/// As [`fn@output`], up to the moment at which files get their names: in the order of the returned list, the
/// main file last.
///
/// # Errors
/// If a file exists and `force` is not set, or a file cannot be written.
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
        refuse_output(target)?;
    }
    // All of them are on the disk before the first gets its name: a disk that is full half-way leaves none.
    let beside = resources.iter().map(|(target, bytes)| written(target, &[bytes]));
    beside.chain(std::iter::once_with(|| written(path, main))).collect()
}

/// Refuses to overwrite a file.
///
/// # Errors
/// If the file exists and `force` is not set, or is no regular file: a device or a pipe is never replaced.
pub fn refuse_existing(path: &Path, force: bool) -> Result<(), Error> {
    match std::fs::metadata(path) {
        Ok(about) if !about.is_file() => Err(not_regular(path, &about)),
        Ok(_) if !force => Err(exists(path)),
        _ => Ok(()),
    }
}

fn not_regular(path: &Path, about: &Metadata) -> Error {
    let (kind, file_kind) = match about.is_dir() {
        true => (io::ErrorKind::IsADirectory, "a folder"),
        false => (io::ErrorKind::NotSeekable, special(about.file_type())),
    };
    let text = format!("expected a file to write, found {file_kind}, which is never replaced");
    Error::Io { path: path.to_owned(), source: io::Error::new(kind, text) }
}

fn exists(path: &Path) -> Error {
    let source = io::Error::new(io::ErrorKind::AlreadyExists, "exists already (--force overwrites it)");
    Error::Io { path: path.to_owned(), source }
}

/// Writes a file, and makes its folders.
///
/// # Errors
/// If the file exists and `force` is not set, or cannot be written.
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

/// Paths of the unfinished files of this process.
static BEGUN: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);

fn begun() -> MutexGuard<'static, Option<HashSet<PathBuf>>> {
    BEGUN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all unfinished files of this process, for an early end of the process. Afterwards, any attempt to
/// begin or finish a file waits until the process ends.
pub fn abandon() {
    let mut begun = begun();
    for path in begun.iter_mut().flat_map(HashSet::drain) {
        // What cannot be removed is found by `sweep`.
        let _ = std::fs::remove_file(path);
    }
    std::mem::forget(begun);
}

/// A file that is being written: it does not appear under its name before [`Unfinished::finish`], and is
/// removed when dropped.
#[derive(Debug)]
pub struct Unfinished {
    file: tempfile::NamedTempFile,
    path: PathBuf,
    begun: Begun,
}

/// An entry in the list of unfinished files, removed when the file has its name or is gone.
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
    /// Starts a file, and makes its folders.
    ///
    /// # Errors
    /// If the file cannot be written there.
    pub fn beside(path: &Path) -> Result<Self, Error> {
        Self::within(folder_of(path), path)
    }

    /// As [`Unfinished::beside`], but in another folder of the same disk until the file gets its name; the
    /// folder must be passed to [`sweep`].
    ///
    /// # Errors
    /// If the file cannot be written there.
    pub fn within(folder: &Path, path: &Path) -> Result<Self, Error> {
        let io = |source| Error::Io { path: path.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(io)?;
        let (prefix, suffix) = UNFINISHED;
        let mut options = File::options();
        options.write(true).create_new(true);
        // Whoever cannot read the replaced file reads no unfinished one; `sweep` has to open that.
        #[cfg(unix)]
        if let Some(mode) = mode_of(path) {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode | 0o600);
        }
        // Opened here, because `tempfile` writes its own random name into what the system says.
        let open = |unfinished: &Path| options.open(unfinished);
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

    /// Waits until everything written is on the disk.
    ///
    /// # Errors
    /// If the disk cannot hold the file.
    pub fn sync(&self) -> io::Result<()> {
        self.file.as_file().sync_all()
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If a file of that name exists and `force` is not set, or the rename fails.
    pub fn finish(self, force: bool) -> Result<(), Error> {
        let path = self.path;
        let io = |source| Error::Io { path: path.clone(), source };
        // Some disks refuse any change of permissions.
        #[cfg(unix)]
        if let Some(mode) = mode_of(&path) {
            let _ = self.file.as_file().set_permissions(std::fs::Permissions::from_mode(mode));
        }
        if self.file.path().parent() != path.parent() {
            std::fs::create_dir_all(folder_of(&path)).map_err(io)?;
        }
        refuse_existing(&path, true)?;
        let Begun(temporary) = &self.begun;
        // Held until the file has its name, so that nobody removes it on its way.
        let mut list = begun();
        if let Some(list) = list.as_mut() {
            list.remove(temporary);
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

/// Removes the unfinished files of killed runs in a folder, not in folders below, and returns their number.
/// Files that another run is writing stay.
///
/// # Errors
/// If the folder cannot be read, or an unfinished file cannot be removed. A missing folder is no error.
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
        if File::options().write(true).open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            std::fs::remove_file(&path).map_err(io(&path))?;
            swept += 1;
        }
    }
    Ok(swept)
}

/// Writes a file below a folder, under names from an untrusted source: never through a symbolic link, which
/// could lead anywhere, nor over one. The folder itself may be a link. Returns the file's path.
///
/// # Errors
/// As [`bytes_to`]; also if a symbolic link is in the way.
pub fn below(folder: &Path, names: &[String], bytes: &[u8], force: bool) -> Result<PathBuf, Error> {
    let path: PathBuf = std::iter::once(folder).chain(names.iter().map(Path::new)).collect();
    refuse_links(folder, &path)?;
    bytes_to(&path, bytes, force).map(|()| path)
}

/// Refuses a path that goes through a symbolic link below a folder, or ends in one. The folder itself may be
/// a link, and a path outside it may go through any link.
///
/// # Errors
/// If the path has such a link.
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

/// The permissions of a file that is to be replaced.
#[cfg(unix)]
fn mode_of(path: &Path) -> Option<u32> {
    path.metadata().ok().map(|about| about.permissions().mode() & 0o777)
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
        let held = File::options().write(true).open(at(".dopesheet-2.part")).unwrap();
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
        let message = unfinished.finish(false).unwrap_err().to_string();
        assert!(
            message.starts_with(&format!("{}: ", path.display())) && !message.contains(".part"),
            "{message}"
        );
    }
}
