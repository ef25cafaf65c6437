//! Fields of view of cameras.

/// Narrowest and widest angle of a camera, in radians; files may state any angle.
const FIELDS_OF_VIEW: (f64, f64) = (1e-3, std::f64::consts::PI - 1e-3);

/// The property of a camera behind its vertical field of view, and the numbers beside the property.
///
/// Source: the aperture modes of FBX as ufbx documents them (`ufbx_aperture_mode`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Optics {
    /// Focal length; with half the height of the aperture, in the same unit.
    FocalLength(f64),
    /// Vertical angle, in degrees.
    Vertical,
    /// Horizontal angle, in degrees; with the height of the picture by its width.
    Horizontal(f64),
}

impl Optics {
    /// Vertical field of view in radians, by a value of the property.
    #[must_use]
    pub fn yfov_rad(self, value: f64) -> f64 {
        angle(match self {
            // The tangent falls as the length grows.
            Self::FocalLength(half_height) => 2.0 * libm::atan(half_height / value),
            Self::Vertical => value.to_radians(),
            Self::Horizontal(ratio) => 2.0 * libm::atan(libm::tan(value.to_radians() / 2.0) * ratio),
        })
    }
}

/// An angle in the range of cameras; the narrowest for NaN and infinite angles.
pub(in crate::fbx) fn angle(rad: f64) -> f64 {
    let finite = if rad.is_finite() { rad } else { 0.0 };
    finite.clamp(FIELDS_OF_VIEW.0, FIELDS_OF_VIEW.1)
}
