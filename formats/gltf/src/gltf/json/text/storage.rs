//! Accessors, buffer views and buffers.

use super::super::parts::{Accessor, Buffer, BufferView, Index, Sparse};
use super::members::{extension, index, numbers, whole};
use crate::meshopt::Filter;
use dopesheet_core::bytes::json::JsonWriter;

/// The members of an item of `accessors`.
pub(crate) fn accessor(w: &mut JsonWriter, accessor: &Accessor) {
    index(w, "bufferView", accessor.view);
    offset(w, accessor.byte_offset);
    whole(w, "componentType", accessor.component.number());
    if accessor.normalized {
        w.name("normalized").bool(true);
    }
    whole(w, "count", accessor.count);
    w.name("type").string(accessor.shape.name());
    for (name, bound) in [("min", &accessor.min), ("max", &accessor.max)] {
        numbers(w, name, Some(bound.iter()).filter(|_| !bound.is_empty()));
    }
    if let Some(parts) = &accessor.sparse {
        w.name("sparse").object(|w| sparse(w, parts));
    }
}

fn sparse(w: &mut JsonWriter, sparse: &Sparse) {
    whole(w, "count", sparse.count);
    w.name("indices").object(|w| {
        index(w, "bufferView", Some(sparse.index_view));
        offset(w, sparse.index_offset);
        whole(w, "componentType", sparse.index_component.number());
    });
    w.name("values").object(|w| {
        index(w, "bufferView", Some(sparse.value_view));
        offset(w, sparse.value_offset);
    });
}

/// The members of an item of `bufferViews`.
pub(crate) fn view(w: &mut JsonWriter, view: &BufferView) {
    range(w, view.buffer, view.byte_offset, view.byte_length);
    if let Some(target) = view.target {
        whole(w, "target", target);
    }
    let Some(compression) = &view.compressed else { return };
    extension(w, compression.extension, |w| {
        range(w, compression.buffer, compression.byte_offset, compression.byte_length);
        whole(w, "byteStride", compression.layout.stride);
        whole(w, "count", compression.layout.count);
        w.name("mode").string(compression.layout.mode.word());
        if compression.layout.filter != Filter::None {
            w.name("filter").string(compression.layout.filter.word());
        }
    });
}

/// The members of an item of `buffers` without bytes in the text. A buffer filled by a decompressing
/// extension is marked as a fallback.
pub(crate) fn buffer(w: &mut JsonWriter, buffer: &Buffer, filled_by: Option<&str>) {
    whole(w, "byteLength", buffer.byte_length);
    if let Some(name) = filled_by {
        extension(w, name, |w| _ = w.name("fallback").bool(true));
    }
}

/// The extension that fills a buffer by decompressing views.
pub(super) fn filled_by(buffer: usize, views: &[BufferView]) -> Option<&'static str> {
    let compressed = views.iter().filter(|view| view.buffer as usize == buffer);
    compressed.filter_map(|view| view.compressed.as_ref()).map(|compression| compression.extension).next()
}

fn range(w: &mut JsonWriter, buffer: Index, byte_offset: u64, byte_length: u64) {
    index(w, "buffer", Some(buffer));
    offset(w, byte_offset);
    whole(w, "byteLength", byte_length);
}

fn offset(w: &mut JsonWriter, bytes: u64) {
    if bytes > 0 {
        whole(w, "byteOffset", bytes);
    }
}
