//! The pose of a model that does what a figure does.

use super::super::retarget::body::TRUNK;
use super::model::{Model, Role};
use crate::sample::pose::{ChainTransform, local_pose, rest_pose};
use HumanBone as B;
use dopesheet_core::model::{Clip, HumanBone, NodeIndex, Scene, Transform};
use dopesheet_core::units::Seconds;
use glam::{DQuat, DVec3};

/// Parts of quaternions, and lengths in metres, that differ by less are the same.
const SAME: f64 = 1e-6;

/// A figure in VRM's T-pose, one of its motions, and the model that does the same.
pub(super) struct Poser<'a> {
    figure: &'a Scene,
    pub(super) motion: &'a Clip,
    pub(super) model: &'a Model,
    /// The figure at rest, as seen from its root.
    rest: Vec<ChainTransform>,
    /// Height of the model's hips, as a multiple of the figure's.
    ratio: f64,
}

/// Pose of the figure at a time.
pub(super) struct FigurePose<'a> {
    poser: &'a Poser<'a>,
    /// The figure's nodes as seen from its root.
    nodes: Vec<ChainTransform>,
    /// Relative to the head.
    gaze: DQuat,
}

impl<'a> Poser<'a> {
    pub(super) fn new(figure: &'a Scene, motion: &'a Clip, model: &'a Model) -> Self {
        let rest = ChainTransform::of_pose(figure, &rest_pose(figure));
        let mut poser = Self { figure, motion, model, rest, ratio: 1.0 };
        let hips = poser.seat(B::Hips).and_then(|hips| poser.rest.get(hips.0));
        let ratio = model.body.bones.get(&B::Hips).zip(hips).map(|(own, hips)| own.place.y / hips.place().y);
        poser.ratio = ratio.filter(|ratio| ratio.is_finite() && *ratio > 0.0).unwrap_or(1.0);
        poser
    }

    pub(super) fn at(&self, time: Seconds) -> FigurePose<'_> {
        let local = local_pose(self.figure, self.motion, time);
        let look_at = self.figure.humanoid.as_ref().and_then(|humanoid| humanoid.look_at);
        let gaze = look_at
            .and_then(|look_at| local.0.get(look_at.node.0))
            .map(|own| DQuat::from_array(own.rotation));
        let nodes = ChainTransform::of_pose(self.figure, &local);
        FigurePose { poser: self, nodes, gaze: gaze.unwrap_or(DQuat::IDENTITY) }
    }

    /// The node of the figure that is a bone.
    fn seat(&self, bone: HumanBone) -> Option<NodeIndex> {
        self.figure.humanoid.as_ref()?.bones.get(&bone).copied()
    }

    /// The node of the figure that says how a bone of the model turns: of a trunk with more bones than the model's, the
    /// last that the model lacks.
    fn turning(&self, bone: HumanBone) -> Option<NodeIndex> {
        let own = self.seat(bone)?;
        let further = TRUNK.iter().skip_while(|part| **part != bone).skip(1);
        let lacking = further.take_while(|part| self.model.node(**part).is_none());
        Some(lacking.filter_map(|part| self.seat(*part)).last().unwrap_or(own))
    }

    /// From where the model would be if it faced +Z and stood on the ground to where it is.
    fn back(&self, place: DVec3) -> DVec3 {
        self.model.body.facing.conjugate() * (place - DVec3::Y * self.model.body.lift)
    }
}

