//! Cubic segments that follow a channel as closely as they can.

use super::nearest::{cubic_at, nearest_slopes};
use super::source::{Key, Source};
use crate::difference::{Worst, difference, parts};
use crate::keys::grid::Seen;
use crate::keys::longest::{Fitted, Segments};
use crate::keys::plan::{Allowance, MOST_PARTS, Misses};
use crate::keys::rows::is_same;
use crate::sample::Side;
use dopesheet_core::model::{Channel, Property};
use dopesheet_core::units::Seconds;
use dopesheet_curve::lerp;
use std::ops::Range;

/// Shares of a segment's time for fitting and measuring: Chebyshev's points, because cubics miss most near
/// their ends.
const LOOKS: [f64; 14] =
    [0.003, 0.028, 0.077, 0.147, 0.235, 0.337, 0.444, 0.556, 0.663, 0.765, 0.853, 0.923, 0.972, 0.997];

/// Largest share of the allowance at the samples, because segments may miss more in between.
const AIM: f64 = 0.9;

/// Smallest product of two quaternions whose rotations are less than 170° apart.
const LARGEST_TURN: f64 = 0.087;

/// Steps of numerical slopes, as a share of the time between two keys of the source: the truncation error of
/// four values is then less than single precision, and so is the rounding error.
const STEP_SHARE: f64 = 1e-4;

/// Relative difference from which on the slopes on both sides of a key count as different, as a share of the
/// larger.
const SLOPE_SHARE: f64 = 1e-3;

/// Share of the allowance up to which two slopes, times the length of their segments, count as one: that
/// moves neither segment by more than a sixth of the share.
const SLACK: f64 = 0.1;

/// A cubic from one key to another.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// The value at its end, with the quaternion nearer to the quaternion at its start.
    pub(super) to: Vec<f64>,
    /// Per second at both ends.
    pub(super) slopes: [Vec<f64>; 2],
    pub(super) misses: Misses,
}

/// Fits cubics to a channel.
pub(super) struct CubicFit<'a> {
    pub(super) source: Source<'a>,
    seen: Seen,
    /// The two keys of the source around the fit, in seconds.
    pub(super) span: [f64; 2],
    property: &'a Property,
    allowance: Allowance,
    samples: Vec<f64>,
}

impl<'a> CubicFit<'a> {
    pub(super) fn new(channel: &'a Channel, seen: Seen, allowance: Allowance) -> Self {
        let source = Source::new(channel);
        Self { source, seen, span: [0.0; 2], property: &channel.property, allowance, samples: Vec::new() }
    }

    /// A key of the source between two others, with a slope if the source is smooth there.
    pub(super) fn authored(&mut self, around: [Option<Seconds>; 2], time: Seconds) -> Key {
        let [value, next] = [Side::Before, Side::After].map(|side| self.source.value(time, side));
        let [Some(before), Some(after)] = around else { return Key { time, value: next, slope: None } };
        if !is_same(self.source.rotation, &value, &next) {
            return Key { time, value: next, slope: None };
        }
        let lengths = [time.0 - before.0, after.0 - time.0];
        let mut slope_at = |side: f64, length: f64| {
            self.source.slope(time, &value, side * STEP_SHARE * length, [(1.0, 2.0), (2.0, -0.5)])
        };
        let (arriving, leaving) = (slope_at(-1.0, lengths[0]), slope_at(1.0, lengths[1]));
        let apart = arriving.iter().zip(&leaving).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        let largest = arriving.iter().chain(&leaving).fold(0.0f64, |most, x| most.max(x.abs()));
        let slack = SLACK * self.allowance.value.min(self.allowance.angle_rad);
        let is_smooth = apart <= (SLOPE_SHARE * largest).max(slack / lengths[0].max(lengths[1]));
        let mean = || arriving.iter().zip(&leaving).map(|(a, b)| 0.5 * (a + b)).collect();
        Key { time, slope: is_smooth.then(mean), value }
    }
}

