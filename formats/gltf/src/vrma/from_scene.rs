//! Scene → document: a GLB with a node per expression, and the extension that gives the meanings of nodes.

use super::Vrma;
use super::document::Document;
use super::read::{self, EXTENSION, VERSION};
use crate::{Glb, gltf};
use dopesheet_core::bytes::json::{JsonWriter, NumberStyle};
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Fault, Report};
use dopesheet_core::format::{Format, FromScene};
use dopesheet_core::model::{
    Channel, Clip, Curve, HumanBone, Humanoid, Node, NodeIndex, PRESET_EXPRESSIONS, Property, Scene, Target,
    TargetKind, Track, Transform,
};
use dopesheet_core::order;
use dopesheet_core::words::counted;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn from_scene(
    scene: &Scene,
    options: &FromScene,
    report: &mut Report,
) -> Result<Document, ConvertError> {
    let failed = |kind| ConvertError::new(Vrma::INFO.id, kind);
    let fault = |fault: Box<Fault>| failed(ConvertErrorKind::Fault(fault));
    let Some(humanoid) = scene.humanoid.as_ref().filter(|humanoid| humanoid.missing().is_empty()) else {
        let what = "it holds only the motion of a humanoid, and the scene has none".to_owned();
        return Err(failed(ConvertErrorKind::Unsupported(what)));
    };
    let mut figure = Scene { humanoid: None, ..scene.clone() };
    leave_out(&mut figure, humanoid, report);
    let faces = stand_for_expressions(&mut figure, report);
    let convert_error = |error: ConvertError| ConvertError::new(Vrma::INFO.id, error.kind);
    let glb = Glb::from_scene(&figure, options, report).map_err(convert_error)?;
    let glb = gltf::with_root_extension(&glb, EXTENSION, &extension(humanoid, &faces)).map_err(fault)?;
    read::document(glb).map_err(fault)
}

/// Bones turn, and hips move; nothing else is theirs to do.
fn leave_out(figure: &mut Scene, humanoid: &Humanoid, report: &mut Report) {
    let hips = humanoid.bones.get(&HumanBone::Hips);
    let bones = order::set(humanoid.bones.values().copied());
    let mut lost: BTreeMap<&str, usize> = BTreeMap::new();
    for track in figure.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        let node = track.target.node;
        let is_bone = node.is_some_and(|node| bones.contains(&node));
        track.channels.retain(|channel| {
            let stays = match channel.property {
                Property::Translation => !is_bone || node.as_ref() == hips,
                Property::Scale => false,
                _ => true,
            };
            if !stays {
                *lost
                    .entry(if channel.property == Property::Scale { "scale" } else { "translation" })
                    .or_default() += 1;
            }
            stays
        });
    }
    for (what, count) in lost {
        report.dropped(
            format!("{what} of {}", counted(count, "node")),
            "bones of a humanoid only turn, and its hips move",
        );
    }
}

/// A node for each moving expression, with the weight as its X translation.
fn stand_for_expressions(figure: &mut Scene, report: &mut Report) -> BTreeMap<String, NodeIndex> {
    let parent = figure.nodes.first().filter(|first| first.parent.is_none()).map(|_| NodeIndex(0));
    let mut faces: BTreeMap<String, NodeIndex> = BTreeMap::new();
    let mut clips = std::mem::take(&mut figure.clips);
    let mut outside = 0;
    for track in clips.iter_mut().flat_map(|clip| &mut clip.tracks).filter(|track| is_weight(track)) {
        let name = track.target.name.clone();
        let node = *faces
            .entry(name.clone())
            .or_insert_with(|| figure.push_node(Node::new(name.clone(), parent, Transform::IDENTITY)));
        for channel in &mut track.channels {
            outside += stand_for_weight(channel);
        }
        track.target = Target::new(TargetKind::Joint, name, node.0, Some(node));
    }
    if outside > 0 {
        let what = format!(
            "{} of expressions below 0 or above 1, by the nearer of the two",
            counted(outside, "key")
        );
        report.dropped(what, "players take weights from 0 to 1");
    }
    figure.clips = clips;
    let nodes = order::set(faces.values().copied());
    figure.clips.iter_mut().for_each(|clip| leave_out_twins(clip, &nodes));
    faces
}

/// True if a track moves one morph by keys in a single curve.
fn is_weight(track: &Track) -> bool {
    let is_plain = |channel: &Channel| {
        channel.property == Property::Weight && channel.composition.curves().all(|curve| curve.width == 1)
    };
    track.target.kind == TargetKind::Morph && track.channels.iter().all(is_plain)
}

/// Weights become positions along X; yields how many keys were outside 0..=1.
fn stand_for_weight(channel: &mut Channel) -> usize {
    let scale = channel.native.take().map_or(1.0, |native| native.scale);
    let Some(curve) = channel.composition.curves().next() else { return 0 };
    let weights = || curve.values.iter().map(|value| (f64::from(*value) * scale) as f32);
    let outside = weights().filter(|weight| !(0.0..=1.0).contains(weight)).count();
    let values = weights().flat_map(|weight| [weight.clamp(0.0, 1.0), 0.0, 0.0]).collect();
    let curve = Curve { width: 3, values, handles: None, ..curve.clone() };
    *channel = Channel::whole(Property::Translation, curve);
    outside
}

/// Leaves out all but the last of several tracks of one expression; the last counts in every player of a
/// scene.
fn leave_out_twins(clip: &mut Clip, faces: &BTreeSet<NodeIndex>) {
    let mut seen = BTreeSet::new();
    clip.tracks.reverse();
    clip.tracks
        .retain(|track| track.target.node.is_none_or(|node| !faces.contains(&node) || seen.insert(node)));
    clip.tracks.reverse();
}

fn extension(humanoid: &Humanoid, faces: &BTreeMap<String, NodeIndex>) -> String {
    let mut json = JsonWriter::new(NumberStyle::ShortestF32);
    let (presets, customs): (Vec<_>, Vec<_>) =
        faces.iter().partition(|(name, _)| PRESET_EXPRESSIONS.contains(&name.as_str()));
    json.object(|w| {
        w.name("specVersion").string(VERSION).name("humanoid").object(|w| {
            w.name("humanBones").object(|w| {
                for (bone, at) in humanoid.bones.iter().filter(|(bone, _)| !bone.is_eye()) {
                    node(w.name(bone.word()), *at);
                }
            });
        });
        if !faces.is_empty() {
            w.name("expressions").object(|w| {
                for (kind, faces) in [("preset", presets), ("custom", customs)] {
                    if !faces.is_empty() {
                        w.name(kind).object(|w| faces.iter().for_each(|(name, at)| node(w.name(name), **at)));
                    }
                }
            });
        }
        if let Some(look_at) = &humanoid.look_at {
            w.name("lookAt").object(|w| {
                w.name("node").integer(look_at.node.0);
                w.name("offsetFromHeadBone").numbers(look_at.offset_from_head);
            });
        }
        if let Some(carrier) = humanoid.root_motion {
            w.name("extras").object(|w| node(w.name("rootMotion"), carrier));
        }
    });
    json.finish()
}

fn node(w: &mut JsonWriter, node: NodeIndex) {
    w.object(|w| {
        w.name("node").integer(node.0);
    });
}
