//! Several curves in sequence, joined to a single curve.
//!
//! Keys stay as they are. If two curves meet with the same value, their keys there are merged; if the values
//! differ, both keys stay: at the same time, as a jump, or with a straight segment between them.

use dopesheet_core::model::{Blend, Curve, Handles, Law, Laws, Outside, Times, Weighted};
use dopesheet_core::units::{FrameRate, Seconds};
use std::sync::Arc;

/// Weight of a handle without a weight.
const THIRD: f32 = 1.0 / 3.0;

/// A curve to be joined with others.
#[derive(Clone, Copy)]
pub(crate) struct CurvePart<'a> {
    /// The curve, which holds its ends, or runs to its first key from the start of its part.
    pub(crate) curve: &'a Curve,
    /// Time by which the curve's keys move later.
    pub(crate) later: Seconds,
    /// Start of the part, in time of the joined curve.
    pub(crate) start: Seconds,
    /// End of the part, in time of the joined curve.
    pub(crate) end: Seconds,
    /// True if the keys are the document's; else they are copies, or keys of another file.
    pub(crate) is_own: bool,
    /// True if the part begins with the last pose of the part before.
    pub(crate) meets: bool,
    /// True if the part only holds that pose, and so adds nothing.
    pub(crate) is_silent: bool,
}

/// A key of the result: its value and its two sides, each from a key of a part.
struct JoinedKey {
    at: f64,
    value: (usize, usize),
    /// The keys with the handles of the two sides; `None` for a straight line.
    arriving: Option<(usize, usize)>,
    leaving: Option<(usize, usize)>,
    source: Option<u32>,
}

/// The value of a curve at the start of its part.
pub(crate) fn first_value(curve: &Curve) -> &[f32] {
    match &curve.before {
        Outside::Ramp { from, .. } if from.len() == curve.width => from,
        _ => curve.value(0).unwrap_or_default(),
    }
}

/// The value of a curve at its end.
pub(crate) fn last_value(curve: &Curve) -> &[f32] {
    curve.len().checked_sub(1).and_then(|last| curve.value(last)).unwrap_or_default()
}

/// The curve with its ramp to the first key, if it has a ramp, turned into a segment.
pub(crate) fn unrolled(curve: &Curve) -> Curve {
    match curve.before {
        Outside::Ramp { .. } => dopesheet_motion::keys::cut::unrolled(curve)
            .unwrap_or_else(|| Curve { before: Outside::Hold, ..curve.clone() }),
        _ => curve.clone(),
    }
}

/// All parts as a single curve. The curves must have equal widths, and keys.
pub(crate) fn joined(parts: &[CurvePart<'_>]) -> Option<Curve> {
    let last = parts.last()?;
    let mut rolled: Vec<Curve> = Vec::with_capacity(parts.len());
    for (at, part) in parts.iter().enumerate() {
        let is_in_place = at == 0 && part.later.0 == 0.0;
        rolled.push(if is_in_place { part.curve.clone() } else { unrolled(part.curve) });
    }
    let before = rolled.first()?.before.clone();
    let mut making = Making { parts, curves: &rolled, rows: Vec::new(), laws: Vec::new() };
    for at in 0..parts.len() {
        making.add(at);
    }
    let mut joined_curve = making.curve();
    joined_curve.before = before;
    joined_curve.after = last.curve.after.clone();
    Some(joined_curve)
}

struct Making<'a> {
    parts: &'a [CurvePart<'a>],
    /// The curves of the parts; only the first may have a ramp to its first key.
    curves: &'a [Curve],
    rows: Vec<JoinedKey>,
    laws: Vec<Law>,
}

