//! Any channel as straight segments: authored keys where they suffice, and as few more as the allowance needs where they do not.

mod eased;
mod even;
mod keys;
mod sampled;

use super::bake::MAX_BETWEEN;
use super::grid::{Seen, without_grid};
use super::longest::{Segments, segments};
use super::plan::{Allowance, KeyPlan, Linearised, Misses};
use super::times::SharedTimes;
use crate::difference::{parts, rotation_start};
use crate::sample::{Sampler, Side};
use crate::single::narrow;
use dopesheet_core::model::{Channel, Curve, Outside, Property, Times};
use dopesheet_core::units::Seconds;
use dopesheet_curve::euler_bend;
use eased::Eased;
use even::even;
use keys::StraightDraft;
use sampled::Sampled;
use std::cell::OnceCell;
use std::ops::Range;

/// Most keys inserted into a whole channel, and the additional number for each of its own: a small file must
/// not become a large one. A path of 10 m needs 900 for a hundredth of a millimetre.
const MAX_INSERTED: (usize, usize) = (MAX_BETWEEN as usize, 600);

/// Turns a channel into straight segments; `None` if the channel has no keys.
///
/// Where the channel is curved, as few keys are inserted as the allowance needs, at any times; without an
/// allowance, or on a grid, one per frame.
///
/// The result has the exact value at each of the channel's own keys, as f32, and no key outside the range.
/// Inserted keys may be beside the channel, within the allowance, so that straight segments miss the channel
/// as much at their ends as in their middle. A jump is two keys at one time; at the very start of the range
/// only the new value is a key, and on a grid with one key per frame the old value stands on the frame
/// before. Rotations that turn by more than 170° get a key in the middle, because half a turn has no shorter
/// way round, and of two opposite quaternions the nearer to the key before is taken. Values beyond f32 become
/// the largest f32.
#[must_use]
pub fn linearise(
    channel: &Channel,
    plan: &KeyPlan,
    allowance: Option<Allowance>,
    shared: &mut SharedTimes,
) -> Option<Linearised> {
    if channel.composition.curves().all(|curve| curve.is_empty()) {
        return None;
    }
    let source = OnceCell::new();
    let mut fit = LazyFit {
        fit: None,
        make: || Straight::new(source.get_or_init(|| without_grid(channel)), Seen::of(channel), allowance),
    };
    let mut keys = StraightDraft::new(channel, plan, allowance.is_some(), &mut fit);
    keys.choose();
    let misses = if is_copied(channel, plan) { Misses::NONE } else { keys.misses() };
    let grid = plan.only_on_grid.then_some(plan.rate);
    Some(Linearised::new(keys.rows.into_channels(grid, true, shared), &misses))
}

/// True of a channel with a key on every frame, for a plan of exactly these frames.
fn is_copied(channel: &Channel, plan: &KeyPlan) -> bool {
    let has_all = |curve: &Curve| match &curve.times {
        Times::Frames { rate, frames } => {
            *rate == plan.rate && frames.array_windows().all(|[a, b]| a.checked_add(1) == Some(*b))
        }
        Times::Seconds(_) => false,
    };
    let holds = |curve: &Curve| curve.before == Outside::Hold && curve.after == Outside::Hold;
    plan.every_frame
        && plan.only_on_grid
        && channel.composition.curves().all(|curve| has_all(curve) && holds(curve))
}

/// A property of a channel, the range of its numbers in a value, and its allowed error.
struct ChannelPart {
    property: Property,
    range: Range<usize>,
    allowed: f64,
}

/// A straight segment.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// Its end.
    pub(crate) time: Seconds,
    /// The value at the end of the segment, if it is not the channel's.
    pub(crate) value: Option<Vec<f32>>,
    pub(crate) misses: Misses,
}

/// Fits straight segments to one channel.
pub(crate) struct Straight<'a> {
    channel: &'a Channel,
    sampler: Sampler<'a>,
    seen: Seen,
    /// Limit of the error; without a limit, one segment is enough.
    allowance: Option<Allowance>,
    parts: Vec<ChannelPart>,
    rotation: Option<usize>,
    /// Number of keys that may still be inserted.
    left: usize,
}

/// Segments whose end keys may be beside the curve.
trait StraightKey: Segments<Segment = Misses> {
    /// The value of a key, if it is not the curve's.
    fn value(&self, key: &Self::Key) -> Option<Vec<f32>>;
}

