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
    field: (&str, usize),
    words: Words<'_>,
) -> Fault {
    let start = curve.start + CURVE_HEADER + index * curve.curve.key_size();
    fault_at(start + field.1, format!("{}.keys[{index}].{}", curve.name, field.0), words)
}

/// A fault at a byte. Its code is filled in by `Sightings`.
pub(super) fn fault_at(offset: usize, path: impl Into<String>, words: Words<'_>) -> Fault {
    let expected: Cow<'static, str> = words.0.to_owned().into();
    Fault::new("", Place::Byte(ByteOffset(offset as u64)), expected, words.1).at_path(path)
}
