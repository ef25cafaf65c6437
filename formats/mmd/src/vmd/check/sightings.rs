//! Where a fault was seen first, and how often.

use crate::vmd::document::{Document, Section};
use crate::vmd::layout::{COUNT, Field, model};
use dopesheet_core::diag::{Fault, Place, Report};
use dopesheet_core::format::Check;
use dopesheet_core::units::ByteOffset;
use std::borrow::Cow;

/// Collects the places of one fault; reports the first of them, and how many there are.
pub(super) struct Sightings {
    check: Check,
    first: Option<Fault>,
    count: usize,
}

impl Sightings {
    pub(super) const fn of(check: Check) -> Self {
        Self { check, first: None, count: 0 }
    }

    /// One more place; the fault's code is that of these sightings.
    pub(super) fn add(&mut self, fault: impl FnOnce() -> Fault) {
        self.count += 1;
        if self.first.is_none() {
            self.first = Some(fault());
        }
    }

    pub(super) fn report(self, report: &mut Report) {
        let Some(mut fault) = self.first else { return };
        fault.code = self.check.code;
        if self.count > 1 {
            fault.found = format!("{}; {} such places in all", fault.found, self.count).into();
        }
        report.push(self.check.severity, fault);
    }
}

/// A fault in a field of a record. Its code is filled in by [`Sightings`].
pub(super) fn fault_in(
    document: &Document,
    section: Section,
    index: usize,
    field: Field,
    (expected, found): (impl Into<Cow<'static, str>>, impl Into<Cow<'static, str>>),
) -> Fault {
    let offset = document.record_start(section, index) + field.offset;
    let path = format!("{}[{index}].{}", section.word(), field.name);
    Fault::new("", byte(offset), expected, found).at_path(path)
}

/// A fault in the list of a show/IK key.
pub(super) fn fault_in_list(
    document: &Document,
    (index, entry): (usize, usize),
    field: Field,
    (expected, found): (impl Into<Cow<'static, str>>, impl Into<Cow<'static, str>>),
) -> Fault {
    let list = document.record_start(Section::Models, index) + model::LIST.offset + COUNT;
    let offset = list + entry * model::ENTRY + field.offset;
    let path = format!("{}[{index}].{}[{entry}].{}", Section::Models.word(), model::LIST.name, field.name);
    Fault::new("", byte(offset), expected, found).at_path(path)
}

pub(super) const fn byte(offset: usize) -> Place {
    Place::Byte(ByteOffset(offset as u64))
}

/// Numbers separated by commas, as short as they can be.
pub(super) fn listed(numbers: &[f32]) -> String {
    numbers.iter().map(f32::to_string).collect::<Vec<_>>().join(", ")
}
