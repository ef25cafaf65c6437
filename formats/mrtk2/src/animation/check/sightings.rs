//! Where a fault was seen first, and how often.

use super::Placed;
use crate::animation::layout::CURVE_HEADER;
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

/// Two texts: what is expected and what was found.
pub(super) type Words<'a> = (&'a str, String);

/// A fault in a field of a key. Its code is filled in by [`Sightings`].
pub(super) fn fault_in_key(
    curve: &Placed<'_>,
    index: usize,
    (field, offset): (&str, usize),
    (expected, found): Words<'_>,
) -> Fault {
    let start = curve.start + CURVE_HEADER + index * curve.curve.key_size();
    fault_at(start + offset, format!("{}.keys[{index}].{field}", curve.name), (expected, found))
}

/// A fault at a byte. Its code is filled in by [`Sightings`].
pub(super) fn fault_at(offset: usize, path: impl Into<String>, (expected, found): Words<'_>) -> Fault {
    let expected: Cow<'static, str> = expected.to_owned().into();
    Fault::new("", Place::Byte(ByteOffset(offset as u64)), expected, found).at_path(path)
}
