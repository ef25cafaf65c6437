//! Lights.

/// A light. It shines along the local axis named by its scene's [`Basis`](super::Basis).
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    /// Name in the source; may be empty.
    pub name: String,
    /// Linear RGB, 0..=1 each.
    pub color: [f64; 3],
    /// Lux for directional lights, candela for others.
    pub intensity: f64,
    /// Shape of the light's rays.
    pub kind: LightKind,
}

/// The shape of a light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LightKind {
    /// Parallel rays from infinitely far away.
    Directional,
    /// All around a point.
    Point {
        /// Reach in units of the basis; `None` is unlimited.
        range: Option<f64>,
    },
    /// A cone.
    Spot {
        /// Reach in units of the basis; `None` is unlimited.
        range: Option<f64>,
        /// Angle from the axis at which the light begins to fade, in radians.
        inner_rad: f64,
        /// Angle from the axis at which the light ends, in radians, above `inner_rad` and at most π/2.
        outer_rad: f64,
    },
}
