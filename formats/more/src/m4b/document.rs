//! The archive as stored.

use super::layout::{MOST_DIRECTORIES, SIGNATURE};
use crate::text::Name;
use dopesheet_core::diag::{Fault, Place, WriteError};

/// An archive: its index, and everything behind it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The folder around all others; its own name is empty.
    pub root: Directory,
    /// Everything behind the index: the bytes of the files and the bytes between them.
    pub data: Vec<u8>,
}

/// A folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Directory {
    /// Its name, in the game's archives with a NUL at its end.
    pub name: Name,
    /// The folders in this folder, stored before its files.
    pub directories: Vec<Directory>,
    /// The files in this folder.
    pub files: Vec<File>,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, in the game's archives with a NUL at its end.
    pub name: Name,
    /// Number of its bytes.
    pub size: u32,
    /// Offset of its bytes from the archive's first byte.
    pub position: u32,
}

impl Directory {
    /// Number of folders (without this one) and files in this folder, at any depth.
    #[must_use]
    pub fn count(&self) -> (usize, usize) {
        let below = self.directories.iter().map(Self::count);
        below.fold((self.directories.len(), self.files.len()), |(a, b), (x, y)| (a + x, b + y))
    }

    /// Number of bytes of the folder's part of the index.
    fn index_size(&self) -> usize {
        let files = self.files.iter().map(|file| 12 + file.name.0.len()).sum::<usize>();
        let directories = self.directories.iter().map(Self::index_size).sum::<usize>();
        4 + self.name.0.len() + 1 + directories + 4 + files
    }
}

/// A name in the game's form, with a NUL at the end.
fn with_nul(name: &str) -> Name {
    Name([name.as_bytes(), &[0]].concat().into())
}

impl Document {
    /// An archive of files given by their paths with slashes, in canonical form: the bytes stand behind the index in
    /// its order, without gaps.
    ///
    /// # Errors
    /// If a folder holds more than 255 folders, or the archive reaches 4 GiB.
    pub fn pack<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Result<Self, WriteError> {
        let mut root = Packed::default();
        for (path, bytes) in files {
            root.add(&path.split('/').collect::<Vec<_>>(), bytes);
        }
        let mut document = Self { root: root.index(Name::default()), data: Vec::new() };
        let mut data = Vec::new();
        let mut placing = Placing { start: document.index_size(), data: &mut data };
        placing.fill(&mut document.root, &root)?;
        document.data = data;
        Ok(document)
    }

    /// Number of bytes of the header and the index.
    #[must_use]
    pub fn index_size(&self) -> usize {
        SIGNATURE.len() + 4 + self.root.index_size()
    }

    /// The bytes of a file; `None` if they are not all behind the index.
    #[must_use]
    pub fn bytes_of(&self, file: &File) -> Option<&[u8]> {
        let start = (file.position as usize).checked_sub(self.index_size())?;
        self.data.get(start..start.checked_add(file.size as usize)?)
    }
}

/// A folder while it is packed.
#[derive(Default)]
struct Packed<'a> {
    directories: Vec<(&'a str, Packed<'a>)>,
    files: Vec<(&'a str, &'a [u8])>,
}

impl<'a> Packed<'a> {
    fn add(&mut self, path: &[&'a str], bytes: &'a [u8]) {
        match path {
            [] => {}
            [name] => self.files.push((name, bytes)),
            [name, rest @ ..] => {
                let existing = self.directories.iter().position(|(other, _)| other == name);
                let position = existing.unwrap_or_else(|| {
                    self.directories.push((name, Packed::default()));
                    self.directories.len() - 1
                });
                self.directories[position].1.add(rest, bytes);
            }
        }
    }

    fn index(&self, name: Name) -> Directory {
        let directories = self.directories.iter().map(|(name, folder)| folder.index(with_nul(name)));
        let file = |(name, _): &(&str, &[u8])| File { name: with_nul(name), size: 0, position: 0 };
        Directory { name, directories: directories.collect(), files: self.files.iter().map(file).collect() }
    }
}

/// Gives every file its place behind the index.
struct Placing<'d> {
    start: usize,
    data: &'d mut Vec<u8>,
}

impl Placing<'_> {
    fn fill(&mut self, directory: &mut Directory, packed: &Packed<'_>) -> Result<(), WriteError> {
        if directory.directories.len() > MOST_DIRECTORIES {
            let actual = directory.directories.len().to_string();
            return Err(refuse("at most 255 folders in a folder", actual));
        }
        for (inner, (_, packed)) in directory.directories.iter_mut().zip(&packed.directories) {
            self.fill(inner, packed)?;
        }
        for (file, (_, bytes)) in directory.files.iter_mut().zip(&packed.files) {
            let number = |n: usize| {
                u32::try_from(n).map_err(|_| refuse("an archive below 4 GiB", "a longer one".to_owned()))
            };
            file.position = number(self.start + self.data.len())?;
            file.size = number(bytes.len())?;
            self.data.extend_from_slice(bytes);
        }
        Ok(())
    }
}

fn refuse(expected: &'static str, found: String) -> WriteError {
    let fault = Fault::new(super::codes::COUNT_EXCEEDS_DATA.code, Place::File, expected, found);
    WriteError::new(super::ID, fault)
}
