//! [`Document`](super::Document) to scene.

use super::document::{Animation, Component, Key, KeyNames, Node, Version};
use super::turns::Turns;
use dopesheet_core::diag::Report;
use dopesheet_core::format::ToScene;
use dopesheet_core::model::{
    Basis, Channel, Clip, Curve, Hierarchy, JumpSide, Law, Laws, Looping, Node as SceneNode, NodeIndex,
    PoseRelation, Property, Scene, Target, TargetKind, Times, Track, Transform,
};
use dopesheet_core::units::Seconds;
use dopesheet_curve::{quat_from_euler_degrees_zyx, quat_normalise_or_identity};
use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

pub(super) fn to_scene(animation: &Animation, options: &ToScene, report: &mut Report) -> Scene {
    let mut scene = Scene::new(Basis { metres_per_unit: None, ..Basis::GLTF });
    scene.hierarchy = Hierarchy::Unknown;
    let mut builder = Builder { animation, times: None, thinned: 0, clamped: 0 };
    let mut tracks = Vec::new();
    for (index, node) in played(animation, options, report) {
        let (rest, channels) = builder.channels(node);
        let mut scene_node = SceneNode::new(node.name.as_str(), None, rest);
        scene_node.source_index = Some(index);
        let position = scene.push_node(scene_node);
        tracks.extend(track(node, index, position, channels));
    }
    builder.report(report);
    let name = Some(animation.name.as_str()).filter(|name| !name.is_empty());
    scene.clips.push(Clip {
        name: name.map(str::to_owned).or_else(|| options.fallback_name.clone()),
        duration: Seconds(animation.effective_duration()),
        tracks,
        looping: Looping::Unspecified,
        relation: PoseRelation::Absolute,
        ..Clip::default()
    });
    scene
}

fn track(node: &Node, index: usize, position: NodeIndex, channels: Vec<Channel>) -> Option<Track> {
    if channels.is_empty() {
        return None;
    }
    Some(Track {
        target: Target::new(TargetKind::Joint, node.name.as_str(), index, Some(position)),
        channels,
    })
}

/// For each name its first index and the node that plays: the last one of that name that has anything to play,
/// because in the engine later nodes overwrite earlier ones.
fn played<'a>(
    animation: &'a Animation,
    options: &ToScene,
    report: &mut Report,
) -> Vec<(usize, &'a Node)> {
    let mut played: Vec<(usize, &Node)> = Vec::with_capacity(animation.nodes.len());
    let mut slots: HashMap<&str, usize> = HashMap::with_capacity(animation.nodes.len());
    let mut overwritten = 0usize;
    for (index, node) in animation.nodes.iter().enumerate().skip(usize::from(options.skip_first)) {
        match slots.entry(&node.name) {
            Entry::Vacant(slot) => {
                slot.insert(played.len());
                played.push((index, node));
            }
            Entry::Occupied(slot) => {
                overwritten += 1;
                if plays(animation, node) {
                    played[*slot.get()].1 = node;
                }
            }
        }
    }
    if overwritten > 0 {
        report.dropped(
            format!("{overwritten} of {} nodes, whose names repeat", animation.nodes.len()),
            "of several nodes with one name only the last that has keys is played",
        );
    }
    if let (true, Some(first)) = (options.skip_first, animation.nodes.first()) {
        report.dropped(format!("node 0 \"{}\"", first.name), "leaving out the first node was asked for");
    }
    played
}

fn plays(animation: &Animation, node: &Node) -> bool {
    !node.keys.is_empty() || Component::ALL.into_iter().any(|c| animation.static_value(node, c).is_some())
}

struct Builder<'a> {
    animation: &'a Animation,
    /// The times of the last channel; most nodes of a file share theirs.
    times: Option<Arc<[f64]>>,
    thinned: usize,
    clamped: usize,
}

impl<'a> Builder<'a> {
    fn channels(&mut self, node: &'a Node) -> (Transform, Vec<Channel>) {
        let keys = sorted(&node.keys);
        let mut rest = Transform::IDENTITY;
        let mut channels = Vec::with_capacity(3);
        for component in Component::ALL {
            let picked = self.pick(node, &keys, component);
            let Some(&(_, first)) = picked.first() else { continue };
            match component {
                Component::Position => set(&mut rest.translation, first),
                Component::Rotation => rest.rotation = quaternion(first),
                Component::Scale => set(&mut rest.scale, first),
            }
            channels.push(self.channel(&picked, component));
        }
        (rest, channels)
    }

