//! One cubic piece between two keys.

use super::source::{Knot, Source};
use crate::linearise::Allowance;
use crate::measure::{difference, is_inside, parts, seen};
use dopesheet_core::model::Property;
use std::ops::Range;

/// Where on a piece it is fitted and looked at: Chebyshev's points, because cubics miss most near their ends.
const SHARES: [f64; 14] =
    [0.003, 0.028, 0.077, 0.147, 0.235, 0.337, 0.444, 0.556, 0.663, 0.765, 0.853, 0.923, 0.972, 0.997];

/// Pieces use at most this share of the allowance where they are looked at, because they may miss more in between.
const AIM: f64 = 0.9;

/// No piece is held to more than this share of its values: single precision, which is what most formats store.
pub(super) const FINEST: f64 = f32::EPSILON as f64;

/// Two rotations that are less than 170° apart have a larger product than this.
const LARGEST_TURN: f64 = 0.087;

/// A piece is measured at so many even parts of it but its ends.
const EVEN_PARTS: usize = 16;

/// Where pieces are measured.
pub(super) fn probes() -> [f64; EVEN_PARTS - 1] {
    std::array::from_fn(|n| (n + 1) as f64 / EVEN_PARTS as f64)
}

/// A cubic from a key to another.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) to: Knot,
    /// Slopes per second at both ends.
    pub(super) leaving: Vec<f64>,
    pub(super) arriving: Vec<f64>,
}

/// The weights of a cubic's ends: value and slope times length of the first, value and slope of the second.
pub(super) fn weights(u: f64) -> [f64; 4] {
    let v = 1.0 - u;
    [(1.0 + 2.0 * u) * v * v, u * v * v, u * u * (3.0 - 2.0 * u), -u * u * v]
}

/// Fits pieces to a source.
pub(super) struct Fitter<'a> {
    pub(super) source: Source<'a>,
    property: &'a Property,
    allowance: Allowance,
    /// How many more pieces there may be.
    pub(super) left: usize,
    buffer: Vec<f64>,
    samples: Vec<f64>,
    fitted: Vec<f64>,
}

impl<'a> Fitter<'a> {
    pub(super) fn new(source: Source<'a>, property: &'a Property, allowance: Allowance, left: usize) -> Self {
        let [buffer, samples, fitted] = [const { Vec::new() }; 3];
        Self { source, property, allowance, left, buffer, samples, fitted }
    }

    /// How far slopes may be apart, times the length of their pieces, that count as one: it moves neither piece by more
    /// than a sixth of that.
    pub(super) fn slack(&self) -> f64 {
        0.1 * self.allowance.value.min(self.allowance.angle_rad)
    }

    /// The cubic between two keys that follows the source best, if it is near enough. Slopes that are given stay.
    pub(super) fn piece(&mut self, from: &Knot, to: &Knot) -> Option<Piece> {
        let shares = self.sample(from, to, SHARES);
        let mut to = to.clone();
        let width = from.value.len();
        let last = self.samples.len().checked_sub(width).and_then(|at| self.samples.get(at..))?;
        if self.source.is_opposite(&to.value, last) {
            self.source.negate(&mut to.value);
            to.slope.iter_mut().for_each(|slope| self.source.negate(slope));
        }
        if self.source.dot(&from.value, &to.value).is_some_and(|dot| dot < LARGEST_TURN) {
            return None;
        }
        let length = to.time.0 - from.time.0;
        let (leaving, arriving) = self.slopes(&shares, from, &to, length)?;
        let piece = Piece { to, leaving, arriving };
        if !self.is_near(&shares, from, &piece, AIM) {
            return None;
        }
        // A cubic that is near at a few places and not where it is measured would break the promise.
        let shares = self.sample(from, &piece.to, probes());
        if !self.is_near(&shares, from, &piece, 1.0) {
            return None;
        }
        // Beside frames what is seen jumps.
        let edge = (self.source.edge() / length).min(0.5);
        let shares = self.sample(from, &piece.to, [edge, 1.0 - edge]);
        self.is_near(&shares, from, &piece, 1.0).then_some(piece)
    }

