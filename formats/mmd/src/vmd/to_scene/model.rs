//! Bones, morphs, self shadow, visibility and IK switches.

use super::keys::{EffectiveKeys, Key, Repairs, all_finite, timing};
use crate::rotation::{self, Mended};
use crate::vmd::curves::BoneChannel::{self, Rotation, X, Y, Z};
use crate::vmd::defaults;
use crate::vmd::document::{BoneKeyframe, Document, ModelKeyframe, MorphKeyframe, ShadowKeyframe};
use crate::vmd::targets;
use dopesheet_core::model::{
    Blend, Channel, Composition, MorphSet, Node, Property, Scene, Target, TargetKind, Timing, Track,
    Transform,
};
use std::borrow::Cow;
use std::collections::BTreeMap;

impl Key for BoneKeyframe {
    const STEPS: bool = false;

    fn is_finite(&self) -> bool {
        all_finite(&self.translation) && all_finite(&self.rotation)
    }

    fn looks_like(&self, other: &Self) -> bool {
        self.translation == other.translation && self.rotation == other.rotation
    }
}

impl Key for MorphKeyframe {
    const STEPS: bool = false;

    fn is_finite(&self) -> bool {
        self.weight.is_finite()
    }

    fn looks_like(&self, other: &Self) -> bool {
        self.weight == other.weight
    }
}

impl Key for ShadowKeyframe {
    const STEPS: bool = true;

    fn is_finite(&self) -> bool {
        self.distance.is_finite()
    }

    fn looks_like(&self, other: &Self) -> bool {
        self.mode == other.mode && self.distance == other.distance
    }
}

impl Key for ModelKeyframe {
    const STEPS: bool = true;

    fn is_finite(&self) -> bool {
        true
    }

    fn looks_like(&self, other: &Self) -> bool {
        self.visible == other.visible && self.ik == other.ik
    }
}

/// One flat node and one track per bone. A bone without playable keys keeps its node.
pub(super) fn bone_tracks(document: &Document, scene: &mut Scene, repairs: &mut Repairs) -> Vec<Track> {
    let grouped = document.bone_tracks();
    let mut tracks = Vec::with_capacity(grouped.len());
    for (index, (name, keys)) in grouped.iter().enumerate() {
        let name = name.text();
        let node = Node::new(name.clone(), None, Transform::IDENTITY);
        let node = scene.push_node(Node { source_index: Some(index), ..node });
        if let Some(keys) = EffectiveKeys::new(&document.bones, keys, repairs) {
            let channels = vec![translation(&keys), rotation(&keys, repairs)];
            tracks.push(Track { target: Target::new(TargetKind::Joint, name, index, Some(node)), channels });
        }
    }
    tracks
}

fn translation(keys: &EffectiveKeys<'_, BoneKeyframe>) -> Channel {
    let ease = |key: &BoneKeyframe, channel: BoneChannel| timing(key.curve(channel));
    let is_uniform = |key: &&BoneKeyframe| {
        let [x, y, z] = [X, Y, Z].map(|axis| key.curve(axis));
        (x == y && y == z) || (timing(x) == timing(y) && timing(y) == timing(z))
    };
    if keys.arrivals().iter().all(is_uniform) {
        let curve = keys.curve([0.0; 3], Blend::Lerp, |key| key.translation, |key| ease(key, X));
        return Channel::whole(Property::Translation, curve);
    }
    let axes = [X, Y, Z].into_iter().enumerate();
    let curves = axes
        .map(|(n, axis)| keys.curve([0.0], Blend::Lerp, |key| [key.translation[n]], |key| ease(key, axis)));
    Channel {
        property: Property::Translation,
        composition: Composition::Components(curves.collect()),
        native: None,
    }
}

fn rotation(keys: &EffectiveKeys<'_, BoneKeyframe>, repairs: &mut Repairs) -> Channel {
    let value = |key: &BoneKeyframe| unit_quaternion(key.rotation, repairs);
    let identity = [0.0, 0.0, 0.0, 1.0];
    let curve = keys.curve(identity, Blend::Slerp, value, |key| timing(key.curve(Rotation)));
    Channel::whole(Property::Rotation, curve)
}

