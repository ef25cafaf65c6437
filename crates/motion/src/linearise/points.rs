//! The times at which keys are needed.

use super::shape::{Shape, shape};
use super::split::{Cut, Splitter};
use super::{Allowance, KeyPlan};
use crate::evaluate::{KeyValue, grid};
use crate::measure::Worst;
use crate::moving::changes;
use dopesheet_core::format::MostFrames;
use dopesheet_core::model::{Channel, Curve, Outside, Times, ValueKind};
use dopesheet_core::order::ascend;
use dopesheet_core::units::{FrameRate, Seconds};

/// Most keys put between two authored ones. As many straight segments follow one eased segment more closely than f32
/// can tell, so that a key a year away costs no year of frames.
pub(super) const MAX_BETWEEN: f64 = 10_000.0;

/// Most frames of a whole clip, 46 hours at 60 fps; longer clips get every second frame, every third … Conversions refuse
/// such clips.
const MAX_FRAMES: f64 = MostFrames::LIMIT as f64;

/// Most keys that repetitions are unrolled to.
const MAX_UNROLLED: f64 = 100_000.0;

/// An authored key this close to a whole frame, in frames, may be moved there.
const GRID_TOLERANCE_FRAMES: f64 = 0.01;

/// A key to be.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Point {
    /// Where it goes.
    pub key: Seconds,
    /// Where the motion arrives at it; before `at` where several authored keys fall on one frame.
    pub from: Seconds,
    /// Where its value is taken, and from where the motion goes on.
    pub at: Seconds,
    /// Whether a curve has a key there, so that the value may jump.
    pub authored: bool,
    /// Whether it is not known how far a straight way there from the point before misses.
    pub bent: bool,
    /// What value the key is given if no curve has one there.
    pub value: KeyValue,
}

impl Point {
    const fn new(key: Seconds, at: Seconds) -> Self {
        Self { key, from: at, at, authored: false, bent: true, value: KeyValue::Own }
    }

    /// Whether its value is taken at another frame than where it goes.
    fn is_moved(&self, rate: FrameRate) -> bool {
        rate.snap(self.at) != rate.snap(self.key)
    }
}

/// At least one point, ascending, and the farthest that straight segments miss of which that is known: those that end at a
/// point which is not [`Point::bent`].
pub(super) fn points(channel: &Channel, plan: &KeyPlan, allowance: Option<Allowance>) -> (Vec<Point>, Worst) {
    let range = sound_range(channel, plan.range);
    let authored = authored_times(channel, range);
    let near_frame = |t: &Seconds| {
        let frame = plan.rate.frame(*t);
        (frame - frame.round()).abs() <= GRID_TOLERANCE_FRAMES
    };
    if plan.every_frame || (plan.only_on_grid && !authored.iter().all(near_frame)) {
        return (every_frame(plan, range, &authored), Worst::default());
    }
    // Switches have nothing between them that could be straight.
    let is_discrete = channel.property.kind() == ValueKind::Discrete;
    let allowance = allowance.filter(|_| !plan.only_on_grid && !is_discrete);
    let mut splitter = allowance.map(|allowance| Splitter::new(channel, allowance));
    let moves = changes(channel);
    let mut out: Vec<Point> = Vec::with_capacity(authored.len());
    for at in authored {
        let key = if plan.only_on_grid { plan.rate.seconds(plan.rate.frame(at).round()) } else { at };
        add_authored((channel, moves), plan.rate, splitter.as_mut(), key, at, &mut out);
    }
    (out, splitter.map_or(Worst::default(), |splitter| splitter.met))
}

fn add_authored(
    (channel, moves): (&Channel, bool),
    rate: FrameRate,
    splitter: Option<&mut Splitter<'_>>,
    key: Seconds,
    at: Seconds,
    out: &mut Vec<Point>,
) {
    let same_frame = out.pop_if(|last| last.key == key);
    let from = same_frame.as_ref().map_or(at, |point| point.from);
    let point = Point { from, authored: true, bent: false, ..Point::new(key, at) };
    let Some(last) = out.last().cloned() else { return out.push(point) };
    if same_frame.is_none() && moves && shape(channel, last.at, at) == Shape::Curved {
        let mut bent = true;
        match splitter {
            Some(splitter) => {
                let mut pieces = splitter.pieces(last.at, at);
                bent = pieces.pop().is_none_or(|end| !end.is_known);
                let inserted = |cut: Cut| Point {
                    bent: !cut.is_known,
                    value: cut.value,
                    ..Point::new(cut.time, cut.time)
                };
                out.extend(pieces.into_iter().map(inserted));
            }
            None => out.extend(frames_between(rate, last.key, key).map(|t| Point::new(t, t))),
        }
        return out.push(Point { bent, ..point });
    }
    let was_bent = same_frame.is_some_and(|point| point.bent);
    // An end of the range that lies beside a frame has the frame's value, to which no straight way of the source leads.
    let is_beside =
        [last.at, at].iter().any(|time| grid(channel).is_some_and(|rate| rate.snap(*time) != *time));
    let bent = was_bent || is_beside || point.is_moved(rate) || last.is_moved(rate);
    out.push(Point { bent, ..point });
}

/// The range with finite ends in the right order.
pub(crate) fn sound_range(channel: &Channel, (start, end): (Seconds, Seconds)) -> (Seconds, Seconds) {
    let spans = channel.composition.curves().filter_map(|c| c.times.span());
    let start = if start.0.is_finite() { start.0 } else { 0.0 };
    let end = if end.0.is_finite() { end.0 } else { spans.map(|s| s.1.0).fold(start, f64::max) };
    (Seconds(start), Seconds(end.max(start)))
}

