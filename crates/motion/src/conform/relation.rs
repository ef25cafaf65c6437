//! Absolute values, and values on top of the rest pose.

use dopesheet_core::model::{
    Channel, Composition, Curve, NodeIndex, Outside, PoseRelation, Property, Scene, Transform,
};
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// Values on top of the rest pose become absolute, key by key: adding a constant and multiplying with a constant
/// rotation commute with every law.
pub(super) fn make_absolute(scene: &mut Scene) {
    for clip in &mut scene.clips {
        if clip.relation == PoseRelation::Absolute {
            continue;
        }
        clip.relation = PoseRelation::Absolute;
        for track in &mut clip.tracks {
            let Some(rest) = track.target.node.and_then(|n| scene.nodes.get(n.0)).map(|n| n.rest) else {
                continue;
            };
            for channel in &mut track.channels {
                add_rest(channel, &rest);
            }
        }
    }
}

fn add_rest(channel: &mut Channel, rest: &Transform) {
    match (&channel.property, &mut channel.composition) {
        (Property::Translation, Composition::Components(curves)) => {
            for (curve, rest) in curves.iter_mut().zip(rest.translation) {
                each_value(curve, |v| v.iter_mut().for_each(|x| *x = (f64::from(*x) + rest) as f32));
            }
        }
        (Property::Translation, Composition::Whole(curve)) => {
            each_value(curve, |v| vector(v, |x| x + DVec3::from(rest.translation)));
        }
        (Property::Scale, Composition::Whole(curve)) => {
            each_value(curve, |v| vector(v, |x| x * DVec3::from(rest.scale)))
        }
        (Property::Rotation, Composition::Whole(curve)) => {
            let turn = DQuat::from_array(rest.rotation);
            each_value(curve, |v| quaternion(v, |q| turn * q));
        }
        _ => {}
    }
}

/// Absolute values become values on top of the rest pose, with all rest rotations and scales taken out, so that they
/// also hold for a rest pose of the same joints whose rotations are the identity.
///
/// With W the rest pose in model space, p the parent: offset = W_p · (a − rest), rotation = W_p · A · W⁻¹.
pub(super) fn make_relative(scene: &mut Scene) {
    let world = rest_in_model_space(scene);
    let nodes = &scene.nodes;
    for clip in &mut scene.clips {
        if clip.relation == PoseRelation::OnTopOfRest {
            continue;
        }
        clip.relation = PoseRelation::OnTopOfRest;
        for track in &mut clip.tracks {
            let Some(NodeIndex(index)) = track.target.node else { continue };
            let Some(node) = nodes.get(index) else { continue };
            let parent = node.parent.and_then(|p| world.get(p.0)).copied().unwrap_or_default();
            let own = world.get(index).copied().unwrap_or_default();
            for channel in &mut track.channels {
                let Composition::Whole(curve) = &mut channel.composition else { continue };
                match channel.property {
                    Property::Translation => {
                        let rest = DVec3::from(node.rest.translation);
                        each_value(curve, |v| vector(v, |x| parent.linear * (x - rest)));
                    }
                    Property::Rotation => {
                        each_value(curve, |v| {
                            quaternion(v, |q| parent.rotation * q * own.rotation.inverse())
                        });
                    }
                    _ => {}
                }
            }
        }
    }
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
        let rotation = DQuat::from_array(node.rest.rotation).normalize();
        let local =
            DAffine3::from_scale_rotation_translation(DVec3::from(node.rest.scale), rotation, DVec3::ZERO);
        out.push(World { linear: parent.linear * local.matrix3, rotation: parent.rotation * rotation });
    }
    out
}

/// Changes every value of a curve, tangents and ramp starts excepted where a constant does not change them.
fn each_value(curve: &mut Curve, change: impl Fn(&mut [f32])) {
    curve.values.chunks_exact_mut(curve.width.max(1)).for_each(&change);
    for side in [&mut curve.before, &mut curve.after] {
        if let Outside::Ramp { from, .. } = side {
            change(from);
        }
    }
}

fn vector(values: &mut [f32], change: impl Fn(DVec3) -> DVec3) {
    if let Some(v) = values.first_chunk_mut::<3>() {
        *v = change(DVec3::from(v.map(f64::from))).to_array().map(|x| x as f32);
    }
}

fn quaternion(values: &mut [f32], change: impl Fn(DQuat) -> DQuat) {
    if let Some(v) = values.first_chunk_mut::<4>() {
        *v = change(DQuat::from_array(v.map(f64::from))).to_array().map(|x| x as f32);
    }
}
