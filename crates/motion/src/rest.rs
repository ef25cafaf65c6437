//! Rest poses of motions whose files state none.

use crate::sample::{Side, channel_at};
use dopesheet_core::format::RestFrom;
use dopesheet_core::model::{Channel, Clip, PoseRelation, Property, RestPose, Scene, Transform};
use dopesheet_core::units::Seconds;

/// Takes a rest pose from the first keys of a scene without a known rest pose. Nodes moved by several clips
/// get the pose of the first of these clips.
pub fn assume_rest(scene: &mut Scene, from: RestFrom) {
    if scene.rest != RestPose::Unknown {
        return;
    }
    let Scene { clips, nodes, .. } = scene;
    for track in clips.iter().rev().filter(|clip| is_absolute(clip)).flat_map(|clip| &clip.tracks) {
        let Some(node) = track.target.node.and_then(|node| nodes.get_mut(node.0)) else { continue };
        for channel in &track.channels {
            if set_rest(channel, &mut node.rest, from) {
                scene.rest = RestPose::Assumed;
            }
        }
    }
}

fn is_absolute(clip: &Clip) -> bool {
    clip.relation == PoseRelation::Absolute
}

/// Sets a rest pose to the start of a channel, a rotation only for [`RestFrom::First`]. Returns true if the
/// channel is part of a pose.
fn set_rest(channel: &Channel, rest: &mut Transform, from: RestFrom) -> bool {
    let starts = channel.composition.curves().filter_map(|curve| curve.times.span());
    let Some(start) = starts.map(|(start, _)| start.0).reduce(f64::min) else { return false };
    let mut value = Vec::new();
    if !channel_at(channel, Seconds(start), Side::At, &mut value) {
        return false;
    }
    match (&channel.property, &value[..]) {
        (Property::Translation, &[x, y, z]) => rest.translation = [x, y, z],
        (Property::Scale, &[x, y, z]) => rest.scale = [x, y, z],
        (Property::Rotation, &[x, y, z, w]) if from == RestFrom::First => rest.rotation = [x, y, z, w],
        (Property::Rotation, _) => {}
        _ => return false,
    }
    true
}
