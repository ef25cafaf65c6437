//! A component of a curve, or several, as keys on the grid.

use crate::vmd::curves::LINEAR;
use crate::vmd::info::{ID, INFO};
use dopesheet_core::diag::{ConvertError, ConvertErrorKind};
use dopesheet_core::model::{Blend, Composition, Curve, Law, Outside, Property, Times, Timing, Track};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_curve::{BezierTiming, bezier_timing, lerp, slerp};
use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

/// The grid of all keys.
pub(super) const GRID: FrameRate = FrameRate::FPS_30;

/// The components of a lane, followed by zeros.
pub(super) type Value = [f32; 4];

/// Some components of one curve, with the frames of its keys.
pub(super) struct CurveLane<'a> {
    curve: Option<&'a Curve>,
    frames: Rc<[u32]>,
    /// Number of keys until the last requested frame: most requests come in order.
    passed: Cell<usize>,
    part: Range<usize>,
    rest: Value,
    steps: bool,
}

/// The position of a new key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Moment {
    /// Frame 0, if the scene and MikuMikuDance differ in the value before the first key.
    Start,
    /// One frame early, with the old value: the jump then takes place within the following frame.
    Before(u32),
    /// At the first of several keys of a document on one frame: the old value, beside the new value.
    First(u32),
    /// At a key of the scene.
    At(u32),
}

impl Moment {
    pub(super) const fn frame(self) -> u32 {
        match self {
            Self::Start => 0,
            Self::Before(frame) => frame.saturating_sub(1),
            Self::First(frame) | Self::At(frame) => frame,
        }
    }
}

impl<'a> CurveLane<'a> {
    /// The components `part` of a curve; without a curve, the values are `rest`.
    pub(super) fn new(
        curve: Option<&'a Curve>,
        part: Range<usize>,
        rest: &[f32],
    ) -> Result<Self, ConvertError> {
        let frames = frames_of(curve)?.into();
        Ok(Self { curve, frames, passed: Cell::new(0), part, rest: padded(rest), steps: false })
    }

    /// The component after this lane's components; without a curve, its value is `rest`.
    pub(super) fn next(&self, rest: f32) -> Self {
        let part = self.part.end..self.part.end.saturating_add(1);
        Self { frames: self.frames.clone(), passed: Cell::new(0), part, rest: padded(&[rest]), ..*self }
    }

    /// The same lane for a target whose values only change at keys.
    pub(super) const fn stepping(mut self) -> Self {
        self.steps = true;
        self
    }

    pub(super) fn frames(&self) -> &[u32] {
        &self.frames
    }

    pub(super) fn value(&self, moment: Moment) -> Value {
        match moment {
            Moment::Start => self.start().unwrap_or(self.rest),
            Moment::Before(frame) | Moment::First(frame) if self.steps => self.held_before(frame),
            Moment::Before(frame) | Moment::First(frame) => self.old_value(frame),
            Moment::At(frame) => self.at(frame),
        }
    }

    /// Control points of the curve that leads from a frame to the key of a moment. They are taken from the
    /// scene if the segment in the scene starts at that frame or later; a split segment is straight.
    pub(super) fn arriving(&self, moment: Moment, from: Option<u32>) -> [u8; 4] {
        let (Moment::At(frame) | Moment::Before(frame) | Moment::First(frame)) = moment else {
            return LINEAR;
        };
        let Some(key) = self.first_at(frame) else { return LINEAR };
        match from {
            Some(from) if from > self.segment_to(key) => LINEAR,
            _ => control_points(self.law_to(key)),
        }
    }

    /// Position in its document of the key of a moment.
    pub(super) fn source(&self, moment: Moment) -> Option<u32> {
        let key = match moment {
            Moment::Start | Moment::Before(_) => None,
            Moment::First(frame) => self.first_at(frame),
            Moment::At(frame) => self.count_until(frame).checked_sub(1),
        };
        let key = key.filter(|key| self.frames.get(*key) == Some(&moment.frame()))?;
        self.curve?.source(key)
    }

    /// True if a document has two keys for a frame.
    pub(super) fn is_double(&self, frame: u32) -> bool {
        let [first, last] = [Moment::First(frame), Moment::At(frame)].map(|moment| self.source(moment));
        first.is_some() && last.is_some() && first != last
    }

