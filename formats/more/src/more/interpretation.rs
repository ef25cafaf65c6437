//! What nobody outside the game knows for certain, as choices.

use super::packed::EulerCode;

/// What the derivatives of Bezier keys count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TangentUnit {
    /// Change of the value over the whole segment, as Kochanek and Bartels define theirs, and as they must be to fit
    /// the value's own compressed range.
    #[default]
    PerSegment,
    /// Change of the value per second.
    PerSecond,
}

/// How a document is understood where only inference says how. The defaults are what evidence there is points to; no
/// game file has settled them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interpretation {
    /// What the derivatives of Bezier keys count.
    pub tangent_unit: TangentUnit,
    /// How 16-bit angles are decoded.
    pub euler_code: EulerCode,
    /// Whether every rotation is turned around, as needed if the files have the handedness in which 3ds Max stores
    /// rotations in its keys.
    pub conjugate_rotations: bool,
}
