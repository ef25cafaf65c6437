//! Any channel as straight segments: authored keys where they suffice, one key per frame where they do not.

use crate::evaluate::{Side, channel_at};
use crate::measure::{Worst, difference, straight_at};
use dopesheet_core::model::{
    Blend, Channel, Composition, Curve, Law, Laws, Outside, Property, Times, ValueKind,
};
use dopesheet_core::units::{FrameRate, Seconds};
use std::collections::HashMap;

/// Most keys put between two authored ones, so that a key a year away costs no year of frames.
const MAX_INSERTED: f64 = 100_000.0;

/// How many times the error is measured between two keys.
const PROBES: u32 = 8;

/// An authored key this close to a whole frame, in frames, may be moved there.
const GRID_TOLERANCE_FRAMES: f64 = 0.01;

/// How keys are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyPlan {
    /// The times that are played; keys outside are cut off where the value then is.
    pub range: (Seconds, Seconds),
    /// Where keys are inserted between authored ones that straight segments do not suffice for.
    pub rate: FrameRate,
    /// Whether keys may lie on that grid only.
    pub only_on_grid: bool,
    /// Whether to put a key on every frame of the grid and on nothing else.
    pub every_frame: bool,
}

/// A channel as straight segments.
#[derive(Clone, Debug)]
pub struct Linearised {
    /// The curves; two (translation and rotation) for a placement, else one.
    pub channels: Vec<Channel>,
    /// Whether keys had to be inserted or moved, so that values between keys are approximations.
    pub approximated: bool,
    /// The largest difference from the exact value, per channel.
    pub worst: Vec<Worst>,
}

/// Lists of key times that are already in use, so that equal lists are one list.
#[derive(Debug, Default)]
pub struct SharedTimes(HashMap<Vec<u64>, Times>);

impl SharedTimes {
    /// The one list with these times.
    pub fn seconds(&mut self, times: Vec<f64>) -> Times {
        let bits = times.iter().map(|t| t.to_bits()).collect();
        self.0.entry(bits).or_insert_with(|| Times::Seconds(times.into())).clone()
    }

    /// The one list with these frames.
    pub fn frames(&mut self, rate: FrameRate, frames: Vec<i64>) -> Times {
        let bits = std::iter::once(u64::MAX).chain(frames.iter().map(|f| f.cast_unsigned())).collect();
        self.0.entry(bits).or_insert_with(|| Times::Frames { rate, frames: frames.into() }).clone()
    }
}

/// What straight segments make of the stretch between two neighbouring key times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    Constant,
    Straight,
    Curved,
}

/// Turns a channel into straight segments; `None` if it has no keys.
#[must_use]
pub fn linearise(channel: &Channel, plan: &KeyPlan, shared: &mut SharedTimes) -> Option<Linearised> {
    let mut value = Vec::new();
    if !channel_at(channel, plan.range.0, Side::At, &mut value) {
        return None;
    }
    let (points, mut approximated) = points(channel, plan);
    let mut keys = Keys { rotation: rotation_offset(&channel.property), ..Keys::default() };
    for (index, &point) in points.iter().enumerate() {
        let is_first = index == 0;
        let side = if plan.every_frame { Side::At } else { Side::After };
        channel_at(channel, point, side, &mut value);
        let after = value.clone();
        if !is_first && !plan.every_frame {
            channel_at(channel, point, Side::Before, &mut value);
            keys.arrive(point, &value, &after, plan);
        }
        keys.push(point, &after);
    }
    let worst = keys.measure(channel, plan.every_frame || approximated);
    approximated &= worst.iter().any(|w| w.value > 0.0);
    Some(Linearised { channels: keys.into_channels(&channel.property, plan, shared), approximated, worst })
}

/// Where in the numbers of a value a quaternion starts.
const fn rotation_offset(property: &Property) -> Option<usize> {
    match property {
        Property::Placement => Some(3),
        Property::Rotation => Some(0),
        _ => None,
    }
}

/// The times at which keys are needed, and whether that includes times nobody authored.
fn points(channel: &Channel, plan: &KeyPlan) -> (Vec<Seconds>, bool) {
    let (start, end) = plan.range;
    if plan.every_frame {
        return (frames_between(plan.rate, start, end, true), true);
    }
    let mut authored = key_times(channel);
    let (first, last) = (authored.first().copied(), authored.last().copied());
    authored.retain(|t| t.0 >= start.0 && t.0 <= end.0);
    if first.is_some_and(|t| t.0 < start.0) || authored.is_empty() {
        authored.insert(0, start);
    }
    if last.is_some_and(|t| t.0 > end.0) && end.0 > start.0 {
        authored.push(end);
    }
    authored.dedup_by(|a, b| a.0 == b.0);
    if plan.only_on_grid {
        let on_grid =
            |t: &Seconds| (plan.rate.frame(*t) - plan.rate.frame(*t).round()).abs() <= GRID_TOLERANCE_FRAMES;
        if !authored.iter().all(on_grid) {
            return (frames_between(plan.rate, start, end, true), true);
        }
        for time in &mut authored {
            *time = plan.rate.seconds(plan.rate.frame(*time).round());
        }
    }
    insert_where_curved(channel, &authored, plan.rate)
}

