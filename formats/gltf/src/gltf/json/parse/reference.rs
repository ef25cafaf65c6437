//! References inside extensions.

use super::value::{self, index};
use crate::gltf::json::parts::Index;
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::json::JsonCursor;

/// `extensions.<name>.<member>` as an index, everything else skipped.
pub(super) fn extension_index(c: &mut JsonCursor<'_>, names: &[&str], key: &str) -> Read<Option<Index>> {
    let mut reference = None;
    value::object(c, |c, name| {
        if !names.contains(&name) {
            return c.skip().map(drop);
        }
        value::object(c, |c, member| {
            if member == key {
                reference = Some(index(c)?);
                return Ok(());
            }
            c.skip().map(drop)
        })
    })?;
    Ok(reference)
}
