//! One pickle.

use super::super::codes;
use crate::pickle::{self, Odd, OddKind, Pickle};
use dopesheet_core::bytes::Read;
use dopesheet_core::diag::{Fault, Place};
use dopesheet_core::units::ByteOffset;

/// Reads a pickle that is data; one that names anything else than arrays is no such file.
pub(super) fn pickle(bytes: &[u8]) -> Read<Pickle> {
    let pickle = pickle::read(bytes).map_err(fault)?;
    pickle::run(&pickle).map_err(fault)?;
    Ok(pickle)
}

fn fault(odd: Odd) -> Box<Fault> {
    let check = match odd.kind {
        OddKind::Truncated => codes::TRUNCATED,
        OddKind::Global => codes::PICKLE_GLOBAL,
        OddKind::Damaged => codes::PICKLE,
    };
    let place = Place::Byte(ByteOffset(odd.at as u64));
    Box::new(Fault::new(check.code, place, odd.expected, odd.found).at_path("pickle"))
}
