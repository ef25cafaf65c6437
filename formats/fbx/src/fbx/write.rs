//! Refusal to write: a document is less than its file.

use super::codes;
use dopesheet_core::diag::{Fault, Place};

/// Refusal to write: a document has the content of a scene alone.
pub(super) fn refusal() -> Fault {
    let expected = "a format that can be written; FBX is read only";
    Fault::new(codes::READ_ONLY.code, Place::File, expected, "fbx")
}
