//! All faults and remarkable facts of a document.

mod bones;
mod fields;
mod file;
mod morphs;
mod names;
mod spot;
mod surface;

use super::document::Document;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Check, SightingsByCode};
use spot::{Lists, fault_at};
use std::borrow::Cow;

pub(super) fn check(document: &Document, report: &mut Report) {
    let mut look = DocumentCheck { document, seen: SightingsByCode::default() };
    for check in [file::check, fields::check, surface::check, bones::check, morphs::check, names::check] {
        check(&mut look);
    }
    look.seen.report(report);
}

/// A document, and its findings so far.
struct DocumentCheck<'a> {
    document: &'a Document,
    seen: SightingsByCode,
}

impl DocumentCheck<'_> {
    /// A finding at a field of a record, or of the header, with the expected and the actual content.
    fn say<E, F>(
        &mut self,
        check: Check,
        lists: Lists<'_>,
        field: &'static str,
        what: impl FnOnce() -> (E, F),
    ) where
        E: Into<Cow<'static, str>>,
        F: Into<Cow<'static, str>>,
    {
        self.seen.add(check, || fault_at(self.document, lists, field, what()));
    }
}
