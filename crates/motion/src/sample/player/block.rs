//! Eight curves evaluated at once.

use super::curve::{Interpolation, PlayedCurve};
use super::pose::{Layout, Outputs};
use super::slerp::{Octet, Quats};
use fearless_simd::{Simd, f32x8, prelude::*};

/// Up to eight curves of one interpolation.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub interpolation: Interpolation,
    outputs: Outputs,
    /// Number of terms for the longest arc of a slerp.
    terms: usize,
}

impl Block {
    pub(super) fn new(curves: &[PlayedCurve], layout: Layout) -> Self {
        Self {
            interpolation: curves.first().map_or(Interpolation::Lerp, |curve| curve.interpolation),
            outputs: Outputs::new(curves.iter().map(|curve| curve.output), layout),
            terms: curves.iter().map(PlayedCurve::terms).max().unwrap_or_default(),
        }
    }

    /// Writes the values at a share of each curve's segment, from the numbers at its start and end.
    #[inline(always)]
    pub(super) fn play<S: Simd>(&self, simd: S, [from, to]: [&[Octet]; 2], u: f32x8<S>, out: &mut [f32]) {
        let load = f32x8::load_array_ref;
        match (self.interpolation, from, to) {
            (Interpolation::Slerp | Interpolation::Nlerp, [ax, ay, az, aw, ..], [bx, by, bz, bw, ..]) => {
                let (a, b) = (Quats::load(simd, [ax, ay, az, aw]), Quats::load(simd, [bx, by, bz, bw]));
                let is_chord = self.interpolation == Interpolation::Nlerp;
                let turned = if is_chord { a.nlerp(&b, u) } else { a.slerp(&b, u, self.terms) };
                self.outputs.store(&turned.to_columns(), out);
            }
            (Interpolation::Lerp, [from, ..], [to, ..]) => {
                let from = load(simd, from);
                self.outputs.store(&[(load(simd, to) - from).mul_add(u, from).to_array()], out);
            }
            (Interpolation::Cubic, [c0, c1, c2, c3, ..], _) => {
                let (c0, c1, c2, c3) = (load(simd, c0), load(simd, c1), load(simd, c2), load(simd, c3));
                self.outputs.store(&[c3.mul_add(u, c2).mul_add(u, c1).mul_add(u, c0).to_array()], out);
            }
            _ => {}
        }
    }
}
