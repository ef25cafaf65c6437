//! Stream → elements.

use super::super::stream::fault;
use super::{
    ALL_ZERO, CHANNEL, Differences, GROUP, LITERAL, MOST_BLOCK_ELEMENTS, V0_BITS, V1_BITS, Version,
    block_elements, header_bytes,
};
use crate::checks::code::MESHOPT;
use dopesheet_core::bytes::{Cursor, Read};
use dopesheet_core::words::counted;

/// First bytes of the supported versions of a stream.
const HEADERS: [u8; 2] = [Version::V0.header(), Version::V1.header()];

/// The differences of one byte of each element of a block.
type Plane = [u8; MOST_BLOCK_ELEMENTS];

/// `count` elements, in order.
pub(in crate::meshopt) fn decode(stream: &[u8], count: usize, stride: usize) -> Read<Vec<u8>> {
    let is_newer = stream.first() == Some(&Version::V1.header());
    let version = if is_newer { Version::V1 } else { Version::V0 };
    let tail_bytes = version.tail(stride);
    let padded = tail_bytes.max(version.shortest_tail());
    let (mut c, tail) = super::super::stream::open(stream, &HEADERS, padded)?;
    let tail = tail.get(padded.saturating_sub(tail_bytes)..).unwrap_or_default();
    let (first, channels) = tail.split_at_checked(stride).unwrap_or_default();
    let channels = channels_of(version, channels, stride, stream.len())?;
    let length = accounted(&c, version, count, stride)?;
    let mut elements = vec![0; length];
    let mut last = first.to_vec();
    let mut planes = vec![[0; MOST_BLOCK_ELEMENTS]; stride];
    for block in elements.chunks_mut(block_elements(stride).saturating_mul(stride)) {
        let count = block.len().checked_div(stride).unwrap_or(0);
        read_planes(&mut c, version, count, &mut planes)?;
        for (channel, (differences, planes)) in channels.iter().zip(planes.chunks_exact(CHANNEL)).enumerate()
        {
            let at = channel.saturating_mul(CHANNEL);
            if let Some(last) = last.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
                add_up(*differences, planes, last, block, stride, at);
            }
        }
    }
    super::super::stream::at_end(&c)?;
    Ok(elements)
}

/// Form of the differences of each four bytes.
fn channels_of(version: Version, stored: &[u8], stride: usize, length: usize) -> Read<Vec<Differences>> {
    if version == Version::V0 {
        return Ok(vec![Differences::Bytes; stride / CHANNEL]);
    }
    let start = length.saturating_sub(stored.len());
    let differences = |(n, byte): (usize, &u8)| {
        let at = start.saturating_add(n);
        Differences::from_byte(*byte)
            .ok_or_else(|| fault(at, "a channel mode that is known".into(), format!("{byte:#04x}")))
    };
    stored.iter().enumerate().map(differences).collect()
}

/// The length of all elements, if the stream has as many bytes as they need at the very least.
fn accounted(c: &Cursor<'_>, version: Version, count: usize, stride: usize) -> Read<usize> {
    let per_block = block_elements(stride);
    let blocks = count.checked_div(per_block).unwrap_or(0);
    let rest = count.saturating_sub(blocks.saturating_mul(per_block));
    let least = |elements: usize| match version {
        Version::V0 => stride.saturating_mul(header_bytes(elements.div_ceil(GROUP))),
        Version::V1 => stride / CHANNEL,
    };
    let rest = if rest > 0 { least(rest) } else { 0 };
    let least = blocks.saturating_mul(least(per_block)).saturating_add(rest);
    match count.checked_mul(stride) {
        Some(length) if least <= c.remaining() => Ok(length),
        _ => {
            let expected = format!(
                "at least {} for {} of {}",
                counted(least, "byte"),
                counted(count, "element"),
                counted(stride, "byte")
            );
            Err(c.fault(MESHOPT, "data", expected, c.remaining().to_string()))
        }
    }
}

/// The differences of a block of `count` elements.
fn read_planes(c: &mut Cursor<'_>, version: Version, count: usize, planes: &mut [Plane]) -> Read<()> {
    if version == Version::V0 {
        return planes.iter_mut().try_for_each(|plane| groups(c, V0_BITS, count, plane));
    }
    let controls = c.take(planes.len() / CHANNEL, "control bits")?;
    for (planes, control) in planes.chunks_exact_mut(CHANNEL).zip(controls) {
        for (n, plane) in (0u32..).zip(planes) {
            match control >> n.wrapping_mul(2) & 3 {
                ALL_ZERO => plane.fill(0),
                LITERAL => {
                    let stored = c.take(count, "bytes")?;
                    plane.iter_mut().zip(stored).for_each(|(slot, byte)| *slot = *byte);
                }
                packing => {
                    let [small, large] = V1_BITS;
                    groups(c, if packing == 0 { small } else { large }, count, plane)?;
                }
            }
        }
    }
    Ok(())
}

