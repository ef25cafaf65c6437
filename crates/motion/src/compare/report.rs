//! The result of a comparison.

use super::{GAZE, MODEL_SPACE};
use dopesheet_core::diag::ErrorUnit;
use dopesheet_core::model::{Hierarchy, NodeIndex, TargetKind};
use dopesheet_core::order::by_number;
use dopesheet_core::units::Seconds;

/// Measured differences of two animations.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Known if both sides know their hierarchy; else each joint was compared by itself.
    pub hierarchy: Hierarchy,
    /// Radius in metres around each joint within which points count.
    pub shell_m: f64,
    /// The last time that was compared.
    pub end: Seconds,
    /// Number of sample times.
    pub samples: usize,
    /// True if no difference is above its limit, and nothing moves in one only.
    pub is_within: bool,
    /// The difference that takes the largest share of its limit; `None` if there is no difference at all.
    pub largest: Option<LargestDifference>,
    /// The joint around which points are displaced most, also one that nothing moves but what it hangs on; `None` without joints.
    pub farthest: Option<LargestDifference>,
    /// All that moves in either, and joints that nothing moves but that differ by more than allowed; the largest share
    /// of a limit first.
    pub tracks: Vec<TrackDifference>,
    /// Targets that move in A and not in B, and are not what B shows instead.
    pub only_in_a: Vec<Unmatched>,
    /// Targets that move in B and not in A, and are not what A shows instead.
    pub only_in_b: Vec<Unmatched>,
}

impl Comparison {
    /// What is compared in model space of some nodes of A, with a comparison of everything else.
    pub(crate) fn of_nodes(mut self, nodes: &[NodeIndex], others: Option<Self>) -> Self {
        let is_one = |track: &TrackDifference| track.node.is_some_and(|node| nodes.contains(&node));
        self.tracks.retain(is_one);
        let in_model = |channel: &ChannelDifference| [MODEL_SPACE, GAZE].contains(&channel.channel.as_str());
        self.tracks.iter_mut().for_each(|track| track.channels.retain(in_model));
        if let Some(others) = others {
            self.samples = self.samples.max(others.samples);
            self.tracks.extend(others.tracks.into_iter().filter(|track| !is_one(track)));
        }
        (self.only_in_a, self.only_in_b) = (Vec::new(), Vec::new());
        by_number(&mut self.tracks, |track| -track.share());
        self.is_within = self.tracks.iter().all(|track| track.share() <= 1.0);
        let all = || self.tracks.iter().flat_map(|track| track.channels.iter().map(move |own| (track, own)));
        let largest = |(track, difference): (&TrackDifference, &ChannelDifference)| LargestDifference {
            target: track.target.clone(),
            kind: track.kind,
            difference: difference.clone(),
            model_space_m: None,
            rotation_rad: None,
        };
        let most = all().max_by(|a, b| a.1.share().total_cmp(&b.1.share()));
        let placed =
            all().filter(|(track, own)| track.kind == TargetKind::Joint && own.channel == MODEL_SPACE);
        let farthest = placed.max_by(|a, b| a.1.value.total_cmp(&b.1.value));
        (self.largest, self.farthest) = (most.map(largest), farthest.map(largest));
        self
    }
}

/// A target that moves in one animation only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmatched {
    /// Its name in the model.
    pub target: String,
    /// Its kind.
    pub kind: TargetKind,
    /// Its number in its source.
    pub index: usize,
}

/// The largest difference of all.
#[derive(Clone, Debug, PartialEq)]
pub struct LargestDifference {
    /// Name of its target in the model.
    pub target: String,
    /// Kind of its target.
    pub kind: TargetKind,
    /// The difference itself.
    pub difference: ChannelDifference,
    /// Of a joint: displacement of a point around it in model space, in metres.
    pub model_space_m: Option<f64>,
    /// Of a joint: the angle between its rotations in model space at the same time, in radians.
    pub rotation_rad: Option<f64>,
}

/// The largest differences of one target.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackDifference {
    /// Its name in the model.
    pub target: String,
    /// Its kind.
    pub kind: TargetKind,
    /// Its number in the source of A, or of B where A does not move it.
    pub index: usize,
    /// Its joint in A, if it is one.
    pub node: Option<NodeIndex>,
    /// One for each channel; of joints `model-space` first, then relative to the parent.
    pub channels: Vec<ChannelDifference>,
}

/// The largest difference of one channel.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelDifference {
    /// The word of its property; `model-space` for points around a joint; `gaze` for the direction, in model space, of
    /// what looks or shines.
    pub channel: String,
    /// Name of the value within the channel, where values have names (morphs).
    pub component: Option<String>,
    /// The difference in `unit`; infinite where one side has numbers that are none.
    pub value: f64,
    /// Unit of the difference and its limit.
    pub unit: ErrorUnit,
    /// The time at which it is largest.
    pub time: Seconds,
    /// Largest difference that is within the tolerance; `None` for what `model-space` stands for.
    pub limit: Option<f64>,
}

impl ChannelDifference {
    /// Share of its limit that it takes; above 1 is too much. 0 without a limit.
    #[must_use]
    pub fn share(&self) -> f64 {
        match self.limit {
            Some(limit) if self.value > 0.0 => self.value / limit,
            _ => 0.0,
        }
    }
}

impl TrackDifference {
    /// The largest share of a limit.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.channels.iter().map(ChannelDifference::share).fold(0.0, f64::max)
    }

    /// The larger share of their limits that its place and its direction in model space take, and when; `None` for what has no place.
    pub(crate) fn placed_share(&self) -> Option<(f64, Seconds)> {
        let is_placed =
            |channel: &&ChannelDifference| [MODEL_SPACE, GAZE].contains(&channel.channel.as_str());
        let has_place = self.channels.iter().any(|channel| channel.channel == MODEL_SPACE);
        let placed = self.channels.iter().filter(is_placed).map(|channel| (channel.share(), channel.time));
        has_place
            .then(|| placed.fold((0.0, Seconds(0.0)), |most, own| if own.0 > most.0 { own } else { most }))
    }
}
