//! Reading from disk: the only module in this crate that asks the system for bytes.
//!
//! Only regular files are read, because a pipe may never end and a device may never stop; bytes that a caller
//! reads from a pipe or device are handed over by [`stream`]. The length of a file is compared with the limit
//! before any of its bytes are read, and no more bytes than the limit are read from a file that grows
//! meanwhile.

use super::reserved::note_read;
use crate::error::Error;
use std::fs::{File, FileType, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// Opens a regular file; also its length in bytes.
pub(crate) fn open(path: &Path) -> io::Result<(File, u64)> {
    // Asked before, because opening a pipe waits for whoever writes to it; and again, in case that was another file.
    check_regular(&std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    let about = file.metadata()?;
    check_regular(&about)?;
    note_read(path);
    Ok((file, about.len()))
}

/// The bytes of a regular file of at most `max_bytes` bytes.
pub(crate) fn whole(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let (file, length) = open(path)?;
    if length > max_bytes {
        return Err(too_long(max_bytes, &format!("one of {length}")));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    // A file that grows while it is read is read no further than it was long.
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a regular file of at most `max_bytes` bytes.
pub(crate) fn text(path: &Path, max_bytes: u64) -> Result<String, Error> {
    let invalid = |error| io::Error::new(io::ErrorKind::InvalidData, error);
    let text = whole(path, max_bytes).and_then(|bytes| String::from_utf8(bytes).map_err(invalid));
    text.map_err(|source| Error::Io { path: path.to_owned(), source })
}

/// The bytes of a stream (standard input, a pipe, a device) of at most `max_bytes` bytes; a longer stream is
/// refused.
///
/// # Errors
/// [`io::ErrorKind::FileTooLarge`] if there are more bytes, or the error of the stream.
pub fn stream(from: impl Read, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(too_long(max_bytes, "more"));
    }
    Ok(bytes)
}

/// The bytes of a regular file that lies below a folder after all links in both paths are resolved.
pub(crate) fn inside(folder: &Path, path: &Path, max_bytes: u64) -> Option<Vec<u8>> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (folder, path) = (folder.canonicalize().ok()?, path.canonicalize().ok()?);
    path.starts_with(folder).then(|| whole(&path, max_bytes).ok()).flatten()
}

fn check_regular(about: &Metadata) -> io::Result<()> {
    match about.file_type() {
        kind if kind.is_file() => Ok(()),
        kind if kind.is_dir() => {
            Err(io::Error::new(io::ErrorKind::IsADirectory, "expected a file, found a folder"))
        }
        kind => {
            let text = format!("expected a regular file, found {}", special(kind));
            Err(io::Error::new(io::ErrorKind::NotSeekable, text))
        }
    }
}

/// Name of a kind of file other than a regular file or a folder.
#[cfg(unix)]
pub(crate) fn special(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        kind if kind.is_fifo() => "a pipe",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
pub(crate) fn special(_: FileType) -> &'static str {
    "something else"
}

fn too_long(max_bytes: u64, length: &str) -> io::Error {
    let text = format!("expected a file of at most {max_bytes} bytes (the limit), found {length}");
    io::Error::new(io::ErrorKind::FileTooLarge, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_without_end_ends_at_the_limit() {
        assert_eq!(stream(io::repeat(7).take(10), 10).unwrap(), [7; 10]);
        let error = stream(io::repeat(7), 10).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "expected a file of at most 10 bytes (the limit), found more");
    }

    #[test]
    fn a_file_is_compared_with_the_limit_before_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("huge.vmd");
        // A hole: it has the length and takes no room.
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        let error = whole(&path, 4 << 30).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(whole(folder.path(), 10).unwrap_err().to_string(), "expected a file, found a folder");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_not_read() {
        let error = whole(Path::new("/dev/zero"), 1 << 20).unwrap_err();
        assert_eq!(error.to_string(), "expected a regular file, found a device");
    }

    #[cfg(unix)]
    #[test]
    fn a_buffer_behind_a_link_out_of_its_folder_is_not_read() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("model/parts")).unwrap();
        std::fs::write(at("secret.bin"), "secret").unwrap();
        std::fs::write(at("model/own.bin"), "own").unwrap();
        symlink(at("secret.bin"), at("model/out.bin")).unwrap();
        symlink(folder.path(), at("model/parts/up")).unwrap();
        symlink(at("model/own.bin"), at("model/in.bin")).unwrap();
        symlink(at("model"), at("linked")).unwrap();
        let read = |name: &str| inside(&at("model"), &at("model").join(name), 100);
        assert_eq!(read("out.bin"), None);
        assert_eq!(read("parts/up/secret.bin"), None);
        assert_eq!(read("in.bin").as_deref(), Some(&b"own"[..]));
        assert_eq!(inside(&at("linked"), &at("linked/own.bin"), 100).as_deref(), Some(&b"own"[..]));
    }
}