    /// The times and numbers of a component's keys. A value that counts for every key is one key: the first.
    fn pick<'k>(&mut self, node: &'k Node, keys: &'k [Key], component: Component) -> Vec<(f64, &'k [f64])>
    where
        'a: 'k,
    {
        let animation = self.animation;
        let Some(first) = keys.first() else {
            return animation.static_value(node, component).map(|value| (0.0, value)).into_iter().collect();
        };
        let hoisted = node.defaults.numbers(component).filter(|_| {
            animation.version == Version::V4
                || keys.iter().all(|key| animation.names_of(key) == KeyNames::Short)
        });
        if let Some(value) = hoisted {
            return vec![(first.time, value)];
        }
        let mut picked = Vec::with_capacity(keys.len());
        for key in keys {
            if let Some(value) = animation.value(node, key, component) {
                // Of a run of equal times only the first and the last key ever show.
                if let [.., (before, _), (last, _)] = picked[..]
                    && before == key.time
                    && last == key.time
                {
                    picked.pop();
                    self.thinned += 1;
                }
                picked.push((key.time, value));
            }
        }
        picked
    }

    fn channel(&mut self, picked: &[(f64, &[f64])], component: Component) -> Channel {
        let times = Times::Seconds(self.shared_times(picked));
        let (property, width, law) = match component {
            Component::Position => (Property::Translation, 3, Law::LINEAR),
            Component::Rotation => (Property::Rotation, 4, Law::SLERP),
            Component::Scale => (Property::Scale, 3, Law::LINEAR),
        };
        let values = match component {
            Component::Rotation => rotations(picked),
            Component::Position | Component::Scale => self.vectors(picked),
        };
        let mut curve = Curve::new(times, width, values, Laws::uniform(law));
        curve.jump = JumpSide::Before;
        Channel::whole(property, curve)
    }

    fn shared_times(&mut self, picked: &[(f64, &[f64])]) -> Arc<[f64]> {
        match &self.times {
            Some(times) if times.len() == picked.len() && times.iter().zip(picked).all(|(a, b)| *a == b.0) => {
                Arc::clone(times)
            }
            _ => {
                let times: Arc<[f64]> = picked.iter().map(|key| key.0).collect();
                self.times = Some(Arc::clone(&times));
                times
            }
        }
    }

    fn vectors(&mut self, picked: &[(f64, &[f64])]) -> Vec<f32> {
        let mut values = Vec::with_capacity(picked.len() * 3);
        for value in picked.iter().flat_map(|key| key.1) {
            let narrow = *value as f32;
            if narrow.is_finite() {
                values.push(narrow);
            } else {
                self.clamped += 1;
                values.push(f32::MAX.copysign(narrow));
            }
        }
        values
    }

    fn report(&self, report: &mut Report) {
        if self.thinned > 0 {
            report.dropped(
                format!("{} keys between others of the same time", self.thinned),
                "no instant shows them",
            );
        }
        if self.clamped > 0 {
            report.dropped(
                format!("the size of {} numbers beyond 3.4e38", self.clamped),
                "curves hold single precision; its largest number stands in",
            );
        }
    }
}

fn sorted(keys: &[Key]) -> Cow<'_, [Key]> {
    if keys.is_sorted_by(|a, b| a.time <= b.time) {
        return Cow::Borrowed(keys);
    }
    let mut keys = keys.to_vec();
    keys.sort_by(|a, b| a.time.partial_cmp(&b.time).unwrap_or(std::cmp::Ordering::Equal));
    Cow::Owned(keys)
}

fn set(slot: &mut [f64; 3], numbers: &[f64]) {
    for (slot, number) in slot.iter_mut().zip(numbers) {
        *slot = *number;
    }
}

fn rotations(picked: &[(f64, &[f64])]) -> Vec<f32> {
    let mut turns = Turns::default();
    picked.iter().flat_map(|key| turns.store(quaternion(key.1))).collect()
}

/// The rotation that three Euler angles in degrees or the four numbers of a quaternion mean.
pub(super) fn quaternion(numbers: &[f64]) -> [f64; 4] {
    match *numbers {
        [x, y, z] => quat_from_euler_degrees_zyx([x, y, z]),
        [x, y, z, w] => quat_normalise_or_identity([x, y, z, w]),
        _ => dopesheet_curve::QUAT_IDENTITY,
    }
}
