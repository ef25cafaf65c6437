//! Where to cut a curved stretch so that straight pieces follow it with as few keys as possible.
//!
//! Ways with one timing curve are cut by formulas; see `eased`. Elsewhere a straight piece of length h through exact values of f
//! is at most h²·|f''|/8 off. So pieces are longest where each holds the same share of ∫ √(|f''| / 8ε) dt; that integral is
//! measured on a grid that is finer where f bends more, cut into equal shares, and every piece is then looked at and halved
//! where it still misses.

use super::Allowance;
use super::points::MAX_BETWEEN;
use crate::evaluate::{Sampler, Side, grid};
use crate::measure::{Worst, difference, is_inside, parts, rotation_start, seen, straight_at};
use dopesheet_core::model::{Channel, Curve, Property};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_curve as curve;
use std::ops::Range;

/// Grid cells of a stretch before they are refined.
const CELLS: u32 = 4;

/// Halvings of a cell: as far as a jump inside a stretch is narrowed down.
const MAX_DEPTH: u32 = 20;

/// Most cells of a stretch: without a bound, a segment whose values are huge beside the allowance has millions, of
/// which [`MAX_BETWEEN`] pieces are made.
const MAX_CELLS: usize = 4 * MAX_BETWEEN as usize;

/// Most keys put into a whole channel, and how many more for each of its own: a small file must not become a large one.
/// A way of 10 m needs 900 for a hundredth of a millimetre.
const MAX_INSERTED: (usize, usize) = (MAX_BETWEEN as usize, 600);

/// No piece is held to more than this share of its values: single precision, which is what most formats store.
pub(super) const FINEST: f64 = f32::EPSILON as f64;

/// Halvings of a piece that misses.
const MAX_HALVINGS: u32 = 16;

/// Where on a piece its error is looked at, first where it is largest if the curve bends evenly.
const PROBES: [f64; 7] = [0.5, 0.25, 0.75, 0.375, 0.625, 0.125, 0.875];

/// A cut this much of a piece beside its middle is nearly there: times that can be stored are rounded.
const BESIDE_MIDDLE: f64 = 1e-3;

/// Where on a cell of the grid it is looked at, and how much larger than there the error is in the middle if the curve
/// bends evenly.
const CELL_PROBES: [(f64, f64); 2] = [(0.35, 1.0 / 0.91), (0.7, 1.0 / 0.84)];

/// Pieces are made to use this share of the allowance, because the grid only estimates how much a curve bends.
const AIM: f64 = 0.9;

/// The part of the allowance that a key may cost that is stored a little late.
const LATE_SHARE: f64 = 0.25;

/// Where a way bends by more than this part of the allowance beside a frame, it gets a key where it is seen again. The rest is for
/// keys that are stored a little late.
const JUMP: f64 = 0.75;

/// How far from a frame a curve can be seen again, in what counts as the frame.
pub(crate) const EDGE: f64 = 1.001;

/// Finds the cuts of one channel.
pub(crate) struct Splitter<'a> {
    sampler: Sampler<'a>,
    /// The grid of the channel's keys.
    grid: Option<FrameRate>,
    allowance: Allowance,
    /// The properties of the channel, which of its numbers belong to each, and what each may be off.
    parts: Vec<(Property, Range<usize>, f64)>,
    rotation: Option<usize>,
    straight: Vec<f64>,
    /// Ends of the grid's cells and the integral up to there.
    cells: Vec<(f64, f64)>,
    cuts: Vec<Cut>,
    /// How many cuts are known that still follow.
    pub(super) waiting: usize,
    /// How many more keys the channel may get.
    left: usize,
    /// Whether it is known how far the piece that is being made misses; see [`Splitter::met`].
    pub(super) is_known: bool,
    /// The farthest that pieces miss of which that is known.
    pub(super) met: Worst,
}

