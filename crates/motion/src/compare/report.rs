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
    /// The last compared time.
    pub end: Seconds,
    /// Number of sample times.
    pub samples: usize,
    /// True if no difference is above its limit, and no target moves in only one of the animations.
    pub is_within: bool,
    /// The difference with the largest share of its limit; `None` if there is no difference at all.
    pub largest: Option<LargestDifference>,
    /// The joint with the largest displacement of points around it, also a joint moved by its ancestors
    /// alone; `None` without joints.
    pub farthest: Option<LargestDifference>,
    /// All targets that move in either, and joints without movement that differ by more than allowed; the
    /// largest share of a limit first.
    pub tracks: Vec<TrackDifference>,
    /// Targets that move in A and not in B, without a channel of B in their place.
    pub only_in_a: Vec<Unmatched>,
    /// Targets that move in B and not in A, without a channel of A in their place.
    pub only_in_b: Vec<Unmatched>,
}

impl Comparison {
    /// The differences of some nodes of A in model space, with a comparison of all other targets.
    pub(crate) fn of_nodes(mut self, nodes: &[NodeIndex], other_targets: Option<Self>) -> Self {
        let is_one = |track: &TrackDifference| track.node.is_some_and(|node| nodes.contains(&node));
        self.tracks.retain(is_one);
        let in_model = |channel: &ChannelDifference| [MODEL_SPACE, GAZE].contains(&channel.channel.as_str());
        self.tracks.iter_mut().for_each(|track| track.channels.retain(in_model));
        if let Some(other_targets) = other_targets {
            self.samples = self.samples.max(other_targets.samples);
            self.tracks.extend(other_targets.tracks.into_iter().filter(|track| !is_one(track)));
        }
        (self.only_in_a, self.only_in_b) = (Vec::new(), Vec::new());
        by_number(&mut self.tracks, |track| -track.share());
        self.is_within = self.tracks.iter().all(|track| track.share() <= 1.0);
        let all = || self.tracks.iter().flat_map(|track| track.channels.iter().map(move |c| (track, c)));
        let largest = |(track, difference): (&TrackDifference, &ChannelDifference)| LargestDifference {
            target: track.target.clone(),
            kind: track.kind,
            difference: difference.clone(),
            model_space_m: None,
            rotation_rad: None,
        };
        let greatest = all().max_by(|a, b| a.1.share().total_cmp(&b.1.share()));
        let placed = all().filter(|(track, c)| track.kind == TargetKind::Joint && c.channel == MODEL_SPACE);
        let farthest = placed.max_by(|a, b| a.1.value.total_cmp(&b.1.value));
        (self.largest, self.farthest) = (greatest.map(largest), farthest.map(largest));
        self
    }
}

/// A target that moves in one animation only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmatched {
    /// Name of the target in the model.
    pub target: String,
    /// Kind of the target.
    pub kind: TargetKind,
    /// Number of the target in its source.
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
    /// Of a joint: displacement of a point around the joint in model space, in metres.
    pub model_space_m: Option<f64>,
    /// Of a joint: the angle between both rotations in model space at the same time, in radians.
    pub rotation_rad: Option<f64>,
}

/// The largest differences of one target.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackDifference {
    /// Name of the target in the model.
    pub target: String,
    /// Kind of the target.
    pub kind: TargetKind,
    /// Number of the target in the source of A, or of B where A does not move it.
    pub index: usize,
    /// Joint of the target in A, if any.
    pub node: Option<NodeIndex>,
    /// One difference for each channel; of joints `model-space` first, then relative to the parent.
    pub channels: Vec<ChannelDifference>,
}

/// The largest difference of one channel.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelDifference {
    /// The word of the channel's property; `model-space` for points around a joint; `gaze` for the direction
    /// of a camera, a light or a ray, in model space.
    pub channel: String,
    /// Name of the value within the channel, where values have names (morphs).
    pub component: Option<String>,
    /// The difference in `unit`; infinite where one side has values that are not numbers.
    pub value: f64,
    /// Unit of the difference and its limit.
    pub unit: ErrorUnit,
    /// The time of the largest difference.
    pub time: Seconds,
    /// Largest difference within the tolerance; `None` for channels represented by `model-space`.
    pub limit: Option<f64>,
}

impl ChannelDifference {
    /// The difference as a share of its limit; above 1 is too much. 0 without a limit.
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

    /// The larger share of its limit, of the target's position and its direction in model space, and its
    /// time; `None` for targets without a position.
    pub(crate) fn placed_share(&self) -> Option<(f64, Seconds)> {
        let is_placed =
            |channel: &&ChannelDifference| [MODEL_SPACE, GAZE].contains(&channel.channel.as_str());
        let has_place = self.channels.iter().any(|channel| channel.channel == MODEL_SPACE);
        let placed = self.channels.iter().filter(is_placed).map(|channel| (channel.share(), channel.time));
        has_place
            .then(|| placed.fold((0.0, Seconds(0.0)), |most, own| if own.0 > most.0 { own } else { most }))
    }
}
