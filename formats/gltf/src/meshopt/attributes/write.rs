//! Elements → stream.

use super::{
    ALL_ZERO, CHANNEL, Differences, GROUP, LITERAL, V0_BITS, V1_BITS, Version, block_elements, header_bytes,
};
use dopesheet_core::bytes::ByteBuilder;

/// One byte of all elements, as differences.
type Plane = Vec<u8>;

/// The stream of these elements, without loss. `stride` is a multiple of 4 up to 256, and divides the length.
///
/// Version 1 takes for each four bytes of an element the way of forming differences that gives the shortest stream.
#[must_use]
pub fn encode(elements: &[u8], stride: usize, version: Version) -> Vec<u8> {
    let stride = stride.clamp(CHANNEL, 256);
    let count = elements.len().checked_div(stride).unwrap_or(0);
    let channels: Vec<(Differences, [Plane; CHANNEL])> = (0..stride / CHANNEL)
        .map(|channel| {
            let values = channel_of(elements, stride, channel.saturating_mul(CHANNEL));
            shortest(&values, stride, version)
        })
        .collect();
    let mut out = ByteBuilder::with_capacity(elements.len() / 2);
    out.u8(version.header());
    let mut start = 0;
    while start < count {
        let end = count.min(start.saturating_add(block_elements(stride)));
        block(&mut out, &channels, start, end, version);
        start = end;
    }
    let tail = version.tail(stride);
    out.bytes(&vec![0; version.shortest_tail().saturating_sub(tail)]);
    out.bytes(elements.get(..stride).unwrap_or_default());
    if version == Version::V1 {
        channels.iter().for_each(|(differences, _)| {
            out.u8(differences.byte());
        });
    }
    out.finish()
}

/// Four bytes of each element.
fn channel_of(elements: &[u8], stride: usize, at: usize) -> Vec<[u8; CHANNEL]> {
    let four = |element: &[u8]| element.get(at..)?.first_chunk().copied();
    elements.chunks_exact(stride).filter_map(four).collect()
}

/// The differences that take the fewest bytes, with their planes.
fn shortest(values: &[[u8; CHANNEL]], stride: usize, version: Version) -> (Differences, [Plane; CHANNEL]) {
    let bytes = (Differences::Bytes, planes(values, Differences::Bytes));
    if version == Version::V0 {
        return bytes;
    }
    let cost = |planes: &[Plane; CHANNEL]| -> usize {
        let blocks = planes.iter().flat_map(|plane| plane.chunks(block_elements(stride)));
        blocks.map(|block| shortest_packing(block).1).sum()
    };
    let candidates = [Differences::Shorts].into_iter().chain((0..16).map(Differences::Xor));
    let mut best = (cost(&bytes.1), bytes);
    for differences in candidates {
        let planes = planes(values, differences);
        let cost = cost(&planes);
        if cost < best.0 {
            best = (cost, (differences, planes));
        }
    }
    best.1
}

/// Each value's difference from the value before; the first value's difference from itself.
fn planes(values: &[[u8; CHANNEL]], differences: Differences) -> [Plane; CHANNEL] {
    let mut planes = [(); CHANNEL].map(|()| Plane::with_capacity(values.len()));
    let mut last = values.first().copied().unwrap_or_default();
    for value in values {
        let stored = match differences {
            Differences::Bytes => subtracted(*value, last),
            Differences::Shorts => subtracted_shorts(*value, last),
            Differences::Xor(bits) => {
                let difference = u32::from_le_bytes(*value) ^ u32::from_le_bytes(last);
                difference.rotate_left(bits).to_le_bytes()
            }
        };
        planes.iter_mut().zip(stored).for_each(|(plane, byte)| plane.push(byte));
        last = *value;
    }
    planes
}

const fn zigzag(value: u8) -> u8 {
    if value < 0x80 { value << 1 } else { !(value << 1) }
}

const fn zigzag_short(value: u16) -> u16 {
    if value < 0x8000 { value << 1 } else { !(value << 1) }
}

fn subtracted(value: [u8; CHANNEL], last: [u8; CHANNEL]) -> [u8; CHANNEL] {
    let ([a, b, c, d], [e, f, g, h]) = (value, last);
    [a.wrapping_sub(e), b.wrapping_sub(f), c.wrapping_sub(g), d.wrapping_sub(h)].map(zigzag)
}

fn subtracted_shorts(value: [u8; CHANNEL], last: [u8; CHANNEL]) -> [u8; CHANNEL] {
    let subtract = |value: [u8; 2], last: [u8; 2]| {
        zigzag_short(u16::from_le_bytes(value).wrapping_sub(u16::from_le_bytes(last))).to_le_bytes()
    };
    let ([a, b, c, d], [e, f, g, h]) = (value, last);
    let ([a, b], [c, d]) = (subtract([a, b], [e, f]), subtract([c, d], [g, h]));
    [a, b, c, d]
}

