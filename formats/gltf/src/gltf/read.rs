//! JSON text and the bytes around it → document. Structure only: a file that leaves data undefined is
//! refused, nothing is repaired.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

use super::binary::resolve;
use super::document::{BufferData, Container, Document};
use super::json::parts::{Buffer, Parts, Uri};
use super::json::{parse, place, uri};
use crate::checks::code;
use crate::container;
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::json::{JsonCursor, Span};
use dopesheet_core::format::{ReadOptions, ResourceName, Source};
use dopesheet_core::order::distinct;

/// Container of the JSON text.
pub(crate) enum Wrapper {
    /// Nothing.
    Text,
    /// The chunks of a GLB.
    Binary(container::Container),
}

/// Reads a document from its JSON text and the bytes around the text.
pub(crate) fn read(
    json: &[u8],
    wrapper: Wrapper,
    source: &Source<'_>,
    options: &ReadOptions,
) -> Read<Document> {
    let json = JsonCursor::new(json, place::JSON_CODES)?.text();
    let parts = parse::parts(json)?;
    let has_bin = matches!(&wrapper, Wrapper::Binary(glb) if glb.bin.is_some());
    let is_binary = matches!(&wrapper, Wrapper::Binary(_));
    let buffers = buffers(json, &parts, is_binary.then_some(has_bin), source)?;
    let container = match wrapper {
        Wrapper::Text => Container::Text,
        Wrapper::Binary(glb) => Container::Binary(glb),
    };
    let images = images(&parts, source);
    let document = Document { container, json: json.to_owned(), parts, buffers, images };
    resolve::resolve(&document, &options.limits)?;
    Ok(document)
}

/// Names of the files that a JSON text refers to; files outside its folder are left out.
pub(crate) fn wants(json: &[u8]) -> Vec<ResourceName> {
    let Ok(json) = std::str::from_utf8(json) else { return Vec::new() };
    if !json.contains("uri") {
        return Vec::new();
    }
    let uris = parse::file_uris(json).unwrap_or_default();
    let mut names: Vec<ResourceName> = uris.iter().filter_map(|uri| uri::file_name(uri)).collect();
    distinct(&mut names);
    names
}

/// Pictures are only handed on, so a missing picture is no fault here.
fn images(parts: &Parts, source: &Source<'_>) -> Vec<(ResourceName, Vec<u8>)> {
    let uris = parts.images.iter().filter_map(|image| match &image.uri {
        Uri::File(uri) => Some(uri),
        _ => None,
    });
    let names = uris.filter_map(|uri| uri::file_name(uri));
    names
        .filter_map(|name| source.resources.get_key_value(&name))
        .map(|(n, b)| (n.clone(), b.clone()))
        .collect()
}

/// `has_bin` says whether a GLB has a BIN chunk; `None` is a text file.
fn buffers(json: &str, parts: &Parts, has_bin: Option<bool>, source: &Source<'_>) -> Read<Vec<BufferData>> {
    let mut all = Vec::new();
    for (index, buffer) in parts.buffers.iter().enumerate() {
        let pointer = format!("/buffers/{index}");
        all.push(match &buffer.uri {
            Uri::None => nowhere(json, &pointer, index, has_bin, buffer)?,
            Uri::Data(span) => BufferData::Embedded(embedded(json, &pointer, span)?),
            Uri::File(uri) => file(json, &pointer, uri, source)?,
        });
    }
    Ok(all)
}

/// A buffer without a URI: the BIN chunk, or a buffer filled by the extension that compresses its views.
fn nowhere(
    json: &str,
    pointer: &str,
    index: usize,
    has_bin: Option<bool>,
    buffer: &Buffer,
) -> Read<BufferData> {
    match (index, has_bin) {
        (0, Some(true)) => Ok(BufferData::Chunk),
        (0, Some(false)) if buffer.byte_length > 0 && !json.contains("meshopt_compression") => {
            Err(place::fault(
                json,
                pointer,
                code::BUFFER_MISSING_GLB_DATA,
                "data in a BIN chunk or at a uri",
                "neither",
            ))
        }
        _ => Ok(BufferData::Absent),
    }
}

fn embedded(json: &str, pointer: &str, span: &Span) -> Read<Vec<u8>> {
    let text = json.get(span.clone()).unwrap_or_default();
    let uri = JsonCursor::from_text(text, place::JSON_CODES).string()?;
    uri::decode_data(&uri).ok_or_else(|| {
        let pointer = format!("{pointer}/uri");
        place::fault(json, &pointer, code::INVALID_URI, "a data URI", "one that cannot be decoded")
    })
}

fn file(json: &str, pointer: &str, written: &str, source: &Source<'_>) -> Read<BufferData> {
    let pointer = format!("{pointer}/uri");
    let Some(name) = uri::file_name(written) else {
        let expected = "the name of a file in the same folder or below";
        return Err(place::fault(json, &pointer, code::INVALID_URI, expected, format!("{written:?}")));
    };
    match source.resources.get(&name) {
        Some(bytes) => Ok(BufferData::File { name, bytes: bytes.clone() }),
        None => {
            let expected = format!("the file {name:?} beside this one");
            Err(place::fault(json, &pointer, code::IO_ERROR, expected, "none"))
        }
    }
}
