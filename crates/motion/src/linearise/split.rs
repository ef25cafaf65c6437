//! Where to cut a curved stretch so that straight pieces follow it with as few keys as possible.
//!
//! Ways with one timing curve are cut by formulas; see `eased`. Angles that run evenly are cut into pieces of one length, because it
//! is known how far they bend at most. Of others it is found by looking how much they bend; see `search`.
//! Pieces of which it is not known that they miss by no more than is allowed are looked at and halved.

use super::Allowance;
use super::points::MAX_BETWEEN;
use crate::evaluate::{KeyValue, Sampler, Side, grid};
use crate::measure::{Worst, difference, is_inside, parts, rotation_start, seen, straight_at};
use dopesheet_core::model::{Channel, Curve, Property};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_curve as curve;
use glam::DVec3;
use std::ops::Range;

/// Most keys put into a whole channel, and how many more for each of its own: a small file must not become a large one.
/// A way of 10 m needs 900 for a hundredth of a millimetre.
pub(super) const MAX_INSERTED: (usize, usize) = (MAX_BETWEEN as usize, 600);

/// No piece is held to more than this share of its values: single precision, which is what most formats store.
pub(super) const FINEST: f64 = f32::EPSILON as f64;

/// Halvings of a piece that misses.
pub(super) const MAX_HALVINGS: u32 = 16;

/// Where on a piece its error is looked at, first where it is largest if the curve bends evenly. Pieces that end beside a curve may
/// be farthest from it next to their ends.
const PROBES: [f64; 9] = [0.5, 0.25, 0.75, 0.375, 0.625, 0.125, 0.875, 0.0625, 0.9375];

/// A cut this much of a piece beside its middle is nearly there: times that can be stored are rounded.
const BESIDE_MIDDLE: f64 = 1e-3;

/// The part of the allowance that a key may cost that is stored a little late.
const LATE_SHARE: f64 = 0.25;

/// Where a way bends by more than this part of the allowance beside a frame, it gets a key where it is seen again. The rest is for
/// keys that are stored a little late.
const JUMP: f64 = 0.75;

/// How far from a frame a curve can be seen again, in what counts as the frame.
pub(crate) const EDGE: f64 = 1.001;

/// Finds the cuts of one channel.
pub(crate) struct Splitter<'a> {
    pub(super) sampler: Sampler<'a>,
    /// The grid of the channel's keys.
    grid: Option<FrameRate>,
    allowance: Allowance,
    /// The properties of the channel, which of its numbers belong to each, and what each may be off.
    pub(super) parts: Vec<(Property, Range<usize>, f64)>,
    rotation: Option<usize>,
    /// Kept to be used again.
    exact: Vec<f64>,
    straight: Vec<f64>,
    /// Ends of the grid's cells and the integral up to there.
    pub(super) cells: Vec<(f64, f64)>,
    cuts: Vec<Cut>,
    /// How many cuts are known that still follow.
    pub(super) waiting: usize,
    /// How many more keys the channel may get.
    pub(super) left: usize,
    /// Whether it is known how far the piece that is being made misses; see [`Splitter::met`].
    pub(super) is_known: bool,
    /// The farthest that pieces miss of which that is known.
    pub(super) met: Worst,
}

/// The end of a piece.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cut {
    pub(crate) time: Seconds,
    /// Whether [`Splitter::met`] tells how far the piece misses that ends here.
    pub(crate) is_known: bool,
    pub(crate) value: KeyValue,
}

impl<'a> Splitter<'a> {
    pub(crate) fn new(channel: &'a Channel, allowance: Allowance) -> Self {
        let mut sampler = Sampler::new(channel);
        let mut value = Vec::new();
        sampler.value_at(Seconds(0.0), Side::At, &mut value);
        let keys = channel.composition.curves().map(Curve::len).max().unwrap_or(0);
        Self {
            sampler,
            grid: grid(channel),
            allowance,
            parts: parts(&channel.property, value.len())
                .into_iter()
                .map(|(property, range)| (property, range, 0.0))
                .collect(),
            rotation: rotation_start(&channel.property),
            exact: value,
            straight: Vec::new(),
            cells: Vec::new(),
            cuts: Vec::new(),
            waiting: 0,
            left: keys.saturating_mul(MAX_INSERTED.1).saturating_add(MAX_INSERTED.0),
            is_known: false,
            met: Worst::default(),
        }
    }

