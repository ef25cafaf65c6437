//! Figures raised or lowered as a whole.

use crate::body::curves::{constant, moved_along};
use crate::body::figure::Figure;
use crate::body::tracks::put;
use dopesheet_core::diag::Report;
use dopesheet_core::model::{Channel, Clip, Composition, HumanBone, NodeIndex, Property, Scene, TargetKind};
use dopesheet_core::words::length;
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
    let raised = translation.and_then(|channel| moved_along(&channel.composition, DMat3::IDENTITY, by));
    let at_rest = scene.node(node).map_or(DVec3::ZERO, |node| DVec3::from(node.rest.translation));
    let still = || Composition::Whole(constant(&Property::Translation, &(at_rest + by).to_array()));
    let composition = raised.unwrap_or_else(still);
    let channel = Channel { property: Property::Translation, composition, native: None };
    put(clip, scene, node, channel);
}

/// Raises a figure in glTF's axes and metres, whose nodes above the hips stay at rest, in all its clips. Below 0 it is lowered.
pub fn raise_figure(figure: &mut Scene, metres: f64, report: &mut Report) {
    let Some(humanoid) = &figure.humanoid else { return };
    let bones = Figure { scene: figure, humanoid };
    let Some(hips) = bones.node(HumanBone::Hips) else { return };
    let rest = bones.at_rest();
    let above = figure.node(hips).and_then(|node| rest.get(node.parent?.0));
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
