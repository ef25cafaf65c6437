//! Bytes to document. Structural truth only; nothing is repaired.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

mod npy;
mod zip;

use super::codes;
use super::document::{Document, File};
use super::write::{MAGIC, signature};
use dopesheet_core::bytes::{Codes, Read};
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::format::{Assumptions, Limits};
use dopesheet_core::units::ByteOffset;

const CURSOR: Codes = Codes { truncated: codes::TRUNCATED.code, count: codes::DIRECTORY.code };

/// True if bytes start as an archive does, an empty one included.
pub(super) fn is_archive(head: &[u8]) -> bool {
    [signature::LOCAL, signature::END].iter().any(|start| head.starts_with(&start.to_le_bytes()))
}

/// Reads a file.
pub(super) fn read(bytes: &[u8], limits: &Limits) -> Read<Document> {
    let file = if bytes.starts_with(MAGIC) {
        File::Npy(npy::array(bytes, npy::Origin::File(0))?)
    } else if is_archive(bytes) {
        File::Npz(zip::archive(bytes, limits)?)
    } else {
        let head = bytes.get(..6).unwrap_or(bytes);
        let found = format!("{:?}", String::from_utf8_lossy(head));
        let expected = "\"PK\\x03\\x04\" (an archive) or \"\\x93NUMPY\" (an array)";
        let place = Place::Byte(ByteOffset(0));
        return Err(Box::new(Fault::new(codes::SIGNATURE.code, place, expected, found)));
    };
    Ok(Document { file, assumed: Assumptions::default() })
}
