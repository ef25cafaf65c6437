//! Straight segments along a curve of any law: looking at some times tells how far they are off.

use super::{ChannelPart, StraightKey};
use crate::difference::{Worst, difference, straight_at};
use crate::keys::grid::Seen;
use crate::keys::longest::{Fitted, Segments};
use crate::keys::plan::{MOST_PARTS, Misses};
use crate::sample::{Sampler, Side};
use crate::single::narrow;
use dopesheet_core::model::ValueKind;
use dopesheet_core::units::Seconds;
use dopesheet_curve::{lerp, quat_normalise_or_identity};
use glam::{DQuat, DVec3};

/// Sampled shares of a segment's time, the middle first, where errors are mostly largest. Samples show at
/// least 98 % of a parabola's height; segments with ends beside a curve may have their largest error next to
/// these ends.
pub(super) const LOOKS: [f64; 9] = [0.5, 0.25, 0.75, 0.375, 0.625, 0.125, 0.875, 0.0625, 0.9375];

/// Largest distance of keys from a curve, as a share of the allowance, because the bend of the curve is only
/// estimated.
const BESIDE: f64 = 0.9;

/// Numbers of unit quaternions below this are rounding, which differs from machine to machine.
const NOISE: f64 = 1e-12;

/// A channel between two neighbouring key times.
pub(super) struct Sampled<'a, 'b> {
    sampler: &'b mut Sampler<'a>,
    parts: &'b [ChannelPart],
    /// Index of the quaternion's first number in a value.
    rotation: Option<usize>,
    span: [f64; 2],
    seen: Seen,
    /// Buffers for values, kept for reuse.
    exact: Vec<f64>,
    straight: Vec<f64>,
}

/// The end of a segment.
#[derive(Clone)]
pub(super) struct Key {
    time: f64,
    /// The curve's value.
    exact: Vec<f32>,
    /// The key's.
    value: Vec<f32>,
    displaced: f64,
}

impl<'a, 'b> Sampled<'a, 'b> {
    pub(super) fn new(
        sampler: &'b mut Sampler<'a>,
        parts: &'b [ChannelPart],
        rotation: Option<usize>,
        span: [f64; 2],
        seen: Seen,
    ) -> Self {
        Self { sampler, parts, rotation, span, seen, exact: Vec::new(), straight: Vec::new() }
    }

    /// The keys at both ends, as they are stored.
    pub(super) fn ends(&mut self, values: [Vec<f32>; 2]) -> [Key; 2] {
        let [from, to] = values;
        let key = |time: f64, value: Vec<f32>| Key {
            time: f64::from(narrow(time)),
            exact: value.clone(),
            value,
            displaced: 0.0,
        };
        [key(self.span[0], from), key(self.span[1], to)]
    }

    fn value(&mut self, time: f64) -> Vec<f64> {
        let mut value = Vec::with_capacity(8);
        self.sampler.value_at(Seconds(time), Side::At, &mut value);
        value
    }

    /// Difference of the two last values and its limit, in each property's own unit.
    fn differences(&self) -> impl Iterator<Item = (f64, f64)> {
        self.parts.iter().map(|ChannelPart { property, range, allowed }| {
            let (exact, straight) = (self.exact.get(range.clone()), self.straight.get(range.clone()));
            let off = difference(property, exact.unwrap_or_default(), straight.unwrap_or_default());
            (off, *allowed)
        })
    }

