//! The pose of a model with the motion's positions, without a rig.

use super::roles::{RigRoles, Role};
use HumanBone as B;
use dopesheet_core::model::{Clip, HumanBone, Scene, Transform};
use dopesheet_core::units::Seconds;
use dopesheet_motion::inside::ChainTransform;
use dopesheet_motion::sample::pose::{local_pose, rest_pose};
use glam::{DQuat, DVec3};
use std::f64::consts::PI;

/// Smallest difference that counts, in parts of quaternions and in metres.
const SAME: f64 = 1e-6;

/// Smallest sine of a knee's angle at which the knee has an axis.
const BENT: f64 = 1e-3;

/// A motion of a figure in VRM's T-pose, the same on a model's skeleton, and the model with its rig.
pub(crate) struct Poser<'a> {
    figure: &'a Scene,
    pub(crate) motion: &'a Clip,
    /// The motion on the model's skeleton.
    skeleton: &'a Clip,
    pub(crate) model: &'a RigRoles<'a>,
    /// The figure at rest, as seen from its root.
    rest: Vec<ChainTransform>,
    /// The model at rest, as seen from its root.
    model_rest: Vec<ChainTransform>,
    /// Length of the model's legs, as a multiple of the figure's.
    ratio: f64,
}

/// Pose at a time.
pub(crate) struct PosedModel<'a> {
    poser: &'a Poser<'a>,
    /// The nodes of the figure and of the skeleton, as seen from their roots.
    figure: Vec<ChainTransform>,
    nodes: Vec<ChainTransform>,
    /// Relative to the head.
    gaze: DQuat,
}

impl<'a> Poser<'a> {
    pub(crate) fn new(
        figure: &'a Scene,
        motion: &'a Clip,
        skeleton: &'a Clip,
        model: &'a RigRoles<'a>,
        ratio: f64,
    ) -> Self {
        let at_rest = |scene: &Scene| ChainTransform::of_pose(scene, &rest_pose(scene));
        let (rest, model_rest) = (at_rest(figure), at_rest(model.scene));
        Self { figure, motion, skeleton, model, rest, model_rest, ratio }
    }

    pub(crate) fn at(&self, time: Seconds) -> PosedModel<'_> {
        let local = local_pose(self.figure, self.motion, time);
        let look_at = self.figure.humanoid.as_ref().and_then(|humanoid| humanoid.look_at);
        let gaze = look_at
            .and_then(|look_at| local.0.get(look_at.node.0))
            .map(|rest| DQuat::from_array(rest.rotation));
        PosedModel {
            poser: self,
            figure: ChainTransform::of_pose(self.figure, &local),
            nodes: self.model.body.figure.moving(self.skeleton, time),
            gaze: gaze.unwrap_or(DQuat::IDENTITY),
        }
    }
}