    /// Looks at the source at some shares of the way between two keys; yields where that really is.
    fn sample<const N: usize>(&mut self, from: &Knot, to: &Knot, mut shares: [f64; N]) -> [f64; N] {
        self.samples.clear();
        let mut near = from.value.clone();
        for share in &mut shares {
            let (time, own) = seen(self.source.grid, (from.time, to.time), *share);
            *share = own;
            let start = self.samples.len();
            if is_inside(own) {
                self.source.append(time, &near, &mut self.buffer, &mut self.samples);
            } else {
                let mut end = if own < 0.5 { from.value.clone() } else { to.value.clone() };
                self.source.align(&mut end, &near);
                self.samples.extend(end);
            }
            near.clear();
            near.extend_from_slice(self.samples.get(start..).unwrap_or_default());
        }
        shares
    }

    /// The slopes with the least squares.
    fn slopes(&self, shares: &[f64], from: &Knot, to: &Knot, length: f64) -> Option<(Vec<f64>, Vec<f64>)> {
        let width = from.value.len();
        if let (Some(leaving), Some(arriving)) = (&from.slope, &to.slope) {
            return Some((leaving.clone(), arriving.clone()));
        }
        let (mut aa, mut ab, mut bb) = (0.0, 0.0, 0.0);
        for [_, a, _, b] in shares.iter().map(|u| weights(*u)) {
            (aa, ab, bb) = (aa + a * a, ab + a * b, bb + b * b);
        }
        let determinant = aa * bb - ab * ab;
        let (mut leaving, mut arriving) = (Vec::with_capacity(width), Vec::with_capacity(width));
        for n in 0..width {
            let (start, end) = (*from.value.get(n)?, *to.value.get(n)?);
            let rows = self.samples.chunks_exact(width).zip(shares);
            let (mut ra, mut rb) = (0.0, 0.0);
            for (row, u) in rows {
                let [h0, a, h1, b] = weights(*u);
                let rest = row.get(n)? - h0 * start - h1 * end;
                (ra, rb) = (ra + rest * a, rb + rest * b);
            }
            let fixed = |slope: &Option<Vec<f64>>| slope.as_ref().and_then(|s| s.get(n)).map(|s| s * length);
            let (p, q) = match (fixed(&from.slope), fixed(&to.slope)) {
                (Some(p), Some(q)) => (p, q),
                (Some(p), None) => (p, (rb - ab * p) / bb),
                (None, Some(q)) => ((ra - ab * q) / aa, q),
                (None, None) => ((ra * bb - rb * ab) / determinant, (rb * aa - ra * ab) / determinant),
            };
            leaving.push(p / length);
            arriving.push(q / length);
        }
        Some((leaving, arriving))
    }

    /// Whether a piece is within a part of the allowance of all samples.
    fn is_near(&mut self, shares: &[f64], from: &Knot, piece: &Piece, aim: f64) -> bool {
        let (width, length) = (from.value.len(), piece.to.time.0 - from.time.0);
        let parts = parts(self.property, width);
        let allowed: Vec<f64> =
            parts.iter().map(|(p, range)| aim * self.allowed(p, range, from, &piece.to)).collect();
        for (row, u) in self.samples.chunks_exact(width.max(1)).zip(shares) {
            cubic_at(from, piece, length, *u, &mut self.fitted);
            let is_near = |((property, range), allowed): (&(Property, Range<usize>), &f64)| {
                let (a, b) = (row.get(range.clone()), self.fitted.get(range.clone()));
                // What is not a number is not near.
                difference(property, a.unwrap_or_default(), b.unwrap_or_default()) <= *allowed
            };
            if !parts.iter().zip(&allowed).all(is_near) {
                return false;
            }
        }
        true
    }

    fn allowed(&self, property: &Property, range: &Range<usize>, from: &Knot, to: &Knot) -> f64 {
        let ends = [from, to].into_iter().filter_map(|knot| knot.value.get(range.clone())).flatten();
        let largest = ends.fold(0.0f64, |most, x| most.max(x.abs()));
        self.allowance.of(property).max(largest * FINEST / AIM)
    }
}

fn cubic_at(from: &Knot, piece: &Piece, length: f64, u: f64, out: &mut Vec<f64>) {
    let [h0, a, h1, b] = weights(u);
    let ends = from.value.iter().zip(&piece.to.value);
    let slopes = piece.leaving.iter().zip(&piece.arriving);
    out.clear();
    out.extend(ends.zip(slopes).map(|((v, w), (p, q))| h0 * v + h1 * w + length * (a * p + b * q)));
}