    /// The keys that are needed strictly between two neighbouring key times, ascending.
    pub(crate) fn between(&mut self, a: Seconds, b: Seconds) -> Vec<Cut> {
        let mut pieces = self.pieces(a, b);
        pieces.pop();
        pieces
    }

    /// The straight pieces between two neighbouring key times, by their ends; the last one is `b`.
    pub(super) fn pieces(&mut self, a: Seconds, b: Seconds) -> Vec<Cut> {
        self.cells.clear();
        self.cuts.clear();
        self.is_known = false;
        if let Some(bend) = self.sampler.bend_of_angles(a, b) {
            return self.evenly(a, b, bend);
        }
        let (from, to) = (self.value(a, Side::After), self.value(b, Side::Before));
        self.allow(&from, &to);
        let whole = Stretch { a, b, from, to };
        let timing = self.sampler.eased(a, b).filter(|_| self.parts.len() == 1);
        let way = timing.map(|timing| curve::EasedWay::new(&timing));
        let [start, end] = match &way {
            Some(way) => self.jumps_of_way(way, &whole),
            None => self.jumps(&whole),
        };
        // Nothing is seen between a frame and what is nearest to it.
        self.is_known = true;
        start.into_iter().for_each(|seen| self.push(seen));
        let inner = self.stretch((start.unwrap_or(a), end.unwrap_or(b)), &whole);
        match &way {
            Some(way) => self.follow(&inner, &whole, way),
            None => self.search(&inner),
        }
        if let Some(seen) = end {
            self.push(seen);
            self.is_known = true;
        }
        self.left = self.left.saturating_sub(self.cuts.len());
        self.push(b);
        std::mem::take(&mut self.cuts)
    }

    /// Pieces of one length between two key times, where nothing is known but how far the way bends at most: an n-th of it bends
    /// by an n²-th. Only those are left to be measured that may bend farther than what was seen.
    fn evenly(&mut self, a: Seconds, b: Seconds, bend: f64) -> Vec<Cut> {
        // No number of a rotation is larger than 1.
        self.allow(&[1.0; 4], &[]);
        let pieces = self.most_pieces((bend / self.in_units(1.0)).sqrt());
        let mut fence = self.fence(a, b, a);
        let shares = (1u32..).map(f64::from).take_while(|n| *n < pieces).map(|n| n / pieces);
        let times = shares.filter_map(|share| fence.admit(curve::lerp(a.0, b.0, share)));
        let ends: Vec<Seconds> = times.chain([b]).collect();
        self.is_known = ends.len() as f64 == pieces && bend / (pieces * pieces) <= self.met.value;
        if !self.is_known {
            let (from, to) = (self.value(a, Side::After), self.value(ends[0], Side::Before));
            let first = Stretch { a, b: ends[0], from, to };
            let missed = self.miss(&first, 0.5);
            self.met.meet(self.in_units(missed), first.at(0.5));
        }
        ends.into_iter().for_each(|time| self.push(time));
        self.left = self.left.saturating_sub(self.cuts.len() - 1);
        std::mem::take(&mut self.cuts)
    }

    /// Beside two neighbouring key times, where a way is seen to have jumped; see [`Splitter::jumps`].
    pub(crate) fn jumps_between(&mut self, a: Seconds, b: Seconds) -> [Option<Seconds>; 2] {
        let (from, to) = (self.value(a, Side::After), self.value(b, Side::Before));
        self.allow(&from, &to);
        self.jumps(&Stretch { a, b, from, to })
    }

    /// Beside the frames at the ends of a stretch, the nearest times at which a way is seen that is no straight way from there: what
    /// lies between counts as the frame.
    fn jumps(&mut self, whole: &Stretch) -> [Option<Seconds>; 2] {
        let Some(ends) = self.beside_ends(whole) else { return [None; 2] };
        let held = [&whole.from, &whole.to];
        [0, 1].map(|end: usize| {
            let (held, NearFrame { seen, farther, late }) = (held[end], ends[end]);
            let [at, next] = [seen, farther].map(|time| self.value(time, Side::At));
            let straight: Vec<f32> = at.iter().zip(&next).map(|(seen, next)| 2.0 * seen - next).collect();
            let is_late = || self.excess(held, &at) * late > LATE_SHARE;
            (self.excess(held, &straight) > JUMP || is_late()).then_some(seen)
        })
    }

