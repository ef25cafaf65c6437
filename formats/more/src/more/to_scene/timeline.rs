//! Curves by the time of a clip.

use super::segments::{Drift, Segment, Value, followed};
use crate::more::clip::TimeMap;
use dopesheet_core::model::{Blend, Curve, Handles, Law, Laws, Times, Timing};
use dopesheet_core::units::Seconds;
use std::sync::Arc;

/// A curve by the time of a clip.
#[derive(Clone, Debug)]
pub(super) struct Timeline {
    pub(super) width: usize,
    /// The law for holding a value, chosen among the laws of the curve.
    stay: Law,
    /// Without gaps.
    pub(super) segments: Vec<Segment>,
    /// The value at the very end.
    pub(super) last: Value,
}

impl Timeline {
    /// A curve with keys, played in the time given by the map. After `limit` segments the curve holds its
    /// value.
    pub(super) fn new(curve: &Curve, map: &TimeMap, limit: usize, drift: &mut Drift) -> Self {
        let keyed = segments(curve);
        let stay = match curve.laws.get(0).blend {
            Blend::Squad | Blend::Turn => Law::SLERP,
            blend => Law { timing: Timing::Linear, blend },
        };
        let mut out = Self { width: curve.width, stay, segments: Vec::new(), last: [0.0; 4] };
        for pair in map.points().windows(2) {
            if let &[from, to] = pair
                && to[0] > from[0]
                && out.segments.len() < limit
            {
                out.pass(&keyed, curve, from, to, drift);
            }
        }
        let end = map.points().last().map_or(0.0, |p| p[1]);
        out.last = value_at(&keyed, curve, end);
        out
    }

    /// Adds the segments passed while the curve's time goes straight from one time to another.
    fn pass(
        &mut self,
        keyed: &[Segment],
        curve: &Curve,
        [t0, y0]: [f64; 2],
        [t1, y1]: [f64; 2],
        drift: &mut Drift,
    ) {
        let (low, high) = (y0.min(y1), y0.max(y1));
        if low >= high {
            return self.segments.push(self.held(t0, t1, value_at(keyed, curve, y0)));
        }
        let (first, end) = (value(curve, 0), keyed.last().map_or(f64::INFINITY, |s| s.end));
        let start = keyed.first().map_or(f64::INFINITY, |s| s.start);
        let mut parts = Vec::new();
        if low < start {
            parts.push(self.held(low, start.min(high), first));
        }
        let within = keyed.partition_point(|s| s.end <= low);
        for segment in keyed.get(within..).unwrap_or_default().iter().take_while(|s| s.start < high) {
            cut(segment, low, high, self.width, drift, &mut parts);
        }
        if high > end {
            parts.push(self.held(end.max(low), high, value(curve, curve.len().saturating_sub(1))));
        }
        if y1 < y0 {
            parts.reverse();
        }
        let speed = (y1 - y0) / (t1 - t0);
        let time_at = |y: f64| {
            if y == y0 {
                t0
            } else if y == y1 {
                t1
            } else {
                // Rounding must not take what is just before the end behind it.
                (t0 + (y - y0) / speed).clamp(t0, t1)
            }
        };
        let moved = parts.into_iter().map(|part| {
            let (a, b) = if speed < 0.0 { (part.end, part.start) } else { (part.start, part.end) };
            part.moved(time_at(a), time_at(b), speed)
        });
        self.segments.extend(moved.filter(|s| s.length() > 0.0));
    }

    const fn held(&self, start: f64, end: f64, value: Value) -> Segment {
        Segment::straight(start, end, value, value, self.stay)
    }

    /// Put together from segments without gaps.
    pub(super) const fn of(width: usize, segments: Vec<Segment>, last: Value) -> Self {
        Self { width, stay: Law::STEP, segments, last }
    }

    /// Part of the curve between two times, with no end of a segment in between. A segment with an
    /// indivisible law stays whole.
    pub(super) fn part(&self, start: f64, end: f64) -> Segment {
        let position = self.segments.partition_point(|s| s.end <= start);
        match self.segments.get(position) {
            Some(segment) if segment.is_divisible() => {
                let part = segment.stretch(segment.share(start), segment.share(end));
                Segment { start, end, ..part }
            }
            Some(segment) => *segment,
            None => Segment::straight(start, end, self.last, self.last, Law::STEP),
        }
    }

    /// The timeline as a curve; with `spans` it has keys at both ends even if it holds its value there.
    pub(super) fn into_curve(self, spans: bool) -> Curve {
        let mut keys = CurveColumns { width: self.width, ..CurveColumns::default() };
        let segments = if spans { self.segments.as_slice() } else { self.moving() };
        let start = self.segments.first().map_or(0.0, |s| s.start);
        segments.iter().for_each(|segment| keys.add(segment));
        let end = segments.last().map_or(start, |s| s.end);
        keys.finish(end, self.last)
    }

    /// The segments without stretches at the ends that the first and the last key hold anyway.
    fn moving(&self) -> &[Segment] {
        let mut segments = self.segments.as_slice();
        while let [first, rest @ ..] = segments
            && let Some(next) = rest.first()
            && first.is_still()
            && narrow(first.from) == narrow(next.from)
        {
            segments = rest;
        }
        while let [rest @ .., last] = segments
            && last.is_still()
            && narrow(last.from) == narrow(self.last)
            && rest.last().is_none_or(|s| s.law.blend == Blend::Step || narrow(s.to) == narrow(self.last))
        {
            segments = rest;
        }
        segments
    }
}

