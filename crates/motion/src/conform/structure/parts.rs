//! Leave out the parts of a scene that a format cannot hold.

use dopesheet_core::diag::Report;
use dopesheet_core::format::{Capabilities, Parts};
use dopesheet_core::model::{
    Channel, Clip, Composition, Curve, Hierarchy, Node, Outside, PoseRelation, Property, Scene, TargetKind,
    Track, Transform,
};
use dopesheet_core::words::counted;
use std::collections::{BTreeMap, HashSet};

/// Why something is left out.
const NO_PLACE: &str = "the target format has no place for them";

/// Why the weight of a morph is left out where a format has the morphs of meshes.
const NO_MORPH: &str = "no mesh of the model has such morphs";

const NO_AVATAR: &str = "they need an avatar, which says what they do to joints";

/// Number of channels and keys left out, by sort of target and property.
type Lost = BTreeMap<(&'static str, String), (usize, usize)>;

/// Removes channels and markers that the format cannot hold, and reports the number of their keys and
/// targets. Channels that never differ from the rest pose are removed without a word: nothing is lost with
/// them. If the only known rest pose is the start of the clip, the identity stands for the rest pose.
pub(in crate::conform) fn leave_out(scene: &mut Scene, capabilities: &Capabilities, report: &mut Report) {
    let parts = capabilities.parts;
    let mut lost = Lost::new();
    if !parts.muscles {
        leave_out_muscles(scene, report);
    }
    for clip in &mut scene.clips {
        let rests: &[Node] = match (clip.relation, scene.hierarchy) {
            (PoseRelation::Absolute, Hierarchy::Known) => &scene.nodes,
            (PoseRelation::Absolute, Hierarchy::Unknown) | (PoseRelation::OnTopOfRest, _) => &[],
        };
        for track in &mut clip.tracks {
            leave_out_channels(track, rests, &parts, &mut lost);
        }
        clip.tracks.retain(|t| !t.channels.is_empty());
        leave_out_markers(clip, &parts, report);
        if parts.morph_tracks {
            leave_out_second_morphs(clip, report);
        }
    }
    for ((kind, property), (targets, keys)) in lost {
        let is_weight = (kind, property.as_str()) == (TargetKind::Morph.word(), Property::Weight.word());
        let why = if is_weight && parts.weight_vectors { NO_MORPH } else { NO_PLACE };
        let keys = counted(keys, &format!("{property} key"));
        report.dropped(format!("{keys} of {}", counted(targets, &format!("{kind} target"))), why);
    }
}

fn leave_out_muscles(scene: &mut Scene, report: &mut Report) {
    let mut count = 0usize;
    for track in scene.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        let before = track.channels.len();
        track.channels.retain(|channel| channel.property != Property::Muscle);
        count = count.saturating_add(before.saturating_sub(track.channels.len()));
    }
    if count > 0 {
        report.dropped(counted(count, "humanoid muscle curve"), NO_AVATAR);
    }
}

/// `rests` are nodes with their rest poses; without them the rest pose of every node is the identity.
fn leave_out_channels(track: &mut Track, rests: &[Node], parts: &Parts, lost: &mut Lost) {
    let (kind, node) = (track.target.kind, track.target.node);
    let rest = node.and_then(|node| rests.get(node.0)).map_or(Transform::IDENTITY, |node| node.rest);
    track.channels.retain(|channel| {
        if has_place(parts, kind, &channel.property) {
            return true;
        }
        let keys = channel.composition.curves().map(Curve::len).max().unwrap_or(0);
        if keys > 0 && !rests_throughout(channel, &rest) {
            let (channels, all) = lost.entry((kind.word(), channel.property.word().to_owned())).or_default();
            (*channels, *all) = (channels.saturating_add(1), all.saturating_add(keys));
        }
        false
    });
}

fn leave_out_markers(clip: &mut Clip, parts: &Parts, report: &mut Report) {
    if !parts.markers && !clip.markers.is_empty() {
        report.dropped(counted(clip.markers.len(), "marker"), NO_PLACE);
        clip.markers.clear();
    }
}

/// Leaves out all but the first track of each morph name: formats with one track per morph know morphs by
/// name only.
fn leave_out_second_morphs(clip: &mut Clip, report: &mut Report) {
    let mut seen = HashSet::new();
    let mut twice = Vec::new();
    clip.tracks.retain(|track| {
        let is_morph = track.target.kind == TargetKind::Morph
            && track.channels.iter().any(|c| c.property == Property::Weight);
        let keeps = !is_morph || seen.insert(track.target.name.clone());
        if !keeps {
            twice.push(track.target.name.clone());
        }
        keeps
    });
    if !twice.is_empty() {
        let why = "the target format tells morphs apart by name only, and another of that name is written";
        report.dropped(format!("weights of {}", twice.join(", ")), why);
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
        TargetKind::Hand => parts.custom_tracks,
        // Whether a node is there is said of the node, also where nothing else of it moves.
        TargetKind::Custom if matches!(property, Property::Visible) => parts.custom_tracks,
        TargetKind::Custom => parts.numbers,
    }
}

/// True if a channel shows the rest pose at every time, as far as f32 can tell.
fn rests_throughout(channel: &Channel, rest: &Transform) -> bool {
    let wanted: &[f64] = match channel.property {
        Property::Translation => &rest.translation,
        Property::Rotation => &rest.rotation,
        Property::Scale => &rest.scale,
        _ => return false,
    };
    let scale = channel.native.as_ref().map_or(1.0, |native| native.scale);
    let stays = |curve: &Curve, wanted: &[f64]| rests(curve, wanted, scale);
    match &channel.composition {
        Composition::Whole(curve) => {
            let opposite: Vec<f64> = wanted.iter().map(|v| -v).collect();
            stays(curve, wanted) || (channel.property == Property::Rotation && stays(curve, &opposite))
        }
        Composition::Components(curves) => {
            curves.len() == wanted.len()
                && curves.iter().zip(wanted).all(|(c, w)| stays(c, std::slice::from_ref(w)))
        }
        _ => false,
    }
}

fn rests(curve: &Curve, rest: &[f64], scale: f64) -> bool {
    let equals = |row: &[f32]| {
        row.iter().zip(rest).all(|(a, b)| (f64::from(*a) * scale - b).abs() <= 1e-6 * b.abs().max(1.0))
    };
    let ramps = match &curve.before {
        Outside::Ramp { from, .. } => !equals(from),
        _ => false,
    };
    let bends = curve
        .handles
        .as_ref()
        .is_some_and(|h| h.arriving.iter().chain(&h.leaving).any(|slope| *slope != 0.0));
    !ramps && !bends && curve.width == rest.len() && curve.values.chunks_exact(curve.width).all(equals)
}
