//! Faults at places of a document.

use super::Subject;
use crate::vmd::document::{Document, Section};
use crate::vmd::layout::{COUNT, Field, model};
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::{Check, Sightings};
use dopesheet_core::units::ByteOffset;
use std::borrow::Cow;

/// A fault in a field of a record. Its code is filled in by `Sightings`.
pub(super) fn fault_in(
    document: &Document,
    section: Section,
    index: usize,
    field: Field,
    words: (impl Into<Cow<'static, str>>, impl Into<Cow<'static, str>>),
) -> Fault {
    let offset = document.record_start(section, index) + field.offset;
    let path = format!("{}[{index}].{}", section.word(), field.name);
    Fault::new("", byte(offset), words.0, words.1).at_path(path)
}

/// A fault in the list of a show/IK key.
pub(super) fn fault_in_list(
    document: &Document,
    index: usize,
    entry: usize,
    field: Field,
    words: (impl Into<Cow<'static, str>>, impl Into<Cow<'static, str>>),
) -> Fault {
    let list = document.record_start(Section::Models, index) + model::LIST.offset + COUNT;
    let offset = list + entry * model::ENTRY + field.offset;
    let path = format!("{}[{index}].{}[{entry}].{}", Section::Models.word(), model::LIST.name, field.name);
    Fault::new("", byte(offset), words.0, words.1).at_path(path)
}

pub(super) const fn byte(offset: usize) -> Place {
    Place::Byte(ByteOffset(offset as u64))
}

/// Numbers separated by commas, as short as they can be.
pub(super) fn listed(numbers: &[f32]) -> String {
    numbers.iter().map(f32::to_string).collect::<Vec<_>>().join(", ")
}

/// The keys of a section, and the field of these keys under examination.
pub(super) struct CheckedKeys<'a, K> {
    pub(super) subject: &'a Subject<'a>,
    pub(super) all: &'a [K],
    pub(super) section: Section,
    pub(super) field: Field,
}

impl<K> CheckedKeys<'_, K> {
    /// Reports the odd keys.
    pub(super) fn each(
        &self,
        report: &mut Report,
        check: Check,
        is_odd: impl Fn(&K) -> bool,
        (expected, found): (&'static str, impl Fn(&K) -> String),
    ) {
        let mut sightings = Sightings::of(check);
        for (index, key) in self.all.iter().enumerate().filter(|(_, key)| is_odd(key)) {
            let document = self.subject.document;
            sightings.add(|| fault_in(document, self.section, index, self.field, (expected, found(key))));
        }
        sightings.report(report);
    }
}
