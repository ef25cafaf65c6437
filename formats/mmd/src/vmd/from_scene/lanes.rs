//! From curves to keys: at which frames they must stand, with which values and arriving curves.

use crate::vmd::curves::LINEAR;
use crate::vmd::info::{ID, INFO};
use dopesheet_core::diag::{ConvertError, ConvertErrorKind};
use dopesheet_core::model::{Blend, Curve, Law, Outside, Timing};
use dopesheet_core::units::{FrameRate, Seconds};
use dopesheet_curve::BezierTiming;
use std::ops::Range;

/// The grid of all keys.
pub(super) const GRID: FrameRate = FrameRate::FPS_30;

/// Some components of one curve, with the frames of its keys.
pub(super) struct Lane<'a> {
    curve: Option<&'a Curve>,
    frames: Vec<u32>,
    part: Range<usize>,
    rest: &'a [f32],
}

/// A place where a key goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Moment {
    /// Frame 0, where the scene says otherwise than MikuMikuDance what comes before the first key.
    Start,
    /// One frame early, with the old value: a jump takes place within the frame that follows.
    Before(u32),
    /// At a key of the scene.
    At(u32),
}

impl Moment {
    pub(super) const fn frame(self) -> u32 {
        match self {
            Self::Start => 0,
            Self::Before(frame) => frame.saturating_sub(1),
            Self::At(frame) => frame,
        }
    }
}

impl<'a> Lane<'a> {
    /// The components `part` of a curve, which is at `rest` where there is no curve.
    pub(super) fn new(
        curve: Option<&'a Curve>,
        part: Range<usize>,
        rest: &'a [f32],
    ) -> Result<Self, ConvertError> {
        Ok(Self { curve, frames: frames_of(curve)?, part, rest })
    }

    pub(super) fn value(&self, moment: Moment) -> &'a [f32] {
        match moment {
            Moment::Start => self.start().unwrap_or(self.rest),
            Moment::Before(frame) => self.old_value(frame),
            Moment::At(frame) => self.key(self.last(frame)),
        }
    }

    /// Control points of the curve by which the key of a moment is arrived at.
    pub(super) fn arriving(&self, moment: Moment, follows_jump: bool) -> [u8; 4] {
        match moment {
            Moment::Start => LINEAR,
            Moment::At(_) if follows_jump => LINEAR,
            Moment::At(frame) | Moment::Before(frame) => control_points(self.law(frame)),
        }
    }

    /// Whether all values are the rest value.
    fn is_at_rest(&self) -> bool {
        let keys = (0..self.frames.len()).all(|key| self.key(key) == self.rest);
        keys && self.start().is_none_or(|start| start == self.rest)
    }

    /// How many segments follow a law that VMD lacks.
    fn foreign_laws(&self) -> usize {
        let segments = 1..self.frames.len();
        let laws = segments.filter_map(|end| self.curve.map(|curve| curve.laws.get(end - 1)));
        laws.filter(|law| law.blend != Blend::Step && !INFO.capabilities.vector_laws.holds(*law)).count()
    }

    fn key(&self, key: usize) -> &'a [f32] {
        let value = self.curve.and_then(|curve| curve.value(key)).and_then(|v| v.get(self.part.clone()));
        value.unwrap_or(self.rest)
    }

    /// The first key at or after a frame.
    fn first(&self, frame: u32) -> usize {
        self.frames.partition_point(|f| *f < frame).min(self.frames.len().saturating_sub(1))
    }

    /// The last key at or before a frame.
    fn last(&self, frame: u32) -> usize {
        self.frames.partition_point(|f| *f <= frame).saturating_sub(1)
    }

    fn law(&self, frame: u32) -> Law {
        let Some(curve) = self.curve else { return Law::LINEAR };
        match (self.first(frame).checked_sub(1), &curve.before) {
            (Some(segment), _) => curve.laws.get(segment),
            (None, Outside::Ramp { law, .. }) => *law,
            (None, _) => Law::LINEAR,
        }
    }

    /// The value that the segment before a frame runs to.
    fn old_value(&self, frame: u32) -> &'a [f32] {
        let first = self.first(frame);
        match first.checked_sub(1) {
            Some(previous) if self.law(frame).blend == Blend::Step => self.key(previous),
            _ => self.key(first),
        }
    }

    /// The value at frame 0, unless MikuMikuDance comes to the same by itself.
    fn start(&self) -> Option<&'a [f32]> {
        let curve = self.curve.filter(|_| self.frames.first().is_some_and(|first| *first > 0))?;
        match &curve.before {
            Outside::Ramp { from, .. } => from.get(self.part.clone()).filter(|from| *from != self.rest),
            _ => Some(self.key(0)),
        }
    }

    /// A curve of one key holds; all others must have a key wherever their target has one.
    fn has_key(&self, frame: u32) -> bool {
        self.frames.len() < 2 || self.frames.binary_search(&frame).is_ok()
    }
}

