//! A glTF file as it is, in either container.

use super::parts::{Index, Parts};
use super::place;
use crate::container::Container as GlbContainer;
use dopesheet_core::bytes::json::{self, Span};
use dopesheet_core::diag::{Code, Fault};
use dopesheet_core::format::ResourceName;
use std::borrow::Cow;

/// A glTF file: its JSON text as it stands, the parts of it that motion needs, and its buffers.
///
/// The text is the truth; the parts are read from it and never written back. Edits change the text.
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
    /// Pictures that are files beside the main one, as far as they were there: name and bytes.
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
    /// They are a file beside the main one.
    File {
        /// The file's name, decoded.
        name: ResourceName,
        /// All its bytes.
        bytes: Vec<u8>,
    },
    /// They were made here and have no place yet. Writing names a file after the main one, or, where that has no name,
    /// puts them in the text.
    Unnamed(Vec<u8>),
    /// The file does not say where they are (an extension may).
    Absent,
}

impl Document {
    /// The bytes of a buffer; `None` if there are none.
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

    /// A fault at the value that a JSON pointer names.
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
