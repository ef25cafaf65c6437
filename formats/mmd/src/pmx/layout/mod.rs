//! The order of all fields of a file, stated once and used by reading records, by writing, which walks all
//! fields to append bytes, and by checking, to know the position and the structure of each field. `LAYOUT.md`
//! has the same in tables.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

mod field;
mod fields;
mod records;
mod skin;

pub(super) use field::Record;
pub(super) use fields::{Fields, TEXT};
pub(super) use skin::{faces, skip_surface, smallest_vertex, vertex};

use super::document::{Document, Index, IndexSize, IndexSizes, Text};

/// A list that indices point into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexedList {
    Vertices,
    Textures,
    Materials,
    Bones,
    Morphs,
    Bodies,
}

impl IndexedList {
    /// The name of its records in messages.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Vertices => "vertices",
            Self::Textures => "textures",
            Self::Materials => "materials",
            Self::Bones => "bones",
            Self::Morphs => "morphs",
            Self::Bodies => "rigid bodies",
        }
    }
}

impl IndexSizes {
    pub(super) const fn of(&self, list: IndexedList) -> IndexSize {
        match list {
            IndexedList::Vertices => self.vertex,
            IndexedList::Textures => self.texture,
            IndexedList::Materials => self.material,
            IndexedList::Bones => self.bone,
            IndexedList::Morphs => self.morph,
            IndexedList::Bodies => self.body,
        }
    }
}

impl Document {
    /// Length of a list.
    pub(super) const fn length(&self, list: IndexedList) -> usize {
        match list {
            IndexedList::Vertices => self.vertices.len(),
            IndexedList::Textures => self.textures.len(),
            IndexedList::Materials => self.materials.len(),
            IndexedList::Bones => self.bones.len(),
            IndexedList::Morphs => self.morphs.len(),
            IndexedList::Bodies => self.rigid_bodies.len(),
        }
    }
}

/// Requirement on an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// An element.
    Element,
    /// An element or none.
    OrNone,
}

/// Receives the fields of a file in their order. Each field has its name within the record entered last.
pub(super) trait Sink {
    /// The fields behind this call belong to an element of a list.
    fn enter(&mut self, list: &'static str, index: usize);
    /// The element is over.
    fn leave(&mut self);
    /// Bytes as they are.
    fn raw(&mut self, field: &'static str, bytes: &[u8]);
    /// Numbers.
    fn floats(&mut self, field: &'static str, numbers: &[f32]);
    /// A text behind its length.
    fn text(&mut self, field: &'static str, text: &Text);
    /// An index.
    fn index(&mut self, field: &'static str, index: Index, list: IndexedList, need: Need);
    /// An index of a vertex.
    fn vertex(&mut self, field: &'static str, vertex: u32);
    /// Length of the list behind this call.
    fn count(&mut self, list: &'static str, count: usize);

    /// A byte.
    fn u8(&mut self, field: &'static str, byte: u8) {
        self.raw(field, &[byte]);
    }

    /// A whole number.
    fn i32(&mut self, field: &'static str, number: i32) {
        self.raw(field, &number.to_le_bytes());
    }

    /// A whole number of 16 bits.
    fn u16(&mut self, field: &'static str, number: u16) {
        self.raw(field, &number.to_le_bytes());
    }

    /// A number.
    fn f32(&mut self, field: &'static str, number: f32) {
        self.floats(field, &[number]);
    }

    /// A list of records.
    fn records(&mut self, list: &'static str, records: &[impl Record])
    where
        Self: Sized,
    {
        self.list(list, records, |sink, _, record| record.walk(sink));
    }

    /// A list: its length, then its elements.
    fn list<T>(&mut self, list: &'static str, elements: &[T], mut element: impl FnMut(&mut Self, usize, &T))
    where
        Self: Sized,
    {
        self.count(list, elements.len());
        for (index, value) in elements.iter().enumerate() {
            self.enter(list, index);
            element(self, index, value);
            self.leave();
        }
    }
}

/// Number of settings defined by versions 2.0 and 2.1.
pub(super) const SETTINGS: usize = 8;

/// Every field of a file, in order.
pub(super) fn walk(document: &Document, sink: &mut impl Sink) {
    header(document, sink);
    sink.list("vertices", &document.vertices, |sink, index, vertex| {
        skin::walk(sink, vertex, document.additional_uvs.iter().filter_map(|column| column.get(index)));
    });
    sink.list("faces", &document.faces, |sink, _, vertex| sink.vertex("vertex", *vertex));
    sink.list("textures", &document.textures, |sink, _, path| sink.text("path", path));
    sink.records("materials", &document.materials);
    sink.records("bones", &document.bones);
    sink.records("morphs", &document.morphs);
    sink.records("display frames", &document.display_frames);
    sink.records("rigid bodies", &document.rigid_bodies);
    sink.records("joints", &document.joints);
    if let Some(bodies) = &document.soft_bodies {
        sink.records("soft bodies", bodies);
    }
    sink.raw("trailing bytes", &document.trailing);
}

fn header(document: &Document, sink: &mut impl Sink) {
    let header = &document.header;
    let sizes = header.index_sizes;
    sink.raw("signature", &header.magic);
    sink.f32("version", header.version.number());
    let settings = SETTINGS.saturating_add(header.extra.len());
    sink.u8("number of settings", u8::try_from(settings).unwrap_or(u8::MAX));
    sink.u8("encoding", header.encoding.byte());
    sink.u8("additional UVs", header.additional_uvs);
    for (field, size) in [
        ("vertex index size", sizes.vertex),
        ("texture index size", sizes.texture),
        ("material index size", sizes.material),
        ("bone index size", sizes.bone),
        ("morph index size", sizes.morph),
        ("rigid body index size", sizes.body),
    ] {
        sink.u8(field, size.bytes());
    }
    sink.raw("further settings", &header.extra);
    sink.text("name", &document.name);
    sink.text("English name", &document.english_name);
    sink.text("comment", &document.comment);
    sink.text("English comment", &document.english_comment);
}