    /// True if all values are the rest value.
    pub(super) fn is_at_rest(&self) -> bool {
        let keys = (0..self.frames.len()).all(|key| self.key(key) == self.rest);
        keys && self.start().is_none_or(|start| start == self.rest)
    }

    /// Number of segments written as straight lines although they are not straight: because VMD lacks their
    /// law, or because another lane has keys (`frames`, ascending) within them.
    pub(super) fn straightened(&self, frames: &[u32]) -> usize {
        let is_whole = *frames == *self.frames;
        let is_lost = |key: &usize| {
            let (law, start) = (self.law_to(*key), self.segment_to(*key));
            let end = self.frames[*key];
            let count = |is_before: &dyn Fn(&u32) -> bool| frames.partition_point(is_before);
            let is_split = || !is_whole && count(&|f| *f < end) > count(&|f| *f <= start);
            let is_known = law.blend == Blend::Step || INFO.capabilities.vector_laws.holds(law);
            start < end && (!is_known || (!law.timing.is_linear() && is_split()))
        };
        if self.steps { 0 } else { (0..self.frames.len()).filter(is_lost).count() }
    }

    /// The value at the end of the segment before a frame.
    pub(super) fn old_value(&self, frame: u32) -> Value {
        match self.first_at(frame).filter(|_| !self.steps) {
            Some(key) => match key.checked_sub(1) {
                Some(previous) if self.law_to(key).blend == Blend::Step => self.key(previous),
                _ => self.key(key),
            },
            None => self.at(frame),
        }
    }

    /// The value of a switch until a frame.
    fn held_before(&self, frame: u32) -> Value {
        match self.first_at(frame).map(|key| key.checked_sub(1)) {
            Some(Some(previous)) => self.key(previous),
            Some(None) => self.start().unwrap_or_else(|| self.key(0)),
            None => self.at(frame),
        }
    }

    /// The value at frame 0, unless MikuMikuDance comes to the same by itself.
    pub(super) fn start(&self) -> Option<Value> {
        let curve = self.curve.filter(|_| self.frames.first().is_some_and(|first| *first > 0))?;
        match &curve.before {
            Outside::Ramp { from, .. } => Some(self.part_of(from)).filter(|from| *from != self.rest),
            // Rest is where MikuMikuDance starts.
            _ => Some(self.key(0)).filter(|held| *held != self.rest),
        }
    }

    fn key(&self, key: usize) -> Value {
        self.curve.and_then(|curve| curve.value(key)).map_or(self.rest, |value| self.part_of(value))
    }

    fn part_of(&self, value: &[f32]) -> Value {
        value.get(self.part.clone()).map_or(self.rest, padded)
    }

    /// The value at a frame, on the new side of a jump.
    fn at(&self, frame: u32) -> Value {
        let Some(curve) = self.curve else { return self.rest };
        let next = self.count_until(frame);
        let is_key = next.checked_sub(1).and_then(|last| self.frames.get(last)) == Some(&frame);
        match (next.checked_sub(1), &curve.before) {
            (Some(last), _) if is_key || self.steps || next == self.frames.len() => self.key(last),
            (Some(last), _) => self.between(self.key(last), next, frame),
            (None, Outside::Ramp { from, .. }) if self.steps => self.part_of(from),
            (None, Outside::Ramp { from, .. }) => self.between(self.part_of(from), next, frame),
            (None, _) => self.key(0),
        }
    }

    /// A value within the segment to a key, for splitting the segment at another lane's key.
    fn between(&self, from: Value, key: usize, frame: u32) -> Value {
        let (to, law, start) = (self.key(key), self.law_to(key), self.segment_to(key));
        let (passed, whole) = (frame.saturating_sub(start), self.frames[key].saturating_sub(start));
        let u = eased(law.timing, f64::from(passed) / f64::from(whole.max(1)));
        match law.blend {
            Blend::Step => from,
            Blend::Slerp | Blend::Nlerp => slerp(from.map(f64::from), to.map(f64::from), u).map(|x| x as f32),
            _ => std::array::from_fn(|n| lerp(f64::from(from[n]), f64::from(to[n]), u) as f32),
        }
    }