    /// [`Self::jumps`] of an eased way.
    fn jumps_of_way(&self, way: &curve::EasedWay, whole: &Stretch) -> [Option<Seconds>; 2] {
        let Some(ends) = self.beside_ends(whole) else { return [None; 2] };
        let length = self.excess(&whole.from, &whole.to);
        [(0.0, ends[0]), (1.0, ends[1])].map(|(end, NearFrame { seen, farther, late })| {
            let passed = |time: Seconds| {
                let s = way.parameter_near(whole.share(time), end);
                (way.progress(s) - end).abs()
            };
            let (at, next) = (passed(seen), passed(farther));
            let bent = (2.0 * at - next).abs();
            (length * bent > JUMP || length * at * late > LATE_SHARE).then_some(seen)
        })
    }

    /// Where a way is seen beside the frames at the ends of a stretch; `None` where that is nowhere.
    fn beside_ends(&self, whole: &Stretch) -> Option<[NearFrame; 2]> {
        let rate = self.grid?;
        let first = beside(rate, rate.snap(whole.a), f32::next_up);
        let last = beside(rate, rate.snap(whole.b), f32::next_down);
        let is_between = whole.a.0 < first.0 && first.0 < last.0 && last.0 < whole.b.0;
        let near = |(frame, seen): (Seconds, Seconds)| {
            let late = (single(frame.0).0 - frame.0) / (seen.0 - frame.0);
            NearFrame { seen, farther: Seconds(2.0 * seen.0 - frame.0), late: late.abs() }
        };
        is_between.then(|| [(whole.a, first), (whole.b, last)].map(near))
    }

    pub(super) fn push(&mut self, time: Seconds) {
        self.push_key(time, KeyValue::Own);
    }

    pub(super) fn push_key(&mut self, time: Seconds, value: KeyValue) {
        self.cuts.push(Cut { time, is_known: self.is_known, value });
    }

    /// Makes room for so many cuts and the end, with times beside both frames.
    pub(super) fn reserve(&mut self, cuts: usize) {
        self.cuts.reserve(cuts + 4);
    }

    /// What each part may be off between two values.
    fn allow(&mut self, from: &[f32], to: &[f32]) {
        for (property, range, allowed) in &mut self.parts {
            let ends = [from, to].into_iter().filter_map(|value| value.get(range.clone())).flatten();
            let largest = ends.fold(0.0f64, |most, x| most.max(x.abs().into()));
            *allowed = self.allowance.of(property).max(largest * FINEST);
        }
    }

    pub(super) fn value(&mut self, time: Seconds, side: Side) -> Vec<f32> {
        self.sampler.value_near(time, side, &mut self.exact);
        self.exact.iter().map(|x| super::narrow(*x)).collect()
    }

    /// What is stored at a time where a share of an eased way is to be covered.
    pub(super) fn value_on_way(&mut self, time: Seconds, covered: f64) -> Vec<f32> {
        self.sampler.key_at(time, &KeyValue::Covered(covered), &mut self.exact);
        self.exact.iter().map(|x| super::narrow(*x)).collect()
    }

    /// How far a straight piece is off at a share of its length, counted in allowances.
    pub(super) fn miss(&mut self, piece: &Stretch, share: f64) -> f64 {
        let (time, share) = seen(self.grid, (piece.a, piece.b), share);
        if !is_inside(share) {
            return 0.0;
        }
        self.sampler.value_near(time, Side::At, &mut self.exact);
        straight_at(&piece.from, &piece.to, share, self.rotation, &mut self.straight);
        self.excess(&self.exact, &self.straight)
    }

    /// How far a straight piece is off at most, counted in allowances; `None` where it takes a look to tell.
    fn most_missed(&mut self, piece: &Stretch) -> Option<f64> {
        let is_told = self.rotation.is_none() && self.parts.len() == 1 && piece.from.len() == 3;
        if !is_told {
            return None;
        }
        let ends = [(piece.a, Side::After, &piece.from), (piece.b, Side::Before, &piece.to)];
        let ends = ends.map(|(time, side, stored)| {
            self.sampler.value_near(time, side, &mut self.exact);
            DVec3::from_array(std::array::from_fn(|n| f64::from(stored[n]) - self.exact[n]))
        });
        let most = self.sampler.beside(piece.a.0, piece.b.0, ends)?.most();
        Some(most / self.in_units(1.0))
    }