impl PosedModel<'_> {
    /// The local pose of the model, as keyed.
    pub(crate) fn pose(&self) -> Vec<Transform> {
        let nodes = &self.poser.model.scene.nodes;
        let mut local = Vec::with_capacity(nodes.len());
        let mut seen: Vec<ChainTransform> = Vec::with_capacity(nodes.len());
        for (index, node) in nodes.iter().enumerate() {
            let above = node.parent.and_then(|parent| seen.get(parent.0)).copied();
            let above = above.unwrap_or(ChainTransform::IDENTITY);
            let transform = self.local(index, &above, &node.rest).unwrap_or(node.rest);
            let transform = if is_same(&transform, &node.rest) { node.rest } else { transform };
            seen.push(above * ChainTransform::from(&transform));
            local.push(transform);
        }
        local
    }

    /// Place of a joint without a rig.
    pub(crate) fn joint(&self, bone: HumanBone) -> Option<DVec3> {
        self.nodes.get(self.poser.model.node(bone)?).map(ChainTransform::place)
    }

    /// A node's local transform; `None` if the node is at rest.
    fn local(&self, index: usize, above: &ChainTransform, rest: &Transform) -> Option<Transform> {
        let into = above.rotation.conjugate();
        let turned = |turn: DQuat| Transform { rotation: (into * turn).normalize().to_array(), ..*rest };
        match *self.poser.model.roles.get(index)? {
            Role::Rest => None,
            Role::Bone => self.nodes.get(index).map(|node| turned(node.rotation)),
            Role::Thigh { knee } => self.thigh(index, knee).map(turned),
            Role::Knee => self.knee(index, above, rest).map(turned),
            Role::Eye => self.look(index).map(turned),
            Role::Carrier => self.carrier(index, into, rest),
            Role::Toes(foot) => {
                // Toes turn relative to where their foot should be, whatever IK makes of it.
                let parent = self.poser.model.scene.nodes.get(index)?.parent?;
                let turn = self.turned_with(foot, parent.0)?.conjugate() * self.nodes.get(index)?.rotation;
                Some(Transform { rotation: turn.normalize().to_array(), ..*rest })
            }
            Role::Centre => {
                let offset = into * self.centre(index, above)?;
                Some(Transform { translation: (DVec3::from(rest.translation) + offset).to_array(), ..*rest })
            }
            Role::Goal(foot) => {
                let translation = (into * (self.joint(foot)? - above.place())).to_array();
                Some(Transform { translation, ..turned(self.turned_with(foot, index)?) })
            }
        }
    }

    /// The rotation of a node that turns with a bone, as seen from the model's root.
    fn turned_with(&self, bone: HumanBone, index: usize) -> Option<DQuat> {
        let (node, rest) = (self.poser.model.node(bone)?, &self.poser.model_rest);
        let turn = self.nodes.get(node)?.rotation * rest.get(node)?.rotation.conjugate();
        Some(turn * rest.get(index)?.rotation)
    }

    /// Directions from a node to the node below in its chain: now, and at rest as seen from the node.
    fn bone(&self, index: usize, below: usize) -> Option<[DVec3; 2]> {
        let rest = &self.poser.model_rest;
        let now = self.nodes.get(below)?.place() - self.nodes.get(index)?.place();
        let offset = rest.get(below)?.place() - rest.get(index)?.place();
        Some([now.try_normalize()?, rest.get(index)?.rotation.conjugate() * offset.try_normalize()?])
    }

    /// The rotation of a thigh, turned about itself so that the X axis of its knee is as far from the shin as
    /// at rest.
    fn thigh(&self, index: usize, knee: usize) -> Option<DQuat> {
        let turn = self.nodes.get(index)?.rotation;
        let rest = &self.poser.model_rest;
        let ankle = self.ankle(knee)?;
        let ([thigh, _], [shin, at_rest]) = (self.bone(index, knee)?, self.bone(knee, ankle)?);
        let hinge = turn * (rest.get(index)?.rotation.conjugate() * (rest.get(knee)?.rotation * DVec3::X));
        let (along, wanted) = (hinge.dot(thigh), at_rest.x);
        let aside = shin.reject_from_normalized(thigh);
        let reach = (hinge - thigh * along).length() * aside.length();
        let angle = libm::acos(((wanted - along * shin.dot(thigh)) / reach).clamp(-1.0, 1.0));
        let Some(aside) = aside.try_normalize().filter(|_| angle.is_finite() && reach > BENT) else {
            return Some(turn);
        };
        let now = libm::atan2(aside.cross(hinge).dot(thigh), aside.dot(hinge));
        let near = [angle, -angle].map(|to| (to - now + PI).rem_euclid(2.0 * PI) - PI);
        let by = near.into_iter().min_by(|a, b| a.abs().total_cmp(&b.abs()))?;
        Some((DQuat::from_axis_angle(thigh, by) * turn).normalize())
    }

    /// The rotation of a knee that only bends, so that its shin points in the motion's direction.
    fn knee(&self, index: usize, above: &ChainTransform, rest: &Transform) -> Option<DQuat> {
        let [shin, at_rest] = self.bone(index, self.ankle(index)?)?;
        let straight = above.rotation * DQuat::from_array(rest.rotation);
        let wanted = (straight.conjugate() * shin).with_x(0.0);
        let from = at_rest.with_x(0.0);
        let angle = libm::atan2(from.cross(wanted).x, from.dot(wanted));
        Some(straight * DQuat::from_rotation_x(angle))
    }

    /// The ankle of the chain with a knee.
    fn ankle(&self, knee: usize) -> Option<usize> {
        let mut chains = self.poser.model.scene.rig.ik.iter();
        let chain = chains.find(|chain| chain.links.first().is_some_and(|link| link.node.0 == knee))?;
        Some(chain.effector.0)
    }

    fn look(&self, index: usize) -> Option<DQuat> {
        let body = self.poser.model.body;
        let head = self.poser.figure.humanoid.as_ref()?.bones.get(&B::Head)?;
        let turn = self.figure.get(head.0)?.rotation * self.gaze;
        let correction = body.bones.get(&B::Head)?.correction;
        Some(body.facing.conjugate() * turn * body.after(index, correction).conjugate())
    }

    fn carrier(&self, index: usize, into: DQuat, rest: &Transform) -> Option<Transform> {
        let body = self.poser.model.body;
        let node = self.poser.figure.humanoid.as_ref()?.root_motion?;
        let (now, before) = (self.figure.get(node.0)?, self.poser.rest.get(node.0)?);
        let offset = now.place() - before.place();
        let offset = body.facing.conjugate() * offset * self.poser.ratio;
        let turn = body.facing.conjugate() * now.rotation * body.after(index, DQuat::IDENTITY).conjugate();
        Some(Transform {
            translation: (DVec3::from(rest.translation) + into * offset).to_array(),
            rotation: (into * turn).normalize().to_array(),
            ..*rest
        })
    }

    /// Translation of the centre, as seen from the root, that brings the hips to their position.
    fn centre(&self, index: usize, above: &ChainTransform) -> Option<DVec3> {
        let (model, rest) = (self.poser.model, &self.poser.model_rest);
        let hips = model.node(B::Hips)?;
        let parent = model.scene.nodes.get(index)?.parent.and_then(|parent| rest.get(parent.0));
        let parent = parent.unwrap_or(&ChainTransform::IDENTITY);
        let offset = rest.get(hips)?.place() - parent.place();
        let there = above.place() + above.rotation * (parent.rotation.conjugate() * offset);
        Some(self.nodes.get(hips)?.place() - there)
    }
}

fn is_same(a: &Transform, b: &Transform) -> bool {
    let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < SAME);
    near(&a.translation, &b.translation) && near(&a.rotation, &b.rotation)
}
