//! Document → report: the rules of VRM animations, then the rules of GLB.

use super::codes;
use super::document::{Document, Extension};
use super::read::{EXTENSION, VERSION, pointer};
use super::rest::Rest;
use crate::gltf::parts::{Channel, Index, Interpolation, Path};
use crate::{Glb, gltf};
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Check, Format, ToScene};
use dopesheet_core::model::{HumanBone, PRESET_EXPRESSIONS, Property, TargetKind};
use dopesheet_core::order;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Expressions reserved for the gaze.
const LOOKS: [&str; 4] = ["lookUp", "lookDown", "lookLeft", "lookRight"];
/// The extensions of VRM models.
const MODELS: [&str; 2] = ["VRMC_vrm", "VRM"];

pub(super) fn check(document: &Document, report: &mut Report) {
    match &document.extension {
        Some(extension) => {
            let mut subject = Subject::of(document, extension, report);
            for check in [
                version,
                model,
                bone_words,
                bone_needs,
                bone_order,
                shared_nodes,
                expression_names,
                scales,
                clips,
                channels,
                between,
                rest,
                weights,
            ] {
                check(&mut subject);
            }
        }
        None => {
            let fault = document.glb.fault(
                "",
                codes::EXTENSION_MISSING.code,
                format!("the extension {EXTENSION}"),
                "none",
            );
            report.push(codes::EXTENSION_MISSING.severity, fault);
        }
    }
    Glb::check(&document.glb, report);
}

/// A document under examination.
struct Subject<'a> {
    document: &'a Document,
    extension: &'a Extension,
    /// Bones with a known name, and their nodes.
    bones: BTreeMap<HumanBone, Index>,
    /// The node above each node.
    parents: Vec<Option<Index>>,
    report: &'a mut Report,
}

impl<'a> Subject<'a> {
    fn of(document: &'a Document, extension: &'a Extension, report: &'a mut Report) -> Self {
        let bones =
            extension.bones.iter().filter_map(|(word, node)| Some((HumanBone::from_word(word)?, *node)));
        let nodes = &document.glb.parts.nodes;
        let mut parents = vec![None; nodes.len()];
        for (index, node) in nodes.iter().enumerate() {
            for child in &node.children {
                if let Some(slot) = parents.get_mut(*child as usize) {
                    *slot = Index::try_from(index).ok();
                }
            }
        }
        Self { document, extension, bones: order::map(bones), parents, report }
    }

    /// A finding at a JSON pointer.
    fn find(&mut self, check: Check, pointer: &str, expected: impl Into<String>, found: impl Into<String>) {
        let fault = self.document.glb.fault(pointer, check.code, expected.into(), found.into());
        self.report.push(check.severity, fault);
    }

    /// The nodes above a node, nearest first. A file whose nodes are their own ancestors is not read.
    fn above(&self, node: Index) -> impl Iterator<Item = Index> {
        let parent = |node: &Index| self.parents.get(*node as usize).copied().flatten();
        std::iter::successors(parent(&node), parent)
    }

    fn bone_at(&self, node: Index) -> Option<HumanBone> {
        self.bones.iter().find(|(_, bone_node)| **bone_node == node).map(|(bone, _)| *bone)
    }

