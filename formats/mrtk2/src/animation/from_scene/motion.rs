//! World transforms of nodes over time.

use super::places::{FileSlot, Names};
use super::rows::VectorKey;
use crate::animation::document::{Keyframe, NumberCurve, NumberKeys, Wrap};
use crate::animation::wrap;
use dopesheet_core::model::{
    Channel, Clip, Composition, Curve, NodeIndex, Property, Scene, TargetKind, Track, Transform,
    weighted_keys,
};
use dopesheet_core::units::Seconds;
use dopesheet_curve::quat_normalise_or_identity;
use glam::{DQuat, DVec3};
use std::collections::HashMap;

/// The curves of a node's motion.
#[derive(Clone, Copy, Default)]
pub(super) struct Local<'a> {
    pub(super) translation: Option<&'a Curve>,
    pub(super) rotation: Option<&'a Curve>,
    pub(super) scale: Option<&'a Curve>,
}

impl<'a> Local<'a> {
    fn curves(&self) -> impl Iterator<Item = &'a Curve> {
        [self.translation, self.rotation, self.scale].into_iter().flatten()
    }
}

/// A clip, by its moving nodes.
pub(super) struct Motion<'a> {
    scene: &'a Scene,
    locals: HashMap<NodeIndex, Local<'a>>,
    /// Positions and rotations by component.
    components: HashMap<NodeIndex, Components<'a>>,
}

/// The curves of a position and of a rotation with separate curves for their components.
type Components<'a> = [Option<&'a [Curve]>; 2];

impl<'a> Motion<'a> {
    pub(super) fn new(scene: &'a Scene, clip: &'a Clip) -> Self {
        let mut locals: HashMap<NodeIndex, Local<'a>> = HashMap::new();
        let mut components = HashMap::new();
        for track in &clip.tracks {
            let placed =
                matches!(track.target.kind, TargetKind::Joint | TargetKind::Camera | TargetKind::Light);
            let Some(node) = track.target.node.filter(|_| placed) else { continue };
            for channel in &track.channels {
                let curve = match &channel.composition {
                    Composition::Whole(curve) => curve,
                    Composition::Components(curves)
                    | Composition::ComponentsNormalised(curves)
                    | Composition::Swing { direction: curves, .. } => {
                        let entry: &mut Components<'a> = components.entry(node).or_default();
                        match channel.property {
                            Property::Translation if curves.len() == 3 => entry[0] = Some(curves),
                            Property::Rotation => entry[1] = Some(curves),
                            _ => {}
                        }
                        continue;
                    }
                    _ => continue,
                };
                let local = locals.entry(node).or_default();
                match channel.property {
                    Property::Translation if curve.width == 3 => local.translation = Some(curve),
                    Property::Rotation if curve.width == 4 => local.rotation = Some(curve),
                    Property::Scale if curve.width == 3 => local.scale = Some(curve),
                    _ => {}
                }
            }
        }
        locals.retain(|_, local| local.curves().any(|curve| !curve.is_empty()));
        components.retain(|_, entry: &mut Components<'a>| {
            entry.iter().flatten().any(|c| c.iter().any(|c| !c.is_empty()))
        });
        Self { scene, locals, components }
    }

    /// The curves of a node's position or rotation unchanged, if its components have separate curves.
    pub(super) fn components<const N: usize>(
        &self,
        node: NodeIndex,
        property: &Property,
    ) -> Option<[NumberCurve; N]> {
        let [position, rotation] = self.components.get(&node)?;
        let curves = if *property == Property::Rotation { rotation } else { position };
        let curves: &[Curve; N] = (*curves)?.try_into().ok()?;
        Some(curves.each_ref().map(number_curve))
    }

    /// A node and all its ancestors, the root first.
    pub(super) fn chain(&self, node: NodeIndex) -> Vec<NodeIndex> {
        chain(self.scene, node)
    }

    /// True if a node moves by itself.
    pub(super) fn moves(&self, node: NodeIndex) -> bool {
        self.locals.contains_key(&node) || self.components.contains_key(&node)
    }

    /// True if a node or one of its ancestors moves.
    pub(super) fn moves_in_world(&self, node: NodeIndex) -> bool {
        self.chain(node).into_iter().any(|node| self.moves(node))
    }

    /// The curves of a node.
    pub(super) fn local(&self, node: NodeIndex) -> Local<'a> {
        self.locals.get(&node).copied().unwrap_or_default()
    }

    fn rest(&self, node: NodeIndex) -> Transform {
        self.scene.node(node).map_or(Transform::IDENTITY, |node| node.rest)
    }

    /// Position and rotation of a node in the world at the node's keys; `None` if an ancestor moves.
    pub(super) fn rows(&self, node: NodeIndex) -> Option<(Vec<VectorKey<3>>, Vec<VectorKey<4>>)> {
        let chain = self.chain(node);
        let above = chain.get(..chain.len().checked_sub(1)?)?;
        if above.iter().any(|node| self.moves(*node)) {
            return None;
        }
        let above = above.iter().fold(Frame::IDENTITY, |frame, node| frame.then(&self.rest(*node)));
        let (rest, local) = (self.rest(node), self.local(node));
        let point = |v: [f64; 3]| above.point(v.into()).to_array();
        let along = |v: [f64; 3]| above.vector(v.into()).to_array();
        let turn = |q: [f64; 4]| (above.rotation * DQuat::from_array(q)).to_array();
        let translation = match local.translation {
            Some(curve) => super::rows::rows(curve, point, along),
            None => vec![VectorKey::at(Seconds(0.0), point(rest.translation))],
        };
        let rotation = match local.rotation {
            Some(curve) => super::rows::rows(curve, turn, turn),
            None => vec![VectorKey::at(Seconds(0.0), turn(rest.rotation))],
        };
        Some((translation, rotation))
    }
}