fn insert_where_curved(channel: &Channel, authored: &[Seconds], rate: FrameRate) -> (Vec<Seconds>, bool) {
    let mut out = Vec::with_capacity(authored.len());
    let mut inserted = false;
    for (index, &time) in authored.iter().enumerate() {
        if index > 0 && shape(channel, authored[index - 1], time) == Shape::Curved {
            out.extend(frames_between(rate, authored[index - 1], time, false));
            inserted = true;
        }
        out.push(time);
    }
    (out, inserted)
}

/// All key times of a channel, ascending, each once; the start of a ramp counts as a key.
fn key_times(channel: &Channel) -> Vec<Seconds> {
    let mut times: Vec<Seconds> = Vec::new();
    let mut seen: Vec<&Times> = Vec::new();
    for curve in channel.composition.curves() {
        if let Outside::Ramp { start, .. } = curve.before {
            times.push(start);
        }
        if !seen.iter().any(|s| s.is_same_list(&curve.times)) {
            times.extend(curve.times.iter());
            seen.push(&curve.times);
        }
    }
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    times.dedup_by(|a, b| a.0 == b.0);
    times
}

/// The whole frames strictly between two times, or with both ends if `closed` (the end even off the grid).
fn frames_between(rate: FrameRate, a: Seconds, b: Seconds, closed: bool) -> Vec<Seconds> {
    let (from, to) = (rate.frame(a), rate.frame(b));
    let stride = ((to - from) / MAX_INSERTED).max(1.0).ceil();
    let mut out = Vec::new();
    let mut frame = if closed { from.ceil() } else { from.floor() + 1.0 };
    while frame < to {
        out.push(rate.seconds(frame));
        frame += stride;
    }
    if closed {
        out.push(rate.seconds(to));
    }
    out
}

fn shape(channel: &Channel, a: Seconds, b: Seconds) -> Shape {
    let rotates = channel.property.kind() == ValueKind::Rotation;
    let of = |curve: &Curve| curve_shape(curve, a, b);
    let all = |curves: &[Curve]| curves.iter().map(of).max().unwrap_or(Shape::Constant);
    let unless_constant = |shape: Shape| if shape == Shape::Constant { shape } else { Shape::Curved };
    match &channel.composition {
        Composition::Whole(curve) if rotates => match of(curve) {
            Shape::Straight if !is_slerp(curve, a, b) => Shape::Curved,
            shape => shape,
        },
        Composition::Whole(curve) => of(curve),
        Composition::Components(curves) if !rotates => all(curves),
        Composition::Components(curves)
        | Composition::ComponentsNormalised(curves)
        | Composition::Euler { angles: curves, .. } => unless_constant(all(curves)),
        Composition::Orbit(orbit) => match of(&orbit.angles).max(of(&orbit.distance)) {
            Shape::Constant => all(&orbit.target),
            _ => Shape::Curved,
        },
        Composition::Aim { direction, .. } => unless_constant(of(direction)),
    }
}

/// The law that rules a curve between two neighbouring key times, and whether its two values are equal.
fn ruling_law(curve: &Curve, a: Seconds, b: Seconds) -> Option<(Law, bool)> {
    let middle = Seconds(f64::midpoint(a.0, b.0));
    let until = curve.times.count_until(middle);
    if until == 0 {
        return match &curve.before {
            Outside::Ramp { start, from, law } if middle.0 > start.0 => {
                Some((*law, curve.value(0) == Some(&**from)))
            }
            Outside::Hold | Outside::Ramp { .. } => None,
            Outside::Loop | Outside::PingPong => Some((BENT, false)),
        };
    }
    if until == curve.len() {
        let repeats = matches!(curve.after, Outside::Loop | Outside::PingPong) && until > 1;
        return repeats.then_some((BENT, false));
    }
    Some((curve.laws.get(until - 1), curve.value(until - 1) == curve.value(until)))
}

/// Stands for whatever straight segments cannot follow.
const BENT: Law = Law { timing: dopesheet_core::model::Timing::Linear, blend: Blend::Hermite };

fn curve_shape(curve: &Curve, a: Seconds, b: Seconds) -> Shape {
    match ruling_law(curve, a, b) {
        None => Shape::Constant,
        Some((law, equal)) => match law.blend {
            Blend::Step => Shape::Constant,
            Blend::Lerp | Blend::Slerp | Blend::Nlerp if equal => Shape::Constant,
            Blend::Lerp | Blend::Slerp if law.timing.is_linear() => Shape::Straight,
            _ => Shape::Curved,
        },
    }
}

