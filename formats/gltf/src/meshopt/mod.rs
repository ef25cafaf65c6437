//! The bitstreams of `EXT_meshopt_compression` and `KHR_meshopt_compression`, apart from any JSON.
//!
//! A stream holds `count` elements of `stride` bytes each. [`decode`] reads every mode, filter and version of both
//! extensions and never makes more bytes than a [`Layout`] announces and its stream can account for. [`encode`] writes
//! the mode for animation data, without loss; [`quaternions`] and [`multiples`] prepare numbers for the filters that
//! trade precision for size.
//!
//! Source: the appendices "Bitstream" and "Filters" of
//! <https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Khronos/KHR_meshopt_compression>.
#![deny(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation
)]

mod attributes;
mod filters;
mod indices;
mod stream;
mod triangles;
mod varint;

pub use attributes::{Version, encode};
pub use filters::{multiples, quaternions};

use dopesheet_core::bytes::Read;
use dopesheet_core::diag::Fault;
use stream::fault;

/// The mode of the bitstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// `ATTRIBUTES`: elements of any kind, stored as differences byte by byte.
    Attributes,
    /// `TRIANGLES`: indices of triangle lists.
    Triangles,
    /// `INDICES`: any other indices.
    Indices,
}

impl Mode {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Attributes => "ATTRIBUTES",
            Self::Triangles => "TRIANGLES",
            Self::Indices => "INDICES",
        }
    }

    /// The mode with a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Attributes, Self::Triangles, Self::Indices].into_iter().find(|mode| mode.word() == word)
    }
}

/// Filter of the elements once they are decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// `NONE`
    #[default]
    None,
    /// `OCTAHEDRAL`: unit vectors.
    Octahedral,
    /// `QUATERNION`: rotations.
    Quaternion,
    /// `EXPONENTIAL`: floats of any size.
    Exponential,
    /// `COLOR`: colours; only in `KHR_meshopt_compression`.
    Color,
}

impl Filter {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "NONE",
            Self::Octahedral => "OCTAHEDRAL",
            Self::Quaternion => "QUATERNION",
            Self::Exponential => "EXPONENTIAL",
            Self::Color => "COLOR",
        }
    }

    /// The filter with a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        let all = [Self::None, Self::Octahedral, Self::Quaternion, Self::Exponential, Self::Color];
        all.into_iter().find(|filter| filter.word() == word)
    }
}

/// Content of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The bitstream.
    pub mode: Mode,
    /// Filter behind the bitstream.
    pub filter: Filter,
    /// Number of elements.
    pub count: u64,
    /// Bytes of an element.
    pub stride: u64,
}

impl Layout {
    /// The length of the decoded elements in bytes; `None` beyond 2^64.
    #[must_use]
    pub const fn length(&self) -> Option<u64> {
        self.count.checked_mul(self.stride)
    }

    /// Count and stride as `usize`, if the mode and the filter allow them.
    fn sound(&self) -> Read<(usize, usize)> {
        let stride = usize::try_from(self.stride).unwrap_or(usize::MAX);
        let count = usize::try_from(self.count).unwrap_or(usize::MAX);
        let in_mode = match self.mode {
            Mode::Attributes => (4..=256).contains(&stride) && stride.is_multiple_of(4),
            Mode::Triangles | Mode::Indices => matches!(stride, 2 | 4) && self.filter == Filter::None,
        };
        let in_filter = match self.filter {
            Filter::None | Filter::Exponential => true,
            Filter::Quaternion => stride == 8,
            Filter::Octahedral | Filter::Color => matches!(stride, 4 | 8),
        };
        if !in_mode || !in_filter {
            let expected = format!("a stride that {:?} with the filter {:?} allows", self.mode, self.filter);
            return Err(fault(0, expected, stride.to_string()));
        }
        if self.mode == Mode::Triangles && !count.is_multiple_of(3) {
            return Err(fault(0, "a multiple of 3 indices".into(), count.to_string()));
        }
        Ok((count, stride))
    }
}

/// The elements of a stream.
///
/// Makes no more than 1024 bytes for each byte of the stream, whatever `layout` announces.
///
/// # Errors
/// If `layout` is not legal, or the stream is not exactly a stream of `layout`. Places are bytes of the
/// stream.
pub fn decode(stream: &[u8], layout: &Layout) -> Result<Vec<u8>, Box<Fault>> {
    let (count, stride) = layout.sound()?;
    if count == 0 {
        return Ok(Vec::new());
    }
    let mut elements = match layout.mode {
        Mode::Attributes => attributes::decode(stream, count, stride)?,
        Mode::Triangles => narrowed(&triangles::decode(stream, count)?, stride),
        Mode::Indices => narrowed(&indices::decode(stream, count)?, stride),
    };
    filters::apply(layout.filter, stride, &mut elements);
    Ok(elements)
}

/// Indices as little-endian numbers of 2 or 4 bytes.
fn narrowed(indices: &[u32], stride: usize) -> Vec<u8> {
    let bytes = |index: &u32| index.to_le_bytes().into_iter().take(stride);
    indices.iter().flat_map(bytes).collect()
}
