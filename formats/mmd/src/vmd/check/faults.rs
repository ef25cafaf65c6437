//! Faults at places of a document.

use crate::vmd::document::{Document, Section};
use crate::vmd::layout::{COUNT, Field, model};
use dopesheet_core::diag::{Fault, Place};
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