impl Segments for CubicFit<'_> {
    type Key = Key;
    type Segment = Piece;

    /// The key has the value and the slope of the source. So segments are smooth where the source is, and
    /// each goes as far as possible without harm to the next.
    fn key(&mut self, time: f64, _: f64) -> Key {
        let ([a, b], exact) = (self.span, self.seen.exact(time));
        let step = (STEP_SHARE * (b - a)).min(0.4 * (exact - a)).min(0.4 * (b - exact));
        let value = self.source.value(Seconds(exact), Side::At);
        let factors = [(-2.0, 1.0 / 12.0), (-1.0, -2.0 / 3.0), (1.0, 2.0 / 3.0), (2.0, -1.0 / 12.0)];
        let slope = self.source.slope(Seconds(exact), &value, step, factors);
        Key { time: Seconds(time), slope: Some(slope), value }
    }

    fn between(&mut self, from: &Key, to: &Key) -> Fitted<Piece> {
        let length = to.time.0 - from.time.0;
        self.samples.clear();
        let (width, mut near) = (from.value.len(), from.value.clone());
        for share in LOOKS {
            let time = Seconds(lerp(from.time.0, to.time.0, share));
            self.source.append(time, &near, &mut self.samples);
            near.clear();
            let start = self.samples.len().saturating_sub(width);
            near.extend_from_slice(self.samples.get(start..).unwrap_or_default());
        }
        let (mut end, mut arriving) = (to.value.clone(), to.slope.clone());
        if self.source.is_opposite(&end, &near) {
            arriving.iter_mut().chain([&mut end]).for_each(|value| self.source.negate(value));
        }
        let known_slopes = [from.slope.as_deref(), arriving.as_deref()];
        let slopes = nearest_slopes([&from.value, &end], known_slopes, length, &LOOKS, &self.samples);
        let mut piece = Piece { to: end, slopes, misses: Misses::NONE };
        piece.misses.is_bound = false;
        let is_too_far = self.source.dot(&from.value, &piece.to).is_some_and(|dot| dot < LARGEST_TURN);
        let missed = if is_too_far { f64::INFINITY } else { self.measure(from, &mut piece, length) };
        Fitted { segment: piece, misses: missed / AIM, rises: missed / AIM }
    }

    fn unseen(&mut self, from: &Key, to: &Key) -> Piece {
        let mut end = to.value.clone();
        self.source.align(&mut end, &from.value);
        let length = to.time.0 - from.time.0;
        let chord: Vec<f64> = from.value.iter().zip(&end).map(|(a, b)| (b - a) / length).collect();
        Piece { to: end, slopes: [chord.clone(), chord], misses: Misses::NONE }
    }

    fn time(key: &Key) -> f64 {
        key.time.0
    }

    fn displaced(_: &Key) -> f64 {
        0.0
    }

    fn growth(rises: f64) -> f64 {
        rises.sqrt().sqrt()
    }
}

impl CubicFit<'_> {
    /// Distance of a segment from the samples, in parts of the allowance.
    fn measure(&self, from: &Key, piece: &mut Piece, length: f64) -> f64 {
        let parts = parts(self.property, from.value.len());
        let allowed = |(property, range): &(Property, Range<usize>)| {
            let [from, to] =
                [&from.value, &piece.to].map(|value| value.get(range.clone()).unwrap_or_default());
            self.allowance.between(property, from, to)
        };
        let allowed: Vec<f64> = parts.iter().map(allowed).collect();
        let (mut missed, mut made) = (0.0f64, Vec::with_capacity(from.value.len()));
        let mut largest = [Worst::default(); MOST_PARTS];
        for (row, share) in self.samples.chunks_exact(from.value.len().max(1)).zip(LOOKS) {
            let [leaving, arriving] = &piece.slopes;
            cubic_at([&from.value, &piece.to], [leaving, arriving], length, share, &mut made);
            let time = Seconds(lerp(from.time.0, from.time.0 + length, share));
            for ((largest, (property, range)), allowed) in largest.iter_mut().zip(&parts).zip(&allowed) {
                let (a, b) = (row.get(range.clone()), made.get(range.clone()));
                let off = difference(property, a.unwrap_or_default(), b.unwrap_or_default());
                largest.note(off, time);
                // What is not a number is not near.
                missed = if off.is_nan() { f64::INFINITY } else { missed.max(off / allowed) };
            }
        }
        piece.misses.largest = largest;
        missed
    }
}
