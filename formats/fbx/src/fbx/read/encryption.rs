//! Encrypted files. The library would call them damaged.

use super::numbers::stored_number;
use crate::fbx::codes;
use crate::fbx::info::BINARY;
use dopesheet_core::bytes::text;
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::units::ByteOffset;

/// Property of the header, which is never encrypted itself; 0 without encryption.
const WORD: &[u8] = b"EncryptionType";

/// Number of bytes at the start of a file with its header.
pub(super) const HEAD: usize = 4096;

/// Refuses a file with a header that states an encryption.
pub(super) fn check(bytes: &[u8]) -> Result<(), Fault> {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    let Some(start) = head.windows(WORD.len()).position(|window| window == WORD) else { return Ok(()) };
    let at = start + WORD.len() + 1;
    let is_binary = bytes.starts_with(BINARY);
    let stated = if is_binary { in_binary(bytes, at) } else { in_text(bytes, at) };
    let Some(kind) = stated.filter(|kind| *kind != 0) else { return Ok(()) };
    let place = match is_binary {
        true => Place::Byte(ByteOffset(at as u64)),
        false => text::locate(bytes, at, String::new()),
    };
    let (code, found) = (codes::ENCRYPTED.code, format!("{kind}, an encrypted file"));
    let fault = Fault::new(code, place, "0, a file without a password", found);
    Err(fault.at_path("FBXHeaderExtension EncryptionType"))
}

/// The number behind its type.
fn in_binary(bytes: &[u8], at: usize) -> Option<i64> {
    let is_number = bytes.get(at.checked_sub(1)?) == Some(&b'I');
    stored_number(bytes, at).filter(|_| is_number).map(i64::from)
}

/// The number behind a colon.
fn in_text(bytes: &[u8], at: usize) -> Option<i64> {
    let line = bytes.get(at..)?.split(|byte| text::is_line_end(*byte)).next()?;
    std::str::from_utf8(line.trim_ascii()).ok()?.parse().ok()
}
