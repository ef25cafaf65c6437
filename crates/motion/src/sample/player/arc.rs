//! The great circle between two rotations without trigonometry: a series that is as long as the arc needs it.
//!
//! With `c` the cosine of the arc and `y = c − 1`, `sin(tω)/sin ω = t·Σ yⁱ·Π (t² − k²)/(k(2k + 1))` for `k` from 1 to `i`
//! (D. Eberly, "A Fast and Accurate Algorithm for Computing SLERP", Journal of Graphics, GPU, and Game Tools 15, 2011).
//! All terms have one sign, so nothing cancels, and what is left out is bounded by a geometric series. `y` is half the
//! squared chord, which keeps its digits for small arcs where `c` itself loses them.

use fearless_simd::{Simd, f32x8, prelude::*};

/// Lanes that are worked on together.
pub(super) const LANES: usize = 8;

/// One number of each lane.
pub(super) type Octet = [f32; LANES];

/// Terms that an arc of a quarter circle needs, the longest there is between nearest quaternions.
pub(super) const MAX_TERMS: usize = 22;

/// What the left-out terms may add to a weight at most: a sixth of the rounding of an f32 near 1.
const REMAINDER: f64 = 1e-8;

/// `k/(2k + 1)`, the ratio of neighbouring terms at the start of a segment, where it is largest.
fn ratio(k: usize) -> f64 {
    k as f64 / (2 * k + 1) as f64
}

/// How many terms are needed for arcs with at least the cosine `c`, 0..=1.
pub(super) fn terms(c: f64) -> usize {
    let y = (1.0 - c).clamp(0.0, 1.0);
    let mut term = 1.0;
    for n in 0..MAX_TERMS {
        term *= ratio(n + 1) * y;
        // The ratios stay below one half.
        if term / (1.0 - 0.5 * y) < REMAINDER {
            return n;
        }
    }
    MAX_TERMS
}

/// How many terms are written out at once: arcs of up to 4°, up to 34°, and all.
pub(super) const LENGTHS: [usize; 3] = [2, 7, MAX_TERMS];

/// The class of [`LENGTHS`] that some terms fit into.
pub(super) fn length_class(terms: usize) -> usize {
    LENGTHS.iter().position(|length| terms <= *length).unwrap_or(LENGTHS.len() - 1)
}

/// Factors of the powers of `y` for both ends, at one share of the arc. The zeroth are the weights of the chord.
pub(super) struct Series {
    from: [f32; MAX_TERMS + 1],
    to: [f32; MAX_TERMS + 1],
}

impl Series {
    #[inline(always)]
    pub(super) fn new(share: f64, class: usize) -> Self {
        let mut this = Self { from: [0.0; MAX_TERMS + 1], to: [0.0; MAX_TERMS + 1] };
        match class {
            0 => this.fill::<2>(share),
            1 => this.fill::<7>(share),
            _ => this.fill::<MAX_TERMS>(share),
        }
        this
    }

    #[inline(always)]
    fn fill<const TERMS: usize>(&mut self, share: f64) {
        for (factors, t) in [(&mut self.from, 1.0 - share), (&mut self.to, share)] {
            let mut factor = t;
            for (n, slot) in factors.iter_mut().enumerate().take(TERMS + 1) {
                *slot = factor as f32;
                let k = (n + 1) as f64;
                factor *= (t * t - k * k) * (1.0 / (k * (2.0 * k + 1.0)));
            }
        }
    }

    /// The weights of both ends.
    #[inline(always)]
    fn weights<const TERMS: usize, S: Simd>(&self, y: f32x8<S>) -> [f32x8<S>; 2] {
        let splat = f32x8::splat;
        let (mut from, mut to) = (splat(y.simd, self.from[TERMS]), splat(y.simd, self.to[TERMS]));
        for n in (0..TERMS).rev() {
            from = from.mul_add(y, splat(y.simd, self.from[n]));
            to = to.mul_add(y, splat(y.simd, self.to[n]));
        }
        [from, to]
    }
}

/// Eight quaternions by component.
///
/// Everything here is written out: closures and the array methods that take them are not always compiled for the
/// instruction set of their caller.
#[derive(Clone, Copy)]
pub(super) struct Quats<S: Simd>(pub(super) [f32x8<S>; 4]);

impl<S: Simd> Quats<S> {
    #[inline(always)]
    pub(super) fn load(simd: S, columns: &[Octet; 4]) -> Self {
        let [x, y, z, w] = columns;
        let load = f32x8::load_array_ref;
        Self([load(simd, x), load(simd, y), load(simd, z), load(simd, w)])
    }

    #[inline(always)]
    pub(super) fn to_columns(self) -> [Octet; 4] {
        let [x, y, z, w] = self.0;
        [x.to_array(), y.to_array(), z.to_array(), w.to_array()]
    }

    /// Half the negative square of the chord, which is the cosine of the arc less 1.
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

    /// The great circle at one share of the way for all.
    #[inline(always)]
    pub(super) fn slerp(&self, other: &Self, series: &Series, class: usize) -> Self {
        let y = self.y(other);
        let [from, to] = match class {
            0 => series.weights::<2, S>(y),
            1 => series.weights::<7, S>(y),
            _ => series.weights::<MAX_TERMS, S>(y),
        };
        self.mixed(other, from, to)
    }

    /// The great circle, each at its own share of the way.
    #[inline(always)]
    pub(super) fn slerp_each(&self, other: &Self, u: f32x8<S>, terms: usize) -> Self {
        let y = self.y(other);
        let left = f32x8::splat(u.simd, 1.0) - u;
        self.mixed(other, weight(left, y, terms), weight(u, y, terms))
    }

    /// The chord, scaled to unit length.
    #[inline(always)]
    pub(super) fn nlerp(&self, other: &Self, u: f32x8<S>) -> Self {
        let one = f32x8::splat(u.simd, 1.0);
        let chord = self.mixed(other, one - u, u);
        let scale = one / chord.square().sqrt();
        let [x, y, z, w] = chord.0;
        Self([x * scale, y * scale, z * scale, w * scale])
    }
}

/// The weight of the end that the share `t` of the arc is at.
#[inline(always)]
fn weight<S: Simd>(t: f32x8<S>, y: f32x8<S>, terms: usize) -> f32x8<S> {
    let (simd, square) = (t.simd, t * t);
    let mut sum = f32x8::splat(simd, 1.0);
    for n in (1..=terms).rev() {
        let (n, ratio) = (n as f32, ratio(n) as f32);
        let step = square.mul_add(f32x8::splat(simd, ratio / (n * n)), f32x8::splat(simd, -ratio));
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
                let series = Series::new(share, length_class(terms));
                let both = dispatch!(Level::new(), simd => {
                    let y = f32x8::splat(simd, y as f32);
                    let class = match length_class(terms) {
                        0 => series.weights::<2, _>(y),
                        1 => series.weights::<7, _>(y),
                        _ => series.weights::<MAX_TERMS, _>(y),
                    };
                    [class[0].to_array()[0], class[1].to_array()[0], weight(f32x8::splat(simd, share as f32), y, terms).to_array()[0]]
                });
                for (found, t) in both.into_iter().zip([1.0 - share, share, share]) {
                    let off = (f64::from(found) - exact(t, arc)).abs();
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
