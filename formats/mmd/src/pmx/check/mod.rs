//! All faults and remarkable facts of a document.

mod bones;
mod choices;
mod fields;
mod file;
mod ik;
mod morphs;
mod names;
mod spot;
mod surface;

use super::document::Document;
use super::skeleton::{self, Links};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Check, SightingsByCode};
use spot::fault_at;
use std::borrow::Cow;

pub(super) fn check(document: &Document, report: &mut Report) {
    let (parents, append_sources) = (&skeleton::parents(document), &skeleton::append_sources(document));
    let mut look = DocumentCheck { document, parents, append_sources, seen: SightingsByCode::default() };
    fields::check(document, report);
    for check in
        [file::check, names::check, surface::check, bones::check, ik::check, morphs::check, choices::check]
    {
        check(&mut look);
    }
    look.seen.report(report);
}

/// A document, facts needed by several checks, and the findings so far.
struct DocumentCheck<'a> {
    document: &'a Document,
    parents: &'a Links,
    append_sources: &'a Links,
    seen: SightingsByCode,
}

impl DocumentCheck<'_> {
    /// A finding at a field of a record, or of the header, with the expected and the actual content.
    fn say<E, F>(
        &mut self,
        check: Check,
        lists: &[(&'static str, usize)],
        field: &'static str,
        what: impl FnOnce() -> (E, F),
    ) where
        E: Into<Cow<'static, str>>,
        F: Into<Cow<'static, str>>,
    {
        self.seen.add(check, || fault_at(self.document, lists, field, what()));
    }
}
