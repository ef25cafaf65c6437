//! Positions of the keys of a target.

use super::lane::{CurveLane, Moment};

/// Positions of the keys of a target, and the losses they cause.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Plan {
    moments: Vec<Moment>,
    /// Bent jumps, which start at a key one frame before.
    pub(super) bent_jumps: usize,
    /// Segments written as straight lines although they are not straight.
    pub(super) straightened: usize,
    /// True if all values are the rest values.
    pub(super) is_at_rest: bool,
}

impl Plan {
    /// The plan for the lanes of one target: every lane gets a key wherever any lane has a key.
    pub(super) fn new(lanes: &[CurveLane<'_>]) -> Self {
        // Mostly all lanes have the same.
        let first = lanes.first().map_or(&[][..], CurveLane::frames);
        let different = lanes.iter().map(CurveLane::frames).filter(|frames| *frames != first);
        let mut frames: Vec<u32> = first.iter().chain(different.flatten()).copied().collect();
        frames.sort_unstable();
        frames.dedup();
        let mut plan = Self {
            is_at_rest: lanes.iter().all(CurveLane::is_at_rest),
            straightened: lanes.iter().map(|lane| lane.straightened(&frames)).sum(),
            ..Self::default()
        };
        if frames.first() != Some(&0) && lanes.iter().any(|lane| lane.start().is_some()) {
            plan.moments.push(Moment::Start);
        }
        for frame in frames {
            plan.jump(lanes, frame);
            plan.moments.push(Moment::At(frame));
        }
        plan
    }

    /// Adds a key with the old value for a jump, one frame earlier or on the same frame; a jump without room for
    /// such a key is counted as bent.
    fn jump(&mut self, lanes: &[CurveLane<'_>], frame: u32) {
        let mut jumping = lanes.iter().filter(|lane| lane.old_value(frame) != lane.value(Moment::At(frame)));
        if frame == 0 || jumping.clone().next().is_none() {
            return;
        }
        if lanes.iter().any(|lane| lane.is_double(frame)) {
            self.moments.push(Moment::First(frame));
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

    /// Each moment, and the frame of the moment before.
    pub(super) fn moments(&self) -> impl Iterator<Item = (Moment, Option<u32>)> {
        let before = self.moments.iter().map(|moment| Some(moment.frame()));
        self.moments.iter().copied().zip(std::iter::once(None).chain(before))
    }
}
