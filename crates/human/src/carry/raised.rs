//! Figures raised or lowered as a whole.

use crate::body::curves::{constant, moved, permuted};
use crate::stand::ik_pass::put;
use dopesheet_core::diag::Report;
use dopesheet_core::model::{Channel, Clip, Composition, HumanBone, NodeIndex, Property, Scene, TargetKind};
use dopesheet_core::words::length;
use dopesheet_motion::inside::ChainTransform;
use dopesheet_motion::sample::pose::rest_pose;
use glam::{DMat3, DVec3};

/// Moves a figure by a vector at all times alike, by the node that carries it, so that no other node changes. With the node comes the matrix
/// into the axes of its parent.
pub(crate) fn raise(clip: &mut Clip, scene: &Scene, carrier: Option<(NodeIndex, DMat3)>, by: DVec3) {
    let Some((node, into)) = carrier.filter(|_| by != DVec3::ZERO) else { return };
    let by = into * by;
    let is_own = |target: Option<NodeIndex>, kind| kind == TargetKind::Joint && target == Some(node);
    let tracks = clip.tracks.iter().filter(|track| is_own(track.target.node, track.target.kind));
    let mut channels = tracks.flat_map(|track| &track.channels);
    let translation = channels.find(|channel| channel.property == Property::Translation);
    let raised = match translation.map(|channel| &channel.composition) {
        Some(Composition::Whole(curve)) => Some(Composition::Whole(moved(curve, DMat3::IDENTITY, by))),
        Some(Composition::Components(curves)) => {
            permuted(curves, DMat3::IDENTITY, by).map(Composition::Components)
        }
        _ => None,
    };
    let at_rest = scene.node(node).map_or(DVec3::ZERO, |node| DVec3::from(node.rest.translation));
    let still = || Composition::Whole(constant(&Property::Translation, &(at_rest + by).to_array()));
    let composition = raised.unwrap_or_else(still);
    let channel = Channel { property: Property::Translation, composition, native: None };
    put(clip, scene, node, channel);
}

/// Raises a figure in glTF's axes and metres, whose nodes above the hips stay at rest, in all its clips. Below 0 it is lowered.
pub fn raise_figure(figure: &mut Scene, metres: f64, report: &mut Report) {
    let hips = figure.humanoid.as_ref().and_then(|humanoid| humanoid.bones.get(&HumanBone::Hips)).copied();
    let Some(hips) = hips else { return };
    let rest = ChainTransform::of_pose(figure, &rest_pose(figure));
    let above = figure.node(hips).and_then(|node| node.parent).and_then(|above| rest.get(above.0));
    let into = above.map_or(DMat3::IDENTITY, |above| above.matrix.inverse().matrix3);
    let mut clips = std::mem::take(&mut figure.clips);
    clips.iter_mut().for_each(|clip| raise(clip, figure, Some((hips, into)), DVec3::Y * metres));
    figure.clips = clips;
    tell(metres, report);
}

/// Says by how much a figure was raised, if it was.
pub(crate) fn tell(metres: f64, report: &mut Report) {
    if metres == 0.0 {
        return;
    }
    let word = if metres > 0.0 { "raised" } else { "lowered" };
    report.kept(format!("the figure {word} by {}", length(metres.abs())));
}
