//! Files are written beside their target and renamed into place, so that a failed run leaves the old file or none.

use crate::error::Error;
use dopesheet_core::format::Output;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes a file and the files that belong to it; the main one last.
///
/// Without `force` nothing is overwritten; that is checked for all of them before the first is written.
///
/// # Errors
/// If one of them exists and `force` is not set, or cannot be written.
pub fn output(path: &Path, output: &Output, force: bool) -> Result<(), Error> {
    let folder = folder_of(path);
    let resources: Vec<_> = output.resources.iter().map(|(name, bytes)| (folder.join(name), bytes)).collect();
    for target in resources.iter().map(|(p, _)| p.as_path()).chain([path]) {
        refuse_existing(target, force)?;
    }
    for (target, bytes) in &resources {
        bytes_to(target, bytes, force)?;
    }
    bytes_to(path, &output.main, force)
}

/// Refuses to overwrite a file.
///
/// # Errors
/// If it exists and `force` is not set.
pub fn refuse_existing(path: &Path, force: bool) -> Result<(), Error> {
    if force || !path.exists() {
        return Ok(());
    }
    Err(exists(path))
}

fn exists(path: &Path) -> Error {
    let source =
        std::io::Error::new(std::io::ErrorKind::AlreadyExists, "exists already (--force overwrites it)");
    Error::Io { path: path.to_owned(), source }
}

/// Writes one file, and the folders that it is to be in.
///
/// # Errors
/// If it exists and `force` is not set, or cannot be written.
pub fn bytes_to(path: &Path, bytes: &[u8], force: bool) -> Result<(), Error> {
    let io = |source| Error::Io { path: path.to_owned(), source };
    let folder = folder_of(path);
    std::fs::create_dir_all(folder).map_err(io)?;
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(io)?;
    file.write_all(bytes).map_err(io)?;
    file.as_file().sync_all().map_err(io)?;
    set_usual_permissions(&file).map_err(io)?;
    if force {
        file.persist(path).map(drop).map_err(|e| io(e.error))
    } else {
        file.persist_noclobber(path).map(drop).map_err(|e| match e.error.kind() {
            std::io::ErrorKind::AlreadyExists => exists(path),
            _ => io(e.error),
        })
    }
}

/// Writes one file below a folder, under names that a stranger chose: never through a symbolic link, which could lead
/// anywhere, nor over one. The folder itself may be a link. Where the file is now.
///
/// # Errors
/// As [`bytes_to`]; also if there is such a link.
pub fn below(folder: &Path, names: &[String], bytes: &[u8], force: bool) -> Result<PathBuf, Error> {
    let mut path = folder.to_owned();
    for name in names {
        path.push(name);
        if path.is_symlink() {
            let text = "expected a folder or a new file, found a symbolic link, which is not followed";
            let source = std::io::Error::new(std::io::ErrorKind::AlreadyExists, text);
            return Err(Error::Io { path, source });
        }
    }
    bytes_to(&path, bytes, force).map(|()| path)
}

/// Temporary files are private to their owner; what they become should be like any other new file.
#[cfg(unix)]
fn set_usual_permissions(file: &tempfile::NamedTempFile) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn set_usual_permissions(_: &tempfile::NamedTempFile) -> std::io::Result<()> {
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
