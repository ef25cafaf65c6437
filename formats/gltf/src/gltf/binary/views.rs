//! The bytes of buffer views. Compressed views are decompressed on first use; a document keeps only the bytes
//! of its file.

use crate::checks::code;
use crate::gltf::document::Document;
use crate::gltf::json::parts::{BufferView, Compression, Index};
use crate::meshopt;
use dopesheet_core::bytes::Read;
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::format::Limits;
use dopesheet_core::words::counted;
use std::cell::{Cell, OnceCell};

/// Upper bound of the uses of each byte of a file in the result.
const MOST_USES: u64 = 16;
/// Bytes of a number.
const NUMBER_BYTES: u64 = 4;

/// Upper bound of the numbers made from a document: the default limit for accessors without data, and some
/// uses of all stored bytes. Prevents huge scenes made from small files.
pub(crate) fn number_budget(document: &Document) -> u64 {
    let buffers = 0..Index::try_from(document.buffers.len()).unwrap_or(Index::MAX);
    let stored: u64 = buffers.filter_map(|b| document.buffer(b)).map(|bytes| bytes.len() as u64).sum();
    Limits::default().max_virtual_elements.saturating_add(stored.saturating_mul(MOST_USES))
}

/// The buffer views of a document.
pub(crate) struct Views<'a> {
    pub(crate) document: &'a Document,
    decompressed: Vec<OnceCell<Result<Vec<u8>, Box<Fault>>>>,
    /// Bytes that may still be decompressed.
    budget: Cell<u64>,
}

impl<'a> Views<'a> {
    pub(crate) fn of(document: &'a Document) -> Self {
        let budget = Cell::new(number_budget(document).saturating_mul(NUMBER_BYTES));
        let is_compressed = |view: &BufferView| view.compressed.is_some();
        let count = match document.parts.buffer_views.iter().any(is_compressed) {
            true => document.parts.buffer_views.len(),
            false => 0,
        };
        Self { document, decompressed: vec![OnceCell::new(); count], budget }
    }

    /// True if the bytes of a view are somewhere, compressed or not.
    pub(crate) fn are_there(&self, view: Index) -> bool {
        let view = self.document.parts.buffer_views.get(view as usize);
        view.is_some_and(|view| {
            let has_bytes = |buffer| self.document.buffer(buffer).is_some();
            has_bytes(view.buffer) || view.compressed.as_ref().is_some_and(|c| has_bytes(c.buffer))
        })
    }

    /// The bytes of a view from its start, and its stride. `pointer` names the asking object.
    ///
    /// If a file has both forms of a view, the plain form is taken, because bounds are exact for the plain
    /// form (KHR_meshopt_compression, section "Compression modes and filters").
    pub(crate) fn bytes(&self, view: Index, pointer: impl Fn() -> String) -> Read<(&[u8], Option<u64>)> {
        let missing = |what: &'static str| -> Box<Fault> {
            let code = code::BUFFER_MISSING_GLB_DATA;
            Box::new(self.document.fault(&pointer(), code, "a view whose bytes are known", what))
        };
        let stored = self.document.parts.buffer_views.get(view as usize).ok_or_else(|| missing("none"))?;
        let plain = self.document.buffer(stored.buffer);
        if let (None, Some(compression)) = (plain, &stored.compressed) {
            let slot = self.decompressed.get(view as usize).ok_or_else(|| missing("none"))?;
            let bytes = slot.get_or_init(|| self.decompress(view, stored, compression));
            return bytes.as_ref().map(|bytes| (&**bytes, stored.byte_stride)).map_err(Clone::clone);
        }
        let buffer = plain.ok_or_else(|| missing("a buffer without data"))?;
        let bytes = range(buffer, stored.byte_offset, stored.byte_length);
        Ok((bytes.ok_or_else(|| missing("one past the end of its buffer"))?, stored.byte_stride))
    }

    fn decompress(&self, index: Index, view: &BufferView, compression: &Compression) -> Read<Vec<u8>> {
        let fault = |code, expected: String, actual: String| -> Box<Fault> {
            let pointer = format!("/bufferViews/{index}/extensions/{}", compression.extension);
            Box::new(self.document.fault(&pointer, code, expected, actual))
        };
        let length = compression.layout.length();
        if length != Some(view.byte_length) {
            let expected =
                format!("as many elements as a view of {} holds", counted(view.byte_length, "byte"));
            let (count, stride) = (compression.layout.count, compression.layout.stride);
            return Err(fault(code::MESHOPT, expected, format!("{count} of {}", counted(stride, "byte"))));
        }
        match self.budget.get().checked_sub(view.byte_length) {
            Some(left) => self.budget.set(left),
            None => {
                let expected = "no more bytes in compressed views than the file's size allows for".to_owned();
                return Err(fault(code::LIMIT, expected, format!("{} more", view.byte_length)));
            }
        }
        let stream = self
            .document
            .buffer(compression.buffer)
            .and_then(|buffer| range(buffer, compression.byte_offset, compression.byte_length));
        let Some(stream) = stream else {
            let expected = "compressed bytes within their buffer".to_owned();
            return Err(fault(code::MESHOPT, expected, "none".into()));
        };
        meshopt::decode(stream, &compression.layout).map_err(|broken| {
            let actual = match broken.place {
                Place::Byte(at) => format!("{} at byte {} of the compressed bytes", broken.found, at.0),
                _ => broken.found.into_owned(),
            };
            fault(code::MESHOPT, broken.expected.into_owned(), actual)
        })
    }
}

fn range(buffer: &[u8], offset: u64, length: u64) -> Option<&[u8]> {
    let start = usize::try_from(offset).ok()?;
    buffer.get(start..start.checked_add(usize::try_from(length).ok()?)?)
}
