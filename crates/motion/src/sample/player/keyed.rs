//! Curves that hold at their ends, as plain keys with a timing each.

use super::timing::Code;
use dopesheet_core::model::{Blend, Curve, JumpSide, Law, Outside, Times, Timing};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_curve as curve;

/// Largest magnitude of a number that is played in f32: differences and products of two of them are finite.
pub(super) const LARGEST: f32 = 1e18;

/// A curve that holds its first value before and its last after its keys.
pub(super) struct Keyed<'a> {
    curve: &'a Curve,
    /// The grid of the times, or none for seconds.
    pub axis: Option<FrameRate>,
    /// Seconds or frames.
    pub times: Vec<f64>,
    pub jump: JumpSide,
    /// The value and the law of a ramp, which is the first key then.
    ramp: Option<(&'a [f32], Law)>,
}

/// How the value runs between keys, the timing apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Straight,
    /// Quaternions on the chord.
    Chord,
    Cubic,
}

impl<'a> Keyed<'a> {
    /// `None` for curves that need the reference evaluator: those that repeat, break a rule, or hold numbers that f32 cannot
    /// be reckoned with.
    pub(super) fn new(curve: &'a Curve) -> Option<Self> {
        let is_plain = curve.validate().is_ok()
            && !curve.is_empty()
            && curve.after == Outside::Hold
            && curve.values.iter().all(|v| v.abs() <= LARGEST);
        if !is_plain {
            return None;
        }
        let (axis, mut times) = match &curve.times {
            Times::Seconds(times) => (None, times.to_vec()),
            Times::Frames { rate, frames } => (Some(*rate), frames.iter().map(|f| *f as f64).collect()),
        };
        let first = curve.times.get(0)?;
        let mut ramp = None;
        match &curve.before {
            Outside::Ramp { start, from, law } if start.0 < first.0 && from.len() == curve.width => {
                times.insert(0, place(*start, axis)?);
                ramp = from.iter().all(|v| v.abs() <= LARGEST).then_some((&**from, *law));
                ramp?;
            }
            Outside::Hold | Outside::Ramp { .. } => {}
            Outside::Loop | Outside::PingPong => return None,
        }
        Some(Self { curve, axis, times, jump: curve.jump, ramp })
    }

