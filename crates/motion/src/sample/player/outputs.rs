//! Channels of a clip that count, and the positions of their values in a pose.

use super::pose::{COLUMNS, Layout, ROTATION, SCALE};
use crate::sample::evaluate::{Side, channel_at};
use dopesheet_core::model::{Channel, Clip, NodeIndex, PoseRelation, Property, Scene, Transform};
use dopesheet_core::units::Seconds;
use std::ops::Range;

/// Numbers of a channel that is not part of a joint's transform, within those of a pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Index of the track in [`Clip::tracks`].
    pub track: usize,
    /// Index of the channel in that track.
    pub channel: usize,
    /// Index of the first number in [`SoaPose::numbers`](super::SoaPose::numbers).
    pub start: usize,
    /// Number of numbers.
    pub width: usize,
}

impl Slot {
    /// Indices of its numbers in [`SoaPose::numbers`](super::SoaPose::numbers).
    pub(crate) const fn range(&self) -> Range<usize> {
        self.start..self.start.saturating_add(self.width)
    }
}

/// Part of a pose that a channel writes.
#[derive(Clone, Debug)]
pub(super) enum Output {
    /// The transform of a joint.
    Joint {
        joint: usize,
        /// The transform below the channel's value.
        base: Box<Transform>,
        /// True of translation, rotation and scale unless a later channel writes them.
        parts: [bool; 3],
    },
    /// The numbers of a slot.
    Numbers { start: usize, width: usize },
}

impl Output {
    /// Indices of all written numbers.
    pub(super) fn indices(&self, layout: Layout) -> Vec<u32> {
        match self {
            Self::Numbers { start, width, .. } => {
                (*start..start.saturating_add(*width)).map(|index| index as u32).collect()
            }
            Self::Joint { joint, parts, .. } => {
                let columns = [0..ROTATION, ROTATION..SCALE, SCALE..COLUMNS].into_iter().zip(parts);
                let columns = columns.filter(|(_, is_written)| **is_written).flat_map(|(columns, _)| columns);
                columns.map(|column| layout.index(column, *joint) as u32).collect()
            }
        }
    }
}

/// The channels that count, each with its output.
pub(super) struct PlayedChannels<'a> {
    pub channels: Vec<(&'a Channel, Output)>,
    pub slots: Vec<Slot>,
    pub layout: Layout,
}

/// Parts of a joint's transform (translation, rotation, scale) set by a value of a property; `None` for other
/// properties.
fn parts(property: &Property, width: usize) -> Option<[bool; 3]> {
    match (property, width) {
        (Property::Translation, 3) => Some([true, false, false]),
        (Property::Rotation, 4) => Some([false, true, false]),
        (Property::Scale, 3) => Some([false, false, true]),
        (Property::Placement, 7) => Some([true, true, false]),
        _ => None,
    }
}

impl<'a> PlayedChannels<'a> {
    /// Of several channels that move the same part of a joint, the last counts.
    pub(super) fn new(scene: &Scene, clip: &'a Clip) -> Self {
        let layout = Layout { joints: scene.nodes.len(), numbers: 0 };
        let mut this = Self { channels: Vec::new(), slots: Vec::new(), layout };
        let mut value = Vec::new();
        for (index, track) in clip.tracks.iter().enumerate() {
            let node =
                track.target.node.and_then(|NodeIndex(node)| Some((node, scene.nodes.get(node)?.rest)));
            for (place, channel) in track.channels.iter().enumerate() {
                if !channel_at(channel, Seconds(0.0), Side::At, &mut value) {
                    continue;
                }
                let output = match (parts(&channel.property, value.len()), node) {
                    (Some(parts), Some((joint, rest))) => {
                        let base = match clip.relation {
                            PoseRelation::Absolute => Transform::IDENTITY,
                            PoseRelation::OnTopOfRest => rest,
                        };
                        Output::Joint { joint, base: Box::new(base), parts }
                    }
                    _ => this.numbers(index, place, value.len()),
                };
                this.channels.push((channel, output));
            }
        }
        this.drop_overruled();
        this
    }

    fn numbers(&mut self, track: usize, channel: usize, width: usize) -> Output {
        let start = self.layout.numbers;
        self.layout.numbers = start.saturating_add(width);
        self.slots.push(Slot { track, channel, start, width });
        Output::Numbers { start: self.layout.numbers_start().saturating_add(start), width }
    }

    fn drop_overruled(&mut self) {
        let mut taken = vec![[false; 3]; self.layout.joints];
        for (_, output) in self.channels.iter_mut().rev() {
            if let Output::Joint { joint, parts, .. } = output
                && let Some(taken) = taken.get_mut(*joint)
            {
                for (part, taken) in parts.iter_mut().zip(taken) {
                    let counts = *part && !*taken;
                    *taken |= *part;
                    *part = counts;
                }
            }
        }
        self.channels
            .retain(|(_, output)| !matches!(output, Output::Joint { parts: [false, false, false], .. }));
    }
}