/// The elements from `start` to `end`.
fn block(
    out: &mut ByteBuilder,
    channels: &[(Differences, [Plane; CHANNEL])],
    start: usize,
    end: usize,
    version: Version,
) {
    let part = |plane: &Plane| plane.get(start..end).unwrap_or_default().to_vec();
    if version == Version::V0 {
        channels.iter().flat_map(|(_, planes)| planes).for_each(|plane| groups(out, &part(plane), V0_BITS));
        return;
    }
    let parts: Vec<(u8, Vec<u8>)> = channels
        .iter()
        .flat_map(|(_, planes)| planes)
        .map(|plane| {
            let part = part(plane);
            (shortest_packing(&part).0, part)
        })
        .collect();
    for four in parts.chunks(CHANNEL) {
        out.u8(four.iter().rev().fold(0, |bits, (packing, _)| bits << 2 | packing));
    }
    for (packing, part) in &parts {
        let [small, large] = V1_BITS;
        match *packing {
            ALL_ZERO => {}
            LITERAL => {
                out.bytes(part);
            }
            0 => groups(out, part, small),
            _ => groups(out, part, large),
        }
    }
}

/// The shortest packing of version 1, and its length in bytes.
fn shortest_packing(plane: &[u8]) -> (u8, usize) {
    if plane.iter().all(|byte| *byte == 0) {
        return (ALL_ZERO, 0);
    }
    let [small, large] = V1_BITS;
    let ways = [(0, groups_length(plane, small)), (1, groups_length(plane, large)), (LITERAL, plane.len())];
    ways.into_iter().min_by_key(|(_, length)| *length).unwrap_or((LITERAL, plane.len()))
}

fn groups_length(plane: &[u8], bits: [u32; 4]) -> usize {
    let header = header_bytes(plane.len().div_ceil(GROUP));
    plane.chunks(GROUP).map(|group| mode(group, bits).1).fold(header, usize::saturating_add)
}

/// The shortest mode of a group, and its length in bytes.
fn mode(group: &[u8], bits: [u32; 4]) -> (u8, usize) {
    let length = |bits: u32| match bits {
        0 => {
            if group.iter().all(|byte| *byte == 0) {
                0
            } else {
                usize::MAX
            }
        }
        8 => GROUP,
        few => {
            let largest = 0xff_u8 >> 8_u32.wrapping_sub(few);
            let wide = group.iter().filter(|byte| **byte >= largest).count();
            wide.saturating_add(usize::try_from(few).unwrap_or(0).saturating_mul(2))
        }
    };
    let modes = (0..).zip(bits).map(|(mode, bits)| (mode, length(bits)));
    modes.min_by_key(|(_, length)| *length).unwrap_or((3, GROUP))
}

/// The groups of a part of a plane behind their modes. The last group is padded with zeros.
fn groups(out: &mut ByteBuilder, plane: &[u8], bits: [u32; 4]) {
    let modes: Vec<u8> = plane.chunks(GROUP).map(|group| mode(group, bits).0).collect();
    for four in modes.chunks(4) {
        out.u8(four.iter().rev().fold(0, |byte, mode| byte << 2 | mode));
    }
    for (group, mode) in plane.chunks(GROUP).zip(modes) {
        let mut whole = [0; GROUP];
        whole.iter_mut().zip(group).for_each(|(slot, byte)| *slot = *byte);
        match bits.get(usize::from(mode)).copied().unwrap_or(8) {
            0 => {}
            8 => {
                out.bytes(&whole);
            }
            few => packed(out, &whole, few),
        }
    }
}

/// The inverse of `read::packed`.
fn packed(out: &mut ByteBuilder, group: &[u8; GROUP], bits: u32) {
    let largest = 0xff_u8 >> 8_u32.wrapping_sub(bits);
    let per_byte = usize::try_from(8_u32.checked_div(bits).unwrap_or(1)).unwrap_or(1);
    for bytes in group.chunks(per_byte) {
        let join = |joined: u8, byte: &u8| joined.wrapping_shl(bits) | (*byte).min(largest);
        // Single bits count from the lowest, others from the highest.
        out.u8(if bits == 1 { bytes.iter().rev().fold(0, join) } else { bytes.iter().fold(0, join) });
    }
    let wide: Vec<u8> = group.iter().copied().filter(|byte| *byte >= largest).collect();
    out.bytes(&wide);
}