    /// The law of every segment.
    pub(super) fn laws(&self) -> impl Iterator<Item = Law> + '_ {
        let segments = self.curve.len().saturating_sub(1);
        self.ramp.iter().map(|(_, law)| *law).chain((0..segments).map(|segment| self.curve.laws.get(segment)))
    }

    /// The one shape of all segments that do not step; `None` if there are several or others.
    pub(super) fn shape(&self, is_rotation: bool) -> Option<Shape> {
        let mut shape = None;
        for law in self.laws() {
            let this = match (law.blend, is_rotation) {
                (Blend::Step, _) => continue,
                (Blend::Lerp, false) | (Blend::Slerp, true) => Shape::Straight,
                (Blend::Nlerp, true) => Shape::Chord,
                (Blend::Hermite, false) => Shape::Cubic,
                _ => return None,
            };
            shape = match shape {
                // A line is a cubic too.
                None | Some(Shape::Straight) if !is_rotation => Some(this),
                Some(Shape::Cubic) => shape,
                Some(other) if other != this => return None,
                _ => Some(this),
            };
        }
        Some(shape.unwrap_or(Shape::Straight))
    }

    /// One timing code per segment, or none if all are even.
    pub(super) fn codes(&self, listed: &mut Vec<Timing>) -> Option<Vec<Code>> {
        let codes: Vec<Code> = self.laws().map(|law| Code::new(law, listed)).collect();
        codes.iter().any(|code| *code != Code::LINEAR).then_some(codes)
    }

    /// One component of every key.
    pub(super) fn numbers(&self, component: usize) -> impl Iterator<Item = f64> + '_ {
        let ramp = self.ramp.iter().filter_map(move |(from, _)| from.get(component));
        let keys = self.curve.values.iter().skip(component).step_by(self.curve.width);
        ramp.chain(keys).map(|v| f64::from(*v))
    }

    /// Every key as a rotation after `base`, each on the same half of the sphere as the one before.
    pub(super) fn rotations(&self, base: [f64; 4]) -> Vec<[f32; 4]> {
        let ramp = self.ramp.iter().filter_map(|(from, _)| from.first_chunk());
        let keys = self.curve.values.as_chunks::<4>().0;
        let mut last: Option<[f64; 4]> = None;
        let mut out = Vec::with_capacity(self.times.len());
        for key in ramp.chain(keys) {
            let key = curve::quat_normalise_or_identity(key.map(f64::from));
            let key = match last {
                Some(last) if nearness(last, key) < 0.0 => key.map(|v| -v),
                _ => key,
            };
            last = Some(key);
            out.push(turned(base, key).map(|v| v as f32));
        }
        out
    }

    /// Polynomials of one component in the share of each segment, and one for the last key. Those with a bound on
    /// what f32 can hold; `None` beyond.
    pub(super) fn cubics(
        &self,
        component: usize,
        scale: f64,
        offset: f64,
    ) -> Option<(Vec<[f32; 4]>, Vec<bool>)> {
        let values: Vec<f64> = self.numbers(component).map(|v| v * scale + offset).collect();
        let shift = usize::from(self.ramp.is_some());
        let (mut cubics, mut holds) = (Vec::with_capacity(values.len()), Vec::new());
        for (segment, (law, ends)) in self.laws().zip(values.windows(2)).enumerate() {
            let &[from, to] = ends else { continue };
            let slopes = segment.checked_sub(shift).filter(|_| law.blend == Blend::Hermite);
            let [leaving, arriving] = match slopes {
                Some(key) => self.slopes(key, component)?.map(|slope| slope * scale),
                None => [to - from; 2],
            };
            let is_held = leaving.is_infinite() || arriving.is_infinite();
            let [leaving, arriving] = if is_held { [to - from; 2] } else { [leaving, arriving] };
            let bend = [3.0 * (to - from) - 2.0 * leaving - arriving, leaving + arriving - 2.0 * (to - from)];
            let cubic = [from, leaving, bend[0], bend[1]].map(|v| v as f32);
            if cubic.iter().any(|v| v.is_nan() || v.abs() > LARGEST) {
                return None;
            }
            cubics.push(cubic);
            holds.push(is_held);
        }
        cubics.push([values.last().copied().unwrap_or_default() as f32, 0.0, 0.0, 0.0]);
        Some((cubics, holds))
    }

    /// Slopes at both ends of a segment, per segment; what is not a number counts as 0.
    fn slopes(&self, key: usize, component: usize) -> Option<[f64; 2]> {
        let handles = self.curve.handles.as_ref()?;
        let length = self.curve.times.get(key + 1)?.0 - self.curve.times.get(key)?.0;
        let slope = |column: &[f32], key: usize| {
            let slope = f64::from(*column.get(key * self.curve.width + component)?);
            Some(if slope.is_nan() { 0.0 } else { slope * length })
        };
        let slopes = [slope(&handles.leaving, key)?, slope(&handles.arriving, key + 1)?];
        // An infinite slope over no time.
        Some(slopes.map(|slope| if slope.is_nan() { 0.0 } else { slope }))
    }
}

/// A time on an axis, if it can be told exactly.
fn place(time: Seconds, axis: Option<FrameRate>) -> Option<f64> {
    let Some(rate) = axis else { return Some(time.0) };
    let frame = rate.frame(time);
    (frame.fract() == 0.0 && rate.seconds(frame) == time).then_some(frame)
}

/// The scalar product in the order of [`curve::slerp`], which decides about half turns.
fn nearness(a: [f64; 4], b: [f64; 4]) -> f64 {
    a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn turned(base: [f64; 4], by: [f64; 4]) -> [f64; 4] {
    (glam::DQuat::from_array(base) * glam::DQuat::from_array(by)).to_array()
}