impl FigurePose<'_> {
    /// The local pose of the model, as keyed.
    pub(super) fn pose(&self) -> Vec<Transform> {
        let nodes = &self.poser.model.scene.nodes;
        let mut local = Vec::with_capacity(nodes.len());
        let mut seen: Vec<ChainTransform> = Vec::with_capacity(nodes.len());
        for (index, node) in nodes.iter().enumerate() {
            let above = node.parent.and_then(|parent| seen.get(parent.0)).copied();
            let above = above.unwrap_or(ChainTransform::IDENTITY);
            let own = self.local(index, &above, &node.rest).unwrap_or(node.rest);
            let own = if is_same(&own, &node.rest) { node.rest } else { own };
            seen.push(above * ChainTransform::from(&own));
            local.push(own);
        }
        local
    }

    /// Where a joint of the figure is, scaled to the model.
    pub(super) fn joint(&self, bone: HumanBone) -> Option<DVec3> {
        let way = self.place(bone)? - self.place(B::Hips)?;
        Some(self.poser.back(self.moved(B::Hips)? + self.poser.ratio * way))
    }

    /// A node's local transform; `None` if it is at rest.
    fn local(&self, index: usize, above: &ChainTransform, rest: &Transform) -> Option<Transform> {
        let into = above.rotation.conjugate();
        let turned = |turn: DQuat| Transform { rotation: (into * turn).normalize().to_array(), ..*rest };
        match *self.poser.model.roles.get(index)? {
            Role::Rest => None,
            Role::Bone(bone) => self.turn(bone, index).map(turned),
            Role::Eye => self.look(index).map(turned),
            Role::Carrier => self.carrier(index, into, rest),
            Role::Toes { toes, foot } => {
                // Toes turn relative to where their foot should be, whatever IK makes of it.
                let parent = self.poser.model.scene.nodes.get(index)?.parent?;
                let turn = self.turn(foot, parent.0)?.conjugate() * self.turn(toes, index)?;
                Some(Transform { rotation: turn.normalize().to_array(), ..*rest })
            }
            Role::Centre => {
                let offset = into * self.centre(index, above)?;
                Some(Transform { translation: (DVec3::from(rest.translation) + offset).to_array(), ..*rest })
            }
            Role::Goal(foot) => {
                let way = self.poser.back(self.moved(foot)?) - above.place();
                Some(Transform { translation: (into * way).to_array(), ..turned(self.turn(foot, index)?) })
            }
        }
    }

    /// The rotation of a node of the model as seen from its root, if it turns as a bone does.
    fn turn(&self, bone: HumanBone, index: usize) -> Option<DQuat> {
        let turn = self.nodes.get(self.poser.turning(bone)?.0)?.rotation;
        self.turned(turn, bone, index)
    }

    /// The same for any rotation of the bone in the T-pose.
    fn turned(&self, turn: DQuat, bone: HumanBone, index: usize) -> Option<DQuat> {
        let body = &self.poser.model.body;
        let correction = body.bones.get(&bone)?.correction;
        Some(body.facing.conjugate() * turn * body.after(index, correction).conjugate())
    }

    fn look(&self, index: usize) -> Option<DQuat> {
        let head = self.nodes.get(self.poser.seat(B::Head)?.0)?.rotation;
        self.turned(head * self.gaze, B::Head, index)
    }

    fn carrier(&self, index: usize, into: DQuat, rest: &Transform) -> Option<Transform> {
        let body = &self.poser.model.body;
        let node = self.poser.figure.humanoid.as_ref()?.root_motion?;
        let (now, before) = (self.nodes.get(node.0)?, self.poser.rest.get(node.0)?);
        let way = now.place() - before.place();
        let way = body.facing.conjugate() * way * self.poser.ratio;
        let turn = body.facing.conjugate() * now.rotation * body.after(index, DQuat::IDENTITY).conjugate();
        Some(Transform {
            translation: (DVec3::from(rest.translation) + into * way).to_array(),
            rotation: (into * turn).normalize().to_array(),
            ..*rest
        })
    }

    /// By how much the centre has to move, as seen from the root, so that the hips are where they should be.
    fn centre(&self, index: usize, above: &ChainTransform) -> Option<DVec3> {
        let model = self.poser.model;
        let hips = model.node(B::Hips)?;
        let (rest, bone) = (model.body.rest.get(hips)?, model.body.bones.get(&B::Hips)?);
        let point = rest.rotation.conjugate() * (bone.anchor - rest.place());
        let wanted = self.poser.back(self.moved(B::Hips)?) - self.turn(B::Hips, hips)? * point;
        let parent = model.scene.nodes.get(index)?.parent.and_then(|parent| model.body.rest.get(parent.0));
        let parent = parent.unwrap_or(&ChainTransform::IDENTITY);
        let way = rest.place() - parent.place();
        let there = above.place() + above.rotation * (parent.rotation.conjugate() * way);
        Some(wanted - there)
    }

    /// Where a joint of the model goes that moves as the figure's does: from its rest by the figure's way, scaled.
    fn moved(&self, bone: HumanBone) -> Option<DVec3> {
        let rest = self.poser.rest.get(self.poser.seat(bone)?.0)?.place();
        let own = self.poser.model.body.bones.get(&bone)?;
        Some(own.place + self.poser.ratio * (self.place(bone)? - rest))
    }

    /// Where a joint of the figure is.
    fn place(&self, bone: HumanBone) -> Option<DVec3> {
        self.nodes.get(self.poser.seat(bone)?.0).map(ChainTransform::place)
    }
}

fn is_same(a: &Transform, b: &Transform) -> bool {
    let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < SAME);
    near(&a.translation, &b.translation) && near(&a.rotation, &b.rotation)
}