fn value(curve: &Curve, key: usize) -> Value {
    wide(curve.value(key).unwrap_or_default())
}

fn wide(numbers: &[f32]) -> Value {
    std::array::from_fn(|i| numbers.get(i).copied().map_or(0.0, f64::from))
}

fn narrow(value: Value) -> [f32; 4] {
    value.map(|x| x as f32)
}

/// The value of a curve at a time; the last of several keys there counts.
fn value_at(keyed: &[Segment], curve: &Curve, time: f64) -> Value {
    let key = curve.times.count_until(Seconds(time));
    if key > 0 && curve.times.get(key - 1) == Some(Seconds(time)) || key == curve.len() {
        return value(curve, key.saturating_sub(1));
    }
    let position = keyed.partition_point(|s| s.end <= time);
    match keyed.get(position).filter(|s| s.start <= time) {
        Some(segment) => segment.at(segment.share(time)),
        None => value(curve, 0),
    }
}

/// The ways between keys at different times.
fn segments(curve: &Curve) -> Vec<Segment> {
    let width = curve.width;
    let handle = |column: fn(&Handles) -> &[f32], key: usize| {
        let numbers =
            curve.handles.as_deref().map(column).and_then(|c| c.get(key * width..(key + 1) * width));
        wide(numbers.unwrap_or_default())
    };
    let pairs = (1..curve.len()).filter_map(|key| {
        let (start, end) = (curve.times.get(key - 1)?.0, curve.times.get(key)?.0);
        let turn = curve.turns.as_ref().and_then(|turns| turns.get(key)).map_or([0.0; 4], |t| wide(t));
        let segment = Segment {
            start,
            end,
            from: value(curve, key - 1),
            to: value(curve, key),
            leaving: handle(|h| &h.leaving, key - 1),
            arriving: handle(|h| &h.arriving, key),
            turn,
            law: curve.laws.get(key - 1),
        };
        (start < end).then_some(segment)
    });
    pairs.collect()
}

/// The part of a segment between two times; straight pieces for laws whose parts follow another law.
fn cut(segment: &Segment, low: f64, high: f64, width: usize, drift: &mut Drift, parts: &mut Vec<Segment>) {
    let (a, b) = (segment.start.max(low), segment.end.min(high));
    if a >= b {
        return;
    }
    if a == segment.start && b == segment.end {
        return parts.push(*segment);
    }
    let (from, to) = (segment.share(a), segment.share(b));
    if segment.is_divisible() {
        let part = segment.stretch(from, to);
        return parts.push(Segment { start: a, end: b, ..part });
    }
    parts.extend(followed(a, b, width, &|time| segment.at(segment.share(time)), drift));
}

/// Columns of a curve under construction.
#[derive(Default)]
struct CurveColumns {
    width: usize,
    times: Vec<f64>,
    values: Vec<f32>,
    arriving: Vec<f32>,
    leaving: Vec<f32>,
    turns: Vec<[f32; 4]>,
    laws: Vec<Law>,
    /// The segment before.
    before: Option<Segment>,
}

impl CurveColumns {
    fn add(&mut self, segment: &Segment) {
        if let Some(before) = self.before
            && before.law.blend != Blend::Step
            && narrow(before.to) != narrow(segment.from)
        {
            self.key(before.end, before.to, Some(&before), None);
            // Nothing passes between two keys at one time: any law will do.
            self.laws.push(before.law);
            self.before = None;
        }
        let before = self.before.replace(*segment);
        self.key(segment.start, segment.from, before.as_ref(), Some(segment));
        self.laws.push(segment.law);
    }

    fn key(&mut self, time: f64, value: Value, before: Option<&Segment>, after: Option<&Segment>) {
        // A handle of no law is that of a rotation that stays, or of a number that does.
        let idle = if self.width == 4 { value } else { [0.0; 4] };
        let has_handles = |s: &&Segment| matches!(s.law.blend, Blend::Hermite | Blend::Squad | Blend::Turn);
        let arriving = before.filter(has_handles).map_or(idle, |s| s.arriving);
        let leaving = after.filter(has_handles).map_or(idle, |s| s.leaving);
        self.times.push(time);
        for (column, numbers) in
            [(&mut self.values, value), (&mut self.arriving, arriving), (&mut self.leaving, leaving)]
        {
            column.extend(narrow(numbers).iter().take(self.width));
        }
        self.turns.push(before.map_or([0.0; 4], |s| narrow(s.turn)));
    }

    fn finish(mut self, end: f64, last: Value) -> Curve {
        if let Some(before) = self.before.take() {
            let jumps = before.law.blend != Blend::Step && narrow(before.to) != narrow(last);
            if jumps {
                self.key(end, before.to, Some(&before), None);
                self.laws.push(before.law);
            }
            self.key(end, last, Some(&before).filter(|_| !jumps), None);
        } else {
            self.key(end, last, None, None);
        }
        let laws = match self.laws.is_empty() {
            true => Laws::uniform(Law::STEP),
            false => Laws::from_segments(self.laws),
        };
        let uses = |blends: &[Blend]| laws.runs().any(|law| blends.contains(&law.blend));
        let handles = uses(&[Blend::Hermite, Blend::Squad, Blend::Turn])
            .then(|| Box::new(Handles { arriving: self.arriving, leaving: self.leaving }));
        let turns = uses(&[Blend::Turn]).then(|| self.turns.into());
        let times = Times::Seconds(Arc::from(self.times));
        Curve { handles, turns, ..Curve::new(times, self.width, self.values, laws) }
    }
}
