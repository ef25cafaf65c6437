//! Faults at places of a document.

use super::Placed;
use crate::animation::layout::CURVE_HEADER;
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::units::ByteOffset;

/// A fault in a field of a key. Its code is filled in by `SightingsByCode`.
pub(super) fn fault_in_key(
    curve: &Placed<'_>,
    index: usize,
    field: (&str, usize),
    expected: &'static str,
    found: String,
) -> Fault {
    let start = curve.start + CURVE_HEADER + index * curve.curve.key_size();
    fault_at(start + field.1, format!("{}.keys[{index}].{}", curve.name, field.0), expected, found)
}

/// A fault at a byte. Its code is filled in by `SightingsByCode`.
pub(super) fn fault_at(
    offset: usize,
    path: impl Into<String>,
    expected: &'static str,
    found: impl Into<String>,
) -> Fault {
    Fault::new("", Place::Byte(ByteOffset(offset as u64)), expected, found.into()).at_path(path)
}
