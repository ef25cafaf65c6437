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
mod pickle;
mod zip;

use super::array::Dtype;
use super::codes;
use super::document::{Document, File};
use super::write::{MAGIC, signature};
use crate::RESEARCH;
use dopesheet_core::bytes::{Codes, Read};
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::format::{Assumptions, Limits};
use dopesheet_core::units::ByteOffset;
use npy::Origin;

const CURSOR: Codes = Codes { truncated: codes::TRUNCATED.code, count: codes::DIRECTORY.code };

/// True if bytes start like an archive, an empty archive included.
pub(super) fn is_archive(head: &[u8]) -> bool {
    [signature::LOCAL, signature::END].iter().any(|start| head.starts_with(&start.to_le_bytes()))
}

/// True if bytes start like a pickle: with its protocol, or, in the protocols before this byte, with the
/// first operations of a dictionary, a list or an array.
pub(super) fn is_pickle(head: &[u8]) -> bool {
    const OLD: [&[u8]; 6] = [b"(dp", b"}q\x00", b"(lp", b"]q\x00", b"cnumpy", b"ctorch"];
    matches!(head, [0x80, 2..=5, ..]) || OLD.iter().any(|start| head.starts_with(start))
}

/// Reads a file.
pub(super) fn read(bytes: &[u8], limits: &Limits) -> Read<Document> {
    let file = if bytes.starts_with(MAGIC) {
        let array = npy::array(bytes, Origin::File(0))?;
        match array.dtype {
            Dtype::Object if RESEARCH => {
                let start = bytes.len().saturating_sub(array.data.len());
                File::Pickle(pickle::pickle(&array.data, Origin::File(start as u64))?)
            }
            _ => File::Npy(array),
        }
    } else if is_archive(bytes) {
        let archive = zip::archive(bytes, limits)?;
        match RESEARCH.then(|| pickle::of_torch(&archive)).flatten() {
            Some(pickled) => File::Pickle(pickled?),
            None => File::Npz(archive),
        }
    } else if RESEARCH && is_pickle(bytes) {
        File::Pickle(pickle::pickle(bytes, Origin::File(0))?)
    } else {
        let head = bytes.get(..6).unwrap_or(bytes);
        let actual = match is_pickle(bytes) {
            true => "a pickle, which this build leaves out".to_owned(),
            false => format!("{:?}", String::from_utf8_lossy(head)),
        };
        let expected = "\"PK\\x03\\x04\" (an archive), \"\\x93NUMPY\" (an array) or a pickle";
        let start = Place::Byte(ByteOffset(0));
        return Err(Box::new(Fault::new(codes::SIGNATURE.code, start, expected, actual)));
    };
    Ok(Document { file, assumed: Assumptions::default() })
}
