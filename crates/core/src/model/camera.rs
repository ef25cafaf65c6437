//! Cameras.

/// A camera. It looks along the local axis that its scene's [`Basis`](super::Basis) names.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// May be empty.
    pub name: String,
    /// Projection.
    pub lens: Lens,
    /// Distance of the near plane, above 0, in units of the basis.
    pub near: f64,
    /// Distance of the far plane; `None` is infinitely far.
    pub far: Option<f64>,
}

/// A projection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lens {
    /// Things get smaller with distance.
    Perspective {
        /// Vertical field of view in radians, within 0..π.
        yfov_rad: f64,
        /// Width over height; `None` follows the viewport.
        aspect: Option<f64>,
    },
    /// Things keep their size.
    Orthographic {
        /// Half the visible width, in units of the basis.
        half_width: f64,
        /// Half the visible height, in units of the basis.
        half_height: f64,
    },
}
