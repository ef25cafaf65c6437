//! Position in the file of a field of a document.

use crate::pmd::document::Document;
use crate::pmd::layout::{Sink, Width, walk};
use crate::record::path;
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::units::ByteOffset;
use std::borrow::Cow;

/// Elements of lists, the outermost first.
pub(super) type Lists<'a> = &'a [(&'static str, usize)];

/// A field of a file.
pub(super) struct Field<'a> {
    /// Name of the field, or of the list for the field with the list's count.
    pub(super) name: &'static str,
    /// The records around the field.
    pub(super) lists: Lists<'a>,
    /// Offset of its first byte.
    pub(super) offset: usize,
    pub(super) content: Content<'a>,
}

/// Content of a field.
pub(super) enum Content<'a> {
    Raw(&'a [u8]),
    Floats(&'a [f32]),
    Count,
}

impl Field<'_> {
    /// A fault at the field. Its code is filled in by `Sightings`.
    pub(super) fn fault(
        &self,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Fault {
        fault(self.offset, expected, found).at_path(path(self.lists, self.name))
    }
}

/// Calls a function with each field in the order of the file; the length of the file in bytes.
pub(super) fn each_field(document: &Document, look: impl FnMut(&Field<'_>)) -> usize {
    let mut fields = Fields { offset: 0, lists: Vec::new(), look };
    walk(document, &mut fields);
    fields.offset
}

/// A fault in a field of a record, or of the header. Its code is filled in by `Sightings`.
pub(super) fn fault_at(
    document: &Document,
    lists: Lists<'_>,
    field: &'static str,
    words: (impl Into<Cow<'static, str>>, impl Into<Cow<'static, str>>),
) -> Fault {
    let mut start = None;
    let end = each_field(document, |spot| {
        if start.is_none() && spot.name == field && spot.lists == lists {
            start = Some(spot.offset);
        }
    });
    fault(start.unwrap_or(end), words.0, words.1).at_path(path(lists, field))
}

/// A fault at a byte.
pub(super) fn fault(
    offset: usize,
    expected: impl Into<Cow<'static, str>>,
    found: impl Into<Cow<'static, str>>,
) -> Fault {
    Fault::new("", Place::Byte(ByteOffset(offset as u64)), expected, found)
}

struct Fields<F> {
    offset: usize,
    lists: Vec<(&'static str, usize)>,
    look: F,
}

impl<F: FnMut(&Field<'_>)> Fields<F> {
    fn pass(&mut self, name: &'static str, content: Content<'_>, bytes: usize) {
        (self.look)(&Field { name, lists: &self.lists, offset: self.offset, content });
        self.offset += bytes;
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
        self.pass(field, Content::Raw(bytes), bytes.len());
    }

    fn floats(&mut self, field: &'static str, numbers: &[f32]) {
        self.pass(field, Content::Floats(numbers), size_of_val(numbers));
    }

    fn count(&mut self, list: &'static str, width: Width, _count: usize) {
        self.pass(list, Content::Count, width.bytes());
    }
}
