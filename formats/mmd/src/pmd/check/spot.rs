//! Where in the file a field of a document stands.

use crate::pmd::document::Document;
use crate::pmd::layout::{Sink, Width, walk};
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::units::ByteOffset;
use std::borrow::Cow;

/// Where a walk over a file is.
#[derive(Default)]
pub(super) struct Position {
    pub(super) offset: usize,
    pub(super) lists: Vec<(&'static str, usize)>,
}

impl Position {
    /// The names of the enclosing structures and of a field: `bones[3].head`.
    pub(super) fn path(lists: &[(&'static str, usize)], field: &str) -> String {
        let mut path: String = lists.iter().map(|(list, index)| format!("{list}[{index}].")).collect();
        path.push_str(field);
        path
    }
}

/// A fault in a field of a record, or of the header. Its code is filled in by `Sightings`.
pub(super) fn fault_at(
    document: &Document,
    lists: &[(&'static str, usize)],
    field: &'static str,
    (expected, found): (impl Into<Cow<'static, str>>, impl Into<Cow<'static, str>>),
) -> Fault {
    let mut search = Search { position: Position::default(), lists, field, found: None };
    walk(document, &mut search);
    let offset = search.found.unwrap_or(search.position.offset);
    fault(offset, expected, found).at_path(Position::path(lists, field))
}

/// A fault at a byte.
pub(super) fn fault(
    offset: usize,
    expected: impl Into<Cow<'static, str>>,
    found: impl Into<Cow<'static, str>>,
) -> Fault {
    Fault::new("", Place::Byte(ByteOffset(offset as u64)), expected, found)
}

/// The length of the file.
pub(super) fn file_size(document: &Document) -> usize {
    let mut search = Search { position: Position::default(), lists: &[], field: "", found: None };
    walk(document, &mut search);
    search.position.offset
}

/// Looks for a field, or for the count of a list.
struct Search<'a> {
    position: Position,
    lists: &'a [(&'static str, usize)],
    field: &'static str,
    found: Option<usize>,
}

impl Search<'_> {
    fn pass(&mut self, field: &'static str, bytes: usize) {
        if self.found.is_none() && self.field == field && self.position.lists == self.lists {
            self.found = Some(self.position.offset);
        }
        self.position.offset += bytes;
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
        self.pass(field, bytes.len());
    }

    fn floats(&mut self, field: &'static str, numbers: &[f32]) {
        self.pass(field, size_of_val(numbers));
    }

    fn count(&mut self, list: &'static str, width: Width, _count: usize) {
        self.pass(list, width.bytes());
    }
}