/// The end of a piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cut {
    pub(crate) time: Seconds,
    /// Whether [`Splitter::met`] tells how far the piece misses that ends here.
    pub(crate) is_known: bool,
    /// The share of an eased way that a key covers here, if it is not to be the channel's own value.
    pub(crate) covered: Option<f64>,
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
        let (from, to) = (self.value(a, Side::After), self.value(b, Side::Before));
        self.allow(&from, &to);
        let whole = Stretch { a, b, from, to };
        let [start, end] = self.jumps(&whole);
        // Nothing is seen between a frame and what is nearest to it.
        self.is_known = true;
        start.into_iter().for_each(|seen| self.push(seen));
        let inner = self.stretch((start.unwrap_or(a), end.unwrap_or(b)), &whole);
        match self.sampler.eased(a, b).filter(|_| self.parts.len() == 1) {
            Some(timing) => self.follow(&inner, &whole, &timing),
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

    /// Beside two neighbouring key times, where a way is seen to have jumped; see [`Splitter::jumps`].
    pub(crate) fn jumps_between(&mut self, a: Seconds, b: Seconds) -> [Option<Seconds>; 2] {
        let (from, to) = (self.value(a, Side::After), self.value(b, Side::Before));
        self.allow(&from, &to);
        self.jumps(&Stretch { a, b, from, to })
    }

    /// Beside the frames at the ends of a stretch, the nearest times at which a way is seen that is no straight way from there: what
    /// lies between counts as the frame.
    fn jumps(&mut self, whole: &Stretch) -> [Option<Seconds>; 2] {
        let Some(rate) = self.grid else { return [None; 2] };
        let first = beside(rate, rate.snap(whole.a), f32::next_up);
        let last = beside(rate, rate.snap(whole.b), f32::next_down);
        if !(whole.a.0 < first.0 && first.0 < last.0 && last.0 < whole.b.0) {
            return [None; 2];
        }
        [(whole.a, &whole.from, first), (whole.b, &whole.to, last)].map(|(frame, held, time)| {
            let farther = Seconds(2.0 * time.0 - frame.0);
            let [seen, next] = [time, farther].map(|time| self.value(time, Side::At));
            let straight: Vec<f32> = seen.iter().zip(&next).map(|(seen, next)| 2.0 * seen - next).collect();
            let late = (single(frame.0).0 - frame.0) / (time.0 - frame.0);
            let is_late = || self.excess_of(held, &seen) * late.abs() > LATE_SHARE;
            (self.excess_of(held, &straight) > JUMP || is_late()).then_some(time)
        })
    }

    /// Cuts a stretch of which nothing is known.
    fn search(&mut self, whole: &Stretch) {
        self.integrate(whole);
        let mut last = (whole.a, whole.from.clone());
        let shares = self.equal_shares(whole.a, whole.b);
        self.waiting = shares.len();
        for time in shares {
            let value = self.value(time, Side::At);
            self.halve(&Stretch { a: last.0, b: time, from: last.1, to: value.clone() }, MAX_HALVINGS);
            self.push(time);
            self.waiting -= 1;
            last = (time, value);
        }
        self.halve(&Stretch { a: last.0, b: whole.b, from: last.1, to: whole.to.clone() }, MAX_HALVINGS);
    }

    pub(super) fn push(&mut self, time: Seconds) {
        self.cuts.push(Cut { time, is_known: self.is_known, covered: None });
    }

    /// Cuts an eased way where such a share of it is covered.
    pub(super) fn push_on_way(&mut self, time: Seconds, covered: f64) {
        self.cuts.push(Cut { time, is_known: self.is_known, covered: Some(covered) });
    }

    /// What each part may be off between two values.
    fn allow(&mut self, from: &[f32], to: &[f32]) {
        for (property, range, allowed) in &mut self.parts {
            let ends = [from, to].into_iter().filter_map(|value| value.get(range.clone())).flatten();
            let largest = ends.fold(0.0f64, |most, x| most.max(x.abs().into()));
            *allowed = self.allowance.of(property).max(largest * FINEST);
        }
    }

    fn value(&mut self, time: Seconds, side: Side) -> Vec<f32> {
        let mut value = Vec::with_capacity(8);
        self.sampler.value_at(time, side, &mut value);
        value.into_iter().map(super::narrow).collect()
    }

    /// What is stored at a time where a share of an eased way is to be covered.
    pub(super) fn value_on_way(&mut self, time: Seconds, covered: f64) -> Vec<f32> {
        let mut value = Vec::with_capacity(8);
        self.sampler.key_at(time, Some(covered), &mut value);
        value.into_iter().map(super::narrow).collect()
    }

    /// How far a straight piece is off at a share of its length, counted in allowances.
    fn miss(&mut self, piece: &Stretch, share: f64) -> f64 {
        let (time, share) = seen(self.grid, (piece.a, piece.b), share);
        if !is_inside(share) {
            return 0.0;
        }
        let mut exact = Vec::with_capacity(8);
        self.sampler.value_at(time, Side::At, &mut exact);
        straight_at(&piece.from, &piece.to, share, self.rotation, &mut self.straight);
        self.excess(&exact, &self.straight)
    }

    /// How far two values are apart, counted in allowances.
    fn excess(&self, a: &[f64], b: &[f64]) -> f64 {
        let part = |(property, range, allowed): &(Property, Range<usize>, f64)| {
            let (a, b) = (a.get(range.clone()), b.get(range.clone()));
            difference(property, a.unwrap_or_default(), b.unwrap_or_default()) / allowed
        };
        self.parts.iter().map(part).fold(0.0, f64::max)
    }

    /// How far two stored values are apart, counted in allowances.
    pub(super) fn excess_of(&self, a: &[f32], b: &[f32]) -> f64 {
        let [a, b] = [a, b].map(|v| v.iter().map(|x| f64::from(*x)).collect::<Vec<_>>());
        self.excess(&a, &b)
    }

    /// A number of allowances in the unit of the first property.
    pub(super) fn in_units(&self, allowances: f64) -> f64 {
        allowances * self.parts.first().map_or(0.0, |part| part.2)
    }

    fn integrate(&mut self, whole: &Stretch) {
        let mut from = whole.from.clone();
        let mut a = whole.a;
        for cell in 1..=CELLS {
            let b = whole.at(f64::from(cell) / f64::from(CELLS));
            let to = if cell == CELLS { whole.to.clone() } else { self.value(b, Side::At) };
            self.refine(&Stretch { a, b, from, to: to.clone() }, MAX_DEPTH);
            (a, from) = (b, to);
        }
    }

    /// Adds a cell to the grid, or its halves where it holds more than one piece.
    fn refine(&mut self, cell: &Stretch, depth: u32) {
        // In the middle of a cell of length h the error is h²·|f''|/8, so this is the integral over the cell, squared.
        let misses = CELL_PROBES.map(|(share, factor)| self.miss(cell, share) * factor);
        let squared = misses[0].max(misses[1]) / AIM;
        let may_refine = depth > 0 && self.cells.len() < MAX_CELLS.min(self.left);
        let Some(middle) = self.cut(cell).filter(|_| may_refine && squared > 1.0) else {
            let before = self.cells.last().map_or(0.0, |c| c.1);
            let own = if squared.is_finite() { squared.sqrt() } else { 1.0 };
            return self.cells.push((cell.b.0, before + own));
        };
        let value = self.value(middle, Side::At);
        self.refine(&Stretch { b: middle, to: value.clone(), from: cell.from.clone(), ..*cell }, depth - 1);
        self.refine(&Stretch { a: middle, from: value, to: cell.to.clone(), ..*cell }, depth - 1);
    }

    /// The times that cut the integral into equal shares of at most 1.
    fn equal_shares(&self, a: Seconds, b: Seconds) -> Vec<Seconds> {
        let total = self.cells.last().map_or(0.0, |c| c.1);
        let pieces = self.most_pieces(total);
        let share = total / pieces;
        let mut out: Vec<f64> = Vec::with_capacity(pieces as usize);
        let mut start = (a.0, 0.0);
        for &(end, until) in &self.cells {
            while (out.len() + 1) as f64 * share <= until && ((out.len() + 1) as f64) < pieces {
                let wanted = (out.len() + 1) as f64 * share;
                let along = if until > start.1 { (wanted - start.1) / (until - start.1) } else { 1.0 };
                out.push(curve::lerp(start.0, end, along));
            }
            start = (end, until);
        }
        let mut fence = self.fence(a, b, a);
        out.into_iter().filter_map(|time| fence.admit(time)).collect()
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
    fn cut(&self, stretch: &Stretch) -> Option<Seconds> {
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
        let missed = self.excess_of(&piece.from, &piece.to) * late / duration;
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
    fn halve(&mut self, piece: &Stretch, depth: u32) {
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
        let time = single(time);
        let time = self.grid.map_or(time, |rate| single(rate.snap(time).0));
        let (a, b) = self.range;
        let is_apart = time.0 > self.last && time.0 < b && time.0 - a >= self.edge && b - time.0 >= self.edge;
        is_apart.then(|| {
            self.last = time.0;
            time
        })
    }
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

/// A stretch of time, and the values at its ends.
pub(super) struct Stretch {
    pub(super) a: Seconds,
    pub(super) b: Seconds,
    pub(super) from: Vec<f32>,
    pub(super) to: Vec<f32>,
}

impl Stretch {
    fn at(&self, share: f64) -> Seconds {
        Seconds(curve::lerp(self.a.0, self.b.0, share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::model::{Composition, EulerOrder, Law, Laws, Times, Timing};

    const ALLOWANCE: Allowance = Allowance { value: 1e-4, angle_rad: 1e-4 };

    /// Cells looked at between two keys, and cuts made there.
    fn work(channel: &Channel) -> (usize, usize) {
        let mut splitter = Splitter::new(channel, ALLOWANCE);
        let cuts = splitter.between(Seconds(0.0), Seconds(1.0)).len();
        (splitter.cells.len(), cuts)
    }

    fn spin(angle_rad: f32) -> Channel {
        let times = Times::Seconds([0.0, 1.0].into());
        let angles = vec![Curve::new(
            times,
            3,
            vec![0.0, 0.0, 0.0, angle_rad, angle_rad, 0.0],
            Laws::uniform(Law::LINEAR),
        )];
        let composition = Composition::Euler { order: EulerOrder::Xyz, angles };
        Channel { property: Property::Rotation, composition, native: None }
    }

    fn eased(way: f32, segments: usize) -> Channel {
        let times: Vec<f64> = (0..=segments).map(|n| n as f64).collect();
        let values = (0..=segments).map(|n| if n % 2 == 0 { 0.0 } else { way }).collect();
        let timing = Timing::Bezier { x1: 0.5, y1: 0.0, x2: 0.5, y2: 1.0 };
        let laws = Laws::uniform(Law { timing, ..Law::LINEAR });
        Channel::whole(Property::Weight, Curve::new(Times::Seconds(times.into()), 1, values, laws))
    }

    #[test]
    fn a_rotation_that_spins_without_end_has_no_more_cells_than_the_bound() {
        // A cell at the bound may still have halves waiting on every level above it.
        let most = MAX_CELLS + MAX_DEPTH as usize + CELLS as usize;
        let (few, _) = work(&spin(10.0));
        assert!((10..2_000).contains(&few), "{few}");
        for angle_rad in [1e6, 1e12, f32::MAX] {
            let (cells, cuts) = work(&spin(angle_rad));
            assert!(
                cells <= most && cuts <= MAX_BETWEEN as usize + MAX_HALVINGS as usize,
                "{cells} cells and {cuts} cuts at {angle_rad}"
            );
        }
    }

    #[test]
    fn values_beyond_the_tolerance_are_followed_as_closely_as_single_precision_and_no_closer() {
        let (cells, cuts) = work(&eased(1e4, 1));
        for way in [1e8, 1e24, f32::MAX] {
            let huge = work(&eased(way, 1));
            assert!(
                huge.0 <= 2 * cells && huge.1 <= 2 * cuts && cuts < 4_000,
                "{huge:?} and {:?}",
                (cells, cuts)
            );
        }
    }

    #[test]
    fn a_channel_gets_no_more_keys_than_in_proportion_to_its_own() {
        let segments = 60;
        let channel = eased(1e24, segments);
        let mut splitter = Splitter::new(&channel, ALLOWANCE);
        let most = splitter.left;
        let cuts: usize =
            (0..segments).map(|n| splitter.between(Seconds(n as f64), Seconds((n + 1) as f64)).len()).sum();
        assert_eq!(most, MAX_INSERTED.0 + (segments + 1) * MAX_INSERTED.1);
        assert!(cuts <= most + MAX_HALVINGS as usize && cuts > most / 2, "{cuts} of {most}");
    }
}
