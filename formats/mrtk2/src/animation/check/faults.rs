//! Faults at places of a document.

use super::Placed;
use crate::animation::layout::CURVE_HEADER;
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::units::ByteOffset;
use std::borrow::Cow;

/// Two texts: the expected content and the actual content.
pub(super) type Words<'a> = (&'a str, String);

/// A fault in a field of a key. Its code is filled in by `Sightings`.
pub(super) fn fault_in_key(
    curve: &Placed<'_>,
    index: usize,
    (field, offset): (&str, usize),
    (expected, found): Words<'_>,
) -> Fault {
    let start = curve.start + CURVE_HEADER + index * curve.curve.key_size();
    fault_at(start + offset, format!("{}.keys[{index}].{field}", curve.name), (expected, found))
}

/// A fault at a byte. Its code is filled in by `Sightings`.
pub(super) fn fault_at(offset: usize, path: impl Into<String>, (expected, found): Words<'_>) -> Fault {
    let expected: Cow<'static, str> = expected.to_owned().into();
    Fault::new("", Place::Byte(ByteOffset(offset as u64)), expected, found).at_path(path)
}
