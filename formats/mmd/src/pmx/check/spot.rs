//! Fields of a document with their positions in the file, and faults at them.

use crate::pmx::document::{Document, Index, IndexSizes, Text};
use crate::pmx::layout::{self, IndexedList, Need, Sink};
use crate::record::path;
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::units::ByteOffset;
use std::borrow::Cow;

/// Elements of lists, the outermost first.
type Lists<'a> = &'a [(&'static str, usize)];

/// A field of a file.
pub(super) struct Field<'a> {
    /// Name of the field, or of the list for the field with the list's count.
    name: &'static str,
    lists: Lists<'a>,
    /// Offset of its first byte.
    offset: usize,
    pub(super) content: Content<'a>,
}

/// Content of a field.
pub(super) enum Content<'a> {
    Raw,
    Floats(&'a [f32]),
    Text(&'a Text),
    /// A position in a list.
    Index(i64, IndexedList, Need),
    Count,
}

impl Field<'_> {
    /// A fault at the field. Its code is filled in by `Sightings`.
    pub(super) fn fault(&self, expected: impl Into<Cow<'static, str>>, found: String) -> Fault {
        let byte = Place::Byte(ByteOffset(self.offset as u64));
        Fault::new("", byte, expected, found).at_path(path(self.lists, self.name))
    }
}

/// A fault in a field. Its code is filled in by `Sightings`. Finding the place takes a walk over the file, so
/// this is only for reported faults.
pub(super) fn fault_at(
    document: &Document,
    lists: Lists<'_>,
    field: &'static str,
    words: (impl Into<Cow<'static, str>>, impl Into<Cow<'static, str>>),
) -> Fault {
    Fault::new("", locate(document, lists, field), words.0, words.1).at_path(path(lists, field))
}

/// Position of a field in the file.
pub(super) fn locate(document: &Document, lists: Lists<'_>, name: &'static str) -> Place {
    let mut start = None;
    each_field(document, |field| {
        if start.is_none() && field.name == name && field.lists == lists {
            start = Some(field.offset);
        }
    });
    start.map_or(Place::File, |offset| Place::Byte(ByteOffset(offset as u64)))
}

/// Calls a function with each field in the order of the file; the length of the file in bytes.
pub(super) fn each_field(document: &Document, look: impl FnMut(&Field<'_>)) -> usize {
    let sizes = document.header.index_sizes;
    let mut fields = Fields { offset: 0, lists: Vec::new(), sizes, look };
    layout::walk(document, &mut fields);
    fields.offset
}

/// The size of a count, and of the length of a text.
const COUNT: usize = 4;

struct Fields<F> {
    offset: usize,
    lists: Vec<(&'static str, usize)>,
    sizes: IndexSizes,
    look: F,
}

impl<F: FnMut(&Field<'_>)> Fields<F> {
    fn pass(&mut self, name: &'static str, content: Content<'_>, bytes: usize) {
        (self.look)(&Field { name, lists: &self.lists, offset: self.offset, content });
        self.offset += bytes;
    }

    fn pointer(&mut self, name: &'static str, index: i64, list: IndexedList, need: Need) {
        self.pass(name, Content::Index(index, list, need), self.sizes.of(list).bytes().into());
    }
}

impl<F: FnMut(&Field<'_>)> Sink for Fields<F> {
    fn enter(&mut self, list: &'static str, index: usize) {
        self.lists.push((list, index));
    }

    fn leave(&mut self) {
        self.lists.pop();
    }

    fn raw(&mut self, field: &'static str, bytes: &[u8]) {
        self.pass(field, Content::Raw, bytes.len());
    }

    fn floats(&mut self, field: &'static str, numbers: &[f32]) {
        self.pass(field, Content::Floats(numbers), size_of_val(numbers));
    }

    fn text(&mut self, field: &'static str, text: &Text) {
        self.pass(field, Content::Text(text), COUNT + text.0.len());
    }

    fn index(&mut self, field: &'static str, index: Index, list: IndexedList, need: Need) {
        self.pointer(field, index.0.into(), list, need);
    }

    fn vertex(&mut self, field: &'static str, vertex: u32) {
        self.pointer(field, vertex.into(), IndexedList::Vertices, Need::Element);
    }

    fn count(&mut self, list: &'static str, _count: usize) {
        self.pass(list, Content::Count, COUNT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pmx::read;
    use dopesheet_core::diag::Report;

    /// The file is cut in front of every field.
    #[test]
    fn reading_calls_every_field_as_checking_does() {
        let file = include_bytes!("../fixtures/valid/everything.pmx");
        let document = read::read(file, false, &mut Report::default()).unwrap();
        // The name of every field and the position of its first byte, in the order of the file.
        let mut starts = Vec::new();
        let length =
            each_field(&document, |field| starts.push((field.offset, path(field.lists, field.name))));
        assert_eq!(length, file.len());
        let mut seen = 0;
        // A field without bytes is never missing.
        let with_bytes = starts.windows(2).filter(|pair| pair[0].0 < pair[1].0).map(|pair| &pair[0]);
        for (start, path) in with_bytes {
            // Counts in front of what is left fail before anything behind them; a wrong name would show all the same.
            let Err(fault) = read::read(&file[..*start], false, &mut Report::default()) else {
                assert_eq!(path, "soft bodies", "the only place where a file may end early");
                continue;
            };
            if fault.code == "mmd-truncated" {
                let simple = |path: &str| path.trim_end_matches(" count").to_owned();
                assert_eq!(simple(&fault.path), simple(path), "{fault}");
                seen += 1;
            }
        }
        assert!(seen > 60, "{seen}");
    }
}
