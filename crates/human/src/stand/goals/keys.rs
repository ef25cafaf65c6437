//! Keys for a model on every frame.

use super::poser::Poser;
use super::roles::{RigRoles, Role};
use crate::body::tracks::target;
use dopesheet_core::format::MostFrames;
use dopesheet_core::model::{
    Channel, Clip, Curve, Law, Laws, Node, NodeIndex, PoseRelation, Property, SolvedChannel, TargetKind,
    Times, Track,
};
use dopesheet_core::units::FrameRate;
use dopesheet_motion::inside::RelativeKeys;

/// Most keys of a node, almost four days at 30 fps. Keys of longer clips, which conversions refuse, are
/// further apart.
const MOST_KEYS: usize = MostFrames::LIMIT as usize;

/// The motion as keys of the model's nodes, with IK on.
pub(crate) fn clip(poser: &Poser<'_>, grid: FrameRate) -> Clip {
    let model = poser.model;
    // A time next to a frame is that frame; what ends between two frames ends on the second.
    let frames = (grid.frame(poser.motion.end()) - FrameRate::SNAP_FRAMES).ceil().max(0.0) as usize;
    let step = frames.div_ceil(MOST_KEYS).max(1);
    let mut columns = columns(model);
    for frame in (0..frames).step_by(step).chain([frames]) {
        let time = grid.seconds(frame as f64);
        let pose = poser.at(time).pose();
        for (index, keys) in &mut columns {
            pose.get(*index).into_iter().for_each(|local| keys.add(time.0, local));
        }
    }
    let mut tracks: Vec<Track> = Vec::new();
    for (index, keys) in columns {
        let channel = keys.into_channel();
        if let Some(node) = model.scene.nodes.get(index).filter(|_| !is_at_rest(&channel)) {
            add(&mut tracks, node, NodeIndex(index), channel);
        }
    }
    let nodes = tracks.iter().filter_map(|track| track.target.node);
    let solved = nodes.flat_map(SolvedChannel::placing).collect();
    tracks.extend(model.goals().filter_map(|goal| Some(switch(goal, model.scene.node(goal)?))));
    Clip {
        made_for: model.scene.name.clone(),
        duration: grid.seconds(frames as f64),
        tracks,
        grid: Some(grid),
        relation: PoseRelation::OnTopOfRest,
        solved,
        ..poser.motion.clone()
    }
}

/// A curve for every property that a node's role lets it move.
fn columns<'a>(model: &RigRoles<'a>) -> Vec<(usize, RelativeKeys<'a>)> {
    let nodes = model.scene.nodes.iter().zip(&model.roles).enumerate();
    nodes
        .flat_map(|(index, (node, role))| {
            let properties = properties(*role).iter().cloned();
            properties.map(move |property| (index, RelativeKeys::new(property, &node.rest)))
        })
        .collect()
}

/// Properties that a node with a role may move.
const fn properties(role: Role) -> &'static [Property] {
    match role {
        Role::Rest => &[],
        Role::Centre => &[Property::Translation],
        Role::Bone | Role::Thigh { .. } | Role::Knee | Role::Toes(_) | Role::Eye => &[Property::Rotation],
        Role::Carrier | Role::Goal(_) => &[Property::Translation, Property::Rotation],
    }
}

fn add(tracks: &mut Vec<Track>, node: &Node, index: NodeIndex, channel: Channel) {
    match tracks.last_mut().filter(|track| track.target.node == Some(index)) {
        Some(track) => track.channels.push(channel),
        None => {
            let target = target(TargetKind::Joint, node, index);
            tracks.push(Track { target, channels: vec![channel] });
        }
    }
}

/// True if a channel on top of the rest pose adds nothing.
fn is_at_rest(channel: &Channel) -> bool {
    let rest: &[f32] = if channel.property == Property::Rotation { &[0.0, 0.0, 0.0, 1.0] } else { &[0.0; 3] };
    let mut curves = channel.composition.curves();
    curves.all(|curve| curve.values.chunks_exact(rest.len()).all(|value| value == rest))
}

/// Turns a chain on.
fn switch(goal: NodeIndex, node: &Node) -> Track {
    let on = Curve::new(Times::Seconds([0.0].into()), 1, vec![1.0], Laws::uniform(Law::STEP));
    let target = target(TargetKind::Custom, node, goal);
    Track { target, channels: vec![Channel::whole(Property::Enabled, on)] }
}
