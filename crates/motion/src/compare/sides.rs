//! Both animations, by the player at many times and by the reference evaluator at a few.

use super::{Animation, Course};
use crate::sample::player::{CompiledClip, Cursor, LoopingPolicy, Policies, RoundingPolicy, SoaPose};
use crate::sample::pose::apply;
use crate::sample::{Side as Approach, channel_at};
use dopesheet_core::model::{Channel, NodeIndex, PoseRelation, Transform};
use dopesheet_core::units::Seconds;
use glam::{Affine3A, DAffine3, DQuat, DVec3, Mat3A, Quat, Vec3A};

/// Curves themselves say what is outside of their keys.
const AS_KEYED: Policies = Policies { looping: LoopingPolicy::AsKeyed, rounding: RoundingPolicy::None };

/// One of two animations that are compared.
pub(super) struct Side<'a> {
    pub(super) animation: Animation<'a>,
    pub(super) player: CompiledClip,
    /// For each node, its parent; none where joints are compared each by itself.
    pub(super) parents: Vec<Option<usize>>,
    /// For each node, true if something moves it relative to its parent.
    pub(super) moves: Vec<bool>,
    /// For each node, what places it.
    channels: Vec<Vec<&'a Channel>>,
    /// Its times by those of the other side, where they are others.
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
        let moves =
            channels.iter().map(|own| own.iter().any(|channel| crate::sample::moving::changes(channel)));
        Self {
            animation,
            player: CompiledClip::new(scene, clip),
            parents: scene.nodes.iter().enumerate().map(parent).collect(),
            moves: moves.collect(),
            channels,
            course,
        }
    }

    /// Its own time at a time of the comparison.
    pub(super) fn shown(&self, time: f64) -> Seconds {
        Seconds(self.course.map_or(time, |course| course.shown(time)))
    }

    /// A node and all that it hangs on.
    pub(super) fn chain(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(node), |node| self.parents.get(*node).copied().flatten())
    }

    /// Where the node rests relative to its parent.
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

/// All joints of a side at one time, by the player, in single precision.
pub(super) struct Frame {
    cursor: Cursor,
    pub(super) pose: SoaPose,
    pub(super) locals: Vec<PlayedLocal>,
    matrices: Vec<Affine3A>,
    pub(super) models: Vec<Affine3A>,
    /// For each node, true if it moved since the sample before.
    pub(super) moved: Vec<bool>,
}

/// Local transform of a joint as it is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlayedLocal {
    pub(super) translation: Vec3A,
    pub(super) rotation: Quat,
    pub(super) scale: Vec3A,
}

impl From<Local> for PlayedLocal {
    fn from(local: Local) -> Self {
        Self {
            translation: local.translation.as_vec3a(),
            rotation: local.rotation.as_quat(),
            scale: local.scale.as_vec3a(),
        }
    }
}

impl PlayedLocal {
    pub(super) fn matrix(&self) -> Affine3A {
        let Mat3A { x_axis, y_axis, z_axis } = Mat3A::from_quat(self.rotation);
        let [x, y, z] = self.scale.to_array();
        Affine3A {
            matrix3: Mat3A::from_cols(x_axis * x, y_axis * y, z_axis * z),
            translation: self.translation,
        }
    }
}

impl Frame {
    pub(super) fn new(side: &Side<'_>) -> Self {
        let count = side.parents.len();
        Self {
            cursor: side.player.cursor(),
            pose: side.player.pose(),
            locals: (0..count).map(|node| side.rest(node).into()).collect(),
            matrices: vec![Affine3A::IDENTITY; count],
            models: vec![Affine3A::IDENTITY; count],
            moved: vec![true; count],
        }
    }

    /// Goes to a time with some `nodes`, with which those go that they hang on.
    pub(super) fn go_to(&mut self, side: &Side<'_>, time: f64, is_first: bool, nodes: &[bool]) {
        side.player.sample(side.shown(time), AS_KEYED, &mut self.cursor, &mut self.pose);
        let pose = &self.pose;
        let (translations, rotations, scales) = (pose.translations(), pose.rotations(), pose.scales());
        let own = self.locals.iter_mut().zip(&mut self.matrices);
        let all = side.parents.iter().zip(&side.moves).zip(own).zip(nodes);
        for (node, (((parent, moves), (local, matrix)), goes)) in all.enumerate() {
            let is_new = *goes && (*moves || is_first);
            if is_new {
                *local = PlayedLocal {
                    translation: Vec3A::from_array(at(translations, node)),
                    rotation: Quat::from_array(at(rotations, node)),
                    scale: Vec3A::from_array(at(scales, node)),
                };
                *matrix = local.matrix();
            }
            let is_new =
                is_new || *goes && parent.is_some_and(|parent| self.moved.get(parent) == Some(&true));
            if let Some(moved) = self.moved.get_mut(node) {
                *moved = is_new;
            }
            if is_new {
                let above = parent.and_then(|parent| self.models.get(parent));
                let model = above.map_or(*matrix, |above| *above * *matrix);
                if let Some(own) = self.models.get_mut(node) {
                    *own = model;
                }
            }
        }
    }
}

/// The numbers of a joint.
fn at<const N: usize>(columns: [&[f32]; N], joint: usize) -> [f32; N] {
    columns.map(|column| column.get(joint).copied().unwrap_or_default())
}