impl<'a> Straight<'a> {
    /// Fits to a channel [`without_grid`](super::grid::without_grid), whose visible times are `seen`.
    pub(crate) fn new(channel: &'a Channel, seen: Seen, allowance: Option<Allowance>) -> Self {
        let mut sampler = Sampler::new(channel);
        let mut value = Vec::new();
        sampler.value_at(Seconds(0.0), Side::At, &mut value);
        let keys = channel.composition.curves().map(Curve::len).max().unwrap_or(0);
        let part = |(property, range)| ChannelPart { property, range, allowed: 1.0 };
        Self {
            channel,
            sampler,
            seen,
            allowance,
            parts: parts(&channel.property, value.len()).into_iter().map(part).collect(),
            rotation: rotation_start(&channel.property),
            left: keys.saturating_mul(MAX_INSERTED.1).saturating_add(MAX_INSERTED.0),
        }
    }

    /// The segments between two neighbouring key times.
    pub(crate) fn pieces(&mut self, a: Seconds, b: Seconds) -> Vec<Piece> {
        let values = [(a, Side::After), (b, Side::Before)].map(|(time, side)| self.value(time, side));
        for ChannelPart { property, range, allowed } in &mut self.parts {
            let [from, to] = values.each_ref().map(|value| value.get(range.clone()).unwrap_or_default());
            *allowed =
                self.allowance.map_or(f64::INFINITY, |allowance| allowance.between(property, from, to));
        }
        let span = [a.0, b.0];
        if let Some((ways, part)) = self.sampler.ways_of_angles(a, b).zip(self.parts.first()) {
            let pieces =
                euler_bend(ways).and_then(|bend| even(bend, part.allowed, span, self.seen, &mut self.left));
            if let Some(pieces) = pieces {
                return pieces;
            }
            // A straight segment turns by half a turn at most, so that all keys together would not suffice.
            let reachable_rad = std::f64::consts::PI * self.left.saturating_add(1) as f64;
            if ways.iter().any(|way| way.abs() > reachable_rad) {
                return vec![Piece { time: b, value: None, misses: self.misses(a, b) }];
            }
        }
        let mut pieces = if let Some(mut eased) = Eased::new(self.channel, span, self.seen, &self.parts) {
            let ends = eased.ends();
            fitted(&mut eased, ends, self.seen, &mut self.left)
        } else {
            let mut sampled = Sampled::new(&mut self.sampler, &self.parts, self.rotation, span, self.seen);
            let ends = sampled.ends(values);
            fitted(&mut sampled, ends, self.seen, &mut self.left)
        };
        if let Some(last) = pieces.last_mut() {
            last.time = b;
        }
        pieces
    }

    /// Error of one segment between two times.
    fn misses(&mut self, a: Seconds, b: Seconds) -> Misses {
        let span = [a.0, b.0];
        self.parts.iter_mut().for_each(|part| part.allowed = 1.0);
        if let Some(mut eased) = Eased::new(self.channel, span, self.seen, &self.parts) {
            let [from, to] = eased.ends();
            return eased.between(&from, &to).segment;
        }
        let values = [(a, Side::After), (b, Side::Before)].map(|(time, side)| self.value(time, side));
        // However far it is off, all of it is looked at.
        self.parts.iter_mut().for_each(|part| part.allowed = f64::INFINITY);
        let mut sampled = Sampled::new(&mut self.sampler, &self.parts, self.rotation, span, self.seen);
        let [from, to] = sampled.ends(values);
        sampled.between(&from, &to).segment
    }

    fn value(&mut self, time: Seconds, side: Side) -> Vec<f32> {
        let mut value = Vec::new();
        self.sampler.value_at(time, side, &mut value);
        value.into_iter().map(narrow).collect()
    }
}

/// The segments between two keys, each of the greatest permitted length, with at most `left` keys in between.
fn fitted<S: StraightKey>(kind: &mut S, ends: [S::Key; 2], seen: Seen, left: &mut usize) -> Vec<Piece> {
    let pieces = segments(kind, seen, ends, left, None).unwrap_or_default();
    let piece = |(key, misses)| Piece { time: Seconds(S::time(&key)), value: kind.value(&key), misses };
    pieces.into_iter().map(piece).collect()
}

/// A fit computed on first use: most channels go straight.
struct LazyFit<'a, F> {
    fit: Option<Straight<'a>>,
    make: F,
}

impl<'a, F: Fn() -> Straight<'a>> LazyFit<'a, F> {
    fn get(&mut self) -> &mut Straight<'a> {
        self.fit.get_or_insert_with(&self.make)
    }
}

#[cfg(test)]
mod tests;
