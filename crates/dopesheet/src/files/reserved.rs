//! Files that a run writes last, such as its report: in their places no other file is written before, and
//! they replace no file that was read.

use crate::error::Error;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Identity of a file: the numbers of its device and of the file where the system has them, else its path
/// without links and detours. The file may be missing.
pub fn identity(path: &Path) -> (Option<(u64, u64)>, PathBuf) {
    #[cfg(unix)]
    if let Ok(about) = path.metadata() {
        use std::os::unix::fs::MetadataExt;
        return (Some((about.dev(), about.ino())), PathBuf::new());
    }
    (None, whole(path))
}

/// A path without links and detours.
fn whole(path: &Path) -> PathBuf {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    path.canonicalize().unwrap_or_else(|_| {
        // Something on it is still to be made.
        let folder = path.parent().map(whole);
        match (path.components().next_back(), folder) {
            (Some(Component::Normal(name)), Some(folder)) => folder.join(name),
            (Some(Component::ParentDir), Some(folder)) => folder.parent().unwrap_or(&folder).to_owned(),
            _ => path.to_owned(),
        }
    })
}

/// A file that is written last.
struct Reserved {
    option: &'static str,
    path: PathBuf,
    /// Path of the file that was read in its place.
    read: Option<PathBuf>,
}

/// The reserved files of this process.
static RESERVED: Mutex<Vec<Reserved>> = Mutex::new(Vec::new());

fn reserved() -> MutexGuard<'static, Vec<Reserved>> {
    RESERVED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reserves the place of a file that this process writes last and that an option names. Outputs of the same
/// identity are refused from now on, and files that are read there are remembered.
pub fn reserve(option: &'static str, path: &Path) {
    let mut all = reserved();
    if all.iter().all(|reserved| reserved.path != path) {
        all.push(Reserved { option, path: path.to_owned(), read: None });
    }
}

/// Remembers a file that is read, if its place is reserved.
pub(crate) fn note_read(path: &Path) {
    let mut all = reserved();
    if let Some(reserved) = in_place_of(&mut all, path) {
        reserved.read = Some(path.to_owned());
    }
}

/// Refuses an output in a reserved place.
pub(crate) fn refuse_output(path: &Path) -> Result<(), Error> {
    let mut all = reserved();
    in_place_of(&mut all, path).map_or(Ok(()), |reserved| Err(taken(reserved, path, "an output")))
}

/// Refuses to replace a file that was read.
///
/// # Errors
/// [`Error::Io`] if a file was read in the place that was [reserved](reserve) for this path.
pub fn refuse_read(path: &Path) -> Result<(), Error> {
    let all = reserved();
    let mut named = all.iter().filter(|reserved| reserved.path == path);
    let read = named.find_map(|reserved| Some(taken(reserved, reserved.read.as_ref()?, "an input")));
    read.map_or(Ok(()), Err)
}

fn in_place_of<'a>(all: &'a mut [Reserved], path: &Path) -> Option<&'a mut Reserved> {
    let id = (!all.is_empty()).then(|| identity(path))?;
    all.iter_mut().find(|reserved| identity(&reserved.path) == id)
}

fn taken(reserved: &Reserved, path: &Path, role: &str) -> Error {
    let Reserved { option, path: named, .. } = reserved;
    let text = format!("is {role}, and {option} names it too ({}); name another file", named.display());
    Error::Io { path: path.to_owned(), source: io::Error::new(io::ErrorKind::InvalidInput, text) }
}
