//! A large archive on disk: listing it, and taking one entry out of it.

use crate::measure::{Row, alone};
use dopesheet::registry;
use dopesheet_core::format::{Containers, Storage};
use dopesheet_more::m4b::{Directory, Document, File};
use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// 2^30 bytes: folders with as many files each.
const LENGTH: u64 = 1 << 30;
const FOLDERS: u32 = 100;
const FILES: u32 = 100;
const ENTRY: &str = "folder 50/file 50.ubi";

/// Listing, and one entry with the bytes that it touches.
pub(crate) fn rows() -> Vec<Row> {
    let path = std::env::temp_dir().join(format!("dopesheet-bench-{}.m4b", std::process::id()));
    if let Err(error) = written(&path) {
        println!("skipped: no archive at {}: {error}", path.display());
        return Vec::new();
    }
    let fail = |error: dopesheet::Error| -> ! { panic!("{error}") };
    let open = || match dopesheet::Archive::open(&path, false) {
        Ok(Some(archive)) => archive,
        Ok(None) => panic!("{} is no archive", path.display()),
        Err(error) => fail(error),
    };
    let list_s = alone(|| open().entries(false).unwrap_or_else(|e| fail(e)).len() as f64);
    let entry_s = alone(|| open().find(ENTRY).unwrap_or_else(|e| fail(e)).len() as f64);
    let touched = touched(&path);
    let _ = std::fs::remove_file(&path);
    let row = |what: String, ours_s, wanted: &str| Row {
        what,
        data: format!("m4b of 2^30 bytes, {} files", FOLDERS * FILES),
        bytes: 0,
        ours_s,
        peer: None,
        wanted: wanted.into(),
    };
    let [index, own] = touched;
    vec![
        row("archive: list".into(), list_s, "< 50 ms"),
        row(
            format!("archive: one entry; reads {own} bytes of it and {index} of the index"),
            entry_s,
            "its bytes only",
        ),
    ]
}

/// The index with all the files that it names, which are holes on disk.
fn written(path: &Path) -> io::Result<()> {
    let mut document =
        Document { root: Directory { directories: folders(0, 0), ..Directory::default() }, data: Vec::new() };
    let start = document.index_size() as u32;
    let size = (LENGTH as u32 - start) / (FOLDERS * FILES);
    document.root.directories = folders(start, size);
    let mut file = std::fs::File::create(path)?;
    file.write_all(&document.to_bytes().map_err(io::Error::other)?)?;
    file.set_len(LENGTH)
}

fn folders(start: u32, size: u32) -> Vec<Directory> {
    let file = |folder: u32, n: u32| {
        let position = start + (folder * FILES + n) * size;
        File { name: format!("file {n}.ubi\0").as_str().into(), size, position }
    };
    let folder = |folder: u32| Directory {
        name: format!("folder {folder}\0").as_str().into(),
        directories: Vec::new(),
        files: (0..FILES).map(|n| file(folder, n)).collect(),
    };
    (0..FOLDERS).map(folder).collect()
}

/// A file that counts what is read of it.
struct Counted {
    path: PathBuf,
    length: u64,
    read: AtomicU64,
}

impl Storage for Counted {
    fn length(&self) -> u64 {
        self.length
    }

    fn bytes(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        use std::io::{Read, Seek, SeekFrom};
        let mut file = std::fs::File::open(&self.path)?;
        file.seek(SeekFrom::Start(range.start))?;
        let mut bytes = vec![0; (range.end - range.start) as usize];
        file.read_exact(&mut bytes)?;
        self.read.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(Cow::Owned(bytes))
    }
}

/// Bytes read to find an entry, and to have it.
fn touched(path: &Path) -> [u64; 2] {
    let storage = Counted { path: path.to_owned(), length: LENGTH, read: AtomicU64::new(0) };
    let containers = Containers::new(registry::containers());
    let place = containers.locate(&storage, ENTRY).unwrap_or_else(|e| panic!("{e}"));
    let index = storage.read.swap(0, Ordering::Relaxed);
    storage.bytes(place).unwrap_or_else(|e| panic!("{e}"));
    [index, storage.read.load(Ordering::Relaxed)]
}
