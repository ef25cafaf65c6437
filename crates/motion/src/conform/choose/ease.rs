//! Joints in formats with a grid and Bezier timing.

use super::Origin;
use crate::conform::budget::ErrorBudget;
use crate::conform::laws::Destination;
use crate::conform::tally::key_count;
use crate::difference::{ChannelError, difference};
use crate::keys::eased::{Frames, MOST_FRAMES, eased};
use crate::keys::merged::merged;
use crate::keys::{Allowance, KeyPlan, Worst};
use crate::sample::{Sampler, Side};
use crate::single::narrow;
use dopesheet_core::model::{Channel, Outside, Property, TargetKind, Track};
use dopesheet_core::order::ascend;
use dopesheet_core::order::by_number;
use dopesheet_core::units::{FrameRate, Seconds};

/// Comparisons of the result per frame.
const PROBES_PER_FRAME: u32 = 8;

/// An authored key this close to a whole frame, in frames, may be moved there.
const GRID_TOLERANCE_FRAMES: f64 = 0.01;

/// Gives a joint keys on the format's grid with Bezier timing; `false` if the format does not want them.
pub(in crate::conform) fn ease(
    track: &mut Track,
    target: &Destination<'_>,
    budget: &ErrorBudget,
    origins: &mut Vec<Origin>,
) -> bool {
    // What a rest pose turns later must be straight until then.
    if !target.keeps_axes || !is_eased(track, target) {
        return false;
    }
    let Some(frames) = frames(track, target.plan, target.may_drop_all(track)) else { return false };
    let Some(allowed) = allowed(track, budget) else { return false };
    let Some(made) = eased(track, &frames, allowed) else { return false };
    replace(track, made, FrameSpan { rate: frames.rate, range: frames.range }, origins);
    true
}

/// Joins authored segments of a joint on such a grid, from the `divided` track where the clip ends within a
/// segment; `false` if there is nothing to join.
pub(in crate::conform) fn merge(
    track: &mut Track,
    divided: Option<&Track>,
    target: &Destination<'_>,
    budget: &ErrorBudget,
    origins: &mut Vec<Origin>,
) -> bool {
    if !is_eased(track, target) {
        return false;
    }
    let Some(allowed) = allowed(track, budget) else { return false };
    let Some(made) = merged(divided.unwrap_or(track), allowed) else { return false };
    let (rate, end) = (target.plan.rate, target.plan.range.1);
    let range = (0, rate.frame(end).floor().min(MOST_FRAMES as f64) as i64);
    replace(track, made, FrameSpan { rate, range }, origins);
    true
}

/// True of a joint whose keys are few and eased in the target.
pub(in crate::conform) fn is_eased(track: &Track, target: &Destination<'_>) -> bool {
    let laws = [&target.capabilities.vector_laws, &target.capabilities.rotation_laws];
    let is_placing = |c: &Channel| matches!(c.property, Property::Translation | Property::Rotation);
    target.plan.only_on_grid
        && !target.plan.every_frame
        && laws.iter().all(|l| l.bezier_timing)
        && track.target.kind == TargetKind::Joint
        && track.channels.iter().all(is_placing)
}

/// Upper bounds of the error of a joint's translation and rotation.
fn allowed(track: &Track, budget: &ErrorBudget) -> Option<[Allowance; 2]> {
    let allowed = |property: Property| {
        let source = track.channels.iter().find(|c| c.property == property).or(track.channels.first());
        source.map(|channel| budget.of(track, channel))
    };
    Some([allowed(Property::Translation)?, allowed(Property::Rotation)?])
}

/// First and last frame in question.
struct FrameSpan {
    rate: FrameRate,
    range: (i64, i64),
}

fn replace(track: &mut Track, channels: Vec<Channel>, span: FrameSpan, origins: &mut Vec<Origin>) {
    origins.extend(channels.iter().map(|channel| {
        let source = track.channels.iter().find(|c| c.property == channel.property)?;
        Some((key_count(source), ChannelError::sampled(largest_difference(source, channel, &span))))
    }));
    track.channels = channels;
}

