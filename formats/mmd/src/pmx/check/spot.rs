//! Faults at fields of a document.

use crate::pmx::document::{Document, Index, IndexSizes, Text};
use crate::pmx::layout::{self, IndexedList, Need, Sink, path};
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::units::ByteOffset;
use std::borrow::Cow;

/// Elements of lists, the outermost first.
type Lists = Vec<(&'static str, usize)>;

/// A fault in a field. Its code is filled in by `Sightings`. Finding the place takes a walk over the file, so
/// this is only for reported faults.
pub(super) fn fault_at(
    document: &Document,
    lists: &[(&'static str, usize)],
    field: &'static str,
    words: (impl Into<Cow<'static, str>>, impl Into<Cow<'static, str>>),
) -> Fault {
    Fault::new("", locate(document, lists, field), words.0, words.1).at_path(path(lists, field))
}

/// Position of a field in the file.
pub(super) fn locate(document: &Document, lists: &[(&'static str, usize)], field: &'static str) -> Place {
    let mut search = Search { position: Position::of(document), lists, field, offset: None };
    layout::walk(document, &mut search);
    search.offset.map_or(Place::File, |offset| Place::Byte(ByteOffset(offset as u64)))
}

/// Position of a walk.
pub(super) struct Position {
    pub(super) offset: usize,
    pub(super) lists: Lists,
    sizes: IndexSizes,
}

impl Position {
    pub(super) fn of(document: &Document) -> Self {
        Self { offset: 0, lists: Vec::new(), sizes: document.header.index_sizes }
    }

    pub(super) fn index(&mut self, list: IndexedList) {
        self.offset += usize::from(self.sizes.of(list).bytes());
    }

    pub(super) fn floats(&mut self, numbers: &[f32]) {
        self.offset += size_of_val(numbers);
    }

    pub(super) fn text(&mut self, text: &Text) {
        self.offset += COUNT + text.0.len();
    }

    pub(super) fn count(&mut self) {
        self.offset += COUNT;
    }
}

/// The size of a count, and of the length of a text.
const COUNT: usize = 4;

/// Looks for a field.
struct Search<'a> {
    position: Position,
    lists: &'a [(&'static str, usize)],
    field: &'static str,
    offset: Option<usize>,
}

impl Search<'_> {
    fn look(&mut self, field: &'static str) {
        if self.offset.is_none() && self.field == field && self.position.lists == self.lists {
            self.offset = Some(self.position.offset);
        }
    }
}

impl Sink for Search<'_> {
    fn enter(&mut self, list: &'static str, index: usize) {
        self.position.lists.push((list, index));
    }

    fn leave(&mut self) {
        self.position.lists.pop();
    }

    fn raw(&mut self, field: &'static str, bytes: &[u8]) {
        self.look(field);
        self.position.offset += bytes.len();
    }

    fn floats(&mut self, field: &'static str, numbers: &[f32]) {
        self.look(field);
        self.position.floats(numbers);
    }

    fn text(&mut self, field: &'static str, text: &Text) {
        self.look(field);
        self.position.text(text);
    }

    fn index(&mut self, field: &'static str, _index: Index, list: IndexedList, _need: Need) {
        self.look(field);
        self.position.index(list);
    }

    fn vertex(&mut self, field: &'static str, _vertex: u32) {
        self.look(field);
        self.position.index(IndexedList::Vertices);
    }

    fn count(&mut self, list: &'static str, _count: usize) {
        self.look(list);
        self.position.count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pmx::read;
    use dopesheet_core::diag::Report;

    /// The name of every field and the position of its first byte, in the order of the file.
    struct Fields {
        position: Position,
        starts: Vec<(usize, String)>,
    }

    impl Fields {
        fn note(&mut self, field: &str) {
            self.starts.push((self.position.offset, path(&self.position.lists, field)));
        }
    }

    impl Sink for Fields {
        fn enter(&mut self, list: &'static str, index: usize) {
            self.position.lists.push((list, index));
        }
        fn leave(&mut self) {
            self.position.lists.pop();
        }
        fn raw(&mut self, field: &'static str, bytes: &[u8]) {
            self.note(field);
            self.position.offset += bytes.len();
        }
        fn floats(&mut self, field: &'static str, numbers: &[f32]) {
            self.note(field);
            self.position.floats(numbers);
        }
        fn text(&mut self, field: &'static str, text: &Text) {
            self.note(field);
            self.position.text(text);
        }
        fn index(&mut self, field: &'static str, _index: Index, list: IndexedList, _need: Need) {
            self.note(field);
            self.position.index(list);
        }
        fn vertex(&mut self, field: &'static str, _vertex: u32) {
            self.note(field);
            self.position.index(IndexedList::Vertices);
        }
        fn count(&mut self, list: &'static str, _count: usize) {
            self.note(list);
            self.position.count();
        }
    }

    /// The file is cut in front of every field.
    #[test]
    fn reading_calls_every_field_as_checking_does() {
        let file = include_bytes!("../fixtures/valid/everything.pmx");
        let document = read::read(file, false, &mut Report::default()).unwrap();
        let mut fields = Fields { position: Position::of(&document), starts: Vec::new() };
        layout::walk(&document, &mut fields);
        assert_eq!(fields.position.offset, file.len());
        let mut seen = 0;
        // A field without bytes is never missing.
        let with_bytes = fields.starts.windows(2).filter(|pair| pair[0].0 < pair[1].0).map(|pair| &pair[0]);
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
