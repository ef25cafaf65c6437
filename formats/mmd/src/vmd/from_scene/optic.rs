//! Shared parts of camera and light: a file holds one of each, placed by nodes.

use super::lane::{CurveLane, Moment, Value};
use super::{Writer, curves};
use dopesheet_core::model::{
    Channel, Composition, Curve, Node, NodeIndex, PoseRelation, Property, TargetKind, Track,
};
use dopesheet_curve::{QUAT_IDENTITY, quat_normalise_or_identity};
use glam::{DQuat, DVec3};

/// The camera or light of the file: its node and its tracks.
pub(super) struct Optic<'a> {
    pub(super) node: Option<NodeIndex>,
    pub(super) tracks: Vec<&'a Track>,
}

impl<'a> Optic<'a> {
    pub(super) fn channel(&self, property: &Property) -> Option<&'a Channel> {
        self.tracks.iter().flat_map(|track| &track.channels).find(|channel| channel.property == *property)
    }

    pub(super) fn curves(&self, property: &Property) -> Vec<&'a Curve> {
        self.tracks.iter().map(|track| curves(track, property)).find(|c| !c.is_empty()).unwrap_or_default()
    }

    /// True if a track belongs here as well: a track of the same node, or of no particular node, whose
    /// channels move other properties.
    fn takes(&self, track: &Track, node: Option<NodeIndex>) -> bool {
        let is_its = self.node == node || self.node.is_none() || node.is_none();
        is_its && track.channels.iter().all(|channel| self.channel(&channel.property).is_none())
    }

    /// The curve of directions from which the rotation is made.
    pub(super) fn aim(&self) -> Option<&'a Curve> {
        match &self.channel(&Property::Rotation)?.composition {
            Composition::Aim { direction, .. } => Some(&**direction),
            _ => None,
        }
    }
}

impl<'a> Writer<'a, '_> {
    /// The tracks of the first node with a camera or light; tracks of further nodes are dropped.
    pub(super) fn optic(&mut self, kind: TargetKind, carries: impl Fn(&Node) -> bool) -> Option<Optic<'a>> {
        let (scene, mut first_optic) = (self.scene, None::<Optic<'a>>);
        for track in &self.clip.tracks {
            let node = track.target.node.filter(|node| scene.node(*node).is_some_and(&carries));
            if track.target.kind != kind && (track.target.kind != TargetKind::Joint || node.is_none()) {
                continue;
            }
            match &mut first_optic {
                None => first_optic = Some(Optic { node, tracks: vec![track] }),
                Some(optic) if optic.takes(track, node) => {
                    optic.node = optic.node.or(node);
                    optic.tracks.push(track);
                }
                Some(_) => self.losses.add(format!("further {} track", kind.word()), "the format holds one"),
            }
        }
        first_optic
    }

    /// The rest pose of a node: the base of its values, and the values of properties that do not move.
    pub(super) fn rest(&self, node: Option<NodeIndex>) -> Rest {
        let stored_node = node.and_then(|node| self.scene.node(node));
        match self.clip.relation {
            PoseRelation::OnTopOfRest => Rest {
                pose: self.pose_in_scene(node),
                place: [0.0; 3],
                turn: QUAT_IDENTITY.map(|x| x as f32),
                relation: self.clip.relation,
            },
            PoseRelation::Absolute => Rest {
                pose: self.pose_in_scene(stored_node.and_then(|node| node.parent)),
                place: stored_node.map_or([0.0; 3], |node| node.rest.translation.map(|x| x as f32)),
                turn: stored_node.map_or(QUAT_IDENTITY, |node| node.rest.rotation).map(|x| x as f32),
                relation: self.clip.relation,
            },
        }
    }

    /// The rest pose of a node in the scene.
    fn pose_in_scene(&self, node: Option<NodeIndex>) -> Pose {
        let mut pose: Pose = ([0.0; 3], QUAT_IDENTITY);
        let mut next = node.and_then(|node| self.scene.node(node));
        // Parents stand before their children, so this ends; the bound is for scenes that break that rule.
        for _ in 0..self.scene.nodes.len() {
            let Some(node) = next else { break };
            let scaled: [f64; 3] = std::array::from_fn(|n| pose.0[n] * node.rest.scale[n]);
            pose = (
                add(node.rest.translation, rotate(node.rest.rotation, scaled)),
                multiply(node.rest.rotation, pose.1),
            );
            next = node.parent.and_then(|parent| self.scene.node(parent));
        }
        pose
    }
}

/// The rest pose of a node.
pub(super) struct Rest {
    /// In the scene: of the node itself if values come on top of its rest pose, else of its parent.
    pose: Pose,
    /// The translation of a node without moving translation.
    pub(super) place: [f32; 3],
    /// The rotation of a node without moving rotation.
    pub(super) turn: [f32; 4],
    relation: PoseRelation,
}

impl Rest {
    /// The place in the scene for a translation.
    pub(super) fn place_in_scene(&self, place: [f32; 3]) -> [f64; 3] {
        let translation = place.map(f64::from);
        match self.relation {
            PoseRelation::OnTopOfRest => add(self.pose.0, translation),
            PoseRelation::Absolute => add(self.pose.0, rotate(self.pose.1, translation)),
        }
    }

    /// The rotation in the scene for a rotation of the node.
    pub(super) fn turn_in_scene(&self, turn: &CurveLane<'_>, moment: Moment) -> [f64; 4] {
        let turn = quat_normalise_or_identity(turn.value(moment).map(f64::from));
        match self.relation {
            PoseRelation::OnTopOfRest => multiply(turn, self.pose.1),
            PoseRelation::Absolute => multiply(self.pose.1, turn),
        }
    }
}

pub(super) fn three([x, y, z, _]: Value) -> [f32; 3] {
    [x, y, z]
}

/// Place and rotation in the scene.
type Pose = ([f64; 3], [f64; 4]);

pub(super) fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|n| a[n] + b[n])
}

/// The rotation `b`, then `a`.
fn multiply(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    (DQuat::from_array(a) * DQuat::from_array(b)).to_array()
}

/// A vector turned by a unit quaternion.
pub(super) fn rotate(q: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    (DQuat::from_array(q) * DVec3::from_array(v)).to_array()
}
