//! Motions: targets, and the channels that move them.

use super::channel::{Channel, Property};
use super::curve::Curve;
use super::index::NodeIndex;
use super::key_times::Times;
use crate::units::{FrameRate, Seconds};
use std::collections::HashSet;

/// A named motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    /// `None` if the source has no name for the clip.
    pub name: Option<String>,
    /// Name in the source, if programs give the name to every clip, as `Take 001`, so that the name of the file says more.
    pub stored_name: Option<String>,
    /// The model that the clip was made for, if the source names a model; see
    /// [`Scene::name`](super::Scene::name).
    pub made_for: Option<String>,
    /// From time 0 to here; keys may lie outside.
    pub duration: Seconds,
    /// All moving targets. Tracks of equal targets may repeat if the source repeats them.
    pub tracks: Vec<Track>,
    /// Moments with a name, in the order of the source.
    pub markers: Vec<Marker>,
    /// The frame grid of the source's keys, if the source has one.
    pub grid: Option<FrameRate>,
    /// Behaviour of a player at the end.
    pub looping: Looping,
    /// Frame of reference of translations, rotations and scales of nodes.
    pub relation: PoseRelation,
    /// True if the source knows only positions of joints, so that their rotations mean nothing.
    pub places_only: bool,
    /// Channels whose keys nobody authored: motion solved for a rig, and curves that a reader put together.
    pub solved: HashSet<SolvedChannel>,
    /// Data meaningful only to the source's format, as JSON; opaque to all others.
    pub source: Option<serde_json::Value>,
}

impl Clip {
    /// End of the clip, in seconds from 0 up: 0 if the duration is negative, infinite or not a number.
    #[must_use]
    pub const fn end(&self) -> Seconds {
        let Seconds(duration) = self.duration;
        Seconds(if duration.is_finite() { duration.max(0.0) } else { 0.0 })
    }

    /// True if the clip lasts at most one frame of its grid.
    #[must_use]
    pub fn is_single_frame(&self) -> bool {
        self.grid.is_some_and(|rate| rate.frame(self.end()) <= 1.0 + FrameRate::SNAP_FRAMES)
    }

    /// All channels, track by track.
    pub fn channels(&self) -> impl Iterator<Item = &Channel> + Clone {
        self.tracks.iter().flat_map(|track| &track.channels)
    }

    /// All curves, channel by channel.
    pub fn curves(&self) -> impl Iterator<Item = &Curve> {
        self.channels().flat_map(|channel| channel.composition.curves())
    }

    /// True if nobody authored the keys of any of a node's properties in [`solved`](Self::solved).
    #[must_use]
    pub fn has_solved(&self, node: NodeIndex) -> bool {
        self.solved.iter().any(|channel| channel.node == node)
    }

    /// Number of keys of all channels; curves that share a list of times count once.
    #[must_use]
    pub fn key_count(&self) -> usize {
        let mut count = 0;
        for channel in self.channels() {
            let mut lists: Vec<&Times> = Vec::new();
            for curve in channel.composition.curves() {
                if !lists.iter().any(|list| list.is_same_list(&curve.times)) {
                    lists.push(&curve.times);
                    count += curve.len();
                }
            }
        }
        count
    }

    /// Number of numbers in the values of all channels at a single time.
    #[must_use]
    pub fn numbers(&self) -> u64 {
        self.channels().map(Channel::numbers).sum()
    }

    /// Number of keys of the curve with the most keys.
    #[must_use]
    pub fn most_keys(&self) -> u64 {
        self.curves().map(Curve::len).max().unwrap_or_default() as u64
    }

    /// Number of frames at a rate from 0 to the clip's end, or to the last key if that is later; at least
    /// one.
    #[must_use]
    pub fn frame_count(&self, rate: FrameRate) -> usize {
        let last_key =
            self.curves().filter_map(|curve| curve.times.span()).map(|span| span.1.0).fold(0.0, f64::max);
        let end = rate.frame(self.end()).max(rate.frame(Seconds(last_key)).round()).max(0.0);
        (end as usize).saturating_add(1)
    }
}

/// A channel of a node whose keys nobody authored.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SolvedChannel {
    /// The node.
    pub node: NodeIndex,
    /// The property of the channel.
    pub property: Property,
}

impl SolvedChannel {
    /// All channels that place a node.
    pub fn placing(node: NodeIndex) -> impl Iterator<Item = Self> {
        let all = [Property::Translation, Property::Rotation, Property::Scale];
        all.into_iter().map(move |property| Self { node, property })
    }
}

/// Behaviour of a player at the end of a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Looping {
    /// The source does not say.
    #[default]
    Unspecified,
    /// Stay at the last pose.
    Once,
    /// Start again.
    Loop,
}

impl Looping {
    /// The behaviour in a word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Unspecified => "unspecified",
            Self::Once => "once",
            Self::Loop => "loop",
        }
    }
}

/// Frame of reference of the values of joint channels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PoseRelation {
    /// They replace the rest transform.
    #[default]
    Absolute,
    /// They come on top of the rest transform: translations are added, rotations multiplied from the right,
    /// scales multiplied.
    OnTopOfRest,
}

/// A moment with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// When.
    pub time: Seconds,
    /// Name; may be empty.
    pub name: String,
    /// Further data of the marker.
    pub data: Option<serde_json::Value>,
}

/// All channels of a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// The moving target.
    pub target: Target,
    /// Channels; at most one per property.
    pub channels: Vec<Channel>,
}

/// The target of a track.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Kind of the target.
    pub kind: TargetKind,
    /// The target's name in the model, by which motions and models are matched.
    pub name: String,
    /// The target's label in the source, if it differs from the name.
    pub label: Option<String>,
    /// The target's number in the source (glTF node, bone index, position in a list), which distinguishes
    /// equal names.
    pub index: usize,
    /// Its node in the same scene.
    pub node: Option<NodeIndex>,
}

impl Target {
    /// A target without a separate label.
    #[must_use]
    pub fn new(kind: TargetKind, name: impl Into<String>, index: usize, node: Option<NodeIndex>) -> Self {
        Self { kind, name: name.into(), label: None, index, node }
    }

    /// Name in the source.
    #[must_use]
    pub fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.name)
    }
}

/// The kinds of targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TargetKind {
    /// A node of the hierarchy.
    Joint,
    /// A morph of a mesh, or all morphs of a node's mesh.
    Morph,
    /// A camera.
    Camera,
    /// A light.
    Light,
    /// A tracked hand as a whole.
    Hand,
    /// Switches and numbers without a place in space.
    Custom,
}

impl TargetKind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Joint, Self::Morph, Self::Camera, Self::Light, Self::Hand, Self::Custom];

    /// The word used in JSON output.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Joint => "joint",
            Self::Morph => "morph",
            Self::Camera => "camera",
            Self::Light => "light",
            Self::Hand => "hand",
            Self::Custom => "custom",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clip_whose_duration_is_no_time_ends_at_0() {
        let end = |duration| Clip { duration: Seconds(duration), ..Clip::default() }.end().0;
        assert_eq!([2.5, -1.0, f64::INFINITY, f64::NAN].map(end), [2.5, 0.0, 0.0, 0.0]);
        let endless = Clip { duration: Seconds(f64::INFINITY), ..Clip::default() };
        assert_eq!(endless.frame_count(FrameRate::FPS_30), 1);
    }
}
