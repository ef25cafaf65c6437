//! Translation, rotation and scale.

/// A local transform: scale first, then rotation, then translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Translation, in units of the scene's basis.
    pub translation: [f64; 3],
    /// Rotation, as a unit quaternion x y z w.
    pub rotation: [f64; 4],
    /// Scale, as factors along the local axes.
    pub scale: [f64; 3],
}

impl Transform {
    /// Nothing moved, turned or scaled.
    pub const IDENTITY: Self =
        Self { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] };
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}
