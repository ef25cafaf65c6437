//! Views shared by many accessors of animation data.

use crate::gltf::json::parts::{Component, Shape};

/// A view shared by many accessors of animation data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::gltf) enum Column {
    /// Key times.
    Times,
    /// Translations, scales, colours without alpha.
    Vectors,
    /// Quaternions.
    Rotations,
    /// Quaternions as normalised 16-bit integers.
    ShortRotations,
    /// Colours with alpha.
    Colors,
    /// Weights and other single numbers.
    Numbers,
}

/// All columns, in the order of their views in the file.
pub(super) const COLUMNS: [Column; 6] = [
    Column::Times,
    Column::Vectors,
    Column::Rotations,
    Column::ShortRotations,
    Column::Colors,
    Column::Numbers,
];

impl Column {
    pub(super) const fn shape(self) -> Shape {
        match self {
            Self::Times | Self::Numbers => Shape::Scalar,
            Self::Vectors => Shape::Vec3,
            Self::Rotations | Self::ShortRotations | Self::Colors => Shape::Vec4,
        }
    }

    pub(super) const fn component(self) -> Component {
        match self {
            Self::ShortRotations => Component::I16,
            _ => Component::F32,
        }
    }

    /// Numbers of an element.
    pub(super) const fn width(self) -> usize {
        self.shape().components()
    }

    /// Bytes of a count of numbers in the file, or after decompression.
    pub(super) const fn bytes(self, numbers: usize) -> usize {
        numbers / self.width() * self.element_bytes()
    }

    /// Bytes of an element in the file, or after decompression.
    pub(super) const fn element_bytes(self) -> usize {
        match self {
            Self::ShortRotations => 8,
            _ => 4 * self.width(),
        }
    }
}
