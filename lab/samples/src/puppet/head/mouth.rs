//! The mouth: a lens that is nearly shut at rest.

use super::patch::{Patch, Shape};
use crate::puppet::pieces::MOUTH;
use crate::puppet::surface::Surface;

/// The shape of an open mouth.
#[derive(Clone, Copy)]
struct Lips {
    /// Half the width.
    half: f64,
    /// Height of the corners above the middle line's lowest point.
    smile: f64,
    /// Rise of the upper lip and fall of the lower lip, in the middle.
    open: [f64; 2],
    /// 0 for a pointed lens, 1 for a rounder one.
    round: f64,
}

const REST: Lips = Lips { half: 0.2, smile: 0.055, open: [0.012, 0.014], round: 0.0 };
const MORPHS: [(&str, Lips); 6] = [
    ("あ", Lips { half: 0.19, smile: 0.0, open: [0.07, 0.24], round: 0.6 }),
    ("い", Lips { half: 0.27, smile: 0.05, open: [0.035, 0.06], round: 0.5 }),
    ("う", Lips { half: 0.1, smile: 0.0, open: [0.065, 0.095], round: 0.9 }),
    ("え", Lips { half: 0.22, smile: 0.02, open: [0.05, 0.13], round: 0.5 }),
    ("お", Lips { half: 0.125, smile: 0.0, open: [0.1, 0.16], round: 0.9 }),
    ("びっくり", Lips { half: 0.09, smile: 0.0, open: [0.05, 0.08], round: 0.9 }),
];
const COLUMNS: usize = 17;
/// Where rows are between the upper lip (0) and the lower lip (1).
const ROWS: [f64; 6] = [0.0, 0.14, 0.38, 0.62, 0.86, 1.0];
const HEIGHT: f64 = 17.36;

pub(super) fn mouth() -> Surface {
    let steps: Vec<f64> = (0..COLUMNS).map(|n| 2.0 * n as f64 / (COLUMNS - 1) as f64 - 1.0).collect();
    let shape = |lips: Lips| {
        let point = move |down: f64, step: f64| {
            let lens = 1.0 - step * step;
            let gap = lens * (1.0 - lips.round) + lens.sqrt() * lips.round;
            let [up, low] = lips.open;
            let middle = HEIGHT + lips.smile * step * step;
            // A line that does not vanish in the corners.
            let edge = 0.008 * (1.0 - 2.0 * down);
            [lips.half * step, middle + gap * (up - (up + low) * down) + edge]
        };
        ROWS.iter().flat_map(|down| steps.iter().map(move |step| point(*down, *step))).collect::<Shape>()
    };
    let pixels =
        ROWS.iter().flat_map(|down| steps.iter().map(|step| MOUTH.pixel(0.5 + 0.5 * step, *down))).collect();
    let mut patch = Patch::new(shape(REST), pixels, 0.02, "頭");
    for (morph, lips) in MORPHS {
        patch.morph(morph, &shape(lips));
    }
    patch.surface.grid(0, [ROWS.len(), COLUMNS], true);
    patch.surface
}
