//! The model as programs carry it: `unpacked` in `crates/dopesheet/src/puppet.rs` undoes what is done here.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::{self, Write as _};

/// Bytes before the texts of a PMX: signature, version, and what sizes it uses.
const HEADER: usize = 17;
/// Bytes of a vertex whose number does not depend on its weights.
const FIXED: usize = 32;

fn number(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.first_chunk()?))
}

/// A PMX with bones of one byte and vertices of two: deflated, vertices byte by byte in columns, and corners of faces as differences.
pub(super) fn packed(model: &[u8]) -> Option<io::Result<Vec<u8>>> {
    let mut start = HEADER;
    for _text in 0..4 {
        start += 4 + number(model.get(start..)?)? as usize;
    }
    let vertices = number(model.get(start..)?)?;
    let (head, mut rest) = model.split_at_checked(start + 4)?;
    let (mut fixed, mut weights) = (Vec::new(), Vec::new());
    for _vertex in 0..vertices {
        fixed.push(rest.split_off(..FIXED)?);
        let length = match rest.first()? {
            0 => 6,
            1 => 11,
            _ => 25,
        };
        weights.extend(rest.split_off(..length)?);
    }
    let count = rest.split_off(..4)?;
    let corners = number(count)?;
    let mut last = 0_u16;
    let mut differences = Vec::new();
    for corner in rest.split_off(..2 * corners as usize)?.as_chunks().0 {
        let corner = u16::from_le_bytes(*corner);
        differences.extend(corner.wrapping_sub(last).to_le_bytes());
        last = corner;
    }
    let mut columns = Vec::new();
    for byte in 0..FIXED {
        columns.extend(fixed.iter().filter_map(|vertex| vertex.get(byte)));
    }
    let sizes = [head.len() as u32, vertices, corners].map(u32::to_le_bytes);
    let parts = [sizes.as_flattened(), head, &columns, &weights, count, &differences, rest];
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    Some(parts.iter().try_for_each(|part| encoder.write_all(part)).and_then(|()| encoder.finish()))
}