fn unit_quaternion(rotation: [f32; 4], repairs: &mut Repairs) -> [f32; 4] {
    let (unit, mended) = rotation::unit(rotation, repairs.as_stored);
    match mended {
        Mended::No => {}
        Mended::Zero => repairs.zero_quaternions += 1,
        Mended::Length => repairs.long_quaternions += 1,
    }
    unit
}

/// One track per morph, and the list of all of them.
pub(super) fn morph_tracks(document: &Document, scene: &mut Scene, repairs: &mut Repairs) -> Vec<Track> {
    let grouped = document.morph_tracks();
    let mut tracks = Vec::with_capacity(grouped.len());
    let mut morphs = MorphSet::default();
    for (index, (name, keys)) in grouped.iter().enumerate() {
        let name = name.text();
        morphs.morphs.push(name.clone());
        if let Some(keys) = EffectiveKeys::new(&document.morphs, keys, repairs) {
            let curve = keys.curve([0.0], Blend::Lerp, |key| [key.weight], |_| Timing::Linear);
            let channels = vec![Channel::whole(Property::Weight, curve)];
            tracks.push(Track { target: Target::new(TargetKind::Morph, name, index, None), channels });
        }
    }
    if !morphs.morphs.is_empty() {
        scene.morph_sets.push(morphs);
    }
    tracks
}

/// Mode and stored distance as steps: MikuMikuDance changes them on key frames only.
pub(super) fn shadow_track(document: &Document, repairs: &mut Repairs) -> Option<Track> {
    let keys = EffectiveKeys::sorted(&document.shadows, repairs)?;
    let mode = keys.steps(defaults::SHADOW_MODE, |key| match key.mode {
        0..=2 => f32::from(key.mode),
        other if repairs.as_stored => f32::from(other),
        _ => {
            repairs.shadow_modes += 1;
            defaults::SHADOW_MODE
        }
    });
    let distance = keys.steps(defaults::SHADOW_DISTANCE, |key| key.distance);
    let named = |name: &'static str| Property::Named(Cow::Borrowed(name));
    Some(Track {
        target: Target::new(TargetKind::Custom, targets::SHADOW, 0, None),
        channels: vec![
            Channel::whole(named(targets::SHADOW_MODE), mode),
            Channel::whole(named(targets::SHADOW_DISTANCE), distance),
        ],
    })
}

/// Visibility of the model, and one track per IK bone. A bone missing in a key's list is on there.
pub(super) fn switch_tracks(document: &Document, repairs: &mut Repairs) -> Vec<Track> {
    let Some(keys) = EffectiveKeys::sorted(&document.models, repairs) else { return Vec::new() };
    let state = |byte: u8| f32::from(u8::from(byte != 0));
    let shown = keys.steps(defaults::SWITCH, |key| state(key.visible));
    let mut tracks = vec![Track {
        target: Target::new(TargetKind::Custom, targets::MODEL, 0, None),
        channels: vec![Channel::whole(Property::Visible, shown)],
    }];
    for (index, (name, states)) in ik_states(&keys).into_iter().enumerate() {
        let mut states = states.into_iter();
        let enabled = keys.steps(defaults::SWITCH, |_| states.next().unwrap_or(defaults::SWITCH));
        let label = Some(format!("{}{name}", targets::IK_PREFIX));
        tracks.push(Track {
            target: Target { label, ..Target::new(TargetKind::Custom, name, index, None) },
            channels: vec![Channel::whole(Property::Enabled, enabled)],
        });
    }
    tracks
}

/// Per IK bone, in order of first appearance: its state at each key.
fn ik_states(keys: &EffectiveKeys<'_, ModelKeyframe>) -> Vec<(String, Vec<f32>)> {
    let mut bones: Vec<(String, Vec<f32>)> = Vec::new();
    let mut index = BTreeMap::new();
    for (position, key) in keys.list.iter().enumerate() {
        for switch in &key.ik {
            let name = switch.bone();
            let bone = *index.entry(name.cleared()).or_insert_with(|| {
                bones.push((name.text(), vec![defaults::SWITCH; keys.list.len()]));
                bones.len() - 1
            });
            bones[bone].1[position] = f32::from(u8::from(switch.enabled != 0));
        }
    }
    bones
}
