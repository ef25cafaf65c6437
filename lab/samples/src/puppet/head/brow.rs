//! Brows.

use super::patch::{Patch, Shape};
use crate::puppet::pieces::BROW;
use crate::puppet::surface::Surface;

/// The pose of a brow.
#[derive(Clone, Copy)]
struct Bow {
    /// Height of its middle.
    y: f64,
    /// Height of its outer end above its inner one.
    slant: f64,
    /// Height of its middle above its ends.
    arch: f64,
}

const REST: Bow = Bow { y: 18.58, slant: -0.03, arch: 0.05 };
const MORPHS: [(&str, Bow); 5] = [
    ("笑い", Bow { y: 18.6, arch: 0.09, ..REST }),
    ("怒り", Bow { y: 18.5, slant: 0.2, arch: -0.02 }),
    ("困る", Bow { y: 18.6, slant: -0.24, arch: -0.01 }),
    ("びっくり", Bow { y: 18.72, slant: -0.04, arch: 0.09 }),
    ("にこり", Bow { y: 18.58, slant: -0.07, arch: 0.12 }),
];
const COLUMNS: usize = 11;
const MIDDLE: f64 = 0.49;
const HALF: f64 = 0.23;

/// Both of them.
pub(super) fn brows() -> Surface {
    let steps: Vec<f64> = (0..COLUMNS).map(|n| 2.0 * n as f64 / (COLUMNS - 1) as f64 - 1.0).collect();
    let shape = |bow: Bow| {
        let row = |thick: f64| {
            let point = move |step: &f64| {
                let width = 0.034 * (1.0 - 0.45 * step) * (1.0 - step * step * step * step * 0.8);
                let y = bow.y + 0.5 * bow.slant * step + bow.arch * (1.0 - step * step);
                [MIDDLE + HALF * step, y + width * thick]
            };
            steps.iter().map(point).collect::<Shape>()
        };
        [row(1.0), row(-1.0)].concat()
    };
    let pixels =
        [0.0, 1.0].iter().flat_map(|v| steps.iter().map(|u| BROW.pixel(0.5 + 0.5 * u, *v))).collect();
    let mut patch = Patch::new(shape(REST), pixels, 0.03, "頭");
    for (morph, bow) in MORPHS {
        patch.morph(morph, &shape(bow));
    }
    patch.surface.grid(0, [2, COLUMNS], true);
    patch.surface.on_both_sides()
}
