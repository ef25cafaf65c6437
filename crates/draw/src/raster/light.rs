//! How bright surfaces are, and what colours look like on a screen.

use crate::theme::{linear, shown};
use crate::view::View;
use glam::Vec3;
use std::sync::LazyLock;

/// Light from everywhere, what of it comes only from above, and light from beside the eye.
const AMBIENT: f32 = 0.58;
const SKY: f32 = 0.12;
const KEY: f32 = 0.46;
/// Where the light beside the eye is: right, up and towards the eye.
const FROM: Vec3 = Vec3::new(-0.45, 0.62, 0.64);

/// The light of a view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Light(Vec3);

impl Light {
    pub(super) fn of(view: &View) -> Self {
        Self((view.right * FROM.x + view.up * FROM.y - view.ahead * FROM.z).normalize_or_zero())
    }

    /// How much of its colour a surface shows; about 1 at most.
    pub(super) fn on(self, normal: Vec3) -> f32 {
        if !normal.is_finite() {
            return AMBIENT;
        }
        AMBIENT + SKY * normal.y + KEY * normal.dot(self.0).max(0.0)
    }
}

/// Steps of amounts of light that are told apart.
const STEPS: usize = 4096;

static LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| std::array::from_fn(|i| linear(i as u8)));
static SHOWN: LazyLock<Vec<f32>> =
    LazyLock::new(|| (0..=STEPS).map(|i| shown(i as f32 / STEPS as f32)).collect());

/// Amounts of light as sRGB.
pub(super) fn to_shown(light: [f32; 3]) -> [f32; 3] {
    light.map(|x| SHOWN[(x.clamp(0.0, 1.0) * STEPS as f32) as usize])
}

/// sRGB as amounts of light.
pub(super) fn to_light(shown: [f32; 3]) -> [f32; 3] {
    shown.map(|x| LINEAR[x.clamp(0.0, 255.0) as usize])
}
