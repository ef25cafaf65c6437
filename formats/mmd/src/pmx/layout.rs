//! The order of all fields of a file, stated once: writing walks it to append bytes, checking to know where and in
//! which structure each field stands. `LAYOUT.md` has the same in tables.

mod records;

use super::document::{Document, Index, IndexSize, IndexSizes, Text};

/// A list that indices point into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    Vertices,
    Textures,
    Materials,
    Bones,
    Morphs,
    Bodies,
}

impl List {
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
    pub(super) const fn of(&self, list: List) -> IndexSize {
        match list {
            List::Vertices => self.vertex,
            List::Textures => self.texture,
            List::Materials => self.material,
            List::Bones => self.bone,
            List::Morphs => self.morph,
            List::Bodies => self.body,
        }
    }
}

impl Document {
    /// How many elements a list has.
    pub(super) const fn length(&self, list: List) -> usize {
        match list {
            List::Vertices => self.vertices.len(),
            List::Textures => self.textures.len(),
            List::Materials => self.materials.len(),
            List::Bones => self.bones.len(),
            List::Morphs => self.morphs.len(),
            List::Bodies => self.rigid_bodies.len(),
        }
    }
}

/// What an index must say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// An element.
    Element,
    /// An element or none.
    OrNone,
}

/// Receives the fields of a file in their order. Each has its name within the record that was entered last.
pub(super) trait Sink {
    /// The fields that follow belong to an element of a list.
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
    fn index(&mut self, field: &'static str, index: Index, list: List, need: Need);
    /// An index of a vertex.
    fn vertex(&mut self, field: &'static str, vertex: u32);
    /// How many elements a list has that follows.
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

/// `bones[3].IK links[2].bone`: elements of lists, the outermost first, and a field.
pub(super) fn path(lists: &[(&'static str, usize)], field: &str) -> String {
    let mut parts: Vec<_> = lists.iter().map(|(list, index)| format!("{list}[{index}]")).collect();
    parts.push(field.to_owned());
    parts.join(".")
}

/// How many settings versions 2.0 and 2.1 define.
pub(super) const SETTINGS: usize = 8;

/// Every field of a file, in order.
pub(super) fn walk(document: &Document, sink: &mut impl Sink) {
    header(document, sink);
    sink.list("vertices", &document.vertices, |sink, index, vertex| {
        records::vertex(sink, vertex, document.additional_uvs.iter().filter_map(|column| column.get(index)));
    });
    sink.count("faces", document.faces.len());
    for (index, vertex) in document.faces.iter().enumerate() {
        sink.enter("faces", index);
        sink.vertex("vertex", *vertex);
        sink.leave();
    }
    sink.list("textures", &document.textures, |sink, _, path| sink.text("path", path));
    sink.list("materials", &document.materials, |sink, _, material| records::material(sink, material));
    sink.list("bones", &document.bones, |sink, _, bone| records::bone(sink, bone));
    sink.list("morphs", &document.morphs, |sink, _, morph| records::morph(sink, morph));
    sink.list("display frames", &document.display_frames, |sink, _, frame| {
        records::display_frame(sink, frame);
    });
    sink.list("rigid bodies", &document.rigid_bodies, |sink, _, body| records::rigid_body(sink, body));
    sink.list("joints", &document.joints, |sink, _, joint| records::joint(sink, joint));
    if let Some(bodies) = &document.soft_bodies {
        sink.list("soft bodies", bodies, |sink, _, body| records::soft_body(sink, body));
    }
    sink.raw("trailing bytes", &document.trailing);
}

fn header(document: &Document, sink: &mut impl Sink) {
    let header = &document.header;
    let sizes = header.index_sizes;
    sink.raw("signature", &header.magic);
    sink.floats("version", &[header.version.number()]);
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