/// The groups of one plane, each packed with the number of bits given by its mode.
fn groups(c: &mut Cursor<'_>, bits: [u32; 4], count: usize, plane: &mut Plane) -> Read<()> {
    let number = count.div_ceil(GROUP);
    let modes = c.take(header_bytes(number), "group modes")?;
    let (slots, _) = plane.as_chunks_mut::<GROUP>();
    for (n, slots) in slots.iter_mut().take(number).enumerate() {
        let modes = modes.get(n / 4).copied().unwrap_or(0);
        let mode = modes >> (n % 4).wrapping_mul(2) & 3;
        match bits.get(usize::from(mode)).copied().unwrap_or(0) {
            0 => slots.fill(0),
            1 => packed::<1>(c, slots)?,
            2 => packed::<2>(c, slots)?,
            4 => packed::<4>(c, slots)?,
            _ => *slots = c.array("differences")?,
        }
    }
    Ok(())
}

/// Differences of a few bits each; the largest number means a difference stored as a byte behind the group.
fn packed<const BITS: usize>(c: &mut Cursor<'_>, slots: &mut [u8; GROUP]) -> Read<()> {
    let largest = 0xff_u8 >> 8_usize.wrapping_sub(BITS);
    let stored = c.take(BITS.wrapping_mul(2), "differences")?;
    for (slots, byte) in slots.chunks_exact_mut(8_usize.checked_div(BITS).unwrap_or(1)).zip(stored) {
        for (n, slot) in slots.iter_mut().enumerate() {
            let bit = n.wrapping_mul(BITS);
            let shift = if BITS == 1 { bit } else { 8_usize.wrapping_sub(BITS).wrapping_sub(bit) };
            *slot = byte >> shift & largest;
            if *slot == largest {
                *slot = c.u8("difference")?;
            }
        }
    }
    Ok(())
}

const fn signed(value: u8) -> u8 {
    if value & 1 == 0 { value >> 1 } else { !(value >> 1) }
}

const fn signed_short(value: u16) -> u16 {
    if value & 1 == 0 { value >> 1 } else { !(value >> 1) }
}

/// Adds the differences of four bytes up, from `last` on, and stores them at byte `at` of each element.
fn add_up(
    differences: Differences,
    planes: &[Plane],
    last: &mut [u8; CHANNEL],
    block: &mut [u8],
    stride: usize,
    at: usize,
) {
    let [a, b, c, d] = planes else { return };
    let stored = a.iter().zip(b).zip(c.iter().zip(d)).map(|((a, b), (c, d))| [*a, *b, *c, *d]);
    for (element, stored) in block.chunks_exact_mut(stride).zip(stored) {
        *last = match differences {
            Differences::Bytes => added(*last, stored),
            Differences::Shorts => added_shorts(*last, stored),
            Differences::Xor(bits) => {
                let difference = u32::from_le_bytes(stored).rotate_right(bits);
                (u32::from_le_bytes(*last) ^ difference).to_le_bytes()
            }
        };
        if let Some(slot) = element.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
            *slot = *last;
        }
    }
}

fn added(last: [u8; CHANNEL], stored: [u8; CHANNEL]) -> [u8; CHANNEL] {
    let ([a, b, c, d], [e, f, g, h]) = (last, stored.map(signed));
    [a.wrapping_add(e), b.wrapping_add(f), c.wrapping_add(g), d.wrapping_add(h)]
}

fn added_shorts(last: [u8; CHANNEL], stored: [u8; CHANNEL]) -> [u8; CHANNEL] {
    let add = |last: [u8; 2], stored: [u8; 2]| {
        let difference = signed_short(u16::from_le_bytes(stored));
        u16::from_le_bytes(last).wrapping_add(difference).to_le_bytes()
    };
    let ([a, b, c, d], [e, f, g, h]) = (last, stored);
    let ([a, b], [c, d]) = (add([a, b], [e, f]), add([c, d], [g, h]));
    [a, b, c, d]
}
