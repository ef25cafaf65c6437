//! Bytes in and bytes out. No format ever opens a file.

use super::MostFrames;
use std::collections::BTreeMap;

/// The name of a file beside the main file, with forward slashes, relative to the main file's folder.
pub type ResourceName = String;

/// A file and the files it needs, all loaded.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    /// Bytes of the file itself.
    pub main: &'a [u8],
    /// Other files, by their names from [`Format::wants`](super::Format::wants).
    pub resources: BTreeMap<ResourceName, Vec<u8>>,
}

impl<'a> Source<'a> {
    /// A file without resources.
    #[must_use]
    pub const fn new(main: &'a [u8]) -> Self {
        Self { main, resources: BTreeMap::new() }
    }
}

/// A written document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Bytes of the file itself.
    pub main: Vec<u8>,
    /// Files to be placed beside the main file, in the order of writing (before the main file).
    pub resources: Vec<(ResourceName, Vec<u8>)>,
}

impl Output {
    /// A file without resources.
    #[must_use]
    pub const fn new(main: Vec<u8>) -> Self {
        Self { main, resources: Vec::new() }
    }
}

/// An [`Output`] whose main file comes in pieces, in order: a large file need not be contiguous in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pieces {
    /// Bytes of the file itself, in pieces.
    pub main: Vec<Vec<u8>>,
    /// As [`Output::resources`].
    pub resources: Vec<(ResourceName, Vec<u8>)>,
}

impl From<Output> for Pieces {
    fn from(output: Output) -> Self {
        Self { main: vec![output.main], resources: output.resources }
    }
}

impl From<Pieces> for Output {
    fn from(pieces: Pieces) -> Self {
        Self { main: joined(pieces.main), resources: pieces.resources }
    }
}

/// All pieces joined. Each is dropped once it is copied, and a single piece is not copied at all.
#[must_use]
pub fn joined(mut pieces: Vec<Vec<u8>>) -> Vec<u8> {
    if let [_] = &pieces[..] {
        return pieces.swap_remove(0);
    }
    let mut whole = Vec::with_capacity(pieces.iter().map(Vec::len).sum());
    pieces.into_iter().for_each(|piece| whole.extend_from_slice(&piece));
    whole
}

/// Upper bounds on the demands of a file. Beyond them, reading fails with a finding, and all other work with
/// a refusal that states the demand, before any memory is taken. A value fits every call with such a
/// parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Longest main file in bytes. Default 4 GiB.
    pub max_bytes: u64,
    /// Most elements that a file may announce without storing them (sparse data). Default 2^24.
    pub max_virtual_elements: u64,
    /// Most bytes of decompressed data beyond some dozens for each byte of the file. Default 8 MB.
    pub max_unpacked_bytes: u64,
    /// Most frames made of a motion. By default as many as have ten million numbers together.
    pub max_frames: MostFrames,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_bytes: 4 << 30,
            max_virtual_elements: 1 << 24,
            max_unpacked_bytes: 8_000_000,
            max_frames: MostFrames::default(),
        }
    }
}

/// Bytes of an element that is announced and not stored: four numbers of 32 bits.
const ELEMENT_BYTES: u64 = 16;

impl Limits {
    /// These limits for files that may take `bytes` bytes beyond the amount explained by their length. Longer
    /// files are read as before.
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> Self {
        Self {
            max_bytes: self.max_bytes.max(bytes),
            max_unpacked_bytes: bytes,
            max_virtual_elements: bytes / ELEMENT_BYTES,
            ..self
        }
    }
}

/// Facts known about a file besides its bytes.
#[derive(Clone, Debug, Default)]
pub struct Hint {
    /// The file name's extension without the dot, in lower case.
    pub extension: Option<String>,
}

impl Hint {
    /// The hint in a file name.
    #[must_use]
    pub fn from_file_name(name: &str) -> Self {
        let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
        Self { extension: base.rsplit_once('.').map(|(_, extension)| extension.to_lowercase()) }
    }

    /// True if the extension is in a list.
    #[must_use]
    pub fn is_one_of(&self, extensions: &[&str]) -> bool {
        self.extension.as_deref().is_some_and(|extension| extensions.contains(&extension))
    }
}

/// Confidence of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// The bytes belong to another format, or to none.
    No,
    /// Only the extension of the name fits.
    ByName,
    /// The bytes fit, but may belong to another format.
    Plausible,
    /// The bytes identify the format.
    Certain,
}
