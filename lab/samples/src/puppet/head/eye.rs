//! Eyes and their lashes.

use super::patch::{Patch, Shape};
use crate::puppet::math::circle;
use crate::puppet::pieces::{EYE, LINE};
use crate::puppet::surface::Surface;

const MIDDLE: [f64; 2] = [0.475, 18.1];
const SIZE: [f64; 2] = [0.205, 0.315];
/// Points around, and rings of them from the middle to the rim.
const AROUND: usize = 24;
const RINGS: usize = 4;
/// Points along a lash.
const LASH: usize = 13;
const BONE: &str = "左目";

/// A shape of the whole eye.
#[derive(Clone, Copy)]
enum Lids {
    /// Open, as many times as large.
    Open(f64),
    /// Open with the upper lid lowered: on the inner side, on the outer side.
    Lowered(f64, f64),
    /// Shut: how high the line's ends are above the middle of the eye, how far its middle is above them.
    Shut(f64, f64),
}

const REST: Lids = Lids::Open(1.0);
const MORPHS: [(&str, Lids); 6] = [
    ("まばたき", Lids::Shut(-0.09, -0.1)),
    ("ウィンク", Lids::Shut(-0.16, 0.17)),
    ("笑い", Lids::Shut(-0.16, 0.17)),
    ("怒り", Lids::Lowered(0.34, 0.08)),
    ("困る", Lids::Lowered(0.08, 0.3)),
    ("びっくり", Lids::Open(1.16)),
];

/// Both of them.
pub(super) fn eyes() -> Surface {
    let left = disc().and(lash());
    let mut right = left.mirrored();
    // Lights are on the same side of both eyes.
    let [from, to] = [EYE.pixel(0.0, 0.0)[0], EYE.pixel(1.0, 0.0)[0]];
    for point in &mut right.points[..1 + AROUND * RINGS] {
        point.pixel[0] = from + to - point.pixel[0];
    }
    left.and(right)
}

/// Where a point of the eye is: `x` from −1 (inner) to 1 (outer), `y` from −1 to 1.
fn place(lids: Lids, [x, y]: [f64; 2]) -> [f64; 2] {
    let [cx, cy] = MIDDLE;
    let [width, height] = SIZE;
    match lids {
        Lids::Open(size) => [cx + width * size * x, cy + height * size * y],
        Lids::Lowered(inner, outer) => {
            let lid = 0.5 * (inner + outer) + 0.5 * (outer - inner) * x;
            let y = if y > 0.0 { y * (1.0 - lid) } else { y };
            [cx + width * x, cy + height * y]
        }
        Lids::Shut(ends, middle) => [cx + 1.12 * width * x, cy + ends + middle * (1.0 - x * x)],
    }
}

fn disc() -> Surface {
    let mut unit = vec![[0.0, 0.0]];
    for ring in 1..=RINGS {
        let radius = ring as f64 / RINGS as f64;
        unit.extend((0..AROUND).map(|n| circle(n as f64 / AROUND as f64).map(|part| part * radius)));
    }
    let shape = |lids: Lids| unit.iter().map(|point| place(lids, *point)).collect::<Shape>();
    let pixels = unit.iter().map(|[x, y]| EYE.pixel(0.5 - 0.5 * x, *y)).collect();
    let mut patch = Patch::new(shape(REST), pixels, 0.018, BONE);
    for (morph, lids) in MORPHS {
        patch.morph(morph, &shape(lids));
    }
    let point = |ring: usize, n: usize| 1 + (ring - 1) * AROUND + n % AROUND;
    for n in 0..AROUND {
        patch.surface.triangles.push([0, point(1, n + 1), point(1, n)]);
        for ring in 1..RINGS {
            let [a, b] = [point(ring, n), point(ring, n + 1)];
            let [c, d] = [point(ring + 1, n), point(ring + 1, n + 1)];
            patch.surface.triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    patch.surface
}

/// A dark line along the upper lid, thickest above the outer corner.
fn lash() -> Surface {
    let steps: Vec<f64> = (0..LASH).map(|n| n as f64 / (LASH - 1) as f64).collect();
    let shape = |lids: Lids| {
        let row = |outwards: f64| {
            let point = move |step: &f64| {
                // From below the inner corner over the top to below the outer one.
                let [x, y] = circle(0.49 - 0.49 * step);
                let size = 0.95 + 0.07 * outwards;
                let [x, y] = place(lids, [size * x, size * y]);
                let ends = 1.0 - (2.0 * step - 1.0) * (2.0 * step - 1.0);
                let width = 0.018 + 0.036 * ends * (0.7 + 0.6 * step);
                [x + 0.03 * step * outwards, y + width * outwards]
            };
            steps.iter().map(point).collect::<Shape>()
        };
        [row(1.0), row(0.0)].concat()
    };
    let pixels = [0.0, 1.0].iter().flat_map(|v| steps.iter().map(|u| LINE.pixel(*u, *v))).collect();
    let mut patch = Patch::new(shape(REST), pixels, 0.03, BONE);
    for (morph, lids) in MORPHS {
        patch.morph(morph, &shape(lids));
    }
    patch.surface.grid(0, [2, LASH], true);
    patch.surface
}
