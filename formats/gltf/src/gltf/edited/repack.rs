//! From one container to the other, on the text: everything but the buffers stays as written.

use super::settle::settle;
use crate::container;
use crate::gltf::document::{BufferData, Container, Document};
use crate::gltf::json::parts::{Image, Uri};
use crate::gltf::json::place::JSON_CODES;
use crate::gltf::json::place::span;
use crate::gltf::json::splice::{JsonPatches, Reference, member, references};
use crate::gltf::json::uri;
use crate::gltf::picture;
use crate::gltf::read::Wrapper;
use dopesheet_core::bytes::json::{JsonCursor, Span};
use dopesheet_core::diag::Fault;
use std::ops::Range;

/// The same document as a GLB: all buffers with known bytes become its BIN chunk, and so do pictures in data
/// URIs.
pub(crate) fn as_binary(document: &Document) -> Result<Document, Box<Fault>> {
    if matches!(document.container, Container::Binary(_)) {
        return Ok(document.clone());
    }
    let pictures = pictures(document);
    let joined = Joined::of(document, &pictures);
    let mut edits = JsonPatches::new(&document.json);
    joined.declare(document, &mut edits);
    joined.show(document, &pictures, &mut edits);
    for reference in references(&document.json) {
        joined.redirect(&reference, &mut edits);
    }
    let bin = joined.has_bytes().then_some(joined.bytes);
    let container = container::Container { bin, ..container::Container::default() };
    settle(document, edits.apply(), Wrapper::Binary(container))
}

/// The same document as text: its BIN chunk becomes a buffer whose place is chosen when writing. Chunks of
/// unknown type have no place in text.
pub(crate) fn as_text(document: &Document) -> Result<Document, Box<Fault>> {
    let Container::Binary(container) = &document.container else { return Ok(document.clone()) };
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

/// A picture stored in the text.
struct Picture {
    /// The member `uri` with its name.
    member: Span,
    /// Media type stated by the bytes or the data URI; `None` if the image states its type.
    media_type: Option<String>,
    bytes: Vec<u8>,
}

/// The pictures in data URIs. A picture without a known media type stays in the text, because a picture in a
/// view needs a media type (glTF 2.0, section 5.18).
fn pictures(document: &Document) -> Vec<Picture> {
    let picture = |image: &Image| {
        let Uri::Data(value) = &image.uri else { return None };
        if image.view.is_some() {
            return None;
        }
        let text = document.json.get(value.clone())?;
        let uri = JsonCursor::from_text(text, JSON_CODES).string().ok()?;
        let bytes = uri::decode_data(&uri)?;
        let stated = || picture::media_type(&bytes).or_else(|| uri::media_type(&uri));
        let media_type = match image.media_type {
            Some(_) => None,
            None => Some(stated()?.to_owned()),
        };
        Some(Picture { member: member(&document.json, value)?, media_type, bytes })
    };
    document.parts.images.iter().filter_map(picture).collect()
}

/// All buffers with known bytes, and pictures, behind one another.
struct Joined {
    bytes: Vec<u8>,
    /// Range of the bytes of each picture.
    pictures: Vec<Range<usize>>,
    /// For each old buffer: its new number, and the offset of its bytes in the new buffer.
    places: Vec<(usize, usize)>,
    /// Old numbers of the buffers without known bytes.
    kept: Vec<usize>,
}

impl Joined {
    fn of(document: &Document, pictures: &[Picture]) -> Self {
        let mut joined =
            Self { bytes: Vec::new(), pictures: Vec::new(), places: Vec::new(), kept: Vec::new() };
        for (index, buffer) in document.parts.buffers.iter().enumerate() {
            let bytes = u32::try_from(index).ok().and_then(|index| document.buffer(index));
            let Some(bytes) = bytes else {
                joined.kept.push(index);
                joined.places.push((joined.kept.len(), 0));
                continue;
            };
            let length = usize::try_from(buffer.byte_length).unwrap_or(usize::MAX);
            let range = joined.add(bytes.get(..length).unwrap_or(bytes));
            joined.places.push((0, range.start));
        }
        joined.pictures = pictures.iter().map(|picture| joined.add(&picture.bytes)).collect();
        if !joined.has_bytes() {
            joined.places = (0..joined.places.len()).map(|index| (index, 0)).collect();
        }
        joined
    }

    /// Adds bytes, aligned.
    fn add(&mut self, bytes: &[u8]) -> Range<usize> {
        self.bytes.resize(self.bytes.len().next_multiple_of(container::ALIGNMENT), 0);
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        start..self.bytes.len()
    }

    const fn has_bytes(&self) -> bool {
        self.kept.len() < self.places.len() || !self.pictures.is_empty()
    }

    fn declare(&self, document: &Document, edits: &mut JsonPatches<'_>) {
        if !self.has_bytes() {
            return;
        }
        let mut items = vec![format!("{{\"byteLength\":{}}}", self.bytes.len())];
        for index in &self.kept {
            let item_span = span(&document.json, &format!("/buffers/{index}"));
            items.extend(item_span.and_then(|item_span| document.json.get(item_span)).map(str::to_owned));
        }
        match span(&document.json, "/buffers") {
            Some(array) => edits.replace(array, format!("[{}]", items.join(","))),
            None => edits.append("buffers", &items),
        }
    }

    /// Makes a view of each picture, and has its image refer to the view.
    fn show(&self, document: &Document, pictures: &[Picture], edits: &mut JsonPatches<'_>) {
        let first = document.parts.buffer_views.len();
        let mut views = Vec::with_capacity(pictures.len());
        for (number, (picture, range)) in pictures.iter().zip(&self.pictures).enumerate() {
            let kind = picture.media_type.as_ref().map(|kind| format!(",\"mimeType\":\"{kind}\""));
            let text = format!("\"bufferView\":{}{}", first + number, kind.unwrap_or_default());
            edits.replace(picture.member.clone(), text);
            let (offset, length) = (range.start, range.len());
            views.push(format!("{{\"buffer\":0,\"byteOffset\":{offset},\"byteLength\":{length}}}"));
        }
        edits.append("bufferViews", &views);
    }

    fn redirect(&self, reference: &Reference, edits: &mut JsonPatches<'_>) {
        let Some(&(number, start)) = self.places.get(reference.buffer) else { return };
        let offset = reference.offset + start;
        let moved = offset != reference.offset;
        match &reference.offset_span {
            Some(offset_span) if moved => edits.replace(offset_span.clone(), offset.to_string()),
            None if moved => {
                edits.replace(reference.buffer_span.clone(), format!("{number},\"byteOffset\":{offset}"));
                return;
            }
            _ => {}
        }
        if number != reference.buffer {
            edits.replace(reference.buffer_span.clone(), number.to_string());
        }
    }
}
