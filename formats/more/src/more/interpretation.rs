//! Choices where nobody outside the game knows for certain.

use super::packed::EulerCode;

/// Unit of the derivatives of Bezier keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TangentUnit {
    /// Change of the value over the whole segment, as Kochanek and Bartels define theirs, and as they must be to fit
    /// the value's own compressed range.
    #[default]
    PerSegment,
    /// Change of the value per second.
    PerSecond,
}

/// Reading of a document where the format is only inferred. The defaults are what the evidence points to; no
/// game file has settled them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interpretation {
    /// Unit of the derivatives of Bezier keys.
    pub tangent_unit: TangentUnit,
    /// Decoding of 16-bit angles.
    pub euler_code: EulerCode,
    /// True if every rotation is inverted, as needed if the files have the handedness in which 3ds Max stores
    /// rotations in its keys.
    pub conjugate_rotations: bool,
}
