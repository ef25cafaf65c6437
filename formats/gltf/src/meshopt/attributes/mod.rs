//! Mode 0: elements of any kind. The bytes of up to 256 elements are stored by position within the element,
//! as differences from the element before, in groups of 16 with as few bits as the differences need.

mod read;
mod write;

pub(super) use read::decode;
pub use write::encode;

/// Elements of a group.
const GROUP: usize = 16;
/// Most elements of a block.
const MOST_BLOCK_ELEMENTS: usize = 256;
/// Most bytes of a block when decoded.
const MOST_BLOCK_BYTES: usize = 8192;
/// Bytes of an element that share a way of forming differences.
const CHANNEL: usize = 4;

/// The version of the bitstream written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// The bitstream of `EXT_meshopt_compression`.
    V0,
    /// The bitstream of `KHR_meshopt_compression`: more ways of forming and packing differences.
    V1,
}

impl Version {
    const fn header(self) -> u8 {
        match self {
            Self::V0 => 0xa0,
            Self::V1 => 0xa1,
        }
    }

    /// The last element and, in version 1, the channels' ways of forming differences; without padding.
    const fn tail(self, stride: usize) -> usize {
        match self {
            Self::V0 => stride,
            Self::V1 => stride.saturating_add(stride / CHANNEL),
        }
    }

    /// The shortest tail with its padding.
    const fn shortest_tail(self) -> usize {
        match self {
            Self::V0 => 32,
            Self::V1 => 24,
        }
    }
}

/// The number of elements in all blocks but the last.
fn block_elements(stride: usize) -> usize {
    let fitting = MOST_BLOCK_BYTES.checked_div(stride).unwrap_or(0);
    (fitting & !(GROUP.wrapping_sub(1))).clamp(GROUP, MOST_BLOCK_ELEMENTS)
}

/// Form of the differences of four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Differences {
    /// Byte by byte.
    Bytes,
    /// Two bytes at a time.
    Shorts,
    /// All four bytes exclusive-or, turned left by some bits.
    Xor(u32),
}

impl Differences {
    fn from_byte(byte: u8) -> Option<Self> {
        match (byte & 0x0f, byte >> 4) {
            (0, 0) => Some(Self::Bytes),
            (1, 0) => Some(Self::Shorts),
            (2, bits) => Some(Self::Xor(u32::from(bits))),
            _ => None,
        }
    }

    fn byte(self) -> u8 {
        match self {
            Self::Bytes => 0,
            Self::Shorts => 1,
            Self::Xor(bits) => 2 | u8::try_from(bits << 4).unwrap_or(0),
        }
    }
}

/// The bits per difference in the four modes of a group.
const V0_BITS: [u32; 4] = [0, 2, 4, 8];
/// The same in version 1, for the first two ways of packing.
const V1_BITS: [[u32; 4]; 2] = [[0, 1, 2, 4], [1, 2, 4, 8]];
/// The packing of version 1 without stored bytes: all differences are zero.
const ALL_ZERO: u8 = 2;
/// The packing of version 1 with differences stored unpacked, a byte each.
const LITERAL: u8 = 3;

/// Bytes of the modes of a number of groups.
const fn header_bytes(groups: usize) -> usize {
    groups.div_ceil(4)
}
