//! Numbers of frames that operations make of a clip, whatever its keys.

use crate::retime::{Pace, Retime};
use crate::{Operation, Reduce};
use dopesheet_core::model::Clip;
use dopesheet_core::units::FrameRate;

impl Operation {
    /// Number of frames that an operation makes of a clip or evaluates, computed before the operation; `None`
    /// if the work depends on the clip's keys alone.
    #[must_use]
    pub fn frames(&self, clip: &Clip) -> Option<u64> {
        let until_end = |rate: FrameRate| (rate.frame(clip.end()).floor() as u64).saturating_add(1);
        match self {
            Self::Resample(resample) => Some(until_end(resample.rate)),
            Self::Repeat(repeat) => Some(clip.most_keys().saturating_mul(repeat.times as u64)),
            Self::Retime(Retime { pace: Pace::Curve(map), .. }) => Some(map.points.len() as u64),
            Self::Reduce(Reduce { editable: true, .. }) => clip.grid.map(until_end),
            _ => None,
        }
    }
}
