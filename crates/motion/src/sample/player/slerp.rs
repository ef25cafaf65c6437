//! Slerp of eight quaternions at once without trigonometry: a series that is as long as the arc needs it.
//!
//! With `c` the cosine of the arc and `y = c − 1`, `sin(tω)/sin ω = t·Σ yⁱ·Π (t² − k²)/(k(2k + 1))` for `k` from 1 to `i`
//! (D. Eberly, "A Fast and Accurate Algorithm for Computing SLERP", Journal of Graphics, GPU, and Game Tools 15, 2011).
//! All terms have one sign, so nothing cancels, and a geometric series bounds the omitted terms. `y` is half
//! the squared chord, which keeps its digits for small arcs where `c` itself loses them.

use fearless_simd::{Simd, f32x8, prelude::*};

/// Number of curves that are evaluated together.
pub(super) const EIGHT: usize = 8;

/// One number of each of eight curves.
pub(super) type Octet = [f32; EIGHT];

/// Number of terms for an arc of a quarter circle, the longest between nearest quaternions.
const MAX_TERMS: usize = 22;

/// Largest sum of the omitted terms of a weight: a sixth of the rounding of an f32 near 1.
const REMAINDER: f64 = 1e-8;

/// `k/(2k + 1)`, the ratio of neighbouring terms at the start of a segment, where it is largest.
const fn ratio(k: f64) -> f64 {
    k / (2.0 * k + 1.0)
}

/// The ratios as linear functions of `t²`: factor and constant.
const RATIOS: [[f32; 2]; MAX_TERMS] = {
    let (mut ratios, mut k) = ([[0.0; 2]; MAX_TERMS], 0.0);
    let mut rest = ratios.as_mut_slice();
    while let [own, behind @ ..] = rest {
        k += 1.0;
        *own = [(ratio(k) / (k * k)) as f32, -ratio(k) as f32];
        rest = behind;
    }
    ratios
};

/// Number of terms for arcs with at least the cosine `c`, 0..=1.
pub(super) fn terms(c: f64) -> usize {
    let y = (1.0 - c).clamp(0.0, 1.0);
    let mut term = 1.0;
    for n in 0..MAX_TERMS {
        term *= ratio(n as f64 + 1.0) * y;
        // The ratios stay below one half.
        if term / (1.0 - 0.5 * y) < REMAINDER {
            return n;
        }
    }
    MAX_TERMS
}

/// Cosine of the arc between two quaternions.
pub(super) fn cosine(a: &[f32; 4], b: &[f32; 4]) -> f64 {
    1.0 - 0.5 * a.iter().zip(b).map(|(a, b)| (f64::from(*b) - f64::from(*a)).powi(2)).sum::<f64>()
}

/// Eight quaternions by component.
///
/// Everything here is written out: closures and the array methods that take them are not always compiled for the
/// instruction set of their caller.
#[derive(Clone, Copy)]
pub(super) struct Quats<S: Simd>(pub(super) [f32x8<S>; 4]);

impl<S: Simd> Quats<S> {
    #[inline(always)]
    pub(super) fn load(simd: S, [x, y, z, w]: [&Octet; 4]) -> Self {
        let load = f32x8::load_array_ref;
        Self([load(simd, x), load(simd, y), load(simd, z), load(simd, w)])
    }

    #[inline(always)]
    pub(super) fn to_columns(self) -> [Octet; 4] {
        let [x, y, z, w] = self.0;
        [x.to_array(), y.to_array(), z.to_array(), w.to_array()]
    }

    /// Half the negative square of the chord: the cosine of the arc less 1.
    #[inline(always)]
    fn y(&self, other: &Self) -> f32x8<S> {
        let (Self([ax, ay, az, aw]), Self([bx, by, bz, bw])) = (*self, *other);
        Self([bx - ax, by - ay, bz - az, bw - aw]).square() * -0.5
    }

    #[inline(always)]
    fn square(self) -> f32x8<S> {
        let [x, y, z, w] = self.0;
        x.mul_add(x, y.mul_add(y, z.mul_add(z, w * w)))
    }

    #[inline(always)]
    fn mixed(&self, other: &Self, wa: f32x8<S>, wb: f32x8<S>) -> Self {
        let (Self([ax, ay, az, aw]), Self([bx, by, bz, bw])) = (*self, *other);
        Self([
            ax.mul_add(wa, bx * wb),
            ay.mul_add(wa, by * wb),
            az.mul_add(wa, bz * wb),
            aw.mul_add(wa, bw * wb),
        ])
    }

    /// Slerp, each at its own share of the way, with the terms that the longest arc needs.
    #[inline(always)]
    pub(super) fn slerp(&self, other: &Self, u: f32x8<S>, terms: usize) -> Self {
        let y = self.y(other);
        let left = f32x8::splat(u.simd, 1.0) - u;
        self.mixed(other, weight(left, y, terms), weight(u, y, terms))
    }

    /// Nlerp: the chord, scaled to unit length.
    #[inline(always)]
    pub(super) fn nlerp(&self, other: &Self, u: f32x8<S>) -> Self {
        let one = f32x8::splat(u.simd, 1.0);
        let chord = self.mixed(other, one - u, u);
        let scale = one / chord.square().sqrt();
        let [x, y, z, w] = chord.0;
        Self([x * scale, y * scale, z * scale, w * scale])
    }
}

/// The weight of the end at the share `t` of the arc.
#[inline(always)]
fn weight<S: Simd>(t: f32x8<S>, y: f32x8<S>, terms: usize) -> f32x8<S> {
    let (simd, square) = (t.simd, t * t);
    let mut sum = f32x8::splat(simd, 1.0);
    for [factor, constant] in RATIOS.iter().take(terms).rev() {
        let step = square.mul_add(f32x8::splat(simd, *factor), f32x8::splat(simd, *constant));
        sum = (step * y).mul_add(sum, f32x8::splat(simd, 1.0));
    }
    t * sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::{Level, dispatch};

    /// The weight of an end, from sines.
    fn exact(t: f64, arc: f64) -> f64 {
        if arc == 0.0 { t } else { (t * arc).sin() / arc.sin() }
    }

    #[test]
    fn the_series_is_as_long_as_the_arc_needs() {
        for degrees in 0..=90 {
            let arc = f64::from(degrees).to_radians();
            let (y, terms) = (arc.cos() - 1.0, terms(arc.cos()));
            for share in (0..=20).map(|n| f64::from(n) / 20.0) {
                let weights = dispatch!(Level::new(), simd => {
                    let y = f32x8::splat(simd, y as f32);
                    [1.0 - share, share].map(|t| weight(f32x8::splat(simd, t as f32), y, terms).to_array()[0])
                });
                for (weight, t) in weights.into_iter().zip([1.0 - share, share]) {
                    let off = (f64::from(weight) - exact(t, arc)).abs();
                    assert!(off < 2e-7, "{degrees}° at {share}: {off}");
                }
            }
        }
    }

    #[test]
    fn short_arcs_need_few_terms() {
        let terms_of = |degrees: f64| terms(degrees.to_radians().cos());
        assert_eq!([0.0, 4.0, 34.0, 90.0].map(terms_of), [0, 2, 7, MAX_TERMS]);
    }
}