impl Making<'_> {
    fn value(&self, (part, key): (usize, usize)) -> &[f32] {
        self.curves.get(part).and_then(|curve| curve.value(key)).unwrap_or_default()
    }

    /// Time of a key in the result; a time within rounding of its part's start or end is moved there.
    fn time(&self, part: usize, key: usize) -> f64 {
        let (Some(part), Some(curve)) = (self.parts.get(part), self.curves.get(part)) else { return 0.0 };
        let time = curve.times.get(key).map_or(0.0, |time| time.0) + part.later.0;
        let is_at = |end: f64| (time - end).abs() <= 1e-9 * end.abs().max(1.0);
        match () {
            () if is_at(part.start.0) => part.start.0,
            () if is_at(part.end.0) => part.end.0,
            () => time,
        }
    }

    fn add(&mut self, at: usize) {
        let (Some(part), Some(curve)) = (self.parts.get(at), self.curves.get(at)) else { return };
        let mut from = 0;
        if let Some(last) = self.rows.last() {
            let (value, time, first) = (last.value, last.at, self.time(at, 0));
            let ends =
                at.checked_sub(1).and_then(|before| self.parts.get(before)).map_or(time, |part| part.end.0);
            match (part.meets, part.is_silent) {
                (true, true) => return,
                (true, false) if time == first => {
                    let source = if part.is_own { curve.source(0) } else { None };
                    if let Some(last) = self.rows.last_mut() {
                        last.leaving = Some((at, 0));
                        last.source = last.source.or(source);
                    }
                    from = 1;
                }
                (true, false) => self.connect(value),
                (false, _) => {
                    if time < ends {
                        self.hold(value, ends);
                    }
                    self.connect(value);
                    if part.start.0 < first {
                        let row = JoinedKey {
                            at: part.start.0,
                            value: (at, 0),
                            arriving: None,
                            leaving: None,
                            source: None,
                        };
                        self.rows.push(row);
                        self.laws.push(self.straight((at, 0)));
                    }
                }
            }
        }
        for key in from..curve.len() {
            if key > 0 {
                self.laws.push(curve.laws.get(key - 1));
            }
            // What is joined to the key by a straight way arrives by it.
            let arriving = (key > 0 || self.rows.is_empty()).then_some((at, key));
            let source = if part.is_own { curve.source(key) } else { None };
            self.rows.push(JoinedKey {
                at: self.time(at, key),
                value: (at, key),
                arriving,
                leaving: Some((at, key)),
                source,
            });
        }
    }

    /// Adds a key that holds a value until a time.
    fn hold(&mut self, value: (usize, usize), until: f64) {
        self.connect(value);
        self.rows.push(JoinedKey { at: until, value, arriving: None, leaving: None, source: None });
    }

    /// Begins a straight way from the last key.
    fn connect(&mut self, value: (usize, usize)) {
        if let Some(last) = self.rows.last_mut() {
            last.leaving = None;
        }
        self.laws.push(self.straight(value));
    }

    /// The law of a straight segment beside a key, in the kind of the neighbouring segments.
    fn straight(&self, (part, key): (usize, usize)) -> Law {
        let Some(curve) = self.curves.get(part) else { return Law::LINEAR };
        let law = curve.laws.get(key.min(curve.len().saturating_sub(2)));
        match law.blend {
            Blend::Step => Law::STEP,
            Blend::Hermite => Law::HERMITE,
            Blend::WeightedBezier => Law::WEIGHTED,
            Blend::Slerp | Blend::Squad | Blend::Turn => Law::SLERP,
            Blend::Lerp => Law::LINEAR,
            Blend::Nlerp => Law { blend: Blend::Nlerp, ..Law::LINEAR },
        }
    }

    fn curve(&self) -> Curve {
        let width = self.curves.first().map_or(1, |curve| curve.width);
        let values: Vec<f32> = self.rows.iter().flat_map(|row| self.value(row.value)).copied().collect();
        let has = |test: fn(&Curve) -> bool| self.curves.iter().any(test);
        let has_sources = self.parts.iter().any(|part| part.curve.sources.is_some());
        Curve {
            times: self.times(),
            width,
            laws: match self.laws.is_empty() {
                true => self.curves.first().map_or(Laws::uniform(Law::LINEAR), |curve| curve.laws.clone()),
                false => Laws::from_segments(self.laws.iter().copied()),
            },
            handles: has(|curve| curve.handles.is_some()).then(|| Box::new(self.slopes(&values, width))),
            weights: has(|curve| curve.weights.is_some()).then(|| Box::new(self.weights(width))),
            weighted: has(|curve| curve.weighted.is_some()).then(|| self.weighted()),
            turns: has(|curve| curve.turns.is_some()).then(|| self.turns()),
            before: Outside::Hold,
            after: Outside::Hold,
            jump: self.curves.first().map_or_else(Default::default, |curve| curve.jump),
            sources: has_sources.then(|| Arc::new(self.rows.iter().map(|row| row.source).collect())),
            values,
        }
    }

    fn times(&self) -> Times {
        let rate = self.curves.first().and_then(|curve| match curve.times {
            Times::Frames { rate, .. } => Some(rate),
            Times::Seconds(_) => None,
        });
        let is_framed = |rate: FrameRate| {
            self.curves.iter().all(
                |curve| matches!(curve.times, Times::Frames { rate: part_rate, .. } if part_rate == rate),
            )
        };
        if let Some(rate) = rate.filter(|rate| is_framed(*rate)) {
            let whole = |row: &JoinedKey| rate.whole_frame(Seconds(row.at));
            if let Some(frames) = self.rows.iter().map(whole).collect::<Option<Vec<i64>>>() {
                return Times::Frames { rate, frames: frames.into() };
            }
        }
        Times::Seconds(self.rows.iter().map(|row| row.at).collect())
    }

    /// A side of the handles of a key of a part.
    fn side(&self, of: (usize, usize), column: fn(&Curve) -> Option<&[f32]>) -> Option<&[f32]> {
        let curve = self.curves.get(of.0)?;
        column(curve)?.get(of.1 * curve.width..(of.1 + 1) * curve.width)
    }

    fn slopes(&self, values: &[f32], width: usize) -> Handles {
        let straight = |from: usize, component: usize| {
            let ends = self.rows.get(from).zip(self.rows.get(from + 1));
            let (Some((a, b)), Some(x), Some(y)) =
                (ends, values.get(from * width + component), values.get((from + 1) * width + component))
            else {
                return 0.0;
            };
            let slope = (f64::from(*y) - f64::from(*x)) / (b.at - a.at);
            if slope.is_finite() { slope as f32 } else { 0.0 }
        };
        let (mut arriving, mut leaving) = (Vec::new(), Vec::new());
        for (at, row) in self.rows.iter().enumerate() {
            for (from_key, column, to, from) in [
                (
                    row.arriving,
                    arriving_slopes as fn(&Curve) -> Option<&[f32]>,
                    &mut arriving,
                    at.checked_sub(1),
                ),
                (row.leaving, leaving_slopes, &mut leaving, Some(at)),
            ] {
                match from_key.and_then(|from_key| self.side(from_key, column)) {
                    Some(slopes) => to.extend_from_slice(slopes),
                    None => to.extend(
                        (0..width).map(|component| from.map_or(0.0, |from| straight(from, component))),
                    ),
                }
            }
        }
        Handles { arriving, leaving }
    }

    fn weights(&self, width: usize) -> Handles {
        let of = |from_key: Option<(usize, usize)>, column| {
            from_key
                .and_then(|from_key| self.side(from_key, column))
                .map_or(vec![THIRD; width], <[f32]>::to_vec)
        };
        Handles {
            arriving: self.rows.iter().flat_map(|row| of(row.arriving, arriving_weights)).collect(),
            leaving: self.rows.iter().flat_map(|row| of(row.leaving, leaving_weights)).collect(),
        }
    }

    fn weighted(&self) -> Box<[Weighted]> {
        let counts = |from_key: Option<(usize, usize)>| {
            let (part, key) = from_key?;
            let curve = self.curves.get(part)?;
            // Without a list all weights count.
            Some(curve.weighted.as_deref().map_or(
                Weighted { arriving: curve.weights.is_some(), leaving: curve.weights.is_some() },
                |all| all.get(key).copied().unwrap_or(Weighted::NONE),
            ))
        };
        let row = |row: &JoinedKey| Weighted {
            arriving: counts(row.arriving).is_some_and(|counts| counts.arriving),
            leaving: counts(row.leaving).is_some_and(|counts| counts.leaving),
        };
        self.rows.iter().map(row).collect()
    }

    fn turns(&self) -> Box<[[f32; 4]]> {
        let turn = |row: &JoinedKey| {
            let (part, key) = row.arriving?;
            self.curves.get(part)?.turns.as_deref()?.get(key).copied()
        };
        self.rows.iter().map(|row| turn(row).unwrap_or_default()).collect()
    }
}

fn arriving_slopes(curve: &Curve) -> Option<&[f32]> {
    curve.handles.as_deref().map(|handles| handles.arriving.as_slice())
}

fn leaving_slopes(curve: &Curve) -> Option<&[f32]> {
    curve.handles.as_deref().map(|handles| handles.leaving.as_slice())
}

fn arriving_weights(curve: &Curve) -> Option<&[f32]> {
    curve.weights.as_deref().map(|weights| weights.arriving.as_slice())
}

fn leaving_weights(curve: &Curve) -> Option<&[f32]> {
    curve.weights.as_deref().map(|weights| weights.leaving.as_slice())
}
