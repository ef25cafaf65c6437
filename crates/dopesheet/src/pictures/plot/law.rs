//! Curves as paths: laws that are cubic in time are drawn exactly, all others point by point.

use super::axis::Axis;
use super::canvas::Short;
use dopesheet_core::model::{Blend, Curve, Outside};
use dopesheet_core::units::Seconds;
use dopesheet_motion::{Cubic, Side, cubic, curve_at};
use std::fmt::Write;

/// Pixels between two points of a law that no path can express.
const STEP: f64 = 2.0;
/// Most points of a segment.
const MOST_POINTS: f64 = 400.0;

/// Position of times and values in the picture.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) time: Axis,
    pub(super) value: Axis,
}

impl Frame {
    pub(super) fn point(&self, time: f64, value: f64) -> String {
        format!("{} {}", Short(self.time.at(time)), Short(self.value.at(value)))
    }
}

/// A line from a key to its handle.
pub(super) struct Handle {
    pub(super) key: [f64; 2],
    /// Time and value of its end.
    pub(super) end: [f64; 2],
}

/// A component of a curve.
pub(super) struct Component<'a> {
    pub(super) curve: &'a Curve,
    pub(super) index: usize,
}

impl Component<'_> {
    pub(super) fn time(&self, key: usize) -> Option<f64> {
        self.curve.times.get(key).map(|t| t.0)
    }

    pub(super) fn value(&self, key: usize) -> Option<f64> {
        self.curve.value(key)?.get(self.index).map(|v| f64::from(*v))
    }

    /// The whole curve, held at both ends as far as the picture goes.
    pub(super) fn path(&self, frame: &Frame) -> String {
        let mut path = String::new();
        let (Some(first), Some(value)) = (self.time(0), self.value(0)) else { return path };
        let holds = |rule: &Outside| *rule == Outside::Hold;
        let start = if holds(&self.curve.before) { frame.time.from.min(first) } else { first };
        let _ = write!(path, "M{}L{}", frame.point(start, value), frame.point(first, value));
        for key in 0..self.curve.len().saturating_sub(1) {
            self.segment(&mut path, frame, key);
        }
        if holds(&self.curve.after) {
            let _ = write!(path, "H{}", Short(frame.time.at(frame.time.to)));
        }
        path
    }

    fn segment(&self, path: &mut String, frame: &Frame, key: usize) {
        let (Some(a), Some(b)) = (self.time(key), self.time(key + 1)) else { return };
        let (Some(from), Some(to)) = (self.value(key), self.value(key + 1)) else { return };
        let end = frame.point(b, to);
        let law = self.curve.laws.get(key);
        let _ = match (law.blend, law.timing) {
            _ if a == b => write!(path, "L{end}"),
            (Blend::Step, _) => write!(path, "H{}L{end}", Short(frame.time.at(b))),
            (Blend::Lerp, timing) if timing.is_linear() || from == to => write!(path, "L{end}"),
            _ => match self.cubic(key) {
                Some(cubic) => {
                    let [c, d] = [cubic.leaving, cubic.arriving].map(|[t, v]| frame.point(t, v));
                    write!(path, "C{c} {d} {end}")
                }
                None => {
                    self.points(path, frame, a, b);
                    write!(path, "L{end}")
                }
            },
        };
    }

    fn cubic(&self, key: usize) -> Option<Cubic> {
        cubic(self.curve, self.index, key)
    }

    fn points(&self, path: &mut String, frame: &Frame, a: f64, b: f64) {
        let mut value = Vec::new();
        for time in between(&frame.time, a, b) {
            curve_at(self.curve, Seconds(time), Side::At, &mut value);
            let component = value.get(self.index).copied().unwrap_or_default();
            let _ = write!(path, "L{}", frame.point(time, component));
        }
    }

    /// The handles of all keys in segments at least `pixels` wide.
    pub(super) fn handles(&self, frame: &Frame, pixels: f64) -> Vec<Handle> {
        let is_wide =
            |cubic: &Cubic| (frame.time.at(cubic.to[0]) - frame.time.at(cubic.from[0])).abs() >= pixels;
        let moves = |cubic: &Cubic| cubic.from[1] != cubic.to[1] || cubic.leaving[1] != cubic.from[1];
        let curved = |key: &usize| {
            let law = self.curve.laws.get(*key);
            law.blend != Blend::Lerp || !law.timing.is_linear()
        };
        let segments = (0..self.curve.len().saturating_sub(1)).filter(curved);
        let cubics = segments.filter_map(|key| self.cubic(key)).filter(is_wide).filter(moves);
        let both = |c: Cubic| [Handle { key: c.from, end: c.leaving }, Handle { key: c.to, end: c.arriving }];
        cubics.flat_map(both).collect()
    }

    /// Least and largest value, control points included, so that the whole curve is in range.
    pub(super) fn bounds(&self) -> impl Iterator<Item = f64> {
        let keys = (0..self.curve.len()).filter_map(|key| self.value(key));
        let cubics = (0..self.curve.len().saturating_sub(1)).filter_map(|key| self.cubic(key));
        keys.chain(cubics.flat_map(|c| bulge(&c))).filter(|v| v.is_finite())
    }
}

/// Values of a cubic at ninths of its parameter.
fn bulge(cubic: &Cubic) -> impl Iterator<Item = f64> + use<> {
    let [a, b, c, d] = [cubic.from[1], cubic.leaving[1], cubic.arriving[1], cubic.to[1]];
    (1..9).map(move |n| {
        let u = f64::from(n) / 9.0;
        let w = 1.0 - u;
        w * w * w * a + 3.0 * u * w * w * b + 3.0 * u * u * w * c + u * u * u * d
    })
}

/// Times inside a segment, `STEP` pixels apart.
pub(super) fn between(time: &Axis, a: f64, b: f64) -> impl Iterator<Item = f64> + use<> {
    let count = ((b - a) * time.pixels_per_unit() / STEP).ceil().clamp(1.0, MOST_POINTS);
    (1..count as usize).map(move |n| a + (b - a) * n as f64 / count)
}
