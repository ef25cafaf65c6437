//! From one container to the other, on the text: everything but the buffers stays as it was written.

use super::attach::settle;
use super::document::{BufferData, Container, Document};
use super::place::span;
use super::read::Wrapper;
use super::splice::{Edits, Reference, references};
use crate::glb;
use dopesheet_core::diag::Fault;

/// The same document as a GLB: all buffers whose bytes are known become its BIN chunk.
pub(crate) fn as_binary(document: &Document) -> Result<Document, Box<Fault>> {
    if matches!(document.container, Container::Binary(_)) {
        return Ok(document.clone());
    }
    let joined = Joined::of(document);
    let mut edits = Edits::new(&document.json);
    joined.declare(document, &mut edits);
    for reference in references(&document.json) {
        joined.redirect(&reference, &mut edits);
    }
    let bin = joined.has_bytes().then_some(joined.bytes);
    let container = glb::Container { bin, ..glb::Container::default() };
    settle(document, edits.apply(), Wrapper::Binary(container))
}

/// The same document as text: its BIN chunk becomes a buffer that writing finds a place for. Chunks of unknown type
/// have no place in text.
pub(crate) fn as_text(document: &Document) -> Result<Document, Box<Fault>> {
    let Container::Binary(container) = &document.container else {
        return Ok(document.clone());
    };
    let json = document.json.trim_end_matches(' ').to_owned();
    let mut text = settle(document, json, Wrapper::Text)?;
    let stored = document.parts.buffers.first().map_or(0, |buffer| buffer.byte_length);
    if let (Some(BufferData::Chunk), Some(bin)) = (document.buffers.first(), &container.bin) {
        let bytes = bin.get(..usize::try_from(stored).unwrap_or(usize::MAX)).unwrap_or(bin);
        if let Some(slot) = text.buffers.first_mut() {
            *slot = BufferData::Unnamed(bytes.to_vec());
        }
    }
    Ok(text)
}

/// All buffers with known bytes behind one another.
struct Joined {
    bytes: Vec<u8>,
    /// For each old buffer: its new number, and where its bytes start there.
    places: Vec<(usize, usize)>,
    /// Old numbers of the buffers without known bytes.
    kept: Vec<usize>,
}

impl Joined {
    fn of(document: &Document) -> Self {
        let mut joined = Self { bytes: Vec::new(), places: Vec::new(), kept: Vec::new() };
        for (index, buffer) in document.parts.buffers.iter().enumerate() {
            let bytes = u32::try_from(index).ok().and_then(|index| document.buffer(index));
            let Some(bytes) = bytes else {
                joined.kept.push(index);
                joined.places.push((joined.kept.len(), 0));
                continue;
            };
            joined.bytes.resize(joined.bytes.len().next_multiple_of(glb::ALIGNMENT), 0);
            joined.places.push((0, joined.bytes.len()));
            let length = usize::try_from(buffer.byte_length).unwrap_or(usize::MAX);
            joined.bytes.extend(bytes.get(..length).unwrap_or(bytes));
        }
        if !joined.has_bytes() {
            joined.places = (0..joined.places.len()).map(|index| (index, 0)).collect();
        }
        joined
    }

    const fn has_bytes(&self) -> bool {
        self.kept.len() < self.places.len()
    }

    fn declare(&self, document: &Document, edits: &mut Edits<'_>) {
        let Some(array) = span(&document.json, "/buffers").filter(|_| self.has_bytes()) else { return };
        let mut items = vec![format!("{{\"byteLength\":{}}}", self.bytes.len())];
        for index in &self.kept {
            let own = span(&document.json, &format!("/buffers/{index}"));
            items.extend(own.and_then(|own| document.json.get(own)).map(str::to_owned));
        }
        edits.replace(array, format!("[{}]", items.join(",")));
    }

    fn redirect(&self, reference: &Reference, edits: &mut Edits<'_>) {
        let Some(&(number, start)) = self.places.get(reference.buffer) else { return };
        let offset = reference.offset + start;
        let moved = offset != reference.offset;
        match &reference.offset_place {
            Some(place) if moved => edits.replace(place.clone(), offset.to_string()),
            None if moved => {
                edits.replace(reference.place.clone(), format!("{number},\"byteOffset\":{offset}"));
                return;
            }
            _ => {}
        }
        if number != reference.buffer {
            edits.replace(reference.place.clone(), number.to_string());
        }
    }
}