/// Whether something other than straight segments leads between a channel's own keys.
pub(crate) fn is_curved(channel: &Channel) -> bool {
    if !changes(channel) {
        return false;
    }
    let spans = channel.composition.curves().filter_map(|curve| curve.times.span());
    let Some(range) = spans.reduce(|a, b| (Seconds(a.0.0.min(b.0.0)), Seconds(a.1.0.max(b.1.0)))) else {
        return false;
    };
    let times = authored_times(channel, range);
    times.windows(2).any(|pair| shape(channel, pair[0], pair[1]) == Shape::Curved)
}

/// All key times of a channel within a range, ascending, each once, and the ends of the range where something moves on
/// beyond them. The start of a ramp counts as a key.
pub(crate) fn authored_times(channel: &Channel, (start, end): (Seconds, Seconds)) -> Vec<Seconds> {
    let mut times: Vec<f64> = Vec::new();
    let mut seen: Vec<&Times> = Vec::new();
    let (mut repeats_before, mut repeats_after) = (false, false);
    for curve in channel.composition.curves() {
        let Some((first, last)) = curve.times.span() else { continue };
        if let Outside::Ramp { start, .. } = curve.before
            && start.0 < first.0
        {
            times.push(start.0);
        }
        if !seen.iter().any(|s| s.is_same_list(&curve.times)) {
            times.extend(curve.times.iter().map(|t| t.0));
            seen.push(&curve.times);
        }
        if repeats(&curve.before) && start.0 < first.0 {
            repeats_before = true;
            unroll(curve, -1.0, first.0 - start.0, &mut times);
        }
        if repeats(&curve.after) && end.0 > last.0 {
            repeats_after = true;
            unroll(curve, 1.0, end.0 - last.0, &mut times);
        }
    }
    let before = repeats_before || times.iter().any(|t| *t < start.0);
    let after = repeats_after || times.iter().any(|t| *t > end.0);
    times.retain(|t| *t >= start.0 && *t <= end.0);
    if before || times.is_empty() {
        times.push(start.0);
    }
    if after {
        times.push(end.0);
    }
    ascend(&mut times);
    times.dedup();
    // Adding zero makes a negative zero positive.
    times.into_iter().map(|t| Seconds(t + 0.0)).collect()
}

const fn repeats(rule: &Outside) -> bool {
    matches!(rule, Outside::Loop | Outside::PingPong)
}

/// Adds the key times of the repetitions that cover `stretch_s` seconds, later (1) or earlier (−1) than the keys,
/// unless there are too many.
fn unroll(curve: &Curve, direction: f64, stretch_s: f64, times: &mut Vec<f64>) {
    let Some((first, last)) = curve.times.span() else { return };
    let length = last.0 - first.0;
    let rule = if direction < 0.0 { &curve.before } else { &curve.after };
    let turns = (stretch_s / length).ceil();
    let are_few = turns * curve.len() as f64 <= MAX_UNROLLED;
    for turn in 1..=if are_few { turns as u64 } else { 0 } {
        let offset = direction * turn as f64 * length;
        let backwards = *rule == Outside::PingPong && turn % 2 == 1;
        let place = |t: f64| if backwards { first.0 + (last.0 - t) } else { t };
        times.extend(curve.times.iter().map(|t| place(t.0) + offset));
    }
}

/// A point on every frame, and on the ends of the range unless keys must lie on the grid.
fn every_frame(plan: &KeyPlan, (start, end): (Seconds, Seconds), authored: &[Seconds]) -> Vec<Point> {
    let rate = plan.rate;
    let (from, to) = (rate.frame(start), rate.frame(end));
    let may_hold = |frame: f64| !plan.only_on_grid || frame.fract() == 0.0;
    let place = |t: Seconds| if plan.only_on_grid { rate.snap(t) } else { t };
    let first = may_hold(from).then(|| place(start));
    let last = (to > from && may_hold(to)).then(|| place(end));
    let frames = first.into_iter().chain(whole_frames(rate, from, to, MAX_FRAMES)).chain(last);
    let mut out: Vec<Point> = frames.map(|t| Point::new(t, authored_near(rate, t, authored))).collect();
    if out.is_empty() {
        out.push(Point::new(rate.seconds(from.round()), start));
    }
    out
}

/// The frame's own time, or the last authored key that is this frame without being there exactly: times given as f32
/// lie a little beside it.
fn authored_near(rate: FrameRate, frame: Seconds, authored: &[Seconds]) -> Seconds {
    let slack = rate.seconds(FrameRate::SNAP_FRAMES).0;
    let from = authored.partition_point(|t| t.0 < frame.0 - slack);
    let near = authored.iter().skip(from).take_while(|t| t.0 <= frame.0 + slack);
    near.copied().reduce(|last, t| if last == frame { last } else { t }).unwrap_or(frame)
}

/// The whole frames strictly between two times.
fn frames_between(rate: FrameRate, a: Seconds, b: Seconds) -> impl Iterator<Item = Seconds> {
    whole_frames(rate, rate.frame(a), rate.frame(b), MAX_BETWEEN)
}

/// The whole frames strictly between two frames, or every n-th so that there are no more than `most`.
fn whole_frames(rate: FrameRate, from: f64, to: f64, most: f64) -> impl Iterator<Item = Seconds> {
    let stride = ((to - from) / most).max(1.0).ceil();
    let first = from.floor() + 1.0;
    let count = ((to - first) / stride).ceil().min(most);
    // Beyond 2^53 whole frames are no longer neighbours.
    let countable = from.abs().max(to.abs()) < 2f64.powi(53);
    let count = if countable && count > 0.0 { count as u64 } else { 0 };
    (0..count).map(move |n| rate.seconds(first + n as f64 * stride))
}
