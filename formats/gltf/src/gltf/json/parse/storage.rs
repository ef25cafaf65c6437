//! Accessors, buffer views and buffers.

use super::super::parts::{Accessor, Buffer, BufferView, Component, Compression, Index, Shape, Sparse};
use super::value::{boolean, borrowed, index, members, missing, numbers, object, position, whole};
use crate::checks::code;
use crate::gltf::json::uri::is_data;
use crate::meshopt::{Filter, Layout, Mode};
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::json::JsonCursor;

/// Names of the extension that compresses a buffer view.
const MESHOPT_EXTENSIONS: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

pub(super) fn accessor(c: &mut JsonCursor<'_>) -> Read<Accessor> {
    let start = position(c)?;
    let mut accessor = Accessor::default();
    let (mut kind, mut count, mut shape) = (None, None, None);
    members! { c, name:
        "bufferView" => accessor.view = Some(index(c)?),
        "byteOffset" => accessor.byte_offset = whole(c)?,
        "componentType" => kind = Some(component(c)?),
        "normalized" => accessor.normalized = boolean(c)?,
        "count" => count = Some(whole(c)?),
        "type" => {
            shape = Some(word(c, Shape::from_name, "one of SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3, MAT4")?)
        }
        "min" => accessor.min = numbers(c)?,
        "max" => accessor.max = numbers(c)?,
        "sparse" => accessor.sparse = Some(Box::new(sparse(c)?)),
    }
    accessor.component = kind.ok_or_else(|| missing(c, start, "componentType"))?;
    accessor.count = count.ok_or_else(|| missing(c, start, "count"))?;
    accessor.shape = shape.ok_or_else(|| missing(c, start, "type"))?;
    Ok(accessor)
}

fn component(c: &mut JsonCursor<'_>) -> Read<Component> {
    let mut before = c.clone();
    Component::from_number(whole(c)?).ok_or_else(|| {
        let expected = "one of 5120, 5121, 5122, 5123, 5125, 5126";
        before.fault_here(code::VALUE_NOT_IN_LIST, expected)
    })
}

fn sparse(c: &mut JsonCursor<'_>) -> Read<Sparse> {
    let start = position(c)?;
    let (mut count, mut at, mut replacing) = (None, None, None);
    members! { c, name:
        "count" => count = Some(whole(c)?),
        "indices" => at = Some(sparse_data(c, true)?),
        "values" => replacing = Some(sparse_data(c, false)?),
    }
    let at = at.ok_or_else(|| missing(c, start, "indices"))?;
    let replacing = replacing.ok_or_else(|| missing(c, start, "values"))?;
    Ok(Sparse {
        count: count.ok_or_else(|| missing(c, start, "count"))?,
        index_view: at.0,
        index_offset: at.1,
        index_component: at.2,
        value_view: replacing.0,
        value_offset: replacing.1,
    })
}

/// View, offset and component type; only indices state a type.
fn sparse_data(c: &mut JsonCursor<'_>, typed: bool) -> Read<(Index, u64, Component)> {
    let start = position(c)?;
    let (mut view, mut offset, mut kind) = (None, 0, None);
    members! { c, name:
        "bufferView" => view = Some(index(c)?),
        "byteOffset" => offset = whole(c)?,
        "componentType" => kind = Some(component(c)?),
    }
    if typed && kind.is_none() {
        return Err(missing(c, start, "componentType"));
    }
    let view = view.ok_or_else(|| missing(c, start, "bufferView"))?;
    Ok((view, offset, kind.unwrap_or(Component::F32)))
}

pub(super) fn buffer_view(c: &mut JsonCursor<'_>) -> Read<BufferView> {
    let start = position(c)?;
    let mut view = BufferView::default();
    let (mut buffer, mut length) = (None, None);
    members! { c, name:
        "buffer" => buffer = Some(index(c)?),
        "byteOffset" => view.byte_offset = whole(c)?,
        "byteLength" => length = Some(whole(c)?),
        "byteStride" => view.byte_stride = Some(whole(c)?),
        "target" => {
            view.target = c.clone().plain_whole();
            c.skip().map(drop)?;
        }
        "extensions" => object(c, |c, name| {
            match MESHOPT_EXTENSIONS.into_iter().find(|known| *known == name) {
                Some(extension) => view.compressed = Some(Box::new(compression(c, extension)?)),
                None => c.skip().map(drop)?,
            }
            Ok(())
        })?,
    }
    view.buffer = buffer.ok_or_else(|| missing(c, start, "buffer"))?;
    view.byte_length = length.ok_or_else(|| missing(c, start, "byteLength"))?;
    Ok(view)
}

fn compression(c: &mut JsonCursor<'_>, extension: &'static str) -> Read<Compression> {
    let start = position(c)?;
    let (mut buffer, mut length, mut count, mut stride, mut mode) = (None, None, None, None, None);
    let (mut byte_offset, mut filter) = (0, Filter::None);
    members! { c, name:
        "buffer" => buffer = Some(index(c)?),
        "byteOffset" => byte_offset = whole(c)?,
        "byteLength" => length = Some(whole(c)?),
        "byteStride" => stride = Some(whole(c)?),
        "count" => count = Some(whole(c)?),
        "mode" => mode = Some(word(c, Mode::from_word, "ATTRIBUTES, TRIANGLES or INDICES")?),
        "filter" => {
            filter = word(c, Filter::from_word, "NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL or COLOR")?;
        }
    }
    let lacks = |name| missing(c, start, name);
    Ok(Compression {
        extension,
        buffer: buffer.ok_or_else(|| lacks("buffer"))?,
        byte_offset,
        byte_length: length.ok_or_else(|| lacks("byteLength"))?,
        layout: Layout {
            mode: mode.ok_or_else(|| lacks("mode"))?,
            filter,
            count: count.ok_or_else(|| lacks("count"))?,
            stride: stride.ok_or_else(|| lacks("byteStride"))?,
        },
    })
}

/// A string from a list of a few words.
fn word<T>(c: &mut JsonCursor<'_>, from_word: fn(&str) -> Option<T>, expected: &'static str) -> Read<T> {
    let mut before = c.clone();
    from_word(&borrowed(c)?).ok_or_else(|| before.fault_here(code::VALUE_NOT_IN_LIST, expected))
}

pub(super) fn buffer(c: &mut JsonCursor<'_>) -> Read<Buffer> {
    let start = position(c)?;
    let (mut buffer, mut length) = (Buffer::default(), None);
    members! { c, name:
        "byteLength" => length = Some(whole(c)?),
        "uri" => buffer.uri = super::geometry::uri(c)?,
    }
    buffer.byte_length = length.ok_or_else(|| missing(c, start, "byteLength"))?;
    Ok(buffer)
}

/// The `uri` of a buffer or an image, unless it is a data URI.
pub(super) fn file_uri(c: &mut JsonCursor<'_>) -> Read<Option<String>> {
    let mut file = None;
    members! { c, name:
        "uri" => file = Some(borrowed(c)?).filter(|uri| !is_data(uri)).map(|uri| uri.into_owned()),
    }
    Ok(file)
}
