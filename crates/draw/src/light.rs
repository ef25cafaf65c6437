//! Brightness of surfaces.

use crate::view::View;
use glam::Vec3;

/// Direction of the light beside the eye: right, up and towards the eye.
const FROM: Vec3 = Vec3::new(-0.45, 0.62, 0.64);

/// The light of a view. A surface shows [`AMBIENT`](Self::AMBIENT) of its colour, [`SKY`](Self::SKY) times how far its normal
/// points up (−1..=1), and [`KEY`](Self::KEY) times the cosine between its normal and the light, where that is above 0.
#[derive(Clone, Copy, Debug)]
pub struct Light {
    /// Towards the light beside the eye; unit length.
    pub towards: Vec3,
}

impl Light {
    /// Share of the light that comes from everywhere.
    pub const AMBIENT: f32 = 0.58;
    /// The part of the light that comes only from above.
    pub const SKY: f32 = 0.12;
    /// Share of the light from beside the eye.
    pub const KEY: f32 = 0.46;

    /// The light of a view, placed relative to its eye.
    #[must_use]
    pub fn of(view: &View) -> Self {
        let towards = view.right * FROM.x + view.up * FROM.y - view.ahead * FROM.z;
        Self { towards: towards.normalize_or_zero() }
    }

    /// Share of a surface's colour that the light shows; about 1 at most.
    #[must_use]
    pub fn on(self, normal: Vec3) -> f32 {
        if !normal.is_finite() {
            return Self::AMBIENT;
        }
        Self::AMBIENT + Self::SKY * normal.y + Self::KEY * normal.dot(self.towards).max(0.0)
    }
}