/// Where the keys of a target go, and what that costs.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Plan {
    pub(super) moments: Vec<Moment>,
    /// Jumps that are bent: they start at a key one frame before.
    pub(super) bent_jumps: usize,
    /// Segments whose law is written as a straight line.
    pub(super) foreign_laws: usize,
    /// Whether all values are the rest values.
    pub(super) is_at_rest: bool,
}

impl Plan {
    /// The plan for the lanes of one target.
    pub(super) fn new(lanes: &[Lane<'_>]) -> Result<Self, ConvertError> {
        let mut frames: Vec<u32> = lanes.iter().flat_map(|lane| &lane.frames).copied().collect();
        frames.sort_unstable();
        frames.dedup();
        let mut plan = Self {
            is_at_rest: lanes.iter().all(Lane::is_at_rest),
            foreign_laws: lanes.iter().map(Lane::foreign_laws).sum(),
            ..Self::default()
        };
        if lanes.iter().any(|lane| lane.start().is_some()) {
            plan.moments.push(Moment::Start);
        }
        for frame in frames {
            if !lanes.iter().all(|lane| lane.has_key(frame)) {
                return Err(separate_times(frame));
            }
            plan.jump(lanes, frame);
            plan.moments.push(Moment::At(frame));
        }
        Ok(plan)
    }

    /// The key that a jump at a frame needs one frame earlier.
    fn jump(&mut self, lanes: &[Lane<'_>], frame: u32) {
        let mut jumping = lanes.iter().filter(|lane| lane.old_value(frame) != lane.value(Moment::At(frame)));
        if frame == 0 || jumping.clone().next().is_none() {
            return;
        }
        match self.moments.last() {
            Some(previous) if previous.frame() + 1 == frame => {
                let is_there = jumping.all(|lane| lane.value(*previous) == lane.old_value(frame));
                self.bent_jumps += usize::from(!is_there);
            }
            _ => self.moments.push(Moment::Before(frame)),
        }
    }

    /// Each moment, and whether a jump leads to it.
    pub(super) fn moments(&self) -> impl Iterator<Item = (Moment, bool)> {
        let before = std::iter::once(None).chain(self.moments.iter().map(Some));
        before.zip(&self.moments).map(|(before, now)| (*now, matches!(before, Some(Moment::Before(_)))))
    }
}

/// The frames of a curve's keys; none without a curve.
pub(super) fn frames_of(curve: Option<&Curve>) -> Result<Vec<u32>, ConvertError> {
    curve.into_iter().flat_map(|curve| curve.times.iter()).map(frame_of).collect()
}

fn frame_of(time: Seconds) -> Result<u32, ConvertError> {
    let frame = GRID.frame(time).round();
    if (0.0..=f64::from(u32::MAX)).contains(&frame) {
        return Ok(frame as u32);
    }
    Err(refused(format!("expected a key from time 0 to frame {}, found one at {} s", u32::MAX, time.0)))
}

fn separate_times(frame: u32) -> ConvertError {
    refused(format!("expected curves that share their key times, found one without a key at frame {frame}"))
}

fn refused(what: String) -> ConvertError {
    ConvertError::new(ID, ConvertErrorKind::Unsupported(what))
}

/// The nearest control points that the file can hold.
fn control_points(law: Law) -> [u8; 4] {
    match law.timing {
        Timing::Bezier { x1, y1, x2, y2 } if !law.timing.is_linear() && law.blend != Blend::Step => {
            let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(f64::from);
            BezierTiming { x1, y1, x2, y2 }.to_bytes()
        }
        _ => LINEAR,
    }
}