    /// How far two values are apart, counted in allowances.
    pub(super) fn excess<T: Copy + Into<f64>>(&self, a: &[T], b: &[T]) -> f64 {
        let part = |(property, range, allowed): &(Property, Range<usize>, f64)| {
            let (a, b) = (a.get(range.clone()), b.get(range.clone()));
            difference(property, a.unwrap_or_default(), b.unwrap_or_default()) / allowed
        };
        self.parts.iter().map(part).fold(0.0, f64::max)
    }

    /// A number of allowances in the unit of the first property.
    pub(super) fn in_units(&self, allowances: f64) -> f64 {
        allowances * self.parts.first().map_or(0.0, |part| part.2)
    }

    /// How many pieces a stretch gets that needs so many.
    pub(super) fn most_pieces(&self, needed: f64) -> f64 {
        needed.ceil().clamp(1.0, MAX_BETWEEN.min(self.left.saturating_add(1) as f64))
    }

    /// What lets times strictly inside a stretch pass that are later than the last one, in ascending order.
    pub(super) fn fence(&self, a: Seconds, b: Seconds, last: Seconds) -> Fence {
        Fence { grid: self.grid, last: last.0, range: (a.0, b.0), edge: self.seconds(FrameRate::SNAP_FRAMES) }
    }

    /// The grid of the channel's keys.
    pub(super) const fn grid(&self) -> Option<FrameRate> {
        self.grid
    }

    /// Some frames in seconds; 0 where there is no grid.
    pub(super) fn seconds(&self, frames: f64) -> f64 {
        self.grid.map_or(0.0, |rate| rate.seconds(frames).0)
    }

    /// Where to cut a stretch in two: in the middle, or where the curve can be seen that is nearest to it.
    pub(super) fn cut(&self, stretch: &Stretch) -> Option<Seconds> {
        let middle = stretch.at(0.5);
        let cut = match self.grid.map(|rate| (rate, rate.snap(middle))) {
            Some((rate, frame)) if is_frame(rate, stretch.a, frame) => beside(rate, frame, f32::next_up),
            Some((rate, frame)) if is_frame(rate, stretch.b, frame) => beside(rate, frame, f32::next_down),
            Some((_, frame)) => single(frame.0),
            None => single(middle.0),
        };
        (cut.0 > stretch.a.0 && cut.0 < stretch.b.0).then_some(cut)
    }

    /// Ends a steep piece before a frame, which single precision may put a little later than it is.
    pub(super) fn arrive_early(&mut self, piece: &Stretch) {
        let Some(rate) = self.grid else { return };
        let (frame, stored) = (rate.snap(piece.b), super::narrow(piece.b.0));
        let late = f64::from(stored) - frame.0;
        let early = Seconds(stored.next_down().into());
        let duration = piece.b.0 - piece.a.0;
        let missed = self.excess(&piece.from, &piece.to) * late / duration;
        if missed > LATE_SHARE && early.0 > piece.a.0 && is_frame(rate, early, frame) {
            let shorter = Stretch { b: early, from: piece.from.clone(), to: piece.to.clone(), ..*piece };
            let edge = frame.0 - EDGE * self.seconds(FrameRate::SNAP_FRAMES);
            let shares = [0.5, (edge - piece.a.0) / (early.0 - piece.a.0)];
            if shares.iter().all(|share| self.miss(&shorter, *share) < missed) {
                self.push(early);
            }
        }
    }

    /// Ends a piece that no key cuts in two. What lies beside a frame counts as the frame: where the way into or out of one
    /// is steep, its value is held as far as that.
    fn end_piece(&mut self, piece: &Stretch) {
        let Some(rate) = self.grid else { return };
        let edge = EDGE * self.seconds(FrameRate::SNAP_FRAMES);
        let [a, b] = [piece.a, piece.b].map(|end| super::narrow(end.0));
        let [from, to] = [piece.a, piece.b].map(|end| rate.snap(end));
        let (seen, held, frame) = match [piece.a, piece.b].map(|end| rate.frame(end).fract() == 0.0) {
            [false, true] => (to.0 - edge, a.next_up(), to),
            [true, false] => (from.0 + edge, b.next_down(), from),
            _ => return self.arrive_early(piece),
        };
        let held = Seconds(held.into());
        let is_between = piece.a.0 < held.0 && held.0 < piece.b.0 && is_frame(rate, held, frame);
        if is_between && self.miss(piece, (seen - piece.a.0) / (piece.b.0 - piece.a.0)) > 1.0 {
            self.push(held);
        } else {
            self.arrive_early(piece);
        }
    }

