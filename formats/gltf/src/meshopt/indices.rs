//! Mode 2: indices as differences from one of two running values.

use super::varint;
use dopesheet_core::bytes::Read;

/// The first byte of a stream.
const HEADER: u8 = 0xd1;
/// Reserved bytes at its end.
const TAIL_BYTES: usize = 4;

/// `count` indices.
pub(super) fn decode(stream: &[u8], count: usize) -> Read<Vec<u32>> {
    let (mut c, _) = super::stream::open(stream, &[HEADER], TAIL_BYTES)?;
    let mut all = Vec::with_capacity(count.min(c.remaining()));
    let (mut first, mut second) = (0u32, 0u32);
    for _ in 0..count {
        let value = varint::read(&mut c)?;
        let running = if value & 1 == 0 { &mut first } else { &mut second };
        *running = running.wrapping_add(varint::signed(value >> 1));
        all.push(*running);
    }
    super::stream::at_end(&c)?;
    Ok(all)
}
