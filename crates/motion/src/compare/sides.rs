//! Both animations, by the player at many times and by the reference evaluator at a few.

use super::{Animation, Course};
use crate::sample::moving::changes;
use crate::sample::player::CompiledClip;
use crate::sample::pose::apply;
use crate::sample::{Side as Approach, channel_at};
use dopesheet_core::model::{Channel, NodeIndex, PoseRelation, Property, Transform};
use dopesheet_core::units::Seconds;
use glam::{DAffine3, DQuat, DVec3};

/// One of two compared animations.
pub(super) struct Side<'a> {
    pub(super) animation: Animation<'a>,
    pub(super) player: CompiledClip,
    /// For each node, its parent; `None` where joints are compared each by itself.
    pub(super) parents: Vec<Option<usize>>,
    /// For each node, true of its translation, its rotation and its scale if it moves in this part relative
    /// to its parent.
    pub(super) moves: Vec<[bool; 3]>,
    /// For each node, true if never scaled relative to its parent.
    pub(super) is_rigid: Vec<bool>,
    /// For each node, the channels that place it.
    channels: Vec<Vec<&'a Channel>>,
    /// Course from the times of the comparison to those of the animation; `None` if both are the same.
    pub(super) course: Option<&'a Course>,
}

/// Local transform of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Local {
    pub(super) translation: DVec3,
    pub(super) rotation: DQuat,
    pub(super) scale: DVec3,
}

impl Local {
    pub(super) fn of(transform: &Transform) -> Self {
        Self {
            translation: transform.translation.into(),
            rotation: DQuat::from_array(dopesheet_curve::quat_normalise_or_identity(transform.rotation)),
            scale: transform.scale.into(),
        }
    }

    /// As an affine matrix: scale first, then rotation, then translation.
    pub(super) fn matrix(&self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

impl<'a> Side<'a> {
    pub(super) fn new(animation: Animation<'a>, in_model_space: bool, course: Option<&'a Course>) -> Self {
        let Animation { scene, clip } = animation;
        let mut channels = vec![Vec::new(); scene.nodes.len()];
        for track in &clip.tracks {
            if let Some(own) = track.target.node.and_then(|NodeIndex(node)| channels.get_mut(node)) {
                own.extend(track.channels.iter());
            }
        }
        let parent = |(index, node): (usize, &dopesheet_core::model::Node)| {
            node.parent.map(|parent| parent.0).filter(|parent| in_model_space && *parent < index)
        };
        let moves = channels.iter().map(|own| {
            let moving = own.iter().filter(|channel| changes(channel));
            moving.fold([false; 3], |all, channel| {
                let parts = parts(&channel.property);
                std::array::from_fn(|part| all.get(part) == Some(&true) || parts.get(part) == Some(&true))
            })
        });
        let is_rigid = scene.nodes.iter().zip(&channels).map(|(node, own)| {
            node.rest.scale == [1.0; 3] && own.iter().all(|channel| channel.property != Property::Scale)
        });
        Self {
            animation,
            player: CompiledClip::new(scene, clip),
            parents: scene.nodes.iter().enumerate().map(parent).collect(),
            moves: moves.collect(),
            is_rigid: is_rigid.collect(),
            channels,
            course,
        }
    }

    /// Time of the animation at a time of the comparison.
    pub(super) fn shown(&self, time: f64) -> Seconds {
        Seconds(self.course.map_or(time, |course| course.shown(time)))
    }

    /// A node and all its ancestors.
    pub(super) fn chain(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(node), |node| self.parents.get(*node).copied().flatten())
    }

    /// Rest transform of a node relative to its parent.
    pub(super) fn rest(&self, node: usize) -> Local {
        Local::of(&self.animation.scene.nodes.get(node).map(|node| node.rest).unwrap_or_default())
    }

    /// Local transform of a node at a time, by the reference evaluator.
    pub(super) fn local_at(&self, node: usize, time: Seconds) -> Local {
        let Some(rest) = self.animation.scene.nodes.get(node).map(|node| node.rest) else {
            return Local::of(&Transform::IDENTITY);
        };
        let base = match self.animation.clip.relation {
            PoseRelation::Absolute => Transform::IDENTITY,
            PoseRelation::OnTopOfRest => rest,
        };
        let (mut local, mut value) = (rest, Vec::new());
        let time = self.shown(time.0);
        for channel in self.channels.get(node).into_iter().flatten() {
            if channel_at(channel, time, Approach::At, &mut value) {
                apply(&mut local, &base, &channel.property, &value);
            }
        }
        Local::of(&local)
    }

    /// Model transform of a node at a time, by the reference evaluator.
    pub(super) fn model_at(&self, node: usize, time: Seconds) -> DAffine3 {
        let mut model = self.local_at(node, time).matrix();
        for parent in self.chain(node).skip(1) {
            model = self.local_at(parent, time).matrix() * model;
        }
        model
    }
}

/// True of translation, rotation and scale where a property is part of a joint's.
const fn parts(property: &Property) -> [bool; 3] {
    match property {
        Property::Translation => [true, false, false],
        Property::Rotation => [false, true, false],
        Property::Scale => [false, false, true],
        _ => [true, true, false],
    }
}