    /// A part of a stretch, with the values there.
    pub(super) fn stretch(&mut self, (a, b): (Seconds, Seconds), whole: &Stretch) -> Stretch {
        let from = if a == whole.a { whole.from.clone() } else { self.value(a, Side::At) };
        let to = if b == whole.b { whole.to.clone() } else { self.value(b, Side::At) };
        Stretch { a, b, from, to }
    }

    /// Cuts a piece as long as it misses.
    pub(super) fn halve_piece(&mut self, piece: &Stretch) {
        self.halve(piece, MAX_HALVINGS);
    }

    /// Cuts a piece in the middle as long as it misses.
    pub(super) fn halve(&mut self, piece: &Stretch, depth: u32) {
        let may_cut = depth > 0 && self.cuts.len() + self.waiting < self.left.min(MAX_BETWEEN as usize);
        self.is_known = false;
        let Some(middle) = self.cut(piece) else { return self.end_piece(piece) };
        if !may_cut || self.is_met(piece, middle) {
            return;
        }
        let value = self.value(middle, Side::At);
        self.halve(&Stretch { b: middle, to: value.clone(), from: piece.from.clone(), ..*piece }, depth - 1);
        self.push(middle);
        self.halve(&Stretch { a: middle, from: value, to: piece.to.clone(), ..*piece }, depth - 1);
    }

    /// Where a piece from or to a frame is seen first or last: steep ways are farthest from it there.
    fn beside_frames(&self, piece: &Stretch) -> impl Iterator<Item = f64> + use<> {
        let edge = EDGE * self.seconds(FrameRate::SNAP_FRAMES) / (piece.b.0 - piece.a.0);
        let is_frame = |end: Seconds| self.grid.is_some_and(|rate| rate.frame(end).fract() == 0.0);
        let ends = [is_frame(piece.a).then_some(edge), is_frame(piece.b).then_some(1.0 - edge)];
        ends.into_iter().flatten().filter(|share| is_inside(*share))
    }

    /// Whether a piece that would be cut at `middle` misses nowhere.
    fn is_met(&mut self, piece: &Stretch, middle: Seconds) -> bool {
        if let Some(most) = self.most_missed(piece).filter(|most| *most <= 1.0) {
            self.is_known = true;
            self.met.meet(self.in_units(most), middle);
            return true;
        }
        // The cut may be where nothing else is seen of a piece: beside a frame.
        let at_cut = (middle.0 - piece.a.0) / (piece.b.0 - piece.a.0);
        let is_elsewhere = (at_cut - PROBES[0]).abs() > BESIDE_MIDDLE;
        let mut most = (0.0, PROBES[0]);
        let mut are_numbers = true;
        let shares =
            PROBES.into_iter().chain(is_elsewhere.then_some(at_cut)).chain(self.beside_frames(piece));
        for share in shares {
            let missed = self.miss(piece, share);
            if missed > 1.0 {
                return false;
            }
            are_numbers &= !missed.is_nan();
            if missed > most.0 {
                most = (missed, share);
            }
        }
        self.is_known = are_numbers && self.parts.len() == 1;
        if self.is_known {
            let (time, _) = seen(self.grid, (piece.a, piece.b), most.1);
            self.met.meet(self.in_units(most.0), time);
        }
        true
    }
}

/// Keeps times apart from each other and, on a grid, from the frames at the ends of a stretch.
pub(super) struct Fence {
    grid: Option<FrameRate>,
    last: f64,
    range: (f64, f64),
    edge: f64,
}

impl Fence {
    /// A time as it can be stored and seen, if it is later than the last one.
    pub(super) fn admit(&mut self, time: f64) -> Option<Seconds> {
        Some(storable(time, self.grid).0).filter(|time| self.admits(*time))
    }

    /// Whether a time that can be stored and seen is later than the last one, which it becomes.
    pub(super) fn admits(&mut self, time: Seconds) -> bool {
        let (a, b) = self.range;
        let is_apart = time.0 > self.last && time.0 < b && time.0 - a >= self.edge && b - time.0 >= self.edge;
        if is_apart {
            self.last = time.0;
        }
        is_apart
    }
}

