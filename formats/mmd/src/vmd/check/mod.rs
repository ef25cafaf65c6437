//! All faults and remarkable facts of a document.

mod curves;
mod faults;
mod file;
mod names;
mod numbers;
mod order;

pub(super) use file::model_and_camera;

use super::document::{Document, Section};
use super::layout::Field;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Check, SightingsByCode};
use faults::fault_in;
use std::borrow::Cow;

pub(super) fn check(document: &Document, report: &mut Report) {
    let (bones, morphs) = (document.bone_tracks(), document.morph_tracks());
    let mut look = DocumentCheck { document, seen: SightingsByCode::default() };
    file::check(&mut look);
    names::check(&mut look, &names::collect(document, &bones, &morphs));
    numbers::check(&mut look);
    curves::check(&mut look);
    std::mem::take(&mut look.seen).report(report);
    let timelines = order::timelines(document, &bones, &morphs);
    order::duplicate_keys(document, &timelines, report);
    order::check(&mut look, &timelines);
    look.seen.report(report);
}

/// A document, and its findings so far.
struct DocumentCheck<'a> {
    document: &'a Document,
    seen: SightingsByCode,
}

impl DocumentCheck<'_> {
    /// A finding at a field of a key, with the expected and the actual content.
    fn say<E, F>(
        &mut self,
        check: Check,
        section: Section,
        index: usize,
        field: Field,
        what: impl FnOnce() -> (E, F),
    ) where
        E: Into<Cow<'static, str>>,
        F: Into<Cow<'static, str>>,
    {
        self.seen.add(check, || fault_in(self.document, section, index, field, what()));
    }
}
