//! Tracks of nodes, and the errors of their keys.

use dopesheet_core::diag::{ErrorUnit, MaxError, Report};
use dopesheet_core::model::{Channel, Clip, Node, NodeIndex, Scene, Target, TargetKind, Track};
use dopesheet_core::units::Seconds;

/// The target of a track that moves a node.
pub(crate) fn target(kind: TargetKind, node: &Node, index: NodeIndex) -> Target {
    Target::new(kind, node.name.clone(), node.source_index.unwrap_or(index.0), Some(index))
}

/// Replaces the channel of a node with the same property, or adds a channel.
pub(crate) fn put(clip: &mut Clip, scene: &Scene, index: NodeIndex, channel: Channel) {
    let is_same =
        |track: &&mut Track| track.target.kind == TargetKind::Joint && track.target.node == Some(index);
    if let Some(track) = clip.tracks.iter_mut().find(is_same) {
        match track.channels.iter_mut().find(|existing| existing.property == channel.property) {
            Some(existing) => *existing = channel,
            None => track.channels.push(channel),
        }
    } else if let Some(node) = scene.node(index) {
        let target = target(TargetKind::Joint, node, index);
        clip.tracks.push(Track { target, channels: vec![channel] });
    }
}

/// An error of a node in metres.
pub(crate) fn metres_off(scene: &Scene, node: NodeIndex, value: f64, time: Seconds) -> MaxError {
    let target = scene.node(node).map(|node| node.name.clone()).unwrap_or_default();
    MaxError { value, unit: ErrorUnit::Metre, target, time }
}

/// No error so far.
pub(crate) const fn nothing_off() -> MaxError {
    MaxError { value: 0.0, unit: ErrorUnit::Metre, target: String::new(), time: Seconds(0.0) }
}

/// Reports the largest of some errors; nothing without any.
pub(crate) fn report_largest(what: String, errors: Vec<MaxError>, report: &mut Report) {
    if let Some(largest) = errors.into_iter().max_by(|a, b| a.value.total_cmp(&b.value)) {
        report.approximated(what, largest);
    }
}