/// The time nearest to one that can be stored and seen, and when it is seen: next to a frame as the frame.
pub(super) fn storable(time: f64, grid: Option<FrameRate>) -> (Seconds, Seconds) {
    let time = single(time);
    let frame = grid.and_then(|rate| rate.grid_point(time));
    frame.map_or((time, time), |frame| (single(frame.0), frame))
}

/// The nearest time that fits in single precision, which is what most formats store.
pub(super) fn single(time: f64) -> Seconds {
    Seconds(f64::from(super::narrow(time)))
}

/// Whether a time is a frame, given that another one is.
fn is_frame(rate: FrameRate, time: Seconds, frame: Seconds) -> bool {
    rate.snap(time) == frame
}

/// The time nearest to a frame at which a curve can be seen: times closer to it are that frame.
fn beside(rate: FrameRate, frame: Seconds, next: impl Fn(f32) -> f32) -> Seconds {
    let start = super::narrow(frame.0);
    let towards = next(start) > start;
    let zone = rate.seconds(FrameRate::SNAP_FRAMES).0;
    let mut time = super::narrow(if towards { frame.0 + zone } else { frame.0 - zone });
    // Rounding alone decides whether this takes none, one or two steps.
    for _ in 0..4 {
        if rate.snap(Seconds(time.into())) != frame {
            break;
        }
        time = next(time);
    }
    Seconds(time.into())
}

/// Where a way is seen beside a frame.
#[derive(Clone, Copy)]
struct NearFrame {
    /// The nearest time, and another one that is twice as far away.
    seen: Seconds,
    farther: Seconds,
    /// How far beside the frame that itself is stored, as a part of the way to the nearest time.
    late: f64,
}

/// A stretch of time, and the values at its ends.
pub(super) struct Stretch {
    pub(super) a: Seconds,
    pub(super) b: Seconds,
    pub(super) from: Vec<f32>,
    pub(super) to: Vec<f32>,
}

impl Stretch {
    pub(super) fn at(&self, share: f64) -> Seconds {
        Seconds(curve::lerp(self.a.0, self.b.0, share))
    }

    /// The share of it that has passed at a time.
    pub(super) fn share(&self, time: Seconds) -> f64 {
        (time.0 - self.a.0) / (self.b.0 - self.a.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::model::{Blend, Law, Laws, Times, Timing};
    use dopesheet_curve::EasedWay;
    use proptest::prelude::*;

    fn channel(frames: [i64; 2], timing: Timing, way: f32) -> Channel {
        let times = Times::Frames { rate: FrameRate::FPS_30, frames: frames.into() };
        let laws = Laws::uniform(Law { blend: Blend::Lerp, timing });
        Channel::whole(Property::Translation, Curve::new(times, 3, vec![0.0, 0.0, 0.0, way, 0.0, 1.0], laws))
    }

    proptest! {
        #[test]
        fn a_formula_tells_of_eased_ways_where_others_are_seen_to_jump(
            bytes in prop::array::uniform4(prop_oneof![Just(0u8), Just(127), 0u8..=127]),
            (start, frames) in (0i64..20_000, 1i64..40),
            // Others are seen in single precision, which must not be what seems to jump.
            (way, exponent) in (-2.0f32..2.0, -5.0..-3.0f64),
        ) {
            let [x1, y1, x2, y2] = bytes.map(|byte| f32::from(byte) / 127.0);
            let channel = channel([start, start + frames], Timing::Bezier { x1, y1, x2, y2 }, way);
            let [a, b] = [start, start + frames].map(|frame| FrameRate::FPS_30.seconds(frame as f64));
            let splitter = |share: f64| {
                let allowed = share * 10f64.powf(exponent);
                Splitter::new(&channel, Allowance { value: allowed, angle_rad: allowed })
            };
            let seen = splitter(0.8).jumps_between(a, b);
            let mut told = splitter(1.0);
            // What nearly jumps may go either way.
            let timing = told.sampler.eased(a, b).filter(|_| seen == splitter(1.25).jumps_between(a, b));
            let Some(timing) = timing else { return Ok(()) };
            let (from, to) = (told.value(a, Side::After), told.value(b, Side::Before));
            told.allow(&from, &to);
            prop_assert_eq!(told.jumps_of_way(&EasedWay::new(&timing), &Stretch { a, b, from, to }), seen);
        }
    }
}