fn is_slerp(curve: &Curve, a: Seconds, b: Seconds) -> bool {
    ruling_law(curve, a, b).is_none_or(|(law, _)| matches!(law.blend, Blend::Slerp | Blend::Step))
}

/// Keys under construction.
#[derive(Debug, Default)]
struct Keys {
    times: Vec<Seconds>,
    values: Vec<f64>,
    width: usize,
    /// Where in a value its quaternion starts.
    rotation: Option<usize>,
}

impl Keys {
    fn push(&mut self, time: Seconds, value: &[f64]) {
        self.width = value.len();
        self.times.push(time);
        self.values.extend_from_slice(value);
        let Some(at) = self.rotation else { return };
        let end = self.values.len() - value.len() + at;
        if end >= self.width {
            let (old, new) = self.values.split_at_mut(end);
            let old = &old[end - self.width..][..4];
            let dot: f64 = old.iter().zip(new.iter()).map(|(a, b)| a * b).sum();
            if dot < 0.0 {
                new.iter_mut().take(4).for_each(|x| *x = -*x);
            }
        }
    }

    /// Adds the value from the left if it differs from the one to the right. On a grid that allows one key per frame
    /// the old value goes to the frame before.
    fn arrive(&mut self, time: Seconds, before: &[f64], after: &[f64], plan: &KeyPlan) {
        if same_value(before, after, self.rotation) {
            return;
        }
        if !plan.only_on_grid {
            return self.push(time, before);
        }
        let previous = plan.rate.seconds(plan.rate.frame(time) - 1.0);
        if self.times.last().is_some_and(|last| last.0 < previous.0) {
            self.push(previous, before);
        }
    }

    fn measure(&self, channel: &Channel, needed: bool) -> Vec<Worst> {
        let parts = parts(&channel.property);
        let mut worst = vec![Worst::default(); parts.len()];
        if !needed {
            return worst;
        }
        let (mut exact, mut straight) = (Vec::new(), Vec::new());
        for (index, pair) in self.times.windows(2).enumerate() {
            let keys = &self.values[index * self.width..(index + 2) * self.width];
            let (from, to) = keys.split_at(self.width);
            for probe in 1..PROBES {
                let share = f64::from(probe) / f64::from(PROBES);
                let time = Seconds(pair[0].0 + (pair[1].0 - pair[0].0) * share);
                if pair[1].0 <= pair[0].0 || !channel_at(channel, time, Side::At, &mut exact) {
                    continue;
                }
                straight_at(from, to, share, self.rotation, &mut straight);
                for (worst, (property, range)) in worst.iter_mut().zip(&parts) {
                    let error = difference(property, &exact[range.clone()], &straight[range.clone()]);
                    worst.meet(error, time);
                }
            }
        }
        worst
    }

    fn into_channels(self, property: &Property, plan: &KeyPlan, shared: &mut SharedTimes) -> Vec<Channel> {
        let times = if plan.only_on_grid {
            shared.frames(plan.rate, self.times.iter().map(|t| plan.rate.frame(*t).round() as i64).collect())
        } else {
            shared.seconds(self.times.iter().map(|t| t.0).collect())
        };
        let curve = |property: &Property, range: &std::ops::Range<usize>| {
            let range = range.start.min(self.width)..range.end.min(self.width);
            let rows = self.values.chunks_exact(self.width.max(1));
            let values = rows.flat_map(|row| row[range.clone()].iter().map(|v| *v as f32)).collect();
            Curve::new(times.clone(), range.len(), values, Laws::uniform(straight_law(property)))
        };
        parts(property).iter().map(|(p, range)| Channel::whole(p.clone(), curve(p, range))).collect()
    }
}

fn same_value(a: &[f64], b: &[f64], rotation: Option<usize>) -> bool {
    let narrow = |v: &[f64], sign: f64| v.iter().map(|x| (sign * x) as f32).collect::<Vec<_>>();
    let at = rotation.unwrap_or(a.len());
    let ((va, qa), (vb, qb)) = (a.split_at(at.min(a.len())), b.split_at(at.min(b.len())));
    narrow(va, 1.0) == narrow(vb, 1.0)
        && (narrow(qa, 1.0) == narrow(qb, 1.0) || narrow(qa, 1.0) == narrow(qb, -1.0))
}

/// The properties that a value consists of, and which of its numbers belong to each.
fn parts(property: &Property) -> Vec<(Property, std::ops::Range<usize>)> {
    match property {
        Property::Placement => vec![(Property::Translation, 0..3), (Property::Rotation, 3..7)],
        Property::Rotation => vec![(Property::Rotation, 0..4)],
        other => vec![(other.clone(), 0..usize::MAX)],
    }
}

/// The law of straight segments for a property.
pub(crate) const fn straight_law(property: &Property) -> Law {
    match property.kind() {
        ValueKind::Rotation => Law::SLERP,
        ValueKind::Discrete => Law::STEP,
        ValueKind::Position | ValueKind::Direction | ValueKind::Numbers => Law::LINEAR,
    }
}
