//! The door that stays shut: what was read of a file is less than the file.

use super::codes;
use dopesheet_core::diag::{Fault, Place};

/// Refusal to write. A document has what a scene needs, and not the many things beside it.
pub(super) fn refusal() -> Fault {
    let expected = "a format that can be written; FBX is read only";
    Fault::new(codes::READ_ONLY.code, Place::File, expected, "fbx")
}
