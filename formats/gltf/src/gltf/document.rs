//! A glTF file as it is, in either container.

use super::json::parts::{Index, Parts};
use super::json::place;
use crate::container::Container as GlbContainer;
use dopesheet_core::bytes::json::{self, Span};
use dopesheet_core::diag::{Code, Fault};
use dopesheet_core::format::ResourceName;
use std::borrow::Cow;

/// A glTF file: its JSON text as stored, the parts of the text that motion needs, and its buffers.
///
/// The text is authoritative; the parts are read from the text and never written back. Edits change the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Container of the JSON.
    pub container: Container,
    /// The JSON text, with its white space; in a GLB with the padding of its chunk.
    pub json: String,
    /// The parts of the text that concern motion.
    pub parts: Parts,
    /// The bytes of each of `buffers`.
    pub buffers: Vec<BufferData>,
    /// Pictures in files beside the main file, as far as those files were present: name and bytes.
    pub images: Vec<(ResourceName, Vec<u8>)>,
}

/// Container of the JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Container {
    /// Nothing: the file is the text (`.gltf`).
    Text,
    /// Chunks (`.glb`).
    Binary(GlbContainer),
}

/// The bytes of one buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BufferData {
    /// They are the BIN chunk.
    Chunk,
    /// They stand in the text as a data URI; decoded here.
    Embedded(Vec<u8>),
    /// Bytes of a file beside the main file.
    File {
        /// The file's name, decoded.
        name: ResourceName,
        /// All its bytes.
        bytes: Vec<u8>,
    },
    /// New bytes without a place yet. Writing names a file after the main file, or, if the main file has no
    /// name, puts the bytes in the text.
    Unnamed(Vec<u8>),
    /// Bytes whose place the file does not state (an extension may).
    Absent,
}

impl Document {
    /// The bytes of a buffer; `None` if they are absent.
    #[must_use]
    pub fn buffer(&self, index: Index) -> Option<&[u8]> {
        match self.buffers.get(index as usize)? {
            BufferData::Chunk => match &self.container {
                Container::Binary(glb) => glb.bin.as_deref(),
                Container::Text => None,
            },
            BufferData::Embedded(bytes) | BufferData::File { bytes, .. } | BufferData::Unnamed(bytes) => {
                Some(bytes)
            }
            BufferData::Absent => None,
        }
    }

    /// The JSON value in a part of the text, such as a node's `extras`.
    #[must_use]
    pub fn value(&self, span: Option<&Span>) -> Option<serde_json::Value> {
        json::value(self.json.get(span?.clone())?)
    }

    /// A fault at the value named by a JSON pointer.
    pub(crate) fn fault(
        &self,
        pointer: &str,
        code: Code,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Fault {
        *place::fault(&self.json, pointer, code, expected, found)
    }
}