/// A node and all its ancestors, the root first.
pub(super) fn chain(scene: &Scene, node: NodeIndex) -> Vec<NodeIndex> {
    let mut chain = vec![node];
    let mut next = scene.node(node).and_then(|node| node.parent);
    // Parents stand before their children, so this ends; the bound is for scenes that break that rule.
    while let Some(parent) = next.filter(|_| chain.len() <= scene.nodes.len()) {
        chain.push(parent);
        next = scene.node(parent).and_then(|node| node.parent);
    }
    chain.reverse();
    chain
}

/// True if the gaze is turned by no components of a rotation.
pub(super) fn gaze_has_a_direction(scene: &Scene) -> bool {
    gazes(scene).all(|gaze| !matches!(gaze.composition, Composition::ComponentsNormalised(_)))
}

/// True if the gaze is turned by a direction.
pub(super) fn gaze_is_a_ray(scene: &Scene) -> bool {
    gazes(scene).any(|gaze| matches!(gaze.composition, Composition::Swing { .. }))
}

/// The channels of the gaze.
fn gazes(scene: &Scene) -> impl Iterator<Item = &Channel> {
    let slot = |node: NodeIndex| Names::get().find_node(scene, node);
    let tracks = scene.tracks();
    let gaze_tracks = tracks.filter(move |track| track.target.node.and_then(slot) == Some(FileSlot::Gaze));
    gaze_tracks.flat_map(|track| &track.channels)
}

/// True if rotations by directions (with the front as their axis) occur at the gaze only.
pub(super) fn only_gaze_swings(scene: &Scene) -> bool {
    let front = scene.basis.front.vector();
    let is_gaze = |node: NodeIndex| Names::get().find_node(scene, node) == Some(FileSlot::Gaze);
    let mut tracks = scene.tracks();
    tracks.all(|track| {
        track.channels.iter().all(|channel| match &channel.composition {
            Composition::Swing { axis, direction } => {
                *axis == front && direction.len() == 3 && track.target.node.is_some_and(is_gaze)
            }
            _ => true,
        })
    })
}

/// True of a track that may place its node. A switch on a node only shows and hides the node, and moves
/// nothing.
pub(super) fn places(track: &Track) -> bool {
    let kind = matches!(track.target.kind, TargetKind::Joint | TargetKind::Camera | TargetKind::Light);
    let is_placing = |channel: &Channel| channel.property != Property::Visible;
    kind && track.channels.iter().any(is_placing)
}

/// Transform of a node in the world. Scales are multiplied component by component, which is exact as long as
/// no rotated node has an unevenly scaled ancestor.
#[derive(Clone, Copy, PartialEq)]
struct Frame {
    translation: DVec3,
    rotation: DQuat,
    scale: DVec3,
}

impl Frame {
    const IDENTITY: Self = Self { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    fn point(&self, point: DVec3) -> DVec3 {
        self.translation + self.vector(point)
    }

    fn vector(&self, vector: DVec3) -> DVec3 {
        self.rotation * (self.scale * vector)
    }

    fn then(self, local: &Transform) -> Self {
        let local_turn = DQuat::from_array(quat_normalise_or_identity(local.rotation));
        Self {
            translation: self.point(local.translation.into()),
            rotation: self.rotation * local_turn,
            scale: self.scale * DVec3::from(local.scale),
        }
    }
}

/// A curve of one number in the form of the file.
fn number_curve(curve: &Curve) -> NumberCurve {
    let keys = weighted_keys(curve, 0, 1.0).iter().map(Keyframe::from).collect();
    let wrap = Wrap { before: wrap::mode(&curve.before), after: wrap::mode(&curve.after) };
    NumberCurve { wrap, keys: NumberKeys::Full(keys) }
}
