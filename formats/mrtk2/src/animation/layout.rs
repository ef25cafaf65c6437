//! Layout of a file: sizes in bytes, and the names of the parts in messages.
//!
//! Source: MRTK2, `InputAnimation.cs` and `InputAnimationSerializationUtils.cs`, and the page "Input animation file
//! format" of its documentation; described in the table of `LAYOUT.md`.

use super::document::{AnyCurve, Document, Key, KeyShape, Keyframe, Version};

/// The first bytes of every file: 0x6A8FAF6E0F9E42C6, low byte first.
pub(super) const MAGIC: [u8; 8] = 0x6A8F_AF6E_0F9E_42C6_u64.to_le_bytes();
/// Offset of the version.
pub(super) const VERSION: usize = MAGIC.len();
/// Magic, major and minor version.
pub(super) const HEADER: usize = VERSION + 8;
/// The flags of version 1.1.
pub(super) const FLAGS: [&str; 3] = ["has camera", "has hands", "has gaze"];
/// Wrap modes and key count of a curve.
pub(super) const CURVE_HEADER: usize = 12;
/// Offset of the wrap mode after the last key, in a curve.
pub(super) const POST_WRAP: usize = 4;
/// Count of markers.
pub(super) const MARKER_COUNT: usize = 4;
/// Smallest marker: a time and an empty name.
pub(super) const SMALLEST_MARKER: usize = 5;
/// Longest number in front of a name.
pub(super) const LONGEST_PREFIX: usize = 5;

impl KeyShape {
    /// Bytes of a number key.
    pub(super) const fn size(self) -> usize {
        match self {
            Self::Simple => Key::SIZE,
            Self::Full => Keyframe::SIZE,
        }
    }
}

impl Key {
    /// Bytes of a switch, and of a number key of the simple shape.
    pub(super) const SIZE: usize = 8;
}

impl Keyframe {
    /// Bytes of a number key of the full shape.
    pub(super) const SIZE: usize = 28;
}

/// Offsets in a key.
pub(super) mod key {
    pub(crate) const TIME: (&str, usize) = ("time", 0);
    pub(crate) const VALUE: (&str, usize) = ("value", 4);
    pub(crate) const IN_TANGENT: (&str, usize) = ("inTangent", 8);
    pub(crate) const OUT_TANGENT: (&str, usize) = ("outTangent", 12);
    pub(crate) const IN_WEIGHT: (&str, usize) = ("inWeight", 16);
    pub(crate) const OUT_WEIGHT: (&str, usize) = ("outWeight", 20);
    pub(crate) const WEIGHTED_MODE: (&str, usize) = ("weightedMode", 24);
}

impl AnyCurve<'_> {
    /// Bytes of one of its keys.
    pub(super) fn key_size(&self) -> usize {
        match self {
            Self::Number(curve) => curve.keys.shape().size(),
            Self::Switch(_) => Key::SIZE,
        }
    }

    /// Bytes of the curve.
    pub(super) fn size(&self) -> usize {
        CURVE_HEADER + self.len() * self.key_size()
    }
}

impl Document {
    /// Offset of the first curve.
    pub(super) const fn body_start(&self) -> usize {
        match self.version {
            Version::V1_0 => HEADER,
            Version::V1_1 => HEADER + FLAGS.len(),
        }
    }

    /// Offset of the marker list, present or not.
    pub(super) fn markers_start(&self) -> usize {
        self.body_start() + self.curves().map(|(_, curve)| curve.size()).sum::<usize>()
    }

    /// The length of the file.
    pub(super) fn file_size(&self) -> usize {
        let sizes = |list: &Vec<super::document::Marker>| list.iter().map(|m| m.size()).sum::<usize>();
        self.markers_start() + self.markers.as_ref().map_or(0, |list| MARKER_COUNT + sizes(list))
    }
}
