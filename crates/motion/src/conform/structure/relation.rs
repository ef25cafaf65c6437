//! Absolute values, and values on top of the rest pose.

use crate::single::narrow;
use dopesheet_core::model::{
    Blend, Channel, Clip, Composition, Curve, Node, NodeIndex, PoseRelation, Property, Scene, Transform,
};
use dopesheet_curve as curve;
use glam::{DMat3, DQuat, DVec3};

/// Values on top of the rest pose become absolute, key by key: adding a constant and multiplying with a constant
/// rotation commute with every law.
///
/// A clip in which some turned node's rotation is not one curve stays as it is.
pub(in crate::conform) fn make_absolute(scene: &mut Scene) {
    for clip in &mut scene.clips {
        if clip.relation == PoseRelation::OnTopOfRest && can_be_absolute(clip, &scene.nodes) {
            add_rests(clip, &scene.nodes);
        }
    }
}

fn rest_of(nodes: &[Node], node: Option<NodeIndex>) -> Option<&Transform> {
    nodes.get(node?.0).map(|node| &node.rest)
}

fn can_be_absolute(clip: &Clip, nodes: &[Node]) -> bool {
    clip.tracks.iter().all(|track| {
        rest_of(nodes, track.target.node).is_none_or(|rest| {
            let can = |c: &Channel| matches!(c.composition, Composition::Whole(_));
            let rotations = |c: &&Channel| c.property == Property::Rotation;
            rest.rotation == Transform::IDENTITY.rotation || track.channels.iter().filter(rotations).all(can)
        })
    })
}

fn add_rests(clip: &mut Clip, nodes: &[Node]) {
    clip.relation = PoseRelation::Absolute;
    for track in &mut clip.tracks {
        let Some(rest) = rest_of(nodes, track.target.node) else { continue };
        for channel in &mut track.channels {
            add_rest(channel, rest);
        }
    }
}

fn add_rest(channel: &mut Channel, rest: &Transform) {
    // What is added must be in the stored unit.
    let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
    let offset = DVec3::from(rest.translation) / scale;
    let factors = DVec3::from(rest.scale);
    match (&channel.property, &mut channel.composition) {
        (Property::Translation, Composition::Components(curves)) => {
            for (curve, offset) in curves.iter_mut().zip(offset.to_array()) {
                each_value(curve, |v| number(v, |x| x + offset), |_| {});
            }
        }
        (Property::Translation, Composition::Whole(curve)) => {
            each_value(curve, |v| vector(v, |x| x + offset), |_| {});
        }
        (Property::Scale, Composition::Components(curves)) => {
            for (curve, factor) in curves.iter_mut().zip(rest.scale) {
                each_value(curve, |v| number(v, |x| x * factor), |v| number(v, |x| x * factor));
            }
        }
        (Property::Scale, Composition::Whole(curve)) => {
            each_value(curve, |v| vector(v, |x| x * factors), |v| vector(v, |x| x * factors));
        }
        (Property::Rotation, Composition::Whole(curve)) => {
            let turn = DQuat::from_array(rest.rotation);
            each_value(curve, |v| rotation(v, |q| turn * q), |v| quaternion(v, |q| turn * q));
        }
        _ => {}
    }
}

/// Brings the values of a clip whose channels are single curves into the relation that a format wants.
pub(in crate::conform) fn relate(scene: &Scene, clip: &mut Clip, relation: PoseRelation) {
    let wants_absolute = relation == PoseRelation::Absolute || !is_kept(&scene.nodes, relation);
    if wants_absolute && clip.relation == PoseRelation::OnTopOfRest && can_be_absolute(clip, &scene.nodes) {
        add_rests(clip, &scene.nodes);
    }
    if relation == PoseRelation::OnTopOfRest && clip.relation == PoseRelation::Absolute {
        take_rests_out(clip, &scene.nodes, &rest_in_model_space(scene));
    }
}

/// A scene without clips whose joints rest at the same positions, without rotations and scales, and a clip on
/// top of this rest pose; `None` if the clip is not absolute, or has channels that can only be turned as
/// single curves.
///
/// A constant rotation before or after commutes with every law but [`Blend::Turn`], whose axes it would turn, and a curve
/// of vectors with all axes together may be turned too. So keys and laws survive.
pub(in crate::conform) fn unturned(scene: &Scene, clip: &Clip) -> Option<(Scene, Clip)> {
    let is_single = |channel: &Channel| match &channel.composition {
        Composition::Whole(curve) => curve.laws.all(|law| law.blend != Blend::Turn),
        _ => false,
    };
    let turns = |channel: &&Channel| {
        matches!(channel.property, Property::Translation | Property::Rotation | Property::Placement)
    };
    let placed = clip.tracks.iter().filter(|track| rest_of(&scene.nodes, track.target.node).is_some());
    let is_turnable = placed.flat_map(|track| &track.channels).filter(turns).all(is_single);
    if clip.relation != PoseRelation::Absolute || !is_turnable {
        return None;
    }
    let world = rest_in_model_space(scene);
    let (mut flat, mut clip) = (Scene { clips: Vec::new(), ..scene.clone() }, clip.clone());
    for node in &mut flat.nodes {
        let parent = node.parent.and_then(|p| world.get(p.0)).copied().unwrap_or_default();
        let translation = (parent.linear * DVec3::from(node.rest.translation)).to_array();
        node.rest = Transform { translation, ..Transform::IDENTITY };
    }
    take_rests_out(&mut clip, &scene.nodes, &world);
    Some((flat, clip))
}

