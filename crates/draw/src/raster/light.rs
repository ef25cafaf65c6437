//! Colours as a screen shows them.

use crate::theme::{linear, shown};
use std::sync::LazyLock;

/// Number of distinct amounts of light.
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
