//! Leave out what a format has no place for.

use dopesheet_core::diag::Report;
use dopesheet_core::format::{Capabilities, Parts};
use dopesheet_core::model::{Channel, Clip, NodeIndex, Property, Scene, TargetKind, Transform};
use std::collections::BTreeMap;

/// Removes channels and markers that the format cannot hold, and reports how many keys of how many targets that were.
/// What never differs from the rest pose is removed without a word: nothing is lost with it.
pub(super) fn leave_out(scene: &mut Scene, capabilities: &Capabilities, report: &mut Report) {
    let parts = capabilities.parts;
    let rests: Vec<Transform> = scene.nodes.iter().map(|n| n.rest).collect();
    let mut lost: BTreeMap<(&'static str, String), (usize, usize)> = BTreeMap::new();
    for clip in &mut scene.clips {
        for track in &mut clip.tracks {
            let (kind, node) = (track.target.kind, track.target.node);
            track.channels.retain(|channel| {
                if has_place(&parts, kind, &channel.property) {
                    return true;
                }
                let keys = channel.composition.curves().map(|c| c.len()).max().unwrap_or(0);
                if keys > 0 && !rests_throughout(channel, node, &rests) {
                    let entry = lost.entry((kind.word(), channel.property.word().to_owned())).or_default();
                    *entry = (entry.0 + 1, entry.1 + keys);
                }
                false
            });
        }
        clip.tracks.retain(|t| !t.channels.is_empty());
        leave_out_markers(clip, &parts, report);
    }
    for ((kind, property), (targets, keys)) in lost {
        let targets = if targets == 1 { format!("one {kind}") } else { format!("{targets} {kind} targets") };
        report.dropped(
            format!("{keys} {property} keys of {targets}"),
            "the target format has no place for them",
        );
    }
}

fn leave_out_markers(clip: &mut Clip, parts: &Parts, report: &mut Report) {
    if !parts.markers && !clip.markers.is_empty() {
        report.dropped(format!("{} markers", clip.markers.len()), "the target format has no place for them");
        clip.markers.clear();
    }
}

const fn has_place(parts: &Parts, kind: TargetKind, property: &Property) -> bool {
    match kind {
        TargetKind::Joint | TargetKind::Morph => match property {
            Property::Translation => parts.translation,
            Property::Rotation => parts.rotation,
            Property::Placement => parts.translation && parts.rotation,
            Property::Scale => parts.scale,
            Property::Weight => parts.morph_tracks,
            Property::Weights => parts.weight_vectors,
            _ => parts.custom_tracks,
        },
        TargetKind::Camera => parts.cameras,
        TargetKind::Light => parts.lights,
        TargetKind::Hand | TargetKind::Custom => parts.custom_tracks,
    }
}

fn rests_throughout(channel: &Channel, node: Option<NodeIndex>, rests: &[Transform]) -> bool {
    let Some(rest) = node.and_then(|n| rests.get(n.0)) else { return false };
    let wanted: &[f64] = match channel.property {
        Property::Translation => &rest.translation,
        Property::Rotation => &rest.rotation,
        Property::Scale => &rest.scale,
        _ => return false,
    };
    let equals = |row: &[f32]| {
        row.iter().zip(wanted).all(|(a, b)| (f64::from(*a) - b).abs() <= 1e-6 * b.abs().max(1.0))
    };
    channel
        .composition
        .curves()
        .all(|c| c.width == wanted.len() && c.values.chunks_exact(c.width).all(equals))
}
