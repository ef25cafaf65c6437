//! Document → bytes: the inverse of reading. The text is written unchanged; only newly made buffers get a
//! place.

use super::document::{BufferData, Document};
use super::json::place;
use super::json::uri;
use dopesheet_core::format::{Output, ResourceName, WriteOptions};
use std::collections::HashSet;

/// The files beside the main file with which a document was read.
pub(crate) fn resources(document: &Document) -> Vec<(ResourceName, Vec<u8>)> {
    let buffers = document.buffers.iter().filter_map(|buffer| match buffer {
        BufferData::File { name, bytes } => Some((name, bytes)),
        _ => None,
    });
    let images = document.images.iter().map(|(name, bytes)| (name, bytes));
    let mut seen = HashSet::new();
    let first = buffers.chain(images).filter(|(name, _)| seen.insert(*name));
    first.map(|(name, bytes)| (name.clone(), bytes.clone())).collect()
}

/// A `.gltf` and its files.
pub(super) fn write_text(document: &Document, options: &WriteOptions) -> Output {
    let mut json = document.json.clone();
    let mut resources = resources(document);
    for (index, buffer) in document.buffers.iter().enumerate() {
        let BufferData::Unnamed(bytes) = buffer else { continue };
        let uri = match options.file_name.as_deref().map(|name| buffer_name(name, index)) {
            Some(name) => {
                let uri = uri::from_file_name(&name);
                resources.push((name, bytes.clone()));
                uri
            }
            None => uri::data_uri(bytes),
        };
        // The object was written here: it has members, and no white space before its end.
        if let Some(span) = place::span(&json, &format!("/buffers/{index}")) {
            json.insert_str(span.end.saturating_sub(1), &format!(",\"uri\":\"{uri}\""));
        }
    }
    Output { main: json.into_bytes(), resources }
}

/// `walk.gltf` → `walk.bin`.
fn buffer_name(file_name: &str, index: usize) -> ResourceName {
    let stem = file_name.rsplit_once('.').map_or(file_name, |(stem, _)| stem);
    if index == 0 { format!("{stem}.bin") } else { format!("{stem}_{index}.bin") }
}
