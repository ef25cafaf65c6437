//! What a comparison yields.

use super::{GAZE, MODEL_SPACE};
use dopesheet_core::diag::ErrorUnit;
use dopesheet_core::model::{Hierarchy, TargetKind};
use dopesheet_core::units::Seconds;

/// How far two animations are apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Apart {
    /// Whether both know who hangs on whom; else each joint was compared by itself.
    pub hierarchy: Hierarchy,
    /// How far around each joint points were looked at, in metres.
    pub shell_m: f64,
    /// The last time that was compared.
    pub end: Seconds,
    /// How many times the comparison covers, those of different channels counted each: times at which it was made, and such
    /// at which a channel is known to be nearer than at another one.
    pub moments: usize,
    /// Whether no difference is above its limit, and nothing moves in one only.
    pub is_within: bool,
    /// The difference that takes the largest share of its limit; `None` if there is no difference at all.
    pub worst: Option<Worst>,
    /// What moves in either, and joints that nothing moves but that are farther apart than allowed; the largest share
    /// of a limit first.
    pub tracks: Vec<TrackApart>,
    /// What moves in A and not in B, and is not what B shows instead.
    pub only_in_a: Vec<Lone>,
    /// What moves in B and not in A, and is not what A shows instead.
    pub only_in_b: Vec<Lone>,
}

/// Something that moves in one animation only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lone {
    /// Its name in the model.
    pub target: String,
    /// What sort of thing it is.
    pub kind: TargetKind,
    /// Its number in its source.
    pub index: usize,
}

/// The largest difference of all.
#[derive(Clone, Debug, PartialEq)]
pub struct Worst {
    /// Whose.
    pub target: String,
    /// What sort of thing that is.
    pub kind: TargetKind,
    /// The difference itself.
    pub difference: Difference,
    /// Of a joint: how far a point around it is off in model space, in metres.
    pub model_space_m: Option<f64>,
    /// Of a joint: the angle between its rotations in model space at the same time, in radians.
    pub rotation_rad: Option<f64>,
}

/// The largest differences of one target.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackApart {
    /// Its name in the model.
    pub target: String,
    /// What sort of thing it is.
    pub kind: TargetKind,
    /// Its number in the source of A, or of B where A does not move it.
    pub index: usize,
    /// One for each channel; of joints `model-space` first, then relative to the parent.
    pub channels: Vec<Difference>,
}

/// The largest difference of one channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The word of its property; `model-space` for points around a joint; `gaze` for the direction, in model space, of
    /// what looks or shines.
    pub channel: String,
    /// Which of the channel's values, where they have names (morphs).
    pub component: Option<String>,
    /// How large, in `unit`; infinite where one side has numbers that are none.
    pub value: f64,
    /// What it is counted in.
    pub unit: ErrorUnit,
    /// When it is largest.
    pub time: Seconds,
    /// How large it may be; `None` for what `model-space` stands for.
    pub limit: Option<f64>,
}

impl Difference {
    /// How much of its limit it takes; above 1 is too much. 0 without a limit.
    #[must_use]
    pub fn share(&self) -> f64 {
        match self.limit {
            Some(limit) if self.value > 0.0 => self.value / limit,
            _ => 0.0,
        }
    }
}

impl TrackApart {
    /// The largest share of a limit.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.channels.iter().map(Difference::share).fold(0.0, f64::max)
    }

    /// The share of their limits that its place and its direction in model space take; `None` for what has no place.
    pub(crate) fn placed_share(&self) -> Option<f64> {
        let is_placed = |channel: &&Difference| [MODEL_SPACE, GAZE].contains(&channel.channel.as_str());
        let has_place = self.channels.iter().any(|channel| channel.channel == MODEL_SPACE);
        has_place.then(|| self.channels.iter().filter(is_placed).map(Difference::share).fold(0.0, f64::max))
    }
}