/// Permitted and required frames of keys; `None` without keys or for times beyond any grid.
fn frames(track: &Track, plan: &KeyPlan, lossy: bool) -> Option<Frames> {
    let rate = plan.rate;
    let keys = authored(track, rate);
    let repeats = |rule: &Outside| matches!(rule, Outside::Loop | Outside::PingPong);
    let curves: Vec<_> = track.channels.iter().flat_map(|c| c.composition.curves()).collect();
    let goes_on = curves.iter().any(|c| repeats(&c.after));
    let starts_early = curves.iter().any(|c| repeats(&c.before) || matches!(c.before, Outside::Ramp { .. }));
    let (start, end) = (rate.frame(plan.range.0).ceil(), rate.frame(plan.range.1).floor());
    let (first, last) = (keys.first()?, keys.last()?);
    let from = if starts_early { start } else { first.reached(rate).clamp(start, end.max(start)) };
    let to = if goes_on { end } else { last.left(rate).clamp(from, end.max(from)) };
    if !(from.abs() < 1e15 && to - from < MOST_FRAMES as f64) {
        return None;
    }
    let is_on_frame = |t: Seconds| {
        let frame = rate.frame(t);
        (frame - frame.round()).abs() <= GRID_TOLERANCE_FRAMES
    };
    let stay = !lossy && keys.iter().all(|key| is_on_frame(key.time));
    let mut fixed = Vec::new();
    for key in keys {
        let frame = rate.frame(key.time);
        if frame < from - 1.0 || frame > to + 1.0 {
            continue;
        }
        if key.jump == Jump::None {
            fixed.extend(stay.then(|| frame.round() as i64));
        } else {
            fixed.extend([key.reached(rate), key.left(rate)].map(|frame| frame as i64));
        }
    }
    fixed.sort_unstable();
    fixed.dedup();
    Some(Frames { rate, range: (from as i64, to as i64), fixed })
}

/// The two sides of a key time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Jump {
    /// Nothing jumps.
    None,
    /// The new value begins on the frame of the jump's time.
    There,
    /// The new value begins only after this frame.
    After,
}

/// Time of a key of a track.
#[derive(Clone, Copy, Debug)]
pub(in crate::conform) struct Authored {
    time: Seconds,
    jump: Jump,
}

impl Authored {
    pub(in crate::conform) fn jumps(&self) -> bool {
        self.jump != Jump::None
    }

    /// The last whole frame before the jump, with the old value.
    pub(in crate::conform) fn reached(&self, rate: FrameRate) -> f64 {
        match self.jump {
            Jump::None => rate.frame(self.time).floor(),
            Jump::There | Jump::After => self.left(rate) - 1.0,
        }
    }

    /// The first whole frame with the new value.
    fn left(&self, rate: FrameRate) -> f64 {
        let frame = rate.frame(self.time).ceil();
        if self.jump == Jump::After { frame + 1.0 } else { frame }
    }
}

/// The times at which a track has keys, ascending.
pub(in crate::conform) fn authored(track: &Track, rate: FrameRate) -> Vec<Authored> {
    let mut keys: Vec<Authored> = Vec::new();
    let mut value = [const { Vec::new() }; 3];
    for channel in &track.channels {
        let mut sampler = Sampler::new(channel);
        let mut times: Vec<f64> =
            channel.composition.curves().flat_map(|c| c.times.iter()).map(|t| t.0).collect();
        ascend(&mut times);
        times.dedup();
        for time in times.into_iter().map(Seconds) {
            let frame = rate.seconds(rate.frame(time).ceil());
            let sides = [(time, Side::Before), (frame, Side::At), (time, Side::After)];
            for (value, (time, side)) in value.iter_mut().zip(sides) {
                sampler.value_at(time, side, value);
            }
            let [before, at, after] = &value;
            let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| narrow(*a) == narrow(*b));
            let jump = match () {
                () if same(before, after) => Jump::None,
                () if frame == rate.snap(time) && same(at, before) => Jump::After,
                () => Jump::There,
            };
            keys.push(Authored { time, jump });
        }
    }
    by_number(&mut keys, |key| key.time.0);
    keys.dedup_by(|later, earlier| {
        let is_same = later.time == earlier.time;
        if is_same {
            earlier.jump = earlier.jump.max(later.jump);
        }
        is_same
    });
    keys
}

fn largest_difference(source: &Channel, eased: &Channel, span: &FrameSpan) -> Worst {
    let (mut exact, mut written) = (Vec::new(), Vec::new());
    let (mut from, mut to) = (Sampler::new(source), Sampler::new(eased));
    let mut largest = Worst::default();
    let (first, last) = span.range;
    let steps = last.saturating_sub(first).saturating_mul(i64::from(PROBES_PER_FRAME));
    for step in 0..=steps {
        let frame = first as f64 + step as f64 / f64::from(PROBES_PER_FRAME);
        let time = span.rate.seconds(frame);
        from.value_at(time, Side::At, &mut exact);
        to.value_at(time, Side::At, &mut written);
        let error = difference(&eased.property, &exact, &written);
        // What single precision alone makes of a value is no approximation.
        let rounding = exact.iter().fold(1.0f64, |most, x| most.max(x.abs())) * f64::from(f32::EPSILON);
        if error > rounding {
            largest.note(error, time);
        }
    }
    largest
}
