//! Which channels of a clip count, and where their values go.

use super::clip::Slot;
use super::exact::Goal;
use super::output::Layout;
use crate::sample::evaluate::{Side, channel_at};
use dopesheet_core::model::{Channel, Clip, NodeIndex, PoseRelation, Property, Scene, Transform};
use dopesheet_core::units::Seconds;

/// The channels that count.
pub(super) struct Wanted<'a> {
    pub channels: Vec<(&'a Channel, Goal)>,
    pub slots: Vec<Slot>,
    pub layout: Layout,
}

/// Which of translation, rotation and scale a value of some length sets, if it is one of a joint's.
fn parts(property: &Property, width: usize) -> Option<[bool; 3]> {
    match (property, width) {
        (Property::Translation, 3) => Some([true, false, false]),
        (Property::Rotation, 4) => Some([false, true, false]),
        (Property::Scale, 3) => Some([false, false, true]),
        (Property::Placement, 7) => Some([true, true, false]),
        _ => None,
    }
}

impl<'a> Wanted<'a> {
    /// Of several channels that move the same part of a joint, the last counts.
    pub(super) fn new(scene: &Scene, clip: &'a Clip) -> Self {
        let layout = Layout { joints: scene.nodes.len(), numbers: 0 };
        let mut this = Self { channels: Vec::new(), slots: Vec::new(), layout };
        let mut value = Vec::new();
        for (track, moved) in clip.tracks.iter().enumerate() {
            for (channel, it) in moved.channels.iter().enumerate() {
                if !channel_at(it, Seconds(0.0), Side::At, &mut value) {
                    continue;
                }
                let rest =
                    moved.target.node.and_then(|NodeIndex(node)| Some((node, scene.nodes.get(node)?.rest)));
                let goal = match (parts(&it.property, value.len()), rest) {
                    (Some(parts), Some((joint, rest))) => {
                        let base = match clip.relation {
                            PoseRelation::Absolute => Transform::IDENTITY,
                            PoseRelation::OnTopOfRest => rest,
                        };
                        Goal::Joint { joint, base: Box::new(base), parts }
                    }
                    _ => this.slot(track, channel, value.len()),
                };
                this.channels.push((it, goal));
            }
        }
        this.drop_overruled();
        this
    }

    fn slot(&mut self, track: usize, channel: usize, width: usize) -> Goal {
        let start = self.layout.numbers;
        self.layout.numbers += width;
        self.slots.push(Slot { track, channel, start, width });
        Goal::Numbers { start: self.layout.numbers_start() + start, width }
    }

    fn drop_overruled(&mut self) {
        let mut taken = vec![[false; 3]; self.layout.joints];
        for (_, goal) in self.channels.iter_mut().rev() {
            if let Goal::Joint { joint, parts, .. } = goal
                && let Some(taken) = taken.get_mut(*joint)
            {
                for (part, taken) in parts.iter_mut().zip(taken) {
                    let counts = *part && !*taken;
                    *taken |= *part;
                    *part = counts;
                }
            }
        }
        self.channels.retain(|(_, goal)| !matches!(goal, Goal::Joint { parts: [false, false, false], .. }));
    }
}