    fn channels(&self) -> impl Iterator<Item = (String, &'a Channel)> + use<'a> {
        let animations = self.document.glb.parts.animations.iter().enumerate();
        animations.flat_map(|(a, animation)| {
            let channels = animation.channels.iter().enumerate();
            channels.map(move |(c, channel)| (format!("/animations/{a}/channels/{c}/target"), channel))
        })
    }
}

fn bone_pointer(word: &str) -> String {
    pointer(&format!("/humanoid/humanBones/{word}"))
}

fn version(subject: &mut Subject<'_>) {
    // That there is none was said by the reader.
    let stated = subject.extension.spec_version.as_ref();
    if let Some(version) = stated.filter(|version| *version != VERSION) {
        subject.find(
            codes::VERSION,
            &pointer("/specVersion"),
            format!("{VERSION:?}"),
            format!("{version:?}"),
        );
    }
}

fn model(subject: &mut Subject<'_>) {
    for name in MODELS {
        if gltf::root_extension(&subject.document.glb, name).is_some() {
            subject.find(
                codes::MODEL,
                &format!("/extensions/{name}"),
                "a motion without a model",
                "a VRM model",
            );
        }
    }
}

fn bone_words(subject: &mut Subject<'_>) {
    for (word, _) in &subject.extension.bones {
        match HumanBone::from_word(word) {
            None => subject.find(
                codes::BONE_UNKNOWN,
                &bone_pointer(word),
                "a bone of VRM 1.0",
                format!("{word:?}"),
            ),
            Some(bone) if bone.is_eye() => {
                subject.find(codes::EYE, &bone_pointer(word), "a gaze (lookAt)", format!("{word:?}"));
            }
            Some(_) => {}
        }
    }
}

/// A file without any bone moves a face only.
fn bone_needs(subject: &mut Subject<'_>) {
    if subject.extension.bones.is_empty() {
        return;
    }
    for bone in HumanBone::ALL {
        let has = |bone: HumanBone| subject.bones.contains_key(&bone);
        if bone.is_required() && !has(bone) {
            let bones_pointer = pointer("/humanoid/humanBones");
            subject.find(codes::BONE_MISSING, &bones_pointer, format!("the bone {}", bone.word()), "none");
        } else if let Some(parent) =
            bone.parent().filter(|parent| bone.needs_parent() && has(bone) && !has(*parent))
        {
            let expected = format!("the bone {} as well", parent.word());
            subject.find(codes::BONE_PARENT, &bone_pointer(bone.word()), expected, "none");
        }
    }
}

fn bone_order(subject: &mut Subject<'_>) {
    for (bone, node) in subject.bones.clone() {
        let above = std::iter::successors(bone.parent(), |above| above.parent());
        let Some((parent, its)) = above.filter_map(|bone| Some((bone, *subject.bones.get(&bone)?))).next()
        else {
            continue;
        };
        if !subject.above(node).any(|above| above == its) {
            let expected = format!("a node below that of {} (node {its})", parent.word());
            subject.find(codes::BONE_ORDER, &bone_pointer(bone.word()), expected, format!("node {node}"));
        }
    }
}

fn shared_nodes(subject: &mut Subject<'_>) {
    let extension = subject.extension;
    let bones = extension.bones.iter().map(|(word, node)| (bone_pointer(word), *node));
    let face = |kind: &str, name: &str| pointer(&format!("/expressions/{kind}/{name}"));
    let presets = extension.presets.iter().map(|(name, node)| (face("preset", name), *node));
    let customs = extension.customs.iter().map(|(name, node)| (face("custom", name), *node));
    let gaze = extension.look_at.map(|look_at| (pointer("/lookAt"), look_at.node));
    let all: Vec<_> = bones.chain(presets).chain(customs).chain(gaze).collect();
    let mut seen = HashSet::new();
    for (node_pointer, node) in all {
        if !seen.insert(node) {
            subject.find(
                codes::BONE_NODE_TWICE,
                &node_pointer,
                "a node of its own",
                format!("node {node} again"),
            );
        }
    }
}

fn expression_names(subject: &mut Subject<'_>) {
    let extension = subject.extension;
    for (name, _) in &extension.presets {
        let preset_pointer = pointer(&format!("/expressions/preset/{name}"));
        if LOOKS.contains(&name.as_str()) {
            subject.find(codes::EXPRESSION_LOOK, &preset_pointer, "a gaze (lookAt)", format!("{name:?}"));
        } else if !PRESET_EXPRESSIONS.contains(&name.as_str()) {
            subject.find(
                codes::EXPRESSION_PRESET,
                &preset_pointer,
                "a preset of VRM 1.0",
                format!("{name:?}"),
            );
        }
    }
    for (name, _) in &extension.customs {
        if PRESET_EXPRESSIONS.contains(&name.as_str()) || LOOKS.contains(&name.as_str()) {
            let custom_pointer = pointer(&format!("/expressions/custom/{name}"));
            subject.find(
                codes::EXPRESSION_CUSTOM,
                &custom_pointer,
                "a name that is no preset's",
                format!("{name:?}"),
            );
        }
    }
}

fn scales(subject: &mut Subject<'_>) {
    let nodes = &subject.document.glb.parts.nodes;
    let places = order::set(subject.bones.values().copied());
    for index in places {
        let transform = nodes.get(index as usize).and_then(|node| node.transform.as_ref());
        let scale = transform.and_then(|transform| transform.scale).filter(|scale| *scale != [1.0; 3]);
        if let Some(scale) = scale {
            let scale_pointer = format!("/nodes/{index}/scale");
            subject.find(codes::NODE_SCALE, &scale_pointer, "no scale", format!("{scale:?}"));
        }
    }
}

fn clips(subject: &mut Subject<'_>) {
    let animations = &subject.document.glb.parts.animations;
    if animations.len() > 1 {
        subject.find(codes::CLIPS, "/animations", "one animation", animations.len().to_string());
    }
    for (a, animation) in animations.iter().enumerate() {
        let law =
            animation.samplers.iter().position(|sampler| sampler.interpolation != Interpolation::Linear);
        if let Some((s, sampler)) = law.and_then(|s| Some((s, animation.samplers.get(s)?))) {
            let law_pointer = format!("/animations/{a}/samplers/{s}/interpolation");
            subject.find(codes::CUBIC, &law_pointer, "LINEAR", sampler.interpolation.word());
        }
    }
}

fn channels(subject: &mut Subject<'_>) {
    let faces = order::set(subject.extension.expressions().map(|(_, node)| *node));
    let gaze = subject.extension.look_at.map(|look_at| look_at.node);
    for (channel_pointer, channel) in subject.channels() {
        let Some(node) =
            channel.node.filter(|_| channel.path != Path::Weights && channel.path != Path::Pointer)
        else {
            subject.find(
                codes::POINTER,
                &channel_pointer,
                "a translation or rotation of a node",
                channel.path.word(),
            );
            continue;
        };
        let path_word = channel.path.word();
        match (subject.bone_at(node), &channel.path) {
            (Some(bone), Path::Scale) => {
                subject.find(
                    codes::SCALE,
                    &channel_pointer,
                    format!("no scale of {}", bone.word()),
                    path_word,
                );
            }
            (Some(bone), Path::Translation) if bone != HumanBone::Hips => {
                subject.find(
                    codes::TRANSLATION,
                    &channel_pointer,
                    format!("a rotation of {}", bone.word()),
                    path_word,
                );
            }
            (None, path) if faces.contains(&node) && *path != Path::Translation => {
                subject.find(
                    codes::EXPRESSION_CHANNEL,
                    &channel_pointer,
                    "a translation, whose X is the weight",
                    path_word,
                );
            }
            (None, path) if gaze == Some(node) && *path != Path::Rotation => {
                subject.find(
                    codes::LOOK_AT_CHANNEL,
                    &channel_pointer,
                    "a rotation, the direction of the gaze",
                    path_word,
                );
            }
            _ => {}
        }
    }
}

/// Motion between a bone and its parent bone, which is lost in players that look at bones only.
fn between(subject: &mut Subject<'_>) {
    let nodes = order::set(subject.bones.values().copied());
    let inside: BTreeSet<Index> = nodes
        .iter()
        .flat_map(|node| {
            let inner_nodes: Vec<Index> =
                subject.above(*node).take_while(|above| !nodes.contains(above)).collect();
            let ends_at_a_bone = subject.above(*node).any(|above| nodes.contains(&above));
            inner_nodes.into_iter().filter(move |_| ends_at_a_bone)
        })
        .collect();
    for (channel_pointer, channel) in subject.channels() {
        if let Some(node) = channel.node.filter(|node| inside.contains(node)) {
            subject.find(
                codes::BETWEEN,
                &channel_pointer,
                "a bone, or a node that no bone hangs on",
                format!("node {node}"),
            );
        }
    }
}

fn rest(subject: &mut Subject<'_>) {
    let Some(scene) = scene(subject.document) else { return };
    let (rest, Some(humanoid)) = (Rest::of(&scene), &scene.humanoid) else { return };
    let hips = humanoid.bones.get(&HumanBone::Hips).and_then(|hips| rest.position(*hips));
    if let Some(hips) = hips.filter(|hips| hips.y <= 0.0) {
        let actual = format!("a height of {} m", hips.y);
        subject.find(codes::HIPS_HEIGHT, &bone_pointer("hips"), "hips above the ground", actual);
    }
    if let Some((bone, wanted, off)) = rest.bent(humanoid) {
        let expected = format!("{} towards {wanted} at rest", bone.word());
        let actual = format!("{:.0}° from there", off.to_degrees());
        subject.find(codes::T_POSE, &bone_pointer(bone.word()), expected, actual);
    }
}

fn weights(subject: &mut Subject<'_>) {
    let Some(scene) = scene(subject.document) else { return };
    let tracks = scene.tracks();
    let mut outside = BTreeMap::new();
    for track in tracks.filter(|track| track.target.kind == TargetKind::Morph) {
        let weights = track.channels.iter().filter(|channel| channel.property == Property::Weight);
        let values = weights.flat_map(|channel| channel.composition.curves()).flat_map(|curve| &curve.values);
        if let Some(value) = values.into_iter().find(|value| !(0.0..=1.0).contains(*value)) {
            outside.insert(track.target.name.clone(), *value);
        }
    }
    for (name, value) in outside {
        let kind = if PRESET_EXPRESSIONS.contains(&name.as_str()) { "preset" } else { "custom" };
        let expression_pointer = pointer(&format!("/expressions/{kind}/{name}"));
        subject.find(codes::WEIGHT_RANGE, &expression_pointer, "weights from 0 to 1", value.to_string());
    }
}

/// The scene of the document; `None` if the conversion fails.
fn scene(document: &Document) -> Option<dopesheet_core::model::Scene> {
    super::to_scene::to_scene(document, &ToScene::default(), &mut Report::default()).ok()
}
