//! Bytes in and bytes out. No format ever opens a file.

use super::MostFrames;
use std::collections::BTreeMap;

/// The name of a file beside the main one, with forward slashes, relative to the main file's folder.
pub type ResourceName = String;

/// A file and the files it needs, all loaded.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    /// The file itself.
    pub main: &'a [u8],
    /// Other files, by the names that [`Format::wants`](super::Format::wants) gave.
    pub resources: BTreeMap<ResourceName, Vec<u8>>,
}

impl<'a> Source<'a> {
    /// A file that needs no others.
    #[must_use]
    pub const fn new(main: &'a [u8]) -> Self {
        Self { main, resources: BTreeMap::new() }
    }
}

/// A written document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// The file itself.
    pub main: Vec<u8>,
    /// Files that must stand beside it, in the order in which they should be written (before the main file).
    pub resources: Vec<(ResourceName, Vec<u8>)>,
}

impl Output {
    /// A file that needs no others.
    #[must_use]
    pub const fn new(main: Vec<u8>) -> Self {
        Self { main, resources: Vec::new() }
    }
}

/// An [`Output`] whose main file comes in pieces, in order: a large one need not be in one place to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pieces {
    /// The file itself.
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

/// All pieces in one. Each is let go of once it is copied, and a single one is not copied at all.
#[must_use]
pub fn joined(mut pieces: Vec<Vec<u8>>) -> Vec<u8> {
    if let [_] = &pieces[..] {
        return pieces.swap_remove(0);
    }
    let mut whole = Vec::with_capacity(pieces.iter().map(Vec::len).sum());
    pieces.into_iter().for_each(|piece| whole.extend_from_slice(&piece));
    whole
}

/// Upper bounds on what a file may ask for. Reading fails with a finding where one is passed, all else with a refusal that says how much
/// would be needed, before it is made. One value fits every call that takes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Longest main file in bytes. Default 4 GiB.
    pub max_bytes: u64,
    /// Most elements that a file may announce without storing them (sparse data). Default 2^24.
    pub max_virtual_elements: u64,
    /// Most bytes to which compressed data may decompress beyond some dozens for each byte of the file. Default 8 MB.
    pub max_unpacked_bytes: u64,
    /// Most frames that are made of a motion. Default as many as have ten million numbers together.
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

/// Bytes that an element which is announced and not stored may take: four numbers of 32 bits.
const ELEMENT_BYTES: u64 = 16;

impl Limits {
    /// These limits for files that may take so many bytes beyond what their length explains. Files that are longer than that are read as
    /// before.
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
    /// The hint that a file name gives.
    #[must_use]
    pub fn from_file_name(name: &str) -> Self {
        let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
        Self { extension: base.rsplit_once('.').map(|(_, extension)| extension.to_lowercase()) }
    }

    /// True if the extension is one of these.
    #[must_use]
    pub fn is_one_of(&self, extensions: &[&str]) -> bool {
        self.extension.as_deref().is_some_and(|own| extensions.contains(&own))
    }
}

/// Confidence of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// The bytes are something else.
    No,
    /// Only the extension speaks for it.
    ByName,
    /// The bytes look like it, but others look alike.
    Plausible,
    /// The bytes say so.
    Certain,
}