    /// The value beside the curve at a time between segments of a length, and its distance as a share of the
    /// allowance; `None` where the value may have bounds.
    ///
    /// The error at the middle of a segment of length h is h²·|f″|/8; half of this error is a quarter of f(t
    /// + h/2) − 2·f(t) + f(t − h/2).
    fn aside(&mut self, time: f64, mid: &[f64], length: f64) -> Option<(Vec<f64>, f64)> {
        let reach = (0.5 * length).min(time - self.span[0]).min(self.span[1] - time);
        let [before, after] = [time - reach, time + reach].map(|time| self.value(time));
        let (mut most, mut made) = (0.0f64, mid.to_vec());
        for ChannelPart { property, range, allowed } in self.parts {
            let [before, mid, after] = [&before[..], mid, &after].map(|value| value.get(range.clone()));
            let (before, mid, after) = (before?, mid?, after?);
            let aside = |[before, after]: [DVec3; 2]| {
                let aside = (-0.25 * (before + after)).clamp_length_max(BESIDE * allowed);
                (aside, aside.length() / allowed)
            };
            let (moved, share): (Vec<f64>, f64) = match property.kind() {
                ValueKind::Rotation => {
                    let mid = rotation(mid)?;
                    let (by, share) =
                        aside([turn_between(mid, rotation(before)?), turn_between(mid, rotation(after)?)]);
                    let turned = (DQuat::from_scaled_axis(by) * mid).to_array();
                    (turned.map(|x| if x.abs() < NOISE { 0.0 } else { x }).into(), share)
                }
                ValueKind::Position => {
                    let mid = position(mid)?;
                    let (by, share) = aside([position(before)? - mid, position(after)? - mid]);
                    ((mid + by).to_array().into(), share)
                }
                _ => return None,
            };
            made.get_mut(range.clone())?.copy_from_slice(&moved);
            most = most.max(share);
        }
        made.iter().all(|x| x.is_finite()).then_some((made, most))
    }
}

impl Segments for Sampled<'_, '_> {
    type Key = Key;
    type Segment = Misses;

    fn key(&mut self, time: f64, length: f64) -> Key {
        let exact = self.seen.exact(time);
        let exact_value = self.value(exact);
        let aside = if length > 0.0 { self.aside(exact, &exact_value, length) } else { None };
        let (value, displaced) = aside.unwrap_or_else(|| (exact_value.clone(), 0.0));
        let [exact, value] = [exact_value, value].map(|value| value.into_iter().map(narrow).collect());
        Key { time, exact, value, displaced }
    }

    fn between(&mut self, from: &Key, to: &Key) -> Fitted<Misses> {
        let (mut largest, mut misses, mut rises) = ([Worst::default(); MOST_PARTS], 0.0, 0.0);
        for share in LOOKS {
            let time = lerp(from.time, to.time, share);
            // Where an end is stored late, something else may follow before it.
            if !(self.span[0] < time && time < self.span[1]) {
                continue;
            }
            self.sampler.value_at(Seconds(time), Side::At, &mut self.exact);
            straight_at(&from.exact, &to.exact, share, self.rotation, &mut self.straight);
            // What is not a number is not followed.
            rises = self.differences().fold(rises, |most, (off, allowed)| f64::max(most, off / allowed));
            straight_at(&from.value, &to.value, share, self.rotation, &mut self.straight);
            for (largest, (off, allowed)) in largest.iter_mut().zip(self.differences()) {
                largest.note(off, Seconds(time));
                misses = f64::max(misses, off / allowed);
            }
            if misses > 1.0 {
                break;
            }
        }
        Fitted { segment: Misses { largest, is_bound: false }, misses, rises }
    }

    fn unseen(&mut self, from: &Key, to: &Key) -> Misses {
        if self.seen.is_between(from.time, to.time) { self.between(from, to).segment } else { Misses::NONE }
    }

    fn time(key: &Key) -> f64 {
        key.time
    }

    fn displaced(key: &Key) -> f64 {
        key.displaced
    }
}

impl StraightKey for Sampled<'_, '_> {
    fn value(&self, key: &Key) -> Option<Vec<f32>> {
        (key.displaced != 0.0).then(|| key.value.clone())
    }
}

fn position(value: &[f64]) -> Option<DVec3> {
    <[f64; 3]>::try_from(value).ok().map(DVec3::from)
}

fn rotation(value: &[f64]) -> Option<DQuat> {
    value.first_chunk::<4>().map(|q| DQuat::from_array(quat_normalise_or_identity(*q)))
}

/// The turn that leads from one rotation to another the shorter way, as axis times angle.
fn turn_between(from: DQuat, to: DQuat) -> DVec3 {
    let turn = to * from.conjugate();
    if turn.w < 0.0 { -turn } else { turn }.to_scaled_axis()
}