    /// Number of keys until a frame.
    fn count_until(&self, frame: u32) -> usize {
        let is_it = |count: usize| {
            self.frames.split_at_checked(count).is_some_and(|(passed, rest)| {
                passed.last().is_none_or(|last| *last <= frame)
                    && rest.first().is_none_or(|next| *next > frame)
            })
        };
        let guess = self.passed.get();
        let count = match (is_it(guess), is_it(guess.saturating_add(1))) {
            (true, _) => guess,
            (false, true) => guess.saturating_add(1),
            (false, false) => self.frames.partition_point(|key_frame| *key_frame <= frame),
        };
        self.passed.set(count);
        count
    }

    /// The first of the keys at a frame.
    fn first_at(&self, frame: u32) -> Option<usize> {
        let until = self.frames.get(..self.count_until(frame)).unwrap_or_default();
        let count = until.iter().rev().take_while(|key_frame| **key_frame == frame).count();
        (count > 0).then(|| until.len() - count)
    }

    /// The first frame of the segment to a key.
    fn segment_to(&self, key: usize) -> u32 {
        key.checked_sub(1).and_then(|previous| self.frames.get(previous)).copied().unwrap_or(0)
    }

    /// The law of the segment to a key, or of the ramp to the first.
    fn law_to(&self, key: usize) -> Law {
        let Some(curve) = self.curve else { return Law::LINEAR };
        match (key.checked_sub(1), &curve.before) {
            (Some(segment), _) => curve.laws.get(segment),
            (None, Outside::Ramp { law, .. }) => *law,
            (None, _) => Law::LINEAR,
        }
    }
}

fn padded(value: &[f32]) -> Value {
    let mut padded = [0.0; 4];
    padded.iter_mut().zip(value).for_each(|(to, from)| *to = *from);
    padded
}

/// The frames of a curve's keys; empty without a curve.
pub(super) fn frames_of(curve: Option<&Curve>) -> Result<Vec<u32>, ConvertError> {
    match curve.map(|curve| &curve.times) {
        Some(Times::Frames { rate: GRID, frames })
            if frames.iter().all(|frame| u32::try_from(*frame).is_ok()) =>
        {
            Ok(frames.iter().map(|frame| *frame as u32).collect())
        }
        Some(times) => times.iter().map(frame_of).collect(),
        None => Ok(Vec::new()),
    }
}

fn frame_of(time: Seconds) -> Result<u32, ConvertError> {
    let frame = GRID.frame(time).round();
    if (0.0..=f64::from(u32::MAX)).contains(&frame) {
        return Ok(frame as u32);
    }
    let what = format!("expected a key from time 0 to frame {}, found one at {} s", u32::MAX, time.0);
    Err(ConvertError::new(ID, ConvertErrorKind::Unsupported(what)))
}

fn eased(timing: Timing, u: f64) -> f64 {
    match timing {
        Timing::Bezier { x1, y1, x2, y2 } => bezier_timing(&bezier(x1, y1, x2, y2), u),
        _ => u,
    }
}

fn bezier(x1: f32, y1: f32, x2: f32, y2: f32) -> BezierTiming {
    let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(f64::from);
    BezierTiming { x1, y1, x2, y2 }
}

/// The nearest control points representable in the file.
fn control_points(law: Law) -> [u8; 4] {
    match law.timing {
        Timing::Bezier { x1, y1, x2, y2 } if !law.timing.is_linear() && law.blend != Blend::Step => {
            bezier(x1, y1, x2, y2).to_bytes()
        }
        _ => LINEAR,
    }
}

/// The curves of a property: a single curve, or one per axis; empty if the track does not move the property.
pub(super) fn curves<'a>(track: &'a Track, property: &Property) -> Vec<&'a Curve> {
    let channel = track.channels.iter().find(|channel| channel.property == *property);
    match channel.map(|channel| &channel.composition) {
        Some(Composition::Whole(curve)) => vec![curve],
        Some(Composition::Components(curves)) => curves.iter().collect(),
        _ => Vec::new(),
    }
}