/// Absolute values become values on top of the rest pose, with all rest rotations and scales taken out, so
/// that the values also hold for a rest pose of the same joints whose rotations are the identity.
///
/// With W the rest pose in model space, p the parent: offset = W_p · (a − rest), rotation = W_p · A · W⁻¹.
fn take_rests_out(clip: &mut Clip, nodes: &[Node], world: &[World]) {
    clip.relation = PoseRelation::OnTopOfRest;
    for track in &mut clip.tracks {
        let Some(NodeIndex(index)) = track.target.node else { continue };
        let (Some(node), Some(own)) = (nodes.get(index), world.get(index)) else { continue };
        let parent = node.parent.and_then(|p| world.get(p.0)).copied().unwrap_or_default();
        for channel in &mut track.channels {
            take_rest_out(channel, &node.rest, &parent, own);
        }
    }
}

fn take_rest_out(channel: &mut Channel, rest: &Transform, parent: &World, world: &World) {
    let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
    let curve = match &mut channel.composition {
        Composition::Whole(curve) => curve,
        // Axes stay apart only where no rest pose turns or scales them.
        Composition::Components(axes) if channel.property == Property::Translation => {
            for (axis, rest) in axes.iter_mut().zip(rest.translation) {
                each_value(axis, |v| number(v, |x| x - rest / scale), |_| {});
            }
            return;
        }
        _ => return,
    };
    match channel.property {
        Property::Translation => {
            let rest = DVec3::from(rest.translation) / scale;
            let linear = parent.linear;
            each_value(curve, |v| vector(v, |x| linear * (x - rest)), |v| vector(v, |x| linear * x));
        }
        Property::Rotation => {
            let turned = |q| parent.rotation * q * world.rotation.inverse();
            each_value(curve, |v| rotation(v, turned), |v| quaternion(v, turned));
        }
        _ => {}
    }
}

/// True if clips already in this relation stay as they are: on top of rest means to a format that rest
/// rotations are the identity.
pub(in crate::conform) fn is_kept(nodes: &[Node], relation: PoseRelation) -> bool {
    let is_plain = |n: &Node| n.rest.rotation == Transform::IDENTITY.rotation && n.rest.scale == [1.0; 3];
    relation == PoseRelation::Absolute || nodes.iter().all(is_plain)
}

#[derive(Clone, Copy)]
struct World {
    linear: DMat3,
    rotation: DQuat,
}

impl Default for World {
    fn default() -> Self {
        Self { linear: DMat3::IDENTITY, rotation: DQuat::IDENTITY }
    }
}

fn rest_in_model_space(scene: &Scene) -> Vec<World> {
    let mut out: Vec<World> = Vec::with_capacity(scene.nodes.len());
    for node in &scene.nodes {
        let parent = node.parent.and_then(|p| out.get(p.0)).copied().unwrap_or_default();
        let rotation = DQuat::from_array(curve::quat_normalise_or_identity(node.rest.rotation));
        let local = DMat3::from_quat(rotation) * DMat3::from_diagonal(DVec3::from(node.rest.scale));
        out.push(World { linear: parent.linear * local, rotation: parent.rotation * rotation });
    }
    out
}

/// Applies `change` to every value and ramp start of a curve, and its linear part to every tangent and control.
pub(in crate::conform) fn each_value(
    curve: &mut Curve,
    change: impl Fn(&mut [f32]),
    linear: impl Fn(&mut [f32]),
) {
    curve.change_rows(|row, is_slope| if is_slope { linear(row) } else { change(row) });
}

fn number(values: &mut [f32], change: impl Fn(f64) -> f64) {
    values.iter_mut().for_each(|x| *x = narrow(change(f64::from(*x))));
}

pub(in crate::conform) fn vector(values: &mut [f32], change: impl Fn(DVec3) -> DVec3) {
    if let Some(v) = values.first_chunk_mut::<3>() {
        *v = change(DVec3::from(v.map(f64::from))).to_array().map(narrow);
    }
}

/// Changes a rotation; a quaternion without direction counts as the identity, as in evaluation.
pub(in crate::conform) fn rotation(values: &mut [f32], change: impl Fn(DQuat) -> DQuat) {
    quaternion(values, |q| {
        change(if curve::quat_normalise(q.to_array()).is_some() { q } else { DQuat::IDENTITY })
    });
}

pub(in crate::conform) fn quaternion(values: &mut [f32], change: impl Fn(DQuat) -> DQuat) {
    if let Some(v) = values.first_chunk_mut::<4>() {
        *v = change(DQuat::from_array(v.map(f64::from))).to_array().map(narrow);
    }
}
